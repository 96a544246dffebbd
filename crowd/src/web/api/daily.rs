//! Endpoints of the board of the day. Its position is handed out by `start` and by nothing else, and which moves are
//! legal is first in the answer to `finish`.

use axum::extract::State;
use serde::Deserialize;
use utoipa::ToSchema;

use crate::daily::{DailyScore, Day};
use crate::model::MoveText;
use crate::service::{DailyGiven, DailyResult, DailyToday, MOST_MOVES};
use crate::web::language::PageRequest;
use crate::web::problem::NOT_A_MOVE;
use crate::web::session::Caller;
use crate::web::state::{App, now};
use web::extract::{ApiAnswer, Json};
use web::problem::{BAD_REQUEST, Problem, ProblemBody};

/// A list for a board.
#[derive(Debug, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct DailyEnding {
    /// The UTC day of the board.
    #[schema(example = "2026-11-26")]
    day: String,
    /// The moves, each as two squares, and for a promotion one of n, b, r, q; at most 500.
    #[schema(example = json!(["e2e4"]))]
    moves: Vec<String>,
}

fn read_day(text: &str) -> Result<Day, Problem> {
    text.parse()
        .map_err(|error| Problem::new(BAD_REQUEST, format!("day: {error}")))
}

impl DailyEnding {
    pub(crate) fn read(&self) -> Result<(Day, Vec<MoveText>), Problem> {
        Ok((read_day(&self.day)?, read_moves(&self.moves)?))
    }
}

/// Reads the moves of a list.
pub(super) fn read_moves(moves: &[String]) -> Result<Vec<MoveText>, Problem> {
    if moves.len() > MOST_MOVES {
        let detail = format!(
            "moves: there are {}, at most {MOST_MOVES} are taken",
            moves.len()
        );
        return Err(Problem::new(BAD_REQUEST, detail));
    }
    let read = |(number, text): (usize, &String)| {
        text.parse::<MoveText>().map_err(|error| {
            // Numbers begin at 1, as those of events do.
            let detail = format!("move {}: {error}", number + 1);
            Problem::new(NOT_A_MOVE, detail).with("seq", number + 1)
        })
    };
    moves.iter().enumerate().map(read).collect()
}

/// Puts the explanations of a score into the language of the request.
pub(super) fn explain(fen: &str, score: &mut DailyScore) {
    let moves = score.missed.iter_mut().chain(&mut score.wrong);
    let language = PageRequest::now().language;
    language.explain_in(fen, moves.map(|one| &mut one.shown));
}

/// Returns the board of the day without its position, and one's progress.
#[utoipa::path(get, path = "/api/v1/daily", tag = "daily", responses((status = 200, body = DailyToday)))]
pub(crate) async fn today(State(app): State<App>, caller: Option<Caller>) -> ApiAnswer<DailyToday> {
    let caller = caller.map(|Caller(caller)| caller.id);
    let mut today = app.service.daily_today(caller, now()).await?;
    if let Some(result) = &mut today.result {
        explain(&result.fen, &mut result.score);
    }
    Ok(Json(today))
}

/// Hands out the board of the day, whose time begins with the first call.
#[utoipa::path(post, path = "/api/v1/daily/start", tag = "daily", responses(
    (status = 200, body = DailyGiven),
    (status = 401, description = "no-session", body = ProblemBody),
))]
pub(crate) async fn start(State(app): State<App>, Caller(caller): Caller) -> ApiAnswer<DailyGiven> {
    let given = app.service.daily_start(caller.id, now());
    Ok(Json(given.await?))
}

/// Scores a list. For the board of the day the first one counts; later calls return its result.
#[utoipa::path(post, path = "/api/v1/daily/finish", tag = "daily", request_body = DailyEnding, responses(
    (status = 200, body = DailyResult),
    (status = 400, description = "bad-request or not-a-move", body = ProblemBody),
    (status = 401, description = "no-session", body = ProblemBody),
    (status = 409, description = "not-started: it was not handed out to the caller", body = ProblemBody),
))]
pub(crate) async fn finish(
    State(app): State<App>,
    Caller(caller): Caller,
    Json(body): Json<DailyEnding>,
) -> ApiAnswer<DailyResult> {
    let (day, moves) = body.read()?;
    let result = app.service.daily_finish(caller.id, day, &moves, now());
    let mut result = result.await?;
    explain(&result.fen, &mut result.score);
    Ok(Json(result))
}
