//! Who sends a request: a person, by a session or a token, or a worker, by its token.

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use axum::http::{HeaderMap, Method, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use web::cookies::bearer;
use web::limits::BySession;
use web::problem::Problem;

use super::sessions::{self, SessionId};
use super::tokens;
use crate::app::LabState;
use crate::model::{Account, WorkerIdentity};
use crate::problem::{FORBIDDEN, UNAUTHORIZED};

/// A person. Programs send a token, which comes before a session.
#[derive(Clone, Debug)]
pub struct SignedIn(pub Account);

/// A person in a browser: for what a token must not do, such as making further tokens.
#[derive(Clone, Debug)]
pub struct InSession {
    /// Who it is.
    pub account: Account,
    /// The session.
    pub session: SessionId,
}

/// A worker. It may be quarantined.
#[derive(Clone, Debug)]
pub struct MachineToken(pub WorkerIdentity);

/// Whose quota a request uses: that of a token or a session, if it was found in the database since the
/// server started; else that of its network.
pub fn for_quota(app: &LabState) -> BySession {
    // A function pointer captures nothing, so that there is one for each name of the cookie.
    let over_http: fn(&HeaderMap) -> Option<&str> =
        |headers| bearer(headers).or_else(|| sessions::COOKIE.read(headers, false));
    let over_https: fn(&HeaderMap) -> Option<&str> =
        |headers| bearer(headers).or_else(|| sessions::COOKIE.read(headers, true));
    BySession {
        known: app.known.clone(),
        token: if app.settings.https {
            over_https
        } else {
            over_http
        },
        trust_proxy: app.settings.trust_proxy,
    }
}

fn unauthorized(detail: &str) -> Problem {
    Problem::new(UNAUTHORIZED, detail).wants_token()
}

async fn session_of(parts: &Parts, app: &LabState) -> Result<Option<InSession>, Problem> {
    let Some(cookie) = sessions::COOKIE.read(&parts.headers, app.settings.https) else {
        return Ok(None);
    };
    let found = sessions::find(&app.database, cookie).await?;
    Ok(found.map(|(session, account)| {
        // Only what was found gets a quota of its own: with each invented cookie, a stranger would have a new one.
        app.known.add(cookie);
        InSession { account, session }
    }))
}

impl OptionalFromRequestParts<LabState> for SignedIn {
    type Rejection = Problem;

    /// Nobody, if there is neither a token nor a session that lives. A token that is not valid is an
    /// error all the same: a program that sends one wants to be somebody.
    async fn from_request_parts(
        parts: &mut Parts,
        app: &LabState,
    ) -> Result<Option<Self>, Problem> {
        let Some(token) = bearer(&parts.headers) else {
            return Ok(session_of(parts, app)
                .await?
                .map(|found| Self(found.account)));
        };
        // The two kinds of tokens are easily mistaken: the error names the right one.
        if token.starts_with(tokens::WORKER_PREFIX) {
            let detail = "a worker's token permits the calls under /api/1/worker/ alone";
            return Err(Problem::new(FORBIDDEN, detail));
        }
        match tokens::account_of(&app.database, token).await? {
            Some(account) => {
                app.known.add(token);
                Ok(Some(Self(account)))
            }
            None => Err(unauthorized("the token is unknown or revoked")),
        }
    }
}

impl FromRequestParts<LabState> for SignedIn {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &LabState) -> Result<Self, Problem> {
        let found =
            <Self as OptionalFromRequestParts<LabState>>::from_request_parts(parts, app).await?;
        found.ok_or_else(|| unauthorized("sign in, or send 'Authorization: Bearer TOKEN'"))
    }
}

impl FromRequestParts<LabState> for InSession {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &LabState) -> Result<Self, Problem> {
        if bearer(&parts.headers).is_some() {
            let detail = "no token permits this: sign in with a browser";
            return Err(Problem::new(FORBIDDEN, detail));
        }
        let found = session_of(parts, app).await?;
        found.ok_or_else(|| unauthorized("sign in with a browser"))
    }
}

impl FromRequestParts<LabState> for MachineToken {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &LabState) -> Result<Self, Problem> {
        let token = bearer(&parts.headers)
            .ok_or_else(|| unauthorized("'Authorization: Bearer TOKEN' of a worker is expected"))?;
        if token.starts_with(tokens::ACCOUNT_PREFIX) {
            let detail = "an account's token permits no call under /api/1/worker/";
            return Err(Problem::new(FORBIDDEN, detail));
        }
        let worker = app.work.identify(tokens::hash(token)).await?;
        let worker = worker.ok_or_else(|| unauthorized("the token is unknown or revoked"))?;
        app.known.add(token);
        Ok(Self(worker))
    }
}

/// Somebody in front of a page, who is asked to sign in first if need be and then comes back.
#[derive(Clone, Debug)]
pub struct OnPage(pub InSession);

impl FromRequestParts<LabState> for OnPage {
    type Rejection = Response;

    async fn from_request_parts(parts: &mut Parts, app: &LabState) -> Result<Self, Response> {
        match InSession::from_request_parts(parts, app).await {
            Ok(found) => Ok(Self(found)),
            Err(problem) if problem.status() == StatusCode::UNAUTHORIZED => {
                // A form that was sent is lost, as the browser comes back with GET.
                let next = match parts.method {
                    Method::GET => parts.uri.path_and_query().map_or("", |path| path.as_str()),
                    _ => "",
                };
                let encoded: String = next.bytes().map(encoded).collect();
                Err(Redirect::to(&format!("/sign-in?next={encoded}")).into_response())
            }
            Err(problem) => Err(problem.into_response()),
        }
    }
}

fn encoded(byte: u8) -> String {
    // A slash needs no escape in a query (RFC 3986, section 3.4).
    if byte.is_ascii_alphanumeric() || b"-_.~/".contains(&byte) {
        char::from(byte).to_string()
    } else {
        format!("%{byte:02X}")
    }
}
