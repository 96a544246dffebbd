//! Identifies the sender of a request by cookies.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::HeaderMap;
use axum::http::request::Parts;

use super::problem::{ADMIN_OFF, NO_SESSION, NOT_A_MODERATOR};
use super::state::{App, now};
use super::tokens::{AdminToken, MODERATOR, session_of};
use crate::service::{AssignmentToken, Contributor, ContributorId, SessionToken, TokenError};
use web::cookies::bearer;
use web::extract::Path;
use web::problem::Problem;

#[derive(Debug)]
pub(crate) struct Caller(pub(crate) Contributor);

#[derive(Debug)]
pub(crate) struct Moderator;

impl OptionalFromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Problem> {
        let Some(token) = session_of(&parts.headers) else {
            return Ok(None);
        };
        let contributor = app.service.contributor(&token).await?;
        if contributor.is_some() {
            app.known.add(token.as_str());
        }
        Ok(contributor.map(Self))
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let caller =
            <Self as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        caller.ok_or_else(|| {
            Problem::new(NO_SESSION, "POST /api/v1/session gives a browser a session")
        })
    }
}

/// The token of the session, which may be unknown.
#[derive(Debug)]
pub(crate) struct Token(pub(crate) SessionToken);

impl FromRequestParts<App> for Token {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _: &App) -> Result<Self, Problem> {
        let no_session = || Problem::new(NO_SESSION, "the request has no session");
        session_of(&parts.headers).map(Self).ok_or_else(no_session)
    }
}

/// The caller, and the assignment that the path names.
#[derive(Debug)]
pub(crate) struct Own(pub(crate) ContributorId, pub(crate) AssignmentToken);

impl FromRequestParts<App> for Own {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let caller = <Caller as FromRequestParts<App>>::from_request_parts(parts, app).await?;
        let Path(token): Path<String> = Path::from_request_parts(parts, app).await?;
        // A text that is no token gets the same answer as an unknown one.
        let token = token.parse().map_err(|_| TokenError::Unknown)?;
        Ok(Self(caller.0.id, token))
    }
}

impl OptionalFromRequestParts<App> for Moderator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Problem> {
        let admin = app.settings.admin.as_ref();
        Ok(admin
            .is_some_and(|admin| is_moderator(admin, &parts.headers))
            .then_some(Self))
    }
}

impl FromRequestParts<App> for Moderator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let Some(admin) = &app.settings.admin else {
            let detail = "the server was started without a token for moderators";
            return Err(Problem::new(ADMIN_OFF, detail));
        };
        if is_moderator(admin, &parts.headers) {
            Ok(Self)
        } else {
            let detail = "'Authorization: Bearer' with the moderators' token is expected";
            Err(Problem::new(NOT_A_MODERATOR, detail).wants_token())
        }
    }
}

fn is_moderator(admin: &AdminToken, headers: &HeaderMap) -> bool {
    match (bearer(headers), MODERATOR.of(headers, false)) {
        (Some(token), _) => admin.is(token),
        (None, Some(pass)) => admin.admits(pass, now()),
        (None, None) => false,
    }
}
