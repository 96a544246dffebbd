//! Assigns positions to contributors.

use std::collections::HashMap;
use std::sync::Arc;

use super::error::from_store;
use super::positions::{KnownPosition, Positions};
use super::rows::text_of;
use super::{Assignment, AssignmentToken, ContributorId, Service, ServiceError};
use crate::model::{Mode, PositionState, Progress, Timestamp};
use crate::store::entity::assignment;
use crate::store::{Had, Waiting};
use crate::trust::{Caps, NeedSettings, PersonHistory, PositionNeed, choose, questions};

/// Maximum number of retries when another request was faster.
const ATTEMPTS: usize = 10;
// As many undisputed moves are mixed in, so a second look has at most eight questions.
const DISPUTED: usize = 4;
/// Maximum number of open pages among which a partner is looked for; both databases limit the
/// values of a statement.
const MOST_PRESENT: usize = 1000;

#[derive(Debug, thiserror::Error)]
pub enum AssignError {
    #[error("there is no position left for you in this mode")]
    NothingLeft,
    #[error("{most} positions a day can be left without a list; come back tomorrow")]
    TooManyLeft { most: u32 },
    #[error("there is no campaign '{0}'")]
    UnknownCampaign(String),
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(AssignError);

#[derive(Clone, Copy, Debug)]
struct Wish<'a> {
    person: ContributorId,
    mode: Mode,
    campaign: Option<i64>,
    /// The name of the campaign; empty for any of chess.
    wanted: &'a str,
    now: Timestamp,
}

