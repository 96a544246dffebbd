use serde::Serialize;
use utoipa::ToSchema;

use crate::model::{PlayerName, Timestamp};

/// Internal number of a contributor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = i64)]
pub struct ContributorId(pub i64);

/// A person who lists moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributor {
    /// The internal number.
    pub id: ContributorId,
    /// The chosen name, if any.
    pub name: Option<PlayerName>,
    /// When the contributor was created.
    pub created: Timestamp,
    /// Whether a moderator has excluded their lists.
    pub set_aside: bool,
}

/// The standing of a contributor.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Standing {
    /// The internal number.
    pub id: ContributorId,
    /// The name, if one was given.
    pub name: Option<String>,
    /// Total points.
    pub points: i64,
    /// Points of the current UTC day.
    pub points_today: i64,
    /// Number of finished lists and second looks.
    pub lists: i64,
    /// Number of consecutive days, up to today or yesterday, with a finished list.
    pub streak: i64,
    /// Share of correct decisions on moves whose answer is known; none without any.
    pub accuracy: Option<f64>,
}

/// The period of a leaderboard.
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
    /// The current UTC day.
    Day,
    /// All days.
    All,
}

/// A row of a leaderboard.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct BoardRow {
    /// The rank, from 1; ties share one.
    pub rank: i64,
    /// The contributor.
    pub id: ContributorId,
    /// The name, if one was given.
    pub name: Option<String>,
    /// Points in the period.
    pub points: i64,
    /// Number of lists that earned them.
    pub lists: i64,
    /// The sort key: the lower bound of accuracy.
    pub bound: f64,
}

/// Total counts, for the metrics.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, ToSchema)]
pub struct Counts {
    /// Number of contributors.
    pub contributors: i64,
    /// Positions.
    pub positions: i64,
    /// Assignments in progress.
    pub open_assignments: i64,
    /// Finished lists and second looks.
    pub lists: i64,
    /// Test cases.
    pub test_cases: i64,
    /// Positions waiting for a moderator.
    pub queue: i64,
    /// Flags.
    pub flags: i64,
}
