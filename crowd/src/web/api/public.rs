//! Endpoints of sessions, and those for everybody: leaderboards, test cases, positions whose answer is public.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::wire::{BoardQuery, Cases, Done, Entered, Entry, Renaming};
use crate::model::{NameError, PlayerName};
use crate::service::{BoardPage, ByDifficulty, CaseFormat, ClosedPosition, Standing, write_cases};
use crate::web::problem::BAD_NAME;
use crate::web::session::Caller;
use crate::web::state::{App, now};
use crate::web::tokens::session_cookie;
use web::extract::{ApiAnswer, Json, Path, Query};
use web::problem::{NOT_FOUND, Problem, ProblemBody};

/// Creates a session, as a cookie. A browser that has a session keeps it, with its name.
#[utoipa::path(post, path = "/api/v1/session", tag = "people", request_body = Entry, responses(
    (status = 201, description = "a new contributor; the cookie comes with it", body = Entered),
    (status = 200, description = "there is a session already", body = Entered),
    (status = 400, description = "bad-name", body = ProblemBody),
    (status = 409, description = "name-taken", body = ProblemBody),
))]
pub(crate) async fn enter(
    State(app): State<App>,
    caller: Option<Caller>,
    Json(entry): Json<Entry>,
) -> Result<Response, Problem> {
    let entered = |id, name: Option<PlayerName>| {
        let name = name.map(|name| name.to_string());
        Json(Entered { id, name })
    };
    if let Some(Caller(contributor)) = caller {
        return Ok(entered(contributor.id, contributor.name).into_response());
    }
    let name = entry.name.as_deref().map(read_name).transpose()?;
    let (id, token) = app.service.enter(name.clone(), now()).await?;
    app.known.add(token.as_str());
    let cookie = session_cookie(&token, app.settings.https);
    let body = entered(id, name);
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], body).into_response())
}

/// Returns one's standing: name, points, lists, streak.
#[utoipa::path(get, path = "/api/v1/me", tag = "people", responses(
    (status = 200, body = Standing),
    (status = 401, description = "no-session", body = ProblemBody),
))]
pub(crate) async fn me(State(app): State<App>, Caller(contributor): Caller) -> ApiAnswer<Standing> {
    Ok(Json(app.service.standing(contributor.id, now()).await?))
}

/// Changes one's name.
#[utoipa::path(patch, path = "/api/v1/me", tag = "people", request_body = Renaming, responses(
    (status = 200, description = "it is taken", body = Done),
    (status = 400, description = "bad-name", body = ProblemBody),
    (status = 401, description = "no-session", body = ProblemBody),
    (status = 409, description = "name-taken", body = ProblemBody),
))]
pub(crate) async fn rename(
    State(app): State<App>,
    Caller(contributor): Caller,
    Json(renaming): Json<Renaming>,
) -> ApiAnswer<Done> {
    let name = read_name(&renaming.name)?;
    app.service.rename(contributor.id, Some(name)).await?;
    Ok(Json(Done {}))
}

pub(crate) fn read_name(text: &str) -> Result<PlayerName, Problem> {
    text.parse()
        .map_err(|error: NameError| Problem::new(BAD_NAME, error.to_string()))
}

/// Returns a page of the leaderboard of a period, ordered by a lower bound of accuracy.
#[utoipa::path(get, path = "/api/v1/leaderboard", tag = "results", params(BoardQuery), responses(
    (status = 200, body = BoardPage),
    (status = 400, description = "bad-request", body = ProblemBody),
))]
pub(crate) async fn leaderboard(
    State(app): State<App>,
    Query(query): Query<BoardQuery>,
) -> ApiAnswer<BoardPage> {
    let service = &app.service;
    let page = service.leaderboard(query.period(), query.page(), None, now());
    Ok(Json(page.await?))
}

/// Returns every test case: positions on which the crowd and the generator agree.
#[utoipa::path(get, path = "/api/v1/cases", tag = "results", responses((status = 200, body = Cases)))]
pub(crate) async fn cases(State(app): State<App>) -> ApiAnswer<Cases> {
    let cases = app.service.test_cases().await?;
    Ok(Json(Cases { cases }))
}

/// Returns a position whose answer is public: retired, a test case, or gold that the caller has
/// finished.
#[utoipa::path(get, path = "/api/v1/positions/{id}", tag = "results",
    params(("id" = i64, Path, description = "the number of the position")),
    responses(
        (status = 200, body = ClosedPosition),
        (status = 404, description = "not-found: no such position, or it is still open", body = ProblemBody),
    ))]
pub(crate) async fn position(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(id): Path<i64>,
) -> ApiAnswer<ClosedPosition> {
    Ok(Json(closed_position(&app, caller, id).await?))
}

/// The position with this number, if its answer is visible to the caller.
pub(crate) async fn closed_position(
    app: &App,
    caller: Option<Caller>,
    id: i64,
) -> Result<ClosedPosition, Problem> {
    let viewer = caller.map(|Caller(caller)| caller.id);
    let position = app.service.position_page(id, viewer).await?;
    position.ok_or_else(|| {
        // The answer is the same for both, so that nobody learns which positions are open.
        let detail = "there is no such position, or people still list its moves";
        Problem::new(NOT_FOUND, detail)
    })
}

/// Test cases as EPD: one record per line, with `id`, `D1`, the moves, their provenance, and how much of it people
/// overlook.
#[utoipa::path(get, path = "/api/v1/cases.epd", tag = "results", params(ByDifficulty), responses(
    (status = 200, description = "EPD", body = String, content_type = "text/plain"),
    (status = 400, description = "bad-request", body = ProblemBody),
))]
pub(crate) async fn cases_epd(
    State(app): State<App>,
    Query(difficulty): Query<ByDifficulty>,
) -> Result<Response, Problem> {
    file(&app, difficulty, CaseFormat::Epd).await
}

/// Test cases as CSV: one row per move.
#[utoipa::path(get, path = "/api/v1/cases.csv", tag = "results", params(ByDifficulty), responses(
    (status = 200, description = "CSV with a header line", body = String, content_type = "text/csv"),
    (status = 400, description = "bad-request", body = ProblemBody),
))]
pub(crate) async fn cases_csv(
    State(app): State<App>,
    Query(difficulty): Query<ByDifficulty>,
) -> Result<Response, Problem> {
    file(&app, difficulty, CaseFormat::Csv).await
}

/// Test cases as a JSON document that names its schema, as written by `crowd export`.
#[utoipa::path(get, path = "/api/v1/cases.json", tag = "results", params(ByDifficulty), responses(
    (status = 200, description = "a document of schema touchstone/crowd-cases/1", content_type = "application/json"),
    (status = 400, description = "bad-request", body = ProblemBody),
))]
pub(crate) async fn cases_json(
    State(app): State<App>,
    Query(difficulty): Query<ByDifficulty>,
) -> Result<Response, Problem> {
    file(&app, difficulty, CaseFormat::Json).await
}

async fn file(
    app: &App,
    difficulty: ByDifficulty,
    format: CaseFormat,
) -> Result<Response, Problem> {
    let (ending, kind) = match format {
        CaseFormat::Epd => ("epd", "text/plain; charset=utf-8"),
        CaseFormat::Csv => ("csv", "text/csv; charset=utf-8"),
        CaseFormat::Json => ("json", "application/json"),
    };
    let mut cases = app.service.test_cases().await?;
    difficulty.apply(&mut cases);
    let name = format!("attachment; filename=\"crowd-cases.{ending}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, write_cases(&cases, format)).into_response())
}
