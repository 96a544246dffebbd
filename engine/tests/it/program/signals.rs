//! What reaches the program in the middle of its work: stop, ponderhit, quit, the end of the
//! input, and what has to wait.

use std::time::Duration;

use crate::program::driver::{Touchstone, count, talk};

/// Time for what should not come.
const LITTLE: Duration = Duration::from_millis(200);
const NO_MOVE: &str = "bestmove (none)";
const BUSY: &str = "info string go: not during a search, stop it first";
/// A perft that takes years.
const LONG_PERFT: &str = "go perft 15";

#[test]
fn an_infinite_search_answers_after_stop_only() {
    for position in [
        "startpos",
        // Few moves, so that every depth is soon searched; and none at all.
        "fen 7k/8/5K2/6Q1/8/8/8/8 b - - 0 1",
        "fen R3k3/8/4K3/8/8/8/8/8 b - - 0 1",
    ] {
        for go in ["go infinite", "go infinite depth 1", "go ponder depth 1"] {
            let mut program = Touchstone::start();
            program.say(&format!("position {position}"));
            program.say(go);
            let early = program.said();
            assert_eq!(count(&early, "bestmove"), 0, "{position} {go}");
            program.say("stop");
            program.until("bestmove ");
            program.say("stop");
            assert!(program.said().is_empty(), "{position} {go}");
            assert_eq!(program.quit().lines.len(), 0, "{position} {go}");
        }
    }
}

#[test]
fn a_search_through_is_held_back_in_silence() {
    let mut program = Touchstone::start();
    program.say("go infinite depth 1");
    program.until("info depth 1");
    assert_eq!(program.line_soon(LITTLE), None);
    program.say("stop");
    assert!(program.line().starts_with("bestmove "));
}

#[test]
fn pondering_ends_with_ponderhit() {
    let mut program = Touchstone::start();
    program.say("go ponder wtime 200 btime 200");
    assert_eq!(count(&program.said(), "bestmove"), 0);
    program.say("ponderhit");
    program.until("bestmove ");
    // What it was through with before is answered at once.
    program.say("go ponder depth 1");
    program.until("info depth 1");
    assert_eq!(program.line_soon(LITTLE), None);
    program.say("ponderhit");
    assert!(program.line().starts_with("bestmove "));
    program.say("ponderhit");
    let expected = "info string ponderhit: nothing is being pondered on";
    assert_eq!(program.said(), [expected]);
}

#[test]
fn a_second_search_waits_for_stop() {
    let mut program = Touchstone::start();
    program.say("go infinite");
    for line in ["go depth 1", "go perft 1"] {
        program.say(line);
        let said = program.said();
        assert_eq!(count(&said, BUSY), 1, "{line}: {said:?}");
        assert_eq!(count(&said, "bestmove"), 0, "{line}: {said:?}");
    }
    program.say("go dpeth 1");
    let said = program.said();
    assert_eq!(count(&said, "info string column 4: "), 1, "{said:?}");
    assert_eq!(count(&said, "bestmove"), 0, "{said:?}");
    // After stop there is no need to wait for the answer.
    program.say("stop");
    program.say("go depth 1");
    program.until("bestmove ");
    program.until("bestmove ");
    assert!(program.said().is_empty());
}

/// What is given in one write is answered line by line, in order.
#[test]
fn searches_that_end_by_themselves_are_waited_for() {
    let lines = talk(
        "go nodes 20000 searchmoves a2a3\nposition fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1\n\
         go depth 2\ngo dpeth 1\nposition startpos\ngo depth 1 searchmoves h2h3\ngo perft 1\n",
    );
    let answers = lines.iter().filter_map(|line| {
        let words: Vec<&str> = line.split(' ').take(2).collect();
        ["bestmove", "Nodes"]
            .contains(&words[0])
            .then(|| words.join(" "))
    });
    let expected = [
        "bestmove a2a3",
        "bestmove a1a8",
        NO_MOVE,
        "bestmove h2h3",
        "Nodes searched:",
    ];
    assert_eq!(answers.collect::<Vec<_>>(), expected, "{lines:?}");

    // The input is read on, and `stop` ends all that was begun.
    let mut program = Touchstone::start();
    program.say("go movetime 600000 searchmoves a2a3\ngo movetime 600000 searchmoves b2b3");
    program.say("go infinite");
    assert_eq!(count(&program.said(), "bestmove"), 0);
    program.say("stop");
    program.until("bestmove a2a3");
    program.until("bestmove b2b3");
    program.until("bestmove ");
    assert!(program.said().is_empty());
    assert_eq!(program.quit().code, Some(0));
}

/// More searches than may wait: none is lost.
#[test]
fn many_searches_at_once() {
    let lines = talk(&"go depth 1\n".repeat(1000));
    assert_eq!(count(&lines, "bestmove "), 1000);
}

#[test]
fn commands_that_need_the_tt_are_rejected_during_a_search() {
    let mut program = Touchstone::start();
    program.say("go infinite");
    let table = "not during a search, stop it first";
    #[rustfmt::skip]
    let rows = [
        ("setoption name Hash value 1", format!("option Hash: {table}")),
        ("setoption name Clear Hash", format!("option Clear Hash: {table}")),
        ("setoption name SyzygyPath value <empty>", format!("option SyzygyPath: {table}")),
        ("setoption name EvalFile value <empty>", format!("option EvalFile: {table}")),
        ("ucinewgame", format!("ucinewgame: {table}")),
        ("bench 1", "bench: not during a search, stop it first".to_owned()),
    ];
    for (line, expected) in rows {
        program.say(line);
        let said = program.said();
        assert_eq!(
            count(&said, &format!("info string {expected}")),
            1,
            "{line}: {said:?}"
        );
    }
    program.say("stop");
    program.say("setoption name Hash value 1");
    program.say("ucinewgame");
    program.until("bestmove ");
    assert!(program.said().is_empty());
}

