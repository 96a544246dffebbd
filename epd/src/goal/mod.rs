//! The goal of a record: moves to find, moves to avoid, a mate, points for moves.

mod error;
mod points;
#[cfg(test)]
mod tests;

use std::fmt;
use std::num::NonZeroU32;

use chess::notation::san;
use chess::rules::{Move, Position};

pub use error::{GoalError, GoalReason};
pub use points::Points;

use crate::count::digits;
use crate::{Operand, Operation, Record};

/// A mate that the engine has to announce.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MateGoal {
    /// The side to move mates in at most this many of its moves: `dm 6`, `bm #6`.
    Mates(NonZeroU32),
    /// The side to move is mated in at most this many moves of its opponent, whatever it plays: `bm
    /// #-6`. A sound search may announce it too late, but never too soon, so fewer moves is the
    /// stronger claim here as well.
    Mated(NonZeroU32),
}

impl MateGoal {
    /// The number of moves.
    pub fn moves(self) -> NonZeroU32 {
        match self {
            Self::Mates(moves) | Self::Mated(moves) => moves,
        }
    }

    /// The same kind of mate in another number of moves.
    #[must_use]
    pub fn with_moves(self, moves: NonZeroU32) -> Self {
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
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Goal {
    /// Moves of which one must be played, from `bm`; empty if any move will do.
    pub best: Vec<Move>,
    /// Moves of which none may be played, from `am`.
    pub avoid: Vec<Move>,
    /// The mate to be announced, from `dm` or `bm #N`.
    pub mate: Option<MateGoal>,
    /// The points of each move, from `c0`, or from `c8` and `c9`.
    pub points: Option<Points>,
}

impl Goal {
    /// Reads the goal of a record; `None` if it has none of `bm`, `am`, `dm` and points.
    ///
    /// Moves are parsed by [`san::parse_lenient`]. `bm #3` asks for mate in three, as `dm 3` does;
    /// `bm #-3` states that the side to move is mated in three. Points are numbers in `c8` with
    /// moves in `c9`, else `c0` as `"f5=10, Be5+=2"`; any other `c0` is a comment. Duplicate points
    /// are not an error, see [`Goal::read_with_warnings`].
    ///
    /// # Errors
    ///
    /// When an operand of these opcodes cannot be read, or they contradict each other.
    ///
    /// # Examples
    ///
    /// ```
    /// use epd::{Record, goal::Goal};
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
    ///
    /// # Errors
    ///
    /// As [`Goal::read`].
    pub fn read_with_warnings(
        record: &Record,
        warnings: &mut Vec<GoalError>,
    ) -> Result<Option<Self>, GoalError> {
        let position = record.position();
        let (best, announced) = best_moves(record)?;
        let goal = Self {
            best,
            avoid: moves(record, "am", position)?,
            mate: one_mate(announced, direct_mate(record)?)?,
            points: points::read(record, warnings)?,
        };
        goal.check(position)?;
        let asks = !goal.best.is_empty()
            || !goal.avoid.is_empty()
            || goal.mate.is_some()
            || goal.points.is_some();
        Ok(asks.then_some(goal))
    }

    /// Whether a move meets the goal, mates aside. Without `bm` and `am`, the move must be worth
    /// the most points.
    pub fn is_met_by(&self, m: Move) -> bool {
        let by_moves = (self.best.is_empty() || self.best.contains(&m)) && !self.avoid.contains(&m);
        let only_points = self.best.is_empty() && self.avoid.is_empty();
        by_moves
            && (!only_points
                || self
                    .points
                    .as_ref()
                    .is_none_or(|points| points.of(m) == points.most()))
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
        parts.extend(
            self.points
                .as_ref()
                .map(|points| format!("points {}", points.describe(position))),
        );
        parts.join("; ")
    }

    fn check(&self, position: &Position) -> Result<(), GoalError> {
        match self.best.iter().find(|m| self.avoid.contains(m)) {
            Some(&both) => Err(GoalError {
                opcode: "am",
                reason: GoalReason::Contradiction {
                    m: san::write(both, position),
                },
            }),
            None => Ok(()),
        }
    }
}

/// The operations with an opcode; contrary to the standard, a record may have several.
fn operations<'a>(
    record: &'a Record,
    opcode: &'static str,
) -> impl Iterator<Item = &'a Operation> + 'a {
    let operations = record.operations().iter();
    operations.filter(move |operation| operation.opcode() == opcode)
}

/// The operands of an opcode; an opcode without operands is an error.
fn operands<'a>(record: &'a Record, opcode: &'static str) -> Result<Vec<&'a Operand>, GoalError> {
    let mut operands = Vec::new();
    for operation in operations(record, opcode) {
        if operation.operands().is_empty() {
            let reason = GoalReason::NoOperand;
            return Err(GoalError { opcode, reason });
        }
        operands.extend(operation.operands());
    }
    Ok(operands)
}

fn one_move(text: &str, opcode: &'static str, position: &Position) -> Result<Move, GoalError> {
    san::parse_lenient(text, position).map_err(|error| GoalError {
        opcode,
        reason: error.into(),
    })
}

fn moves(
    record: &Record,
    opcode: &'static str,
    position: &Position,
) -> Result<Vec<Move>, GoalError> {
    let operands = operands(record, opcode)?.into_iter();
    operands
        .map(|operand| one_move(operand.as_str(), opcode, position))
        .collect()
}

/// The moves of `bm`, and the mate of `bm #N`.
fn best_moves(record: &Record) -> Result<(Vec<Move>, Option<MateGoal>), GoalError> {
    let mut best = Vec::new();
    let mut mate = None;
    for operand in operands(record, "bm")? {
        match operand.as_str().strip_prefix('#') {
            Some(number) => mate = one_mate(mate, Some(moves_to_mate(number, "bm")?))?,
            None => best.push(one_move(operand.as_str(), "bm", record.position())?),
        }
    }
    Ok((best, mate))
}

fn direct_mate(record: &Record) -> Result<Option<MateGoal>, GoalError> {
    let mut mate = None;
    for operand in operands(record, "dm")? {
        mate = one_mate(mate, Some(moves_to_mate(operand.as_str(), "dm")?))?;
    }
    Ok(mate)
}

fn moves_to_mate(text: &str, opcode: &'static str) -> Result<MateGoal, GoalError> {
    let mate = match text.strip_prefix('-') {
        Some(moves) => digits(moves).map(MateGoal::Mated),
        None => digits(text).map(MateGoal::Mates),
    };
    mate.ok_or_else(|| GoalError {
        opcode,
        reason: GoalReason::NotAMate {
            found: text.to_owned(),
        },
    })
}

/// Combines the mates, which must agree.
fn one_mate(
    first: Option<MateGoal>,
    second: Option<MateGoal>,
) -> Result<Option<MateGoal>, GoalError> {
    match (first, second) {
        (Some(first), Some(second)) if first != second => Err(GoalError {
            opcode: "dm",
            reason: GoalReason::TwoMates { first, second },
        }),
        _ => Ok(first.or(second)),
    }
}
