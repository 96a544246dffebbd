//! Endpoints of sessions, and files for everybody.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::wire::{Done, Entered, Entry, read_name};
use crate::model::PlayerName;
use crate::service::{
    ByDifficulty, CaseFormat, Standing, overlooked_csv as write_overlooked, write_cases,
};
use crate::web::answers;
use crate::web::session::{Caller, Token};
use crate::web::state::{App, now};
use crate::web::tokens::{no_session_cookie, session_cookie};
use web::extract::{ApiAnswer, Json, Query};
use web::problem::{Problem, ProblemBody};

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

/// Ends the session of this browser, for good: the cookie is worth nothing any more.
#[utoipa::path(delete, path = "/api/v1/session", tag = "people", responses(
    (status = 200, body = Done),
    (status = 401, description = "no-session", body = ProblemBody),
))]
pub(crate) async fn leave(
    State(app): State<App>,
    _: Caller,
    Token(token): Token,
) -> Result<Response, Problem> {
    app.service.leave(&token).await?;
    let cookie = no_session_cookie(app.settings.https);
    Ok(([(header::SET_COOKIE, cookie)], Json(Done {})).into_response())
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
        CaseFormat::Epd => ("epd", answers::TEXT),
        CaseFormat::Csv => ("csv", answers::CSV),
        CaseFormat::Json => ("json", answers::JSON),
    };
    let mut cases = app.service.test_cases().await?;
    difficulty.apply(&mut cases);
    let name = format!("crowd-cases.{ending}");
    Ok(answers::file(kind, &name, write_cases(&cases, format)))
}

/// What people overlook as CSV: one row per position and move.
#[utoipa::path(get, path = "/api/v1/overlooked.csv", tag = "results", responses(
    (status = 200, description = "CSV with a header line", body = String, content_type = "text/csv"),
))]
pub(crate) async fn overlooked_csv(State(app): State<App>) -> Result<Response, Problem> {
    let overlooked = app.service.overlooked().await?;
    let text = write_overlooked(&overlooked);
    Ok(answers::file(answers::CSV, "crowd-overlooked.csv", text))
}
