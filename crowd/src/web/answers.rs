//! Answers that several pages and endpoints give: files, and redirections with a cookie.

use axum::body::Body;
use axum::http::{HeaderValue, header};
use axum::response::{IntoResponse as _, Redirect, Response};

pub(super) const TEXT: &str = "text/plain; charset=utf-8";
pub(super) const CSV: &str = "text/csv; charset=utf-8";
pub(super) const JSON: &str = "application/json";

/// A file that browsers save under a name.
pub(super) fn file(kind: &'static str, name: &str, body: impl Into<Body>) -> Response {
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{name}\""),
        ),
    ];
    (headers, body.into()).into_response()
}

/// Leads to another page with a cookie. After it, a reload does not send a form again.
pub(super) fn redirect(next: &str, cookie: HeaderValue) -> Response {
    ([(header::SET_COOKIE, cookie)], Redirect::to(next)).into_response()
}
