//! A finished game, as recorded in the ledger.

use serde::{Deserialize, Serialize};

use super::{EngineIndex, Fault, GamePlan, Machine, Termination};

/// The result of a game.
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

/// The opening of a game: a position and the book moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The name of the opening, or its place in the book.
    pub label: String,
    /// The FEN of the starting position.
    pub fen: String,
    /// The book moves from there, in UCI notation.
    pub moves: Vec<String>,
    /// Whether the game is Chess960.
    pub chess960: bool,
}

/// A move played by an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move, in UCI notation.
    pub uci: String,
    /// The score from the mover's point of view, as in UCI: `cp 31`, `mate -3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Search depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Selective search depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time from our last byte sent to the engine's line received, in microseconds.
    pub elapsed_us: u64,
    /// Time left on the clock after the move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<i64>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The scheduled game.
    pub plan: GamePlan,
    /// The opening.
    pub opening: Opening,
    /// The result.
    pub result: GameResult,
    /// Why the game ended.
    pub termination: Termination,
    /// The fault, for [`Termination::Fault`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The engines' moves, after those of the opening.
    pub moves: Vec<MoveRecord>,
    /// When the game began, in milliseconds since 1970 (UTC).
    pub started_ms: u64,
    /// Duration of the game, in milliseconds.
    pub duration_ms: u64,
    /// Incidents: faults that did not end the game.
    #[serde(default, rename = "mishaps", skip_serializing_if = "Vec::is_empty")]
    pub incidents: Vec<Fault>,
    /// The fleet worker that played the game, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
}

impl GameResult {
    /// The result in PGN.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// The result with colours swapped.
    pub const fn reversed(self) -> Self {
        match self {
            Self::WhiteWins => Self::BlackWins,
            Self::BlackWins => Self::WhiteWins,
            Self::Draw => Self::Draw,
        }
    }
}

impl GameRecord {
    /// Returns true if an engine or its machine failed: a fault other than a wrong answer ended the
    /// game.
    pub fn has_failed(&self) -> bool {
        let fault = self.fault.as_ref();
        fault.is_some_and(|fault| fault.kind.may_be_the_machine())
    }

    /// The points of an engine in this game, doubled: 2 for a win, 1 for a draw, 0 for a loss.
    /// `None` if the engine did not play.
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
