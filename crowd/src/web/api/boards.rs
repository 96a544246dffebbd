//! Public endpoints: leaderboards, test cases, positions whose answer is public.

use axum::extract::State;

use super::wire::{Board, BoardQuery, Cases};
use crate::clock;
use crate::service::ClosedPosition;
use crate::web::extract::{Json, Path, Query};
use crate::web::problem::{NOT_FOUND, Problem, ProblemBody};
use crate::web::session::Caller;
use crate::web::state::App;

/// Returns the leaderboard of a mode and period, ordered by a lower bound of accuracy.
#[utoipa::path(get, path = "/api/v1/leaderboard", tag = "results", params(BoardQuery), responses(
    (status = 200, body = Board),
    (status = 400, description = "bad-request", body = ProblemBody),
))]
pub(crate) async fn leaderboard(
    State(app): State<App>,
    Query(query): Query<BoardQuery>,
) -> Result<Json<Board>, Problem> {
    let (mode, period) = (query.mode()?, query.period());
    let rows = app.service.leaderboard(mode, period, clock::now()).await?;
    Ok(Json(Board { rows }))
}

/// Returns every test case: positions on which the crowd and the generator agree.
#[utoipa::path(get, path = "/api/v1/cases", tag = "results", responses((status = 200, body = Cases)))]
pub(crate) async fn cases(State(app): State<App>) -> Result<Json<Cases>, Problem> {
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
) -> Result<Json<ClosedPosition>, Problem> {
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
        let detail = "there is no such position, or people still list its moves";
        Problem::new(NOT_FOUND, detail)
    })
}
