//! Begins lists: which position a contributor gets, and for what.

use std::collections::HashMap;
use std::sync::Arc;

use super::error::from_store;
use super::positions::{KnownPosition, Positions};
use super::rows::text_of;
use super::{ClassError, ContributorId, List, ListToken, Service, ServiceError};
use crate::class::ClassCode;
use crate::model::{PositionState, Progress, Purpose, Reveal, Timestamp};
use crate::store::entity::list;
use crate::store::{Had, Waiting};
use crate::trust::{Caps, NeedSettings, PersonHistory, PositionNeed, choose, questions};

/// Maximum number of retries when another request was faster.
const ATTEMPTS: usize = 10;
// As many undisputed moves are mixed in, so a second look has at most eight questions.
const DISPUTED: usize = 4;
/// Maximum number of open pages among which a partner is looked for; both databases limit the
/// values of a statement.
const MOST_PRESENT: usize = 1000;

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Wanted<'a> {
    /// The next position, of a campaign if one is named; which one, and whether it is a second look, the server
    /// chooses.
    Next(Option<&'a str>),
    /// A position for one of the purposes of the crowd, of a campaign if one is named.
    Crowd(Purpose, Option<&'a str>),
    Today,
    /// A position of a class by its number, or the first one that is not finished.
    Class(&'a ClassCode, Option<usize>),
}

#[derive(Debug, thiserror::Error)]
pub enum BeginError {
    #[error("there is no position left for you")]
    NothingLeft,
    #[error("at most {most} positions a day can be skipped; come back tomorrow")]
    TooManyLeft { most: u32 },
    #[error("there is no campaign '{0}'")]
    UnknownCampaign(String),
    #[error(transparent)]
    Class(#[from] ClassError),
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(BeginError);

#[derive(Clone, Copy, Debug)]
struct Wish<'a> {
    person: ContributorId,
    purpose: Purpose,
    campaign: Option<i64>,
    /// The name of the campaign; empty for any.
    wanted: &'a str,
    now: Timestamp,
}

/// Every so many lists a contributor gets a second look, if there is something to look at: it settles more than a list
/// does, and is a change.
const SECOND_LOOK_EVERY: usize = 5;

/// How long a list of the board of the day or of a class stays open; then its board is long over, and its class deleted.
const LESSON_OPEN_MS: i64 = 400 * Timestamp::DAY_MS;

impl Service {
    /// Begins a list, or returns the one of the same purpose and campaign that is still open.
    pub async fn begin(
        &self,
        id: ContributorId,
        wanted: Wanted<'_>,
        now: Timestamp,
    ) -> Result<List, BeginError> {
        match wanted {
            Wanted::Next(campaign) => self.begin_next(id, campaign, now).await,
            Wanted::Crowd(purpose, campaign) => {
                self.begin_of_crowd(id, purpose, campaign, now).await
            }
            Wanted::Today => {
                let board = self.board_of_today(now).await?;
                let terms = (Purpose::Daily, None, Reveal::AtOnce);
                Ok(self.begin_lesson(id, board, terms, now).await?)
            }
            Wanted::Class(code, number) => {
                let (position, limit, reveal) = self.class_position(id, code, number).await?;
                let terms = (Purpose::Class, limit, reveal);
                Ok(self.begin_lesson(id, position, terms, now).await?)
            }
        }
    }

    async fn begin_next(
        &self,
        id: ContributorId,
        campaign: Option<&str>,
        now: Timestamp,
    ) -> Result<List, BeginError> {
        let had = self.store().had(id.0).await?;
        let is_done = |had: &&Had| had.state == Progress::Finished && had.purpose.is_of_crowd();
        let done = had.iter().filter(is_done).count();
        let first = match done % SECOND_LOOK_EVERY {
            4 => Purpose::Review,
            _ => Purpose::Campaign,
        };
        let second = match first {
            Purpose::Review => Purpose::Campaign,
            _ => Purpose::Review,
        };
        match self.begin_of_crowd(id, first, campaign, now).await {
            Err(BeginError::NothingLeft) => self.begin_of_crowd(id, second, campaign, now).await,
            begun => begun,
        }
    }

    /// Begins the list of a board whose answer is known, or returns it, finished or not.
    async fn begin_lesson(
        &self,
        id: ContributorId,
        position: i64,
        (purpose, limit_ms, reveal): (Purpose, Option<i64>, Reveal),
        now: Timestamp,
    ) -> Result<List, ServiceError> {
        let new = list::Model {
            purpose,
            limit_ms,
            reveal,
            expires_at: now.0.saturating_add(LESSON_OPEN_MS),
            ..blank(id, position, now)?
        };
        if let Some(made) = self.store().add_list(new).await? {
            return self.view(&made, false, now).await;
        }
        let had = self.store().list_at(id.0, position).await?;
        let had = had.ok_or_else(|| ServiceError::Background("a list has vanished".to_owned()))?;
        self.view(&had, true, now).await
    }

    async fn begin_of_crowd(
        &self,
        id: ContributorId,
        purpose: Purpose,
        campaign: Option<&str>,
        now: Timestamp,
    ) -> Result<List, BeginError> {
        let wish = Wish {
            person: id,
            purpose,
            campaign: self.campaign_id(campaign)?,
            wanted: campaign.unwrap_or(""),
            now,
        };
        for _ in 0..ATTEMPTS {
            let had = self.store().had(id.0).await?;
            let is_open = |had: &Had| {
                let is_same = had.purpose == purpose && had.wanted == wish.wanted;
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
                return Err(BeginError::TooManyLeft { most });
            }
            if let Some(row) = self.make(&wish, &had).await? {
                if purpose == Purpose::Pair {
                    self.heard_of(row.id, now);
                }
                return Ok(self.view(&row, false, now).await?);
            }
        }
        Err(BeginError::NothingLeft)
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

    fn campaign_id(&self, name: Option<&str>) -> Result<Option<i64>, BeginError> {
        let Some(name) = name else { return Ok(None) };
        let found = self.positions().campaigns.get(name).copied();
        let unknown = || BeginError::UnknownCampaign(name.chars().take(40).collect());
        found.map(Some).ok_or_else(unknown)
    }

    /// The open list; if its time is over, it is closed instead.
    async fn again(&self, wish: &Wish<'_>) -> Result<Option<List>, ServiceError> {
        let open = self
            .store()
            .open_list(wish.person.0, wish.purpose, wish.wanted);
        let Some(row) = open.await? else {
            return Ok(None);
        };
        if row.expires_at <= wish.now.0 {
            self.close_overdue(&row, wish.now).await?;
            return Ok(None);
        }
        if row.purpose == Purpose::Pair {
            self.heard_of(row.id, wish.now);
        }
        Ok(Some(self.view(&row, true, wish.now).await?))
    }

    async fn make(&self, wish: &Wish<'_>, had: &[Had]) -> Result<Option<list::Model>, BeginError> {
        let positions = self.positions();
        // People who wait are joined first: two strangers at different positions would both wait.
        if wish.purpose == Purpose::Pair
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
            .filter(|had| matches!(had.purpose, Purpose::Campaign | Purpose::Timed));
        let person = PersonHistory {
            had: had.iter().map(|had| had.position_id).collect(),
            lists: u32::try_from(in_gold_modes.count()).unwrap_or(u32::MAX),
            reliability: positions.findings.reliability.get(&wish.person.0).copied(),
        };
        let settings = NeedSettings {
            min_lists: self.settings().min_lists,
            sufficient_lists: self.settings().rule().sufficient_lists(),
            ..NeedSettings::default()
        };
        let chosen = choose(&needs, &person, wish.purpose, &settings, self.draw());
        let chosen = chosen.ok_or(BeginError::NothingLeft)?;
        let new = self.new_list(wish, &positions, chosen)?;
        let made = match wish.purpose {
            Purpose::Pair => self.store().add_waiting(new).await?,
            _ => self.store().add_list(new).await?,
        };
        Ok(made)
    }

    /// Joins somebody without a partner: one who lists now, or else one who has finished. Those
    /// whose page is closed are not joined. `None` if there is nobody.
    async fn join(
        &self,
        wish: &Wish<'_>,
        positions: &Positions,
    ) -> Result<Option<list::Model>, ServiceError> {
        let mut present = self.present(wish.now);
        present.truncate(MOST_PRESENT);
        let fits = |id: i64| positions.find(id).is_some_and(|p| is_open_for(p, wish));
        for those in [Waiting::Present(present), Waiting::Finished] {
            let (person, campaign) = (wish.person.0, wish.campaign);
            let waiting = self.store().waiting_pairs(person, campaign, those).await?;
            for pair in waiting.into_iter().filter(|pair| fits(pair.position_id)) {
                let new = self.new_list(wish, positions, pair.position_id)?;
                let made = self.store().join_pair(pair.id, new).await?;
                if made.is_some() {
                    return Ok(made);
                }
            }
        }
        Ok(None)
    }

    fn new_list(
        &self,
        wish: &Wish<'_>,
        positions: &Positions,
        position: i64,
    ) -> Result<list::Model, ServiceError> {
        let known = positions.get(position)?;
        let settings = self.settings();
        let lasts = match wish.purpose {
            // The last events need a moment to arrive after the time is up.
            Purpose::Timed => settings.time_limit.saturating_add(settings.grace),
            _ => settings.expiry,
        };
        let asked = (wish.purpose == Purpose::Review).then(|| {
            let evidence = known.evidence(&positions.findings);
            text_of(&questions(
                &evidence,
                &settings.rule(),
                self.draw(),
                DISPUTED,
            ))
        });
        Ok(list::Model {
            purpose: wish.purpose,
            limit_ms: (wish.purpose == Purpose::Timed).then(|| settings.time_limit_ms().into()),
            expires_at: wish.now.after(lasts).0,
            asked,
            checked: false,
            wanted: wish.wanted.to_owned(),
            // Known answers measure people, wherever they come from.
            network: match known.state {
                PositionState::Gold => None,
                _ => self.network_of(wish.person),
            },
            ..blank(wish.person, position, wish.now)?
        })
    }
}

/// A list that was just begun; of no campaign, without a limit.
fn blank(
    person: ContributorId,
    position: i64,
    now: Timestamp,
) -> Result<list::Model, ServiceError> {
    Ok(list::Model {
        id: 0, // The database gives it one.
        token: ListToken::random()?.as_str().to_owned(),
        contributor_id: person.0,
        position_id: position,
        purpose: Purpose::Campaign,
        limit_ms: None,
        reveal: Reveal::WhenKnown,
        state: Progress::Open,
        issued_at: now.0,
        expires_at: now.0,
        finished_at: None,
        event_count: 0,
        asked: None,
        moves: None,
        refused: None,
        complete: false,
        checked: true,
        scored: false,
        seen: false,
        wanted: String::new(),
        held: false,
        network: None,
    })
}

fn is_open_for(position: &KnownPosition, wish: &Wish<'_>) -> bool {
    let is_given = match position.state {
        PositionState::Open => true,
        PositionState::Gold => matches!(wish.purpose, Purpose::Campaign | Purpose::Timed),
        PositionState::Agreed
        | PositionState::Disputed
        | PositionState::Retired
        | PositionState::Lesson => false,
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
