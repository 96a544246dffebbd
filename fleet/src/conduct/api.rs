//! The API of tests and repositories, under `/api/1/`; each handler documents its answers.

use axum::body::Body;
use axum::extract::{DefaultBodyLimit, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};
use futures_util::stream;
use queue::Recorded;
use queue::wire::{Discard, Discarded, Reason};
use selfplay::fleet::protocol::{self, JobBody, Message as _, PairBody};
use selfplay::lab::spec::{TestKind, TestSpec};
use selfplay::model::{GameRecord, RunConfig};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use web::extract::{ApiAnswer, Json, Path, Query};
use web::problem::{Problem, ProblemBody};

use super::error::ConductError;
use super::repositories::{self, NewRepository, Repository};
use super::searches;
use super::submit::{self, Test};
use crate::app::LabState;
use crate::people::{SignedIn, audit};
use crate::store::work::Work;

/// The largest test: openings are the most of it.
const BODY_BYTES: usize = 16 << 20;
/// Number of results that are read at once for a download.
const PAGE: u32 = 64;
/// Number of results in an answer: each may have some megabytes.
const MOST_RESULTS: u32 = 256;
/// Number of tests in an answer, unless a number is given.
const LISTED: u32 = 100;

/// All calls.
pub fn router() -> OpenApiRouter<LabState> {
    OpenApiRouter::new()
        .routes(routes!(list, add))
        .routes(routes!(get))
        .routes(routes!(approve))
        .routes(routes!(reject))
        .routes(routes!(stop))
        .routes(routes!(resume))
        .routes(routes!(resubmit))
        .routes(routes!(reschedule))
        .routes(routes!(ledger))
        .routes(routes!(pgn))
        .routes(routes!(run_config))
        .routes(routes!(labels))
        .routes(routes!(results))
        .routes(routes!(discard))
        .routes(routes!(
            list_repositories,
            add_repository,
            change_repository
        ))
        .routes(routes!(approve_repository))
        .layer(DefaultBodyLimit::max(BODY_BYTES))
}

/// A new test.
#[derive(Serialize, ToSchema)]
struct Submitted {
    /// Its name.
    id: String,
    /// Its page.
    url: String,
}

impl Submitted {
    fn new(app: &LabState, id: String) -> Json<Self> {
        let url = format!(
            "{}/tests/{id}",
            app.settings.public_url.trim_end_matches('/')
        );
        Json(Self { id, url })
    }
}

/// Submit a test: `touchstone/lab-test/1`. Fields that are missing come from `preset`, the name of a
/// preset of the repository, if that is given.
#[utoipa::path(post, path = "/api/1/tests", tag = "tests", request_body = TestSpec, responses(
    (status = 201, body = Submitted, description = "it begins, or waits for approval"),
    (status = 401, body = ProblemBody, description = "unauthorized"),
    (status = 404, body = ProblemBody, description = "no-job: there is no such repository"),
    (status = 409, body = ProblemBody, description = "too-many: too many tests of yours are not finished"),
    (status = 422, body = ProblemBody, description = "bad-value: all `faults`, each with its field"),
))]
async fn add(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Json(sent): Json<Map<String, Value>>,
) -> Result<(StatusCode, Json<Submitted>), Problem> {
    let spec = submit::read(&app.database, sent).await?;
    let id = submit::submit(&app.database, &account, &spec).await?;
    Ok((StatusCode::CREATED, Submitted::new(&app, id)))
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Page {
    state: Option<String>,
    #[serde(default)]
    skip: u32,
    limit: Option<u32>,
}

/// Tests, the newest first.
#[utoipa::path(get, path = "/api/1/tests", tag = "tests", params(
    ("state" = Option<String>, Query, description = "of this state only"),
    ("skip" = Option<u32>, Query, description = "without so many"),
    ("limit" = Option<u32>, Query, description = "at most so many, 500 at the most"),
), responses((status = 200, body = Vec<Test>, description = "tests")))]
async fn list(
    State(app): State<LabState>,
    _caller: SignedIn,
    Query(page): Query<Page>,
) -> ApiAnswer<Vec<Test>> {
    let limit = page.limit.unwrap_or(LISTED);
    let tests = submit::list(&app.database, page.state.as_deref(), page.skip, limit).await?;
    Ok(Json(tests))
}

