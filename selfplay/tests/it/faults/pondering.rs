//! Thinking on the opponent's time: hits, misses, and engines that do not obey.

use selfplay::model::{EngineConfig, FaultKind, GameResult, Termination};
use uci::Cancel;

use super::bed::{Bed, PATIENT, assert_gone, clocked, config, relaxed, stop, unclocked};

fn pondering(mut config: EngineConfig) -> EngineConfig {
    config.ponder = true;
    config.command.arguments.push("--ponder".to_owned());
    config
}

/// The moves of a game of seeds 3 and 4, with White pondering or not, and White's transcript.
fn moves(flags: &[&str], ponder: bool, black_seed: &str) -> (Vec<String>, String) {
    let white = config("one", relaxed(), &[flags, &["--seed=3"]].concat());
    let white = if ponder { pondering(white) } else { white };
    let black = config("other", relaxed(), &[black_seed]);
    let mut bed = Bed::of(white, black, PATIENT, &Cancel::new());
    let played = bed.play(20);
    assert_eq!(played.record.fault, None, "{:?}", played.transcript);
    let incidents = played.record.incidents.iter().map(|one| one.kind);
    let incidents: Vec<FaultKind> = incidents.collect();
    if flags.contains(&"--double") && ponder && black_seed != "--seed=3" {
        assert_eq!(incidents, [FaultKind::ExtraBestmove]);
    } else {
        assert_eq!(incidents, []);
    }
    let moves = played.record.moves.into_iter().map(|one| one.uci);
    let moves = moves.collect();
    // The game has ended while it pondered; it can play the next.
    let next = bed.play(20);
    assert_eq!(next.record.fault, None);
    (moves, bed.white.transcript())
}

#[test]
fn ponderhit_is_sent_and_answered() {
    let (expected, _) = moves(&[], false, "--seed=3");
    let (found, transcript) = moves(&[], true, "--seed=3");
    assert_eq!(found, expected);
    assert!(transcript.contains("> go ponder wtime"), "{transcript}");
    // All but the first move of a game are hits.
    assert_eq!(transcript.matches("> ponderhit").count(), 38);
    assert!(transcript.contains("> setoption name Ponder value true"));
}

#[test]
fn a_stale_best_move_never_becomes_a_move() {
    let (expected, _) = moves(&[], false, "--seed=4");
    for flags in [&[][..], &["--early"], &["--double"]] {
        let (found, transcript) = moves(flags, true, "--seed=4");
        assert_eq!(found, expected, "{flags:?}");
        assert!(transcript.contains("> go ponder"), "{flags:?}");
        if flags != ["--early"] {
            assert!(transcript.contains("> stop"), "{flags:?}");
        }
    }
}

#[test]
fn an_early_best_move_answers_the_move_that_was_expected() {
    let (expected, _) = moves(&[], false, "--seed=3");
    let (found, _) = moves(&["--early"], true, "--seed=3");
    assert_eq!(found, expected);
}

#[test]
fn stop_ignored_is_a_fault_in_a_game() {
    let rows = rows![
        // Enough for its first move on a busy machine; the rest is waited for.
        clocked("10"), PATIENT, FaultKind::TimeForfeit => "no bestmove within the";
        relaxed(), stop(), FaultKind::NoBestmove => "no bestmove after stop within 0.2 s";
        unclocked(), stop(), FaultKind::NoBestmove => "no bestmove after stop within 0.2 s";
    ];
    for (limits, patience, kind, detail) in rows {
        let white = pondering(config("deaf", limits, &["--ignore-stop", "--seed=3"]));
        let black = config("other", unclocked(), &["--seed=4"]);
        let mut bed = Bed::of(white, black, patience, &Cancel::new());
        let played = bed.play(20);
        let fault = played.record.fault.expect("a fault");
        assert_eq!(fault.kind, kind, "{fault:?}");
        assert!(fault.detail.starts_with(detail), "{}", fault.detail);
        assert_eq!(played.record.result, GameResult::BlackWins);
    }
}

#[test]
fn stop_ignored_after_the_game_costs_the_process_only() {
    // White expects every move, and ponders when Black's last move ends the game.
    let flags = ["--ignore-stop", "--seed=3"];
    let white = pondering(config("deaf", unclocked(), &flags));
    let black = config("other", unclocked(), &["--seed=3"]);
    let mut bed = Bed::of(white, black, stop(), &Cancel::new());
    bed.white.verify(false).expect("it starts");
    let leader = bed.white.process_id().expect("it runs");
    let played = bed.play(5);
    assert_eq!(played.record.termination, Termination::MaxMoves);
    assert_eq!(played.record.incidents.len(), 1);
    assert_eq!(played.record.incidents[0].kind, FaultKind::NoBestmove);
    let expected = "no bestmove after stop within 0.2 s, after the end of the game";
    assert_eq!(played.record.incidents[0].detail, expected);
    assert_gone(leader);
    assert_eq!(bed.play(5).record.fault, None);
}
