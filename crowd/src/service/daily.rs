//! The board of the day: which position it is, and how lists of it compare.

use std::collections::BTreeMap;
use std::time::Duration;

use serde::Serialize;
use utoipa::ToSchema;

use super::core::on_a_thread;
use super::import::same_as;
use super::list::GivenPosition;
use super::{ContributorId, List, Service, ServiceError};
use crate::daily::{PoolEntry, REST_DAYS, choose, pool};
use crate::model::Timestamp;
use crate::score::Score;
use crate::store::StoreError;
use crate::store::entity::list;
use crate::trust::streak;

/// How long after the end of its day a list that was begun on it still counts.
const GRACE: Duration = Duration::from_hours(1);

/// The board of today, and what its viewer has done with it.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Today {
    /// The UTC day.
    #[schema(example = "2026-11-26")]
    pub day: String,
    /// When the next one begins.
    #[schema(value_type = i64)]
    pub ends_at: Timestamp,
    /// The position.
    pub position: GivenPosition,
    /// Number of people who have finished it.
    pub people: u64,
    /// The viewer's list, if they have begun one.
    pub list: Option<List>,
    /// Number of consecutive days, up to today or yesterday, with a finished list of the viewer's.
    pub streak: u32,
}

/// How a list of the board of the day compares with the others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct DayRank {
    /// Number of consecutive days with a finished list.
    pub streak: u32,
    /// Number of other people who have finished.
    pub others: u64,
    /// Number of those whose list is worse, or as good and slower.
    pub beaten: u64,
    /// The upper median of the numbers of moves that the others found; none without others.
    pub median_found: Option<i64>,
}

/// When the day ends, which is when the next one begins.
fn end_of_day(at: Timestamp) -> Timestamp {
    Timestamp::of_day(at.day() + 1)
}

/// Whether a finished list of the board of the day counts. A list is of the day on which it was begun.
pub(super) fn is_in_time(row: &list::Model) -> bool {
    let until = end_of_day(Timestamp(row.issued_at)).after(GRACE);
    row.finished_at.is_none_or(|finished| finished < until.0)
}

impl Service {
    /// The board of today. Anyone may see the position: the time of a list begins with the list.
    pub async fn today(
        &self,
        viewer: Option<ContributorId>,
        now: Timestamp,
    ) -> Result<Today, ServiceError> {
        let position = self.board_of_today(now).await?;
        let (mut list, mut run) = (None, 0);
        if let Some(ContributorId(id)) = viewer {
            if let Some(row) = self.store().list_at(id, position).await? {
                list = Some(self.view(&row, true, now).await?);
            }
            run = self.streak_of(id, now).await?;
        }
        Ok(Today {
            day: now.date().to_string(),
            ends_at: end_of_day(now),
            position: GivenPosition::from_known(&*self.known(position).await?),
            people: self.store().count_daily_lists(position).await?,
            list,
            streak: run,
        })
    }

    /// Number of consecutive days with a finished list of any purpose.
    pub(super) async fn streak_of(
        &self,
        contributor: i64,
        now: Timestamp,
    ) -> Result<u32, ServiceError> {
        let times = self.store().finish_times(contributor).await?;
        let days = times.iter().map(|&(_, time)| Timestamp(time).day());
        Ok(streak(&days.collect(), now.day()))
    }

    pub(super) async fn day_rank(
        &self,
        row: &list::Model,
        score: &Score,
        now: Timestamp,
    ) -> Result<DayRank, ServiceError> {
        let ranking = self.store().daily_ranking(row, score.points());
        let (others, beaten, median_found) = ranking.await?;
        Ok(DayRank {
            streak: self.streak_of(row.contributor_id, now).await?,
            others,
            beaten,
            median_found,
        })
    }

    /// The number of the position of today; it is chosen now if it was not before, once for all who ask.
    pub(super) async fn board_of_today(&self, now: Timestamp) -> Result<i64, ServiceError> {
        let day = now.day();
        let store = self.store();
        if let Some((_, board)) = store.daily_boards(day, day).await?.pop() {
            return Ok(board.id);
        }
        let entries: &[PoolEntry] = on_a_thread(pool).await?;
        let keys: Vec<String> = entries
            .iter()
            .map(|entry| same_as(&entry.position))
            .collect();
        // The answer of a board is shown to all who list it, when the crowd may still list the position.
        let taken = store.keys_of_positions(&keys).await?;
        let free = entries
            .iter()
            .zip(&keys)
            .filter(|(_, key)| !taken.contains(*key));
        let free: Vec<&PoolEntry> = free.map(|(entry, _)| entry).collect();
        let near = store.daily_boards(day - REST_DAYS, day + REST_DAYS);
        let mut used: BTreeMap<String, Vec<i64>> = BTreeMap::new();
        for (day, board) in near.await? {
            used.entry(board.fen).or_default().push(day);
        }
        // If the crowd has every position of the pool, any of them has to do.
        let chosen = choose(day, self.settings().seed, &free, &used)
            .unwrap_or(entries.first().expect("the built-in suites have positions"));
        store
            .add_daily_board(day, &chosen.name, &chosen.fen)
            .await?;
        // Another request may have chosen at the same time; what was stored first counts.
        let stored = store.daily_boards(day, day).await?.pop();
        let (_, board) = stored.ok_or_else(|| StoreError::Value {
            what: "the board of a day",
            found: "nothing".to_owned(),
        })?;
        Ok(board.id)
    }
}
