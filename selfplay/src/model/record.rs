//! A finished game, as the ledger keeps it.

use serde::{Deserialize, Serialize};

use super::{EngineIndex, Fault, GamePlan, Machine, Termination};

/// How a game ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    /// `1-0`
    #[serde(rename = "1-0")]
    WhiteWins,
    /// `0-1`
    #[serde(rename = "0-1")]
    BlackWins,
    /// `1/2-1/2`
    #[serde(rename = "1/2-1/2")]
    Draw,
}

/// Where a game begins: a position and the moves of the book.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// What the book calls it, or its place there.
    pub label: String,
    /// The first position.
    pub fen: String,
    /// The moves of the book from there, in UCI's notation.
    pub moves: Vec<String>,
    /// Whether it is a game of Chess960.
    pub chess960: bool,
}

/// A move an engine made.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move, in UCI's notation.
    pub uci: String,
    /// The score of the side that moved, as UCI writes it: `cp 31`, `mate -3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Greatest depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Positions searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// From our last byte out to the engine's line in, in microseconds.
    pub elapsed_us: u64,
    /// What is left on the clock after the move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<i64>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// Which game of the schedule.
    pub plan: GamePlan,
    /// Where it began.
    pub opening: Opening,
    /// Its result.
    pub result: GameResult,
    /// Why it ended.
    pub termination: Termination,
    /// Whose fault it was, if [`Termination::Fault`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The moves of the engines, after those of the opening.
    pub moves: Vec<MoveRecord>,
    /// When it began, in milliseconds since 1970 (UTC).
    pub started_ms: u64,
    /// How long it took, in milliseconds.
    pub duration_ms: u64,
    /// Faults that cost no game.
    #[serde(default, rename = "mishaps", skip_serializing_if = "Vec::is_empty")]
    pub incidents: Vec<Fault>,
    /// Who played it, if it was a machine of a fleet.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
}

impl GameResult {
    /// Its text in PGN.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// With the colours swapped.
    pub const fn reversed(self) -> Self {
        match self {
            Self::WhiteWins => Self::BlackWins,
            Self::BlackWins => Self::WhiteWins,
            Self::Draw => Self::Draw,
        }
    }
}

impl GameRecord {
    /// Whether an engine or its machine failed: a fault ended the game that was no answer.
    pub fn has_failed(&self) -> bool {
        let fault = self.fault.as_ref();
        fault.is_some_and(|fault| fault.kind.may_be_the_machine())
    }

    /// The points of an engine in this game, doubled: 2 for a win, 1 for a draw, 0 for a loss.
    /// `None` for an engine that did not play.
    pub fn half_points(&self, engine: EngineIndex) -> Option<u8> {
        let (own, other) = match self.result {
            GameResult::Draw => (1, 1),
            GameResult::WhiteWins => (2, 0),
            GameResult::BlackWins => (0, 2),
        };
        if engine == self.plan.white {
            Some(own)
        } else {
            (engine == self.plan.black).then_some(other)
        }
    }
}
