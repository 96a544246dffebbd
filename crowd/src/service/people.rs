//! Contributors: sessions, names, standings, leaderboards and total counts.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::error::from_store;
use super::rows::{Contributor, ContributorId};
use super::{Service, ServiceError, SessionToken};
use crate::model::{PlayerName, Progress, Timestamp, words};
use crate::store::entity::contributor;
use crate::trust::{PeriodRecord, Ranked, rank};

#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct Standing {
    /// The internal number.
    pub id: ContributorId,
    /// The name, if one was given.
    pub name: Option<String>,
    /// Total points.
    pub points: i64,
    /// Points of the current UTC day.
    pub points_today: i64,
    /// Number of finished lists and second looks.
    pub lists: i64,
    /// Number of consecutive days, up to today or yesterday, with a finished list.
    pub streak: i64,
    /// Share of correct decisions on moves whose answer is known; none without any.
    pub accuracy: Option<f64>,
    /// Number of own lists whose position was closed since the results were last looked at.
    pub news: i64,
    /// Whether there is a recovery phrase.
    pub has_phrase: bool,
}

words! {
    /// The period of a leaderboard.
    Period {
        /// The current UTC day.
        Day = "day",
        /// The current ISO week, which begins on Monday at midnight UTC.
        Week = "week",
        /// The ISO week before.
        LastWeek = "last-week",
        /// All days.
        All = "all",
    }
}

