//! One's own lists, and lists that wait for a moderator.

use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::ToSchema;

use super::assignment::GivenPosition;
use super::rows::read;
use super::{AssignmentToken, ContributorId, Service, ServiceError};
use crate::model::{Mode, PositionState, Progress, Timestamp};
use crate::store::StoreError;
use crate::store::entity::assignment;

/// One of a contributor's lists.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct OwnList {
    /// Its number; `before` of the next page.
    pub number: i64,
    /// Its identifier.
    #[serde(rename = "assignment")]
    #[schema(value_type = String)]
    pub token: AssignmentToken,
    /// The mode.
    pub mode: Mode,
    /// The campaign that was asked for; none if any.
    pub campaign: Option<String>,
    /// The position.
    pub position: GivenPosition,
    /// When it was assigned.
    #[schema(value_type = i64)]
    pub issued_at: Timestamp,
    /// When it was finished.
    #[schema(value_type = Option<i64>)]
    pub finished_at: Option<Timestamp>,
    /// Number of moves on the list, or of answers given; only of a finished one.
    pub moves: u32,
    /// What has become of it.
    pub outcome: ListOutcome,
    /// Whether its position was closed since the results were last looked at.
    pub is_news: bool,
}

/// What has become of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(tag = "state", rename_all = "lowercase")]
pub enum ListOutcome {
    /// It is not finished.
    Open,
    /// It was not finished in time.
    Expired,
    /// The answer is not known yet.
    Waiting,
    /// It was faster than hands are: it does not count until a moderator allows it.
    Held,
    /// A moderator closed the position without an answer.
    Closed,
    /// The answer is known.
    Known {
        /// The points for this list.
        points: i64,
        /// Number of correct decisions.
        right: i64,
        /// Number of legal moves, and of illegal ones on the list.
        of: i64,
    },
}

/// A list that waits for a moderator, because no hands are so fast.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct HeldList {
    /// Its number.
    pub id: i64,
    /// Whose list it is.
    pub contributor: ContributorId,
    /// Their name, if one was given.
    pub name: Option<String>,
    /// The number of the position.
    pub position_id: i64,
    /// The mode.
    pub mode: Mode,
    /// Number of moves on the list, or of answers given.
    pub moves: u32,
    /// From assignment to end, in milliseconds, by the server's clock.
    pub took_ms: i64,
    /// When it was finished.
    #[schema(value_type = i64)]
    pub finished_at: Timestamp,
}

/// Maximum number of lists that [`Service::lists`] returns.
pub const LISTS_A_PAGE: u8 = 24;
const MOST_HELD: u64 = 200;

fn count(row: &assignment::Model) -> u32 {
    let texts = [&row.moves, &row.refused].into_iter().flatten();
    let moves = texts.flat_map(|text| text.split_ascii_whitespace()).count();
    u32::try_from(moves).unwrap_or(u32::MAX)
}

impl Service {
    /// A contributor's lists, newest first, below the number `before` if given; at most
    /// [`LISTS_A_PAGE`].
    pub async fn lists(
        &self,
        id: ContributorId,
        before: Option<i64>,
    ) -> Result<Vec<OwnList>, ServiceError> {
        let store = self.store();
        let person = store.contributor_by_id(id.0).await?;
        let seen = Timestamp(person.map_or(0, |person| person.results_seen_at));
        let rows = store.lists_of(id.0, before, LISTS_A_PAGE.into()).await?;
        let numbers: Vec<i64> = rows.iter().map(|row| row.id).collect();
        let mut sums: BTreeMap<i64, (i64, i64, i64)> = BTreeMap::new();
        for award in store.awards_of_all(numbers).await? {
            let sum = sums.entry(award.assignment_id).or_default();
            sum.0 += award.points;
            sum.1 += award.correct;
            sum.2 += award.total;
        }
        let positions = self.positions();
        let list = |row: assignment::Model| {
            let known = positions.get(row.position_id)?;
            let (points, right, of) = sums.get(&row.id).copied().unwrap_or_default();
            let outcome = match row.state {
                Progress::Open => ListOutcome::Open,
                Progress::Expired | Progress::Skipped => ListOutcome::Expired,
                Progress::Finished if row.held => ListOutcome::Held,
                Progress::Finished if known.legal.is_some() => {
                    ListOutcome::Known { points, right, of }
                }
                Progress::Finished if known.state == PositionState::Retired => ListOutcome::Closed,
                Progress::Finished => ListOutcome::Waiting,
            };
            let finished_at = row.finished_at.map(Timestamp);
            let closed_at = known.closed_at.filter(|closed| *closed > seen);
            Ok(OwnList {
                number: row.id,
                token: read("a token", &row.token)?,
                mode: row.mode,
                position: GivenPosition::from_known(known),
                issued_at: Timestamp(row.issued_at),
                finished_at,
                moves: count(&row),
                outcome,
                // People who finished after the closing have seen the answer at once.
                is_news: matches!((finished_at, closed_at), (Some(f), Some(c)) if f <= c),
                campaign: Some(row.wanted).filter(|wanted| !wanted.is_empty()),
            })
        };
        let lists = rows.into_iter().map(list);
        Ok(lists.collect::<Result<_, StoreError>>()?)
    }

    /// Notes that a contributor has looked at their results.
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
        let list = |row: assignment::Model| {
            let finished_at = row.finished_at.unwrap_or(row.issued_at);
            HeldList {
                id: row.id,
                contributor: ContributorId(row.contributor_id),
                name: names.get(&row.contributor_id).cloned().flatten(),
                position_id: row.position_id,
                mode: row.mode,
                moves: count(&row),
                took_ms: finished_at.saturating_sub(row.issued_at),
                finished_at: Timestamp(finished_at),
            }
        };
        Ok(rows.into_iter().map(list).collect())
    }

    /// Lets a held list count; returns false if no list with this number is held.
    pub async fn allow_list(&self, id: i64) -> Result<bool, ServiceError> {
        let released = self.store().release(id).await?;
        self.memory().await.is_stale = true;
        Ok(released)
    }
}
