//! What people's programs call: they bring jobs, follow them and read the results.

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use queue::wire::{Discard, Discarded, Reason, Verification};
use queue::{Alarm, Chunk, Job, JobState, Progress, Put, Recorded, WorkerState};
use serde::Deserialize;
use trainer::distributed::KIND as TRAINING_GAMES;
use utoipa_axum::router::{OpenApiRouter, UtoipaMethodRouterExt as _};
use utoipa_axum::routes;
use web::extract::{ApiAnswer, Json, Path, Query};
use web::problem::{BAD_REQUEST, Problem, ProblemBody};

use super::lines::Lines;
use crate::app::LabState;
use crate::model::{Account, AccountId, JobStage};
use crate::people::{Right, SignedIn, audit};
use crate::problem::NO_JOB;
use crate::store::LabDatabaseError;
use crate::store::work::PutOptions;

/// The largest job: some ten million units.
const JOB_BYTES: usize = 4 << 30;
/// The most results of one answer.
const MOST_RESULTS: u32 = 10_000;
/// Units that are written in one statement.
const UNITS_AT_ONCE: usize = 2_000;

pub(super) fn bulk_router() -> OpenApiRouter<LabState> {
    OpenApiRouter::new().routes(routes!(put).layer(DefaultBodyLimit::max(JOB_BYTES)))
}

pub(super) fn router() -> OpenApiRouter<LabState> {
    OpenApiRouter::new()
        .routes(routes!(list))
        .routes(routes!(progress))
        .routes(routes!(results))
        .routes(routes!(alarms))
        .routes(routes!(verification))
        .routes(routes!(stop))
        .routes(routes!(discard))
        .routes(routes!(workers))
        .routes(routes!(quarantine))
}

/// Add a job with all its chunks, or nothing: lines of JSON, first the job, then each chunk.
#[utoipa::path(post, path = "/api/1/jobs", tag = "jobs", request_body(content = String, content_type = "application/x-ndjson"), responses(
    (status = 200, body = Put, description = "new, or the same was there already"),
    (status = 409, body = ProblemBody, description = "other-job: the detail is the field that differs"),
    (status = 422, body = ProblemBody, description = "units: the chunks do not contain each unit once, in order"),
))]
async fn put(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    body: Body,
) -> ApiAnswer<Put> {
    account.require(Right::Submit)?;
    let mut lines = Lines::from_body(body);
    let job: Option<Job> = lines.next().await?;
    let expected = "the body is empty, expected a job and its chunks, each a line";
    let job = job.ok_or_else(|| Problem::new(BAD_REQUEST, expected))?;
    let options = PutOptions {
        state: first_stage(&account, &job.kind),
        ..PutOptions::default()
    };
    let mut putting = app.work.begin_put(account.id, &job, options).await?;
    let (mut pending, mut units) = (Vec::new(), 0);
    while let Some(chunk) = lines.next::<Chunk>().await? {
        units += chunk.units.len();
        pending.push(chunk);
        if units >= UNITS_AT_ONCE {
            putting.add(std::mem::take(&mut pending)).await?;
            units = 0;
        }
    }
    putting.add(pending).await?;
    Ok(Json(putting.finish().await?))
}

/// Counting moves and games for training run nobody's program; whatever names a program waits for a
/// maintainer.
fn first_stage(account: &Account, kind: &str) -> JobStage {
    let runs_no_program = kind.starts_with("perft-") || kind == TRAINING_GAMES;
    if account.may(Right::SubmitApproved) || runs_no_program {
        JobStage::Running
    } else {
        JobStage::Pending
    }
}

/// List jobs.
#[utoipa::path(get, path = "/api/1/jobs", tag = "jobs", responses(
    (status = 200, body = [JobState], description = "those that are not archived; a body of more than 64 KiB is left out, which is empty then"),
))]
async fn list(State(app): State<LabState>, _: SignedIn) -> ApiAnswer<Vec<JobState>> {
    Ok(Json(app.work.jobs().await?))
}

