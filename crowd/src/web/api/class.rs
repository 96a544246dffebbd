//! Endpoints for the students of a class, and for quizzes. Which moves are legal is first in the answer to a finished
//! list. A teacher needs no endpoint: the pages work without scripts.

use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use serde::{Deserialize, Serialize};
use utoipa::ToSchema;
use web::cookies::bearer;
use web::extract::{ApiAnswer, Json, Path, Query};
use web::problem::{NOT_FOUND, Problem, ProblemBody};

use super::daily::{explain, read_moves};
use crate::class::{ClassCode, QUIZ_POSITIONS, Theme, draw};
use crate::model::{MoveText, NameError, PlayerName, Side};
use crate::service::{ClassError, ClassGiven, ClassResult, ClassToken, StudentState};
use crate::web::problem::BAD_NAME;
use crate::web::state::{App, now};

/// A request to join a class.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClassJoining {
    /// A name of up to 32 characters, which the teacher sees.
    name: String,
}

/// A student of a class.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClassJoined {
    /// The secret by which the student is known: `Authorization: Bearer` with it.
    token: String,
}

/// A request for a position of a class.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClassStart {
    /// Its number, from 1.
    number: usize,
}

/// A list for a position of a class.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct ClassEnding {
    /// The number of the position, from 1.
    number: usize,
    /// The moves, each as two squares, and for a promotion one of n, b, r, q; at most 500.
    #[schema(example = json!(["e2e4"]))]
    moves: Vec<String>,
}

/// What a finished list is answered with.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct ClassEnded {
    /// The result, if answers are shown now.
    result: Option<ClassResult>,
}

/// Which quiz.
#[derive(Debug, Deserialize, utoipa::IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub(crate) struct QuizQuery {
    #[param(inline)]
    theme: Theme,
    /// A number; the same number gives the same positions.
    seed: u32,
}

/// A quiz.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct Quiz {
    /// Its positions.
    positions: Vec<QuizPosition>,
}

/// A position of a quiz.
#[derive(Debug, Serialize, ToSchema)]
pub(crate) struct QuizPosition {
    /// Its FEN.
    fen: String,
    /// The side whose moves are to be listed.
    side_to_move: Side,
}

/// A list for a position of a quiz.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct QuizEnding {
    /// The theme of the quiz.
    theme: Theme,
    /// Its number.
    seed: u32,
    /// The number of the position, from 1.
    number: usize,
    /// The moves, as for a class.
    #[schema(example = json!(["e2e4"]))]
    moves: Vec<String>,
}

impl ClassJoining {
    pub(crate) fn name(&self) -> Result<PlayerName, Problem> {
        let read = self.name.parse();
        read.map_err(|error: NameError| Problem::new(BAD_NAME, error.to_string()))
    }
}

impl ClassEnding {
    pub(crate) fn moves(&self) -> Result<Vec<MoveText>, Problem> {
        read_moves(&self.moves)
    }
}

impl QuizEnding {
    pub(crate) fn moves(&self) -> Result<Vec<MoveText>, Problem> {
        read_moves(&self.moves)
    }
}

/// A text that is no code gets the same answer as an unknown one.
pub(crate) fn read_code(text: &str) -> Result<ClassCode, Problem> {
    text.parse().map_err(|_| ClassError::NoClass.into())
}

fn student(headers: &HeaderMap) -> Result<ClassToken, Problem> {
    let token = bearer(headers).and_then(|text| text.parse().ok());
    token.ok_or_else(|| Problem::from(ClassError::NotJoined).wants_token())
}

/// In the language of the request.
fn explained(mut result: ClassResult) -> ClassResult {
    explain(&result.fen, &mut result.score);
    result
}

/// Joins a class under a name that nobody there has.
#[utoipa::path(post, path = "/api/v1/classes/{code}/students", tag = "class", request_body = ClassJoining,
    params(("code" = String, Path, description = "the code of the class")),
    responses(
        (status = 201, body = ClassJoined),
        (status = 400, description = "bad-name", body = ProblemBody),
        (status = 404, description = "no-class", body = ProblemBody),
        (status = 409, description = "nickname-taken or class-full", body = ProblemBody),
    ))]
pub(crate) async fn join(
    State(app): State<App>,
    Path(code): Path<String>,
    Json(joining): Json<ClassJoining>,
) -> Result<(StatusCode, Json<ClassJoined>), Problem> {
    let (code, name) = (read_code(&code)?, joining.name()?);
    let token = app.service.join_class(&code, &name, now()).await?;
    let joined = ClassJoined {
        token: token.as_str().to_owned(),
    };
    Ok((StatusCode::CREATED, Json(joined)))
}

/// Returns the progress of the student whose token it is.
#[utoipa::path(get, path = "/api/v1/classes/{code}/me", tag = "class",
    params(("code" = String, Path, description = "the code of the class")),
    responses(
        (status = 200, body = StudentState),
        (status = 401, description = "not-joined", body = ProblemBody),
        (status = 404, description = "no-class", body = ProblemBody),
    ))]
