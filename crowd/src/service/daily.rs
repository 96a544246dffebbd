//! The board of the day: handing it out, the one list that counts, its score, and the boards of the days before.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chess::notation::{fen, san};
use chess::rules::Position;
use serde::Serialize;
use utoipa::ToSchema;

use super::core::on_a_thread;
use super::error::from_store;
use super::import::same_as;
use super::past::{AnsweredMove, PastBoard};
use super::rows::{moves, text_of};
use super::{ContributorId, Service, ServiceError};
use crate::candidates::{canonical, legal_texts, move_of};
use crate::daily::{DailyScore, Day, PoolEntry, REST_DAYS, choose, pool, score};
use crate::model::{MoveText, Side, Timestamp};
use crate::store::StoreError;
use crate::store::entity::{daily_board, daily_list};
use crate::trust::streak;

/// Number of days before today whose boards can be seen, and played without counting.
pub const ARCHIVE_DAYS: i64 = 30;

/// Maximum number of moves on a list; no position has half as many legal ones.
pub const MOST_MOVES: usize = 500;

/// How long after the end of its day a list that was begun on it still counts.
const GRACE: Duration = Duration::from_hours(1);

/// Maximum number of lists from which it is counted what people overlook.
const LISTS_AT_MOST: u64 = 1_000;

/// How long the answer to a past board is cached: lists of a day still come in the hour after it.
const REFRESH: Duration = Duration::from_mins(10);

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
    /// Whether the list counts; those of days before do not.
    pub counted: bool,
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
    #[error("there is no board of {0}: they begin {ARCHIVE_DAYS} days ago and end today")]
    NoBoard(Day),
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

    /// Hands out the board of a day, or that of today; the time of a list that counts begins with the first call.
    pub async fn daily_start(
        &self,
        id: ContributorId,
        day: Option<Day>,
        now: Timestamp,
    ) -> Result<DailyGiven, DailyError> {
        let day = day.unwrap_or(Day::from_timestamp(now));
        let position = self.daily_position(day, now).await?;
        let counted = day == Day::from_timestamp(now);
        // The board of a day before is practice, and leaves no row.
        let list = if counted {
            self.store().begin_daily_list(id.0, day.0, now.0).await?
        } else {
            None
        };
        let started = list.map_or(now, |list| Timestamp(list.started_at));
        Ok(DailyGiven {
            day: day.to_string(),
            fen: fen::write(&position),
            side_to_move: position.side_to_move().into(),
            counted,
            elapsed_ms: elapsed_ms(started, now),
        })
    }

    /// Scores a list. For today's board the first one counts and cannot be changed: later calls return its result. A
    /// list of a day before is not stored.
    pub async fn daily_finish(
        &self,
        id: ContributorId,
        day: Day,
        given: &[MoveText],
        now: Timestamp,
    ) -> Result<DailyResult, DailyError> {
        let position = self.daily_position(day, now).await?;
        let begun = self.store().daily_list(id.0, day.0).await?;
        // After this hour the answer is public, and the list is practice like that of any past day.
        let begun = begun.filter(|_| now < day.end().after(GRACE));
        let counted = begun.is_some();
        // Otherwise the list of today could be made without the clock.
        if !counted && day == Day::from_timestamp(now) {
            return Err(DailyError::NotStarted);
        }
        let score = score(&position, given);
        let mut list = daily_list::Model {
            contributor_id: id.0,
            day: day.0,
            started_at: now.0,
            finished_at: Some(now.0),
            moves: Some(text_of(given)),
            points: score.points(),
            found: i64::try_from(score.found.len()).unwrap_or(i64::MAX),
            // Without a time of its own, a list is slower than any other.
            took_ms: i64::MAX,
        };
        if let Some(begun) = begun {
            list.started_at = begun.started_at;
            list.took_ms = elapsed_ms(Timestamp(begun.started_at), now);
            if !self.store().finish_daily_list(&list).await? {
                // It was finished before: what was stored then stays.
                let first = self.store().begin_daily_list(id.0, day.0, now.0).await?;
                list = first.unwrap_or(list);
            }
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

    /// The boards of the days before today, newest first, without what people overlooked.
    pub async fn past_boards(&self, now: Timestamp) -> Result<Vec<PastBoard>, ServiceError> {
        let today = Day::from_timestamp(now);
        let rows = self
            .daily_rows(today.before(ARCHIVE_DAYS), today.before(1))
            .await?;
        let boards = rows.into_iter().rev().map(|row| {
            let position = position_of(&row)?;
            Ok(past_board(Day(row.day), &position, &[]))
        });
        Ok(boards.collect::<Result<_, StoreError>>()?)
    }

    /// The board of a day before today with its answer; none for other days.
    pub async fn past_board(
        &self,
        day: Day,
        now: Timestamp,
    ) -> Result<Option<PastBoard>, ServiceError> {
        let today = Day::from_timestamp(now);
        if day >= today || day < today.before(ARCHIVE_DAYS) {
            return Ok(None);
        }
        let kept = self.kept_boards().get(&day.0).cloned();
        if let Some((at, board)) = kept
            && at.after(REFRESH) > now
        {
            return Ok(Some(board));
        }
        let position = self.daily_board(day).await?;
        let mut lists = Vec::new();
        for text in self.store().daily_moves(day.0, LISTS_AT_MOST).await? {
            lists.push(moves(&text)?);
        }
        let board = past_board(day, &position, &lists);
        self.kept_boards().put(day.0, (now, board.clone()));
        Ok(Some(board))
    }

    async fn daily_position(&self, day: Day, now: Timestamp) -> Result<Position, DailyError> {
        let today = Day::from_timestamp(now);
        if day > today || day < today.before(ARCHIVE_DAYS) {
            return Err(DailyError::NoBoard(day));
        }
        Ok(self.daily_board(day).await?)
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

fn past_board(day: Day, position: &Position, lists: &[Vec<MoveText>]) -> PastBoard {
    let lists: Vec<BTreeSet<MoveText>> = lists
        .iter()
        .map(|list| {
            let listed = list
                .iter()
                .filter_map(|text| canonical(position, text).ok());
            listed.collect()
        })
        .collect();
    let answered = legal_texts(position).into_iter().map(|mv| AnsweredMove {
        san: san::write(move_of(position, &mv), position),
        missed: lists.iter().filter(|list| !list.contains(&mv)).count(),
        mv,
    });
    let mut moves: Vec<AnsweredMove> = answered.collect();
    // The sort is stable: moves that equally many missed stay in the order of their texts.
    moves.sort_by_key(|one| std::cmp::Reverse(one.missed));
    PastBoard {
        day,
        fen: fen::write(position),
        side_to_move: position.side_to_move().into(),
        lists: lists.len(),
        moves,
    }
}
