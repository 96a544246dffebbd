//! What people's programs call: they bring jobs, follow them and read the results.

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::StatusCode;
use axum::routing::{get, post};
use queue::wire::{Discard, Discarded, Reason};
use queue::{Alarm, Chunk, Job, JobState, Progress, Put, Recorded, WorkerState};
use serde::Deserialize;
use web::{Json, Path, Problem, Query};

use super::lines::Lines;
use super::problem_of;
use crate::app::App;
use crate::model::{Account, Role, Stage};
use crate::people::SignedIn;
use crate::store::work::PutOptions;

/// The largest job: some ten million units.
const JOB_BYTES: usize = 4 << 30;
/// The most results of one answer.
const MOST_RESULTS: u32 = 10_000;
/// Units that are written in one statement.
const UNITS_AT_ONCE: usize = 2_000;

pub(super) fn router() -> Router<App> {
    let put = post(put).layer(DefaultBodyLimit::max(JOB_BYTES));
    Router::new()
        .route("/api/1/jobs", put.get(list))
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
) -> Result<Json<Put>, Problem> {
    let mut lines = Lines::of(body);
    let job: Option<Job> = lines.next().await?;
    let job = job.ok_or_else(|| bad("the body is empty, expected a job"))?;
    let options = PutOptions {
        stage: first_stage(&account, &job.kind),
        ..PutOptions::default()
    };
    let begun = app.work.begin_put(account.id, &job, options).await;
    let mut putting = begun.map_err(problem_of)?;
    let (mut pending, mut units) = (Vec::new(), 0);
    while let Some(chunk) = lines.next::<Chunk>().await? {
        units += chunk.units.len();
        pending.push(chunk);
        if units >= UNITS_AT_ONCE {
            let full = std::mem::take(&mut pending);
            putting.add(full).await.map_err(problem_of)?;
            units = 0;
        }
    }
    putting.add(pending).await.map_err(problem_of)?;
    putting.finish().await.map(Json).map_err(problem_of)
}

/// Counting moves runs nobody's program; whatever names a program waits for a maintainer.
fn first_stage(account: &Account, kind: &str) -> Stage {
    if account.role >= Role::Maintainer || kind.starts_with("perft-") {
        Stage::Running
    } else {
        Stage::Pending
    }
}

async fn list(
    State(app): State<App>,
    SignedIn(_): SignedIn,
) -> Result<Json<Vec<JobState>>, Problem> {
    app.work.jobs().await.map(Json).map_err(problem_of)
}

async fn progress(
    State(app): State<App>,
    SignedIn(_): SignedIn,
    Path(id): Path<String>,
) -> Result<Json<Progress>, Problem> {
    app.work.progress(&id).await.map(Json).map_err(problem_of)
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
) -> Result<Json<Vec<Recorded>>, Problem> {
    let limit = page.limit.unwrap_or(MOST_RESULTS).min(MOST_RESULTS);
    let results = app.work.results(&id, page.after, limit).await;
    results.map(Json).map_err(problem_of)
}

async fn alarms(
    State(app): State<App>,
    SignedIn(_): SignedIn,
    Path(id): Path<String>,
) -> Result<Json<Vec<Alarm>>, Problem> {
    app.work.alarms(&id).await.map(Json).map_err(problem_of)
}

/// Which share of a job's results was verified, and what that means.
async fn verification(
    State(app): State<App>,
    SignedIn(_): SignedIn,
    Path(id): Path<String>,
) -> Result<Json<Verification>, Problem> {
    app.work
        .verification(&id)
        .await
        .map(Json)
        .map_err(problem_of)
}

async fn stop(
    State(app): State<App>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
    Json(Reason { reason }): Json<Reason>,
) -> Result<StatusCode, Problem> {
    may_change(&app, &account, &id).await?;
    app.work.stop(&id, &reason).await.map_err(problem_of)?;
    audit(&app.database, Some(account.id), "stop job", &id, &reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

async fn discard(
    State(app): State<App>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
    Json(Discard { worker }): Json<Discard>,
) -> Result<Json<Discarded>, Problem> {
    may_change(&app, &account, &id).await?;
    let results = app.work.discard(&id, &worker).await.map_err(problem_of)?;
    let detail = format!("{results} results of {worker}");
    audit(&app.database, Some(account.id), "discard results", &id, &detail).await?;
    Ok(Json(Discarded { results }))
}

async fn workers(
    State(app): State<App>,
    SignedIn(_): SignedIn,
) -> Result<Json<Vec<WorkerState>>, Problem> {
    app.work.workers().await.map(Json).map_err(problem_of)
}

async fn quarantine(
    State(app): State<App>,
    SignedIn(account): SignedIn,
    Path(name): Path<String>,
    Json(Reason { reason }): Json<Reason>,
) -> Result<StatusCode, Problem> {
    if account.role < Role::Maintainer {
        return Err(forbidden("only maintainers quarantine workers"));
    }
    app.work.quarantine(&name, &reason).await.map_err(problem_of)?;
    audit(&app.database, Some(account.id), "quarantine worker", &name, &reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Authors change their own jobs, maintainers all.
async fn may_change(app: &App, account: &Account, id: &str) -> Result<(), Problem> {
    if account.role >= Role::Maintainer {
        return Ok(());
    }
    let sql = "select owner from lab.jobs where id = $1";
    let owner: Option<i32> = sqlx::query_scalar(sql)
        .bind(id)
        .fetch_optional(&app.database.pool)
        .await
        .map_err(|error| problem_of(WorkError::Store(error.into())))?;
    match owner {
        None => Err(problem_of(WorkError::NoJob)),
        Some(owner) if owner == account.id.0 => Ok(()),
        Some(_) => Err(forbidden("the job is another author's")),
    }
}
