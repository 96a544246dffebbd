//! Goals as records ask for them.

use super::*;
use crate::Record;

/// Describes the goal in a position where White can castle, capture and mate.
fn goal(operations: &str) -> Result<String, String> {
    let text = format!("4k3/4p3/8/8/3P4/2N5/8/R3K2R w KQ - {operations}");
    let record = Record::parse_lenient(&text).expect("a record").record;
    match Goal::read(&record) {
        Ok(None) => Ok("nothing".to_owned()),
        Ok(Some(goal)) => Ok(goal.describe(record.position())),
        Err(error) => Err(error.to_string()),
    }
}

#[test]
fn goals_in_words() {
    let rows = [
        ("id \"x\"; c0 \"a comment\"; c1 \"d5=10\";", "nothing"),
        ("bm d5;", "bm d5"),
        ("bm Rh8+ O-O d5;", "bm O-O Rh8+ d5"),
        ("bm Rh8; bm e1g1;", "bm O-O Rh8+"),
        ("am Nc3d5 0-0-0;", "am Nd5 O-O-O"),
        ("bm d5; am Nd5;", "bm d5; am Nd5"),
        ("bm #3;", "mate in 3"),
        ("bm Rh8+ #3; dm 3;", "bm Rh8+; mate in 3"),
        ("dm 12;", "mate in 12"),
        ("bm #-6;", "mated in 6"),
        ("bm d5 #-6; dm -6;", "bm d5; mated in 6"),
        // The Strategic Test Suite 3 has duplicate points for some moves.
        ("c0 \"d5=10, Nb5=1, Nb5=3\";", "points d5=10, Nb5=1"),
        (
            "c0 \"d5=10\"; c8 \"9 4 5\"; c9 \"d4d5 c3b5 c3b5\";",
            "points d5=9, Nb5=4",
        ),
        ("c0 \"d5=10\"; c8 \"9 4\"; c9 \"d4d5\";", "points d5=10"),
        ("c0 \"d5=10, Nd8=2\"; c8 \"9\"; c9 \"d4d5\";", "points d5=9"),
        (
            "bm d5; c0 \"d5=10, Rh8+=2,O-O=3\";",
            "bm d5; points d5=10, O-O=3, Rh8+=2",
        ),
        ("c0 \"d5=10; Nb5=1\";", "nothing"),
        ("c0 \"depth=12, nodes=4\";", "nothing"),
        ("c0 \"d5 = 10 , Nb5 = 1\";", "points d5=10, Nb5=1"),
        (
            "c0 \"d5=10, Nb5=1\"; c8 \"1 10\"; c9 \"c3b5 d4d5\";",
            "points d5=10, Nb5=1",
        ),
        ("c8 \"10 3\"; c9 \"d4d5 e1g1\";", "points d5=10, O-O=3"),
        ("c8 \"10 3\";", "nothing"),
        ("c8 \"White\"; c9 \"wins\";", "nothing"),
    ];
    for (operations, expected) in rows {
        assert_eq!(goal(operations), Ok(expected.to_owned()), "{operations}");
    }
}

