//! Searches as engines print them, and what they come to.

use uci::grammar::{Info, Message};

use super::*;
use crate::rows::rows;
use crate::text::Record;

/// A back-rank mate in one by Ra8, or a mate in two by way of Kd2.
const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/8/R3K3 w - -";

/// A record, and what it asks for.
fn asked(record: &str) -> (Record, Goal) {
    let record: Record = record.parse().expect("a record");
    let goal = Goal::read(&record).expect("readable").expect("a goal");
    (record, goal)
}

/// A search from output lines, one per millisecond.
fn search(lines: &[&str]) -> Search {
    let mut recorder = OutputRecorder::default();
    for (line, ms) in lines.iter().zip(1..) {
        let at = Duration::from_millis(ms);
        match Message::parse(line) {
            Message::Info(info) => drop(recorder.info(at, &info).cloned()),
            Message::BestMove(best_move) => return recorder.finish(at, best_move.reply),
            other => panic!("not of a search: {other}"),
        }
    }
    panic!("no best move")
}

fn info(line: &str) -> Info {
    match Message::parse(&format!("info {line}")) {
        Message::Info(info) => *info,
        other => panic!("{line}: {other:?}"),
    }
}

fn assess_lines(record: &str, lines: &[&str]) -> Result<SearchAnswer, String> {
    let (record, goal) = asked(record);
    let position = record.position();
    assess(&search(lines), &goal, position, CastlingMode::Standard)
        .map_err(|error| error.to_string())
}

/// Depth, nodes and milliseconds to the solution.
fn solution(operations: &str, lines: &[&str]) -> String {
    let answer = assess_lines(&format!("{BACK_RANK} {operations}"), lines).expect("legal");
    assert_eq!(answer.solved, answer.solution.is_some());
    let Some(moment) = answer.solution else {
        return "none".to_owned();
    };
    let (depth, nodes) = (moment.depth.unwrap_or(0), moment.nodes.unwrap_or(0));
    format!("{depth} {nodes} {}", moment.time.as_millis())
}

const RIGHT: &str = "info depth 1 nodes 10 pv a1a8";
const WRONG: &str = "info depth 2 nodes 20 pv e1d2 g7g6";
const RIGHT_AGAIN: &str = "info depth 3 nodes 30 pv a1a8";
const DEEPER: &str = "info depth 4 nodes 40 pv a1a8";

#[test]
fn a_solution_counts_from_when_it_stays() {
    let multipv = [
        "info depth 5 nodes 7",
        "info multipv 1 pv a1a8",
        "info multipv 2 pv e1d2 nodes 9",
        "bestmove a1a8",
    ];
    let (best, other) = ("bestmove a1a8", "bestmove e1d2");
    let rows: [(&[&str], _); 7] = [
        (&[RIGHT, best], "1 10 1"),
        (&[RIGHT, WRONG, RIGHT_AGAIN, DEEPER, best], "3 30 3"),
        (&[RIGHT, RIGHT_AGAIN, WRONG, other], "none"),
        // The last PV is wrong, or there is none: the solution comes with the best move.
        (&[RIGHT, WRONG, best], "2 20 3"),
        (&[best], "0 0 1"),
        // The PV is right, the best move is not.
        (&[RIGHT, other], "none"),
        // Only the best MultiPV line counts; values reported on lines without a PV are kept.
        (&multipv, "5 7 2"),
    ];
    for (lines, expected) in rows {
        assert_eq!(solution("bm Ra8#;", lines), expected, "{lines:?}");
    }
}

#[test]
fn moves_to_avoid_and_points() {
    let lines = [RIGHT, WRONG, "bestmove e1d2"];
    // The move to avoid came up first.
    assert_eq!(solution("am Ra8#;", &lines), "2 20 2");
    assert_eq!(solution("am Kd2;", &lines), "none");
    assert_eq!(solution("bm Kd2; am Ra8#;", &lines), "2 20 2");
    let record = format!("{BACK_RANK} c0 \"Ra8#=10, Kd2=4\";");
    let answer = assess_lines(&record, &lines).expect("legal");
    assert_eq!((answer.points, answer.solved), (Some(4), false));
}

