//! One list: as shown to its owner, as a row, and by its token.

use std::sync::Arc;

use serde::Serialize;
use utoipa::ToSchema;

use super::error::from_store;
use super::positions::KnownPosition;
use super::rows::{ListContext, events, read};
use super::{ContributorId, ListToken, Service, ServiceError};
use crate::model::{ListEvent, MoveText, Progress, Purpose, Reveal, Side, Timestamp};
use crate::store::entity::list;

/// A position as shown to a contributor: the diagram, without anything about legality.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, ToSchema)]
pub struct GivenPosition {
    /// Its number.
    pub id: i64,
    /// Its FEN.
    pub fen: String,
    /// Whether it is a Chess960 position.
    pub chess960: bool,
    /// The side whose moves are to be listed.
    pub side_to_move: Side,
}

impl GivenPosition {
    pub(super) fn from_known(known: &KnownPosition) -> Self {
        Self {
            id: known.id,
            fen: known.fen.clone(),
            chess960: known.chess960,
            side_to_move: known.position.side_to_move().into(),
        }
    }
}

/// Progress of the partner in a pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "lowercase")]
pub enum Partner {
    /// Nobody has joined yet.
    Waiting,
    /// A partner lists the same position.
    Joined,
    /// A partner has the same position, but their page is closed.
    Away,
    /// The partner has finished.
    Finished,
}

/// A list of moves: whose moves of which position, for what, within which time, and when its owner sees what was right.
#[derive(Clone, Debug, PartialEq, Serialize, ToSchema)]
pub struct List {
    /// Its identifier.
    #[serde(rename = "list")]
    #[schema(value_type = String)]
    pub token: ListToken,
    /// What it is for.
    pub purpose: Purpose,
    /// The campaign that was asked for; none if any.
    pub campaign: Option<String>,
    /// The number of its position in the class, from 1.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub number: Option<usize>,
    /// The position.
    pub position: GivenPosition,
    /// Its state.
    pub state: Progress,
    /// When the result is shown.
    pub reveal: Reveal,
    /// When it was begun.
    #[schema(value_type = i64)]
    pub issued_at: Timestamp,
    /// When it is closed, finished or not.
    #[schema(value_type = i64)]
    pub expires_at: Timestamp,
    /// Milliseconds since it was begun, by the server's clock.
    pub elapsed_ms: i64,
    /// Time limit by the contributor's own clock, in milliseconds.
    pub limit_ms: Option<i64>,
    /// The yes/no questions of a second look.
    pub questions: Option<Vec<MoveText>>,
    /// Progress of the partner, in a pair.
    pub partner: Option<Partner>,
    /// All events so far.
    pub events: Vec<ListEvent>,
    /// Whether it had been begun before.
    #[serde(skip)]
    pub again: bool,
}

#[derive(Debug, thiserror::Error)]
pub enum TokenError {
    #[error("there is no such list")]
    Unknown,
    #[error("this list is somebody else's")]
    NotYours,
    #[error(transparent)]
    Service(#[from] ServiceError),
}

from_store!(TokenError);

impl Service {
    pub async fn list(
        &self,
        id: ContributorId,
        token: &ListToken,
        now: Timestamp,
    ) -> Result<List, TokenError> {
        self.given_to(id, token).await?;
        let row = self.row(token).await?;
        if row.purpose == Purpose::Pair {
            self.heard_of(row.id, now);
        }
        Ok(self.view(&row, true, now).await?)
    }

    /// The list of the crowd that a contributor has open, of a campaign if one is named.
    pub async fn open_list(
        &self,
        id: ContributorId,
        campaign: Option<&str>,
        now: Timestamp,
    ) -> Result<Option<List>, ServiceError> {
        for purpose in Purpose::CROWD {
            let wanted = campaign.unwrap_or("");
            let open = self.store().open_list(id.0, purpose, wanted).await?;
            if let Some(row) = open.filter(|row| row.expires_at > now.0) {
                return self.view(&row, true, now).await.map(Some);
            }
        }
        Ok(None)
    }

    /// The list of a token, if it belongs to this contributor.
    pub(super) async fn given_to(
        &self,
        id: ContributorId,
        token: &ListToken,
    ) -> Result<Arc<ListContext>, TokenError> {
        let known = self.given().get(token.as_str()).cloned();
        let given = if let Some(given) = known {
            given
        } else {
            let given = Arc::new(ListContext::read(&self.row(token).await?)?);
            let key = token.as_str().to_owned();
            self.given().put(key, Arc::clone(&given));
            given
        };
        if given.contributor == id {
            Ok(given)
        } else {
            Err(TokenError::NotYours)
        }
    }

    pub(super) async fn row(&self, token: &ListToken) -> Result<list::Model, TokenError> {
        let row = self.store().list_by_token(token.as_str()).await?;
        row.ok_or(TokenError::Unknown)
    }

    pub(super) async fn view(
        &self,
        row: &list::Model,
        again: bool,
        now: Timestamp,
    ) -> Result<List, ServiceError> {
        let given = ListContext::read(row)?;
        let known = self.known(given.position).await?;
        let kept = match row.event_count {
            0 => Vec::new(),
            _ => self.store().events(row.id).await?,
        };
        // Upkeep closes it in its next round; its owner sees at once that it is over.
        let is_over = row.state == Progress::Open && row.expires_at <= now.0;
        Ok(List {
            token: read("a token", &row.token)?,
            purpose: given.purpose,
            campaign: (!row.wanted.is_empty()).then(|| row.wanted.clone()),
            number: match given.purpose {
                // A position of a class is named by its number.
                Purpose::Class => known.name.parse().ok(),
                _ => None,
            },
            position: GivenPosition::from_known(&known),
            state: if is_over {
                Progress::Expired
            } else {
                row.state
            },
            reveal: row.reveal,
            issued_at: given.issued_at,
            expires_at: given.expires_at,
            elapsed_ms: now.0.saturating_sub(row.issued_at).max(0),
            limit_ms: row.limit_ms,
            questions: given.asked,
            partner: self.partner(row, now).await?,
            events: events(&kept)?,
            again,
        })
    }

    async fn partner(
        &self,
        row: &list::Model,
        now: Timestamp,
    ) -> Result<Option<Partner>, ServiceError> {
        if row.purpose != Purpose::Pair {
            return Ok(None);
        }
        let other = self.other_of_pair(row.id).await?;
        Ok(Some(match other {
            None => Partner::Waiting,
            Some(other) if other.state == Progress::Finished => Partner::Finished,
            Some(other) if other.state == Progress::Open && self.is_present(other.id, now) => {
                Partner::Joined
            }
            Some(_) => Partner::Away,
        }))
    }
}
