//! All routes, their limits, and the files that pages load.

use std::sync::Arc;
use std::time::Duration;

use axum::extract::{DefaultBodyLimit, Request, State};
use axum::response::Response;
use axum::routing::get;
use axum::{Router, middleware};
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa::openapi::security::{Http, HttpAuthScheme, SecurityScheme};
use utoipa_axum::router::OpenApiRouter;
use web::layers::Surround;
use web::limits::BySession;
use web::problem::{NOT_FOUND, Problem, ProblemBody};

use super::play::{self, PlayApi};
use super::security::security_txt;
use super::serve::health;
use super::state::{App, now};
use super::tokens::session_text;
use super::{api, language, metrics, pages};
use crate::assets;

pub fn router(app: &App) -> Router {
    let (api, description) = documented(app);
    let asked = api.merge(pages::router(app, &description));
    let routes = around(asked, app)
        // Files are outside of the quotas, since one page loads many.
        .route("/static/{*path}", get(own))
        .route("/favicon.ico", get(icon))
        .route("/.well-known/security.txt", get(security))
        .merge(health());
    let surround = Surround {
        https: app.settings.https,
        answer: app.settings.limits.answer,
        error_page: pages::error,
    };
    let measured = middleware::from_fn_with_state(app.clone(), metrics::measure);
    let language = middleware::from_fn_with_state(app.clone(), language::choose);
    // Error pages are translated, so the language is chosen outside of what makes them.
    let surrounded = surround.all(routes).layer(language);
    // The outermost layer counts what the others reject.
    surrounded.layer(measured).with_state(app.clone())
}

fn documented(app: &App) -> (Router<App>, OpenApi) {
    let (api, description) = OpenApiRouter::with_openapi(outline())
        .merge(api::router(app))
        .split_for_parts();
    let description = description.merge_from(PlayApi::openapi());
    let play = play::router(Arc::clone(&app.opponent)).with_state(());
    (api.merge(play), description)
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
        (name = "people", description = "Sessions, names and what belongs to a person."),
        (name = "lists", description = "Begin a list, record its moves, finish it, see its result."),
        (name = "class", description = "A set that a teacher gives to students."),
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

pub(crate) fn around(routes: Router<App>, app: &App) -> Router<App> {
    let by_session = BySession {
        known: app.known.clone(),
        token: session_text(app.settings.https),
        trust_proxy: app.settings.trust_proxy,
    };
    let limits = &app.settings.limits;
    // The quota of a session grows by one request in this time.
    let every = Duration::from_secs(1) / limits.per_second.max(1);
    routes
        .layer(DefaultBodyLimit::max(BODY_BYTES))
        .layer(app.quotas.limit(by_session, every, limits.burst))
}

async fn own(request: Request) -> Result<Response, Problem> {
    assets::OWN.answer(&request)
}

async fn security(State(app): State<App>) -> Result<String, Problem> {
    security_txt(&app.settings.security_contacts, now())
        .ok_or_else(|| Problem::new(NOT_FOUND, "the operator has named no contact for security"))
}

/// Browsers request this name wherever no page names another icon, for example with JSON.
async fn icon(request: Request) -> Result<Response, Problem> {
    assets::OWN.answer_as(&request, "favicon.svg")
}