/// A test: what was submitted, and what is known so far.
#[utoipa::path(get, path = "/api/1/tests/{id}", tag = "tests", responses(
    (status = 200, body = Test, description = "the test"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn get(
    State(app): State<LabState>,
    _caller: SignedIn,
    Path(id): Path<String>,
) -> ApiAnswer<Test> {
    Ok(Json(submit::get(&app.database, &id).await?))
}

/// Approve a test, and the one that follows it. Maintainers only.
#[utoipa::path(post, path = "/api/1/tests/{id}/approve", tag = "tests", responses(
    (status = 204, description = "approved"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 404, body = ProblemBody, description = "no-job"),
    (status = 409, body = ProblemBody, description = "it does not wait for approval"),
))]
async fn approve(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    submit::approve(&app.database, &account, &id).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// A reason, for people.
#[derive(ToSchema)]
#[expect(dead_code, reason = "describes queue::wire::Reason")]
struct ReasonBody {
    /// The text.
    reason: String,
}

/// Reject a test, and the one that follows it. Maintainers only.
#[utoipa::path(post, path = "/api/1/tests/{id}/reject", tag = "tests", request_body = ReasonBody, responses(
    (status = 204, description = "rejected"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 409, body = ProblemBody, description = "it does not wait for approval"),
))]
async fn reject(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
    Json(Reason { reason }): Json<Reason>,
) -> Result<StatusCode, Problem> {
    submit::reject(&app.database, &account, &id, &reason).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Stop a test, and the one that follows it: one's own; for maintainers, any.
#[utoipa::path(post, path = "/api/1/tests/{id}/stop", tag = "tests", request_body = ReasonBody, responses(
    (status = 204, description = "stopped"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 409, body = ProblemBody, description = "it is finished"),
))]
async fn stop(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
    Json(Reason { reason }): Json<Reason>,
) -> Result<StatusCode, Problem> {
    submit::stop(&app.database, &account, &id, &reason).await?;
    // Otherwise this server leases from the list that it has until it next reads all jobs.
    app.work.jobs_changed();
    Ok(StatusCode::NO_CONTENT)
}

/// Let a flagged test go on: workers that could not do it may try again, and a decision that workers disagree about stands.
/// Maintainers only.
#[utoipa::path(post, path = "/api/1/tests/{id}/resume", tag = "tests", responses(
    (status = 204, description = "it goes on"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 409, body = ProblemBody, description = "it is not flagged"),
))]
async fn resume(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
) -> Result<StatusCode, Problem> {
    submit::resume(&app.database, &account, &id).await?;
    app.work.jobs_changed();
    Ok(StatusCode::NO_CONTENT)
}

/// Submit a copy of a test, with the same commits.
#[utoipa::path(post, path = "/api/1/tests/{id}/resubmit", tag = "tests", responses(
    (status = 201, body = Submitted, description = "it begins, or waits for approval"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn resubmit(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
) -> Result<(StatusCode, Json<Submitted>), Problem> {
    let id = submit::resubmit(&app.database, &account, &id).await?;
    Ok((StatusCode::CREATED, Submitted::new(&app, id)))
}

/// When a test has its turn.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Turn {
    /// Tests of higher priority come first; -100 to 100.
    pub(crate) priority: i32,
    /// The share among running tests of the same priority, relative to 1.
    pub(crate) weight: f32,
}

/// Change priority and share of a test. Maintainers only.
#[utoipa::path(post, path = "/api/1/tests/{id}/schedule", tag = "tests", request_body = Turn, responses(
    (status = 204, description = "changed"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 409, body = ProblemBody, description = "it is finished"),
))]
async fn reschedule(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
    Json(turn): Json<Turn>,
) -> Result<StatusCode, Problem> {
    let turn = (turn.priority, turn.weight);
    submit::reschedule(&app.database, &account, &id, turn).await?;
    app.work.jobs_changed();
    Ok(StatusCode::NO_CONTENT)
}

/// The configuration of a test of games, `touchstone/run/1`, as workers have it.
#[utoipa::path(get, path = "/api/1/tests/{id}/config", tag = "tests", responses(
    (status = 200, body = Object, description = "the configuration"),
    (status = 404, body = ProblemBody, description = "no-job: there is none, or it is not prepared"),
))]
async fn run_config(
    State(app): State<LabState>,
    _caller: SignedIn,
    Path(id): Path<String>,
) -> ApiAnswer<RunConfig> {
    Ok(Json(config_of(&app, &id).await?))
}

