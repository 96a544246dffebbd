use serde::Serialize;
use utoipa::ToSchema;

use super::AssignmentToken;
use crate::model::{ListEvent, Mode, MoveText, Timestamp};

/// The side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

/// A position as shown to a contributor: the diagram, without anything about legality.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GivenPosition {
    /// Its number.
    pub id: i64,
    /// Its FEN.
    pub fen: String,
    /// Whether it is a Chess960 position.
    pub chess960: bool,
    /// The side whose moves are to be listed.
    pub side_to_move: Side,
}

/// Progress of the partner in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Partner {
    /// Nobody has joined yet.
    Waiting,
    /// A partner lists the same position.
    Joined,
    /// The partner has finished.
    Finished,
}

/// An assignment: a position in a mode, given to one contributor.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Assignment {
    /// Its identifier.
    #[serde(rename = "assignment")]
    #[schema(value_type = String)]
    pub token: AssignmentToken,
    /// The mode.
    pub mode: Mode,
    /// The position.
    pub position: GivenPosition,
    /// When it was assigned.
    #[schema(value_type = i64)]
    pub issued_at: Timestamp,
    /// When it is closed, finished or not.
    #[schema(value_type = i64)]
    pub expires_at: Timestamp,
    /// Time limit by the contributor's own clock, in milliseconds.
    pub time_limit_ms: Option<u32>,
    /// The yes/no questions of a second look.
    pub questions: Option<Vec<MoveText>>,
    /// Progress of the partner, in a pair.
    pub partner: Option<Partner>,
    /// Whether this is an earlier assignment that was still open.
    #[serde(skip)]
    pub again: bool,
}

/// State of an assignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    /// It accepts events.
    Open,
    /// It was finished.
    Finished,
    /// It was returned without an answer.
    Skipped,
    /// Its time is over.
    Expired,
}

/// An assignment and its events.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AssignmentState {
    /// The assignment.
    #[serde(flatten)]
    pub assignment: Assignment,
    /// Its state.
    pub state: Progress,
    /// All events so far.
    pub events: Vec<ListEvent>,
}

/// Agreement of a pair; available when both have finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Agreement {
    /// Number of moves on both lists, counting only candidate moves.
    pub both: u32,
    /// Number of candidate moves on one list only.
    pub one: u32,
    /// The points for each of the two.
    pub points: i64,
}

/// The answer to finishing a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Finished {
    /// Number of moves on the list, or of answers given.
    pub moves: u32,
    /// The agreement, if the partner of a pair has finished too.
    pub agreement: Option<Agreement>,
}

/// A move in a result, with an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Shown {
    /// The move, as squares.
    #[serde(rename = "move")]
    pub mv: MoveText,
    /// In SAN, if it is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// Why it is legal or illegal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// The result of a contributor's list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum OwnResult {
    /// The answer is not known yet, or the list is not finished.
    Waiting,
    /// A moderator closed the position without determining its answer.
    Closed {
        /// The points for this list, from the agreement of a pair.
        points: i64,
    },
    /// The answer is known.
    Known {
        /// The total points for this list.
        points: i64,
        /// Whether the list was finished after the answer was public: then it earns nothing.
        late: bool,
        /// Legal moves on the list.
        found: Vec<Shown>,
        /// Legal moves that are not on the list.
        missed: Vec<Shown>,
        /// Illegal moves on the list.
        wrong: Vec<Shown>,
    },
}

impl std::str::FromStr for Progress {
    type Err = ();

    fn from_str(text: &str) -> Result<Self, ()> {
        match text {
            "open" => Ok(Self::Open),
            "finished" => Ok(Self::Finished),
            "skipped" => Ok(Self::Skipped),
            "expired" => Ok(Self::Expired),
            _ => Err(()),
        }
    }
}
