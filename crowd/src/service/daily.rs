//! The board of the day: handing it out, the one list that counts, its score, and the boards of the days before.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chess::notation::fen;
use chess::rules::Position;
use serde::Serialize;
use utoipa::ToSchema;

use super::core::on_a_thread;
use super::error::from_store;
use super::import::same_as;
use super::rows::{moves, text_of};
use super::{ContributorId, Service, ServiceError};
use crate::daily::{DailyScore, Day, PoolEntry, REST_DAYS, choose, pool, score};
use crate::model::{MoveText, Side, Timestamp};
use crate::store::StoreError;
use crate::store::entity::{daily_board, daily_list};
use crate::trust::streak;

/// Maximum number of moves on a list; no position has half as many legal ones.
pub const MOST_MOVES: usize = 500;

/// How long after the end of its day a list that was begun on it still counts.
const GRACE: Duration = Duration::from_hours(1);

/// Progress of a contributor with the board of the day.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum DailyProgress {
    /// They have not seen it.
    New,
    /// They have seen it, and time runs.
    Open,
    /// Their list is finished.
    Finished,
}

/// The board of the day, without its position.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DailyToday {
    /// The UTC day.
    #[schema(example = "2026-11-26")]
    pub day: String,
    /// When the next one begins.
    #[schema(value_type = i64)]
    pub ends_at: Timestamp,
    /// Number of people who have finished it.
    pub people: u64,
    /// The caller's progress.
    pub progress: DailyProgress,
    /// Number of consecutive days, up to today or yesterday, with a finished list of the caller's.
    pub streak: u32,
    /// Whether the caller finished a list, for each of the last seven days up to today.
    pub week: Vec<bool>,
    /// The caller's result, if their list is finished.
    pub result: Option<DailyResult>,
}

/// A board that is handed out.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DailyGiven {
    /// Its UTC day.
    #[schema(example = "2026-11-26")]
    pub day: String,
    /// Its FEN.
    pub fen: String,
    /// The side whose moves are to be listed.
    pub side_to_move: Side,
    /// Milliseconds since it was first handed out to the caller.
    pub elapsed_ms: i64,
}

/// The result of a list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DailyResult {
    /// The UTC day of the board.
    #[schema(example = "2026-11-26")]
    pub day: String,
    /// Its FEN.
    pub fen: String,
    /// Whether the list counts.
    pub counted: bool,
    /// The time it took by the server's clock, in milliseconds; none if it does not count.
    pub took_ms: Option<i64>,
    /// Number of consecutive days with a finished list.
    pub streak: u32,
    /// Number of other people who have finished.
    pub others: u64,
    /// Number of those whose list is worse, or as good and slower.
    pub beaten: u64,
    /// The upper median of the numbers of moves that the others found; none without others.
    pub median_found: Option<i64>,
    /// What was found, missed and wrong.
    #[serde(flatten)]
    pub score: DailyScore,
}

#[derive(Debug, thiserror::Error)]
pub enum DailyError {
    #[error("the board of the day was not handed out to you: ask for it first")]
    NotStarted,
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(DailyError);

impl Service {
    /// The board of the day, without its position, and the caller's progress and result if there is a caller.
    pub async fn daily_today(
        &self,
        caller: Option<ContributorId>,
        now: Timestamp,
    ) -> Result<DailyToday, ServiceError> {
        let mut today = self.daily_outline(caller, now).await?;
        if today.progress == DailyProgress::Finished
            && let Some(ContributorId(id)) = caller
            && let Some(list) = self.store().daily_list(id, now.day()).await?
        {
            today.result = Some(self.daily_result(&list, true, now).await?);
        }
        Ok(today)
    }

    /// The same without the result.
    pub async fn daily_outline(
        &self,
        caller: Option<ContributorId>,
        now: Timestamp,
    ) -> Result<DailyToday, ServiceError> {
        let today = Day::from_timestamp(now);
        let mut progress = DailyProgress::New;
        let mut days = BTreeSet::new();
        if let Some(ContributorId(id)) = caller {
            days = self.store().daily_days(id).await?.into_iter().collect();
            if days.contains(&today.0) {
                progress = DailyProgress::Finished;
            } else if self.store().daily_list(id, today.0).await?.is_some() {
                progress = DailyProgress::Open;
            }
        }
        let week = (0..7).rev().map(|ago| days.contains(&today.before(ago).0));
        Ok(DailyToday {
            day: today.to_string(),
            ends_at: today.end(),
            people: self.store().count_daily_lists(today.0).await?,
            progress,
            streak: streak(&days, today.0),
            week: week.collect(),
            result: None,
        })
    }

    /// Hands out the board of today; the time of the list begins with the first call.
    pub async fn daily_start(
        &self,
        id: ContributorId,
        now: Timestamp,
    ) -> Result<DailyGiven, DailyError> {
        let day = Day::from_timestamp(now);
        let position = self.daily_board(day).await?;
        let list = self.store().begin_daily_list(id.0, day.0, now.0).await?;
        let started = list.map_or(now, |list| Timestamp(list.started_at));
        Ok(DailyGiven {
            day: day.to_string(),
            fen: fen::write(&position),
            side_to_move: position.side_to_move().into(),
            elapsed_ms: elapsed_ms(started, now),
        })
    }