/// Compares verdicts on a mate that a record asks for: score, PV and best move of a search, and the
/// moves to mate, or why it does not count.
fn check_mates(record: &str, table: &str) {
    for [score, pv, best, expected] in rows(table) {
        let info = format!("info depth 3 score {score} pv {pv}");
        let answer = assess_lines(record, &[&info, &format!("bestmove {best}")]);
        let answer = answer.expect("legal");
        let mate = answer.mate.expect("a mate is wanted");
        assert_eq!(answer.solved, mate.is_ok());
        let found = mate.map_or_else(|fault| fault.to_string(), |moves| moves.to_string());
        assert_eq!(found, expected, "{info}");
    }
}

/// `bm #-N`, as the matedtrack suite has it: Black has one legal move, and any check on the back
/// rank mates.
#[test]
fn being_mated_is_played_out_too() {
    let mates = "
mate -1 | h8g8 a1a8 | h8g8 | 1
mate -1 upperbound | h8g8 a1a8 | h8g8 | 1
mate -1 lowerbound | h8g8 a1a8 | h8g8 | no mate announced
mate 1 | h8g8 a1a8 | h8g8 | no mate announced
mate 0 | h8g8 a1a8 | h8g8 | no mate announced
cp -3000 | h8g8 a1a8 | h8g8 | no mate announced
mate -2 | h8g8 a1b1 g8h8 b1b8 | h8g8 | mated in 2 announced, mated in 1 wanted
mate -1 | h8g8 a1b1 | h8g8 | mated in 1 announced, but after the 2 plies of the PV there is none
mate -1 | h8g8 a1b1 g8h8 b1b8 | h8g8 | mated in 1 announced, but the PV mates in 2
";
    check_mates("7k/8/6K1/8/8/8/8/R7 b - - bm #-1;", mates);
}

#[test]
fn mates_are_played_out() {
    let mates = "
mate 1 | a1a8 | a1a8 | 1
mate 2 | a1a8 | a1a8 | 2
mate 2 | e1d2 h7h6 a1a8 | e1d2 | mate in 2 announced, but after the 3 plies of the PV there is none
mate 2 | e1d2 f7f6 a1a8 | e1d2 | mate in 2 announced, but after the 3 plies of the PV there is none
mate 2 | e1d2 g8h8 a1a8 | e1d2 | 2
mate 1 | e1d2 g8h8 a1a8 | e1d2 | mate in 1 announced, but the PV mates in 2
mate 2 lowerbound | e1d2 g8h8 a1a8 | e1d2 | 2
mate 2 upperbound | e1d2 g8h8 a1a8 | e1d2 | no mate announced
mate 3 | a1a8 | a1a8 | 1
mate -2 | a1a8 | a1a8 | 1
cp 10000003 | a1a8 | a1a8 | 1
mate 3 | e1d2 g8h8 a1a8 | e1d2 | mate in 3 announced, mate in 2 wanted
mate -2 | e1d2 g8h8 a1a8 | e1d2 | no mate announced
cp 3000 | e1d2 g8h8 a1a8 | e1d2 | no mate announced
mate 1 | a1a8 | e1d2 | no mate announced
mate 2 | e1d2 g8g7 a1a8 | e1d2 | mate in 2 announced, but illegal PV: move 2, g8g7, is not legal in 6k1/5ppp/8/8/8/8/3K4/R7 b - - 1 1
";
    check_mates(&format!("{BACK_RANK} dm 2;"), mates);
}

