//! Errors as problem details (RFC 9457): kinds that every site has, and how they are sent.

use axum::Json;
use axum::http::{HeaderValue, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde::Serialize;
use serde_json::{Map, Value};

/// A kind of problem. Sites declare theirs with [`kinds!`](crate::kinds).
#[derive(Debug, PartialEq, Eq)]
pub struct ProblemKind {
    /// The last part of the problem's type, `/problems/<slug>`, and its `code`.
    pub slug: &'static str,
    /// The HTTP status.
    pub status: u16,
    /// The title, the same for every problem of this kind.
    pub title: &'static str,
    /// What it means and what helps, for the page of its type.
    pub help: &'static str,
}

impl ProblemKind {
    /// The kind of this slug, among those of a site and [`COMMON`].
    ///
    /// # Errors
    /// `not-found`.
    pub fn find(own: &[&'static Self], slug: &str) -> Result<&'static Self, Problem> {
        let mut kinds = own.iter().chain(COMMON);
        let found = kinds.find(|kind| kind.slug == slug).copied();
        found.ok_or_else(|| Problem::new(NOT_FOUND, "there is no such kind of problem"))
    }
}

/// Declares kinds of problems as constants, and a list of all of them under the name given first.
///
/// ```
/// web::kinds! {
///     KINDS:
///     NO_GAME: "no-game", 404, "There is no such game", "It may have been archived.";
/// }
/// assert_eq!(KINDS, [NO_GAME]);
/// ```
#[macro_export]
macro_rules! kinds {
    ($all:ident: $($name:ident: $slug:expr, $status:literal, $title:literal, $help:literal;)*) => {
        $(
            #[doc = concat!("Status ", $status, ": ", $title, ".")]
            pub const $name: &$crate::problem::ProblemKind = &$crate::problem::ProblemKind {
                slug: $slug,
                status: $status,
                title: $title,
                help: $help,
            };
        )*

        /// All kinds of problems that are declared here.
        pub const $all: &[&$crate::problem::ProblemKind] = &[$($name),*];
    };
}

kinds! {
    COMMON:
    BAD_REQUEST: "bad-request", 400, "The request cannot be read",
        "The address or the body is not what the description of the API says. The detail names the field or the place.";
    CROSS_SITE: "cross-site", 403, "The request comes from another site",
        "A page of another site made a browser send it, so it was not done. Open this site's own page and try again. Programs \
        do not send the headers Origin and Sec-Fetch-Site.";
    NOT_FOUND: "not-found", 404, "There is nothing here",
        "Nothing has this address. It may be misspelt, or what was here is gone.";
    METHOD_NOT_ALLOWED: "method-not-allowed", 405, "This address does not take that method",
        "The header Allow lists the methods that this address takes.";
    TOO_LARGE: "too-large", 413, "The request is too large",
        "Every call has a limit for its body. Send less, or in several calls.";
    UNSUPPORTED_MEDIA: "unsupported-media", 415, "The request is of another type than expected",
        "The header Content-Type is missing or names another type than this call takes, which is mostly application/json.";
    TOO_MANY_REQUESTS: "too-many-requests", 429, "Too many requests",
        "Requests are counted for each session or token, and for each network without one. The header Retry-After names the \
        seconds to wait.";
    INTERNAL: "internal", 500, "The server failed",
        "This is a fault of the server, and the request may have been done or not. The reason is in the server's log.";
    BUSY: "busy", 503, "The server is busy",
        "The server or its database cannot answer now. Nothing was done; the header Retry-After names the seconds after which to \
        try again.";
}

/// What is wrong with a request, or with the server.
#[derive(Clone, Debug)]
pub struct Problem {
    kind: &'static ProblemKind,
    status: u16,
    detail: String,
    more: Map<String, Value>,
    retry_after: Option<u64>,
    wants_token: bool,
}

/// A problem as programs see it; only for the `OpenAPI` description.
#[derive(Serialize, utoipa::ToSchema)]
#[schema(as = Problem)]
pub struct ProblemBody<'a> {
    /// The kind: a path on this server.
    #[serde(rename = "type")]
    #[schema(value_type = String, example = "/problems/bad-request")]
    kind: String,
    /// The kind as a word: the last part of `type`.
    code: &'a str,
    /// The title of the kind.
    title: &'a str,
    /// The HTTP status.
    status: u16,
    /// What is wrong in this case.
    detail: &'a str,
    /// Additional members of some kinds.
    #[serde(flatten)]
    #[schema(value_type = Object)]
    more: &'a Map<String, Value>,
}

impl Problem {
    /// Its kind.
    pub fn kind(&self) -> &'static ProblemKind {
        self.kind
    }

    /// Seconds after which to try again.
    pub fn wait(&self) -> Option<u64> {
        self.retry_after
    }

    /// Creates a problem; `detail` describes this case.
    pub fn new(kind: &'static ProblemKind, detail: impl Into<String>) -> Self {
        Self {
            kind,
            status: kind.status,
            detail: detail.into(),
            more: Map::new(),
            retry_after: None,
            wants_token: false,
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

    /// Tells clients when a retry makes sense.
    pub fn retry_after(mut self, seconds: u64) -> Self {
        self.retry_after = Some(seconds.max(1));
        self
    }

    /// Names the way to identify oneself, `WWW-Authenticate: Bearer`.
    pub fn wants_token(mut self) -> Self {
        self.wants_token = true;
        self
    }

    /// The problem of a response of which only the status is known.
    pub fn of_status(status: StatusCode, detail: String) -> Self {
        let kind = COMMON
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

    /// The status of the response.
    pub fn status(&self) -> StatusCode {
        StatusCode::from_u16(self.status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR)
    }

    /// Returns true if it is of this kind.
    pub fn is(&self, kind: &ProblemKind) -> bool {
        self.kind == kind
    }

    /// The title of its kind.
    pub fn title(&self) -> &'static str {
        self.kind.title
    }

    /// What is wrong in this case.
    pub fn detail(&self) -> &str {
        &self.detail
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        let body = ProblemBody {
            kind: format!("/problems/{}", self.kind.slug),
            code: self.kind.slug,
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
        if self.wants_token {
            headers.insert(header::WWW_AUTHENTICATE, HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn kinds_are_distinct() {
        let slugs: std::collections::BTreeSet<_> = COMMON.iter().map(|kind| kind.slug).collect();
        assert_eq!(slugs.len(), COMMON.len());
    }

    #[test]
    fn an_unusual_status_is_kept() {
        let problem = Problem::of_status(StatusCode::URI_TOO_LONG, String::new());
        assert_eq!(problem.status(), StatusCode::URI_TOO_LONG);
        assert_eq!(problem.title(), BAD_REQUEST.title);
    }

    #[test]
    fn headers_say_when_to_retry_and_how_to_be_known() {
        let busy = Problem::new(BUSY, "later").retry_after(0).wants_token();
        let answer = busy.into_response();
        assert_eq!(answer.headers()[header::RETRY_AFTER], "1");
        assert_eq!(answer.headers()[header::WWW_AUTHENTICATE], "Bearer");
        assert_eq!(
            answer.headers()[header::CONTENT_TYPE],
            "application/problem+json"
        );
    }
}
