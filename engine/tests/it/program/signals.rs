//! What reaches the program in the middle of its work: stop, ponderhit, quit, the end of the
//! input, and what has to wait.

use std::time::Duration;

use crate::program::driver::{Touchstone, count, dialogue, talk};

/// Time for what should not come.
const LITTLE: Duration = Duration::from_millis(200);
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
            dialogue(&format!(
                "position {position}\n{go} | ...\nstop | ... | bestmove *\nstop |"
            ));
        }
    }
}

/// Searches that are through, one with `stop` and one with `ponderhit` to come.
#[test]
fn a_search_through_is_held_back_in_silence() {
    for (go, end) in [
        ("go infinite depth 1", "stop"),
        ("go ponder depth 1", "ponderhit"),
    ] {
        let mut program = Touchstone::start();
        program.say(go);
        program.until("info depth 1");
        assert_eq!(program.line_soon(LITTLE), None);
        program.dialogue(&format!("{end} | bestmove *"));
    }
}

#[test]
fn pondering_ends_with_ponderhit() {
    dialogue(
        "go ponder wtime 200 btime 200 | ...
         ponderhit | ... | bestmove *
         ponderhit | info string ponderhit: nothing is being pondered on",
    );
}

/// After stop there is no need to wait for the answer. A position that comes during a search is that of the
/// next one.
#[test]
fn what_comes_during_an_endless_search() {
    dialogue(
        "go infinite searchmoves a2a3
         go depth 1 | ... | info string go: not during a search, stop it first | ...
         go perft 1 | ... | info string go: not during a search, stop it first | ...
         go dpeth 1 | ... | info string column 4: unexpected 'dpeth', * | ...
         setoption name Hash value 1 | ... | info string option Hash: not during a search, stop it first | ...
         setoption name Clear Hash | ... | info string option Clear Hash: not during a search, stop it first | ...
         setoption name SyzygyPath value <empty> | ... | info string option SyzygyPath: not during a search, * | ...
         setoption name EvalFile value <empty> | ... | info string option EvalFile: not during a search, * | ...
         ucinewgame | ... | info string ucinewgame: not during a search, stop it first | ...
         bench 1 | ... | info string bench: not during a search, stop it first | ...
         position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 | ...
         eval | ... | Touchstone, by network, in centipawns | ...
         d | ... | Fen: 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1 | ...
         stop
         go depth 2 | ... | bestmove a2a3* | ... | bestmove a1a8
         go infinite
         stop
         setoption name Hash value 1
         ucinewgame | ... | bestmove a1a8",
    );
}

/// What is given in one write is answered line by line, in order.
#[test]
fn searches_that_end_by_themselves_are_waited_for() {
    dialogue(
        "go nodes 20000 searchmoves a2a3
         position fen 6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1
         go depth 2
         go dpeth 1
         position startpos
         go depth 1 searchmoves h2h3
         go perft 1 | ... | bestmove a2a3* | ... | bestmove a1a8 | bestmove (none) | ... | bestmove h2h3 | \
                      ... | Nodes searched: 20 | ...
         go movetime 600000 searchmoves a2a3
         go movetime 600000 searchmoves b2b3
         go infinite | ...
         stop | ... | bestmove a2a3* | ... | bestmove b2b3* | ... | bestmove *",
    );
    // More searches than may wait: none is lost.
    let lines = talk(&"go depth 1\n".repeat(1000));
    assert_eq!(count(&lines, "bestmove "), 1000);
}

#[test]
#[rustfmt::skip]
fn quit_ends_whatever_goes_on() {
    for work in ["go infinite", "go ponder depth 1", "go wtime 9999999", LONG_PERFT, "bench 30"] {
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
    dialogue(&format!(
        "setoption name Threads value 2
         {LONG_PERFT} |
         stop | info string go perft: counting was cancelled
         bench 30 |
         stop | info string bench: cancelled
         go depth 1 | info depth 1 * | bestmove *"
    ));
}

/// What ends by itself is finished after the end of the input; what does not, is stopped. Each row: a
/// dialogue without waiting, and how many best moves are owed in it.
#[test]
fn one_best_move_for_each_search() {
    #[rustfmt::skip]
    let rows = [
        ("go depth 4", 1), ("go movetime 50", 1), ("go wtime 500", 1), ("go mate 1", 1),
        // These have no end of their own.
        ("go", 1), ("go ponder wtime 99999", 1), ("go infinite depth 1", 1),
        ("go depth 1, stop", 1),
        ("go nodes 2000, go x, go perft 1, go mate 1, go movetime 1, go depth 1", 5),
        ("go nodes 2000, go infinite, go depth 1, stop", 2),
        ("go wtime 99999, go wtime 99999, go wtime 99999, stop", 3),
        ("go nodes 2000, go ponder depth 1, go depth 1, ponderhit, go depth 1, stop", 3),
        ("go depth 1, stop, stop, go depth 1, stop", 2),
        ("go infinite, stop, go infinite, stop, go depth 2", 3),
        ("go infinite, go infinite, stop", 1),
        ("go ponder depth 1, ponderhit, stop", 1),
        ("go ponder depth 1, stop, ponderhit", 1),
        ("go ponder infinite, ponderhit, stop", 1),
        ("go perft 2", 0),
        ("go perft 9, stop, go depth 1", 1),
        ("go perft 15, go depth 1, go x, go perft 1, stop", 2),
        ("bench 60, go depth 1, go x, bench, stop", 2),
        ("go x", 1),
        ("go infinite, go x, stop", 1),
        ("position x, go, go depth 1", 2),
        ("go infinite, position x, stop, go", 2),
        ("stop, ponderhit, stop", 0),
        ("go infinite, quit", 1),
        ("bench 1, stop, go depth 1", 1),
    ];
    for (script, owed) in rows {
        let lines = talk(&format!("{}\n", script.replace(", ", "\n")));
        assert_eq!(count(&lines, "bestmove "), owed, "{script}: {lines:?}");
    }
    // At the end of the input none of these has begun.
    let lines = talk("go nodes 20000 searchmoves a2a3\ngo depth 2\ngo perft 3\n");
    assert_eq!(count(&lines, "bestmove a2a3"), 1, "{lines:?}");
    assert_eq!(count(&lines, "Nodes searched: 8902"), 1, "{lines:?}");
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
