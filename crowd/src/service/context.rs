//! Converts assignments between database rows and values.

use super::{ContributorId, QueueMove};
use crate::model::{ListEvent, Mode, MoveText, Op, Timestamp};
use crate::store::StoreError;
use crate::store::entity::{assignment, event};

/// The constant part of an assignment.
#[derive(Clone, Debug)]
pub(super) struct AssignmentContext {
    pub(super) id: i64,
    pub(super) contributor: ContributorId,
    pub(super) position: i64,
    pub(super) mode: Mode,
    pub(super) issued_at: Timestamp,
    pub(super) expires_at: Timestamp,
    /// The questions of a second look, or the unsettled moves.
    pub(super) asked: Option<Vec<MoveText>>,
}

impl AssignmentContext {
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

/// Parses a text from the database.
pub(super) fn read<T: std::str::FromStr>(what: &'static str, text: &str) -> Result<T, StoreError> {
    text.parse().map_err(|_| StoreError::Value {
        what,
        found: format!("'{text}'"),
    })
}

/// Parses moves separated by blanks.
pub(super) fn moves(text: &str) -> Result<Vec<MoveText>, StoreError> {
    let texts = text.split_ascii_whitespace();
    texts.map(|text| read("a move", text)).collect()
}

/// Writes moves separated by blanks.
pub(super) fn text_of<'a>(moves: impl IntoIterator<Item = &'a MoveText>) -> String {
    let texts: Vec<&str> = moves.into_iter().map(MoveText::as_str).collect();
    texts.join(" ")
}

/// Parses events.
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

/// Parses the moves of a queue item.
pub(super) fn read_questions(text: &str) -> Result<Vec<QueueMove>, StoreError> {
    serde_json::from_str(text).map_err(|_| StoreError::Value {
        what: "the moves of an item of the queue",
        found: text.to_owned(),
    })
}
