//! `/api/v1/assignments`: getting a position, listing its moves, finishing, and the result.
//!
//! Before a list is finished and its position closed, no answer depends on the rules of chess.

use axum::extract::State;
use axum::http::StatusCode;

use super::wire::{Acknowledged, Done, Ending, Events, Wanted, read};
use crate::clock;
use crate::service::{
    Assignment, AssignmentState, AssignmentToken, Finished, OwnResult, TokenError,
};
use crate::web::extract::{Json, Path};
use crate::web::problem::{Problem, ProblemBody};
use crate::web::session::Caller;
use crate::web::state::App;

/// Assigns a position in a mode, or returns the open assignment in that mode.
#[utoipa::path(post, path = "/api/v1/assignments", tag = "contribute", request_body = Wanted, responses(
    (status = 201, description = "a new assignment", body = Assignment),
    (status = 200, description = "the open one again", body = Assignment),
    (status = 404, description = "nothing-left or unknown-campaign", body = ProblemBody),
))]
pub(crate) async fn assign(
    State(app): State<App>,
    Caller(caller): Caller,
    Json(wanted): Json<Wanted>,
) -> Result<(StatusCode, Json<Assignment>), Problem> {
    let campaign = wanted.campaign()?;
    let now = clock::now();
    let service = &app.service;
    let assignment = service
        .assign(caller.id, wanted.mode, campaign, now)
        .await?;
    let status = if assignment.again {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    Ok((status, Json(assignment)))
}

/// Returns one's own assignment, with all its events.
#[utoipa::path(get, path = "/api/v1/assignments/{token}", tag = "contribute",
    params(("token" = String, Path, description = "what the assignment is known by")),
    responses(
        (status = 200, body = AssignmentState),
        (status = 404, description = "unknown-assignment", body = ProblemBody),
    ))]
pub(crate) async fn assignment(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(token): Path<String>,
) -> Result<Json<AssignmentState>, Problem> {
    let token = read_token(&token)?;
    let state = app.service.assignment(caller.id, &token, clock::now());
    Ok(Json(state.await?))
}

/// Records events. Repeated events are stored once; the answer has the number up to which all are
/// stored.
#[utoipa::path(post, path = "/api/v1/assignments/{token}/events", tag = "contribute", request_body = Events,
    params(("token" = String, Path, description = "what the assignment is known by")),
    responses(
        (status = 200, body = Acknowledged),
        (status = 400, description = "not-a-move: plainly none, by the diagram alone", body = ProblemBody),
        (status = 404, description = "unknown-assignment", body = ProblemBody),
        (status = 409, description = "gap (`expected`), conflict (`seq`) or frozen", body = ProblemBody),
        (status = 410, description = "expired", body = ProblemBody),
    ))]
pub(crate) async fn record(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(token): Path<String>,
    Json(body): Json<Events>,
) -> Result<Json<Acknowledged>, Problem> {
    let token = read_token(&token)?;
    let events = read(body.events)?;
    let acknowledged = app.service.record(caller.id, &token, events, clock::now());
    Ok(Json(Acknowledged {
        acknowledged: acknowledged.await?,
    }))
}

/// Records the last events and closes the list for good. Idempotent.
#[utoipa::path(post, path = "/api/v1/assignments/{token}/finish", tag = "contribute", request_body = Ending,
    params(("token" = String, Path, description = "what the assignment is known by")),
    responses(
        (status = 200, body = Finished),
        (status = 400, description = "not-a-move", body = ProblemBody),
        (status = 404, description = "unknown-assignment", body = ProblemBody),
        (status = 409, description = "gap (`expected`), conflict (`seq`) or frozen", body = ProblemBody),
        (status = 410, description = "expired", body = ProblemBody),
    ))]
pub(crate) async fn finish(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(token): Path<String>,
    Json(body): Json<Ending>,
) -> Result<Json<Finished>, Problem> {
    let token = read_token(&token)?;
    let events = read(body.events)?;
    let now = clock::now();
    let service = &app.service;
    let finished = service
        .finish(caller.id, &token, events, body.count, now)
        .await?;
    app.has_changed();
    Ok(Json(finished))
}

/// Returns a position without an answer.
#[utoipa::path(post, path = "/api/v1/assignments/{token}/skip", tag = "contribute",
    params(("token" = String, Path, description = "what the assignment is known by")),
    responses(
        (status = 200, body = Done),
        (status = 404, description = "unknown-assignment", body = ProblemBody),
        (status = 409, description = "frozen", body = ProblemBody),
        (status = 410, description = "expired", body = ProblemBody),
    ))]
pub(crate) async fn skip(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(token): Path<String>,
) -> Result<Json<Done>, Problem> {
    let token = read_token(&token)?;
    app.service.skip(caller.id, &token, clock::now()).await?;
    Ok(Json(Done {}))
}

/// Returns the result of one's own list, once its answer is known: for gold when it is finished,
/// otherwise when the position is closed.
#[utoipa::path(get, path = "/api/v1/assignments/{token}/result", tag = "contribute",
    params(("token" = String, Path, description = "what the assignment is known by")),
    responses(
        (status = 200, body = OwnResult),
        (status = 404, description = "unknown-assignment", body = ProblemBody),
    ))]
pub(crate) async fn result(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(token): Path<String>,
) -> Result<Json<OwnResult>, Problem> {
    let token = read_token(&token)?;
    let result = app.service.result(caller.id, &token, clock::now());
    Ok(Json(result.await?))
}

/// Parses a token; an invalid text gets the same answer as an unknown token.
pub(crate) fn read_token(text: &str) -> Result<AssignmentToken, Problem> {
    text.parse().map_err(|_| TokenError::Unknown.into())
}
