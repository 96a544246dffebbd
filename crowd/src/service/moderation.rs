use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ContributorId;
use crate::model::{MoveText, Timestamp};

/// How far a position has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PositionState {
    /// Lists are asked for.
    Open,
    /// The crowd is sure and the generator says the same.
    Agreed,
    /// It waits for a moderator: the crowd is sure and the generator says otherwise, or many lists did not settle it.
    Disputed,
    /// A moderator has closed it.
    Retired,
    /// Its answer was known from the start.
    Gold,
}

impl PositionState {
    /// Every state.
    pub const ALL: [Self; 5] = [
        Self::Open,
        Self::Agreed,
        Self::Disputed,
        Self::Retired,
        Self::Gold,
    ];

    /// Whether the answer is open to those who have finished.
    pub fn is_answer_known(self) -> bool {
        matches!(self, Self::Agreed | Self::Retired | Self::Gold)
    }

    /// The word for it in texts and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Agreed => "agreed",
            Self::Disputed => "disputed",
            Self::Retired => "retired",
            Self::Gold => "gold",
        }
    }
}

impl FromStr for PositionState {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut all = Self::ALL.into_iter();
        all.find(|state| state.as_str() == text).ok_or(())
    }
}

/// A move that the crowd and the generator see differently, or that many lists did not settle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QueueMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: MoveText,
    /// Whether the crowd says that it is possible; of an unsettled move, which way it leans.
    pub crowd_says: bool,
    /// What the rules say, and why.
    pub explanation: String,
}

/// Whether an item still waits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum QueueState {
    /// It waits.
    Open,
    /// A moderator has decided it.
    Resolved,
}

/// A position that waits for a moderator.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct QueueItem {
    /// The number of the item.
    pub id: i64,
    /// The number of the position.
    pub position_id: i64,
    /// What it is called.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// The moves in question.
    pub moves: Vec<QueueMove>,
    /// When it came into the queue.
    #[schema(value_type = i64)]
    pub created_at: Timestamp,
    /// Whether it still waits.
    pub state: QueueState,
    /// What was decided, if it was.
    pub resolution: Option<Resolution>,
    /// The moderator's note.
    pub note: Option<String>,
}

/// What a moderator can decide.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// The generator is right: the position is retired and its answer shown.
    GeneratorIsRight,
    /// The crowd is right: the position is retired with the crowd's answer, and the generator has a bug to be fixed.
    CrowdIsRight,
    /// More lists are wanted: the position is opened again.
    AskAgain,
    /// Nobody can say: the position is retired without an answer, and nobody gets points against one.
    Retire,
}

impl Resolution {
    /// Every decision.
    pub const ALL: [Self; 4] = [
        Self::GeneratorIsRight,
        Self::CrowdIsRight,
        Self::AskAgain,
        Self::Retire,
    ];

    /// The word for it in texts and the database.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::GeneratorIsRight => "generator-is-right",
            Self::CrowdIsRight => "crowd-is-right",
            Self::AskAgain => "ask-again",
            Self::Retire => "retire",
        }
    }
}

impl FromStr for Resolution {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        let mut all = Self::ALL.into_iter();
        all.find(|resolution| resolution.as_str() == text).ok_or(())
    }
}

/// Something that makes a list look as if no person had made it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FlagItem {
    /// The number of the flag.
    pub id: i64,
    /// Whose list.
    pub contributor: ContributorId,
    /// Their name, if one was given.
    pub name: Option<String>,
    /// The number of the position.
    pub position_id: i64,
    /// What kind of flag.
    pub kind: String,
    /// What was seen.
    pub detail: String,
    /// How strong it is, from 0 to 1.
    pub score: f64,
    /// When it was raised.
    #[schema(value_type = i64)]
    pub created_at: Timestamp,
    /// Whether the contributor's lists are set aside.
    pub set_aside: bool,
}

/// How far a position has come, for a moderator.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PositionOverview {
    /// Its number.
    pub id: i64,
    /// Its campaign.
    pub campaign: String,
    /// What it is called.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// How far it has come.
    pub state: PositionState,
    /// Finished lists.
    pub lists: i64,
    /// Assignments that are being worked on.
    pub open_assignments: i64,
    /// Moves that are not settled yet.
    pub unsettled: i64,
}
