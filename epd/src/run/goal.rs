//! The goal of a record: moves to find, moves to avoid, a mate, points for moves as in the Strategic
//! Test Suite (Corbit and Swaminathan).

use std::cmp::Reverse;
use std::fmt;
use std::num::NonZeroU32;

use chess::notation::san::{self, ParseSanError};
use chess::rules::{Move, Position};

use crate::text::{Operand, Record, digits};

/// A mate that the engine has to announce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum MateGoal {
    /// The side to move mates in at most this many of its moves: `dm 6`, `bm #6`.
    Mates(NonZeroU32),
    /// The side to move is mated in at most this many moves of its opponent, whatever it plays: `bm
    /// #-6`. A sound search may announce it too late, but never too soon, so fewer moves is the
    /// stronger claim here as well.
    Mated(NonZeroU32),
}

impl MateGoal {
    pub(crate) fn moves(self) -> NonZeroU32 {
        match self {
            Self::Mates(moves) | Self::Mated(moves) => moves,
        }
    }

    /// The same kind of mate in another number of moves.
    pub(crate) fn with_moves(self, moves: NonZeroU32) -> Self {
        match self {
            Self::Mates(_) => Self::Mates(moves),
            Self::Mated(_) => Self::Mated(moves),
        }
    }
}

/// Formats as `mate in 6` or `mated in 6`.
impl fmt::Display for MateGoal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Mates(moves) => write!(f, "mate in {moves}"),
            Self::Mated(moves) => write!(f, "mated in {moves}"),
        }
    }
}

/// The goal of a record. If it has several parts, all must be met.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Goal {
    /// Moves of which one must be played, from `bm`; empty if any move will do.
    pub(crate) best: Vec<Move>,
    /// Moves of which none may be played, from `am`.
    pub(crate) avoid: Vec<Move>,
    /// The mate to be announced, from `dm` or `bm #N`.
    pub(crate) mate: Option<MateGoal>,
    /// The points of each move, from `c0`, or from `c8` and `c9`.
    pub(crate) points: Option<MovePoints>,
}

impl Goal {
    /// Reads the goal of a record; `None` if it has none of `bm`, `am`, `dm` and points.
    ///
    /// Moves are parsed by [`san::parse_lenient`]. `bm #3` asks for mate in three, as `dm 3` does;
    /// `bm #-3` states that the side to move is mated in three. Points are numbers in `c8` with
    /// moves in `c9`, else `c0` as `"f5=10, Be5+=2"`; any other `c0` is a comment. Of
    /// duplicate points the first count.
    ///
    /// # Errors
    ///
    /// When an operand of these opcodes cannot be read, or they contradict each other.
    ///
    /// # Examples
    ///
    /// ```
    /// use epd::{Goal, Record};
    ///
    /// let record: Record = "6k1/5ppp/8/8/8/8/8/R3K3 w - - bm Ra8#; dm 1;".parse()?;
    /// let goal = Goal::read(&record)?.expect("it asks for something");
    /// assert_eq!(goal.describe(record.position()), "bm Ra8#; mate in 1");
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn read(record: &Record) -> Result<Option<Self>, GoalError> {
        Self::read_with_warnings(record, &mut Vec::new())
    }

    /// Like [`Goal::read`], but adds to `warnings` what was ignored, such as duplicate points of a
    /// move.
    pub(crate) fn read_with_warnings(
        record: &Record,
        warnings: &mut Vec<GoalError>,
    ) -> Result<Option<Self>, GoalError> {
        let (best, announced) = best_moves(record)?;
        let mut mate = announced;
        for operand in operands(record, "dm")? {
            mate = one_mate(mate, moves_to_mate(operand.as_str(), "dm")?)?;
        }
        let avoid = operands(record, "am")?.into_iter();
        let avoid = avoid.map(|operand| one_move(operand.as_str(), "am", record));
        let goal = Self {
            best,
            avoid: avoid.collect::<Result<_, _>>()?,
            mate,
            points: MovePoints::read(record, warnings)?,
        };
        if let Some(&both) = goal.best.iter().find(|m| goal.avoid.contains(m)) {
            let m = san::write(both, record.position());
            return Err(GoalError::new("am", GoalReason::Contradiction { m }));
        }
        let asks = !goal.best.is_empty()
            || !goal.avoid.is_empty()
            || goal.mate.is_some()
            || goal.points.is_some();
        Ok(asks.then_some(goal))
    }

