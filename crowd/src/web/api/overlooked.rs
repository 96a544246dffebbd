//! What people overlook, as CSV.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};

use crate::service::overlooked_csv;
use crate::web::state::App;
use web::problem::Problem;

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
