//! `perft count --lab` without a server.

use testkit::programs;

use crate::common::command;

#[test]
fn no_server_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = "http://127.0.0.1:1";
    let arguments = ["count", "4", "--lab", url];
    let mut command = command(folder.path(), &arguments);
    let output = command.env("FLEET_TOKEN", "tsa_x").output();
    let text = programs::shown(output.expect("the program starts"));
    assert!(text.starts_with("exit 3\n"), "{text}");
    assert!(
        text.contains("cannot reach the lab http://127.0.0.1:1"),
        "{text}"
    );
}

#[test]
fn a_token_is_needed() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let mut command = command(
        folder.path(),
        &["count", "4", "--lab", "https://127.0.0.1:1"],
    );
    let output = command.env_remove("FLEET_TOKEN").output();
    let text = programs::shown(output.expect("the program starts"));
    let expected = "expected a token in FLEET_TOKEN, as the lab's pages print it";
    assert!(
        text.starts_with("exit 2\n") && text.contains(expected),
        "{text}"
    );
}
