//! What surrounds all routes: headers, cross-site checks, compression, time limits, panics, and errors in
//! the form that the client wants.

use std::any::Any;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::{Body, to_bytes};
use axum::extract::{MatchedPath, Request, State};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::{self, Next};
use axum::response::{IntoResponse as _, Response};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate as _, SizeAbove};
use tower_http::csrf::{CsrfLayer, ProtectionError};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use tracing::Instrument as _;

use crate::problem::{CROSS_SITE, INTERNAL, METHOD_NOT_ALLOWED, NOT_FOUND, Problem};
use crate::secret;

/// Smaller responses are not worth compressing.
// They fit into one packet in any case.
const COMPRESS_FROM_BYTES: u64 = 1024;

/// The policy for pages whose scripts, styles and pictures are files of the site, and which connect to
/// nothing else. Style attributes are allowed because dragging a piece sets one.
pub const CONTENT_POLICY: &str = "default-src 'self'; script-src 'self'; style-src 'self'; \
    style-src-attr 'unsafe-inline'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; \
    form-action 'self'; frame-ancestors 'none'; object-src 'none'";

/// Headers of every response.
const HEADERS: [(HeaderName, &str); 7] = [
    (header::CONTENT_SECURITY_POLICY, CONTENT_POLICY),
    (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
    // Not `no-referrer`: browsers would then omit Origin, which the cross-site check needs.
    (header::REFERRER_POLICY, "same-origin"),
    (
        HeaderName::from_static("permissions-policy"),
        "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
    ),
    (
        HeaderName::from_static("cross-origin-opener-policy"),
        "same-origin",
    ),
    (
        HeaderName::from_static("cross-origin-resource-policy"),
        "same-origin",
    ),
    // Pages and responses are personal; files override this.
    (header::CACHE_CONTROL, "no-store"),
];

/// Also sent if the site is served over HTTPS: browsers then use nothing else.
// A year, in seconds.
const STRICT: (HeaderName, &str) = (header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");

/// How all routes of a site are surrounded.
#[derive(Clone, Copy, Debug)]
pub struct Surround {
    /// Whether people reach the site by HTTPS.
    pub https: bool,
    /// How long a request may take until its response begins. A response that has begun, such as a
    /// stream of events, may go on.
    pub answer: Duration,
    /// The page of an error.
    pub error_page: fn(&Problem) -> Response,
}

impl Surround {
    /// Adds the middleware of all routes, and answers for what has no route.
    pub fn all<S: Clone + Send + Sync + 'static>(self, routes: Router<S>) -> Router<S> {
        // An event must not wait for others with which it would be compressed.
        let compressed = SizeAbove::new(COMPRESS_FROM_BYTES)
            .and(NotForContentType::IMAGES)
            .and(NotForContentType::SSE);
        let cross_site =
            |error: ProtectionError| Problem::new(CROSS_SITE, error.to_string()).into_response();
        let routes = routes
            .fallback(async || Problem::new(NOT_FOUND, "no page has this address"))
            .method_not_allowed_fallback(async || {
                let detail = "the header Allow names the methods that are taken";
                Problem::new(METHOD_NOT_ALLOWED, detail)
            })
            .layer(CsrfLayer::new().with_rejection_response(cross_site))
            .layer(TimeoutLayer::with_status_code(
                StatusCode::SERVICE_UNAVAILABLE,
                self.answer,
            ))
            .layer(CatchPanicLayer::custom(panicked))
            .layer(middleware::from_fn_with_state(self.error_page, dress))
            .layer(CompressionLayer::new().compress_when(compressed));
        let strict = self.https.then_some(STRICT);
        let headers = HEADERS.into_iter().chain(strict);
        let with_headers = headers.fold(routes, |routes, (name, value)| {
            let value = HeaderValue::from_static(value);
            routes.layer(SetResponseHeaderLayer::if_not_present(name, value))
        });
        with_headers.layer(middleware::from_fn(logged))
    }
}

/// The header of a response with the id by which the log calls its request.
const REQUEST_ID: HeaderName = HeaderName::from_static("x-request-id");

/// Writes a line of the log for each request, with the target `web::request`, and gives the request an
/// id, which is also in all lines that its handler writes.
#[expect(clippy::disallowed_methods, reason = "the edge times its requests")]
async fn logged(request: Request, next: Next) -> Response {
    let began = Instant::now();
    // Without random numbers the request is answered all the same.
    let id = secret::random().unwrap_or_default();
    let id = id.get(..16).unwrap_or("none");
    let value = HeaderValue::from_str(id);
    // The route, never the path: a path may contain a secret.
    let route = request.extensions().get::<MatchedPath>();
    let route = route.map_or("none", MatchedPath::as_str);
    // As an error, so that a filter of errors alone still shows whose they are.
    let span = tracing::error_span!("request", id, method = %request.method(), route);
    let mut response = next.run(request).instrument(span.clone()).await;
    let status = response.status();
    let ms = began.elapsed().as_secs_f64() * 1e3;
    span.in_scope(|| {
        if status.is_server_error() {
            tracing::error!(target: "web::request", status = status.as_u16(), ms, "failed");
        } else {
            tracing::info!(target: "web::request", status = status.as_u16(), ms, "answered");
        }
    });
    if let Ok(value) = value {
        response.headers_mut().insert(REQUEST_ID, value);
    }
    response
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the layer hands the panic over"
)]
fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    tracing::error!("a handler panicked: {}", text.unwrap_or_default());
    Problem::new(INTERNAL, "the fault is in the server's log").into_response()
}

// The text of a layer is a sentence; a longer body is no explanation.
const EXPLANATION_BYTES: usize = 4096;

/// Turns errors into pages for people, and into problem details for programs.
async fn dress(
    State(error_page): State<fn(&Problem) -> Response>,
    request: Request,
    next: Next,
) -> Response {
    let for_people = wants_page(request.uri().path(), request.headers());
    let mut response = next.run(request).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let problem = response.extensions_mut().remove::<Problem>();
    let is_dressed = has_type(response.headers(), "application/problem+json") && !for_people;
    // A page may show the error itself, as a login page does.
    if is_dressed || has_type(response.headers(), "text/html") {
        return response;
    }
    let (parts, body) = response.into_parts();
    let problem = match problem {
        Some(problem) => problem,
        None => Problem::of_status(status, explanation(status, &parts.headers, body).await),
    };
    let dressed = if for_people {
        error_page(&problem)
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

/// Returns true if the client is a browser that shows a page: an address outside `/api/`, and HTML is
/// accepted.
pub fn wants_page(path: &str, headers: &HeaderMap) -> bool {
    let accept = headers
        .get(header::ACCEPT)
        .and_then(|value| value.to_str().ok());
    !path.starts_with("/api/") && accept.is_some_and(|accept| accept.contains("text/html"))
}

fn has_type(headers: &HeaderMap, kind: &str) -> bool {
    let value = headers.get(header::CONTENT_TYPE);
    value.is_some_and(|value| value.as_bytes().starts_with(kind.as_bytes()))
}

/// The layer's text, if it is meant for people; otherwise the meaning of the status.
async fn explanation(status: StatusCode, headers: &HeaderMap, body: Body) -> String {
    let is_text = has_type(headers, "text/plain");
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
