//! Downloads of the test cases.

use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse as _, Response};

use crate::service::{CaseFormat, write_cases};
use crate::web::problem::Problem;
use crate::web::state::App;

/// Test cases as EPD: one record per line, with `id`, `D1`, the moves and their provenance.
#[utoipa::path(get, path = "/api/v1/cases.epd", tag = "results", responses(
    (status = 200, description = "EPD", body = String, content_type = "text/plain"),
))]
pub(crate) async fn cases_epd(State(app): State<App>) -> Result<Response, Problem> {
    file(&app, CaseFormat::Epd, "epd", "text/plain; charset=utf-8").await
}

/// Test cases as CSV: one row per move.
#[utoipa::path(get, path = "/api/v1/cases.csv", tag = "results", responses(
    (status = 200, description = "CSV with a header line", body = String, content_type = "text/csv"),
))]
pub(crate) async fn cases_csv(State(app): State<App>) -> Result<Response, Problem> {
    file(&app, CaseFormat::Csv, "csv", "text/csv; charset=utf-8").await
}

/// Test cases as a JSON document that names its schema, as written by `crowd export`.
#[utoipa::path(get, path = "/api/v1/cases.json", tag = "results", responses(
    (status = 200, description = "a document of schema touchstone/crowd-cases/1", content_type = "application/json"),
))]
pub(crate) async fn cases_json(State(app): State<App>) -> Result<Response, Problem> {
    file(&app, CaseFormat::Json, "json", "application/json").await
}

async fn file(
    app: &App,
    format: CaseFormat,
    ending: &str,
    kind: &'static str,
) -> Result<Response, Problem> {
    let cases = app.service.test_cases().await?;
    let name = format!("attachment; filename=\"crowd-cases.{ending}\"");
    let headers = [
        (header::CONTENT_TYPE, kind.to_owned()),
        (header::CONTENT_DISPOSITION, name),
    ];
    Ok((headers, write_cases(&cases, format)).into_response())
}
