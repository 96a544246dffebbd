//! Endpoints for what belongs to a person: their lists, recovery on another device, export, deletion.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::wire::{Done, Entered, Recovery};
use crate::service::{OwnList, Phrase};
use crate::web::problem::{NO_SESSION, UNKNOWN_PHRASE};
use crate::web::session::{Caller, Token};
use crate::web::state::{App, now};
use crate::web::tokens::{no_session_cookie, session_cookie};
use web::extract::{ApiAnswer, Json, Query};
use web::problem::{Problem, ProblemBody};

/// A recovery phrase.
#[derive(Serialize, ToSchema)]
pub(crate) struct NewPhrase {
    /// Twenty letters and digits, in groups of four. It is not shown again.
    #[schema(example = "0123-4567-89ab-cdef-ghjk")]
    phrase: String,
}

/// One's own lists.
#[derive(Serialize, ToSchema)]
pub(crate) struct Lists {
    /// Newest first, at most 24.
    lists: Vec<OwnList>,
}

/// Which of one's own lists.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct ListsQuery {
    /// Only lists with a smaller number than this: the number of the last one of the page before.
    #[serde(default)]
    pub(crate) before: Option<i64>,
}

/// Returns one's own lists, newest first, with what has become of each.
#[utoipa::path(get, path = "/api/v1/me/lists", tag = "people", params(ListsQuery), responses(
    (status = 200, body = Lists),
    (status = 401, description = "no-session", body = ProblemBody),
))]
pub(crate) async fn lists(
    State(app): State<App>,
    Caller(caller): Caller,
    Query(query): Query<ListsQuery>,
) -> ApiAnswer<Lists> {
    let lists = app.service.lists(caller.id, query.before).await?;
    Ok(Json(Lists { lists }))
}

/// Returns everything that is stored about oneself, as a document of schema
/// `touchstone/crowd-person/1`.
#[utoipa::path(get, path = "/api/v1/me/export", tag = "people", responses(
    (status = 200, description = "the document", content_type = "application/json"),
    (status = 401, description = "no-session", body = ProblemBody),
))]
pub(crate) async fn export(
    State(app): State<App>,
    Caller(caller): Caller,
) -> Result<Response, Problem> {
    attachment(&app, &caller).await
}

/// The export of a contributor, as a file.
pub(crate) async fn attachment(
    app: &App,
    caller: &crate::service::Contributor,
) -> Result<Response, Problem> {
    let export = app.service.export_person(caller.id).await?;
    // Sessions are cached, so that one may outlive its person for a moment.
    let export = export.ok_or_else(|| Problem::new(NO_SESSION, "the person was deleted"))?;
    let headers = [
        (header::CONTENT_TYPE, "application/json"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"crowd-person.json\"",
        ),
    ];
    Ok((headers, export.text()).into_response())
}

/// Makes a new recovery phrase, by which one is known on another device. An earlier one is replaced.
#[utoipa::path(put, path = "/api/v1/me/phrase", tag = "people", responses(
    (status = 200, body = NewPhrase),
    (status = 401, description = "no-session", body = ProblemBody),
))]
pub(crate) async fn phrase(State(app): State<App>, Caller(caller): Caller) -> ApiAnswer<NewPhrase> {
    let phrase = app.service.new_phrase(caller.id).await?.to_string();
    Ok(Json(NewPhrase { phrase }))
}

/// Creates a session of the contributor with a recovery phrase. A session that the browser has is
/// replaced.
#[utoipa::path(post, path = "/api/v1/session/recover", tag = "people", request_body = Recovery, responses(
    (status = 200, description = "the cookie comes with it", body = Entered),
    (status = 400, description = "bad-phrase", body = ProblemBody),
    (status = 404, description = "unknown-phrase", body = ProblemBody),
    (status = 429, description = "too-many-requests", body = ProblemBody),
))]
pub(crate) async fn recover(
    State(app): State<App>,
    Json(recovery): Json<Recovery>,
) -> Result<Response, Problem> {
    let phrase: Phrase = recovery.phrase.parse()?;
    let Some((person, token)) = app.service.recover(&phrase, now()).await? else {
        return Err(Problem::new(UNKNOWN_PHRASE, "nobody has this phrase"));
    };
    app.known.add(token.as_str());
    let cookie = session_cookie(&token, app.settings.https);
    let body = Json(Entered {
        id: person.id,
        name: person.name.map(|name| name.to_string()),
    });
    Ok(([(header::SET_COOKIE, cookie)], body).into_response())
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

/// Deletes oneself, with all lists and points. Published test cases stay: they consist of sums.
#[utoipa::path(delete, path = "/api/v1/me", tag = "people", responses(
    (status = 200, body = Done),
    (status = 401, description = "no-session", body = ProblemBody),
))]
pub(crate) async fn delete(
    State(app): State<App>,
    Caller(caller): Caller,
) -> Result<Response, Problem> {
    app.service.delete_person(caller.id).await?;
    app.has_changed();
    let cookie = no_session_cookie(app.settings.https);
    Ok(([(header::SET_COOKIE, cookie)], Json(Done {})).into_response())
}
