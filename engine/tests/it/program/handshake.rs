//! `uci`, `isready`, options, `debug`, `register`, arguments.

use uci::grammar::{EngineOption, Message, OptionKind};

use crate::program::driver::{Touchstone, talk};

fn declared() -> Vec<EngineOption> {
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

/// Every number outside a declared range is rejected with the range; both ends are taken.
#[test]
fn options_keep_to_their_ranges() {
    for option in declared() {
        let name = option.name;
        let OptionKind::Spin {
            min: Some(min),
            max: Some(max),
            ..
        } = option.kind
        else {
            continue;
        };
        let mut program = Touchstone::start();
        for value in [(min - 1).to_string(), (max + 1).to_string(), "x".to_owned()] {
            program.say(&format!("setoption name {name} value {value}"));
            let expected = format!(
                "info string option {name}: invalid value '{value}', expected a number from \
                 {min} to {max}"
            );
            assert_eq!(program.said(), [expected]);
        }
        // The largest table need not fit this machine.
        let ends = if name == "Hash" {
            vec![min]
        } else {
            vec![min, max]
        };
        for value in ends {
            program.say("debug on");
            program.say(&format!(
                "setoption name {} value {value}",
                name.to_uppercase()
            ));
            let said = program.said();
            let expected = format!("info string option {name} is set");
            assert_eq!(said.last(), Some(&expected), "{value}: {said:?}");
        }
        assert_eq!(program.quit().code, Some(0));
    }
}

#[test]
fn threads_are_taken_without_a_remark() {
    let lines = talk("setoption name Threads value 1\nsetoption name Threads value 2\n");
    assert!(lines.is_empty(), "{lines:?}");
}

#[test]
fn debug_prints_more() {
    let position = "position startpos moves e2e4\n";
    assert!(talk(position).is_empty());
    let expected =
        "info string position rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1";
    assert_eq!(talk(&format!("debug on\n{position}")), [expected]);
    assert!(talk(&format!("debug on\ndebug off\n{position}")).is_empty());
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
    let version = run(&["--version"]);
    assert_eq!(
        version.lines,
        [format!("touchstone {}", env!("CARGO_PKG_VERSION"))]
    );
    assert_eq!(version.code, Some(0));
    assert!(run(&["--help"]).lines.contains(&"Options:".to_owned()));
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
