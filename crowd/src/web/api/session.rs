//! `/api/v1/session` and `/api/v1/me`: sessions, and one's own name and points.

use axum::extract::State;
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse as _, Response};

use super::wire::{Done, Entered, Entry, Renaming};
use crate::clock;
use crate::model::PlayerName;
use crate::service::{Contributor, Standing};
use crate::web::cookies::session_cookie;
use crate::web::extract::Json;
use crate::web::problem::{BAD_NAME, Problem, ProblemBody};
use crate::web::session::Caller;
use crate::web::state::App;

/// Creates a session, as a cookie. A browser that has a session keeps it, with its name.
#[utoipa::path(post, path = "/api/v1/session", tag = "contribute", request_body = Entry, responses(
    (status = 201, description = "a new contributor; the cookie comes with it", body = Entered),
    (status = 200, description = "there is a session already", body = Entered),
    (status = 400, description = "bad-name", body = ProblemBody),
))]
pub(crate) async fn enter(
    State(app): State<App>,
    caller: Option<Caller>,
    Json(entry): Json<Entry>,
) -> Result<Response, Problem> {
    if let Some(Caller(contributor)) = caller {
        return Ok(Json(entered(contributor)).into_response());
    }
    let name = entry.name.as_deref().map(read_name).transpose()?;
    let (id, token) = app.service.enter(name.clone(), clock::now()).await?;
    app.known.add(&token);
    let cookie = session_cookie(&token, app.settings.https);
    let name = name.map(|name| name.to_string());
    let body = Json(Entered { id, name });
    Ok((StatusCode::CREATED, [(header::SET_COOKIE, cookie)], body).into_response())
}

/// Returns one's standing: name, points, lists, streak.
#[utoipa::path(get, path = "/api/v1/me", tag = "contribute", responses(
    (status = 200, body = Standing),
    (status = 401, description = "no-session", body = ProblemBody),
))]
pub(crate) async fn me(
    State(app): State<App>,
    Caller(contributor): Caller,
) -> Result<Json<Standing>, Problem> {
    let standing = app.service.standing(contributor.id, clock::now()).await?;
    Ok(Json(standing))
}

/// Changes one's name.
#[utoipa::path(patch, path = "/api/v1/me", tag = "contribute", request_body = Renaming, responses(
    (status = 200, description = "it is taken", body = Done),
    (status = 400, description = "bad-name", body = ProblemBody),
    (status = 401, description = "no-session", body = ProblemBody),
))]
pub(crate) async fn rename(
    State(app): State<App>,
    Caller(contributor): Caller,
    Json(renaming): Json<Renaming>,
) -> Result<Json<Done>, Problem> {
    let name = read_name(&renaming.name)?;
    app.service.rename(contributor.id, name).await?;
    Ok(Json(Done {}))
}

fn entered(contributor: Contributor) -> Entered {
    Entered {
        id: contributor.id,
        name: contributor.name.map(|name| name.to_string()),
    }
}

fn read_name(text: &str) -> Result<PlayerName, Problem> {
    let name: Result<PlayerName, _> = text.parse();
    name.map_err(|error| Problem::new(BAD_NAME, error.to_string()))
}
