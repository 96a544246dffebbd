//! What a worker calls. Its token decides who it is; it can only touch what it was leased.

use std::time::Duration;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use axum::routing::post;
use queue::Standing;
use queue::wire::{Complete, Heartbeat, LeaseRequest, Register, Registered, Return};
use web::extract::Json;
use web::problem::Problem;

use crate::app::App;
use crate::people::MachineToken;

/// The largest results of a lease: a chunk of long games with transcripts.
const RESULTS_BYTES: usize = 32 << 20;
/// A lease lasts at least and at most so long after the last heartbeat.
const VISIBILITY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_hours(1));

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/1/worker/register", post(register))
        .route("/api/1/worker/lease", post(lease))
        .route("/api/1/worker/heartbeat", post(heartbeat))
        .route(
            "/api/1/worker/complete",
            post(complete).layer(DefaultBodyLimit::max(RESULTS_BYTES)),
        )
        .route("/api/1/worker/return", post(give_back))
}

async fn register(
    State(app): State<App>,
    MachineToken(worker): MachineToken,
    Json(register): Json<Register>,
) -> Result<Json<Registered>, Problem> {
    app.work.register(&worker, &register).await?;
    Ok(Json(Registered { name: worker.name }))
}

async fn lease(
    State(app): State<App>,
    MachineToken(worker): MachineToken,
    Json(mut request): Json<LeaseRequest>,
) -> Result<Response, Problem> {
    let asked = Duration::from_millis(request.visibility_ms);
    request.visibility_ms = milliseconds(asked);
    let leased = app.work.lease(&worker, &request).await?;
    Ok(match leased {
        Some(lease) => Json(lease).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

async fn heartbeat(
    State(app): State<App>,
    MachineToken(worker): MachineToken,
    Json(beat): Json<Heartbeat>,
) -> Result<Json<Standing>, Problem> {
    let visibility = Duration::from_millis(milliseconds(Duration::from_millis(beat.visibility_ms)));
    let standing = app.work.heartbeat(&worker, &beat.token, visibility).await;
    Ok(Json(standing?))
}

async fn complete(
    State(app): State<App>,
    MachineToken(worker): MachineToken,
    Json(complete): Json<Complete>,
) -> Result<StatusCode, Problem> {
    let Complete { token, results } = complete;
    let completed = app.work.complete(&worker, &token, &results).await;
    completed?;
    Ok(StatusCode::NO_CONTENT)
}

async fn give_back(
    State(app): State<App>,
    MachineToken(worker): MachineToken,
    Json(back): Json<Return>,
) -> Result<StatusCode, Problem> {
    let returned = app.work.give_back(&worker, &back.token, back.inability.as_deref());
    returned.await?;
    Ok(StatusCode::NO_CONTENT)
}

fn milliseconds(asked: Duration) -> u64 {
    let time = asked.clamp(VISIBILITY.0, VISIBILITY.1);
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
