//! The network: the one that is built in, or one of the user's.
#![expect(clippy::disallowed_methods, reason = "a network is a file")]

use std::path::Path;

use engine::eval::network::{HIDDEN, KingBuckets, Weights};

use crate::program::driver::{Touchstone, talk};

/// A network that gives every position so many centipawns for the side to move.
fn constant(centipawns: i32) -> Weights {
    let mut weights = Weights::zero(HIDDEN, KingBuckets::ONE);
    weights.scale = 1;
    weights.output_bias.fill(centipawns * 255 * 64);
    weights
}

fn written(weights: &Weights, name: &str) -> String {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, weights.to_bytes()).expect("written");
    path.to_str().expect("a path in UTF-8").to_owned()
}

fn value(set: &str, position: &str) -> String {
    let lines = talk(&format!("{set}{position}eval\n"));
    let value = lines
        .iter()
        .find(|line| line.starts_with("Value for White"));
    value.expect("eval prints a value").clone()
}

#[test]
fn values_are_those_of_the_network_that_is_chosen() {
    const EMPTY: &str = "position startpos\n";
    let path = written(&constant(123), "constant.net");
    let set = format!("setoption name EvalFile value {path}\n");
    let number = |text: &str| -> f64 {
        let word = text.split_whitespace().nth(3).expect("a number");
        word.parse().expect("a number")
    };
    assert!((number(&value(&set, EMPTY)) - 1.23).abs() < 1e-9);
    let back = format!("{set}setoption name EvalFile value <built-in>\n");
    assert_eq!(value(&back, EMPTY), value("", EMPTY));
}

#[test]
fn searches_use_the_network_and_clear_older_results() {
    let path = written(&constant(200), "winning.net");
    let mut program = Touchstone::start();
    let mut score = |line: &str| -> i32 {
        program.say(line);
        program.say("go depth 1");
        let lines = program.until("bestmove ");
        let reported = lines.iter().find_map(|line| line.split_once(" score cp "));
        let word = reported.and_then(|(_, rest)| rest.split(' ').next());
        word.and_then(|word| word.parse().ok()).expect("a score")
    };
    let without = score("position startpos");
    let with = score(&format!("setoption name EvalFile value {path}"));
    // It says the same for whoever moves: after one ply that is the opponent.
    assert!(with < without - 100, "{with}, {without} without");
    assert_eq!(score("setoption name EvalFile value <built-in>"), without);
}

/// Match runners write an empty value in any of these ways.
#[test]
fn without_a_network_there_is_no_evaluation() {
    let expected = "info string option EvalFile: no file is named, and the engine has no evaluation \
                    without a network; the one that comes with it is <built-in>";
    for text in ["", " value", " value ", " value \t", " value  <EMPTY> "] {
        assert_eq!(
            talk(&format!("setoption name EvalFile{text}\n")),
            [expected],
            "{text:?}"
        );
    }
}

#[test]
fn invalid_networks_are_rejected_and_change_nothing() {
    let mut program = Touchstone::start();
    let path = written(&constant(1), "cut.net");
    let whole = std::fs::read(&path).expect("it is there");
    std::fs::write(&path, &whole[..1000]).expect("written");
    program.say(&format!("setoption name EvalFile value {path}"));
    let said = program.said();
    let expected =
        format!("info string option EvalFile: {path} is not a valid network: 1000 bytes, ");
    assert!(
        said.len() == 1 && said[0].starts_with(&expected),
        "{said:?}"
    );
    program.say("go depth 1");
    assert_eq!(program.quit().code, Some(0));
}
