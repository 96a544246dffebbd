//! The `OpenAPI` description as a page, without scripts.

use std::sync::Arc;

use askama::Template;
use axum::response::Response;
use axum::routing::get;
use axum::{Extension, Router};
use serde_json::Value;
use utoipa::openapi::OpenApi;
use web::description::{content, entries, items, kind_of, members, operations, text, words};

use super::{Frame, page};
use crate::app::App;
use crate::people::SignedIn;

/// What scripts of pages ask for, which anybody may.
#[derive(utoipa::OpenApi)]
#[openapi(paths(super::counts::list, super::live::events, super::test_page::points))]
struct Described;

/// The description of what the scripts of pages ask for.
pub fn openapi() -> OpenApi {
    <Described as utoipa::OpenApi>::openapi()
}

/// The template reads the description itself, by the functions of [`web::description`].
#[derive(Template)]
#[template(path = "api.html")]
struct ApiPage {
    frame: Frame,
    api: Arc<Value>,
}

/// The page of a description, and the description itself as JSON.
pub fn documentation(description: &OpenApi) -> Router<App> {
    let value = serde_json::to_value(description).unwrap_or_default();
    Router::new()
        .route("/api", get(show))
        .layer(Extension(Arc::new(value)))
        .merge(web::description::route("/api/1/openapi.json", description))
}

async fn show(Extension(api): Extension<Arc<Value>>, who: Option<SignedIn>) -> Response {
    let frame = Frame::new("API", "", who.map(|who| who.0));
    page(&ApiPage { frame, api })
}
