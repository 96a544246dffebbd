use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::model::{MoveText, Timestamp};

/// A legal move of a test case.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct CaseMove {
    /// As squares.
    #[serde(rename = "move")]
    pub mv: MoveText,
    /// In SAN.
    pub san: String,
    /// Number of lists with the move.
    pub yes: i64,
    /// Number of lists without it.
    pub no: i64,
    /// The probability that it is legal, by the crowd's labels alone.
    pub probability: f64,
}

/// Provenance of a test case.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Provenance {
    /// The campaign.
    pub campaign: String,
    /// Number of lists counted.
    pub lists: i64,
    /// When the first list was finished.
    #[schema(value_type = i64)]
    pub first_list_at: Timestamp,
    /// When the last list was finished.
    #[schema(value_type = i64)]
    pub last_list_at: Timestamp,
    /// The aggregation method.
    pub method: String,
    /// The version of this program.
    pub version: String,
}

/// A position on whose legal moves the crowd and the generators agree.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct TestCase {
    /// The number of the position.
    pub position_id: i64,
    /// Its name.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// Whether it is a Chess960 position.
    pub chess960: bool,
    /// An EPD record of it: `id`, `D1`, `lm` and comments.
    pub epd: String,
    /// Its legal moves.
    pub moves: Vec<CaseMove>,
    /// When it was certified.
    #[schema(value_type = i64)]
    pub certified_at: Timestamp,
    /// Its provenance.
    pub provenance: Provenance,
}

/// A position whose answer is public: gold, retired, or a test case.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct ClosedPosition {
    /// Its number.
    pub id: i64,
    /// Its name.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// Whether it is a Chess960 position.
    pub chess960: bool,
    /// Why its answer is public.
    pub state: super::PositionState,
    /// Its legal moves, in SAN.
    pub moves: Vec<super::Shown>,
    /// Illegal moves that contributors listed, with explanations, most frequent first.
    pub mistakes: Vec<super::Shown>,
    /// Number of lists.
    pub lists: i64,
}

/// Why a line of an import is rejected.
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

    /// Whether the position is merely a duplicate.
    pub fn is_duplicate(&self) -> bool {
        self.reason == Self::DUPLICATE
    }
}

/// The result of an import.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct ImportReport {
    /// Number of positions added.
    pub added: usize,
    /// Number of duplicates.
    pub duplicates: usize,
    /// Every rejected line and every duplicate.
    pub problems: Vec<ImportProblem>,
}