/// A position that comes during a search is that of the next one.
#[test]
fn a_position_during_a_search() {
    let mut program = Touchstone::start();
    program.say("go infinite searchmoves a2a3");
    program.say("position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1");
    program.say("eval");
    program.say("d");
    assert_eq!(count(&program.said(), "Fen: 6k1/5ppp"), 1);
    let best = program.best_move("stop");
    assert!(best.starts_with("bestmove a2a3"), "{best}");
    let best = program.best_move("go depth 2");
    assert!(best.starts_with("bestmove a1a8"), "{best}");
}

#[test]
fn quit_ends_whatever_goes_on() {
    for work in [
        "go infinite",
        "go ponder depth 1",
        "go wtime 9999999",
        LONG_PERFT,
        "bench 30",
    ] {
        let mut program = Touchstone::start();
        program.say(work);
        program.said();
        let rest = program.quit();
        assert_eq!(rest.code, Some(0), "{work}");
        assert!(count(&rest.lines, "bestmove") <= 1, "{work}: {rest:?}");
    }
}

#[test]
fn stop_ends_perft_and_bench() {
    let mut program = Touchstone::start();
    program.say("setoption name Threads value 2");
    for (work, expected) in [
        (LONG_PERFT, "info string go perft: counting was cancelled"),
        ("bench 30", "info string bench: cancelled"),
    ] {
        program.say(work);
        program.said();
        program.say("stop");
        assert_eq!(program.until(expected).len(), 1, "{work}");
    }
    program.best_move("go depth 1");
    assert!(program.said().is_empty());
}

/// What ends by itself is finished after the end of the input; what does not, is stopped.
#[test]
fn the_end_of_the_input() {
    for work in [
        "depth 4",
        "nodes 3000",
        "movetime 50",
        "wtime 500",
        "mate 1",
        // The others have no end of their own.
        "",
        "infinite",
        "ponder depth 1",
        "ponder wtime 99999",
        "infinite depth 1",
    ] {
        let lines = talk(&format!("position startpos\ngo {work}\n"));
        assert_eq!(count(&lines, "bestmove "), 1, "{work}: {lines:?}");
    }
    let lines = talk("go perft 3\n");
    assert_eq!(count(&lines, "Nodes searched: 8902"), 1, "{lines:?}");
    assert_eq!(count(&lines, "bestmove"), 0, "{lines:?}");
}

/// Each row: a dialogue without waiting, and how many best moves are owed in it.
#[test]
fn one_best_move_for_each_search() {
    let rows = [
        ("go depth 1", 1),
        ("go depth 1\nstop", 1),
        ("go depth 1\ngo depth 1", 2),
        (
            "go nodes 2000\ngo x\ngo perft 1\ngo mate 1\ngo movetime 1\ngo depth 1",
            5,
        ),
        ("go nodes 2000\ngo infinite\ngo depth 1\nstop", 2),
        ("go wtime 99999\ngo wtime 99999\ngo wtime 99999\nstop", 3),
        (
            "go nodes 2000\ngo ponder depth 1\ngo depth 1\nponderhit\ngo depth 1\nstop",
            3,
        ),
        ("go depth 1\nstop\nstop\ngo depth 1\nstop", 2),
        ("go infinite\nstop\ngo infinite\nstop\ngo depth 2", 3),
        ("go infinite\ngo infinite\nstop", 1),
        ("go ponder depth 1\nponderhit\nstop", 1),
        ("go ponder depth 1\nstop\nponderhit", 1),
        ("go ponder infinite\nponderhit\nstop", 1),
        ("go perft 2", 0),
        ("go perft 9\nstop\ngo depth 1", 1),
        ("go perft 15\ngo depth 1\ngo x\ngo perft 1\nstop", 2),
        ("bench 60\ngo depth 1\ngo x\nbench\nstop", 2),
        ("go x", 1),
        ("go infinite\ngo x\nstop", 1),
        ("position x\ngo\ngo depth 1", 2),
        ("go infinite\nposition x\nstop\ngo", 2),
        ("stop\nponderhit\nstop", 0),
        ("go infinite\nquit", 1),
        ("bench 1\nstop\ngo depth 1", 1),
    ];
    for (script, owed) in rows {
        let lines = talk(&format!("{script}\n"));
        assert_eq!(count(&lines, "bestmove "), owed, "{script:?}: {lines:?}");
    }
}

/// A reader that closes its end is no error.
#[test]
#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "the program under test is started here"
)]
fn a_closed_output_ends_the_program_in_silence() {
    use std::io::Write;
    use std::process::{Command, Stdio};

    for script in ["uci", "go infinite", "go depth 9"] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_touchstone"))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program starts");
        drop(child.stdout.take());
        // The input stays open: it is the output that ends the program.
        let mut input = child.stdin.take().expect("a pipe");
        writeln!(input, "{script}").expect("the program reads");
        let ended = child.wait_with_output().expect("an end");
        let stderr = String::from_utf8_lossy(&ended.stderr);
        assert_eq!((&*stderr, ended.status.code()), ("", Some(0)), "{script}");
    }
}
