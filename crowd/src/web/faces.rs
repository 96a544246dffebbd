//! Uniform errors: problem details for programs, a page for people, whichever layer the error comes
//! from.

use axum::body::{Body, to_bytes};
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use super::pages;
use super::problem::Problem;

/// Maximum length of a layer's explanation.
const EXPLANATION_BYTES: usize = 4096;

/// Converts error responses.
pub(crate) async fn dress(request: Request, next: Next) -> Response {
    let for_people = wants_page(request.uri().path(), request.headers());
    let mut response = next.run(request).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let problem = response.extensions_mut().remove::<Problem>();
    let is_dressed = is_problem(response.headers()) && !for_people;
    if is_dressed || is_page(response.headers()) {
        return response;
    }
    let (parts, body) = response.into_parts();
    let problem = match problem {
        Some(problem) => problem,
        None => Problem::of_status(status, explanation(status, &parts.headers, body).await),
    };
    let dressed = if for_people {
        pages::error(&problem)
    } else {
        problem.into_response()
    };
    with_headers(dressed, &parts.headers)
}

/// Keeps headers that a layer has set (`Allow`, `Retry-After`), except those about its body.
fn with_headers(mut response: Response, headers: &HeaderMap) -> Response {
    for (name, value) in headers {
        let of_body = [
            header::CONTENT_TYPE,
            header::CONTENT_LENGTH,
            header::TRANSFER_ENCODING,
        ];
        if !of_body.contains(name) && !response.headers().contains_key(name) {
            response.headers_mut().append(name, value.clone());
        }
    }
    response
}

fn wants_page(path: &str, headers: &HeaderMap) -> bool {
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    !path.starts_with("/api/") && accept.is_some_and(|accept| accept.contains("text/html"))
}

/// A page that shows the error itself, such as the login page.
fn is_page(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"text/html"))
}

fn is_problem(headers: &HeaderMap) -> bool {
    headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value == "application/problem+json")
}

/// The layer's text, if it is meant for people; otherwise the meaning of the status.
async fn explanation(status: StatusCode, headers: &HeaderMap, body: Body) -> String {
    let is_text = headers
        .get(header::CONTENT_TYPE)
        .is_some_and(|value| value.as_bytes().starts_with(b"text/plain"));
    let bytes = to_bytes(body, EXPLANATION_BYTES).await.unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    if is_text && !text.trim().is_empty() {
        text.trim().to_owned()
    } else {
        meaning(status).to_owned()
    }
}

fn meaning(status: StatusCode) -> &'static str {
    match status {
        StatusCode::METHOD_NOT_ALLOWED => "the header Allow names the methods that are taken",
        StatusCode::PAYLOAD_TOO_LARGE => "the body is larger than is taken here",
        StatusCode::SERVICE_UNAVAILABLE => "the answer took too long",
        _ => status.canonical_reason().unwrap_or("the request failed"),
    }
}
