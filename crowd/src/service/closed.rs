use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::{MoveText, Timestamp};

/// A legal move of a test case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CaseMove {
    /// As squares.
    #[serde(rename = "move")]
    pub mv: MoveText,
    /// In algebraic notation.
    pub san: String,
    /// How many lists have it.
    pub yes: i64,
    /// How many do not.
    pub no: i64,
    /// How probable it is by the crowd's labels alone.
    pub probability: f64,
}

/// Where a test case comes from.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Provenance {
    /// The campaign.
    pub campaign: String,
    /// How many lists were counted.
    pub lists: i64,
    /// When the first of them was finished.
    #[schema(value_type = i64)]
    pub first_list_at: Timestamp,
    /// When the last was.
    #[schema(value_type = i64)]
    pub last_list_at: Timestamp,
    /// By which method the lists became one.
    pub method: String,
    /// The version of this program.
    pub version: String,
}

/// A position whose moves the crowd and the generators agree on.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TestCase {
    /// The number of the position.
    pub position_id: i64,
    /// What it is called.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// Whether castling is Chess960's.
    pub chess960: bool,
    /// The record to put into a suite: `id`, `D1`, `lm` and comments.
    pub epd: String,
    /// Its legal moves.
    pub moves: Vec<CaseMove>,
    /// When it was certified.
    #[schema(value_type = i64)]
    pub certified_at: Timestamp,
    /// Where it comes from.
    pub provenance: Provenance,
}

/// A position whose answer is no secret: gold, retired, or a test case.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ClosedPosition {
    /// Its number.
    pub id: i64,
    /// What it is called.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// Whether castling is Chess960's.
    pub chess960: bool,
    /// Why its answer is open to all.
    pub state: super::PositionState,
    /// Its legal moves, in algebraic notation.
    pub moves: Vec<super::Shown>,
    /// Moves that people listed and that are not legal, with why, commonest first.
    pub mistakes: Vec<super::Shown>,
    /// How many lists it has.
    pub lists: i64,
}

/// Why a line of an imported text is not taken.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportProblem {
    /// The line, from 1.
    pub line: usize,
    /// The column, from 1.
    pub column: usize,
    /// What is wrong with it.
    pub reason: String,
}

impl ImportProblem {
    const DUPLICATE: &str = "this position is there already";

    pub(super) fn duplicate(line: usize) -> Self {
        Self {
            line,
            column: 1,
            reason: Self::DUPLICATE.to_owned(),
        }
    }

    /// Whether it is only that the position is there already.
    pub fn is_duplicate(&self) -> bool {
        self.reason == Self::DUPLICATE
    }
}

/// What became of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportReport {
    /// How many positions were added.
    pub added: usize,
    /// How many were there already.
    pub duplicates: usize,
    /// Every line that was not taken, and every duplicate.
    pub problems: Vec<ImportProblem>,
}
