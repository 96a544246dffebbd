//! The `OpenAPI` description as a page, without scripts.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use utoipa::openapi::OpenApi;
use web::description::ApiCalls;

use super::{PageFrame, page};
use crate::app::LabState;
use crate::people::SignedIn;

/// What scripts of pages ask for, which anybody may.
#[derive(utoipa::OpenApi)]
#[openapi(paths(
    super::counts::list,
    super::live::events,
    super::report::json,
    super::test_page::points
))]
struct Described;

/// The description of what the scripts of pages ask for.
pub fn openapi() -> OpenApi {
    <Described as utoipa::OpenApi>::openapi()
}

#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage {
    frame: PageFrame,
    calls: Arc<ApiCalls>,
}

/// The address of the description.
const JSON: &str = "/api/1/openapi.json";

/// The page of a description, and the description itself as JSON.
pub fn documentation(description: &OpenApi) -> Router<LabState> {
    Router::new()
        .route("/api", get(show))
        .layer(Extension(Arc::new(ApiCalls::new(description, JSON))))
        .merge(web::description::route(JSON, description))
}

async fn show(Extension(calls): Extension<Arc<ApiCalls>>, who: Option<SignedIn>) -> Response {
    let frame = PageFrame::new("API", "", who.map(|who| who.0));
    page(&ApiPage { frame, calls })
}