pub(crate) async fn me(
    State(app): State<App>,
    Path(code): Path<String>,
    headers: HeaderMap,
) -> ApiAnswer<StudentState> {
    let (code, token) = (read_code(&code)?, student(&headers)?);
    Ok(Json(app.service.student_state(&code, &token).await?))
}

/// Hands out a position, whose time begins with the first call.
#[utoipa::path(post, path = "/api/v1/classes/{code}/start", tag = "class", request_body = ClassStart,
    params(("code" = String, Path, description = "the code of the class")),
    responses(
        (status = 200, body = ClassGiven),
        (status = 401, description = "not-joined", body = ProblemBody),
        (status = 404, description = "no-class, or not-found: no position has the number", body = ProblemBody),
    ))]
pub(crate) async fn start(
    State(app): State<App>,
    Path(code): Path<String>,
    headers: HeaderMap,
    Json(body): Json<ClassStart>,
) -> ApiAnswer<ClassGiven> {
    let (code, token) = (read_code(&code)?, student(&headers)?);
    let service = &app.service;
    let given = service.start_class_position(&code, &token, body.number, now());
    Ok(Json(given.await?))
}

/// Takes a list. The first one for a position counts; later calls return its result.
#[utoipa::path(post, path = "/api/v1/classes/{code}/finish", tag = "class", request_body = ClassEnding,
    params(("code" = String, Path, description = "the code of the class")),
    responses(
        (status = 200, body = ClassEnded),
        (status = 400, description = "bad-request or not-a-move", body = ProblemBody),
        (status = 401, description = "not-joined", body = ProblemBody),
        (status = 404, description = "no-class, or not-found: no position has the number", body = ProblemBody),
        (status = 409, description = "not-started: it was not handed out to the student", body = ProblemBody),
    ))]
pub(crate) async fn finish(
    State(app): State<App>,
    Path(code): Path<String>,
    headers: HeaderMap,
    Json(body): Json<ClassEnding>,
) -> ApiAnswer<ClassEnded> {
    let (code, token, moves) = (read_code(&code)?, student(&headers)?, body.moves()?);
    let service = &app.service;
    let result = service.finish_class_position(&code, &token, body.number, &moves, now());
    Ok(Json(ClassEnded {
        result: result.await?.map(explained),
    }))
}

/// Returns the result of one's own finished list, once answers are shown.
#[utoipa::path(get, path = "/api/v1/classes/{code}/results/{number}", tag = "class",
    params(
        ("code" = String, Path, description = "the code of the class"),
        ("number" = usize, Path, description = "the number of the position, from 1"),
    ),
    responses(
        (status = 200, body = ClassResult),
        (status = 401, description = "not-joined", body = ProblemBody),
        (status = 404, description = "no-class, or not-found: no position has the number", body = ProblemBody),
        (status = 409, description = "not-shown", body = ProblemBody),
    ))]
pub(crate) async fn result(
    State(app): State<App>,
    Path((code, number)): Path<(String, usize)>,
    headers: HeaderMap,
) -> ApiAnswer<ClassResult> {
    let (code, token) = (read_code(&code)?, student(&headers)?);
    let result = app.service.class_result(&code, &token, number).await?;
    Ok(Json(explained(result)))
}

/// Returns the positions of a quiz.
#[utoipa::path(get, path = "/api/v1/quiz", tag = "class", params(QuizQuery), responses(
    (status = 200, body = Quiz),
    (status = 400, description = "bad-request", body = ProblemBody),
))]
pub(crate) async fn quiz(Query(query): Query<QuizQuery>) -> ApiAnswer<Quiz> {
    let positions = draw(query.theme, QUIZ_POSITIONS, query.seed);
    let positions = positions.iter().map(|position| QuizPosition {
        fen: chess::notation::fen::write(position),
        side_to_move: position.side_to_move().into(),
    });
    Ok(Json(Quiz {
        positions: positions.collect(),
    }))
}

/// Scores a list for a position of a quiz. Nothing is stored.
#[utoipa::path(post, path = "/api/v1/quiz/score", tag = "class", request_body = QuizEnding, responses(
    (status = 200, body = ClassResult),
    (status = 400, description = "bad-request or not-a-move", body = ProblemBody),
    (status = 404, description = "not-found: no position has the number", body = ProblemBody),
))]
pub(crate) async fn score(Json(body): Json<QuizEnding>) -> ApiAnswer<ClassResult> {
    let moves = body.moves()?;
    let positions = draw(body.theme, QUIZ_POSITIONS, body.seed);
    let position = body.number.checked_sub(1).and_then(|at| positions.get(at));
    let position = position.ok_or_else(|| {
        let detail = format!("a quiz has positions 1 to {QUIZ_POSITIONS}");
        Problem::new(NOT_FOUND, detail)
    })?;
    let result = ClassResult::untimed(body.number, position, &moves);
    Ok(Json(explained(result)))
}
