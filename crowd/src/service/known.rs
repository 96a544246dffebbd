//! Assignments by their tokens.

use std::sync::Arc;

use super::{
    Assignment, AssignmentState, AssignmentToken, ContributorId, GivenPosition, Partner, Progress,
    Service, ServiceError, Side, TokenError,
};
use crate::model::{ListEvent, Mode, MoveText, Op, Timestamp};
use crate::store::StoreError;
use crate::store::entity::{assignment, event};

/// What of an assignment never changes.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) id: i64,
    pub(super) contributor: ContributorId,
    pub(super) position: i64,
    pub(super) mode: Mode,
    pub(super) issued_at: Timestamp,
    pub(super) expires_at: Timestamp,
    /// The questions of a second look, or the moves that were unsettled.
    pub(super) asked: Option<Vec<MoveText>>,
}

impl Given {
    pub(super) fn read(row: &assignment::Model) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id,
            contributor: ContributorId(row.contributor_id),
            position: row.position_id,
            mode: read("a mode", &row.mode)?,
            issued_at: Timestamp(row.issued_at),
            expires_at: Timestamp(row.expires_at),
            asked: row.asked.as_deref().map(moves).transpose()?,
        })
    }
}

/// Reads a text of the database.
pub(super) fn read<T: std::str::FromStr>(what: &'static str, text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::Value {
        what,
        found: format!("'{text}'"),
    })
}

/// Reads moves that are parted by blanks.
pub(super) fn moves(text: &str) -> Result<Vec<MoveText>, StoreError> {
    let texts = text.split_ascii_whitespace();
    texts.map(|text| read("a move", text)).collect()
}

/// Writes moves parted by blanks.
pub(super) fn text_of<'a>(moves: impl IntoIterator<Item = &'a MoveText>) -> String {
    let texts: Vec<&str> = moves.into_iter().map(MoveText::as_str).collect();
    texts.join(" ")
}

/// Reads events.
pub(super) fn events(rows: &[event::Model]) -> Result<Vec<ListEvent>, StoreError> {
    rows.iter().map(read_event).collect()
}

fn read_event(row: &event::Model) -> Result<ListEvent, StoreError> {
    let mut ops = [Op::Add, Op::Remove, Op::Yes, Op::No].into_iter();
    let op = ops.find(|op| op.as_str() == row.op);
    Ok(ListEvent {
        seq: u32::try_from(row.seq).unwrap_or(0),
        op: op.ok_or_else(|| StoreError::Value {
            what: "an operation",
            found: format!("'{}'", row.op),
        })?,
        mv: read("a move", &row.mv)?,
        at_ms: u32::try_from(row.at_ms).unwrap_or(u32::MAX),
    })
}

impl Service {
    /// An assignment with all its events.
    ///
    /// # Errors
    ///
    /// [`TokenError`] where the token opens nothing for this person, or the database fails.
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

    /// What the token opens, if it is this person's.
    pub(super) async fn given_to(
        &self,
        id: ContributorId,
        token: &AssignmentToken,
    ) -> Result<Arc<Given>, TokenError> {
        let known = self.given().get(token.as_str());
        let given = if let Some(given) = known {
            given
        } else {
            let given = Arc::new(Given::read(&self.row(token).await?)?);
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

    /// The assignment as it is now.
    pub(super) async fn row(
        &self,
        token: &AssignmentToken,
    ) -> Result<assignment::Model, TokenError> {
        let row = self.store().assignment_by_token(token.as_str()).await?;
        row.ok_or(TokenError::Unknown)
    }

    /// An assignment as it is shown to its owner.
    pub(super) async fn view(
        &self,
        row: &assignment::Model,
        again: bool,
    ) -> Result<Assignment, ServiceError> {
        let given = Given::read(row)?;
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