/// Progress of a job.
#[utoipa::path(get, path = "/api/1/jobs/{id}/progress", tag = "jobs", params(("id" = String, Path, description = "name of the job")), responses(
    (status = 200, body = Progress, description = "so far"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn progress(
    State(app): State<LabState>,
    _: SignedIn,
    Path(id): Path<String>,
) -> ApiAnswer<Progress> {
    Ok(Json(app.work.progress(&id).await?))
}

#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[into_params(parameter_in = Query)]
struct Page {
    /// Results with larger numbers; all by default.
    #[serde(default)]
    after: u64,
    /// Number of results, at most and by default 10,000.
    limit: Option<u32>,
}

/// Results of a job, in the order in which they were recorded.
#[utoipa::path(get, path = "/api/1/jobs/{id}/results", tag = "jobs", params(("id" = String, Path, description = "name of the job"), Page), responses(
    (status = 200, body = [Recorded], description = "at most 10,000"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn results(
    State(app): State<LabState>,
    _: SignedIn,
    Path(id): Path<String>,
    Query(page): Query<Page>,
) -> ApiAnswer<Vec<Recorded>> {
    let limit = page.limit.unwrap_or(MOST_RESULTS).min(MOST_RESULTS);
    Ok(Json(app.work.results(&id, page.after, limit).await?))
}

/// Units about which workers disagree.
#[utoipa::path(get, path = "/api/1/jobs/{id}/alarms", tag = "jobs", params(("id" = String, Path, description = "name of the job")), responses(
    (status = 200, body = [Alarm], description = "in the order in which they were found"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn alarms(
    State(app): State<LabState>,
    _: SignedIn,
    Path(id): Path<String>,
) -> ApiAnswer<Vec<Alarm>> {
    Ok(Json(app.work.alarms(&id).await?))
}

/// Which share of a job's results was verified, and what that means.
#[utoipa::path(get, path = "/api/1/jobs/{id}/verification", tag = "jobs", params(("id" = String, Path, description = "name of the job")), responses(
    (status = 200, body = Verification, description = "so far"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn verification(
    State(app): State<LabState>,
    _: SignedIn,
    Path(id): Path<String>,
) -> ApiAnswer<Verification> {
    let known = app.work.verification(&id).await?;
    Ok(Json(Verification {
        compares: known.compares,
        done: known.done,
        verified: known.verified,
        checking: known.checking,
        workers: known.workers.len() as u64,
        unseen_1_percent: known.unseen(0.01),
        unseen_10_percent: known.unseen(0.1),
    }))
}

/// Stop a job.
#[utoipa::path(post, path = "/api/1/jobs/{id}/stop", tag = "jobs", params(("id" = String, Path, description = "name of the job")), request_body = Reason, responses(
    (status = 204, description = "stopped, now or before"),
    (status = 403, body = ProblemBody, description = "forbidden: the job is another author's"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn stop(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
    Json(Reason { reason }): Json<Reason>,
) -> Result<StatusCode, Problem> {
    may_manage(&app, &account, &id).await?;
    app.work.stop(&id, &reason).await?;
    audit(
        &app.database.pool,
        Some(account.id),
        "stop job",
        &id,
        &reason,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Discard the results of a worker; those units are done again.
#[utoipa::path(post, path = "/api/1/jobs/{id}/discard", tag = "jobs", params(("id" = String, Path, description = "name of the job")), request_body = Discard, responses(
    (status = 200, body = Discarded, description = "done"),
    (status = 403, body = ProblemBody, description = "forbidden: the job is another author's"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn discard(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
    Json(Discard { worker }): Json<Discard>,
) -> ApiAnswer<Discarded> {
    may_manage(&app, &account, &id).await?;
    let results = app.work.discard(&id, &worker).await?;
    let detail = format!("{results} of {worker}");
    audit(
        &app.database.pool,
        Some(account.id),
        "discard results",
        &id,
        &detail,
    )
    .await?;
    Ok(Json(Discarded { results }))
}

/// List workers.
#[utoipa::path(get, path = "/api/1/workers", tag = "jobs", responses(
    (status = 200, body = [WorkerState], description = "all, by name"),
))]
async fn workers(State(app): State<LabState>, _: SignedIn) -> ApiAnswer<Vec<WorkerState>> {
    Ok(Json(app.work.workers().await?))
}

/// Quarantine a worker: its unverified results are done again.
#[utoipa::path(post, path = "/api/1/workers/{name}/quarantine", tag = "jobs", params(("name" = String, Path, description = "name of the worker")), request_body = Reason, responses(
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
    audit(
        &app.database.pool,
        Some(account.id),
        "quarantine worker",
        &name,
        &reason,
    )
    .await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Authors manage their own jobs, maintainers all.
async fn may_manage(app: &LabState, account: &Account, id: &str) -> Result<(), Problem> {
    let sql = "select owner from lab.jobs where id = $1";
    let owner: Option<AccountId> = sqlx::query_scalar(sql)
        .bind(id)
        .fetch_optional(&app.database.pool)
        .await
        .map_err(LabDatabaseError::from)?;
    let owner = owner.ok_or_else(|| Problem::new(NO_JOB, format!("there is no job '{id}'")))?;
    account.require_for(owner, Right::ManageTests)
}
