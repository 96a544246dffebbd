//! Points for moves, as in the Strategic Test Suite (Corbit and Swaminathan).

use chess::notation::san::{self, ParseSanError};
use chess::rules::{Move, Position};

use super::{GoalError, GoalReason, one_move, operations};
use crate::Record;
use crate::count::digits;

/// The points of each move; unlisted moves are worth 0. No move is listed twice.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Points(Vec<(Move, u32)>);

impl Points {
    /// The points of a move.
    pub fn of(&self, m: Move) -> u32 {
        let found = self.0.iter().find(|&&(listed, _)| listed == m);
        found.map_or(0, |&(_, points)| points)
    }

    /// The points of the best move.
    pub fn most(&self) -> u32 {
        let points = self.0.iter().map(|&(_, points)| points);
        points.max().unwrap_or(0)
    }

    /// The moves that are worth points, highest first.
    pub fn list(&self) -> &[(Move, u32)] {
        &self.0
    }

    /// Formats as `f5=10, Be5+=2`, highest first.
    pub fn describe(&self, position: &Position) -> String {
        let parts: Vec<String> = self
            .0
            .iter()
            .map(|&(m, points)| format!("{}={points}", san::write(m, position)))
            .collect();
        parts.join(", ")
    }

    /// Sorts by points, highest first, then by move text. If a move has points twice, as in version
    /// 3 of the suite, the first count.
    fn new(
        list: Vec<(Move, u32)>,
        opcode: &'static str,
        position: &Position,
        warnings: &mut Vec<GoalError>,
    ) -> Self {
        let mut once: Vec<(Move, u32)> = Vec::with_capacity(list.len());
        for (m, second) in list {
            let Some(&(_, first)) = once.iter().find(|&&(earlier, _)| earlier == m) else {
                once.push((m, second));
                continue;
            };
            let m = san::write(m, position);
            let reason = GoalReason::PointsTwice { m, first, second };
            warnings.push(GoalError { opcode, reason });
        }
        once.sort_by_key(|&(m, points)| (std::cmp::Reverse(points), san::write(m, position)));
        Self(once)
    }
}

/// Reads the points of a record: those of `c8` and `c9`, whose moves are in UCI notation, else
/// those of `c0`; `None` if it has neither.
pub(super) fn read(
    record: &Record,
    warnings: &mut Vec<GoalError>,
) -> Result<Option<Points>, GoalError> {
    let mut of_c0 = Vec::new();
    let in_c0 = in_comment(record, &mut of_c0);
    match (in_two_comments(record, warnings), in_c0) {
        (Ok(Some(c8)), c0) => {
            if c0 != Ok(None) && c0.as_ref() != Ok(&Some(c8.clone())) {
                let reason = GoalReason::PointsDisagree;
                warnings.push(GoalError {
                    opcode: "c0",
                    reason,
                });
            }
            Ok(Some(c8))
        }
        (Ok(None), c0) => {
            warnings.append(&mut of_c0);
            c0
        }
        (Err(GoalError { opcode, reason }), Ok(Some(c0))) => {
            let reason = Box::new(reason);
            let reason = GoalReason::PointsOfC0 { reason };
            warnings.push(GoalError { opcode, reason });
            warnings.append(&mut of_c0);
            Ok(Some(c0))
        }
        (Err(error), _) => Err(error),
    }
}

/// Reads `c0 "f5=10, Be5+=2"`. A comment of another form has no points, nor has one without a move
/// before any equals sign: `c0 "depth=12"`.
fn in_comment(record: &Record, warnings: &mut Vec<GoalError>) -> Result<Option<Points>, GoalError> {
    let Some(comment) = text(record, "c0") else {
        return Ok(None);
    };
    let Some(parts) = equations(&comment) else {
        return Ok(None);
    };
    let position = record.position();
    let list: Vec<(Result<Move, GoalError>, u32)> = parts
        .into_iter()
        .map(|(name, points)| (one_move(name, "c0", position), points))
        .collect();
    if list.iter().all(|(m, _)| is_no_move(m)) {
        return Ok(None);
    }
    let list: Result<Vec<(Move, u32)>, GoalError> = list
        .into_iter()
        .map(|(m, points)| Ok((m?, points)))
        .collect();
    Ok(Some(Points::new(list?, "c0", position, warnings)))
}

/// The parts of a list such as `f5=10, Be5+=2`; `None` if it is not one.
fn equations(text: &str) -> Option<Vec<(&str, u32)>> {
    let parts = text.split(',').map(|part| {
        let (name, points) = part.rsplit_once('=')?;
        Some((name.trim(), digits(points.trim())?))
    });
    parts.collect()
}

fn is_no_move(m: &Result<Move, GoalError>) -> bool {
    let syntax =
        |error: &GoalError| matches!(error.reason, GoalReason::Move(ParseSanError::Syntax { .. }));
    m.as_ref().is_err_and(syntax)
}

/// Reads `c8 "10 2"; c9 "f4f5 d6e5"`. Without a `c9`, or without a number in it, `c8` is a comment.
fn in_two_comments(
    record: &Record,
    warnings: &mut Vec<GoalError>,
) -> Result<Option<Points>, GoalError> {
    let (Some(points), Some(moves)) = (text(record, "c8"), text(record, "c9")) else {
        return Ok(None);
    };
    let points: Vec<&str> = points.split_whitespace().collect();
    let moves: Vec<&str> = moves.split_whitespace().collect();
    if !points.iter().any(|word| digits::<u32>(word).is_some()) {
        return Ok(None);
    }
    if points.len() != moves.len() {
        return Err(GoalError {
            opcode: "c8",
            reason: GoalReason::PointsForMoves {
                points: points.len(),
                moves: moves.len(),
            },
        });
    }
    let pair = |(name, points)| Ok((one_move(name, "c9", record.position())?, number(points)?));
    let list: Result<Vec<(Move, u32)>, GoalError> =
        moves.into_iter().zip(points).map(pair).collect();
    let position = record.position();
    Ok(Some(Points::new(list?, "c9", position, warnings)))
}

fn number(text: &str) -> Result<u32, GoalError> {
    digits(text).ok_or_else(|| GoalError {
        opcode: "c8",
        reason: GoalReason::NotPoints {
            found: text.to_owned(),
        },
    })
}

/// The only operand of an opcode, or its words joined.
fn text(record: &Record, opcode: &'static str) -> Option<String> {
    let operation = operations(record, opcode).next()?;
    let words: Vec<&str> = operation
        .operands()
        .iter()
        .map(crate::Operand::as_str)
        .collect();
    Some(words.join(" "))
}
