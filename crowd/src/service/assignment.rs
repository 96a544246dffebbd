//! Assignments: as shown to their owners, as rows, and by their tokens.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::error::from_store;
use super::positions::KnownPosition;
use super::rows::{AssignmentContext, events, read};
use super::{AssignmentToken, ContributorId, Service, ServiceError};
use crate::model::{ListEvent, Mode, MoveText, Progress, Side, Timestamp};
use crate::store::entity::assignment;
use crate::trust::Shown;

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

impl GivenPosition {
    pub(super) fn from_known(known: &KnownPosition) -> Self {
        Self {
            id: known.id,
            fen: known.fen.clone(),
            chess960: known.chess960,
            side_to_move: known.position.side_to_move().into(),
        }
    }
}

/// Progress of the partner in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Partner {
    /// Nobody has joined yet.
    Waiting,
    /// A partner lists the same position.
    Joined,
    /// A partner has the same position, but their page is closed.
    Away,
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
    /// The campaign that was asked for; none if any.
    pub campaign: Option<String>,
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

/// The result of a contributor's list.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum OwnResult {
    /// The answer is not known yet, or the list is not finished.
    Waiting,
    /// The list was faster than hands are: it does not count until a moderator allows it.
    Held,
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

#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error("there is no such assignment")]
    Unknown,
    #[error("this assignment was given to someone else")]
    NotYours,
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(TokenError);

impl Service {
    pub async fn assignment(
        &self,
        id: ContributorId,
        token: &AssignmentToken,
        now: Timestamp,
    ) -> Result<AssignmentState, TokenError> {
        self.given_to(id, token).await?;
        let row = self.row(token).await?;
        if row.mode == Mode::Pair {
            self.heard_of(row.id, now);
        }
        let kept = self.store().events(row.id).await?;
        // Upkeep closes it in its next round; its owner sees at once that it is over.
        let is_over = row.state == Progress::Open && row.expires_at <= now.0;
        Ok(AssignmentState {
            state: if is_over {
                Progress::Expired
            } else {
                row.state
            },
            events: events(&kept)?,
            assignment: self.view(&row, true, now).await?,
        })
    }

    /// The assignment of a token, if it belongs to this contributor.
    pub(super) async fn given_to(
        &self,
        id: ContributorId,
        token: &AssignmentToken,
    ) -> Result<Arc<AssignmentContext>, TokenError> {
        let known = self.given().get(token.as_str()).cloned();
        let given = if let Some(given) = known {
            given
        } else {
            let given = Arc::new(AssignmentContext::read(&self.row(token).await?)?);
            let key = token.as_str().to_owned();
            self.given().put(key, Arc::clone(&given));
            given
        };
        if given.contributor == id {
            Ok(given)
        } else {
            Err(TokenError::NotYours)
        }
    }

    pub(super) async fn row(
        &self,
        token: &AssignmentToken,
    ) -> Result<assignment::Model, TokenError> {
        let row = self.store().assignment_by_token(token.as_str()).await?;
        row.ok_or(TokenError::Unknown)
    }

    pub(super) async fn view(
        &self,
        row: &assignment::Model,
        again: bool,
        now: Timestamp,
    ) -> Result<Assignment, ServiceError> {
        let given = AssignmentContext::read(row)?;
        let limit = self.settings().time_limit_ms();
        let positions = self.positions();
        let known = positions.get(given.position)?;
        Ok(Assignment {
            token: read("a token", &row.token)?,
            mode: given.mode,
            campaign: (!row.wanted.is_empty()).then(|| row.wanted.clone()),
            position: GivenPosition::from_known(known),
            issued_at: given.issued_at,
            expires_at: given.expires_at,
            time_limit_ms: (given.mode == Mode::Timed).then_some(limit),
            // The moves of the mode for missing ones stay here: they would show what is in dispute.
            questions: given.asked.filter(|_| given.mode == Mode::Review),
            partner: self.partner(row, now).await?,
            again,
        })
    }

    async fn partner(
        &self,
        row: &assignment::Model,
        now: Timestamp,
    ) -> Result<Option<Partner>, ServiceError> {
        if row.mode != Mode::Pair {
            return Ok(None);
        }
        let other = self.other_of_pair(row.id).await?;
        Ok(Some(match other {
            None => Partner::Waiting,
            Some(other) if other.state == Progress::Finished => Partner::Finished,
            Some(other) if other.state == Progress::Open && self.is_present(other.id, now) => {
                Partner::Joined
            }
            Some(_) => Partner::Away,
        }))
    }
}
