//! Judging searches from engine output.

use std::time::Duration;

use chess::rules::CastlingMode;
use uci::grammar::Message;

use super::*;
use crate::Record;
use crate::goal::Goal;

/// A back-rank mate in one by Ra8, or a mate in two by way of Kd2.
const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - -";

/// A search from output lines, one per millisecond.
fn search(lines: &[&str]) -> Search {
    let mut recorder = Recorder::default();
    for (line, ms) in lines.iter().zip(1..) {
        let at = Duration::from_millis(ms);
        match Message::parse(line) {
            Message::Info(info) => recorder.info(at, &info),
            Message::BestMove(best_move) => return recorder.finish(at, best_move.reply),
            other => panic!("not of a search: {other}"),
        }
    }
    panic!("no best move")
}

fn assess_lines(record: &str, lines: &[&str]) -> Result<Answer, String> {
    let record: Record = record.parse().expect("a record");
    let goal = Goal::read(&record).expect("readable").expect("a goal");
    let position = record.position();
    assess(&search(lines), &goal, position, CastlingMode::Standard)
        .map_err(|error| error.to_string())
}

/// Depth, nodes and milliseconds to the solution.
fn solution(operations: &str, lines: &[&str]) -> Option<(Option<u32>, Option<u64>, u128)> {
    let answer = assess_lines(&format!("{BACK_RANK} {operations}"), lines).expect("legal");
    assert_eq!(answer.solved, answer.solution.is_some());
    let moment = answer.solution?;
    Some((moment.depth, moment.nodes, moment.time.as_millis()))
}

const RIGHT: &str = "info depth 1 nodes 10 pv a1a8";
const WRONG: &str = "info depth 2 nodes 20 pv e1d2 g7g6";
const RIGHT_AGAIN: &str = "info depth 3 nodes 30 pv a1a8";
const DEEPER: &str = "info depth 4 nodes 40 pv a1a8";

#[test]
fn a_solution_counts_from_when_it_stays() {
    let rows: [(&[&str], _); 7] = [
        (&[RIGHT, "bestmove a1a8"], Some((Some(1), Some(10), 1))),
        (
            &[RIGHT, WRONG, RIGHT_AGAIN, DEEPER, "bestmove a1a8"],
            Some((Some(3), Some(30), 3)),
        ),
        (&[RIGHT, RIGHT_AGAIN, WRONG, "bestmove e1d2"], None),
        // The last PV is wrong, or there is none: the solution comes with the best move.
        (
            &[RIGHT, WRONG, "bestmove a1a8"],
            Some((Some(2), Some(20), 3)),
        ),
        (&["bestmove a1a8"], Some((None, None, 1))),
        // The PV is right, the best move is not.
        (&[RIGHT, "bestmove e1d2"], None),
        // Only the best MultiPV line counts; values reported on lines without a PV are kept.
        (
            &[
                "info depth 5 nodes 7",
                "info multipv 1 pv a1a8",
                "info multipv 2 pv e1d2 nodes 9",
                "bestmove a1a8",
            ],
            Some((Some(5), Some(7), 2)),
        ),
    ];
    for (lines, expected) in rows {
        assert_eq!(solution("bm Ra8#;", lines), expected, "{lines:?}");
    }
}

#[test]
fn moves_to_avoid_and_points() {
    let lines = [RIGHT, WRONG, "bestmove e1d2"];
    assert_eq!(
        solution("am Ra8#;", &lines),
        Some((Some(2), Some(20), 2)),
        "the move to avoid came up first"
    );
    assert_eq!(solution("am Kd2;", &lines), None);
    assert_eq!(
        solution("bm Kd2; am Ra8#;", &lines),
        Some((Some(2), Some(20), 2))
    );
    let record = format!("{BACK_RANK} c0 \"Ra8#=10, Kd2=4\";");
    let answer = assess_lines(&record, &lines).expect("legal");
    assert_eq!((answer.points, answer.solved), (Some(4), false));
}

/// The verdict on a mate that a record asks for and a one-PV search announces.
fn mate(record: &str, score: &str, pv: &str, best: &str) -> Result<u32, String> {
    let lines = [
        format!("info depth 3 score {score} pv {pv}"),
        format!("bestmove {best}"),
    ];
    let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
    let answer = assess_lines(record, &lines).expect("legal");
    let mate = answer.mate.expect("a mate is wanted");
    assert_eq!(answer.solved, mate.is_ok());
    mate.map_err(|fault| fault.to_string())
}

/// `bm #-N`, as the matedtrack suite has it.
#[test]
fn being_mated_is_played_out_too() {
    // Black has one legal move, and any check on the back rank mates.
    let record = "7k/8/6K1/8/8/8/8/R7 b - - bm #-1;";
    let none = "no mate announced";
    let rows = [
        ("mate -1", "h8g8 a1a8", Ok(1)),
        ("mate -1 upperbound", "h8g8 a1a8", Ok(1)),
        ("mate -1 lowerbound", "h8g8 a1a8", Err(none)),
        ("mate 1", "h8g8 a1a8", Err(none)),
        ("mate 0", "h8g8 a1a8", Err(none)),
        ("cp -3000", "h8g8 a1a8", Err(none)),
        (
            "mate -2",
            "h8g8 a1b1 g8h8 b1b8",
            Err("mated in 2 announced, mated in 1 wanted"),
        ),
        (
            "mate -1",
            "h8g8 a1b1",
            Err("mated in 1 announced, but after the 2 plies of the PV there is none"),
        ),
        (
            "mate -1",
            "h8g8 a1b1 g8h8 b1b8",
            Err("mated in 1 announced, but the PV mates in 2"),
        ),
    ];
    for (score, pv, expected) in rows {
        let expected = expected.map_err(str::to_owned);
        assert_eq!(mate(record, score, pv, "h8g8"), expected, "{score} {pv}");
    }
}

