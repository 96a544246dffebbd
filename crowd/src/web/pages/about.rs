use askama::Template;
use axum::response::Response;

use super::{Frame, page};
use crate::web::extract::Path;
use crate::web::problem::{KINDS, Kind, NOT_FOUND, Problem};

#[derive(Template)]
#[template(path = "about.html")]
struct About {
    frame: Frame,
    version: &'static str,
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    frame: Frame,
    kind: &'static Kind,
}

/// The purpose of the site, the data it keeps about people, and credits.
pub(super) async fn about() -> Result<Response, Problem> {
    page(&About {
        frame: Frame::new("about"),
        version: env!("CARGO_PKG_VERSION"),
    })
}

/// Describes a kind of problem: the address that problems give as their type.
pub(super) async fn problem(Path(slug): Path<String>) -> Result<Response, Problem> {
    let kind = KINDS.iter().find(|kind| kind.slug == slug).copied();
    let kind = kind.ok_or_else(|| Problem::new(NOT_FOUND, "there is no such kind of problem"))?;
    page(&ProblemPage {
        frame: Frame::new("about"),
        kind,
    })
}
