//! Sessions of moderators, which the server can end.

use std::time::Duration;

use super::{Service, ServiceError, SessionToken};
use crate::model::{Act, Timestamp};
use crate::store::Sessions;
use crate::store::entity::moderator_session;

impl Service {
    /// Begins a session of a moderator, which lasts for `life`; `key` identifies the token they logged in with.
    pub(crate) async fn log_in(
        &self,
        (moderator, key): (String, String),
        life: Duration,
        now: Timestamp,
    ) -> Result<SessionToken, ServiceError> {
        let token = SessionToken::random()?;
        // The line of the log comes first, so no session exists without one.
        self.log(&moderator, Act::LogIn, None, "", now).await?;
        let row = moderator_session::Model {
            token_hash: token.hash(),
            moderator,
            key,
            created_at: now.0,
            expires_at: now.after(life).0,
        };
        self.store().add_moderator_session(row).await?;
        Ok(token)
    }

    /// The session of a token, unless it has ended.
    pub(crate) async fn moderator_session(
        &self,
        token: &SessionToken,
        now: Timestamp,
    ) -> Result<Option<moderator_session::Model>, ServiceError> {
        let found = self.store().find::<moderator_session::Entity>(token.hash());
        Ok(found.await?.filter(|row| now.0 < row.expires_at))
    }

    pub(crate) async fn log_out(&self, token: &SessionToken) -> Result<(), ServiceError> {
        let hash = token.hash();
        let ended = self.store().end_moderator_sessions(Sessions::One(&hash));
        Ok(ended.await?)
    }

    pub(crate) async fn log_out_everywhere(&self, moderator: &str) -> Result<(), ServiceError> {
        let ended = Sessions::AllOf(moderator);
        Ok(self.store().end_moderator_sessions(ended).await?)
    }
}
