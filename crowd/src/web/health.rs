//! Endpoints for operators: liveness, readiness, metrics.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::time::timeout;

use super::problem::{BUSY, Problem};
use super::state::App;

/// Time limit of the check that the database accepts writes.
const PATIENCE: Duration = Duration::from_secs(3);

pub(crate) fn router() -> Router<App> {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
}

async fn alive() -> &'static str {
    "alive\n"
}

async fn ready(State(app): State<App>) -> Result<&'static str, Problem> {
    let asked = timeout(PATIENCE, app.service.store().can_write()).await;
    let error = match asked {
        Ok(Ok(())) => return Ok("ready\n"),
        Ok(Err(error)) => error.to_string(),
        Err(elapsed) => elapsed.to_string(),
    };
    tracing::error!("not ready: {error}");
    Err(Problem::new(BUSY, "the database takes no changes now").retry_after(1))
}

async fn metrics(State(app): State<App>) -> Result<Response, Problem> {
    app.gauge().await?;
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    Ok((kind, app.metrics.render()).into_response())
}
