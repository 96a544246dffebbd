//! `/api/v1/play` over HTTP: parses requests, calls the pure core or the opponent, reports errors.

use std::sync::Arc;

use axum::Router;
use axum::extract::{DefaultBodyLimit, State};
use axum::routing::{get, post};
use chess::notation::{fen, san};
use chess::rules::Position;
use engine::search::{SearchLimits, Strength};
use utoipa::OpenApi;

use super::compute::compute;
use super::language::PageRequest;
use super::problem::{BAD_GAME, BAD_LEVEL, GAME_OVER};
use crate::model::MoveText;
use crate::play::game::{GameError, Played};
use crate::play::{
    EvalAnswer, GameRequest, MAX_PGN_BYTES, MoveAnswer, MoveRequest, Opponent, OpponentError,
    OpponentLevel, PgnError, PgnReadAnswer, PgnText, StartAnswer, StateAnswer, TaggedGame,
    read_pgn, view, write_pgn,
};
use web::extract::{ApiAnswer, Json, Path};
use web::problem::{BUSY, NOT_FOUND, Problem, TOO_LARGE};

/// Maximum size of a request with a game, in bytes: a thousand plies take nine thousand.
const MAX_GAME_REQUEST: usize = 64 << 10;
/// Maximum size of a request with a PGN text: JSON escapes make some characters longer.
const MAX_PGN_REQUEST: usize = 2 * MAX_PGN_BYTES;

#[derive(Debug, OpenApi)]
#[openapi(paths(state, reply, evaluate, pgn, pgn_read, start))]
pub(super) struct PlayApi;

pub fn router(opponent: Arc<Opponent>) -> Router {
    Router::new()
        .route("/api/v1/play/state", post(state))
        .route("/api/v1/play/move", post(reply))
        .route("/api/v1/play/eval", post(evaluate))
        .route("/api/v1/play/pgn", post(pgn))
        .route("/api/v1/play/start/{number}", get(start))
        .layer(DefaultBodyLimit::max(MAX_GAME_REQUEST))
        .merge(
            Router::new()
                .route("/api/v1/play/pgn/read", post(pgn_read))
                .layer(DefaultBodyLimit::max(MAX_PGN_REQUEST)),
        )
        .with_state(opponent)
}

/// Why there is no answer of a search; only for the `OpenAPI` description.
#[derive(utoipa::IntoResponses)]
#[expect(dead_code, reason = "it describes answers that `Problem` makes")]
enum SearchProblems {
    #[response(status = 400, description = "The game or the strength cannot be read")]
    Unreadable,
    #[response(status = 409, description = "The game has ended")]
    GameOver,
    #[response(
        status = 503,
        description = "All searches are busy; `Retry-After` says when to try again"
    )]
    Busy,
}

/// Returns everything that a page shows of a game.
#[utoipa::path(
    post, path = "/api/v1/play/state", tag = "play", request_body = GameRequest,
    responses((status = 200, body = StateAnswer), (status = 400, description = "The game cannot be read; `faults` lists why"))
)]
async fn state(Json(request): Json<GameRequest>) -> ApiAnswer<StateAnswer> {
    match request.read() {
        Ok(played) => Ok(Json(view(&played))),
        Err(error) => Err(translated(&request, &error).unwrap_or_else(|| error.into())),
    }
}

/// Why a move is illegal, in the language of the request if it is another than English.
fn translated(request: &GameRequest, error: &GameError) -> Option<Problem> {
    let language = PageRequest::now().language;
    let GameError::Illegal { ply, .. } = error else {
        return None;
    };
    if language.is_english() {
        return None;
    }
    let at = ply.checked_sub(1)?;
    let text = request.moves.get(at)?;
    let mv = text.parse::<MoveText>().ok()?;
    let moves = &request.moves[..at];
    let before = Played::read(request.fen.as_deref(), request.chess960, moves).ok()?;
    let why = language.reason(before.position(), &mv);
    let values = [("move", text.as_str().into()), ("why", why.into())];
    let detail = language.text("game-illegal", &values);
    Some(Problem::new(BAD_GAME, detail.clone()).with("faults", [detail]))
}