    /// Whether a move meets the goal, mates aside. Without `bm` and `am`, the move must be worth
    /// the most points.
    pub(crate) fn is_met_by(&self, m: Move) -> bool {
        if let ([], [], Some(points)) = (&self.best[..], &self.avoid[..], &self.points) {
            return points.points(m) == points.most();
        }
        (self.best.is_empty() || self.best.contains(&m)) && !self.avoid.contains(&m)
    }

    /// Whether it asks for one of some moves.
    pub(crate) fn names_moves(&self) -> bool {
        !self.best.is_empty()
    }

    /// Whether it asks for something to find, not only for moves to avoid.
    pub(crate) fn can_be_found(&self) -> bool {
        !self.best.is_empty() || self.mate.is_some() || self.points.is_some()
    }

    /// Describes the goal: `bm Qg6; am Nf3; mate in 3`. The same goal in the same position gives
    /// the same text, regardless of the order of its moves.
    pub fn describe(&self, position: &Position) -> String {
        let mut parts = Vec::new();
        for (opcode, moves) in [("bm", &self.best), ("am", &self.avoid)] {
            let mut names: Vec<String> = moves.iter().map(|&m| san::write(m, position)).collect();
            names.sort();
            if !names.is_empty() {
                parts.push(format!("{opcode} {}", names.join(" ")));
            }
        }
        parts.extend(self.mate.map(|mate| mate.to_string()));
        let points = self.points.as_ref();
        parts.extend(points.map(|points| format!("points {}", points.describe(position))));
        parts.join("; ")
    }
}

/// The operands of an opcode; an opcode without operands is an error.
fn operands<'a>(record: &'a Record, opcode: &'static str) -> Result<Vec<&'a Operand>, GoalError> {
    let mut operands = Vec::new();
    for operation in record.operations_of(opcode) {
        if operation.operands().is_empty() {
            return Err(GoalError::new(opcode, GoalReason::NoOperand));
        }
        operands.extend(operation.operands());
    }
    Ok(operands)
}

fn one_move(text: &str, opcode: &'static str, record: &Record) -> Result<Move, GoalError> {
    let m = san::parse_lenient(text, record.position());
    m.map_err(|error| GoalError::new(opcode, error.into()))
}

/// The moves of `bm`, and the mate of `bm #N`.
fn best_moves(record: &Record) -> Result<(Vec<Move>, Option<MateGoal>), GoalError> {
    let (mut best, mut mate) = (Vec::new(), None);
    for operand in operands(record, "bm")? {
        match operand.as_str().strip_prefix('#') {
            Some(number) => mate = one_mate(mate, moves_to_mate(number, "bm")?)?,
            None => best.push(one_move(operand.as_str(), "bm", record)?),
        }
    }
    Ok((best, mate))
}

fn moves_to_mate(text: &str, opcode: &'static str) -> Result<MateGoal, GoalError> {
    let mate = match text.strip_prefix('-') {
        Some(moves) => digits(moves).map(MateGoal::Mated),
        None => digits(text).map(MateGoal::Mates),
    };
    mate.ok_or_else(|| {
        let found = text.to_owned();
        GoalError::new(opcode, GoalReason::NotAMate { found })
    })
}

/// Combines the mates, which must agree.
fn one_mate(first: Option<MateGoal>, second: MateGoal) -> Result<Option<MateGoal>, GoalError> {
    match first {
        Some(first) if first != second => {
            Err(GoalError::new("dm", GoalReason::TwoMates { first, second }))
        }
        _ => Ok(Some(second)),
    }
}

/// The points of each move; unlisted moves are worth 0. No move is listed twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MovePoints(Vec<(Move, u32)>);

impl MovePoints {
    pub(crate) fn points(&self, m: Move) -> u32 {
        let found = self.0.iter().find(|&&(listed, _)| listed == m);
        found.map_or(0, |&(_, points)| points)
    }

    pub(crate) fn most(&self) -> u32 {
        let points = self.0.iter().map(|&(_, points)| points);
        points.max().unwrap_or(0)
    }

