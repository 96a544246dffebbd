//! Identifies the sender of a request by cookies.

use std::net::IpAddr;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{Extensions, HeaderMap};

use super::problem::{ADMIN_OFF, NO_CLASS, NO_SESSION, NOT_A_MODERATOR};
use super::state::{App, now};
use super::tokens::{moderator_of, session_of};
use crate::service::{Contributor, ContributorId, ListToken, SessionToken, TokenError};
use web::cookies::bearer;
use web::extract::Path;
use web::limits::client;
use web::problem::{INTERNAL, Problem};

#[derive(Debug)]
pub(crate) struct Caller(pub(crate) Contributor);

impl OptionalFromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Problem> {
        let Some(token) = session_of(&parts.headers, app.settings.https) else {
            return Ok(None);
        };
        let contributor = app.service.contributor(&token).await?;
        if let Some(known) = &contributor {
            // A session that exists has a quota of its own; invented ones count for their address.
            app.known.add(token.as_str());
            let proxy = app.settings.trust_proxy;
            if let Some(address) = client(&parts.headers, &parts.extensions, proxy) {
                // Positions that they get carry the network, of which few people count.
                app.service.seen_from(known.id, address);
            }
        }
        Ok(contributor.map(Self))
    }
}

impl FromRequestParts<App> for Caller {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let caller =
            <Self as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        caller.ok_or_else(no_session)
    }
}

fn no_session() -> Problem {
    Problem::new(NO_SESSION, "POST /api/v1/session gives a browser a session")
}

#[derive(Debug)]
pub(crate) struct Token(pub(crate) SessionToken);

impl FromRequestParts<App> for Token {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        let token = session_of(&parts.headers, app.settings.https);
        token.map(Self).ok_or_else(no_session)
    }
}

/// The caller, and the list that the path names.
#[derive(Debug)]
pub(crate) struct Own(pub(crate) ContributorId, pub(crate) ListToken);

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

/// The address of a request, or its network.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Sender(IpAddr);

impl FromRequestParts<App> for Sender {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        sender(app, &parts.headers, &parts.extensions).map(Self)
    }
}

fn sender(app: &App, headers: &HeaderMap, extensions: &Extensions) -> Result<IpAddr, Problem> {
    let address = client(headers, extensions, app.settings.trust_proxy);
    address.ok_or_else(|| Problem::new(INTERNAL, "the request has no sender"))
}

/// Answers what names the code of a class; from one address few codes may be wrong.
pub(crate) async fn of_code<T>(
    app: &App,
    Sender(address): Sender,
    answer: impl Future<Output = Result<T, Problem>>,
) -> Result<T, Problem> {
    app.codes.check(address, now())?;
    let answer = answer.await;
    if answer.as_ref().is_err_and(|problem| problem.is(NO_CLASS)) {
        app.codes.wrong(address, now());
    }
    answer
}

#[derive(Debug)]
pub(crate) struct Moderator(pub(crate) String);

impl OptionalFromRequestParts<App> for Moderator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Problem> {
        let Some(moderators) = &app.settings.moderators else {
            return Ok(None);
        };
        if let Some(token) = bearer(&parts.headers) {
            let found = by_token(app, &parts.headers, &parts.extensions, token)?;
            return Ok(found.map(Self));
        }
        let Some(token) = moderator_of(&parts.headers, app.settings.https) else {
            return Ok(None);
        };
        let session = app.service.moderator_session(&token, now()).await?;
        // A new token of the moderator ends the sessions that began with the old one.
        let session = session.filter(|one| moderators.key(&one.moderator) == Some(one.key.clone()));
        Ok(session.map(|session| Self(session.moderator)))
    }
}

impl FromRequestParts<App> for Moderator {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Problem> {
        if app.settings.moderators.is_none() {
            return Err(admin_off());
        }
        let found = <Self as OptionalFromRequestParts<App>>::from_request_parts(parts, app).await?;
        found.ok_or_else(|| {
            let detail = "'Authorization: Bearer' with a moderator's token is expected";
            // A 401 names how to identify oneself (RFC 9110, 15.5.2).
            Problem::new(NOT_A_MODERATOR, detail).wants_token()
        })
    }
}

pub(crate) fn admin_off() -> Problem {
    let detail = "the server was started without a token for moderators";
    Problem::new(ADMIN_OFF, detail)
}

/// The moderator with a token; wrong ones are few for each address, in whatever way they come.
pub(crate) fn by_token(
    app: &App,
    headers: &HeaderMap,
    extensions: &Extensions,
    token: &str,
) -> Result<Option<String>, Problem> {
    let (moderators, now) = (app.settings.moderators.as_ref(), now());
    let address = sender(app, headers, extensions)?;
    app.guesses.check(address, now)?;
    let found = moderators.and_then(|all| all.of_token(token));
    if found.is_none() {
        app.guesses.wrong(address, now);
    }
    Ok(found.map(str::to_owned))
}
