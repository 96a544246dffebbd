//! The files that pages load, embedded in the program.

use std::sync::LazyLock;

use axum::extract::Request;
use axum::response::Response;
use rust_embed::RustEmbed;
use web::assets::{Assets, BASE_STYLE};
use web::problem::Problem;

#[derive(RustEmbed)]
#[folder = "static/"]
struct Static;

/// The style of charts, and their colours, are those of all reports.
static FILES: LazyLock<Assets> = LazyLock::new(|| {
    let charts = ("chart.css", kit::chart::STYLE);
    Assets::embedded::<Static>("/static", &[charts, BASE_STYLE])
});

/// The address of a file that pages load.
pub(crate) fn address(name: &str) -> String {
    FILES.url(name)
}

/// Serves a file.
pub(crate) async fn serve(request: Request) -> Result<Response, Problem> {
    FILES.answer(&request)
}

/// Browsers request this name wherever no page names another icon, for example with JSON.
pub(crate) async fn icon(request: Request) -> Result<Response, Problem> {
    FILES.answer_as(&request, "favicon.svg")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_find_their_files() {
        for name in ["base.css", "chart.css", "site.css", "live.js", "board.js"] {
            assert!(FILES.get(name).is_some(), "{name}");
        }
    }
}
