use serde::Serialize;
use utoipa::ToSchema;

use crate::model::{PlayerName, Timestamp};

/// The number a contributor is known by inside.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = i64)]
pub struct ContributorId(pub i64);

/// A person who lists moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributor {
    /// The number inside.
    pub id: ContributorId,
    /// What they want to be called, if anything.
    pub name: Option<PlayerName>,
    /// When they came first.
    pub created: Timestamp,
    /// Whether a moderator has set their lists aside.
    pub set_aside: bool,
}

/// How a contributor stands.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Standing {
    /// The number inside.
    pub id: ContributorId,
    /// The name, if one was given.
    pub name: Option<String>,
    /// All points.
    pub points: i64,
    /// The points of this day, in UTC.
    pub points_today: i64,
    /// Finished lists and second looks.
    pub lists: i64,
    /// How many days in a row, up to today or yesterday, a list was finished.
    pub streak: i64,
    /// Of the moves whose answer became known, the share that was right; nothing while none is known.
    pub accuracy: Option<f64>,
}

/// Which days a leaderboard counts.
#[derive(
    Clone,
    Copy,
    Debug,
    PartialEq,
    Eq,
    PartialOrd,
    Ord,
    Hash,
    serde::Deserialize,
    Serialize,
    ToSchema,
)]
#[serde(rename_all = "lowercase")]
pub enum Period {
    /// This day, in UTC.
    Day,
    /// All days.
    All,
}

/// One line of a leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BoardRow {
    /// The place, from 1; equals share one.
    pub rank: i64,
    /// Who.
    pub id: ContributorId,
    /// The name, if one was given.
    pub name: Option<String>,
    /// The points of the period.
    pub points: i64,
    /// The lists that earned them.
    pub lists: i64,
    /// What the order is by: the lower bound of the share that was right.
    pub bound: f64,
}

/// How much of everything there is, for the metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Counts {
    /// People.
    pub contributors: i64,
    /// Positions.
    pub positions: i64,
    /// Assignments that are being worked on.
    pub open_assignments: i64,
    /// Finished lists and second looks.
    pub lists: i64,
    /// Test cases.
    pub test_cases: i64,
    /// Positions that wait for a moderator.
    pub queue: i64,
    /// Flags.
    pub flags: i64,
}
