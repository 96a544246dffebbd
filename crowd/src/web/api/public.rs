//! Endpoints for contributors (sessions, assignments) and for everybody (leaderboards, test cases).
//!
//! Before a list is finished and its position closed, no answer depends on the rules of chess.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::wire::{
    Acknowledged, BoardQuery, Cases, Done, Ending, Entered, Entry, Events, Renaming, Wanted,
    read_events,
};
use crate::model::{NameError, PlayerName};
use crate::service::{
    Assignment, AssignmentState, BoardPage, ByDifficulty, CaseFormat, ClosedPosition, Finished,
    GivenPosition, OwnResult, Standing, write_cases,
};
use crate::web::language::PageRequest;
use crate::web::problem::{BAD_NAME, EventProblems};
use crate::web::session::{Caller, Own};
use crate::web::state::{App, now};
use crate::web::tokens::session_cookie;
use web::extract::{ApiAnswer, Json, Path, Query};
use web::problem::{NOT_FOUND, Problem, ProblemBody};

/// Creates a session, as a cookie. A browser that has a session keeps it, with its name.
#[utoipa::path(post, path = "/api/v1/session", tag = "contribute", request_body = Entry, responses(
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
#[utoipa::path(get, path = "/api/v1/me", tag = "contribute", responses(
    (status = 200, body = Standing),
    (status = 401, description = "no-session", body = ProblemBody),
))]
pub(crate) async fn me(State(app): State<App>, Caller(contributor): Caller) -> ApiAnswer<Standing> {
    Ok(Json(app.service.standing(contributor.id, now()).await?))
}

/// Changes one's name.
#[utoipa::path(patch, path = "/api/v1/me", tag = "contribute", request_body = Renaming, responses(
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

/// Assigns a position in a mode, or returns the open assignment in that mode.
#[utoipa::path(post, path = "/api/v1/assignments", tag = "contribute", request_body = Wanted, responses(
    (status = 201, description = "a new assignment", body = Assignment),
    (status = 200, description = "the open one again", body = Assignment),
    (status = 404, description = "nothing-left or unknown-campaign", body = ProblemBody),
    (status = 409, description = "too-many-left", body = ProblemBody),
))]
pub(crate) async fn assign(
    State(app): State<App>,
    Caller(caller): Caller,
    Json(wanted): Json<Wanted>,
) -> Result<(StatusCode, Json<Assignment>), Problem> {
    let campaign = wanted.campaign()?;
    let service = &app.service;
    let assignment = service.assign(caller.id, wanted.mode, campaign, now());
    let assignment = assignment.await?;
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
    Own(caller, token): Own,
) -> ApiAnswer<AssignmentState> {
    let state = app.service.assignment(caller, &token, now()).await?;
    Ok(Json(state))
}

/// Records events. Repeated events are stored once; the answer has the number up to which all are
/// stored.
#[utoipa::path(post, path = "/api/v1/assignments/{token}/events", tag = "contribute", request_body = Events,
    params(("token" = String, Path, description = "what the assignment is known by")),
    responses((status = 200, body = Acknowledged), EventProblems))]
pub(crate) async fn record(
    State(app): State<App>,
    Own(caller, token): Own,
    Json(body): Json<Events>,
) -> ApiAnswer<Acknowledged> {
    let events = read_events(body.events)?;
    let service = &app.service;
    let acknowledged = service.record(caller, &token, events, now()).await?;
    Ok(Json(Acknowledged { acknowledged }))
}

/// Records the last events and closes the list for good. Idempotent.
#[utoipa::path(post, path = "/api/v1/assignments/{token}/finish", tag = "contribute", request_body = Ending,
    params(("token" = String, Path, description = "what the assignment is known by")),
    responses((status = 200, body = Finished), EventProblems))]
pub(crate) async fn finish(
    State(app): State<App>,
    Own(caller, token): Own,
    Json(body): Json<Ending>,
) -> ApiAnswer<Finished> {
    let events = read_events(body.events)?;
    let finished = app
        .service
        .finish(caller, &token, events, body.count, now());
    let finished = finished.await?;
    // Upkeep looks at the list within two seconds, instead of a minute.
    app.has_changed();
    Ok(Json(finished))
}

/// Returns a position without an answer.
#[utoipa::path(post, path = "/api/v1/assignments/{token}/skip", tag = "contribute",
    params(("token" = String, Path, description = "what the assignment is known by")),
    responses(
        (status = 200, body = Done),
        (status = 404, description = "unknown-assignment", body = ProblemBody),
        (status = 409, description = "frozen or too-many-left", body = ProblemBody),
        (status = 410, description = "expired", body = ProblemBody),
    ))]
pub(crate) async fn skip(State(app): State<App>, Own(caller, token): Own) -> ApiAnswer<Done> {
    app.service.skip(caller, &token, now()).await?;
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
    Own(caller, token): Own,
) -> ApiAnswer<OwnResult> {
    let mut result = app.service.result(caller, &token).await?;
    if !PageRequest::now().language.is_english() {
        let list = app.service.assignment(caller, &token, now()).await?;
        explain_result(&list.assignment.position, &mut result);
    }
    Ok(Json(result))
}

/// Puts the explanations of a result into the language of the request.
pub(crate) fn explain_result(of: &GivenPosition, result: &mut OwnResult) {
    let OwnResult::Known { missed, wrong, .. } = result else {
        return;
    };
    let language = PageRequest::now().language;
    language.explain_in(&of.fen, missed.iter_mut().chain(wrong));
}

/// Returns a page of the leaderboard of a mode and period, ordered by a lower bound of accuracy.
#[utoipa::path(get, path = "/api/v1/leaderboard", tag = "results", params(BoardQuery), responses(
    (status = 200, body = BoardPage),
    (status = 400, description = "bad-request", body = ProblemBody),
))]
pub(crate) async fn leaderboard(
    State(app): State<App>,
    Query(query): Query<BoardQuery>,
) -> ApiAnswer<BoardPage> {
    let wanted = (query.mode()?, query.period());
    let service = &app.service;
    let page = service.leaderboard(wanted, query.page(), None, now());
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
