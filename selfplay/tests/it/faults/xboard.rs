//! Engines that speak `XBoard`'s protocol: whole games, and faults that only they can make.

use selfplay::model::{
    EngineConfig, FaultKind, GameResult, Limits, Opening, Protocol, Termination,
};
use selfplay::player::{EngineTimeouts, PlayerError};
use uci::Cancel;

use super::bed::{
    Bed, LITTLE, PATIENT, PLENTY, assert_gone, clocked, config, limited, little_output,
    patient_but, readyok, relaxed, silence, unclocked,
};

fn depth() -> Limits {
    limited(|one| one.depth = Some(2))
}

fn xboard(limits: Limits, flags: &[&str]) -> EngineConfig {
    EngineConfig {
        protocol: Protocol::Xboard,
        ..config("unruly", limits, flags)
    }
}

/// An `XBoard` engine with White, and an honest UCI engine that has all the time.
fn bed(limits: &Limits, patience: EngineTimeouts, flags: &[&str]) -> Bed {
    Bed::against_honest(xboard(limits.clone(), flags), patience)
}

#[test]
fn both_protocols_play_the_same_game() {
    let moves = |white: EngineConfig, features| {
        let patience = patient_but(|one| one.features = features);
        let mut bed = Bed::against_honest(white, patience);
        let mut all = Vec::new();
        // The second game needs no new process, except for one that plays once.
        for _ in 0..2 {
            let played = bed.play(30);
            assert_eq!(played.record.fault, None, "{:?}", played.transcript);
            assert_eq!(played.record.incidents, []);
            all.push(
                played
                    .record
                    .moves
                    .into_iter()
                    .map(|one| one.uci)
                    .collect::<Vec<_>>(),
            );
        }
        (all, bed.white.transcript())
    };
    let (expected, _) = moves(config("unruly", depth(), &["--seed=3"]), PLENTY);
    for how in ["sound", "san", "once", "odd", "old", "claim-right"] {
        let flag = format!("--xboard={how}");
        let mut white = xboard(depth(), &[&flag, "--seed=3"]);
        white.ponder = how == "san";
        // An engine without features sends none, however long they are waited for.
        let features = if how == "old" { LITTLE } else { PLENTY };
        let (found, transcript) = moves(white, features);
        assert_eq!(found, expected, "{how}");
        let games = if how == "once" { 1 } else { 2 };
        let found = transcript.matches("> new").count();
        assert_eq!(found, games, "{how}: {transcript}");
        let found = transcript.matches("> result 1/2-1/2 {max-moves}").count();
        assert_eq!(found, games, "{how}");
        assert_eq!(transcript.contains("> hard"), how == "san", "{how}");
        assert!(transcript.contains("> sd 2"), "{how}: {transcript}");
    }
}

#[test]
fn what_it_thinks_is_recorded() {
    for how in ["sound", "odd"] {
        let flag = format!("--xboard={how}");
        let played = bed(&relaxed(), PATIENT, &[&flag, "--score=-35"]).play(2);
        let record = &played.record.moves[0];
        assert_eq!(record.score.as_deref(), Some("cp -35"), "{how}");
        assert_eq!((record.depth, record.nodes), (Some(2), Some(20)), "{how}");
        assert_eq!(record.seldepth, (how == "odd").then_some(7));
    }
}

#[test]
fn chess960_castles_both_ways() {
    let opening = Opening {
        label: "castling".to_owned(),
        fen: "r3k1r1/pppppppp/8/8/8/8/PPPPPPPP/R3K1R1 w GAga - 0 1".to_owned(),
        moves: Vec::new(),
        chess960: true,
    };
    let mut castled = 0;
    for seed in 0..12 {
        let seed = format!("--seed={seed}");
        let mut bed = bed(&depth(), PATIENT, &["--xboard", &seed]);
        let played = bed.play_from(&opening, 12).expect("it can be played");
        assert_eq!(played.record.fault, None, "{:?}", played.transcript);
        let moves = played.record.moves.iter().map(|one| &*one.uci);
        castled += moves
            .filter(|m| matches!(*m, "e1g1" | "e1a1" | "e8g8" | "e8a8"))
            .count();
    }
    assert!(castled > 0);
}

#[test]
fn resigning_is_losing_and_no_fault() {
    for how in ["resign", "lose"] {
        let flag = format!("--xboard={how}");
        let mut bed = bed(&depth(), PATIENT, &[&flag, "--at=3"]);
        let played = bed.play(10);
        assert_eq!(played.record.fault, None);
        assert_eq!(played.record.termination, Termination::Resignation);
        assert_eq!(played.record.result, GameResult::BlackWins);
        assert_eq!(played.record.moves.len(), 4);
        let id = bed.white.process_id();
        assert_eq!(bed.play(10).record.termination, Termination::MaxMoves);
        assert_eq!(bed.white.process_id(), id, "it plays on");
    }
}

