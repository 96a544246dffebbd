//! What people's programs call: they bring jobs, follow them and read the results.

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use queue::wire::{Discard, Discarded, Reason};
use queue::{Alarm, Chunk, Job, JobState, Progress, Put, Recorded, WorkerState};
use serde::Deserialize;
use web::extract::{Answer, Json, Path, Query};
use web::problem::{BAD_REQUEST, Problem};

use super::lines::Lines;
use crate::app::App;
use crate::model::{Account, AccountId, Stage};
use crate::people::{Right, SignedIn, audit};
use crate::problem::NO_JOB;
use crate::store::StoreError;
use crate::store::work::{PutOptions, Verification};

/// The largest job: some ten million units.
const JOB_BYTES: usize = 4 << 30;
/// The most results of one answer.
const MOST_RESULTS: u32 = 10_000;
/// Units that are written in one statement.
const UNITS_AT_ONCE: usize = 2_000;

pub(super) fn bulk_router() -> Router<App> {
    let put = post(put).layer(DefaultBodyLimit::max(JOB_BYTES));
    Router::new().route("/api/1/jobs", put.get(list))
}

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/api/1/jobs/{id}/progress", get(progress))
        .route("/api/1/jobs/{id}/results", get(results))
        .route("/api/1/jobs/{id}/alarms", get(alarms))
        .route("/api/1/jobs/{id}/verification", get(verification))
        .route("/api/1/jobs/{id}/stop", post(stop))
        .route("/api/1/jobs/{id}/discard", post(discard))
        .route("/api/1/workers", get(workers))
        .route("/api/1/workers/{name}/quarantine", post(quarantine))
}

/// Adds a job with all its chunks, or nothing.
async fn put(
    State(app): State<App>,
    SignedIn(account): SignedIn,
    body: Body,
) -> Answer<Put> {
    account.require(Right::Submit)?;
    let mut lines = Lines::of(body);
    let job: Option<Job> = lines.next().await?;
    let expected = "the body is empty, expected a job and its chunks, each a line";
    let job = job.ok_or_else(|| Problem::new(BAD_REQUEST, expected))?;
    let options = PutOptions {
        stage: first_stage(&account, &job.kind),
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

/// Counting moves runs nobody's program; whatever names a program waits for a maintainer.
fn first_stage(account: &Account, kind: &str) -> Stage {
    if account.may(Right::SubmitApproved) || kind.starts_with("perft-") {
        Stage::Running
    } else {
        Stage::Pending
    }
}

async fn list(State(app): State<App>, SignedIn(_): SignedIn) -> Answer<Vec<JobState>> {
    Ok(Json(app.work.jobs().await?))
}

async fn progress(
    State(app): State<App>,
    SignedIn(_): SignedIn,
    Path(id): Path<String>,
) -> Answer<Progress> {
    Ok(Json(app.work.progress(&id).await?))
}

#[derive(Debug, Deserialize)]
struct Page {
    #[serde(default)]
    after: u64,
    limit: Option<u32>,
}

async fn results(
    State(app): State<App>,
    SignedIn(_): SignedIn,
    Path(id): Path<String>,
    Query(page): Query<Page>,
) -> Answer<Vec<Recorded>> {
    let limit = page.limit.unwrap_or(MOST_RESULTS).min(MOST_RESULTS);
    Ok(Json(app.work.results(&id, page.after, limit).await?))
}

async fn alarms(
    State(app): State<App>,
    SignedIn(_): SignedIn,
    Path(id): Path<String>,
) -> Answer<Vec<Alarm>> {
    Ok(Json(app.work.alarms(&id).await?))
}

/// Which share of a job's results was verified, and what that means.
async fn verification(
    State(app): State<App>,
    SignedIn(_): SignedIn,
    Path(id): Path<String>,
) -> Answer<Verification> {
    Ok(Json(app.work.verification(&id).await?))
}

async fn stop(
    State(app): State<App>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
    Json(Reason { reason }): Json<Reason>,
) -> Result<StatusCode, Problem> {
    may_manage(&app, &account, &id).await?;
    app.work.stop(&id, &reason).await?;
    audit(&app.database.pool, account.id, "stop job", &id, &reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn discard(
    State(app): State<App>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
    Json(Discard { worker }): Json<Discard>,
) -> Answer<Discarded> {
    may_manage(&app, &account, &id).await?;
    let results = app.work.discard(&id, &worker).await?;
    let detail = format!("{results} of {worker}");
    audit(&app.database.pool, account.id, "discard results", &id, &detail).await?;
    Ok(Json(Discarded { results }))
}

async fn workers(State(app): State<App>, SignedIn(_): SignedIn) -> Answer<Vec<WorkerState>> {
    Ok(Json(app.work.workers().await?))
}

async fn quarantine(
    State(app): State<App>,
    SignedIn(account): SignedIn,
    Path(name): Path<String>,
    Json(Reason { reason }): Json<Reason>,
) -> Result<StatusCode, Problem> {
    account.require(Right::Quarantine)?;
    app.work.quarantine(&name, &reason).await?;
    audit(&app.database.pool, account.id, "quarantine worker", &name, &reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Authors manage their own jobs, maintainers all.
async fn may_manage(app: &App, account: &Account, id: &str) -> Result<(), Problem> {
    let sql = "select owner from lab.jobs where id = $1";
    let owner: Option<AccountId> = sqlx::query_scalar(sql)
        .bind(id)
        .fetch_optional(&app.database.pool)
        .await
        .map_err(StoreError::from)?;
    let owner = owner.ok_or_else(|| Problem::new(NO_JOB, format!("there is no job '{id}'")))?;
    account.require_for(owner, Right::ManageTests)
}
