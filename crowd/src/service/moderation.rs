use std::str::FromStr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::ContributorId;
use crate::model::{MoveText, Timestamp};

/// State of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum PositionState {
    /// More lists are wanted.
    Open,
    /// The crowd is certain, and the generator agrees.
    Agreed,
    /// In the moderators' queue: the crowd is certain but the generator disagrees, or many lists
    /// did not settle it.
    Disputed,
    /// A moderator has closed it.
    Retired,
    /// Its answer is known from the start.
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

    /// Whether the answer is shown to those who have finished.
    pub fn is_answer_known(self) -> bool {
        matches!(self, Self::Agreed | Self::Retired | Self::Gold)
    }

    /// Its name in texts and in the database.
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

/// A move on which the crowd and the generator disagree, or that many lists did not settle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct QueueMove {
    /// The move.
    #[serde(rename = "move")]
    pub mv: MoveText,
    /// Whether the crowd considers it possible; for an unsettled move, which way it leans.
    pub crowd_says: bool,
    /// What the rules imply, and why.
    pub explanation: String,
}

/// State of a queue item.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum QueueState {
    /// Waiting for a moderator.
    Open,
    /// Resolved by a moderator.
    Resolved,
}

/// A position in the moderators' queue.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct QueueItem {
    /// The number of the item.
    pub id: i64,
    /// The number of the position.
    pub position_id: i64,
    /// Its name.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// The moves in question.
    pub moves: Vec<QueueMove>,
    /// When it was added to the queue.
    #[schema(value_type = i64)]
    pub created_at: Timestamp,
    /// Its state.
    pub state: QueueState,
    /// The decision, if it is resolved.
    pub resolution: Option<Resolution>,
    /// The moderator's note.
    pub note: Option<String>,
}

/// A moderator's decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "kebab-case")]
pub enum Resolution {
    /// The generator is right: the position is retired and its answer shown.
    GeneratorIsRight,
    /// The crowd is right: the position is retired with the crowd's answer, and the generator has a
    /// bug.
    CrowdIsRight,
    /// More lists are wanted: the position is reopened.
    AskAgain,
    /// Undecidable: the position is retired without an answer and not scored.
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

    /// Its name in texts and in the database.
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

/// An indication that a list is not a person's own work.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FlagItem {
    /// The number of the flag.
    pub id: i64,
    /// The contributor of the list.
    pub contributor: ContributorId,
    /// Their name, if one was given.
    pub name: Option<String>,
    /// The number of the position.
    pub position_id: i64,
    /// The kind of flag.
    pub kind: String,
    /// Description of the evidence.
    pub detail: String,
    /// How strong it is, from 0 to 1.
    pub score: f64,
    /// When it was raised.
    #[schema(value_type = i64)]
    pub created_at: Timestamp,
    /// Whether the contributor's lists are excluded.
    pub set_aside: bool,
}

/// The state of a position, for moderators.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PositionOverview {
    /// Its number.
    pub id: i64,
    /// Its campaign.
    pub campaign: String,
    /// Its name.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// Its state.
    pub state: PositionState,
    /// Number of finished lists.
    pub lists: i64,
    /// Number of open assignments.
    pub open_assignments: i64,
    /// Number of unsettled moves.
    pub unsettled: i64,
}