/// All games of a test as lines of JSON, as in the ledger of a run, in the order in which they came
/// in.
#[utoipa::path(get, path = "/api/1/tests/{id}/ledger", tag = "tests", responses(
    (status = 200, content_type = "application/x-ndjson", body = String, description = "games"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn ledger(
    State(app): State<LabState>,
    _caller: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    // A test without games is rejected here: once a download has begun, its status cannot change.
    config_of(&app, &id).await?;
    let line = |record: &GameRecord| {
        let text = serde_json::to_string(record).map_err(|error| error.to_string())?;
        Ok(text + "\n")
    };
    Ok(download(&app, id, "jsonl", "application/x-ndjson", line))
}

/// All games of a test in PGN, in the order in which they came in.
#[utoipa::path(get, path = "/api/1/tests/{id}/pgn", tag = "tests", responses(
    (status = 200, content_type = "application/vnd.chess-pgn", body = String, description = "games"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn pgn(
    State(app): State<LabState>,
    _caller: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let config = config_of(&app, &id).await?;
    let game = move |record: &GameRecord| {
        selfplay::ledger::pgn_game(&config, record).map_err(|error| error.to_string())
    };
    Ok(download(&app, id, "pgn", "application/vnd.chess-pgn", game))
}

/// The positions of a test of the kind `label` that have a score, as EPD: `ce` has it in centipawns
/// from the view of the side to move.
#[utoipa::path(get, path = "/api/1/tests/{id}/labels", tag = "tests", responses(
    (status = 200, content_type = "application/x-chess-epd", body = String, description = "positions"),
    (status = 404, body = ProblemBody, description = "no-job: there is none of this kind"),
))]
async fn labels(
    State(app): State<LabState>,
    _caller: SignedIn,
    Path(id): Path<String>,
) -> Result<Response, Problem> {
    let spec = submit::get(&app.database, &id).await?.spec;
    if !matches!(spec.kind, TestKind::Label { .. }) {
        return Err(ConductError::NoTest(id).into());
    }
    let text = searches::labels(&app.work, &id, spec).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-epd".to_owned()),
        (
            header::CONTENT_DISPOSITION,
            format!("attachment; filename=\"{id}.epd\""),
        ),
    ];
    Ok((headers, text).into_response())
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct ResultsPage {
    #[serde(default)]
    after: u64,
    limit: Option<u32>,
}

