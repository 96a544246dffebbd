//! Closes lists, by their owner or by timeout.

use super::context::{events, text_of};
use super::record::{conflict, refuse};
use super::{
    Agreement, AssignmentToken, ContributorId, Finished, RecordError, Service, ServiceError,
};
use crate::model::{ListEvent, Mode, MoveText, Timestamp, answers, moves_of};
use crate::store::entity::assignment;
use crate::store::{Closing, Kept, NewEvents, close};
use crate::trust::moves_in_time;

use super::context::AssignmentContext;

const ATTEMPTS: usize = 3;

/// A timed list counts as finished by its owner only if finished this long before the limit.
const CLEARLY_MS: i64 = 1000;

impl Service {
    /// Accepts the last events and closes the list; `count` is the number of all its events.
    ///
    /// Idempotent. A timed list whose time is over is closed as it is.
    ///
    /// # Errors
    ///
    /// [`RecordError`] when the events are rejected, or some are missing; the list then stays open.
    pub async fn finish(
        &self,
        id: ContributorId,
        token: &AssignmentToken,
        events: Vec<ListEvent>,
        count: u32,
        now: Timestamp,
    ) -> Result<Finished, RecordError> {
        let given = self.given_to(id, token).await?;
        let new = self.last_events(&given, &events, count)?;
        for _ in 0..ATTEMPTS {
            match self.close_with(&given, &new, true, now).await? {
                Kept::All => return self.finished(token).await,
                Kept::Conflict(seq) => return Err(conflict(seq)),
                Kept::Refused => {}
            }
            let row = self.row(token).await?;
            let is_over = row.expires_at <= now.0 && row.state == "open";
            if is_over && given.mode == Mode::Timed {
                self.close_overdue(&row, now).await?;
                continue;
            }
            let is_same = row.event_count == new.last() || !row.complete;
            if row.state == "finished" && is_same {
                self.is_kept(&row, &new).await?;
                return self.finished(token).await;
            }
            refuse(&row, &new, now)?;
        }
        Err(RecordError::Frozen)
    }

    fn last_events(
        &self,
        given: &AssignmentContext,
        events: &[ListEvent],
        count: u32,
    ) -> Result<NewEvents, RecordError> {
        let most = self.settings().max_events;
        if count > most {
            return Err(RecordError::TooMany { most });
        }
        let mut new = self.new_events(given, events)?;
        match events.last() {
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
        given: &AssignmentContext,
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
        if complete && found > count {
            // Nothing was changed; dropping the transaction rolls it back.
            return Ok(Kept::Conflict(new.last().saturating_add(1)));
        }
        let closing = self.closing(given, &events(&kept)?, complete, now);
        let closed = close(transaction, given.id, &closing).await?;
        Ok(if closed { Kept::All } else { Kept::Refused })
    }

    fn closing(
        &self,
        given: &AssignmentContext,
        events: &[ListEvent],
        complete: bool,
        now: Timestamp,
    ) -> Closing {
        let (moves, refused) = match given.mode {
            Mode::Review => split(events),
            Mode::Timed => {
                let limit = self.settings().time_limit_ms();
                (moves_in_time(events, limit), Vec::new())
            }
            Mode::Calm | Mode::Pair | Mode::Missing => (moves_of(events), Vec::new()),
        };
        let cut_off = given.mode == Mode::Timed && self.ran_out(given, events, now);
        Closing {
            at: now.0,
            moves: text_of(&moves),
            refused: text_of(&refused),
            complete: complete && !cut_off,
        }
    }

    /// Whether a timed list ended by timeout, including a page that finishes it when the time is
    /// up.
    fn ran_out(&self, given: &AssignmentContext, events: &[ListEvent], now: Timestamp) -> bool {
        let limit = self.settings().time_limit_ms();
        let clearly_before = given.issued_at.0 + i64::from(limit) - CLEARLY_MS;
        now.0 >= clearly_before || events.iter().any(|event| event.at_ms >= limit)
    }

    /// Closes overdue assignments: timed lists as they are, others without an answer.
    pub(super) async fn close_overdue(
        &self,
        row: &assignment::Model,
        now: Timestamp,
    ) -> Result<bool, ServiceError> {
        if row.mode != Mode::Timed.as_str() || row.event_count == 0 {
            return Ok(self.store().close_unanswered(row.id, "expired").await?);
        }
        let given = AssignmentContext::read(row)?;
        let nothing_new = NewEvents {
            assignment: row.id,
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
            Err(_) => Ok(false),
        }
    }

    /// The answer to finishing a list; points that are known immediately are awarded now.
    async fn finished(&self, token: &AssignmentToken) -> Result<Finished, RecordError> {
        let row = self.row(token).await?;
        self.score_if_known(&row).await?;
        let count = |moves: &Option<String>| {
            let moves = moves.as_deref().unwrap_or("").split_ascii_whitespace();
            u32::try_from(moves.count()).unwrap_or(u32::MAX)
        };
        Ok(Finished {
            moves: count(&row.moves).saturating_add(count(&row.refused)),
            agreement: self.agreement(&row).await?,
        })
    }

    /// The agreement of a pair, when both have finished; awards both their points.
    async fn agreement(&self, row: &assignment::Model) -> Result<Option<Agreement>, ServiceError> {
        if row.mode != Mode::Pair.as_str() {
            return Ok(None);
        }
        match self.other_of_pair(row.id).await? {
            Some(other) if other.state == "finished" => {
                self.score_pair(row, &other).await.map(Some)
            }
            _ => Ok(None),
        }
    }

    /// The partner's assignment, if there is one.
    pub(super) async fn other_of_pair(
        &self,
        id: i64,
    ) -> Result<Option<assignment::Model>, ServiceError> {
        let Some(pair) = self.store().pair_of(id).await? else {
            return Ok(None);
        };
        let other = match pair.second_assignment {
            Some(second) if second != id => second,
            Some(_) => pair.first_assignment,
            None => return Ok(None),
        };
        Ok(self.store().assignment_by_id(other).await?)
    }
}

/// The answers of a second look: the moves with yes, and those with no.
fn split(events: &[ListEvent]) -> (Vec<MoveText>, Vec<MoveText>) {
    let (yes, no): (Vec<_>, Vec<_>) = answers(events).into_iter().partition(|(_, yes)| *yes);
    let moves = |answers: Vec<(MoveText, bool)>| answers.into_iter().map(|(mv, _)| mv).collect();
    (moves(yes), moves(no))
}
