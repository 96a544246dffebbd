//! Records events, validated, stored once and in order, and closes lists, by their owner or by timeout.

use std::time::Duration;

use super::error::from_store;
use super::positions::KnownPosition;
use super::rows::{ListContext, events, text_of};
use super::{Agreement, ContributorId, ListResult, ListToken, Service, ServiceError, TokenError};
use crate::candidates::canonical;
use crate::model::{ListEvent, MoveText, Op, Progress, Purpose, Timestamp, answers, moves_of};
use crate::store::entity::{event, list};
use crate::store::{Closing, Kept, NewEvents, close};
use crate::trust::moves_in_time;
use crate::trust::suspicion::{TimedList, TimedMove, is_by_program};

/// Maximum number of retries when a rejection no longer has a reason.
const ATTEMPTS: usize = 3;

#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error(transparent)]
    Token(#[from] TokenError),
    #[error("the time for this list is over")]
    Expired,
    #[error("this list is finished and takes no more events")]
    Frozen,
    #[error("at most {most} positions a day can be skipped")]
    TooManyLeft { most: u32 },
    #[error("event {expected} is expected next")]
    Gap { expected: u32 },
    #[error("event {seq} is there already and differs")]
    Conflict { seq: u32 },
    #[error("event {seq}: {reason}")]
    Move { seq: u32, reason: String },
    /// Sequence numbers do not begin at 1 or do not rise by 1, or the count is not that of all
    /// events.
    #[error("{0}")]
    Numbers(String),
    #[error("a list has at most {most} events")]
    TooMany { most: u32 },
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(RecordError);

impl Service {
    /// Records events of a list or a second look; returns the sequence number up to which all are
    /// stored.
    ///
    /// Repeating stored events is harmless, as long as they are the same.
    /// If any event is rejected, none is stored.
    pub async fn record(
        &self,
        id: ContributorId,
        token: &ListToken,
        events: Vec<ListEvent>,
        now: Timestamp,
    ) -> Result<u32, RecordError> {
        let given = self.given_to(id, token).await?;
        if given.purpose == Purpose::Pair {
            self.heard_of(given.id, now);
        }
        let Some(last) = events.last().map(|event| event.seq) else {
            let row = self.row(token).await?;
            return Ok(u32::try_from(row.event_count).unwrap_or(0));
        };
        let new = self.new_events(&given, &events).await?;
        for _ in 0..ATTEMPTS {
            // The reason of a rejection is looked up after it: another request may have removed it
            // by then.
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

    /// Returns a list without an answer. Idempotent. Skips are few, so that nobody can skip
    /// until they meet the position that they want.
    pub async fn skip(
        &self,
        id: ContributorId,
        token: &ListToken,
        now: Timestamp,
    ) -> Result<(), RecordError> {
        let given = self.given_to(id, token).await?;
        let most = self.settings().skips;
        if self.row(token).await?.state == Progress::Open
            && self.left_lately(id, now).await? >= u64::from(most)
        {
            return Err(RecordError::TooManyLeft { most });
        }
        let skipped = self.store().close_unanswered(given.id, Progress::Skipped);
        if skipped.await? {
            return Ok(());
        }
        match self.row(token).await?.state {
            Progress::Skipped => Ok(()),
            Progress::Expired => Err(RecordError::Expired),
            Progress::Open | Progress::Finished => Err(RecordError::Frozen),
        }
    }

    /// Whether all these events are already stored; a different one with the same number is an
    /// error.
    pub(super) async fn is_kept(
        &self,
        row: &list::Model,
        new: &NewEvents,
    ) -> Result<bool, RecordError> {
        match self.store().conflict(new).await? {
            Some(seq) => Err(conflict(seq)),
            None => Ok(new.last() <= row.event_count),
        }
    }

    pub(super) async fn new_events(
        &self,
        given: &ListContext,
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
        let known = self.known(given.position).await?;
        let checked = events.iter().map(|event| check(given, &known, event));
        Ok(NewEvents {
            list: given.id,
            first: i32::try_from(first).unwrap_or(i32::MAX),
            events: checked.collect::<Result<_, _>>()?,
        })
    }
}

fn check(
    given: &ListContext,
    known: &KnownPosition,
    event: &ListEvent,
) -> Result<ListEvent, RecordError> {
    let refuse = |reason: String| RecordError::Move {
        seq: event.seq,
        reason,
    };
    let is_list = matches!(event.op, Op::Add | Op::Remove);
    if is_list != given.purpose.asks_for_list() {
        let op = event.op.as_str();
        return Err(refuse(format!("'{op}' is not an operation of this mode")));
    }
    let mv = canonical(&known.position, &event.mv).map_err(|error| refuse(error.to_string()))?;
    if given.purpose == Purpose::Review
        && !given
            .asked
            .as_ref()
            .is_some_and(|asked| asked.contains(&mv))
    {
        return Err(refuse(format!("{mv} is not one of the questions")));
    }
    Ok(ListEvent {
        mv,
        ..event.clone()
    })
}

pub(super) fn conflict(seq: i32) -> RecordError {
    RecordError::Conflict {
        seq: u32::try_from(seq).unwrap_or(0),
    }
}

/// Why the database rejected the events; `None` if it would accept them now.
pub(super) fn refuse(
    row: &list::Model,
    new: &NewEvents,
    now: Timestamp,
) -> Result<(), RecordError> {
    match row.state {
        Progress::Open if row.expires_at <= now.0 => Err(RecordError::Expired),
        Progress::Open if row.event_count < new.first - 1 => Err(RecordError::Gap {
            expected: u32::try_from(row.event_count).unwrap_or(0) + 1,
        }),
        Progress::Open => Ok(()),
        Progress::Expired => Err(RecordError::Expired),
        Progress::Finished | Progress::Skipped => Err(RecordError::Frozen),
    }
}

/// A timed list counts as finished by its owner only if finished this long before the limit.
const CLEARLY_MS: i64 = 1000;

impl Service {
    /// Accepts the last events and closes the list; `count` is the number of all its events.
    ///
    /// Idempotent. A timed list whose time is over is closed as it is.
    /// If events are rejected or missing, the list stays open.
    pub async fn finish(
        &self,
        id: ContributorId,
        token: &ListToken,
        events: Vec<ListEvent>,
        count: u32,
        now: Timestamp,
    ) -> Result<ListResult, RecordError> {
        let given = self.given_to(id, token).await?;
        let new = self.last_events(&given, &events, count).await?;
        for _ in 0..ATTEMPTS {
            match self.close_with(&given, &new, true, now).await? {
                Kept::All => return Ok(self.result(id, token, now).await?),
                Kept::Conflict(seq) => return Err(conflict(seq)),
                Kept::Refused => {}
            }
            let row = self.row(token).await?;
            let is_over = row.expires_at <= now.0 && row.state == Progress::Open;
            if is_over && given.purpose == Purpose::Timed {
                // The page came too late even for the grace, so what had arrived by then counts.
                self.close_overdue(&row, now).await?;
                continue;
            }
            // A list that its time limit closed may lack the last events; its owner still gets an
            // answer.
            let is_same = row.event_count == new.last() || !row.complete;
            if row.state == Progress::Finished && is_same {
                self.is_kept(&row, &new).await?;
                return Ok(self.result(id, token, now).await?);
            }
            refuse(&row, &new, now)?;
        }
        Err(RecordError::Frozen)
    }

    async fn last_events(
        &self,
        given: &ListContext,
        events: &[ListEvent],
        count: u32,
    ) -> Result<NewEvents, RecordError> {
        let most = self.settings().max_events;
        if count > most {
            return Err(RecordError::TooMany { most });
        }
        let mut new = self.new_events(given, events).await?;
        match events.last() {
            // Events that begin after the last one: the database then checks that all before are
            // there.
            None => new.first = i32::try_from(count).unwrap_or(i32::MAX).saturating_add(1),
            Some(last) if last.seq != count => {
                let last = last.seq;
                let message = format!("the last event is {last}, the count says {count}");
                return Err(RecordError::Numbers(message));
            }
            Some(_) => {}
        }
        Ok(new)
    }

    /// Stores the last events and closes the list in one transaction; `complete` means that its
    /// owner closes it.
    async fn close_with(
        &self,
        given: &ListContext,
        new: &NewEvents,
        complete: bool,
        now: Timestamp,
    ) -> Result<Kept, RecordError> {
        let (transaction, kept) = match self.store().begin_closing(new, now.0).await? {
            Ok(begun) => begun,
            Err(refused) => return Ok(refused),
        };
        let found = kept.len();
        let count = usize::try_from(new.last()).unwrap_or(0);
        // Another window of the same person has added events that this page does not know.
        if complete && found > count {
            // Nothing was changed; dropping the transaction rolls it back.
            return Ok(Kept::Conflict(new.last().saturating_add(1)));
        }
        let read = events(&kept)?;
        let mut closing = self.closing(given, &read, complete, now);
        let list = || timed_list((given.contributor.0, given.issued_at), &kept, &read);
        // What is no evidence does no harm, and its owner must see the result.
        closing.held |= self.holds_lists()
            && given.purpose.is_of_crowd()
            && given.purpose.asks_for_list()
            && is_by_program(&list());
        let closed = close(transaction, given.id, &closing).await?;
        Ok(if closed { Kept::All } else { Kept::Refused })
    }

    fn closing(
        &self,
        given: &ListContext,
        events: &[ListEvent],
        complete: bool,
        now: Timestamp,
    ) -> Closing {
        let (moves, refused) = match given.purpose {
            Purpose::Review => split(events),
            Purpose::Timed => (moves_in_time(events, given.limit_ms()), Vec::new()),
            _ => (moves_of(events), Vec::new()),
        };
        let cut_off = given.purpose == Purpose::Timed && {
            // A page finishes by itself when the time is up: that is no end by its owner.
            let limit = given.limit_ms();
            let clearly_before = given.issued_at.0 + i64::from(limit) - CLEARLY_MS;
            now.0 >= clearly_before || events.iter().any(|event| event.at_ms >= limit)
        };
        Closing {
            at: now.0,
            held: given.purpose.is_of_crowd()
                && self.is_impossible(given, events, moves.len() + refused.len(), now),
            moves: text_of(&moves),
            refused: text_of(&refused),
            complete: complete && !cut_off,
        }
    }

    /// Whether lists that look like a program's wait for a moderator.
    pub(super) fn holds_lists(&self) -> bool {
        !self.settings().hand_per_move.is_zero()
    }

    /// Whether no person is so fast, by the server's clock or by the contributor's own, whichever
    /// shows less time.
    fn is_impossible(
        &self,
        given: &ListContext,
        events: &[ListEvent],
        moves: usize,
        now: Timestamp,
    ) -> bool {
        let own = events.iter().map(|event| event.at_ms).max().unwrap_or(0);
        let own = Duration::from_millis(own.into());
        let moves = u32::try_from(moves).unwrap_or(u32::MAX);
        let least = self.settings().hand_per_move.saturating_mul(moves);
        now.since(given.issued_at).min(own) < least
    }

    /// Closes overdue lists: timed lists as they are, others without an answer.
    pub(super) async fn close_overdue(
        &self,
        row: &list::Model,
        now: Timestamp,
    ) -> Result<bool, ServiceError> {
        // A timed list that runs out without a move is a draw without work, as a skip is.
        if row.purpose != Purpose::Timed || row.event_count == 0 {
            let closed = self.store().close_unanswered(row.id, Progress::Expired);
            return Ok(closed.await?);
        }
        let given = ListContext::read(row)?;
        let nothing_new = NewEvents {
            list: row.id,
            first: 1,
            events: Vec::new(),
        };
        // After the expiry the close would be rejected, so it is dated to the last valid moment.
        let last_moment = Timestamp(row.expires_at.min(now.0) - 1);
        match self
            .close_with(&given, &nothing_new, false, last_moment)
            .await
        {
            Ok(kept) => Ok(kept == Kept::All),
            Err(RecordError::Service(error)) => Err(error),
            // Another request has closed it in the meantime.
            Err(_) => Ok(false),
        }
    }

    /// The agreement of a pair, when both have finished; awards both their points.
    pub(super) async fn agreement(
        &self,
        row: &list::Model,
    ) -> Result<Option<Agreement>, ServiceError> {
        if row.purpose != Purpose::Pair || row.held {
            return Ok(None);
        }
        match self.other_of_pair(row.id).await? {
            Some(other) if other.state == Progress::Finished && !other.held => {
                self.score_pair(row, &other).await.map(Some)
            }
            _ => Ok(None),
        }
    }

    pub(super) async fn other_of_pair(&self, id: i64) -> Result<Option<list::Model>, ServiceError> {
        let Some(pair) = self.store().pair_of(id).await? else {
            return Ok(None);
        };
        let other = match pair.second_list {
            Some(second) if second != id => second,
            Some(_) => pair.first_list,
            None => return Ok(None),
        };
        Ok(self.store().find::<list::Entity>(other).await?)
    }
}

/// The answers of a second look: the moves with yes, and those with no.
fn split(events: &[ListEvent]) -> (Vec<MoveText>, Vec<MoveText>) {
    let (yes, no): (Vec<_>, Vec<_>) = answers(events).into_iter().partition(|(_, yes)| *yes);
    let moves = |answers: Vec<(MoveText, bool)>| answers.into_iter().map(|(mv, _)| mv).collect();
    (moves(yes), moves(no))
}

/// The moves of a list with their times; of those given to a contributor at a time, its events as
/// stored and as read.
pub(super) fn timed_list(
    (contributor, issued_at): (i64, Timestamp),
    kept: &[event::Model],
    list: &[ListEvent],
) -> TimedList {
    let timed = |text: MoveText| {
        // A move that was removed and listed again was made at its last time.
        let last = list.iter().rposition(|e| e.op == Op::Add && e.mv == text)?;
        Some(TimedMove {
            text,
            at_ms: list[last].at_ms,
            received_at: kept.get(last).map(|event| Timestamp(event.received_at)),
        })
    };
    TimedList {
        contributor,
        issued_at: Some(issued_at),
        moves: moves_of(list).into_iter().filter_map(timed).collect(),
    }
}
