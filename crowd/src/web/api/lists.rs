//! Endpoints of lists: beginning one, its moves, its end and its result.
//!
//! Before a list is finished and its answer shown, no answer depends on the rules of chess.

use axum::extract::State;
use axum::http::StatusCode;

use super::wire::{Acknowledged, Done, Ending, Events, ListWish, read_events};
use crate::service::{List, ListResult};
use crate::web::language::PageRequest;
use crate::web::problem::EventProblems;
use crate::web::session::{Caller, Own, Sender, of_code};
use crate::web::state::{App, now};
use web::extract::{ApiAnswer, Json};
use web::problem::{Problem, ProblemBody};

/// Begins a list, or returns the one for the same that was begun before.
#[utoipa::path(post, path = "/api/v1/lists", tag = "lists", request_body = ListWish, responses(
    (status = 201, description = "a new list", body = List),
    (status = 200, description = "it was begun before", body = List),
    (status = 401, description = "no-session", body = ProblemBody),
    (status = 404, description = "nothing-left, unknown-campaign or no-class", body = ProblemBody),
    (status = 409, description = "too-many-left or class-finished", body = ProblemBody),
))]
pub(crate) async fn begin(
    State(app): State<App>,
    Caller(caller): Caller,
    sender: Sender,
    Json(wish): Json<ListWish>,
) -> Result<(StatusCode, Json<List>), Problem> {
    let code = wish.code()?;
    let wanted = wish.wanted(code.as_ref())?;
    let begin = async { Ok(app.service.begin(caller.id, wanted, now()).await?) };
    let list = match code {
        Some(_) => of_code(&app, sender, begin).await?,
        None => begin.await?,
    };
    let status = if list.again {
        StatusCode::OK
    } else {
        StatusCode::CREATED
    };
    Ok((status, Json(list)))
}

/// Returns one's own list, with all its events.
#[utoipa::path(get, path = "/api/v1/lists/{token}", tag = "lists",
    params(("token" = String, Path, description = "what the list is known by")),
    responses(
        (status = 200, body = List),
        (status = 404, description = "unknown-list", body = ProblemBody),
    ))]
pub(crate) async fn list(State(app): State<App>, Own(caller, token): Own) -> ApiAnswer<List> {
    Ok(Json(app.service.list(caller, &token, now()).await?))
}

/// Records events. Repeated events are stored once; the answer has the number up to which all are
/// stored.
#[utoipa::path(post, path = "/api/v1/lists/{token}/events", tag = "lists", request_body = Events,
    params(("token" = String, Path, description = "what the list is known by")),
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

/// Records the last events, closes the list for good, and returns its result. Idempotent.
#[utoipa::path(post, path = "/api/v1/lists/{token}/finish", tag = "lists", request_body = Ending,
    params(("token" = String, Path, description = "what the list is known by")),
    responses((status = 200, body = ListResult), EventProblems))]
pub(crate) async fn finish(
    State(app): State<App>,
    Own(caller, token): Own,
    Json(body): Json<Ending>,
) -> ApiAnswer<ListResult> {
    let events = read_events(body.events)?;
    let service = &app.service;
    let finished = service.finish(caller, &token, events, body.count, now());
    let result = finished.await?;
    // Upkeep looks at the list within two seconds, instead of a minute.
    app.has_changed();
    Ok(Json(explained(result)))
}

/// Returns a position without an answer.
#[utoipa::path(post, path = "/api/v1/lists/{token}/skip", tag = "lists",
    params(("token" = String, Path, description = "what the list is known by")),
    responses(
        (status = 200, body = Done),
        (status = 404, description = "unknown-list", body = ProblemBody),
        (status = 409, description = "frozen or too-many-left", body = ProblemBody),
        (status = 410, description = "expired", body = ProblemBody),
    ))]
pub(crate) async fn skip(State(app): State<App>, Own(caller, token): Own) -> ApiAnswer<Done> {
    app.service.skip(caller, &token, now()).await?;
    Ok(Json(Done {}))
}

/// Returns the result of one's own list: what was right once its answer is known, which is at once for gold, for the
/// board of the day and for most classes, and otherwise when the position is closed.
#[utoipa::path(get, path = "/api/v1/lists/{token}/result", tag = "lists",
    params(("token" = String, Path, description = "what the list is known by")),
    responses(
        (status = 200, body = ListResult),
        (status = 404, description = "unknown-list", body = ProblemBody),
    ))]
pub(crate) async fn result(
    State(app): State<App>,
    Own(caller, token): Own,
) -> ApiAnswer<ListResult> {
    let result = app.service.result(caller, &token, now()).await?;
    Ok(Json(explained(result)))
}

/// Notes that the result of a finished list was shown, so that it is not shown again by itself.
#[utoipa::path(put, path = "/api/v1/lists/{token}/seen", tag = "lists",
    params(("token" = String, Path, description = "what the list is known by")),
    responses(
        (status = 200, body = Done),
        (status = 404, description = "unknown-list", body = ProblemBody),
    ))]
pub(crate) async fn seen(State(app): State<App>, Own(caller, token): Own) -> ApiAnswer<Done> {
    app.service.seen(caller, &token).await?;
    Ok(Json(Done {}))
}

/// The result with its explanations in the language of the request.
pub(crate) fn explained(mut result: ListResult) -> ListResult {
    if let Some(score) = &mut result.score {
        let moves = score.missed.iter_mut().chain(&mut score.wrong);
        let language = PageRequest::now().language;
        language.explain_in(&result.position.fen, moves.map(|one| &mut one.shown));
    }
    result
}
