//! Assignments by their tokens.

use super::context::{AssignmentContext, events, read};
use std::sync::Arc;

use super::{
    Assignment, AssignmentState, AssignmentToken, ContributorId, GivenPosition, Partner, Progress,
    Service, ServiceError, Side, TokenError,
};
use crate::model::{Mode, Timestamp};
use crate::store::entity::assignment;

impl Service {
    /// An assignment with all its events.
    ///
    /// # Errors
    ///
    /// [`TokenError`] when the token is not valid for this contributor, or the database fails.
    pub async fn assignment(
        &self,
        id: ContributorId,
        token: &AssignmentToken,
        now: Timestamp,
    ) -> Result<AssignmentState, TokenError> {
        self.given_to(id, token).await?;
        let row = self.row(token).await?;
        let kept = self.store().events(row.id).await?;
        let progress: Progress = read("a state", &row.state)?;
        let is_over = progress == Progress::Open && row.expires_at <= now.0;
        Ok(AssignmentState {
            state: if is_over { Progress::Expired } else { progress },
            events: events(&kept)?,
            assignment: self.view(&row, true).await?,
        })
    }

    /// The assignment of a token, if it belongs to this contributor.
    pub(super) async fn given_to(
        &self,
        id: ContributorId,
        token: &AssignmentToken,
    ) -> Result<Arc<AssignmentContext>, TokenError> {
        let known = self.given().get(token.as_str());
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

    /// The current database row of the assignment.
    pub(super) async fn row(
        &self,
        token: &AssignmentToken,
    ) -> Result<assignment::Model, TokenError> {
        let row = self.store().assignment_by_token(token.as_str()).await?;
        row.ok_or(TokenError::Unknown)
    }

    /// The assignment as shown to its owner.
    pub(super) async fn view(
        &self,
        row: &assignment::Model,
        again: bool,
    ) -> Result<Assignment, ServiceError> {
        let given = AssignmentContext::read(row)?;
        let limit = self.settings().time_limit_ms();
        Ok(Assignment {
            token: read("a token", &row.token)?,
            mode: given.mode,
            position: self.given_position(given.position)?,
            issued_at: given.issued_at,
            expires_at: given.expires_at,
            time_limit_ms: (given.mode == Mode::Timed).then_some(limit),
            questions: given.asked.filter(|_| given.mode == Mode::Review),
            partner: self.partner(row).await?,
            again,
        })
    }

    fn given_position(&self, id: i64) -> Result<GivenPosition, ServiceError> {
        let positions = self.positions();
        let known = positions.get(id)?;
        let side_to_move = match known.position.side_to_move() {
            chess::rules::Color::White => Side::White,
            chess::rules::Color::Black => Side::Black,
        };
        Ok(GivenPosition {
            id,
            fen: known.fen.clone(),
            chess960: known.chess960,
            side_to_move,
        })
    }

    async fn partner(&self, row: &assignment::Model) -> Result<Option<Partner>, ServiceError> {
        if row.mode != Mode::Pair.as_str() {
            return Ok(None);
        }
        let other = self.other_of_pair(row.id).await?;
        Ok(Some(match other {
            None => Partner::Waiting,
            Some(other) if other.state == "finished" => Partner::Finished,
            Some(_) => Partner::Joined,
        }))
    }
}
