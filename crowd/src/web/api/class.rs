//! Endpoints for the students of a class; its lists are begun as all others. A teacher needs no endpoint: the pages work
//! without scripts.

use axum::extract::State;
use axum::http::StatusCode;
use web::extract::{ApiAnswer, Json, Path};
use web::problem::{Problem, ProblemBody};

use super::wire::{ClassJoining, Done, read_code};
use crate::service::StudentState;
use crate::web::session::{Caller, Sender, of_code};
use crate::web::state::{App, now};

/// Joins a class under a name that nobody there has.
#[utoipa::path(post, path = "/api/v1/classes/{code}/students", tag = "class", request_body = ClassJoining,
    params(("code" = String, Path, description = "the code of the class")),
    responses(
        (status = 201, body = Done),
        (status = 400, description = "bad-name", body = ProblemBody),
        (status = 401, description = "no-session", body = ProblemBody),
        (status = 404, description = "no-class", body = ProblemBody),
        (status = 409, description = "nickname-taken or class-full", body = ProblemBody),
    ))]
pub(crate) async fn join(
    State(app): State<App>,
    Caller(caller): Caller,
    sender: Sender,
    Path(code): Path<String>,
    Json(joining): Json<ClassJoining>,
) -> Result<(StatusCode, Json<Done>), Problem> {
    let (code, name) = (read_code(&code)?, joining.name()?);
    of_code(&app, sender, async {
        let service = &app.service;
        service.join_class(caller.id, &code, &name, now()).await?;
        Ok((StatusCode::CREATED, Json(Done {})))
    })
    .await
}

/// Returns the caller's progress in a class.
#[utoipa::path(get, path = "/api/v1/classes/{code}/me", tag = "class",
    params(("code" = String, Path, description = "the code of the class")),
    responses(
        (status = 200, body = StudentState),
        (status = 401, description = "no-session", body = ProblemBody),
        (status = 404, description = "no-class", body = ProblemBody),
        (status = 409, description = "not-joined", body = ProblemBody),
    ))]
pub(crate) async fn me(
    State(app): State<App>,
    Caller(caller): Caller,
    sender: Sender,
    Path(code): Path<String>,
) -> ApiAnswer<StudentState> {
    let code = read_code(&code)?;
    of_code(&app, sender, async {
        Ok(Json(app.service.student_state(caller.id, &code).await?))
    })
    .await
}
