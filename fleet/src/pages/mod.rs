//! HTML pages. Each is a template in `templates/`, filled here; askama escapes text.
//!
//! All pages work without scripts, which only move graphs and boards.

pub mod assets;

use askama::Template;
use axum::Router;
use axum::http::StatusCode;
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::get;

use crate::app::App;
use crate::model::Account;

/// All pages but those of people, and the files that pages load.
pub fn router() -> Router<App> {
    Router::new().route("/static/{*path}", get(assets::serve))
}

/// What all templates have as `frame`.
#[derive(Clone, Debug)]
pub struct Frame {
    /// The title of the page.
    pub title: String,
    /// Who is signed in.
    pub account: Option<Account>,
    /// The section of the navigation: one of those in [`Frame::LINKS`], `account`, or none.
    pub section: &'static str,
}

impl Frame {
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
        Err(error) => {
            tracing::error!("a page could not be filled: {error}");
            StatusCode::INTERNAL_SERVER_ERROR.into_response()
        }
    }
}
