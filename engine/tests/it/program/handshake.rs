//! `uci`, `isready`, options, `debug`, `register`, arguments.

use uci::grammar::{EngineOption, Message};

use crate::program::driver::{Touchstone, talk};

/// The options that the engine declares.
pub(crate) fn declared() -> Vec<EngineOption> {
    let options = talk("uci\n").into_iter();
    let options = options.filter_map(|line| match Message::parse(&line) {
        Message::Option(option) => Some(option),
        _ => None,
    });
    options.collect()
}

#[test]
fn the_handshake() {
    let lines = talk("uci\nisready\n");
    assert!(lines[0].starts_with("id name Touchstone "), "{lines:?}");
    assert!(lines[1].starts_with("id author "), "{lines:?}");
    assert_eq!(lines[lines.len() - 2..], ["uciok", "readyok"]);
    for line in &lines[2..lines.len() - 2] {
        assert!(matches!(Message::parse(line), Message::Option(_)), "{line}");
        assert_eq!(Message::parse(line).to_string(), *line);
    }
    let names: Vec<String> = declared().into_iter().map(|option| option.name).collect();
    let expected = "Hash, Clear Hash, Threads, Ponder, MultiPV, Move Overhead, OwnBook, Book, SyzygyPath, \
                    SyzygyProbeDepth, SyzygyProbeLimit, Syzygy50MoveRule, EvalFile, Profile, Level, UCI_Chess960, \
                    UCI_LimitStrength, UCI_Elo, UCI_ShowWDL";
    for name in expected.split(", ") {
        assert!(names.iter().any(|other| other == name), "{name}: {names:?}");
    }
}

#[test]
fn debug_prints_more() {
    let position = "position startpos moves e2e4\n";
    assert!(talk(position).is_empty());
    let expected =
        "info string position rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(talk(&format!("debug on\n{position}")), [expected]);
    assert!(talk(&format!("debug on\ndebug off\n{position}")).is_empty());
    let said = talk("debug on\nsetoption name HASH value 2\n");
    assert_eq!(said, ["info string option Hash is set"]);
}

#[test]
fn some_commands_print_nothing() {
    for quiet in [
        "",
        "\n\n \t\r\n",
        "stop\n",
        "ucinewgame\n",
        "position startpos\n",
        "setoption name Ponder value true\nsetoption name Clear Hash\n",
        "setoption name Threads value 1\nsetoption name Threads value 2\n",
        "quit\nuci\n",
    ] {
        assert!(talk(quiet).is_empty(), "{quiet:?}");
    }
    assert_eq!(
        talk("register later\n"),
        ["info string this engine needs no registration"]
    );
}

#[test]
fn carriage_returns_and_a_missing_line_end_do_no_harm() {
    assert_eq!(talk("isready\r\nisready"), ["readyok", "readyok"]);
}

#[test]
fn arguments() {
    let run = |arguments: &[&str]| Touchstone::with(arguments).end();
    assert_eq!(run(&["--version"]).code, Some(0));
    let help = run(&["help"]);
    assert!(help.lines[0].starts_with("UCI: uci, isready"), "{help:?}");
    for wrong in [
        &["--versoin"][..],
        &["--seed"],
        &["xboard"],
        &["go", "dpeth", "3"],
    ] {
        assert_eq!(run(wrong).code, Some(2), "{wrong:?}");
    }
    let go = run(&["go", "depth", "2"]);
    assert_eq!(go.code, Some(0));
    assert!(go.lines.last().expect("lines").starts_with("bestmove "));
}
