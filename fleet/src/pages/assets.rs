//! The files that pages load, embedded in the program.

use std::borrow::Cow;
use std::sync::LazyLock;

use axum::extract::Request;
use axum::response::Response;
use rust_embed::RustEmbed;
use web::assets::Assets;
use web::problem::Problem;

#[derive(RustEmbed)]
#[folder = "static/"]
struct Static;

/// The style of charts, and their colours, are those of all reports.
static FILES: LazyLock<Assets> = LazyLock::new(|| {
    let own = Static::iter().filter_map(|name| {
        let bytes = Static::get(&name)?.data;
        Some((name.into_owned(), bytes))
    });
    let charts = Cow::Borrowed(kit::chart::STYLE.as_bytes());
    Assets::new("/static", own.chain([("chart.css".to_owned(), charts)]))
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
pub(crate) async fn icon() -> Result<Response, Problem> {
    let request = Request::builder().uri("/static/favicon.svg");
    let request = request.body(axum::body::Body::empty());
    FILES.answer(&request.expect("the address is valid"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pages_find_their_files() {
        for name in ["site.css", "chart.css", "live.js", "graph.js", "board.js"] {
            assert!(FILES.get(name).is_some(), "{name}");
        }
    }
}