impl Period {
    /// From when until before when, in milliseconds.
    fn times(self, now: Timestamp) -> std::ops::Range<i64> {
        match self {
            Self::Day => now.start_of_day().0..i64::MAX,
            Self::Week => now.start_of_week(0).0..i64::MAX,
            Self::LastWeek => now.start_of_week(-1).0..now.start_of_week(0).0,
            Self::All => i64::MIN..i64::MAX,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct BoardPage {
    /// The rows, best first, with the name if one was given.
    pub rows: Vec<(Ranked, Option<String>)>,
    /// From 1.
    pub page: u32,
    /// At least 1.
    pub pages: u32,
    /// The page that has the viewer's row; none if they are not on the board.
    pub yours: Option<u32>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PersonCounts {
    pub contributors: u64,
    pub positions: u64,
    pub open_lists: u64,
    pub lists: u64,
    pub test_cases: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum NamingError {
    #[error("somebody else has the name '{0}'; capital letters make no difference")]
    Taken(PlayerName),
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(NamingError);

impl Service {
    pub async fn enter(
        &self,
        name: Option<PlayerName>,
        now: Timestamp,
    ) -> Result<(ContributorId, SessionToken), NamingError> {
        let token = SessionToken::random().map_err(ServiceError::from)?;
        let added = self
            .store()
            .add_contributor(name.as_ref(), token.hash(), now.0);
        let id = match (added.await?, &name) {
            (Some(id), _) => ContributorId(id),
            (None, Some(name)) => return Err(NamingError::Taken(name.clone())),
            (None, None) => unreachable!("only names are unique among new people"),
        };
        let contributor = Contributor {
            id,
            name,
            created: now,
            quarantined: false,
        };
        self.sessions().put(token.hash(), contributor);
        Ok((id, token))
    }

    pub async fn contributor(
        &self,
        token: &SessionToken,
    ) -> Result<Option<Contributor>, ServiceError> {
        let hash = token.hash();
        let known = self.sessions().get(&hash).cloned();
        if known.is_some() {
            return Ok(known);
        }
        let found = self.store().contributor_by_session(&hash).await?;
        let found = found.map(Contributor::from);
        if let Some(contributor) = &found {
            self.sessions().put(hash, contributor.clone());
        }
        Ok(found)
    }

    /// Renames a contributor; without a name they are anonymous again. No two people have the same
    /// name.
    pub async fn rename(
        &self,
        id: ContributorId,
        name: Option<PlayerName>,
    ) -> Result<(), NamingError> {
        let is_free = self.store().rename(id.0, name.as_ref()).await?;
        // Cached sessions still have the old name.
        self.sessions().retain(|_, session| session.id != id);
        match name {
            Some(name) if !is_free => Err(NamingError::Taken(name)),
            _ => Ok(()),
        }
    }

    /// Excludes a contributor's lists, or counts them again; returns false if there is no such
    /// contributor.
    pub async fn quarantine(&self, id: ContributorId, is_on: bool) -> Result<bool, ServiceError> {
        let changed = self.store().quarantine(id.0, is_on).await?;
        self.sessions().retain(|_, session| session.id != id);
        // Other lists count now, although none is new.
        self.memory().await.is_stale = true;
        Ok(changed)
    }
}

const ROWS: usize = 50;

impl Service {
    pub async fn standing(
        &self,
        id: ContributorId,
        now: Timestamp,
    ) -> Result<Standing, ServiceError> {
        let person = self.store().find::<contributor::Entity>(id.0).await?;
        let all = self.store().sums_of(id.0, i64::MIN).await?;
        let today = self.store().sums_of(id.0, now.start_of_day().0).await?;
        let times = self.store().finish_times(id.0).await?;
        let seen = Timestamp(person.as_ref().map_or(0, |person| person.results_seen_at));
        let positions = self.positions();
        let is_news = |position: i64, time: i64| {
            let closed_at = positions.find(position).and_then(|known| known.closed_at);
            closed_at.is_some_and(|closed| closed > seen && closed.0 >= time)
        };
        let news = times.iter().filter(|(at, time)| is_news(*at, *time));
        Ok(Standing {
            id,
            has_phrase: person.as_ref().is_some_and(|p| p.phrase_hash.is_some()),
            news: i64::try_from(news.count()).unwrap_or(i64::MAX),
            name: person.and_then(|person| person.name),
            points: all.points,
            points_today: today.points,
            lists: i64::try_from(times.len()).unwrap_or(i64::MAX),
            streak: i64::from(self.streak_of(id.0, now).await?),
            accuracy: accuracy(&all),
        })
    }

    /// A page of the leaderboard, ordered by the lower bound of accuracy. Pages count from 1; the
    /// last one is given for any after it.
    pub async fn leaderboard(
        &self,
        period: Period,
        page: u32,
        viewer: Option<ContributorId>,
        now: Timestamp,
    ) -> Result<BoardPage, ServiceError> {
        let sums = self.store().sums(period.times(now), None).await?;
        let quarantined = self.store().quarantined_people().await?;
        let mut counted = sums;
        counted.retain(|sums| !quarantined.contains(&sums.contributor_id));
        let mut ranked = rank(&counted);
        let page_of = |row: usize| u32::try_from(row / ROWS + 1).unwrap_or(u32::MAX);
        let pages = page_of(ranked.len().saturating_sub(1));
        let page = page.clamp(1, pages);
        let mut all = ranked.iter();
        let yours = all.position(|row| viewer == Some(ContributorId(row.record.contributor_id)));
        let yours = yours.map(page_of);
        ranked.drain(..(page as usize - 1) * ROWS);
        ranked.truncate(ROWS);
        let ids = ranked.iter().map(|row| row.record.contributor_id);
        let ids = ids.collect();
        let people = self.store().contributors(ids).await?;
        let mut names: BTreeMap<i64, Option<String>> = people
            .into_iter()
            .map(|person| (person.id, person.name))
            .collect();
        let row = |row: Ranked| (row, names.remove(&row.record.contributor_id).flatten());
        Ok(BoardPage {
            rows: ranked.into_iter().map(row).collect(),
            page,
            pages,
            yours,
        })
    }

    pub async fn counts(&self) -> Result<PersonCounts, ServiceError> {
        let store = self.store();
        Ok(PersonCounts {
            contributors: store.count_contributors().await?,
            positions: self.positions().all().count() as u64,
            open_lists: store.count_lists(Progress::Open).await?,
            lists: store.count_lists(Progress::Finished).await?,
            test_cases: store.count_test_cases().await?,
        })
    }
}

#[expect(
    clippy::cast_precision_loss,
    reason = "decisions are far fewer than 2 to the 52nd"
)]
fn accuracy(sums: &PeriodRecord) -> Option<f64> {
    (sums.total > 0).then(|| sums.correct as f64 / sums.total as f64)
}
