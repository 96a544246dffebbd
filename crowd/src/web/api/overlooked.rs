//! What people overlook, as JSON and as CSV.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};
use serde::Serialize;
use utoipa::ToSchema;

use super::wire::PageQuery;
use crate::insight::{KindShare, RuleShare};
use crate::service::{HardPosition, overlooked_csv};
use crate::web::state::App;
use web::extract::{ApiAnswer, Json, Query};
use web::problem::{Problem, ProblemBody};

/// Number of positions of a page.
const POSITIONS: usize = 100;

/// What people overlook, with a page of the positions.
#[derive(Serialize, ToSchema)]
pub(crate) struct OverlookedBody {
    /// The number of lists evaluated.
    lists: u64,
    /// The number of people who made them.
    people: u64,
    /// Kinds of moves, hardest first. A move may be of several kinds.
    kinds: Vec<KindShare>,
    /// Rules that listed moves break, most frequently broken first.
    rules: Vec<RuleShare>,
    /// Positions, hardest first; never one that people still list, nor a gold one.
    positions: Vec<HardPosition>,
    /// The number of the page, from 1.
    page: u32,
    /// The number of pages, at least 1.
    pages: u32,
}

/// Returns which moves people overlook and which illegal ones they list, by kind, by rule and by position.
#[utoipa::path(get, path = "/api/v1/overlooked", tag = "results", params(PageQuery), responses(
    (status = 200, body = OverlookedBody),
    (status = 400, description = "bad-request", body = ProblemBody),
))]
pub(crate) async fn overlooked(
    State(app): State<App>,
    Query(query): Query<PageQuery>,
) -> ApiAnswer<OverlookedBody> {
    let all = app.service.overlooked().await?;
    let (positions, page, pages) = query.of(&all.positions, POSITIONS);
    Ok(Json(OverlookedBody {
        lists: all.lists,
        people: all.people,
        kinds: all.kinds.clone(),
        rules: all.rules.clone(),
        positions: positions.to_vec(),
        page,
        pages,
    }))
}

/// What people overlook as CSV: one row per position and move.
#[utoipa::path(get, path = "/api/v1/overlooked.csv", tag = "results", responses(
    (status = 200, description = "CSV with a header line", body = String, content_type = "text/csv"),
))]
pub(crate) async fn overlooked_file(State(app): State<App>) -> Result<Response, Problem> {
    let overlooked = app.service.overlooked().await?;
    let headers = [
        (header::CONTENT_TYPE, "text/csv; charset=utf-8"),
        (
            header::CONTENT_DISPOSITION,
            "attachment; filename=\"crowd-overlooked.csv\"",
        ),
    ];
    Ok((headers, overlooked_csv(&overlooked)).into_response())
}
