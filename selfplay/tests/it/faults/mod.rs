//! Every fault of an engine, played: the game ends in bounded time as the rules of the contest say,
//! is counted under its own name, keeps its transcript, leaves no process, and the next game is
//! played properly.
//!
//! The engine is `examples/scripted_engine`. Deadlines are generous where an answer is due, and short where none
//! ever comes: no test depends on speed.

mod bed;
#[cfg(target_os = "linux")]
mod changed;
mod elsewhere;
mod harmless;
mod pondering;
mod setup;
mod xboard;

use std::time::Duration;

use self::bed::{
    Bed, LITTLE, PATIENT, assert_gone, clocked, config, limited, little_output, patient_but,
    readyok, relaxed, silence, unclocked,
};
use selfplay::game::GameError;
use selfplay::model::{FaultKind, GameResult, Limits, Termination};
use selfplay::player::EngineTimeouts;
use uci::Cancel;

/// Plays a game that White loses by a fault; returns the bed, and the process that misbehaved.
fn lose(
    flags: &[&str],
    limits: &Limits,
    patience: EngineTimeouts,
    kind: FaultKind,
    detail: &str,
) -> (Bed, u32) {
    let mut bed = Bed::new(flags, limits, patience);
    let played = bed.play(10);
    let record = &played.record;
    let fault = record.fault.as_ref();
    let fault = fault.unwrap_or_else(|| panic!("{flags:?}: no fault in {record:#?}"));
    assert_eq!(fault.kind, kind, "{flags:?}: {fault:?}");
    assert_eq!(fault.engine.0, 0, "{flags:?}");
    let said = testkit::programs::portable(fault.detail.clone());
    assert!(said.contains(detail), "{flags:?}: {said}");
    assert_eq!(record.termination, Termination::Fault);
    assert_eq!(record.result, GameResult::BlackWins);
    // An illegal move is not part of the game.
    let is_legal = kind != FaultKind::IllegalMove || record.moves.len() == 4;
    assert!(is_legal, "{record:?}");
    assert_eq!(played.record.incidents, [], "{flags:?}");
    let transcript = played.transcript.expect("a fault has a transcript");
    assert!(
        transcript.len() < 3 << 20,
        "{flags:?}: {}",
        transcript.len()
    );
    for word in ["== unruly\n", "== honest\n", "> uci\n"] {
        assert!(transcript.contains(word), "{flags:?}: {transcript}");
    }
    let culprit = bed.culprit().expect("it has misbehaved");
    assert_gone(culprit);
    assert_eq!(bed.white.process_id(), None, "{flags:?}");
    bed.white.set_patience(PATIENT);
    (bed, culprit)
}

/// Plays a game that White loses by a fault, then one that goes its way.
fn check(flags: &[&str], limits: &Limits, patience: EngineTimeouts, kind: FaultKind, detail: &str) {
    let (mut bed, culprit) = lose(flags, limits, patience, kind, detail);
    let honest = bed.black.process_id();
    let next = bed.play(10);
    assert_eq!(next.record.fault, None, "{flags:?}: {:?}", next.transcript);
    assert_eq!(next.record.termination, Termination::MaxMoves);
    assert_eq!(next.record.moves.len(), 20);
    assert_ne!(bed.white.process_id(), Some(culprit), "{flags:?}");
    if honest.is_some() {
        assert_eq!(bed.black.process_id(), honest, "{flags:?}");
    }
}

fn check_unclocked(flag: &str, kind: FaultKind, detail: &str) {
    check(&[flag, "--at=3"], &unclocked(), PATIENT, kind, detail);
}

#[test]
fn ends_of_the_process_are_crashes() {
    let rows = rows![
        "--crash-at-start" => "ended with exit code 3 before uciok";
        "--crash" => "ended with exit code 3 before bestmove";
        "--crash=abort" => "was killed by signal 6 (SIGABRT) before bestmove";
        // It loses at its next turn.
        "--exit-after-move" => "ended with exit code 0";
    ];
    for (flag, detail) in rows {
        check_unclocked(flag, FaultKind::Crash, detail);
    }
}

#[test]
fn pipes_that_are_closed_are_disconnections() {
    let rows = rows![
        "--close-stdin" => "has closed its standard input";
        "--close-stdout" => "closed its standard output before bestmove, but lives on";
    ];
    for (flag, detail) in rows {
        check_unclocked(flag, FaultKind::Disconnect, detail);
    }
}