#[test]
fn all_that_is_asked_for_must_be_there() {
    let mate_in_one = ["info depth 2 nodes 9 score mate 1 pv a1a8", "bestmove a1a8"];
    assert_eq!(solution("bm Ra8#; dm 1;", &mate_in_one), "2 9 1");
    assert_eq!(solution("bm Ra8# #2; am Kd2;", &mate_in_one), "2 9 1");
    assert_eq!(solution("bm Kd2; dm 2;", &mate_in_one), "none");
    assert_eq!(solution("am Ra8#; dm 2;", &mate_in_one), "none");
    // A move that mates needs no score.
    let no_score = ["info depth 2 nodes 9 pv a1a8", "bestmove a1a8"];
    assert_eq!(solution("bm Ra8#; dm 1;", &no_score), "2 9 1");
    let quiet = ["info depth 2 nodes 9 pv e1d2", "bestmove e1d2"];
    assert_eq!(solution("bm Kd2; dm 2;", &quiet), "none");
    // The right move came up at once, the mate a depth later.
    let later = [
        "info depth 1 nodes 4 score cp 500 pv e1d2 g8h8 a1a8",
        "info depth 2 nodes 9 score mate 2 pv e1d2 g8h8 a1a8",
        "bestmove e1d2",
    ];
    assert_eq!(solution("bm Kd2; dm 2;", &later), "2 9 2");
    // A mate once proved counts though the PV is cut later; it is not stable, so it counts from
    // the end.
    let cut = [
        "info depth 3 nodes 5 score mate 2 pv e1d2 g8h8 a1a8",
        "info depth 9 nodes 9 score mate 2 pv e1d2",
        "bestmove e1d2",
    ];
    assert_eq!(solution("dm 2;", &cut), "9 9 3");
}

#[test]
fn replies_that_are_not_legal_moves() {
    for reply in ["a1a9", "a1b2", "(none)", "0000", "e1e1"] {
        let line = format!("bestmove {reply}");
        let found = assess_lines(&format!("{BACK_RANK} bm Ra8#;"), &[&line]).unwrap_err();
        let expected = format!("{line} is not a legal move in {BACK_RANK} 0 1");
        assert_eq!(found, expected);
    }
}

#[test]
fn the_first_illegal_move_of_a_pv_is_reported() {
    let lines = [
        "info depth 1 score cp 5 pv e1d2 e8e7",
        "info depth 2 score cp 30 pv a1a8 g8h8",
        "bestmove e1d2",
    ];
    let answer = assess_lines(&format!("{BACK_RANK} bm Ra8#;"), &lines).expect("legal");
    assert_eq!(answer.pv.len(), 1);
    assert_eq!(answer.score.expect("it has one").to_string(), "cp 5");
    let fault = answer.illegal_pv.expect("e8e7 is not legal").to_string();
    let place = "6k1/5ppp/8/8/8/8/3K4/R7 b - - 1 1";
    let expected = format!("illegal PV: move 2, e8e7, is not legal in {place}");
    assert_eq!(fault, expected);
    // Nor is a word that is no move; one behind a key is none of the variation.
    for (rest, is_legal) in [("e8h9", false), ("0000", false), ("string 0000", true)] {
        let line = format!("info depth 1 score cp 5 pv e1d2 {rest}");
        let lines = [&*line, "bestmove e1d2"];
        let answer = assess_lines(&format!("{BACK_RANK} bm Ra8#;"), &lines).expect("legal");
        assert_eq!(answer.illegal_pv.is_none(), is_legal, "{rest}");
    }
}

/// Rank and depth of the solution.
fn found(operations: &str, lines: &[&str]) -> Option<(u32, u32)> {
    let (record, goal) = asked(&format!("{BACK_RANK} {operations}"));
    let mut recorder = TopRecorder::new(3);
    for (ms, line) in (1..).zip(lines) {
        let moment = SearchMoment {
            time: Duration::from_millis(ms),
            ..SearchMoment::default()
        };
        recorder.info(moment, &info(line));
    }
    let tops = recorder.finish();
    let found = solution_rank(&tops, &goal, record.position(), CastlingMode::Standard);
    found.map(|(rank, moment)| (rank, moment.depth.expect("it has one")))
}

