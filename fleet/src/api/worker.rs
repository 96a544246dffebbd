//! What a worker calls. Its token decides who it is; it can only touch what it was leased.

use std::time::Duration;

use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::response::{IntoResponse as _, Response};
use queue::Standing;
use queue::wire::{Complete, Heartbeat, LeaseBody, LeaseRequest, Register, Registered, Return};
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt as _};
use utoipa_axum::routes;
use web::extract::Json;
use web::problem::{Problem, ProblemBody};

use crate::app::LabState;
use crate::people::MachineToken;

/// The largest results of a lease: a chunk of long games with transcripts.
const RESULTS_BYTES: usize = 32 << 20;
/// The least and the longest time that a lease lasts after the last heartbeat.
const VISIBILITY: (Duration, Duration) = (Duration::from_secs(1), Duration::from_hours(1));

pub(super) fn router() -> OpenApiRouter<LabState> {
    OpenApiRouter::new()
        .routes(routes!(register))
        .routes(routes!(lease))
        .routes(routes!(heartbeat))
        .routes(routes!(complete).layer(DefaultBodyLimit::max(RESULTS_BYTES)))
        .routes(routes!(give_back))
}

/// Say what the machine is able to do. Every start of a worker begins with it.
#[utoipa::path(post, path = "/api/1/worker/register", tag = "worker", request_body = Register, responses(
    (status = 200, body = Registered, description = "the name of the worker"),
    (status = 401, body = ProblemBody, description = "unauthorized: no token, or a revoked one"),
    (status = 403, body = ProblemBody, description = "quarantined; the detail is the reason"),
))]
async fn register(
    State(app): State<LabState>,
    MachineToken(worker): MachineToken,
    Json(register): Json<Register>,
) -> Result<Json<Registered>, Problem> {
    app.work.register(&worker, &register).await?;
    Ok(Json(Registered { name: worker.name }))
}

/// Lease a chunk of work.
#[utoipa::path(post, path = "/api/1/worker/lease", tag = "worker", request_body = LeaseRequest, responses(
    (status = 200, body = LeaseBody, description = "a chunk"),
    (status = 204, description = "nothing now; ask again later"),
    (status = 403, body = ProblemBody, description = "quarantined"),
))]
async fn lease(
    State(app): State<LabState>,
    MachineToken(worker): MachineToken,
    Json(mut request): Json<LeaseRequest>,
) -> Result<Response, Problem> {
    let asked = Duration::from_millis(request.visibility_ms);
    // A worker that dies holds its chunk for as long as it has asked for.
    request.visibility_ms = milliseconds(asked);
    let leased = app.work.lease(&worker, &request).await?;
    Ok(match leased {
        Some(lease) => Json(lease).into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    })
}

/// Renew a lease.
#[utoipa::path(post, path = "/api/1/worker/heartbeat", tag = "worker", request_body = Heartbeat, responses(
    (status = 200, body = Standing, description = "whether the lease goes on"),
    (status = 409, body = ProblemBody, description = "not-leased: the token of the lease is not valid"),
))]
async fn heartbeat(
    State(app): State<LabState>,
    MachineToken(worker): MachineToken,
    Json(beat): Json<Heartbeat>,
) -> Result<Json<Standing>, Problem> {
    let visibility = milliseconds(Duration::from_millis(beat.visibility_ms));
    let standing = app.work.heartbeat(&worker, &beat.token, visibility).await;
    Ok(Json(standing?))
}

/// Return results of a lease: some of them, or all. May be repeated.
#[utoipa::path(post, path = "/api/1/worker/complete", tag = "worker", request_body = Complete, responses(
    (status = 204, description = "they are on disk"),
    (status = 409, body = ProblemBody, description = "not-leased: the lease, or a unit outside it"),
))]
async fn complete(
    State(app): State<LabState>,
    MachineToken(worker): MachineToken,
    Json(complete): Json<Complete>,
) -> Result<StatusCode, Problem> {
    let Complete { token, results } = complete;
    let completed = app.work.complete(&worker, &token, &results).await;
    completed?;
    Ok(StatusCode::NO_CONTENT)
}

/// Return a chunk unfinished, for others.
#[utoipa::path(post, path = "/api/1/worker/return", tag = "worker", request_body = Return, responses(
    (status = 204, description = "it is free"),
))]
async fn give_back(
    State(app): State<LabState>,
    MachineToken(worker): MachineToken,
    Json(back): Json<Return>,
) -> Result<StatusCode, Problem> {
    let returned = app
        .work
        .give_back(&worker, &back.token, back.inability.as_deref());
    returned.await?;
    Ok(StatusCode::NO_CONTENT)
}

fn milliseconds(asked: Duration) -> u64 {
    let time = asked.clamp(VISIBILITY.0, VISIBILITY.1);
    u64::try_from(time.as_millis()).unwrap_or(u64::MAX)
}