#[test]
fn answers_that_are_no_moves() {
    let rows = rows![
        "--illegal-move", FaultKind::IllegalMove => "a1a1, which is not legal";
        "--null-move", FaultKind::NoMove => "0000, the null move";
        "--no-move", FaultKind::NoMove => "(none), though there are legal moves";
        "--empty-move", FaultKind::Unreadable => "nothing, which is not a move";
        "--garbage-move", FaultKind::Unreadable => "which is not a move";
    ];
    for (flag, kind, detail) in rows {
        check_unclocked(flag, kind, detail);
    }
}

#[test]
fn a_process_outside_the_group_is_killed_too() {
    let flags = ["--leave-group", "--at=1"];
    let mut bed = Bed::new(&flags, &unclocked(), silence());
    let fault = bed.play(10).record.fault.expect("it hangs");
    assert_eq!(fault.kind, FaultKind::NoBestmove);
    assert!(fault.detail.contains("no line for 0.2 s"), "{fault:?}");
    let culprit = bed.culprit().expect("it has misbehaved");
    assert!(!testkit::processes::exists(culprit), "{culprit} lives on");
    bed.white.set_patience(PATIENT);
    assert_eq!(bed.play(10).record.fault, None);
}

#[test]
fn two_that_are_not_ready_are_both_heard() {
    let [white, black] = ["one", "two"].map(|name| config(name, unclocked(), &["--no-readyok"]));
    let mut bed = Bed::of(white, black, readyok(), &Cancel::new());
    let played = bed.play(10);
    let fault = played.record.fault.expect("nobody is ready");
    assert_eq!((fault.engine.0, fault.kind), (0, FaultKind::NoReadyok));
    let incidents: Vec<_> = played
        .record
        .incidents
        .iter()
        .map(|one| one.engine.0)
        .collect();
    assert_eq!(incidents, [1]);
    let transcript = played.transcript.expect("a fault has a transcript");
    assert!(!transcript.contains("not running"), "{transcript}");
    assert_eq!(transcript.matches("> isready").count(), 2, "{transcript}");
    assert_eq!(bed.black.process_id(), None);
}

#[test]
fn silence_before_the_game() {
    let slow_uciok = patient_but(|one| one.uciok = LITTLE);
    let rows = rows![
        "--no-uciok", slow_uciok, FaultKind::NoUciok => "no uciok within 0.2 s";
        "--deaf", slow_uciok, FaultKind::NoUciok => "no uciok within 0.2 s";
        "--no-readyok", readyok(), FaultKind::NoReadyok => "no readyok within 0.2 s";
    ];
    for (flag, patience, kind, detail) in rows {
        check(&[flag], &unclocked(), patience, kind, detail);
    }
}

#[test]
fn a_ready_engine_is_not_blamed_for_the_other() {
    // The honest engine's time is over when the wait for the other ends: it has answered long before.
    let patience = patient_but(|one| one.new_game = Duration::from_secs(10));
    let mut bed = Bed::new(&["--no-readyok"], &unclocked(), patience);
    bed.black.set_patience(patience);
    // Both run, so that both are asked at the same time.
    bed.white.verify(false).expect("it starts");
    bed.black.verify(false).expect("it starts");
    let honest = bed.black.process_id();
    let played = bed.play(5);
    let fault = played.record.fault.expect("a fault");
    assert_eq!((fault.engine.0, fault.kind), (0, FaultKind::NoReadyok));
    assert_eq!(played.record.incidents, []);
    assert_eq!(bed.black.process_id(), honest);
}

#[test]
fn no_move_where_no_clock_runs() {
    let detail = "no bestmove, and no line for 0.2 s";
    let depth = limited(|one| one.depth = Some(3));
    for limits in [unclocked(), depth] {
        for flag in ["--hang", "--no-newline"] {
            let flags = [flag, "--at=1"];
            check(&flags, &limits, silence(), FaultKind::NoBestmove, detail);
        }
    }
}

#[test]
fn a_search_without_end_that_goes_on_printing() {
    // Far more may be printed than is in the time.
    let patience = patient_but(|one| (one.search, one.output) = (LITTLE, u64::MAX));
    let flags = ["--flood", "--at=1"];
    let detail = "no bestmove within 0.2 s";
    check(
        &flags,
        &unclocked(),
        patience,
        FaultKind::NoBestmove,
        detail,
    );
}

#[test]
fn floods_are_called_so_with_a_clock_or_without() {
    let patience = little_output();
    for (flag, limits) in [
        ("--flood", relaxed()),
        ("--endless-line", unclocked()),
        ("--long-line=9000000", relaxed()),
    ] {
        let (flags, kind) = ([flag, "--at=2"], FaultKind::Flood);
        check(&flags, &limits, patience, kind, "bytes without a bestmove");
    }
}

