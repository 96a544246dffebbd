//! Moderation: the queue, flags and retired positions.

use std::collections::{BTreeMap, HashSet};

use super::context::{read, read_questions};
use super::positions::KnownPosition;
use super::{
    ContributorId, FlagItem, PositionOverview, QueueItem, QueueState, Resolution, ResolveError,
    RetireError, Service, ServiceError,
};
use crate::model::Timestamp;
use crate::store::entity::{flag, moderation};
use crate::store::{Decision, StoreError};

/// Maximum length of a note, in characters.
const NOTE: usize = 2000;

impl Service {
    /// All open and resolved queue items, newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn queue(&self) -> Result<Vec<QueueItem>, ServiceError> {
        let positions = self.positions();
        let items = self.store().queue().await?.into_iter();
        let items = items.map(|row| item(positions.get(row.position_id)?, row));
        Ok(items.collect::<Result<_, StoreError>>()?)
    }

    /// Resolves a queue item.
    ///
    /// # Errors
    ///
    /// [`ResolveError`] when it is not open, or the database fails.
    pub async fn resolve(
        &self,
        item: i64,
        resolution: Resolution,
        note: &str,
        now: Timestamp,
    ) -> Result<(), ResolveError> {
        let note: String = note.chars().take(NOTE).collect();
        let decision = Decision {
            item,
            resolution: resolution.as_str(),
            note: &note,
            at: now.0,
            position_becomes: match resolution {
                Resolution::GeneratorIsRight | Resolution::CrowdIsRight | Resolution::Retire => {
                    "retired"
                }
                Resolution::AskAgain => "open",
            },
        };
        if self.store().decide(&decision).await? {
            self.read_positions().await?;
            self.memory().await.changed();
            return Ok(());
        }
        match self.store().queue_item(item).await? {
            Some(_) => Err(ResolveError::Decided(item)),
            None => Err(ResolveError::Unknown(item)),
        }
    }

    /// Retires an open position without an answer: its lists are not scored, and their owners are
    /// informed.
    ///
    /// # Errors
    ///
    /// [`RetireError`] when it is not open, or the database fails.
    pub async fn retire(&self, position: i64, now: Timestamp) -> Result<(), RetireError> {
        let retire = Resolution::Retire.as_str();
        if self.store().retire(position, retire, now.0).await? {
            self.read_positions().await?;
            self.memory().await.changed();
            return Ok(());
        }
        match self.positions().find(position) {
            Some(_) => Err(RetireError::NotOpen(position)),
            None => Err(RetireError::Unknown(position)),
        }
    }

    /// Every flag, newest first.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn flags(&self) -> Result<Vec<FlagItem>, ServiceError> {
        let rows = self.store().flags().await?;
        let ids: HashSet<i64> = rows.iter().map(|row| row.contributor_id).collect();
        let people = self.store().contributors(ids.into_iter().collect()).await?;
        let people: BTreeMap<i64, (Option<String>, bool)> = people
            .into_iter()
            .map(|person| (person.id, (person.name, person.set_aside)))
            .collect();
        let known = |row: &flag::Model| people.get(&row.contributor_id).cloned();
        let item = |row: flag::Model| flag_item(known(&row).unwrap_or_default(), row);
        Ok(rows.into_iter().map(item).collect())
    }

    /// The state of every position.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn positions_overview(&self) -> Result<Vec<PositionOverview>, ServiceError> {
        let positions = self.positions();
        let locks = self.store().locks(i64::MIN).await?;
        let locks: BTreeMap<i64, i64> = locks
            .into_iter()
            .map(|l| (l.position_id, l.locks))
            .collect();
        let overview = |known: &KnownPosition| {
            let lists = positions.findings.lists.get(&known.id).map_or(0, Vec::len);
            PositionOverview {
                id: known.id,
                campaign: positions.campaign_name(known.campaign).to_owned(),
                name: known.name.clone(),
                fen: known.fen.clone(),
                state: known.state,
                lists: i64::try_from(lists).unwrap_or(i64::MAX),
                open_assignments: locks.get(&known.id).copied().unwrap_or(0),
                unsettled: i64::try_from(known.unsettled().len()).unwrap_or(i64::MAX),
            }
        };
        Ok(positions.all().map(|known| overview(known)).collect())
    }
}

fn item(known: &KnownPosition, row: moderation::Model) -> Result<QueueItem, StoreError> {
    let resolution = row.resolution.as_deref();
    Ok(QueueItem {
        id: row.id,
        position_id: known.id,
        name: known.name.clone(),
        fen: known.fen.clone(),
        moves: read_questions(&row.moves)?,
        created_at: Timestamp(row.created_at),
        state: match row.state.as_str() {
            "open" => QueueState::Open,
            _ => QueueState::Resolved,
        },
        resolution: resolution
            .map(|text| read("a resolution", text))
            .transpose()?,
        note: row.note,
    })
}

fn flag_item((name, set_aside): (Option<String>, bool), row: flag::Model) -> FlagItem {
    FlagItem {
        id: row.id,
        contributor: ContributorId(row.contributor_id),
        name,
        position_id: row.position_id,
        kind: row.kind,
        detail: row.detail,
        score: row.score,
        created_at: Timestamp(row.created_at),
        set_aside,
    }
}
