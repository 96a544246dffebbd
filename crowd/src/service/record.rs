//! Records events: validated, stored once, in order.

use super::context::AssignmentContext;
use super::positions::KnownPosition;
use super::{AssignmentToken, ContributorId, RecordError, Service, TokenError};
use crate::model::{ListEvent, Mode, MoveText, Op, Timestamp};
use crate::store::entity::assignment;
use crate::store::{Kept, NewEvent, NewEvents};
use crate::universe::canonical;

/// Maximum number of retries when a rejection no longer has a reason.
const ATTEMPTS: usize = 3;

impl Service {
    /// Records events of a list or a second look; returns the sequence number up to which all are
    /// stored.
    ///
    /// Repeating stored events is harmless, as long as they are the same.
    ///
    /// # Errors
    ///
    /// [`RecordError`] when any event is rejected; then none is stored.
    pub async fn record(
        &self,
        id: ContributorId,
        token: &AssignmentToken,
        events: Vec<ListEvent>,
        now: Timestamp,
    ) -> Result<u32, RecordError> {
        let given = self.given_to(id, token).await?;
        let Some(last) = events.last().map(|event| event.seq) else {
            let row = self.row(token).await?;
            return Ok(u32::try_from(row.event_count).unwrap_or(0));
        };
        let new = self.new_events(&given, &events)?;
        for _ in 0..ATTEMPTS {
            match self.store().record(&new, now.0).await? {
                Kept::All => return Ok(last),
                Kept::Conflict(seq) => return Err(conflict(seq)),
                Kept::Refused => {}
            }
            let row = self.row(token).await?;
            if self.is_kept(&row, &new).await? {
                return Ok(last);
            }
            refuse(&row, &new, now)?;
        }
        Err(RecordError::Frozen)
    }

    /// Returns an assignment without an answer. Idempotent.
    ///
    /// # Errors
    ///
    /// [`RecordError`] when it was closed in another way.
    pub async fn skip(
        &self,
        id: ContributorId,
        token: &AssignmentToken,
        _now: Timestamp,
    ) -> Result<(), RecordError> {
        let given = self.given_to(id, token).await?;
        if self.store().close_unanswered(given.id, "skipped").await? {
            return Ok(());
        }
        match self.row(token).await?.state.as_str() {
            "skipped" => Ok(()),
            "expired" => Err(RecordError::Expired),
            _ => Err(RecordError::Frozen),
        }
    }

    /// Whether all these events are already stored; a different one with the same number is an
    /// error.
    pub(super) async fn is_kept(
        &self,
        row: &assignment::Model,
        new: &NewEvents,
    ) -> Result<bool, RecordError> {
        match self.store().conflict(new).await? {
            Some(seq) => Err(conflict(seq)),
            None => Ok(new.last() <= row.event_count),
        }
    }

    /// Validates form and sequence numbers.
    pub(super) fn new_events(
        &self,
        given: &AssignmentContext,
        events: &[ListEvent],
    ) -> Result<NewEvents, RecordError> {
        let most = self.settings().max_events;
        let first = events.first().map_or(1, |event| event.seq);
        if first == 0 {
            return Err(RecordError::Numbers(
                "events are numbered from 1".to_owned(),
            ));
        }
        if first > most || events.len() > most as usize {
            return Err(RecordError::TooMany { most });
        }
        let in_order = (first..).zip(events).all(|(seq, event)| event.seq == seq);
        if !in_order {
            let message = "the numbers of events rise by 1";
            return Err(RecordError::Numbers(message.to_owned()));
        }
        if events.last().is_some_and(|event| event.seq > most) {
            return Err(RecordError::TooMany { most });
        }
        let positions = self.positions();
        let known = positions.get(given.position)?;
        let checked = events.iter().map(|event| check(given, known, event));
        Ok(NewEvents {
            assignment: given.id,
            first: i32::try_from(first).unwrap_or(i32::MAX),
            events: checked.collect::<Result<_, _>>()?,
        })
    }
}

fn check(
    given: &AssignmentContext,
    known: &KnownPosition,
    event: &ListEvent,
) -> Result<NewEvent, RecordError> {
    let refuse = |reason: String| RecordError::Move {
        seq: event.seq,
        reason,
    };
    let is_list = matches!(event.op, Op::Add | Op::Remove);
    if is_list != given.mode.asks_for_list() {
        let op = event.op.as_str();
        return Err(refuse(format!("'{op}' is not an operation of this mode")));
    }
    let mv = canonical(&known.position, &event.mv).map_err(|error| refuse(error.to_string()))?;
    if given.mode == Mode::Review && !asks_about(given, &mv) {
        return Err(refuse(format!("{mv} is not one of the questions")));
    }
    Ok(NewEvent {
        op: event.op.as_str(),
        mv: mv.to_string(),
        at_ms: i64::from(event.at_ms),
    })
}

fn asks_about(given: &AssignmentContext, mv: &MoveText) -> bool {
    given.asked.as_ref().is_some_and(|asked| asked.contains(mv))
}

pub(super) fn conflict(seq: i32) -> RecordError {
    RecordError::Conflict {
        seq: u32::try_from(seq).unwrap_or(0),
    }
}

/// Why the database rejected the events; `None` if it would accept them now.
pub(super) fn refuse(
    row: &assignment::Model,
    new: &NewEvents,
    now: Timestamp,
) -> Result<(), RecordError> {
    match row.state.as_str() {
        "open" if row.expires_at <= now.0 => Err(RecordError::Expired),
        "open" if row.event_count < new.first - 1 => Err(RecordError::Gap {
            expected: u32::try_from(row.event_count).unwrap_or(0) + 1,
        }),
        "open" => Ok(()),
        "expired" => Err(RecordError::Expired),
        _ => Err(RecordError::Frozen),
    }
}

impl From<TokenError> for RecordError {
    fn from(error: TokenError) -> Self {
        match error {
            TokenError::Unknown => Self::Unknown,
            TokenError::NotYours => Self::NotYours,
            TokenError::Service(error) => Self::Service(error),
        }
    }
}
