//! Static files: our own under `/static`, those of the board's package under `/vendor`.

use axum::Router;
use axum::extract::Request;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use axum::routing::get;

use super::problem::{NOT_FOUND, Problem};
use super::state::App;
use crate::assets::{self, Asset};

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/static/{*path}", get(own))
        .route("/vendor/{*path}", get(vendor))
        .route("/favicon.ico", get(icon))
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