#[test]
fn faults_have_the_names_that_uci_has() {
    let features = patient_but(|one| one.uciok = LITTLE);
    let rows = rows![
        &["--xboard", "--crash"][..], PATIENT, FaultKind::Crash => "ended with exit code 3 before move";
        &["--xboard", "--exit-after-move"], PATIENT, FaultKind::Crash => "ended with exit code 0";
        &["--xboard", "--crash-at-start"], PATIENT, FaultKind::Crash =>
            "ended with exit code 3 before feature done=1";
        &["--xboard", "--hang"], silence(), FaultKind::NoBestmove => "no line for 0.2 s";
        &["--xboard", "--flood"], little_output(), FaultKind::Flood => "bytes without a bestmove";
        &["--xboard", "--illegal-move"], PATIENT, FaultKind::IllegalMove => "a1a1, which is not legal";
        &["--xboard", "--empty-move"], PATIENT, FaultKind::Unreadable => "nothing, which is not a move";
        &["--xboard=illegal-san"], PATIENT, FaultKind::IllegalMove => "Nd5, which is not legal";
        &["--xboard=busy"], features, FaultKind::NoUciok => "no feature done=1 within 0.2 s";
        &["--xboard=no-pong"], readyok(), FaultKind::NoReadyok => "no pong within 0.2 s";
        &["--xboard=claim-win"], PATIENT, FaultKind::WrongClaim =>
            "it claimed `1-0 {White mates}`, but the game is not over";
        &["--xboard=claim-draw"], PATIENT, FaultKind::WrongClaim =>
            "it claimed `1/2-1/2 {Draw by repetition}`, but the game is not over";
        &["--xboard=reject"], PATIENT, FaultKind::WrongClaim => "it answered a legal move with `Illegal move: ";
    ];
    for (flags, patience, kind, detail) in rows {
        let flags = [flags, &["--at=1"]].concat();
        let mut bed = bed(&depth(), patience, &flags);
        let played = bed.play(10);
        let fault = played
            .record
            .fault
            .unwrap_or_else(|| panic!("{flags:?}: no fault"));
        let found = (fault.engine.0, fault.kind);
        assert_eq!(found, (0, kind), "{flags:?}: {fault:?}");
        assert!(fault.detail.contains(detail), "{flags:?}: {}", fault.detail);
        assert_eq!(played.record.result, GameResult::BlackWins);
        let transcript = played.transcript.expect("a fault has a transcript");
        // An engine that is gone before we write was sent nothing.
        assert!(
            transcript.contains("> protover 2") || flags.contains(&"--crash-at-start"),
            "{flags:?}: {transcript}"
        );
        assert_eq!(bed.white.process_id(), None, "{flags:?}");
    }
}

#[test]
fn the_clock_is_its_own() {
    let mut bed = bed(&clocked("0.3"), PATIENT, &["--xboard", "--hang", "--at=1"]);
    let fault = bed.play(10).record.fault.expect("it hangs");
    assert_eq!(fault.kind, FaultKind::TimeForfeit);
    let mut bed = self::bed(&clocked("40/90+0.6"), PATIENT, &["--xboard"]);
    bed.play(2);
    let transcript = bed.white.transcript();
    assert!(transcript.contains("> level 40 1:30 0.6"), "{transcript}");
    assert!(transcript.contains("> time 9000"), "{transcript}");
    let leader = bed.white.process_id().expect("it runs");
    bed.white.quit();
    assert_gone(leader);
}

#[test]
fn a_node_limit_needs_nps_or_stop() {
    let mut bed = bed(&unclocked(), PATIENT, &["--xboard"]);
    let error = bed.white.verify(false).expect_err("no nps");
    assert!(matches!(error, PlayerError::Setup(_)), "{error}");
    let expected = "engine 'unruly': the engine has no feature nps, so it has no node limit; expected \
                    send-stop=on or another limit";
    assert_eq!(error.to_string(), expected);

    let mut bed = self::bed(&unclocked(), PATIENT, &["--xboard=nps"]);
    let played = bed.play(2);
    assert_eq!(played.record.fault, None);
    assert!(bed.white.transcript().contains("> nps 1\n"));

    let stopped = Limits {
        send_stop: true,
        ..unclocked()
    };
    let mut bed = self::bed(&stopped, PATIENT, &["--xboard", "--ignore-limits"]);
    let played = bed.play(2);
    assert_eq!(played.record.fault, None, "{:?}", played.transcript);
    assert_eq!(bed.white.transcript().matches("> ?").count(), 2);
}

#[test]
fn options_are_set_and_checked() {
    let mut white = xboard(depth(), &["--xboard=nps"]);
    let options = [
        ("Hash", "64"),
        ("cores", "2"),
        ("style", "solid"),
        ("Margin", "7"),
    ];
    white.options = options
        .map(|(name, value)| (name.to_owned(), value.to_owned()))
        .to_vec();
    let honest = config("honest", depth(), &[]);
    let mut bed = Bed::of(white, honest, PATIENT, &Cancel::new());
    bed.play(2);
    assert_eq!(bed.white.id().name.as_deref(), Some("Faulty XBoard Engine"));
    let transcript = bed.white.transcript();
    for line in [
        "memory 64",
        "cores 2",
        "option Style=Solid",
        "option Margin=7",
    ] {
        assert!(transcript.contains(&format!("> {line}\n")), "{transcript}");
    }
    let mut change = |name: &str, value: &str| {
        let option = (name.to_owned(), value.to_owned());
        let changed = bed.white.reconfigure(&[option]);
        changed.map_err(|error| error.to_string())
    };
    // Names are case-insensitive, so the last one changes the option back.
    assert_eq!(change("margin", "8"), Ok(None));
    assert_eq!(change("Margin", "7"), Ok(None));
    let error = change("Margin", "101").expect_err("out of range");
    let transcript = bed.white.transcript();
    let sent = transcript.matches("> option Margin=").count();
    assert_eq!(sent, 3, "{transcript}");
    assert_eq!(
        error,
        "engine 'unruly': option 'Margin' cannot be \"101\", expected a number from 0 to 100"
    );
}
