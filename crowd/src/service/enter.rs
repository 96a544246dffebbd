//! Contributors: creation, sessions and names.

use super::{Contributor, ContributorId, Service, ServiceError, SessionToken};
use crate::model::{PlayerName, Timestamp};
use crate::store::entity::contributor;

impl Service {
    /// Creates a contributor with a session.
    ///
    /// # Errors
    ///
    /// When the database fails, or the system provides no random bytes.
    pub async fn enter(
        &self,
        name: Option<PlayerName>,
        now: Timestamp,
    ) -> Result<(ContributorId, SessionToken), ServiceError> {
        let token = SessionToken::random()?;
        let called = name.as_ref().map(PlayerName::to_string);
        let id = self
            .store()
            .add_contributor(called, token.hash(), now.0)
            .await?;
        let id = ContributorId(id);
        let contributor = Contributor {
            id,
            name,
            created: now,
            set_aside: false,
        };
        self.sessions().put(token.hash(), contributor);
        Ok((id, token))
    }

    /// The contributor of a session.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn contributor(
        &self,
        token: &SessionToken,
    ) -> Result<Option<Contributor>, ServiceError> {
        let hash = token.hash();
        let known = self.sessions().get(&hash);
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

    /// Renames a contributor; returns false if there is no such contributor.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn rename(&self, id: ContributorId, name: PlayerName) -> Result<bool, ServiceError> {
        let renamed = self.store().rename(id.0, name.as_str()).await?;
        self.sessions().forget(|session| session.id == id);
        Ok(renamed)
    }

    /// Excludes a contributor's lists, or counts them again; returns false if there is no such
    /// contributor.
    ///
    /// # Errors
    ///
    /// When the database fails.
    pub async fn set_aside(&self, id: ContributorId, aside: bool) -> Result<bool, ServiceError> {
        let changed = self.store().set_aside(id.0, aside).await?;
        self.sessions().forget(|session| session.id == id);
        self.memory().await.changed();
        Ok(changed)
    }
}

impl From<contributor::Model> for Contributor {
    fn from(row: contributor::Model) -> Self {
        Self {
            id: ContributorId(row.id),
            name: row.name.and_then(|name| name.parse().ok()),
            created: Timestamp(row.created_at),
            set_aside: row.set_aside,
        }
    }
}
