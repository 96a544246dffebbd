//! The `OpenAPI` description as a page, without scripts.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use utoipa::openapi::OpenApi;
use web::description::ApiCalls;
use web::problem::Problem;

use super::{Frame, page};
use crate::web::state::App;

const JSON: &str = "/api/v1/openapi.json";

#[derive(Template)]
#[template(path = "api.html")]
struct ApiReferencePage {
    frame: Frame,
    calls: Arc<ApiCalls>,
}

/// The page of a description, and the description itself as JSON.
pub(super) fn router(description: &OpenApi) -> Router<App> {
    Router::new()
        .route("/api", get(show))
        // The description never changes, so it is prepared once.
        .layer(Extension(Arc::new(ApiCalls::new(description, JSON))))
        .merge(web::description::route(JSON, description))
}

async fn show(Extension(calls): Extension<Arc<ApiCalls>>) -> Result<Response, Problem> {
    let frame = Frame::new("about");
    page(&ApiReferencePage { frame, calls })
}
