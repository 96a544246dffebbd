//! Errors as problem details (RFC 9457): the kinds, how they are sent, and what the service's errors become.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value};

use crate::service::{
    AssignError, ImportError, ModerateError, RecordError, ServiceError, TokenError,
};

#[derive(Debug, PartialEq, Eq)]
pub struct Kind {
    /// The last part of the problem's type, `/problems/<slug>`.
    pub slug: &'static str,
    pub status: u16,
    /// The title, the same for every problem of this kind.
    pub title: &'static str,
}

macro_rules! kinds {
    ($($name:ident: $slug:literal, $status:literal, $title:literal;)*) => {
        $(
            #[doc = concat!("`", $slug, "`, status ", $status, ": ", $title, ".")]
            pub const $name: &Kind = &Kind { slug: $slug, status: $status, title: $title };
        )*

        pub const KINDS: &[&Kind] = &[$($name),*];
    };
}

kinds! {
    BAD_REQUEST: "bad-request", 400, "The request cannot be read";
    BAD_NAME: "bad-name", 400, "The name cannot be taken";
    NOT_A_MOVE: "not-a-move", 400, "This cannot be put on a list of moves";
    TOO_MANY_EVENTS: "too-many-events", 400, "The list has too many steps";
    BAD_GAME: "bad-game", 400, "The game cannot be read";
    BAD_LEVEL: "bad-level", 400, "There is no such strength";
    NO_SESSION: "no-session", 401, "There is no session";
    NOT_A_MODERATOR: "not-a-moderator", 401, "This is for moderators";
    CROSS_SITE: "cross-site", 403, "The request comes from another site";
    ADMIN_OFF: "admin-off", 403, "There are no moderators here";
    NOT_FOUND: "not-found", 404, "There is nothing here";
    UNKNOWN_ASSIGNMENT: "unknown-assignment", 404, "There is no such assignment of yours";
    UNKNOWN_CAMPAIGN: "unknown-campaign", 404, "There is no such campaign";
    NOTHING_LEFT: "nothing-left", 404, "There is no position left for you in this mode";
    METHOD_NOT_ALLOWED: "method-not-allowed", 405, "This address does not take that method";
    GAP: "gap", 409, "Earlier events are missing";
    CONFLICT: "conflict", 409, "Another event has this number";
    FROZEN: "frozen", 409, "The list is finished";
    GAME_OVER: "game-over", 409, "The game has ended";
    EXPIRED: "expired", 410, "The assignment has expired";
    TOO_LARGE: "too-large", 413, "The request is too large";
    UNSUPPORTED_MEDIA: "unsupported-media", 415, "The request is of another type than expected";
    TOO_MANY_REQUESTS: "too-many-requests", 429, "Too many requests";
    INTERNAL: "internal", 500, "The server failed";
    BUSY: "busy", 503, "The server is busy";
}

#[derive(Clone, Debug)]
pub struct Problem {
    kind: &'static Kind,
    status: u16,
    detail: String,
    more: Map<String, Value>,
    retry_after: Option<u64>,
}

/// A problem as programs see it; only for the `OpenAPI` description.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Problem)]
pub(crate) struct ProblemBody<'a> {
    /// The kind: a path on this server.
    #[serde(rename = "type")]
    #[schema(value_type = String, example = "/problems/not-a-move")]
    kind: String,
    /// The title of the kind.
    title: &'a str,
    /// The HTTP status.
    status: u16,
    /// What is wrong in this case.
    detail: &'a str,
    /// Additional members of some kinds: `expected` or `seq`, sequence numbers of events.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    more: &'a Map<String, Value>,
}

