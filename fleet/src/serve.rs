//! The server: its routes, and what operators ask it.

use std::time::Duration;

use axum::Router;
use axum::extract::State;
use axum::http::StatusCode;
use axum::routing::get;
use tokio::time::timeout;
use tower_http::timeout::TimeoutLayer;
use web::layers::Surround;
use web::problem::{BUSY, Problem};

use crate::app::App;
use crate::pages;

/// How long a request may take until its response begins.
const ANSWER: Duration = Duration::from_secs(30);
/// The same for adding a job with all its chunks.
const PUT_ANSWER: Duration = Duration::from_mins(10);
/// Time limit of the check that the database answers.
const READY: Duration = Duration::from_secs(3);

/// All routes of a server.
pub fn router(app: &App) -> Router {
    let limit = |answer| TimeoutLayer::with_status_code(StatusCode::SERVICE_UNAVAILABLE, answer);
    let routes = Router::new()
        .merge(pages::router())
        .route("/healthz", get(async || "alive\n"))
        .route("/readyz", get(ready))
        .layer(limit(ANSWER));
    let surround = Surround {
        https: app.settings.https,
        answer: PUT_ANSWER,
        error_page: pages::error,
    };
    surround.all(routes).with_state(app.clone())
}

async fn ready(State(app): State<App>) -> Result<&'static str, Problem> {
    let asked = sqlx::query("select 1").execute(&app.database.pool);
    let error = match timeout(READY, asked).await {
        Ok(Ok(_)) => return Ok("ready\n"),
        Ok(Err(error)) => error.to_string(),
        Err(elapsed) => elapsed.to_string(),
    };
    tracing::error!("not ready: {error}");
    Err(Problem::new(BUSY, "the database does not answer").retry_after(1))
}
