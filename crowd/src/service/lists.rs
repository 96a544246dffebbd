//! One's own lists, and lists that wait for a moderator.

use std::collections::BTreeMap;

use super::list::GivenPosition;
use super::results::{ListOutcome, count};
use super::{ContributorId, Service, ServiceError};
use crate::model::{Act, Timestamp};
use crate::store::entity::{contributor, list};

/// One of a contributor's lists, whose number is `before` of the next page.
#[derive(Clone, Debug, PartialEq)]
pub struct OwnList {
    pub row: list::Model,
    pub position: GivenPosition,
    /// Number of moves on the list, or of answers given; only of a finished one.
    pub moves: u32,
    pub state: ListOutcome,
    pub points: i64,
    /// Number of correct decisions, if the answer is known.
    pub right: i64,
    /// Number of legal moves, and of illegal ones on the list.
    pub of: i64,
    /// Whether its position was closed since the results were last looked at.
    pub is_news: bool,
}

/// A list that waits for a moderator, because it looks like a program's.
#[derive(Clone, Debug, PartialEq)]
pub struct HeldList {
    pub row: list::Model,
    /// The name of its owner, if one was given.
    pub name: Option<String>,
    /// Number of moves on the list, or of answers given.
    pub moves: u32,
    /// What speaks for a program, in words.
    pub signs: Vec<String>,
}

pub const LISTS_A_PAGE: u8 = 24;
const MOST_HELD: u64 = 200;

impl Service {
    /// A contributor's lists, newest first, below the number `before` if given; at most
    /// [`LISTS_A_PAGE`].
    pub async fn lists(
        &self,
        id: ContributorId,
        before: Option<i64>,
    ) -> Result<Vec<OwnList>, ServiceError> {
        let store = self.store();
        let person = store.find::<contributor::Entity>(id.0).await?;
        let seen = Timestamp(person.map_or(0, |person| person.results_seen_at));
        let rows = store.lists_of(id.0, before, LISTS_A_PAGE.into()).await?;
        let numbers: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let mut sums: BTreeMap<i64, (i64, i64, i64)> = BTreeMap::new();
        for award in store.awards_of_all(numbers).await? {
            let sum = sums.entry(award.list_id).or_default();
            sum.0 += award.points;
            sum.1 += award.correct;
            sum.2 += award.total;
        }
        let mut lists = Vec::with_capacity(rows.len());
        for row in rows {
            let known = self.known(row.position_id).await?;
            let (points, right, of) = sums.get(&row.id).copied().unwrap_or_default();
            let finished_at = row.finished_at.map(Timestamp);
            let closed_at = known.closed_at.filter(|closed| *closed > seen);
            lists.push(OwnList {
                position: GivenPosition::from_known(&known),
                moves: count(&row),
                state: self.outcome(&row, &known).await?,
                points,
                right,
                of,
                // People who finished after the closing have seen the answer at once.
                is_news: matches!((finished_at, closed_at), (Some(f), Some(c)) if f <= c),
                row,
            });
        }
        Ok(lists)
    }

    pub async fn results_seen(
        &self,
        id: ContributorId,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        self.store().results_seen(id.0, now.0).await?;
        Ok(())
    }

    /// The newest lists that wait for a moderator, at most 200; those of quarantined people do not.
    pub async fn held_lists(&self) -> Result<Vec<HeldList>, ServiceError> {
        let rows = self.store().held(MOST_HELD).await?;
        let people = rows.iter().map(|row| row.contributor_id).collect();
        let people = self.store().contributors(people).await?.into_iter();
        let names: BTreeMap<i64, Option<String>> = people.map(|p| (p.id, p.name)).collect();
        let ids = rows.iter().map(|row| row.id).collect();
        let mut signs: BTreeMap<i64, Vec<String>> = BTreeMap::new();
        for flag in self.store().flags_of(ids).await? {
            signs.entry(flag.list_id).or_default().push(flag.detail);
        }
        // Short lists have no flags of pace, and others none before the next upkeep.
        let too_fast = || vec!["entered implausibly fast".to_owned()];
        let mut list = |row: list::Model| HeldList {
            signs: signs.remove(&row.id).unwrap_or_else(too_fast),
            name: names.get(&row.contributor_id).cloned().flatten(),
            moves: count(&row),
            row,
        };
        Ok(rows.into_iter().map(&mut list).collect())
    }

    /// Lets a held list count; returns false if no list with this number is held.
    pub async fn allow_list(
        &self,
        id: i64,
        by: &str,
        now: Timestamp,
    ) -> Result<bool, ServiceError> {
        let released = self.store().release(id).await?;
        self.memory().await.is_stale = true;
        if released {
            self.log(by, Act::Allow, Some(id), "", now).await?;
        }
        Ok(released)
    }
}
