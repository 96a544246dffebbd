//! Moderation: the queue, flags and retired positions.

use std::collections::{BTreeMap, HashSet};

use serde::Serialize;
use utoipa::ToSchema;

use super::error::from_store;
use super::positions::KnownPosition;
use super::rows::{QueueMove, read_questions};
use super::{ContributorId, Service, ServiceError};
use crate::model::{FlagKind, PositionState, QueueState, Resolution, Timestamp};
use crate::store::entity::{flag, moderation};
use crate::store::{Decision, StoreError};

/// A position in the moderators' queue.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct QueueItem {
    /// The number of the item.
    pub id: i64,
    /// The number of the position.
    pub position_id: i64,
    /// Its name.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// The moves in question.
    pub moves: Vec<QueueMove>,
    /// When it was added to the queue.
    #[schema(value_type = i64)]
    pub created_at: Timestamp,
    /// Its state.
    pub state: QueueState,
    /// The decision, if it is resolved.
    pub resolution: Option<Resolution>,
    /// The moderator's note.
    pub note: Option<String>,
}

/// An indication that a list is not a person's own work.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct FlagItem {
    /// The number of the flag.
    pub id: i64,
    /// The contributor of the list.
    pub contributor: ContributorId,
    /// Their name, if one was given.
    pub name: Option<String>,
    /// The number of the position.
    pub position_id: i64,
    /// The kind of flag.
    pub kind: FlagKind,
    /// Description of the evidence.
    pub detail: String,
    /// How strong it is, from 0 to 1.
    pub score: f64,
    /// When it was raised.
    #[schema(value_type = i64)]
    pub created_at: Timestamp,
    /// Whether the contributor's lists are excluded.
    #[serde(rename = "set_aside")]
    pub quarantined: bool,
}

/// The state of a position, for moderators.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct PositionOverview {
    /// Its number.
    pub id: i64,
    /// Its campaign.
    pub campaign: String,
    /// Its name.
    pub name: String,
    /// Its FEN.
    pub fen: String,
    /// Its state.
    pub state: PositionState,
    /// Number of finished lists.
    pub lists: i64,
    /// Number of open assignments.
    pub open_assignments: i64,
    /// Number of unsettled moves.
    pub unsettled: i64,
}

const NOTE: usize = 2000;

#[derive(Debug, thiserror::Error)]
pub enum ModerateError {
    #[error("there is no item {0} in the queue")]
    NoItem(i64),
    #[error("item {0} is decided already")]
    Decided(i64),
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

    pub async fn resolve(
        &self,
        item: i64,
        resolution: Resolution,
        note: &str,
        now: Timestamp,
    ) -> Result<(), ModerateError> {
        let note: String = note.chars().take(NOTE).collect();
        let decision = Decision {
            item,
            resolution,
            note: &note,
            at: now.0,
            position_becomes: match resolution {
                Resolution::GeneratorIsRight | Resolution::CrowdIsRight | Resolution::Retire => {
                    PositionState::Retired
                }
                Resolution::AskAgain => PositionState::Open,
            },
        };
        if self.store().decide(&decision).await? {
            self.positions_changed().await?;
            return Ok(());
        }
        match self.store().queue_item(item).await? {
            Some(_) => Err(ModerateError::Decided(item)),
            None => Err(ModerateError::NoItem(item)),
        }
    }

    /// Retires an open position without an answer: its lists are not scored, and their owners are
    /// informed.
    pub async fn retire(&self, position: i64, now: Timestamp) -> Result<(), ModerateError> {
        if self.store().retire(position, now.0).await? {
            self.positions_changed().await?;
            return Ok(());
        }
        match self.positions().find(position) {
            Some(_) => Err(ModerateError::NotOpen(position)),
            None => Err(ModerateError::NoPosition(position)),
        }
    }

    /// Every flag, newest first.
    pub async fn flags(&self) -> Result<Vec<FlagItem>, ServiceError> {
        let rows = self.store().flags().await?;
        let ids: HashSet<i64> = rows.iter().map(|row| row.contributor_id).collect();
        let people = self.store().contributors(ids.into_iter().collect()).await?;
        let people: BTreeMap<i64, (Option<String>, bool)> = people
            .into_iter()
            .map(|person| (person.id, (person.name, person.quarantined)))
            .collect();
        let item = |row: flag::Model| {
            let (name, quarantined) = people.get(&row.contributor_id).cloned().unwrap_or_default();
            FlagItem {
                id: row.id,
                contributor: ContributorId(row.contributor_id),
                name,
                position_id: row.position_id,
                kind: row.kind,
                detail: row.detail,
                score: row.score,
                created_at: Timestamp(row.created_at),
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
                open_assignments: locks.get(&known.id).copied().unwrap_or(0),
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
    })
}
