//! What people ask of workers.

use axum::extract::State;
use axum::http::StatusCode;
use queue::WorkerState;
use queue::wire::Reason;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::extract::{ApiAnswer, Json, Path};
use web::problem::{Problem, ProblemBody};

use crate::app::LabState;
use crate::people::{Right, SignedIn, audit};

pub(super) fn router() -> OpenApiRouter<LabState> {
    OpenApiRouter::new()
        .routes(routes!(workers))
        .routes(routes!(quarantine))
}

/// List workers.
#[utoipa::path(get, path = "/api/1/workers", tag = "people", responses(
    (status = 200, body = [WorkerState], description = "all, by name"),
))]
async fn workers(State(app): State<LabState>, _: SignedIn) -> ApiAnswer<Vec<WorkerState>> {
    Ok(Json(app.work.workers().await?))
}

/// Quarantine a worker: its unverified results are done again.
#[utoipa::path(post, path = "/api/1/workers/{name}/quarantine", tag = "people", params(("name" = String, Path, description = "name of the worker")), request_body = Reason, responses(
    (status = 204, description = "done"),
    (status = 403, body = ProblemBody, description = "forbidden: only for maintainers"),
    (status = 404, body = ProblemBody, description = "no-worker"),
))]
async fn quarantine(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(name): Path<String>,
    Json(Reason { reason }): Json<Reason>,
) -> Result<StatusCode, Problem> {
    account.require(Right::Quarantine)?;
    app.work.quarantine(&name, &reason).await?;
    let pool = &app.database.pool;
    // The queue has a transaction of its own for it, so that the entry follows.
    audit(pool, Some(account.id), "quarantine worker", &name, &reason).await?;
    Ok(StatusCode::NO_CONTENT)
}
