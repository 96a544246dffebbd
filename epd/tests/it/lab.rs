//! `epd run --lab` without a server.

use testkit::programs;

use crate::common::{command, ends, place};
use crate::run::engine;

#[test]
fn no_server_is_an_error() {
    let engine = engine("right.txt");
    let run = ["run", "mate-in-1", "--engine", &engine, "--lab"];
    let url = ["http://127.0.0.1:1"];
    let place = place();
    let mut command = command(&place, &[&run[..], &url].concat());
    let output = command.env("FLEET_TOKEN", "tsa_x").output();
    let text = programs::shown(output.expect("it starts"));
    ends(&text, 3, &["cannot reach the lab http://127.0.0.1:1"]);
}