/// Results of a test as workers sent them, in the order in which they were recorded.
#[utoipa::path(get, path = "/api/1/tests/{id}/results", tag = "tests", params(
    ("after" = Option<u64>, Query, description = "with larger numbers only"),
    ("limit" = Option<u32>, Query, description = "at most so many, 256 at the most"),
), responses(
    (status = 200, body = Vec<Recorded>, description = "results"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn results(
    State(app): State<LabState>,
    _caller: SignedIn,
    Path(id): Path<String>,
    Query(page): Query<ResultsPage>,
) -> ApiAnswer<Vec<Recorded>> {
    let limit = page.limit.unwrap_or(MOST_RESULTS).min(MOST_RESULTS);
    let test = submit::get(&app.database, &id).await?;
    Ok(Json(app.work.results(&test.id, page.after, limit).await?))
}

/// Discard the results of a worker; those units are done again.
#[utoipa::path(post, path = "/api/1/tests/{id}/discard", tag = "tests", request_body = Discard, responses(
    (status = 200, body = Discarded, description = "done"),
    (status = 403, body = ProblemBody, description = "forbidden: the test is another author's"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn discard(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(id): Path<String>,
    Json(Discard { worker }): Json<Discard>,
) -> ApiAnswer<Discarded> {
    submit::may_manage(&app.database, &account, &id).await?;
    let results = app.work.discard(&id, &worker).await?;
    let detail = format!("{results} of {worker}");
    let pool = &app.database.pool;
    audit(pool, Some(account.id), "discard results", &id, &detail).await?;
    Ok(Json(Discarded { results }))
}

/// The configuration of a test of games.
///
/// # Errors
/// There is no such test, or it is not prepared.
pub(crate) async fn config_of(app: &LabState, id: &str) -> Result<RunConfig, ConductError> {
    // A test that is not prepared has the kind of its specification, and no body.
    let sql = "select body from lab.jobs where id = $1 and kind = any($2)";
    let body: Option<Option<String>> = sqlx::query_scalar(sql)
        .bind(id)
        .bind([protocol::KIND, protocol::TUNE_KIND])
        .fetch_optional(&app.database.pool)
        .await?;
    let body = body.flatten();
    let body = body.ok_or_else(|| ConductError::NoTest(id.to_owned()))?;
    let body = JobBody::from_text(&body).map_err(ConductError::prepare)?;
    Ok(body.config)
}

/// Games as they are read from the database, page by page: a client that reads slowly waits for
/// them, not the other way round.
fn download(
    app: &LabState,
    id: String,
    ending: &str,
    kind: &'static str,
    write: impl Fn(&GameRecord) -> Result<String, String> + Send + Sync + 'static,
) -> Response {
    let name = format!("attachment; filename=\"{id}.{ending}\"");
    let begin = Some((app.work.clone(), id, 0));
    let write = std::sync::Arc::new(write);
    let pages = stream::unfold(begin, move |state| {
        let write = std::sync::Arc::clone(&write);
        async move {
            let (work, id, after) = state?;
            match page(&work, &id, after, &*write).await {
                Ok(Some((text, last))) => Some((Ok(text), Some((work, id, last)))),
                Ok(None) => None,
                // The download breaks off, so that nobody takes a part of the games for all of them.
                Err(error) => {
                    tracing::warn!("the games of {id}: {error}");
                    Some((Err(std::io::Error::other(error)), None))
                }
            }
        }
    });
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    (headers, Body::from_stream(pages)).into_response()
}

/// The games of the next page, and the number of its last result; nothing at the end.
async fn page(
    work: &Work,
    id: &str,
    after: u64,
    write: &(dyn Fn(&GameRecord) -> Result<String, String> + Send + Sync),
) -> Result<Option<(String, u64)>, String> {
    let page = work.results(id, after, PAGE).await;
    let page = page.map_err(|error| error.to_string())?;
    let Some(last) = page.last().map(|result| result.number) else {
        return Ok(None);
    };
    let mut text = String::new();
    for result in page {
        let pair = PairBody::from_text(&result.value).map_err(|error| error.to_string())?;
        for record in pair.into_records(&result.worker) {
            text += &write(&record)?;
        }
    }
    Ok(Some((text, last)))
}

/// Registered repositories.
#[utoipa::path(get, path = "/api/1/repositories", tag = "repositories", responses(
    (status = 200, body = Vec<Repository>, description = "repositories, by name"),
))]
async fn list_repositories(
    State(app): State<LabState>,
    _caller: SignedIn,
) -> ApiAnswer<Vec<Repository>> {
    Ok(Json(repositories::list(&app.database).await?))
}

/// Register a repository. A maintainer approves it before workers build its engines.
#[utoipa::path(post, path = "/api/1/repositories", tag = "repositories", request_body = NewRepository, responses(
    (status = 201, description = "registered"),
    (status = 409, body = ProblemBody, description = "name-taken"),
    (status = 422, body = ProblemBody, description = "bad-value"),
))]
async fn add_repository(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Json(new): Json<NewRepository>,
) -> Result<StatusCode, Problem> {
    repositories::add(&app.database, &account, &new).await?;
    Ok(StatusCode::CREATED)
}

/// Change the address, the build and the presets of a repository. Maintainers only.
#[utoipa::path(put, path = "/api/1/repositories", tag = "repositories", request_body = NewRepository, responses(
    (status = 204, description = "changed"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 422, body = ProblemBody, description = "bad-value"),
))]
async fn change_repository(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Json(new): Json<NewRepository>,
) -> Result<StatusCode, Problem> {
    repositories::change(&app.database, &account, &new).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Approve a repository. Maintainers only.
#[utoipa::path(post, path = "/api/1/repositories/{name}/approve", tag = "repositories", responses(
    (status = 204, description = "approved"),
    (status = 403, body = ProblemBody, description = "forbidden"),
    (status = 404, body = ProblemBody, description = "no-job"),
))]
async fn approve_repository(
    State(app): State<LabState>,
    SignedIn(account): SignedIn,
    Path(name): Path<String>,
) -> Result<StatusCode, Problem> {
    repositories::approve(&app.database, &account, &name).await?;
    Ok(StatusCode::NO_CONTENT)
}
