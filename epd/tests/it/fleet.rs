//! `epd run --fleet` without a server.

use testkit::programs;

use crate::common::{command, scripted_engine};

#[test]
fn no_server_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let suites = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites");
    let engine = format!("'{}' '{suites}/right.txt'", scripted_engine());
    let run = ["run", "mate-in-1", "--engine", &engine, "--fleet"];
    let url = ["http://127.0.0.1:1", "--patience", "0s"];
    let mut command = command(folder.path(), &[&run[..], &url].concat());
    let output = command.env("FLEET_TOKEN", "tsa_x").output();
    let text = programs::shown(output.expect("it starts"));
    assert!(text.starts_with("exit 3\n"), "{text}");
    assert!(text.contains("the broker cannot be reached"), "{text}");
}
