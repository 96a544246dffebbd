//! Moderation: the queue, reversals, flags, retired positions, and the log.

use std::collections::{BTreeMap, HashSet};

use super::error::from_store;
use super::positions::KnownPosition;
use super::rows::read_questions;
use super::{QueueMove, Service, ServiceError};

use crate::candidates::legal_texts;
use crate::model::{Act, MoveText, PositionState, QueueState, Resolution, Timestamp};
use crate::store::entity::{deed, flag, moderation};
use crate::store::{Reversed, Ruling, StoreError};

#[derive(Clone, Debug, PartialEq)]
pub struct QueueItem {
    pub id: i64,
    pub position_id: i64,
    pub name: String,
    pub fen: String,
    pub moves: Vec<QueueMove>,
    pub created_at: Timestamp,
    pub state: QueueState,
    /// `None` until it is resolved.
    pub resolution: Option<Resolution>,
    pub note: Option<String>,
    pub resolved_at: Option<Timestamp>,
    pub decided_by: Option<String>,
    pub reversed_at: Option<Timestamp>,
    pub reversed_by: Option<String>,
}

/// A move in question, for the moderator who decides.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Question {
    pub mv: MoveText,
    pub crowd_says: bool,
    /// Without a generator, as the crowd says.
    pub generator_says: bool,
    pub yes: usize,
    pub no: usize,
    pub explanation: String,
}

impl Question {
    /// Why it is legal or not, after the verdict: ": a pawn moves straight ahead".
    pub fn reason(&self) -> &str {
        let at = self.explanation.find(": ");
        at.map_or("", |at| &self.explanation[at..])
    }
}

/// An indication that a list is not a person's own work.
#[derive(Clone, Debug, PartialEq)]
pub struct FlagItem {
    pub flag: flag::Model,
    pub name: Option<String>,
    pub quarantined: bool,
}

#[derive(Clone, Debug, PartialEq)]
pub struct PositionOverview {
    pub id: i64,
    pub campaign: String,
    pub name: String,
    pub fen: String,
    pub state: PositionState,
    pub lists: i64,
    pub open_lists: i64,
    pub unsettled: i64,
}

const NOTE: usize = 2000;

/// Maximum number of lines shown of the log; the database keeps all.
const DEEDS: u64 = 1000;

#[derive(Debug, thiserror::Error)]
pub enum ModerateError {
    #[error("there is no item {0} in the queue")]
    NoItem(i64),
    #[error("item {0} is decided already")]
    Decided(i64),
    #[error("item {0} is not decided, or its decision was reversed already")]
    NotDecided(i64),
    #[error("item {0} does not have the last decision on its position; reverse that one first")]
    Overtaken(i64),
    #[error("there is no position {0}")]
    NoPosition(i64),
    /// It is closed, gold, or in the queue.
    #[error("position {0} is not open; one that waits in the queue is decided there")]
    NotOpen(i64),
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(ModerateError);

impl Service {
    /// All open and resolved queue items, newest first.
    pub async fn queue(&self) -> Result<Vec<QueueItem>, ServiceError> {
        let positions = self.positions();
        let items = self.store().queue().await?.into_iter();
        let items = items.map(|row| item(positions.get(row.position_id)?, row));
        Ok(items.collect::<Result<_, StoreError>>()?)
    }

    pub async fn queue_item(&self, id: i64) -> Result<Option<QueueItem>, ServiceError> {
        let positions = self.positions();
        let row = self.store().find::<moderation::Entity>(id).await?;
        let found = row.map(|row| item(positions.get(row.position_id)?, row));
        Ok(found.transpose()?)
    }

    /// What is known about the moves in question of an item.
    pub fn questions(&self, item: &QueueItem) -> Result<Vec<Question>, ServiceError> {
        let positions = self.positions();
        let known = positions.get(item.position_id)?;
        let legal = legal_texts(&known.position);
        let question = |one: &QueueMove| {
            let mut estimates = known.estimates.iter();
            let found = estimates.find(|estimate| estimate.text == one.mv);
            Question {
                mv: one.mv.clone(),
                crowd_says: one.crowd_says,
                generator_says: legal.contains(&one.mv),
                yes: found.map_or(0, |found| found.yes.len()),
                no: found.map_or(0, |found| found.no.len()),
                explanation: one.explanation.clone(),
            }
        };
        Ok(item.moves.iter().map(question).collect())
    }

    pub async fn resolve(
        &self,
        item: i64,
        ruling: &Ruling<'_>,
        now: Timestamp,
    ) -> Result<(), ModerateError> {
        let note: String = ruling.note.chars().take(NOTE).collect();
        let ruling = &Ruling {
            note: &note,
            ..*ruling
        };
        if self.store().decide(item, ruling, now.0).await? {
            self.positions_changed().await?;
            let detail = match note.as_str() {
                "" => ruling.resolution.to_string(),
                note => format!("{}: {note}", ruling.resolution),
            };
            self.log(ruling.by, Act::Decide, Some(item), &detail, now)
                .await?;
            return Ok(());
        }
        match self.store().find::<moderation::Entity>(item).await? {
            Some(_) => Err(ModerateError::Decided(item)),
            None => Err(ModerateError::NoItem(item)),
        }
    }

