//! Leaderboards, standings and total counts.

use std::collections::{BTreeMap, BTreeSet, HashSet};

use super::{BoardRow, ContributorId, Counts, Period, Service, ServiceError, Standing};
use crate::model::{Mode, Timestamp};
use crate::store::Sums;
use crate::trust::{Record, rank, streak};

/// Maximum number of rows of a leaderboard.
const ROWS: usize = 100;

impl Service {
    /// The standing of a contributor.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn standing(
        &self,
        id: ContributorId,
        now: Timestamp,
    ) -> Result<Standing, ServiceError> {
        let person = self.store().contributor_by_id(id.0).await?;
        let all = self.store().sums_of(id.0, i64::MIN).await?;
        let today = self.store().sums_of(id.0, now.start_of_day().0).await?;
        let times = self.store().finish_times(id.0).await?;
        let days: BTreeSet<i64> = times.iter().map(|&time| Timestamp(time).day()).collect();
        Ok(Standing {
            id,
            name: person.and_then(|person| person.name),
            points: all.points,
            points_today: today.points,
            lists: i64::try_from(times.len()).unwrap_or(i64::MAX),
            streak: i64::from(streak(&days, now.day()).current),
            accuracy: accuracy(&all),
        })
    }

    /// The leaderboard of a mode, or of all, ordered by the lower bound of accuracy.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn leaderboard(
        &self,
        mode: Option<Mode>,
        period: Period,
        now: Timestamp,
    ) -> Result<Vec<BoardRow>, ServiceError> {
        let since = match period {
            Period::Day => now.start_of_day().0,
            Period::All => i64::MIN,
        };
        let sums = self
            .store()
            .sums(mode.map(Mode::as_str), since, None)
            .await?;
        let aside: HashSet<i64> = self.store().people_aside().await?.into_iter().collect();
        let counted = sums
            .iter()
            .filter(|sums| !aside.contains(&sums.contributor_id));
        let mut ranked = rank(&counted.map(record).collect::<Vec<Record>>());
        ranked.truncate(ROWS);
        let ids = ranked.iter().map(|row| row.record.contributor).collect();
        let people = self.store().contributors(ids).await?;
        let mut names: BTreeMap<i64, Option<String>> = people
            .into_iter()
            .map(|person| (person.id, person.name))
            .collect();
        let row = |row: crate::trust::Ranked| BoardRow {
            rank: i64::from(row.place),
            id: ContributorId(row.record.contributor),
            name: names.remove(&row.record.contributor).flatten(),
            points: signed(row.record.points),
            lists: signed(row.record.lists),
            bound: row.bound,
        };
        Ok(ranked.into_iter().map(row).collect())
    }

    /// Total counts for the metrics.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn counts(&self) -> Result<Counts, ServiceError> {
        let store = self.store();
        let positions = self.positions().all().count();
        Ok(Counts {
            contributors: signed(store.count_contributors().await?),
            positions: i64::try_from(positions).unwrap_or(i64::MAX),
            open_assignments: signed(store.count_assignments("open").await?),
            lists: signed(store.count_assignments("finished").await?),
            test_cases: signed(store.count_test_cases().await?),
            queue: signed(store.count_queue().await?),
            flags: signed(store.count_flags().await?),
        })
    }
}

fn signed(number: u64) -> i64 {
    i64::try_from(number).unwrap_or(i64::MAX)
}

#[expect(
    clippy::cast_precision_loss,
    reason = "decisions are far fewer than 2 to the 52nd"
)]
fn accuracy(sums: &Sums) -> Option<f64> {
    (sums.total > 0).then(|| sums.correct as f64 / sums.total as f64)
}

fn record(sums: &Sums) -> Record {
    let unsigned = |number: i64| u64::try_from(number).unwrap_or(0);
    Record {
        contributor: sums.contributor_id,
        points: unsigned(sums.points),
        lists: unsigned(sums.lists),
        right: unsigned(sums.correct),
        decisions: unsigned(sums.total),
    }
}