#[test]
fn mates_are_played_out() {
    let record = format!("{BACK_RANK} dm 2;");
    let mate = |score: &str, pv: &str, best: &str| mate(&record, score, pv, best);
    let rows = [
        ("mate 1", "a1a8", "a1a8", Ok(1)),
        ("mate 2", "a1a8", "a1a8", Ok(2)),
        (
            "mate 2",
            "e1d2 h7h6 a1a8",
            "e1d2",
            Err("mate in 2 announced, but after the 3 plies of the PV there is none"),
        ),
        (
            "mate 2",
            "e1d2 f7f6 a1a8",
            "e1d2",
            Err("mate in 2 announced, but after the 3 plies of the PV there is none"),
        ),
        ("mate 2", "e1d2 g8h8 a1a8", "e1d2", Ok(2)),
        (
            "mate 1",
            "e1d2 g8h8 a1a8",
            "e1d2",
            Err("mate in 1 announced, but the PV mates in 2"),
        ),
        ("mate 2 lowerbound", "e1d2 g8h8 a1a8", "e1d2", Ok(2)),
        (
            "mate 2 upperbound",
            "e1d2 g8h8 a1a8",
            "e1d2",
            Err("no mate announced"),
        ),
        (
            "mate 3",
            "a1a8",
            "a1a8",
            Err("mate in 3 announced, mate in 2 wanted"),
        ),
        ("mate -2", "a1a8", "a1a8", Err("no mate announced")),
        ("cp 3000", "a1a8", "a1a8", Err("no mate announced")),
        ("mate 1", "a1a8", "e1d2", Err("no mate announced")),
        (
            "mate 2",
            "e1d2 g8g7 a1a8",
            "e1d2",
            Err(
                "mate in 2 announced, but illegal PV: move 2, g8g7, is not legal in 6k1/5ppp/8/8/8/8/3K4/R7 b - - 1 1",
            ),
        ),
    ];
    for (score, pv, best, expected) in rows {
        let expected = expected.map_err(str::to_owned);
        assert_eq!(mate(score, pv, best), expected, "{score} {pv}");
    }
}

#[test]
fn all_that_is_asked_for_must_be_there() {
    let mate_in_one = ["info depth 2 nodes 9 score mate 1 pv a1a8", "bestmove a1a8"];
    let solved = Some((Some(2), Some(9), 1));
    assert_eq!(solution("bm Ra8#; dm 1;", &mate_in_one), solved);
    assert_eq!(solution("bm Ra8# #2; am Kd2;", &mate_in_one), solved);
    assert_eq!(solution("bm Kd2; dm 2;", &mate_in_one), None);
    assert_eq!(solution("am Ra8#; dm 2;", &mate_in_one), None);
    let no_score = ["info depth 2 nodes 9 pv a1a8", "bestmove a1a8"];
    assert_eq!(solution("bm Ra8#; dm 1;", &no_score), None);
    // The right move came up at once, the mate a depth later.
    let later = [
        "info depth 1 nodes 4 score cp 500 pv a1a8",
        "info depth 2 nodes 9 score mate 1 pv a1a8",
        "bestmove a1a8",
    ];
    assert_eq!(
        solution("bm Ra8#; dm 1;", &later),
        Some((Some(2), Some(9), 2))
    );
}

#[test]
fn a_mate_once_proved_counts_though_the_pv_is_cut_later() {
    let lines = [
        "info depth 3 nodes 5 score mate 2 pv e1d2 g8h8 a1a8",
        "info depth 9 nodes 9 score mate 2 pv e1d2",
        "bestmove e1d2",
    ];
    // It is not stable, so it counts from the end.
    assert_eq!(solution("dm 2;", &lines), Some((Some(9), Some(9), 3)));
}

#[test]
fn replies_that_are_no_legal_move() {
    let rows = [
        ("bestmove a1a9", "a1a9"),
        ("bestmove a1b2", "a1b2"),
        ("bestmove (none)", "(none)"),
        ("bestmove 0000", "0000"),
        ("bestmove e1e1", "e1e1"),
    ];
    for (line, reply) in rows {
        let found = assess_lines(&format!("{BACK_RANK} bm Ra8#;"), &[line]).unwrap_err();
        let expected =
            format!("bestmove {reply} is not a legal move in 6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1");
        assert_eq!(found, expected);
    }
}

#[test]
fn variations_are_legal_or_the_first_illegal_move_is_named() {
    let lines = [
        "info depth 1 score cp 5 pv e1d2 e8e7",
        "info depth 2 score cp 30 pv a1a8 g8h8",
        "bestmove e1d2",
    ];
    let answer = assess_lines(&format!("{BACK_RANK} bm Ra8#;"), &lines).expect("legal");
    assert_eq!(answer.pv.len(), 1);
    assert_eq!(
        answer.score.map(|score| score.to_string()),
        Some("cp 5".to_owned())
    );
    let fault = answer.illegal_pv.expect("e8e7 is not legal");
    assert_eq!(
        fault.to_string(),
        "illegal PV: move 2, e8e7, is not legal in 6k1/5ppp/8/8/8/8/3K4/R7 b - - 1 1"
    );
}
