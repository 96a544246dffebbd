//! Assigns positions to contributors.

use std::collections::HashMap;
use std::sync::Arc;

use super::error::from_store;
use super::positions::{KnownPosition, Positions};
use super::rows::text_of;
use super::{Assignment, AssignmentToken, ContributorId, Service, ServiceError};
use crate::model::{Mode, PositionState, Progress, Timestamp};
use crate::store::{Had, Made, NewAssignment};
use crate::trust::{PersonHistory, PositionNeed, choose, questions};

/// Maximum number of retries when another request was faster.
const ATTEMPTS: usize = 10;
/// Maximum number of disputed moves in a second look.
const DISPUTED: usize = 4;

/// Why no position is assigned.
#[derive(Debug, thiserror::Error)]
pub enum AssignError {
    /// The contributor has had every position in that mode.
    #[error("there is no position left for you in this mode")]
    NothingLeft,
    /// There is no such campaign.
    #[error("there is no campaign '{0}'")]
    UnknownCampaign(String),
    /// Something failed.
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(AssignError);

#[derive(Clone, Copy, Debug)]
struct Wish {
    person: ContributorId,
    mode: Mode,
    campaign: Option<i64>,
    now: Timestamp,
}

impl Service {
    /// Assigns a position to a contributor, or returns their open assignment in that mode.
    ///
    /// # Errors
    ///
    /// [`AssignError`] when nothing is left, the campaign is unknown, or the database fails.
    pub async fn assign(
        &self,
        id: ContributorId,
        mode: Mode,
        campaign: Option<&str>,
        now: Timestamp,
    ) -> Result<Assignment, AssignError> {
        let wish = Wish {
            person: id,
            mode,
            campaign: self.campaign_id(campaign)?,
            now,
        };
        for _ in 0..ATTEMPTS {
            let had = self.store().had(id.0).await?;
            let is_open = |had: &Had| had.state == Progress::Open && had.mode == mode;
            if had.iter().any(is_open) {
                if let Some(again) = self.again(&wish).await? {
                    return Ok(again);
                }
                continue;
            }
            if let Made::New(row) = self.make(&wish, &had).await? {
                return Ok(self.view(&row, false).await?);
            }
        }
        Err(AssignError::NothingLeft)
    }

    fn campaign_id(&self, name: Option<&str>) -> Result<Option<i64>, AssignError> {
        let Some(name) = name else { return Ok(None) };
        let found = self.positions().campaigns.get(name).copied();
        let unknown = || AssignError::UnknownCampaign(name.chars().take(40).collect());
        found.map(Some).ok_or_else(unknown)
    }

    /// The open assignment; if its time is over, it is closed instead.
    async fn again(&self, wish: &Wish) -> Result<Option<Assignment>, ServiceError> {
        let open = self.store().open_assignment(wish.person.0, wish.mode);
        let Some(row) = open.await? else {
            return Ok(None);
        };
        if row.expires_at <= wish.now.0 {
            self.close_overdue(&row, wish.now).await?;
            return Ok(None);
        }
        Ok(Some(self.view(&row, true).await?))
    }

    async fn make(&self, wish: &Wish, had: &[Had]) -> Result<Made, AssignError> {
        let positions = self.positions();
        if wish.mode == Mode::Pair
            && let Some(joined) = self.join(wish, &positions).await?
        {
            return Ok(joined);
        }
        let locks = self.locks(wish.now).await?;
        let needs = needs(&positions, wish, &locks);
        let in_gold_modes = had
            .iter()
            .filter(|had| matches!(had.mode, Mode::Calm | Mode::Timed));
        let person = PersonHistory {
            had: had.iter().map(|had| had.position_id).collect(),
            assignments: u32::try_from(in_gold_modes.count()).unwrap_or(u32::MAX),
            reliability: positions.findings.reliability.get(&wish.person.0).copied(),
        };
        let settings = self.need_settings();
        let chosen = choose(&needs, &person, wish.mode, &settings, self.draw());
        let chosen = chosen.ok_or(AssignError::NothingLeft)?;
        let new = self.new_assignment(wish, &positions, chosen)?;
        let made = match wish.mode {
            Mode::Pair => self.store().add_waiting(new).await?,
            _ => self.store().add_assignment(new).await?,
        };
        Ok(made)
    }