#[test]
fn the_last_complete_depth_counts() {
    let lines = [
        "depth 1 multipv 1 pv e1d2",
        "depth 1 multipv 2 pv a1a8",
        "depth 1 multipv 3 pv e1e2",
        "depth 2 multipv 1 pv a1a8",
        // As Stockfish prints them while depth 2 is under way.
        "depth 1 multipv 2 pv e1d2",
        "depth 1 multipv 3 pv e1e2",
        "depth 2 multipv 2 score cp 3 lowerbound pv a1a2",
        "depth 2 multipv 2 score cp 3 pv e1d2",
        "depth 2 multipv 3 pv e1e2",
        "depth 3 multipv 1 pv e1f2",
        "depth 3 multipv 2 pv e1f1",
    ];
    for (operations, expected) in [
        ("bm Ra8#;", Some((1, 1))),
        ("bm Kd2;", Some((2, 1))),
        ("bm Ke2 Kd2;", Some((2, 1))),
        // Only in the depth that was not finished.
        ("bm Kf2;", None),
        ("bm Ra2;", None),
        ("c0 \"Ke2=10, Ra8#=4\";", Some((3, 1))),
        ("am Ra8#;", None),
        ("bm Ra8#; dm 1;", None),
    ] {
        assert_eq!(found(operations, &lines), expected, "{operations}");
    }
    assert_eq!(found("bm Ra8#;", &lines[..2]), None);
    // It went away and came back.
    let lines = [
        "depth 1 multipv 1 pv a1a8",
        "depth 1 multipv 2 pv e1d2",
        "depth 1 multipv 3 pv e1e2",
        "depth 2 multipv 1 pv e1d2",
        "depth 2 multipv 2 pv e1f2",
        "depth 2 multipv 3 pv e1e2",
        "depth 3 multipv 1 pv e1d2",
        "depth 3 multipv 2 pv e1f2",
        "depth 3 multipv 3 pv a1a8",
    ];
    assert_eq!(found("bm Ra8#;", &lines), Some((3, 3)));
}

/// The number of the line, from 1, after which the search is over, one line per second.
fn over(extra_plies: Option<u32>, operations: &str, lines: &[&str]) -> Option<u64> {
    let (record, goal) = asked(&format!("{BACK_RANK} {operations}"));
    let position = record.position();
    let rule = EarlyStop { extra_plies };
    let mut watch = EarlyStopWatch::new(rule, &goal, position, CastlingMode::Standard);
    let mut recorder = OutputRecorder::default();
    for (second, line) in (1..).zip(lines) {
        let at = Duration::from_secs(second);
        if let Some(observation) = recorder.info(at, &info(line)) {
            watch.see(observation);
        }
        if watch.is_over() {
            return Some(second);
        }
    }
    None
}

#[test]
fn a_search_ends_once_its_solution_has_been_stable() {
    let right = ["depth 1 pv a1a8", "depth 2 pv a1a8", "depth 3 pv a1a8"];
    let wavers = [
        "depth 1 pv a1a8",
        "depth 2 pv e1d2",
        "depth 3 pv a1a8",
        "depth 4 pv a1a8",
    ];
    let fails_low = [
        "depth 1 pv a1a8",
        "depth 2 score cp -9 upperbound pv a1a8",
        "depth 2 score cp 5 pv a1a8",
    ];
    let mate = [
        "depth 1 pv e1d2 g8h8 a1a8",
        "depth 2 score mate 2 pv e1d2 g8h8 a1a8",
        "depth 3 score mate 2 pv e1d2 g8h8 a1a8",
    ];
    for (rule, operations, lines, expected) in [
        (Some(1), "bm Ra8#;", &right[..], Some(2)),
        (Some(2), "bm Ra8#;", &right, Some(3)),
        (Some(3), "bm Ra8#;", &right, None),
        (Some(1), "bm Kd2;", &right, None),
        (Some(1), "bm Ra8#;", &wavers, Some(4)),
        (Some(1), "bm Ra8#;", &fails_low, Some(3)),
        // The mate is announced a depth after the move.
        (Some(1), "dm 2;", &mate, Some(3)),
        // There is nothing to find.
        (Some(1), "am Kd2;", &right, None),
        (Some(1), "bm Ra8#; am Kd2;", &right, Some(2)),
        (Some(1), "c0 \"Ra8#=10, Kd2=4\";", &right, Some(2)),
        (None, "bm Ra8#;", &right, None),
    ] {
        let found = over(rule, operations, lines);
        assert_eq!(found, expected, "{rule:?} {operations}");
    }
}