    /// The moves that are worth points, highest first.
    pub(crate) fn list(&self) -> &[(Move, u32)] {
        &self.0
    }

    /// Formats as `f5=10, Be5+=2`, highest first.
    pub(crate) fn describe(&self, position: &Position) -> String {
        let text = |&(m, points)| format!("{}={points}", san::write(m, position));
        let parts: Vec<String> = self.0.iter().map(text).collect();
        parts.join(", ")
    }

    /// Sorts by points, highest first, then by move text. If a move has points twice, as in version
    /// 3 of the suite, the first count.
    fn new(
        list: Vec<(Move, u32)>,
        opcode: &'static str,
        position: &Position,
        warnings: &mut Vec<GoalError>,
    ) -> Result<Self, GoalError> {
        let mut once: Vec<(Move, u32)> = Vec::with_capacity(list.len());
        for (m, second) in list {
            let Some(&(_, first)) = once.iter().find(|&&(earlier, _)| earlier == m) else {
                once.push((m, second));
                continue;
            };
            let m = san::write(m, position);
            warnings.push(GoalError::new(
                opcode,
                GoalReason::PointsTwice { m, first, second },
            ));
        }
        once.sort_by_key(|&(m, points)| (Reverse(points), san::write(m, position)));
        // Every move would be worth the most points.
        if once.iter().all(|&(_, points)| points == 0) {
            return Err(GoalError::new(opcode, GoalReason::NoPoints));
        }
        Ok(Self(once))
    }

    /// Reads the points of a record: those of `c8` and `c9`, whose moves are in UCI notation, else
    /// those of `c0`; `None` if it has neither.
    fn read(record: &Record, warnings: &mut Vec<GoalError>) -> Result<Option<Self>, GoalError> {
        let mut of_c0 = Vec::new();
        let in_c0 = Self::of_one_comment(record, &mut of_c0);
        match (Self::of_two_comments(record, warnings), in_c0) {
            (Ok(Some(c8)), c0) => {
                if c0 != Ok(None) && c0.as_ref() != Ok(&Some(c8.clone())) {
                    warnings.push(GoalError::new("c0", GoalReason::PointsDisagree));
                }
                Ok(Some(c8))
            }
            (Ok(None), c0) => {
                warnings.append(&mut of_c0);
                c0
            }
            (Err(GoalError { opcode, reason }), Ok(Some(c0))) => {
                let reason = Box::new(reason);
                warnings.push(GoalError::new(opcode, GoalReason::PointsOfC0 { reason }));
                warnings.append(&mut of_c0);
                Ok(Some(c0))
            }
            (Err(error), _) => Err(error),
        }
    }

    /// Reads `c0 "f5=10, Be5+=2"`. A comment of another form has no points, nor has one without a
    /// move before any equals sign: `c0 "depth=12"`.
    fn of_one_comment(
        record: &Record,
        warnings: &mut Vec<GoalError>,
    ) -> Result<Option<Self>, GoalError> {
        let Some(comment) = text(record, "c0") else {
            return Ok(None);
        };
        let mut list = Vec::new();
        for part in comment.split(',') {
            let equation = part.rsplit_once('=');
            let points = equation.and_then(|(_, points)| digits(points.trim()));
            let (Some((name, _)), Some(points)) = (equation, points) else {
                return Ok(None);
            };
            list.push((one_move(name.trim(), "c0", record), points));
        }
        let is_syntax = |error: &GoalError| {
            matches!(error.reason, GoalReason::Move(ParseSanError::Syntax { .. }))
        };
        if list.iter().all(|(m, _)| m.as_ref().is_err_and(is_syntax)) {
            return Ok(None);
        }
        let list = list.into_iter().map(|(m, points)| Ok((m?, points)));
        let list = list.collect::<Result<Vec<_>, GoalError>>()?;
        Self::new(list, "c0", record.position(), warnings).map(Some)
    }

