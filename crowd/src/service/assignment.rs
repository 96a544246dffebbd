use serde::Serialize;
use utoipa::ToSchema;

use super::AssignmentToken;
use crate::model::{ListEvent, Mode, MoveText, Timestamp};

/// Who is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Side {
    /// White.
    White,
    /// Black.
    Black,
}

/// A position as it is given to a person: the diagram and nothing about what is possible in it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GivenPosition {
    /// Its number.
    pub id: i64,
    /// Its FEN.
    pub fen: String,
    /// Whether castling is Chess960's.
    pub chess960: bool,
    /// Whose moves are asked for.
    pub side_to_move: Side,
}

/// How far the other one of a pair is.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Partner {
    /// Nobody has come yet.
    Waiting,
    /// Someone lists the same position.
    Joined,
    /// They have finished.
    Finished,
}

/// One person's task: a position in a mode.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Assignment {
    /// What it is known by.
    #[serde(rename = "assignment")]
    #[schema(value_type = String)]
    pub token: AssignmentToken,
    /// How it is to be worked on.
    pub mode: Mode,
    /// The position.
    pub position: GivenPosition,
    /// When it was given.
    #[schema(value_type = i64)]
    pub issued_at: Timestamp,
    /// When it is closed, finished or not.
    #[schema(value_type = i64)]
    pub expires_at: Timestamp,
    /// How long it may take, by the person's own clock.
    pub time_limit_ms: Option<u32>,
    /// The moves to say yes or no to, in a second look.
    pub questions: Option<Vec<MoveText>>,
    /// How far the other one is, in a pair.
    pub partner: Option<Partner>,
    /// Whether this one was given before and is given again.
    #[serde(skip)]
    pub again: bool,
}

/// How far an assignment has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Progress {
    /// It takes events.
    Open,
    /// It was finished.
    Finished,
    /// It was given back without an answer.
    Skipped,
    /// Its time is over.
    Expired,
}

/// An assignment with what was done to it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct AssignmentState {
    /// The assignment.
    #[serde(flatten)]
    pub assignment: Assignment,
    /// How far it has come.
    pub state: Progress,
    /// All its events.
    pub events: Vec<ListEvent>,
}

/// How far a pair agrees; told when both have finished.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Agreement {
    /// Moves that are on both lists, of those that a piece could make on an empty board.
    pub both: u32,
    /// Moves of the same kind that are on one list only.
    pub one: u32,
    /// The points each gets.
    pub points: i64,
}

/// What finishing is answered with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Finished {
    /// The moves on the list, or the answers given.
    pub moves: u32,
    /// The agreement, in a pair whose other one has finished.
    pub agreement: Option<Agreement>,
}

/// A move of a result, with what there is to say about it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct Shown {
    /// The move, as squares.
    #[serde(rename = "move")]
    pub mv: MoveText,
    /// In algebraic notation, where it is legal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// Why it was missed or is not possible.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// What became of a person's list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum OwnResult {
    /// The answer is not known yet, or the list is not finished.
    Waiting,
    /// A moderator closed the position without an answer.
    Closed {
        /// The points for this list, which are those of a pair's agreement.
        points: i64,
    },
    /// The answer is known.
    Known {
        /// The points for this list, of all kinds.
        points: i64,
        /// Whether the list was finished when the position was closed and its answer open: then it earns nothing.
        late: bool,
        /// Right moves.
        found: Vec<Shown>,
        /// Legal moves that are not on the list.
        missed: Vec<Shown>,
        /// Moves on the list that are not legal.
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