/// Returns the opponent's move.
#[utoipa::path(
    post, path = "/api/v1/play/move", tag = "play", request_body = MoveRequest,
    responses((status = 200, body = MoveAnswer), SearchProblems)
)]
async fn reply(
    State(opponent): State<Arc<Opponent>>,
    Json(request): Json<MoveRequest>,
) -> ApiAnswer<MoveAnswer> {
    let strength = strength(&request)?;
    let mut played = request.game.read()?;
    let reply = opponent.reply(&played, strength, request.clock, request.seed);
    let reply = reply.await?;
    let position = *played.position();
    played
        .game
        .play(reply.best)
        .map_err(|error| Problem::internal(&error))?;
    Ok(Json(MoveAnswer {
        text: played.write_move(reply.best, &position),
        san: san::write(reply.best, &position),
        score: reply.evaluation.map(|evaluation| evaluation.score),
        depth: reply.evaluation.map_or(0, |evaluation| evaluation.depth),
        book: reply.evaluation.is_none(),
        state: view(&played),
    }))
}

/// Evaluates the current position.
#[utoipa::path(
    post, path = "/api/v1/play/eval", tag = "play", request_body = GameRequest,
    responses((status = 200, body = EvalAnswer), SearchProblems)
)]
async fn evaluate(
    State(opponent): State<Arc<Opponent>>,
    Json(request): Json<GameRequest>,
) -> ApiAnswer<EvalAnswer> {
    let played = request.read()?;
    Ok(Json(opponent.evaluate(played.position()).await?))
}

/// Writes a game as PGN.
#[utoipa::path(
    post, path = "/api/v1/play/pgn", tag = "play", request_body = TaggedGame,
    responses((status = 200, body = PgnText), (status = 400, description = "The game or a tag cannot be written"))
)]
async fn pgn(Json(request): Json<TaggedGame>) -> ApiAnswer<PgnText> {
    let played = request.game.read()?;
    let pgn = write_pgn(&played, &request.tags, request.result.as_deref())?;
    Ok(Json(PgnText { pgn }))
}

/// Reads the games of a PGN text.
#[utoipa::path(
    post, path = "/api/v1/play/pgn/read", tag = "play", request_body = PgnText,
    responses((status = 200, body = PgnReadAnswer), (status = 413, description = "The text is too long"))
)]
async fn pgn_read(Json(request): Json<PgnText>) -> ApiAnswer<PgnReadAnswer> {
    if request.pgn.len() > MAX_PGN_BYTES {
        let detail = format!(
            "the PGN has {} bytes, at most {MAX_PGN_BYTES} are read",
            request.pgn.len()
        );
        return Err(Problem::new(TOO_LARGE, detail));
    }
    // Up to 500 games are replayed.
    Ok(Json(compute(move || read_pgn(&request.pgn)).await?))
}

/// Returns a start position of Chess960.
#[utoipa::path(
    get, path = "/api/v1/play/start/{number}", tag = "play",
    params(("number" = u16, Path, description = "From 0 to 959, as Scharnagl numbered them")),
    responses((status = 200, body = StartAnswer), (status = 404, description = "There is no such number"))
)]
async fn start(Path(number): Path<u16>) -> ApiAnswer<StartAnswer> {
    let unknown = || Problem::new(NOT_FOUND, "Chess960 has the positions 0 to 959");
    // Both sides have the same start position (FIDE, guidelines II on Chess960).
    let position = Position::chess960_start(number, number).ok_or_else(unknown)?;
    Ok(Json(StartAnswer {
        number,
        fen: fen::write(&position),
    }))
}

fn strength(request: &MoveRequest) -> Result<SearchLimits, Problem> {
    let fault = |detail| Problem::new(BAD_LEVEL, detail);
    match (request.level, request.elo) {
        (Some(number), None) => OpponentLevel::new(number)
            .map(OpponentLevel::limits)
            .ok_or_else(|| fault(format!("level {number}, expected 1 to 10"))),
        (None, Some(elo)) => {
            let strength = Strength::from_elo(elo).ok_or_else(|| {
                let (least, most) = (Strength::ELO.start(), Strength::ELO.end());
                fault(format!("Elo {elo}, expected {least} to {most}"))
            })?;
            Ok(SearchLimits {
                strength: Some(strength),
                ..SearchLimits::default()
            })
        }
        _ => Err(fault("expected either level or elo".to_owned())),
    }
}

impl From<GameError> for Problem {
    fn from(error: GameError) -> Self {
        Self::new(BAD_GAME, error.to_string()).with("faults", error.faults())
    }
}

impl From<PgnError> for Problem {
    fn from(error: PgnError) -> Self {
        Self::new(BAD_GAME, error.to_string())
    }
}

impl From<OpponentError> for Problem {
    fn from(error: OpponentError) -> Self {
        match error {
            OpponentError::GameOver => Self::new(GAME_OVER, "there is no move to be found"),
            OpponentError::Busy { retry_after } => {
                Self::new(BUSY, error.to_string()).retry_after(retry_after.as_secs())
            }
            OpponentError::Failed(_) => Self::internal(&error),
        }
    }
}