    /// Reverses the decision on an item: its position is in question again, or open if it had been
    /// retired by hand. Points that followed from the decision are withdrawn, and so are a public
    /// answer and a test case; lists finished while the answer was public never count.
    pub async fn reverse(&self, item: i64, by: &str, now: Timestamp) -> Result<(), ModerateError> {
        match self.store().reverse(item, by, now.0).await? {
            Reversed::Done => {}
            Reversed::NotDecided => return Err(ModerateError::NotDecided(item)),
            Reversed::Overtaken => return Err(ModerateError::Overtaken(item)),
        }
        self.positions_changed().await?;
        Ok(self.log(by, Act::Reverse, Some(item), "", now).await?)
    }

    /// Retires an open position without an answer: its lists are not scored, and their owners are
    /// informed.
    pub async fn retire(
        &self,
        position: i64,
        by: &str,
        now: Timestamp,
    ) -> Result<(), ModerateError> {
        if self.store().retire(position, by, now.0).await? {
            self.positions_changed().await?;
            self.log(by, Act::Retire, Some(position), "", now).await?;
            return Ok(());
        }
        match self.positions().find(position) {
            Some(_) => Err(ModerateError::NotOpen(position)),
            None => Err(ModerateError::NoPosition(position)),
        }
    }

    /// Decides that a list that was too fast does not count: it waits no longer. Returns false if
    /// no list with this number waits.
    pub async fn keep_list(&self, id: i64, by: &str, now: Timestamp) -> Result<bool, ServiceError> {
        let waits = self.store().is_held(id).await?;
        if waits {
            self.log(by, Act::Keep, Some(id), "", now).await?;
        }
        Ok(waits)
    }

    pub(crate) async fn log(
        &self,
        by: &str,
        act: Act,
        subject: Option<i64>,
        detail: &str,
        now: Timestamp,
    ) -> Result<(), ServiceError> {
        let deed = deed::Model {
            id: 0, // The database gives it one.
            at: now,
            moderator: by.to_owned(),
            act,
            subject,
            detail: detail.to_owned(),
        };
        Ok(self.store().note_deed(deed).await?)
    }

    pub async fn deeds(&self) -> Result<Vec<deed::Model>, ServiceError> {
        Ok(self.store().deeds(DEEDS).await?)
    }

    /// The newest first.
    pub async fn flags(&self) -> Result<Vec<FlagItem>, ServiceError> {
        let rows = self.store().flags().await?;
        let ids: HashSet<i64> = rows.iter().map(|row| row.contributor_id).collect();
        let people = self.store().contributors(ids.into_iter().collect()).await?;
        let people: BTreeMap<i64, (Option<String>, bool)> = people
            .into_iter()
            .map(|person| (person.id, (person.name, person.quarantined)))
            .collect();
        let item = |flag: flag::Model| {
            let (name, quarantined) = people
                .get(&flag.contributor_id)
                .cloned()
                .unwrap_or_default();
            FlagItem {
                flag,
                name,
                quarantined,
            }
        };
        Ok(rows.into_iter().map(item).collect())
    }

    pub async fn positions_overview(&self) -> Result<Vec<PositionOverview>, ServiceError> {
        let positions = self.positions();
        let locks = self.store().locks(i64::MIN).await?;
        let overview = |known: &KnownPosition| {
            let lists = positions.findings.lists.get(&known.id).map_or(0, Vec::len);
            PositionOverview {
                id: known.id,
                campaign: positions.campaign_name(known.campaign).to_owned(),
                name: known.name.clone(),
                fen: known.fen.clone(),
                state: known.state,
                lists: i64::try_from(lists).unwrap_or(i64::MAX),
                open_lists: locks.get(&known.id).copied().unwrap_or(0),
                unsettled: i64::try_from(known.unsettled().len()).unwrap_or(i64::MAX),
            }
        };
        Ok(positions.all().map(|known| overview(known)).collect())
    }
}

fn item(known: &KnownPosition, row: moderation::Model) -> Result<QueueItem, StoreError> {
    Ok(QueueItem {
        id: row.id,
        position_id: known.id,
        name: known.name.clone(),
        fen: known.fen.clone(),
        moves: read_questions(&row.moves)?,
        created_at: Timestamp(row.created_at),
        state: row.state,
        resolution: row.resolution,
        note: row.note,
        resolved_at: row.resolved_at.map(Timestamp),
        decided_by: row.decided_by,
        reversed_at: row.reversed_at.map(Timestamp),
        reversed_by: row.reversed_by,
    })
}
