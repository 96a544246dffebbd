//! All routes, the middleware around them, errors in the form the client wants, and static files.

use std::any::Any;
use std::sync::Arc;
use std::time::Duration;

use axum::body::{Body, to_bytes};
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::{HeaderMap, HeaderName, HeaderValue, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;
use axum::{Router, middleware};
use tower_http::catch_panic::CatchPanicLayer;
use tower_http::compression::CompressionLayer;
use tower_http::compression::predicate::{NotForContentType, Predicate as _, SizeAbove};
use tower_http::csrf::{CsrfLayer, ProtectionError};
use tower_http::set_header::SetResponseHeaderLayer;
use tower_http::timeout::TimeoutLayer;
use tower_http::trace::TraceLayer;
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;

use super::limits::BySession;
use super::play::{self, PlayApi};
use super::problem::{CROSS_SITE, INTERNAL, METHOD_NOT_ALLOWED, NOT_FOUND, Problem, ProblemBody};
use super::serve::health;
use super::state::App;
use super::{api, metrics, pages};
use crate::assets::{self, Asset};

pub fn router(app: &App) -> Router {
    let (api, description) = documented(app);
    let asked = api.merge(pages::router(app, &description));
    let routes = around(asked, app)
        .route("/static/{*path}", get(own))
        .route("/vendor/{*path}", get(vendor))
        .route("/favicon.ico", get(icon))
        .merge(health())
        .fallback(async || Problem::new(NOT_FOUND, "no page has this address"))
        .method_not_allowed_fallback(async || {
            let detail = "the header Allow names the methods that are taken";
            Problem::new(METHOD_NOT_ALLOWED, detail)
        });
    around_all(routes, app).with_state(app.clone())
}

fn documented(app: &App) -> (Router<App>, OpenApi) {
    let (api, description) = OpenApiRouter::with_openapi(outline())
        .merge(api::router(app))
        .split_for_parts();
    let description = description.merge_from(PlayApi::openapi());
    let play = play::router(Arc::clone(&app.opponent)).with_state(());
    let text = description.to_pretty_json().unwrap_or_default();
    let serve = get(move || {
        let text = text.clone();
        async move { ([("content-type", "application/json")], text) }
    });
    let api = api.merge(play).route("/api/v1/openapi.json", serve);
    (api, description)
}

#[derive(utoipa::OpenApi)]
#[openapi(
    info(
        title = "Touchstone crowd",
        description = "People list the legal moves of positions; lists that agree become test cases. \
            A session is a cookie. Requests that change something must come from this site, or from a program \
            that is no browser. Errors are problem details (RFC 9457). Times are milliseconds since 1970 UTC.",
    ),
    tags(
        (name = "contribute", description = "Get a position, list its moves, finish, see the result."),
        (name = "results", description = "What anyone may read."),
        (name = "play", description = "Play against the engine; the browser keeps the game."),
        (name = "moderate", description = "For those who have the moderators' token."),
    ),
    components(schemas(ProblemBody)),
)]
struct Outline;

pub(crate) fn outline() -> OpenApi {
    let mut outline = Outline::openapi();
    let components = outline.components.get_or_insert_default();
    let bearer = SecurityScheme::Http(Http::new(HttpAuthScheme::Bearer));
    components.add_security_scheme("moderator", bearer);
    outline
}

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

pub(crate) fn around(routes: Router<App>, app: &App) -> Router<App> {
    let by_session = BySession {
        known: app.known.clone(),
        trust_proxy: app.settings.trust_proxy,
    };
    let limits = &app.settings.limits;
    let every = Duration::from_secs(1) / limits.per_second.max(1);
    routes
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(app.limit(by_session, every, limits.burst))
}

/// Adds the middleware of all routes.
pub(crate) fn around_all(routes: Router<App>, app: &App) -> Router<App> {
    let compressed = SizeAbove::new(COMPRESS_FROM_BYTES).and(NotForContentType::IMAGES);
    let timeout = app.settings.limits.answer;
    let cross_site =
        |error: ProtectionError| Problem::new(CROSS_SITE, error.to_string()).into_response();
    let routes = routes
        .layer(CsrfLayer::new().with_rejection_response(cross_site))
        .layer(TimeoutLayer::with_status_code(
            StatusCode::SERVICE_UNAVAILABLE,
            timeout,
        ))
        .layer(CatchPanicLayer::custom(panicked))
        .layer(middleware::from_fn(dress))
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

const EXPLANATION_BYTES: usize = 4096;

pub(crate) async fn dress(request: Request, next: Next) -> Response {
    let for_people = wants_page(request.uri().path(), request.headers());
    let mut response = next.run(request).await;
    let status = response.status();
    if !status.is_client_error() && !status.is_server_error() {
        return response;
    }
    let problem = response.extensions_mut().remove::<Problem>();
    let is_dressed = has_type(response.headers(), "application/problem+json") && !for_people;
    // A page may show the error itself, as the login page does.
    if is_dressed || has_type(response.headers(), "text/html") {
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

async fn own(request: Request) -> Result<Response, Problem> {
    file(&request, "/static/", assets::static_file)
}

async fn vendor(request: Request) -> Result<Response, Problem> {
    file(&request, "/vendor/", assets::vendor_file)
}

/// Browsers request this name wherever no page names another icon, for example with JSON.
async fn icon(request: Request) -> Result<Response, Problem> {
    file(&request, "/", |_| assets::static_file("favicon.svg"))
}

/// Names are taken literally, never decoded: none of our files needs it.
fn file(
    request: &Request,
    folder: &str,
    find: fn(&str) -> Option<Asset>,
) -> Result<Response, Problem> {
    let path = request.uri().path().strip_prefix(folder).unwrap_or("");
    let asset = find(path).ok_or_else(|| Problem::new(NOT_FOUND, "there is no such file"))?;
    let kept = [
        (header::ETAG, asset.etag.clone()),
        (header::CACHE_CONTROL, String::from("no-cache")),
    ];
    if is_known(request.headers(), &asset.etag) {
        return Ok((StatusCode::NOT_MODIFIED, kept).into_response());
    }
    let kind = [(header::CONTENT_TYPE, asset.mime)];
    Ok((kept, kind, asset.bytes).into_response())
}

/// Whether the browser has the file cached; compression makes the tag a weak one.
fn is_known(headers: &HeaderMap, etag: &str) -> bool {
    let tags = headers
        .get(header::IF_NONE_MATCH)
        .and_then(|value| value.to_str().ok());
    tags.is_some_and(|tags| {
        tags.split(',')
            .any(|tag| tag.trim().trim_start_matches("W/") == etag)
    })
}
