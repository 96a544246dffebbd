//! All routes, combined.

use std::sync::Arc;

use axum::Router;
use axum::routing::get;
use utoipa::OpenApi as _;
use utoipa::openapi::OpenApi;
use utoipa_axum::router::OpenApiRouter;

use super::play::{self, PlayApi};
use super::problem::{METHOD_NOT_ALLOWED, NOT_FOUND, Problem};
use super::state::App;

use super::{api, files, health, layers, openapi, pages};

/// The whole server as one service.
pub fn router(app: &App) -> Router {
    let (api, description) = documented(app);
    let asked = api.merge(pages::router(app, &description));
    let routes = layers::around(asked, app)
        .merge(files::router())
        .merge(health::router())
        .fallback(nothing_here)
        .method_not_allowed_fallback(other_method);
    layers::around_all(routes, app).with_state(app.clone())
}

/// The `OpenAPI` description, as served.
pub fn documentation(app: &App) -> OpenApi {
    documented(app).1
}

fn documented(app: &App) -> (Router<App>, OpenApi) {
    let (api, description) = OpenApiRouter::with_openapi(openapi::outline())
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

async fn nothing_here() -> Problem {
    Problem::new(NOT_FOUND, "no page has this address")
}

async fn other_method() -> Problem {
    let detail = "the header Allow names the methods that are taken";
    Problem::new(METHOD_NOT_ALLOWED, detail)
}