    /// Reads `c8 "10 2"; c9 "f4f5 d6e5"`. Without a `c9`, or without a number in it, `c8` is a
    /// comment.
    fn of_two_comments(
        record: &Record,
        warnings: &mut Vec<GoalError>,
    ) -> Result<Option<Self>, GoalError> {
        let (Some(points), Some(moves)) = (text(record, "c8"), text(record, "c9")) else {
            return Ok(None);
        };
        let [points, moves] =
            [&points, &moves].map(|text| text.split_whitespace().collect::<Vec<&str>>());
        if !points.iter().any(|word| digits::<u32>(word).is_some()) {
            return Ok(None);
        }
        if points.len() != moves.len() {
            let (points, moves) = (points.len(), moves.len());
            return Err(GoalError::new(
                "c8",
                GoalReason::PointsForMoves { points, moves },
            ));
        }
        let mut list = Vec::new();
        for (name, word) in moves.into_iter().zip(points) {
            let m = one_move(name, "c9", record)?;
            let points = digits(word).ok_or_else(|| {
                let found = word.to_owned();
                GoalError::new("c8", GoalReason::NotPoints { found })
            })?;
            list.push((m, points));
        }
        Self::new(list, "c9", record.position(), warnings).map(Some)
    }
}

/// The only operand of an opcode, or its words joined.
fn text(record: &Record, opcode: &str) -> Option<String> {
    let operands = record.operation(opcode)?.operands().iter();
    let words: Vec<&str> = operands.map(Operand::as_str).collect();
    Some(words.join(" "))
}

/// A goal that cannot be read.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{opcode}: {reason}")]
pub struct GoalError {
    /// The opcode at fault.
    pub opcode: &'static str,
    #[source]
    pub(crate) reason: GoalReason,
}