#[test]
fn what_cannot_be_read_is_named() {
    let rows = [
        ("bm;", "bm: no operand"),
        (
            "bm Qd4;",
            "bm: no legal move is 'Qd4' in 4k3/4p3/8/8/3P4/2N5/8/R3K2R w KQ - 0 1",
        ),
        (
            "am ??;",
            "am: '??' has not the form of a move, such as Nf3, exd5, e8=Q or O-O",
        ),
        (
            "bm #0;",
            "bm: '0' is no number of moves to mate, expected 1 or more, or -1 or less",
        ),
        (
            "dm +3;",
            "dm: '+3' is no number of moves to mate, expected 1 or more, or -1 or less",
        ),
        (
            "bm #3 #-3;",
            "dm: mate in 3 and mated in 3 are both asked for",
        ),
        (
            "bm #3; dm 4;",
            "dm: mate in 3 and mate in 4 are both asked for",
        ),
        (
            "bm d5; am d4d5;",
            "am: d5 is to be avoided, but a best move too",
        ),
        (
            "c0 \"d5=10, Nd8=2\";",
            "c0: no legal move is 'Nd8' in 4k3/4p3/8/8/3P4/2N5/8/R3K2R w KQ - 0 1",
        ),
        (
            "c8 \"10\"; c9 \"d4d5 e1g1\";",
            "c8: 1 numbers of points for the 2 moves of c9",
        ),
        (
            "c8 \"10 x\"; c9 \"d4d5 e1g1\";",
            "c8: 'x' is no number of points",
        ),
    ];
    for (operations, expected) in rows {
        assert_eq!(goal(operations), Err(expected.to_owned()), "{operations}");
    }
}

#[test]
fn points_in_doubt_are_warned_of() {
    let rows: [(&str, &[&str]); 5] = [
        ("c0 \"d5=10, Nb5=1\"; c8 \"10 1\"; c9 \"d4d5 c3b5\";", &[]),
        (
            "c0 \"d5=10, d4d5=2\";",
            &["c0: d5 has points twice, 10 and 2; the first count"],
        ),
        // The same fault in both places is reported once.
        (
            "c0 \"d5=10, Nb5=1, Nb5=3\"; c8 \"10 1 3\"; c9 \"d4d5 c3b5 c3b5\";",
            &["c9: Nb5 has points twice, 1 and 3; the first count"],
        ),
        (
            "c0 \"d5=10\"; c8 \"9\"; c9 \"d4d5\";",
            &["c0: other points than those of c8 and c9, which count"],
        ),
        (
            "c0 \"d5=10\"; c8 \"9 4\"; c9 \"d4d5\";",
            &["c8: 2 numbers of points for the 1 moves of c9; the points of c0 count"],
        ),
    ];
    for (operations, expected) in rows {
        let text = format!("4k3/4p3/8/8/3P4/2N5/8/R3K2R w KQ - {operations}");
        let record = Record::parse_lenient(&text).expect("a record").record;
        let mut warnings = Vec::new();
        let goal = Goal::read_with_warnings(&record, &mut warnings);
        assert!(matches!(goal, Ok(Some(_))), "{operations}: {goal:?}");
        let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
        assert_eq!(warnings, expected, "{operations}");
    }
}

#[test]
fn moves_that_meet_a_goal() {
    // Goal, move, whether it meets the goal, its points.
    let rows = [
        ("bm d5 Nd5;", "Nd5", true, None),
        ("bm d5 Nd5;", "Nb5", false, None),
        ("am d5;", "d5", false, None),
        ("am d5;", "Nb5", true, None),
        ("bm d5; am Nb5;", "O-O", false, None),
        ("bm d5; am Nb5;", "d5", true, None),
        ("dm 3;", "O-O", true, None),
        ("c0 \"d5=10, O-O=10, Nb5=2\";", "O-O", true, Some(10)),
        ("c0 \"d5=10, O-O=10, Nb5=2\";", "Nb5", false, Some(2)),
        ("bm d5; c0 \"d5=9, Nb5=10\";", "Nb5", false, Some(10)),
        ("bm d5; c0 \"d5=9, Nb5=10\";", "Nd5", false, Some(0)),
    ];
    for (operations, name, met, points) in rows {
        let text = format!("4k3/4p3/8/8/3P4/2N5/8/R3K2R w KQ - {operations}");
        let record: Record = text.parse().expect("a record");
        let goal = Goal::read(&record).expect("readable").expect("a goal");
        let m = san::parse(name, record.position()).expect("a legal move");
        assert_eq!(goal.is_met_by(m), met, "{operations} {name}");
        let found = goal.points.as_ref().map(|points| points.of(m));
        assert_eq!(found, points, "{operations} {name}");
    }
}
