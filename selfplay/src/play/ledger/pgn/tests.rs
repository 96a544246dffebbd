//! A whole game as text, and records that are not games.

use super::*;
use crate::model::{EngineId, FaultKind, Termination};
use crate::play::ledger::samples::{config, fault, record};

/// A move with all that can be recorded, but for a comment.
fn searched() -> MoveRecord {
    MoveRecord {
        uci: "g1f3".to_owned(),
        score: Some("cp 31".to_owned()),
        depth: Some(12),
        seldepth: Some(20),
        nodes: Some(12_345),
        elapsed_us: 451_999,
        clock_ms: Some(9_870),
        nps: Some(27_373),
        hashfull: Some(12),
        tbhits: Some(0),
        latency_us: Some(-1_250),
        pv: Some("g1f3 b8c6".to_owned()),
        comment: None,
    }
}

#[test]
fn a_game_has_all_tags() {
    let config = config();
    let mut record = record(0, 4);
    record.opening.moves = vec!["e2e4".to_owned(), "e7e5".to_owned()];
    record.moves[0] = searched();
    record.moves[0].comment = Some("a {\"b\"}".to_owned());

    record.ids = [("A 1.0", Some("Ada")), ("B \"2\"", None)].map(|(name, author)| EngineId {
        name: Some(name.to_owned()),
        author: author.map(str::to_owned),
    });
    record.moves[1].uci = "b8c6".to_owned();
    record.moves[1].score = Some("mate -3".to_owned());
    record.moves[2].uci = "f1b5".to_owned();
    record.moves[3].uci = "a7a6".to_owned();
    record.moves[3].score = Some("cp -7".to_owned());
    record.termination = Termination::Fault;
    record.result = GameResult::WhiteWins;
    record.fault = Some(fault(record.plan.black, FaultKind::Crash, "it\nended"));
    insta::assert_snapshot!(game(&config, &record).expect("a game"));
}

#[test]
fn comments_have_what_the_form_asks_for() {
    let mut config = config();
    let mut record = record(0, 1);
    record.moves[0] = searched();
    let rows = rows![
        "" => "1. Nf3 {[%clk 0:00:09.870] +0.31/12 0.451s 12345n 20sd} 1/2-1/2";
        "timeleft=off nodes=off seldepth=off notation=lan" => "1. Ng1-f3 {+0.31/12 0.451s} 1/2-1/2";
        "timeleft=off seldepth=off nodes=off nps=on hashfull=on tbhits=on" =>
            "1. Nf3 {+0.31/12 0.451s nps=27373 hashfull=12 tbhits=0} 1/2-1/2";
        "timeleft=off seldepth=off nodes=off latency=on pv=on notation=uci" =>
            "1. g1f3 {+0.31/12 0.451s latency=-0.001s pv=\"g1f3 b8c6\"} 1/2-1/2";
        "min=on pv=on" => "1. Nf3 1/2-1/2";
    ];
    for (words, expected) in rows {
        let text: crate::config::PgnText = words.parse().expect("a form");
        config.output.pgn = text.form;
        let text = game(&config, &record).expect("a game");
        let moves = text.split("\n\n").nth(1).expect("movetext");
        assert_eq!(moves.replace('\n', " "), expected);
        let tags = text.lines().filter(|line| line.starts_with('[')).count();
        assert_eq!(tags == 7, config.output.pgn.min, "{text}");
    }
}

#[test]
fn time_controls_are_those_of_the_standard() {
    let of = |clock: &str, nodes, movetime_ms| Limits {
        clock: clock.parse().ok(),
        nodes,
        movetime_ms,
        ..Limits::default()
    };
    let rows = rows![
        of("300", None, None) => ("300", "300");
        of("40/9000", None, None) => ("40/9000", "40/9000");
        of("300+2", None, None) => ("300+2", "300+2");
        of("10+0.1", None, None) => ("10+0.1", "10+0.1");
        of("40/7200:20/3600:900+30", None, None) => ("40/7200:20/3600:900+30", "40/7200:20/3600:900+30");
        of("0.5+0.01", None, None) => ("?", "0.5+0.01");
        of("10+0.1", Some(5000), None) => ("10+0.1", "10+0.1 nodes 5000");
        of("", None, Some(1500)) => ("-", "movetime 1500");
        of("", Some(5000), None) => ("-", "nodes 5000");
        of("", None, None) => ("-", "-");
    ];
    for (of_side, expected) in rows {
        assert_eq!((&*time_control(&of_side), &*limits(&of_side)), expected);
    }
    // `Limits` is there only if it says more.
    let (mut config, record) = (config(), record(0, 1));
    config.engines[1].limits = config.engines[0].limits.clone();
    let text = game(&config, &record).expect("a game");
    assert!(text.contains("[TimeControl \"10+0.1\"]"), "{text}");
    assert!(!text.contains("Limits"), "{text}");
}

#[test]
fn terminations_are_the_words_of_the_standard() {
    let mut record = record(0, 4);
    let mut word = |ending: Termination, kind: Option<FaultKind>| {
        record.termination = ending;
        record.fault = kind.map(|kind| fault(record.plan.black, kind, ""));
        termination(&record)
    };
    assert_eq!(word(Termination::Threefold, None), "normal");
    assert_eq!(word(Termination::MaxMoves, None), "adjudication");
    let rows = [
        (FaultKind::TimeForfeit, "time forfeit"),
        (FaultKind::IllegalMove, "rules infraction"),
        (FaultKind::Crash, "abandoned"),
    ];
    for (kind, expected) in rows {
        assert_eq!(word(Termination::Fault, Some(kind)), expected);
    }
}

#[test]
fn impossible_games_are_rejected() {
    let config = config();
    let mut bad = record(0, 4);
    bad.moves[1].uci = "e2e4".to_owned();
    let error = game(&config, &bad).expect_err("not legal").to_string();
    assert_eq!(error, "ply 2 is 'e2e4', which is not legal there");
    bad.opening.fen = "x".to_owned();
    let error = game(&config, &bad).expect_err("no position").to_string();
    assert!(error.starts_with("the first position: "), "{error}");
}

#[test]
fn scores_and_clocks() {
    let rows = [
        ("cp 0", "+0.00"),
        ("cp -5", "-0.05"),
        ("cp 1234", "+12.34"),
        ("mate 5", "#5"),
    ];
    for (text, expected) in rows {
        assert_eq!(score(text), expected);
    }
    assert_eq!(clock(3_661_007), "[%clk 1:01:01.007]");
    assert_eq!(clock(-5), "[%clk 0:00:00.000]");
}

#[test]
fn dates_that_are_known() {
    let rows = [
        (0, "1970.01.01", "00:00:00"),
        (951_782_399_999, "2000.02.28", "23:59:59"),
        (951_782_400_000, "2000.02.29", "00:00:00"),
        (951_868_800_000, "2000.03.01", "00:00:00"),
        (1_234_567_890_123, "2009.02.13", "23:31:30"),
        (4_107_542_400_000, "2100.03.01", "00:00:00"),
        (253_402_300_799_000, "9999.12.31", "23:59:59"),
    ];
    for (milliseconds, date, time) in rows {
        let found = UtcTime::of_milliseconds(milliseconds);
        assert_eq!((&*found.date(), &*found.time()), (date, time));
    }
}
