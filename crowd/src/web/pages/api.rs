//! The `OpenAPI` description as a page, without scripts.

use std::sync::Arc;

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::Response;
use axum::routing::get;
use serde_json::Value;
use utoipa::openapi::OpenApi;
use web::description::{content, entries, items, kind_of, members, operations, text, words};
use web::problem::Problem;

use super::{Frame, page};
use crate::web::state::App;

/// The template reads the description itself, by functions of `web`.
#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage {
    frame: Frame,
    api: Arc<Value>,
}

pub(super) fn router(description: &OpenApi) -> Router<App> {
    let description = serde_json::to_value(description).unwrap_or_default();
    Router::new()
        .route("/api", get(show))
        .layer(axum::Extension(Arc::new(description)))
}

async fn show(
    axum::Extension(api): axum::Extension<Arc<Value>>,
    State(_): State<App>,
) -> Result<Response, Problem> {
    let frame = Frame::new("about");
    page(&ApiPage { frame, api })
}