impl GoalError {
    pub(super) const fn new(opcode: &'static str, reason: GoalReason) -> Self {
        Self { opcode, reason }
    }
}

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum GoalReason {
    #[error("no operand")]
    NoOperand,
    #[error(transparent)]
    Move(#[from] ParseSanError),
    #[error("'{found}' is not a number of moves to mate, expected 1 or more, or -1 or less")]
    NotAMate { found: String },
    #[error("{first} and {second} are both asked for")]
    TwoMates { first: MateGoal, second: MateGoal },
    #[error("{m} is to be avoided, but a best move too")]
    Contradiction { m: String },
    #[error("'{found}' is not a number of points")]
    NotPoints { found: String },
    #[error("no move is worth a point")]
    NoPoints,
    #[error("{points} numbers of points for the {moves} moves of c9")]
    PointsForMoves { points: usize, moves: usize },
    #[error("{m} has points twice, {first} and {second}; the first count")]
    PointsTwice { m: String, first: u32, second: u32 },
    #[error("other points than those of c8 and c9, which count")]
    PointsDisagree,
    #[error("{what}")]
    Puzzle { what: String },
    #[error("{reason}; the points of c0 count")]
    PointsOfC0 { reason: Box<GoalReason> },
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A record in which White can castle, capture and mate.
    fn record(operations: &str) -> Record {
        let text = format!("4k3/4p3/8/8/3P4/2N5/8/R3K2R w KQ - {operations}");
        Record::parse_lenient(&text).expect("a record").record
    }

    /// Compares the result for the operations of each row with the text beside them.
    fn check(table: &str, result: impl Fn(&Record) -> String) {
        for [operations, expected] in crate::rows::rows(table) {
            assert_eq!(result(&record(operations)), expected, "{operations}");
        }
    }

    /// Version 3 of the Strategic Test Suite has duplicate points for some moves.
    #[test]
    fn goals_in_words() {
        let goals = r#"
id "x"; c0 "a comment"; c1 "d5=10"; | nothing
bm d5; | bm d5
bm Rh8+ O-O d5; | bm O-O Rh8+ d5
bm Rh8; bm e1g1; | bm O-O Rh8+
am Nc3d5 0-0-0; | am Nd5 O-O-O
bm d5; am Nd5; | bm d5; am Nd5
bm #3; | mate in 3
bm Rh8+ #3; dm 3; | bm Rh8+; mate in 3
dm 12; | mate in 12
bm #-6; | mated in 6
bm d5 #-6; dm -6; | bm d5; mated in 6
c0 "d5=10, Nb5=1, Nb5=3"; | points d5=10, Nb5=1
c0 "d5=10"; c8 "9 4 5"; c9 "d4d5 c3b5 c3b5"; | points d5=9, Nb5=4
c0 "d5=10"; c8 "9 4"; c9 "d4d5"; | points d5=10
c0 "d5=10, Nd8=2"; c8 "9"; c9 "d4d5"; | points d5=9
bm d5; c0 "d5=10, Rh8+=2,O-O=3"; | bm d5; points d5=10, O-O=3, Rh8+=2
c0 "d5=10; Nb5=1"; | nothing
c0 "depth=12, nodes=4"; | nothing
c0 "d5 = 10 , Nb5 = 1"; | points d5=10, Nb5=1
c0 "d5=10, Nb5=1"; c8 "1 10"; c9 "c3b5 d4d5"; | points d5=10, Nb5=1
c8 "10 3"; c9 "d4d5 e1g1"; | points d5=10, O-O=3
c8 "10 3"; | nothing
c8 "White"; c9 "wins"; | nothing
"#;
        check(goals, |record| match Goal::read(record) {
            Ok(Some(goal)) => goal.describe(record.position()),
            other => other.map_or_else(|error| error.to_string(), |_| "nothing".to_owned()),
        });
    }

    #[test]
    fn unreadable_goals_are_described() {
        let faults = r#"
bm; | bm: no operand
bm Qd4; | bm: no legal move is 'Qd4' in 4k3/4p3/8/8/3P4/2N5/8/R3K2R w KQ - 0 1
am ??; | am: '??' has not the form of a move, such as Nf3, exd5, e8=Q or O-O
bm #0; | bm: '0' is not a number of moves to mate, expected 1 or more, or -1 or less
dm +3; | dm: '+3' is not a number of moves to mate, expected 1 or more, or -1 or less
bm #3 #-3; | dm: mate in 3 and mated in 3 are both asked for
bm #3; dm 4; | dm: mate in 3 and mate in 4 are both asked for
bm d5; am d4d5; | am: d5 is to be avoided, but a best move too
c0 "d5=10, Nd8=2"; | c0: no legal move is 'Nd8' in 4k3/4p3/8/8/3P4/2N5/8/R3K2R w KQ - 0 1
c8 "10"; c9 "d4d5 e1g1"; | c8: 1 numbers of points for the 2 moves of c9
c0 "d5=0, Nb5=0"; | c0: no move is worth a point
c8 "0 0"; c9 "d4d5 e1g1"; | c9: no move is worth a point
c8 "10 x"; c9 "d4d5 e1g1"; | c8: 'x' is not a number of points
"#;
        check(faults, |record| {
            Goal::read(record).expect_err("unreadable").to_string()
        });
    }

    /// The same fault in both places is reported once.
    #[test]
    fn points_in_doubt_are_warned_of() {
        let warnings = r#"
c0 "d5=10, Nb5=1"; c8 "10 1"; c9 "d4d5 c3b5"; | none
c0 "d5=10, d4d5=2"; | c0: d5 has points twice, 10 and 2; the first count
c0 "d5=10, Nb5=1, Nb5=3"; c8 "10 1 3"; c9 "d4d5 c3b5 c3b5"; | c9: Nb5 has points twice, 1 and 3; the first count
c0 "d5=10"; c8 "9"; c9 "d4d5"; | c0: other points than those of c8 and c9, which count
c0 "d5=10"; c8 "9 4"; c9 "d4d5"; | c8: 2 numbers of points for the 1 moves of c9; the points of c0 count
"#;
        check(warnings, |record| {
            let mut warnings = Vec::new();
            let goal = Goal::read_with_warnings(record, &mut warnings);
            assert!(matches!(goal, Ok(Some(_))), "{goal:?}");
            let warnings: Vec<String> = warnings.iter().map(ToString::to_string).collect();
            let text = warnings.join("\n");
            if text.is_empty() {
                "none".to_owned()
            } else {
                text
            }
        });
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
            let record = record(operations);
            let goal = Goal::read(&record).expect("readable").expect("a goal");
            let m = san::parse(name, record.position()).expect("a legal move");
            assert_eq!(goal.is_met_by(m), met, "{operations} {name}");
            let found = goal.points.as_ref().map(|points| points.points(m));
            assert_eq!(found, points, "{operations} {name}");
        }
    }
}