/// Why events of an assignment are rejected; only for the `OpenAPI` description.
#[derive(utoipa::IntoResponses)]
#[expect(dead_code, reason = "it describes answers that `Problem` makes")]
pub(crate) enum EventProblems {
    #[response(
        status = 400,
        description = "not-a-move: plainly none, by the diagram alone"
    )]
    NotAMove(ProblemBody<'static>),
    #[response(status = 404, description = "unknown-assignment")]
    UnknownAssignment(ProblemBody<'static>),
    #[response(
        status = 409,
        description = "gap (`expected`), conflict (`seq`) or frozen"
    )]
    OutOfOrder(ProblemBody<'static>),
    #[response(status = 410, description = "expired")]
    Expired(ProblemBody<'static>),
}

impl Problem {
    /// Creates a problem; `detail` describes this case.
    pub fn new(kind: &'static Kind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            status: kind.status,
            detail: detail.into(),
            more: Map::new(),
            retry_after: None,
        }
    }

    /// An internal failure: it is logged, and not shown to the client.
    pub fn internal(error: &dyn std::error::Error) -> Self {
        let causes = std::iter::successors(error.source(), |cause| cause.source());
        let text: Vec<String> = causes.map(|cause| format!(": {cause}")).collect();
        tracing::error!("{error}{}", text.concat());
        Self::new(INTERNAL, "the fault is in the server's log")
    }

    /// Adds a member for programs.
    pub fn with(mut self, name: &str, value: impl Into<Value>) -> Self {
        self.more.insert(name.to_owned(), value.into());
        self
    }

    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// The problem of a response of which only the status is known.
    pub(crate) fn of_status(status: StatusCode, detail: String) -> Self {
        let kind = KINDS
            .iter()
            .find(|kind| kind.status == status.as_u16())
            .copied()
            .unwrap_or(if status.is_server_error() {
                INTERNAL
            } else {
                BAD_REQUEST
            });
        let mut problem = Self::new(kind, detail);
        problem.status = status.as_u16();
        problem
    }

    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    pub fn is(&self, kind: &Kind) -> bool {
        self.kind == kind
    }

    pub fn title(&self) -> &'static str {
        self.kind.title
    }

    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = ProblemBody {
            kind: format!("/problems/{}", self.kind.slug),
            title: self.kind.title,
            status: self.status,
            detail: &self.detail,
            more: &self.more,
        };
        let mut response = (self.status(), Json(body)).into_response();
        let headers = response.headers_mut();
        headers.insert(
            header::CONTENT_TYPE,
            HeaderValue::from_static("application/problem+json"),
        );
        if let Some(seconds) = self.retry_after {
            headers.insert(header::RETRY_AFTER, HeaderValue::from(seconds));
        }
        if self.kind == NOT_A_MODERATOR {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

const RETRY_SECONDS: u64 = 5;

impl From<ServiceError> for Problem {
    fn from(error: ServiceError) -> Self {
        match error {
            ServiceError::Store(error) if error.is_busy() => {
                tracing::warn!("the database is busy: {error}");
                Self::new(BUSY, "the database is busy; try again").retry_after(RETRY_SECONDS)
            }
            error => Self::internal(&error),
        }
    }
}

impl From<AssignError> for Problem {
    fn from(error: AssignError) -> Self {
        let kind = match error {
            AssignError::NothingLeft => NOTHING_LEFT,
            AssignError::UnknownCampaign(_) => UNKNOWN_CAMPAIGN,
            AssignError::Service(error) => return error.into(),
        };
        Self::new(kind, error.to_string())
    }
}

impl From<TokenError> for Problem {
    fn from(error: TokenError) -> Self {
        match error {
            // Another contributor's token gets the same answer as an unknown one.
            TokenError::Unknown | TokenError::NotYours => {
                Self::new(UNKNOWN_ASSIGNMENT, TokenError::Unknown.to_string())
            }
            TokenError::Service(error) => error.into(),
        }
    }
}

impl From<RecordError> for Problem {
    fn from(error: RecordError) -> Self {
        let detail = error.to_string();
        match error {
            RecordError::Token(error) => error.into(),
            RecordError::Expired => Self::new(EXPIRED, detail),
            RecordError::Frozen => Self::new(FROZEN, detail),
            RecordError::Gap { expected } => Self::new(GAP, detail).with("expected", expected),
            RecordError::Conflict { seq } => Self::new(CONFLICT, detail).with("seq", seq),
            RecordError::Move { seq, .. } => Self::new(NOT_A_MOVE, detail).with("seq", seq),
            RecordError::Numbers(_) => Self::new(BAD_REQUEST, detail),
            RecordError::TooMany { .. } => Self::new(TOO_MANY_EVENTS, detail),
            RecordError::Service(error) => error.into(),
        }
    }
}

impl From<ModerateError> for Problem {
    fn from(error: ModerateError) -> Self {
        let kind = match error {
            ModerateError::NoItem(_) | ModerateError::NoPosition(_) => NOT_FOUND,
            ModerateError::Decided(_) | ModerateError::NotOpen(_) => CONFLICT,
            ModerateError::Service(error) => return error.into(),
        };
        Self::new(kind, error.to_string())
    }
}

impl From<ImportError> for Problem {
    fn from(error: ImportError) -> Self {
        let detail = error.to_string();
        match error {
            ImportError::BadLines(report) => {
                let lines = serde_json::to_value(&report.problems).unwrap_or_default();
                Self::new(BAD_REQUEST, detail).with("problems", lines)
            }
            ImportError::Empty | ImportError::CampaignName(_) => Self::new(BAD_REQUEST, detail),
            ImportError::Service(error) => error.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use axum::http::{StatusCode, header};
    use axum::response::IntoResponse as _;
    use sea_orm::{ConnAcquireErr, DbErr};

    use super::*;
    use crate::store::StoreError;

    #[test]
    fn kinds_are_distinct() {
        let slugs: std::collections::BTreeSet<_> = KINDS.iter().map(|kind| kind.slug).collect();
        assert_eq!(slugs.len(), KINDS.len());
    }

    #[test]
    fn an_unusual_status_is_kept() {
        let problem = Problem::of_status(StatusCode::URI_TOO_LONG, String::new());
        assert_eq!(problem.status(), StatusCode::URI_TOO_LONG);
        assert_eq!(problem.title(), BAD_REQUEST.title);
    }

    #[test]
    fn a_busy_database_is_no_fault_of_the_server() {
        let busy = StoreError::from(DbErr::ConnectionAcquire(ConnAcquireErr::Timeout));
        let answer = Problem::from(ServiceError::from(busy)).into_response();
        assert_eq!(answer.status(), StatusCode::SERVICE_UNAVAILABLE);
        assert!(answer.headers().contains_key(header::RETRY_AFTER));
    }
}
