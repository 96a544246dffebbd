//! Middleware that every request passes, from the outside in.

use std::any::Any;
use std::time::Duration;

use axum::body::Body;
use axum::extract::DefaultBodyLimit;
use axum::http::{HeaderName, HeaderValue, Response, StatusCode, header};
use axum::response::IntoResponse as _;
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate as _, SizeAbove};
use tower_http::csrf::{CsrfLayer, ProtectionError};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;

use super::faces;
use super::limits::{self, BySession};
use super::metrics;
use super::problem::{CROSS_SITE, INTERNAL, Problem};
use super::state::App;

/// Default maximum size of a body.
const BODY_BYTES: usize = 64 * 1024;

/// Smaller responses are not worth compressing.
const COMPRESS_FROM_BYTES: u64 = 1024;

/// Headers of every response. Style attributes are allowed because dragging a piece sets one.
const HEADERS: [(HeaderName, &str); 7] = [
    (
        header::CONTENT_SECURITY_POLICY,
        "default-src 'self'; script-src 'self'; style-src 'self'; style-src-attr 'unsafe-inline'; \
         img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'self'; \
         frame-ancestors 'none'; object-src 'none'",
    ),
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
const STRICT: (HeaderName, &str) = (header::STRICT_TRANSPORT_SECURITY, "max-age=31536000");

/// Adds the middleware of routes that answer people's requests.
pub(crate) fn around(routes: Router<App>, app: &App) -> Router<App> {
    let by_session = BySession {
        known: app.known.clone(),
        trust_proxy: app.settings.trust_proxy,
    };
    let limits = &app.settings.limits;
    let every = Duration::from_secs(1) / limits.per_second.max(1);
    let quota = limits::quota(by_session, every, limits.burst);
    app.sweep_with(&quota);
    routes
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(limits::layer(&quota))
}

/// Adds the middleware of all routes.
pub(crate) fn around_all(routes: Router<App>, app: &App) -> Router<App> {
    let compressed = SizeAbove::new(COMPRESS_FROM_BYTES).and(NotForContentType::IMAGES);
    let timeout = app.settings.limits.answer;
    let routes = routes
        .layer(CsrfLayer::new().with_rejection_response(cross_site))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::SERVICE_UNAVAILABLE,
            timeout,
        ))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(faces::dress))
        .layer(CompressionLayer::new().compress_when(compressed));
    let strict = app.settings.https.then_some(STRICT);
    let headers = HEADERS.into_iter().chain(strict);
    let with_headers = headers.fold(routes, |routes, (name, value)| {
        let value = HeaderValue::from_static(value);
        routes.layer(SetResponseHeaderLayer::if_not_present(name, value))
    });
    with_headers
        .layer(middleware::from_fn_with_state(
            app.clone(),
            metrics::measure,
        ))
        .layer(TraceLayer::new_for_http())
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the layer hands the error over"
)]
fn cross_site(error: ProtectionError) -> Response<Body> {
    Problem::new(CROSS_SITE, error.to_string()).into_response()
}

#[expect(
    clippy::needless_pass_by_value,
    reason = "the layer hands the panic over"
)]
fn panicked(panic: Box<dyn Any + Send + 'static>) -> Response<Body> {
    let text = panic
        .downcast_ref::<&str>()
        .map(|text| (*text).to_owned())
        .or_else(|| panic.downcast_ref::<String>().cloned());
    tracing::error!("a handler panicked: {}", text.unwrap_or_default());
    Problem::new(INTERNAL, "the fault is in the server's log").into_response()
}