    /// Joins a contributor who waits for a partner; `None` if nobody does.
    async fn join(&self, wish: &Wish, positions: &Positions) -> Result<Option<Made>, ServiceError> {
        let waiting = self.store().waiting_pairs(wish.person.0, wish.campaign);
        let waiting = waiting.await?;
        let fits = |id: i64| positions.find(id).is_some_and(|p| is_open_for(p, wish));
        for pair in waiting.into_iter().filter(|pair| fits(pair.position_id)) {
            let new = self.new_assignment(wish, positions, pair.position_id)?;
            let made = self.store().join_pair(pair.id, new).await?;
            if matches!(made, Made::New(_)) {
                return Ok(Some(made));
            }
        }
        Ok(None)
    }

    async fn locks(&self, now: Timestamp) -> Result<HashMap<i64, u32>, ServiceError> {
        let lock_ms = i64::try_from(self.settings().lock.as_millis()).unwrap_or(i64::MAX);
        let locks = self.store().locks(now.0.saturating_sub(lock_ms)).await?;
        let count = |locks: i64| u32::try_from(locks).unwrap_or(0);
        let by_position = locks.iter().map(|l| (l.position_id, count(l.locks)));
        Ok(by_position.collect())
    }

    fn new_assignment(
        &self,
        wish: &Wish,
        positions: &Positions,
        position: i64,
    ) -> Result<NewAssignment, ServiceError> {
        let known = positions.get(position)?;
        let settings = self.settings();
        let lasts = match wish.mode {
            Mode::Timed => settings.time_limit.saturating_add(settings.grace),
            _ => settings.expiry,
        };
        let asked = match wish.mode {
            Mode::Missing => Some(text_of(&known.unsettled())),
            Mode::Review => {
                let evidence = known.evidence(&positions.findings);
                Some(text_of(&questions(
                    &evidence,
                    &self.rule(),
                    self.draw(),
                    DISPUTED,
                )))
            }
            Mode::Calm | Mode::Timed | Mode::Pair => None,
        };
        Ok(NewAssignment {
            token: AssignmentToken::random()?.as_str().to_owned(),
            contributor: wish.person.0,
            position,
            mode: wish.mode,
            issued_at: wish.now.0,
            expires_at: wish.now.after(lasts).0,
            asked,
        })
    }
}

fn is_open_for(position: &KnownPosition, wish: &Wish) -> bool {
    let is_given = match position.state {
        PositionState::Open => true,
        PositionState::Gold => matches!(wish.mode, Mode::Calm | Mode::Timed),
        PositionState::Agreed | PositionState::Disputed | PositionState::Retired => false,
    };
    is_given
        && wish
            .campaign
            .is_none_or(|campaign| campaign == position.campaign)
}

fn needs(positions: &Positions, wish: &Wish, locks: &HashMap<i64, u32>) -> Vec<PositionNeed> {
    let open = positions
        .all()
        .filter(|position| is_open_for(position, wish));
    let need = |known: &Arc<KnownPosition>| {
        let verdict = known.verdict.as_ref();
        let disputed = verdict.map_or(0, |verdict| verdict.disputed().count());
        PositionNeed {
            position: known.id,
            gold: known.state == PositionState::Gold,
            lists: verdict.map_or(0, |verdict| verdict.lists),
            disputed: u32::try_from(disputed).unwrap_or(u32::MAX),
            uncertainty: verdict.map_or(0.0, crate::trust::Undecided::uncertainty),
            live_locks: locks.get(&known.id).copied().unwrap_or(0),
        }
    };
    open.map(need).collect()
}