impl Service {
    /// Assigns a position to a contributor, or returns their open assignment in that mode and
    /// campaign.
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
            wanted: campaign.unwrap_or(""),
            now,
        };
        for _ in 0..ATTEMPTS {
            let had = self.store().had(id.0).await?;
            let is_open = |had: &Had| {
                let is_same = had.mode == mode && had.wanted == wish.wanted;
                had.state == Progress::Open && is_same
            };
            if had.iter().any(is_open) {
                if let Some(again) = self.again(&wish).await? {
                    return Ok(again);
                }
                continue;
            }
            let most = self.settings().skips;
            // Skips stop at the limit; a timed list that runs out without a move may exceed it.
            if self.left_lately(id, now).await? > u64::from(most) {
                return Err(AssignError::TooManyLeft { most });
            }
            if let Some(row) = self.make(&wish, &had).await? {
                if mode == Mode::Pair {
                    self.heard_of(row.id, now);
                }
                return Ok(self.view(&row, false, now).await?);
            }
        }
        Err(AssignError::NothingLeft)
    }

    /// How many positions the contributor has left unanswered in the last 24 hours: each was a draw
    /// without work.
    pub(super) async fn left_lately(
        &self,
        id: ContributorId,
        now: Timestamp,
    ) -> Result<u64, ServiceError> {
        let yesterday = now.0.saturating_sub(Timestamp::DAY_MS);
        Ok(self.store().count_left(id.0, yesterday).await?)
    }

    fn campaign_id(&self, name: Option<&str>) -> Result<Option<i64>, AssignError> {
        let Some(name) = name else { return Ok(None) };
        let found = self.positions().campaigns.get(name).copied();
        let unknown = || AssignError::UnknownCampaign(name.chars().take(40).collect());
        found.map(Some).ok_or_else(unknown)
    }

    /// The open assignment; if its time is over, it is closed instead.
    async fn again(&self, wish: &Wish<'_>) -> Result<Option<Assignment>, ServiceError> {
        let open = self
            .store()
            .open_assignment(wish.person.0, wish.mode, wish.wanted);
        let Some(row) = open.await? else {
            return Ok(None);
        };
        if row.expires_at <= wish.now.0 {
            self.close_overdue(&row, wish.now).await?;
            return Ok(None);
        }
        if row.mode == Mode::Pair {
            self.heard_of(row.id, wish.now);
        }
        Ok(Some(self.view(&row, true, wish.now).await?))
    }

    async fn make(
        &self,
        wish: &Wish<'_>,
        had: &[Had],
    ) -> Result<Option<assignment::Model>, AssignError> {
        let positions = self.positions();
        // People who wait are joined first: two strangers at different positions would both wait.
        if wish.mode == Mode::Pair
            && let Some(joined) = self.join(wish, &positions).await?
        {
            return Ok(Some(joined));
        }
        let lock_ms = i64::try_from(self.settings().lock.as_millis()).unwrap_or(i64::MAX);
        let locks = self.store().locks(wish.now.0.saturating_sub(lock_ms));
        let locks = locks.await?;
        let needs = needs(&positions, wish, &locks, self.settings().caps);
        let in_gold_modes = had
            .iter()
            .filter(|had| matches!(had.mode, Mode::Calm | Mode::Timed));
        let person = PersonHistory {
            had: had.iter().map(|had| had.position_id).collect(),
            assignments: u32::try_from(in_gold_modes.count()).unwrap_or(u32::MAX),
            reliability: positions.findings.reliability.get(&wish.person.0).copied(),
        };
        let settings = NeedSettings {
            min_lists: self.settings().min_lists,
            sufficient_lists: self.settings().rule().sufficient_lists(),
            ..NeedSettings::default()
        };
        let chosen = choose(&needs, &person, wish.mode, &settings, self.draw());
        let chosen = chosen.ok_or(AssignError::NothingLeft)?;
        let new = self.new_assignment(wish, &positions, chosen)?;
        let made = match wish.mode {
            Mode::Pair => self.store().add_waiting(new).await?,
            _ => self.store().add_assignment(new).await?,
        };
        Ok(made)
    }

    /// Joins somebody without a partner: one who lists now, or else one who has finished. Those
    /// whose page is closed are not joined. `None` if there is nobody.
    async fn join(
        &self,
        wish: &Wish<'_>,
        positions: &Positions,
    ) -> Result<Option<assignment::Model>, ServiceError> {
        let mut present = self.present(wish.now);
        present.truncate(MOST_PRESENT);
        let fits = |id: i64| positions.find(id).is_some_and(|p| is_open_for(p, wish));
        for those in [Waiting::Present(present), Waiting::Finished] {
            let (person, campaign) = (wish.person.0, wish.campaign);
            let waiting = self.store().waiting_pairs(person, campaign, those).await?;
            for pair in waiting.into_iter().filter(|pair| fits(pair.position_id)) {
                let new = self.new_assignment(wish, positions, pair.position_id)?;
                let made = self.store().join_pair(pair.id, new).await?;
                if made.is_some() {
                    return Ok(made);
                }
            }
        }
        Ok(None)
    }

    fn new_assignment(
        &self,
        wish: &Wish<'_>,
        positions: &Positions,
        position: i64,
    ) -> Result<assignment::Model, ServiceError> {
        let known = positions.get(position)?;
        let settings = self.settings();
        let lasts = match wish.mode {
            // The last events need a moment to arrive after the time is up.
            Mode::Timed => settings.time_limit.saturating_add(settings.grace),
            _ => settings.expiry,
        };
        let asked = match wish.mode {
            Mode::Missing => Some(text_of(&known.unsettled())),
            Mode::Review => {
                let evidence = known.evidence(&positions.findings);
                let asked = questions(&evidence, &settings.rule(), self.draw(), DISPUTED);
                Some(text_of(&asked))
            }
            Mode::Calm | Mode::Timed | Mode::Pair => None,
        };
        Ok(assignment::Model {
            id: 0, // The database gives it one.
            token: AssignmentToken::random()?.as_str().to_owned(),
            contributor_id: wish.person.0,
            position_id: position,
            mode: wish.mode,
            state: Progress::Open,
            issued_at: wish.now.0,
            expires_at: wish.now.after(lasts).0,
            finished_at: None,
            event_count: 0,
            asked,
            moves: None,
            refused: None,
            complete: false,
            checked: false,
            scored: false,
            wanted: wish.wanted.to_owned(),
            held: false,
            // Known answers measure people, wherever they come from.
            network: match known.state {
                PositionState::Gold => None,
                _ => self.network_of(wish.person),
            },
        })
    }
}

fn is_open_for(position: &KnownPosition, wish: &Wish<'_>) -> bool {
    let is_given = match position.state {
        PositionState::Open => true,
        PositionState::Gold => matches!(wish.mode, Mode::Calm | Mode::Timed),
        PositionState::Agreed | PositionState::Disputed | PositionState::Retired => false,
    };
    let is_wanted = wish
        .campaign
        .is_none_or(|campaign| campaign == position.campaign);
    is_given && is_wanted
}

fn needs(
    positions: &Positions,
    wish: &Wish<'_>,
    locks: &HashMap<i64, i64>,
    caps: Caps,
) -> Vec<PositionNeed> {
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
            live_locks: locks
                .get(&known.id)
                .map_or(0, |&n| u32::try_from(n).unwrap_or(0)),
            // Gold measures everybody, so the caps do not apply to it.
            full: known.state != PositionState::Gold && {
                let lists = positions.findings.lists.get(&known.id);
                lists.is_some_and(|lists| caps.is_full(lists, wish.now))
            },
        }
    };
    open.map(need).collect()
}