#[test]
fn overrun_clocks() {
    let fixed = Limits {
        movetime_ms: Some(200),
        margin_ms: 100,
        ..Limits::default()
    };
    for flag in ["--hang", "--late=1500", "--no-newline"] {
        for (limits, detail) in [
            (clocked("0.3+1"), "no bestmove within the"),
            (fixed.clone(), "no bestmove within the 300 ms it had"),
        ] {
            // There is no next game: with so little time, an honest engine may lose it too.
            let flags = [flag, "--at=1"];
            let kind = FaultKind::TimeForfeit;
            let (mut bed, _) = lose(&flags, &limits, PATIENT, kind, detail);
            bed.white.verify(false).expect("it starts again");
        }
    }
}

#[test]
fn children_left_behind_die_with_the_engine() {
    let flags = ["--leave-child", "--at=2"];
    let mut bed = Bed::new(&flags, &unclocked(), PATIENT);
    let played = bed.play(5);
    assert_eq!(played.record.fault, None);
    let leader = bed.culprit().expect("it has left a child");
    let child = bed.child().expect("it has left a child");
    assert!([leader, child].into_iter().all(testkit::processes::exists));
    bed.white.quit();
    testkit::processes::assert_gone(child);
    assert_gone(leader);
}

#[test]
fn a_program_that_cannot_be_started_loses() {
    let mut missing = config("missing", unclocked(), &[]);
    missing.command.program = "/nonexistent/engine".into();
    let honest = config("honest", unclocked(), &[]);
    let mut bed = Bed::of(missing.clone(), honest, PATIENT, &Cancel::new());
    let played = bed.play(5);
    let fault = played.record.fault.expect("a fault");
    assert_eq!(fault.kind, FaultKind::CannotStart);
    let detail = "cannot start /nonexistent/engine: ";
    assert!(fault.detail.starts_with(detail), "{fault:?}");
    if cfg!(unix) {
        let detail = "No such file or directory (os error 2)";
        assert!(fault.detail.ends_with(detail), "{fault:?}");
    }
    assert_eq!(played.record.result, GameResult::BlackWins);
    // The other has been made ready all the same.
    assert!(bed.black.process_id().is_some());

    let mut both = Bed::of(missing.clone(), missing, PATIENT, &Cancel::new());
    let played = both.play(5);
    assert_eq!(played.record.result, GameResult::BlackWins);
    assert_eq!(played.record.incidents.len(), 1);
    assert_eq!(played.record.incidents[0].engine.0, 1);
}

/// Noted once a game, and only if the engine is to keep the limit by itself.
#[test]
fn a_search_far_beyond_its_limit_is_noted() {
    for send_stop in [false, true] {
        let limits = Limits {
            nodes: Some(100),
            send_stop,
            ..Limits::default()
        };
        let mut bed = Bed::new(&["--first-move", "--breach=wasteful"], &limits, PATIENT);
        let noted: Vec<String> = bed
            .play(3)
            .record
            .incidents
            .into_iter()
            .map(|one| format!("{} {}: {}", one.engine.0, one.kind.as_str(), one.detail))
            .collect();
        let expected = "0 ignored-limit: it searched 40000 nodes, to depth 9, at nodes 100, before its move b1a3";
        let expected: &[&str] = if send_stop { &[] } else { &[expected] };
        assert_eq!(noted, expected);
    }
}

#[test]
fn quit_ignored_ends_by_force() {
    let unruly = config("unruly", unclocked(), &["--ignore-quit"]);
    let honest = config("honest", unclocked(), &[]);
    let mut bed = Bed::of(unruly, honest, PATIENT, &Cancel::new());
    bed.play(5);
    let leader = bed.white.process_id().expect("it runs");
    bed.white.quit();
    assert_gone(leader);
}

#[test]
fn games_are_cancelled_at_once_and_leave_nothing() {
    for flag in ["--hang", "--flood", "--endless-line", "--no-readyok"] {
        let cancel = Cancel::new();
        let patience = patient_but(|one| one.output = u64::MAX);
        let unruly = config("unruly", unclocked(), &[flag]);
        let honest = config("honest", unclocked(), &[]);
        let mut bed = Bed::of(unruly, honest, patience, &cancel);
        if flag != "--no-readyok" {
            bed.white.verify(false).expect("a handshake");
        }
        let leader = bed.white.process_id();
        let played = std::thread::scope(|scope| {
            scope.spawn(|| {
                std::thread::sleep(Duration::from_millis(300));
                cancel.set();
            });
            bed.try_play(5)
        });
        assert!(
            matches!(played, Err(GameError::Cancelled)),
            "{flag}: {played:?}"
        );
        assert_eq!(bed.white.process_id(), None);
        assert_eq!(bed.black.process_id(), None);
        if let Some(leader) = leader {
            assert_gone(leader);
        }
    }
}