    /// Scores a list that was begun on its day. The first one counts and cannot be changed: later calls return its
    /// result. One that comes too late is scored and not stored.
    pub async fn daily_finish(
        &self,
        id: ContributorId,
        day: Day,
        given: &[MoveText],
        now: Timestamp,
    ) -> Result<DailyResult, DailyError> {
        // Without a beginning, the list of today could be made without the clock.
        let begun = self.store().daily_list(id.0, day.0).await?;
        let begun = begun.ok_or(DailyError::NotStarted)?;
        let counted = now < day.end().after(GRACE);
        let score = score(&self.daily_board(day).await?, given);
        let mut list = daily_list::Model {
            finished_at: Some(now.0),
            moves: Some(text_of(given)),
            points: score.points(),
            found: i64::try_from(score.found.len()).unwrap_or(i64::MAX),
            took_ms: elapsed_ms(Timestamp(begun.started_at), now),
            ..begun
        };
        if counted && !self.store().finish_daily_list(&list).await? {
            // It was finished before: what was stored then stays.
            let first = self.store().begin_daily_list(id.0, day.0, now.0).await?;
            list = first.unwrap_or(list);
        }
        Ok(self.daily_result(&list, counted, now).await?)
    }

    async fn daily_result(
        &self,
        list: &daily_list::Model,
        counted: bool,
        now: Timestamp,
    ) -> Result<DailyResult, ServiceError> {
        let position = self.daily_board(Day(list.day)).await?;
        let days = self.store().daily_days(list.contributor_id).await?;
        let ranking = self.store().daily_ranking(list).await?;
        Ok(DailyResult {
            day: Day(list.day).to_string(),
            fen: fen::write(&position),
            counted,
            took_ms: counted.then_some(list.took_ms),
            streak: streak(&days.into_iter().collect(), now.day()),
            others: ranking.others,
            beaten: ranking.beaten,
            median_found: ranking.median_found,
            score: score(&position, &moves(list.moves.as_deref().unwrap_or(""))?),
        })
    }

    async fn daily_board(&self, day: Day) -> Result<Position, ServiceError> {
        let rows = self.daily_rows(day, day).await?;
        let row = rows.first().ok_or_else(|| StoreError::Value {
            what: "the board of a day",
            found: "nothing".to_owned(),
        })?;
        Ok(position_of(row)?)
    }

    /// The boards of these days, both included, oldest first; those that are not chosen yet are chosen now, once for
    /// all who ask.
    async fn daily_rows(
        &self,
        from: Day,
        to: Day,
    ) -> Result<Vec<daily_board::Model>, ServiceError> {
        let store = self.store();
        let wanted = to.0.saturating_sub(from.0).saturating_add(1);
        let found = store.daily_boards(from.0, to.0).await?;
        if i64::try_from(found.len()).is_ok_and(|found| found >= wanted) {
            return Ok(found);
        }
        let entries: &[PoolEntry] = on_a_thread(pool).await?;
        let keys: Vec<String> = entries
            .iter()
            .map(|entry| same_as(&entry.position))
            .collect();
        // The answer of a board is public the next day, when the crowd may still list the position.
        let taken = store.keys_of_positions(&keys).await?;
        let free = entries
            .iter()
            .zip(&keys)
            .filter(|(_, key)| !taken.contains(*key));
        let free: Vec<&PoolEntry> = free.map(|(entry, _)| entry).collect();
        // A past day may be chosen late, so the boards after it count, too.
        let near = store.daily_boards(from.before(REST_DAYS).0, to.0.saturating_add(REST_DAYS));
        let mut used: BTreeMap<String, Vec<Day>> = BTreeMap::new();
        let mut present = BTreeSet::new();
        for row in near.await? {
            present.insert(row.day);
            used.entry(row.fen).or_default().push(Day(row.day));
        }
        let mut new = Vec::new();
        for day in (from.0..=to.0)
            .filter(|day| !present.contains(day))
            .map(Day)
        {
            // If the crowd has every position of the pool, any of them has to do.
            let chosen = choose(day, self.settings().seed, &free, &used)
                .unwrap_or(entries.first().expect("the built-in suites have positions"));
            used.entry(chosen.fen.clone()).or_default().push(day);
            new.push(daily_board::Model {
                day: day.0,
                name: chosen.name.clone(),
                fen: chosen.fen.clone(),
            });
        }
        if !new.is_empty() {
            store.add_daily_boards(new).await?;
        }
        // Another request may have chosen at the same time; what was stored first counts.
        Ok(store.daily_boards(from.0, to.0).await?)
    }
}

fn elapsed_ms(from: Timestamp, to: Timestamp) -> i64 {
    to.0.saturating_sub(from.0).max(0)
}

fn position_of(row: &daily_board::Model) -> Result<Position, StoreError> {
    fen::parse(&row.fen).map_err(|_| StoreError::Value {
        what: "the FEN of the board of a day",
        found: format!("'{}'", row.fen),
    })
}
