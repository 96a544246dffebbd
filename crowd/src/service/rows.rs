//! What rows of the database mean.

use serde::Serialize;
use utoipa::ToSchema;

use crate::model::{ListEvent, MoveText, PlayerName, Purpose, Timestamp};
use crate::store::StoreError;
use crate::store::entity::{contributor, event, list};
use crate::trust::QueueMove;

/// Internal number of a contributor.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, ToSchema)]
#[serde(transparent)]
#[schema(value_type = i64)]
pub struct ContributorId(pub i64);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Contributor {
    pub id: ContributorId,
    pub name: Option<PlayerName>,
    pub created: Timestamp,
    pub quarantined: bool,
}

impl From<contributor::Model> for Contributor {
    fn from(row: contributor::Model) -> Self {
        Self {
            id: ContributorId(row.id),
            name: row.name.and_then(|name| name.parse().ok()),
            created: Timestamp(row.created_at),
            quarantined: row.quarantined,
        }
    }
}

impl list::Model {
    /// When it was finished, or else begun.
    pub(crate) fn last_at(&self) -> Timestamp {
        Timestamp(self.finished_at.unwrap_or(self.issued_at))
    }

    /// From its beginning to its end, in milliseconds, by the server's clock.
    pub fn took_ms(&self) -> i64 {
        self.last_at().0.saturating_sub(self.issued_at).max(0)
    }
}

/// The constant part of a list.
#[derive(Clone, Debug)]
pub(super) struct ListContext {
    pub(super) id: i64,
    pub(super) contributor: ContributorId,
    pub(super) position: i64,
    pub(super) purpose: Purpose,
    pub(super) issued_at: Timestamp,
    pub(super) expires_at: Timestamp,
    pub(super) limit_ms: Option<i64>,
    /// The questions of a second look.
    pub(super) asked: Option<Vec<MoveText>>,
}

impl ListContext {
    pub(super) fn read(row: &list::Model) -> Result<Self, StoreError> {
        Ok(Self {
            id: row.id,
            contributor: ContributorId(row.contributor_id),
            position: row.position_id,
            purpose: row.purpose,
            issued_at: Timestamp(row.issued_at),
            expires_at: Timestamp(row.expires_at),
            limit_ms: row.limit_ms,
            asked: row.asked.as_deref().map(moves).transpose()?,
        })
    }
}

impl ListContext {
    /// The time limit, which is never reached if there is none.
    pub(super) fn limit_ms(&self) -> u32 {
        let limit = self.limit_ms.and_then(|limit| u32::try_from(limit).ok());
        limit.unwrap_or(u32::MAX)
    }
}

pub(super) fn read<T: std::str::FromStr>(what: &'static str, text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::Value {
        what,
        found: format!("'{text}'"),
    })
}

pub(super) fn moves(text: &str) -> Result<Vec<MoveText>, StoreError> {
    let texts = text.split_ascii_whitespace();
    texts.map(|text| read("a move", text)).collect()
}

pub(super) fn text_of<'a>(moves: impl IntoIterator<Item = &'a MoveText>) -> String {
    let texts: Vec<&str> = moves.into_iter().map(MoveText::as_str).collect();
    texts.join(" ")
}

pub(super) fn events(rows: &[event::Model]) -> Result<Vec<ListEvent>, StoreError> {
    let read_one = |row: &event::Model| {
        Ok(ListEvent {
            seq: u32::try_from(row.seq).unwrap_or(0),
            op: row.op,
            mv: read("a move", &row.mv)?,
            at_ms: u32::try_from(row.at_ms).unwrap_or(u32::MAX),
        })
    };
    rows.iter().map(read_one).collect()
}

pub(super) fn read_questions(text: &str) -> Result<Vec<QueueMove>, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Value {
        what: "the moves of an item of the queue",
        found: text.to_owned(),
    })
}
