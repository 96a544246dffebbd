//! HTML pages. Each is a template in `templates/`, filled here; askama escapes text.
//!
//! All pages work without scripts, which only load what has changed and move boards.

mod actions;
mod api;
mod assets;
mod counts;
mod fields;
mod forge;
mod format;
mod games;
mod graph;
mod live;
mod machines;
pub mod people;
mod queries;
mod replay;
mod report;
mod repositories;
mod submit;
mod test_page;
mod tests_list;
pub mod throughput;

use askama::Template;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse as _, Redirect, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use web::extract::Path;
use web::problem::{Problem, ProblemKind};

pub use api::{documentation, openapi};

use crate::app::LabState;
use crate::model::Account;
use crate::people::SignedIn;
use crate::problem::KINDS;
use crate::store::LabDatabaseError;

/// All pages but those of people, and what their scripts ask for.
pub fn router() -> Router<LabState> {
    Router::new()
        .route("/", get(async || Redirect::to("/tests")))
        .route("/tests", get(tests_list::show))
        .route("/tests/{id}", get(test_page::show))
        .route("/tests/{id}/report", get(report::show))
        .route("/tests/{id}/games", get(games::list))
        .route("/tests/{id}/games/{pair}/{game}", get(games::show))
        .route("/tests/{id}/approve", post(actions::approve))
        .route("/tests/{id}/reject", post(actions::reject))
        .route("/tests/{id}/stop", post(actions::stop))
        .route("/tests/{id}/resume", post(actions::resume))
        .route("/tests/{id}/note", post(actions::note))
        .route("/tests/{id}/turn", post(actions::turn))
        .route("/machines", get(machines::show))
        .route("/machines/{name}/quarantine", post(actions::quarantine))
        .route("/machines/{name}/release", post(actions::release))
        .route("/machines/{name}/revoke", post(actions::revoke))
        .route(
            "/repositories",
            get(repositories::show).post(repositories::add),
        )
        .route(
            "/repositories/{name}/approve",
            post(actions::approve_repository),
        )
        .route("/throughput", get(throughput::show))
        .route("/perft", get(counts::show))
        .route("/api/1/perft", get(counts::list))
        .route("/submit", get(submit::show).post(submit::send))
        .route("/api/1/tests/{id}/points", get(test_page::points))
        .route("/api/1/tests/{id}/report", get(report::json))
        .route("/api/1/events", get(live::events))
        // The type of a problem should lead to its explanation (RFC 9457, section 3.1.1).
        .route("/problems/{slug}", get(problem))
        .layer(Extension(live::Live::new()))
        .layer(Extension(report::Reports::default()))
}

/// The files that pages load.
pub fn files() -> Router<LabState> {
    Router::new()
        .route("/static/{*path}", get(assets::serve))
        .route("/favicon.ico", get(assets::icon))
}

/// What all templates have as `frame`.
#[derive(Clone, Debug)]
pub struct PageFrame {
    /// The title of the page.
    pub title: String,
    /// Who is signed in.
    pub account: Option<Account>,
    /// The section of the navigation: one of those in [`PageFrame::LINKS`], `account`, or none.
    pub section: &'static str,
}

impl PageFrame {
    /// The navigation: section, address, title.
    pub const LINKS: [(&'static str, &'static str, &'static str); 4] = [
        ("tests", "/tests", "Tests"),
        ("machines", "/machines", "Machines"),
        ("submit", "/submit", "Submit"),
        ("repositories", "/repositories", "Repositories"),
    ];

    /// The frame of a page.
    pub fn new(title: impl Into<String>, section: &'static str, account: Option<Account>) -> Self {
        let title = title.into();
        Self {
            title,
            account,
            section,
        }
    }

    /// The address of a file that pages load, such as `site.css`; it changes with the contents.
    pub fn file(name: &str) -> String {
        assets::address(name)
    }
}

/// A page as an answer.
pub fn page(template: &impl Template) -> Response {
    match template.render() {
        Ok(text) => Html(text).into_response(),
        Err(error) => Problem::internal(&error).into_response(),
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    frame: PageFrame,
    status: StatusCode,
    detail: &'a str,
    needs_account: bool,
}

/// The page of an error.
pub fn error(problem: &Problem) -> Response {
    let status = problem.status();
    let template = ErrorPage {
        // A layer makes the page of the problem alone, and does not know who is signed in.
        frame: PageFrame::new(problem.title(), "", None),
        status,
        detail: problem.detail(),
        needs_account: status == StatusCode::UNAUTHORIZED,
    };
    let text = template.render();
    let text = text.unwrap_or_else(|_| problem.title().to_owned());
    (status, Html(text)).into_response()
}

#[derive(Template)]
#[template(path = "problem.html")]
struct ProblemPage {
    frame: PageFrame,
    kind: &'static ProblemKind,
}

/// Explains a kind of problem: the address that problems have as their type.
async fn problem(Path(slug): Path<String>, who: Option<SignedIn>) -> Result<Response, Problem> {
    let kind = ProblemKind::find(KINDS, &slug)?;
    let frame = PageFrame::new(kind.title, "", who.map(|who| who.0));
    Ok(page(&ProblemPage { frame, kind }))
}

/// What a failed query becomes.
fn reading(error: sqlx::Error) -> Problem {
    LabDatabaseError::from(error).into()
}
