//! HTML pages. Each is a template in `templates/`, filled here; askama escapes text.
//!
//! All except those with a board to move on work without scripts.

mod admin;
mod api;
mod cases;
mod check;
mod class;
mod drawing;
mod held;
mod list;
mod moderate;
mod people;
mod public;

use std::borrow::Borrow;

use askama::Template;
use askama::filters::Safe;
use axum::Router;
use axum::response::{Html, IntoResponse as _, Response};
use axum::routing::get;
use fluent_bundle::FluentValue;
use utoipa::openapi::OpenApi;

use super::language::PageRequest;
use super::problem::NOT_A_MODERATOR;
use super::state::App;
use crate::assets;
use crate::lang::Language;
use crate::model::Timestamp;
use web::problem::{BAD_REQUEST, Problem};

pub(crate) struct Frame {
    here: &'static str,
    script: Option<&'static str>,
    language: &'static Language,
    /// Where this page is found, ready for `lang=` to follow.
    address: String,
}

impl Frame {
    fn new(here: &'static str) -> Self {
        let PageRequest { language, address } = PageRequest::now();
        Self {
            here,
            script: None,
            language,
            address,
        }
    }

    /// With a module of its own, which is loaded at once with all that it imports.
    fn with_script(self, name: &'static str) -> Self {
        Self {
            script: Some(name),
            ..self
        }
    }

    /// The modules that the page's own one imports, directly or not.
    fn imports(&self) -> Vec<&'static str> {
        // Each level of imports would be a round trip more on a slow line, so the page names all.
        let imports = self.script.map(|name| assets::OWN.imports(name));
        imports.unwrap_or_default()
    }

    /// The texts that the page's scripts need, as JSON.
    fn texts(&self) -> Option<Safe<&'static str>> {
        let folder = self.script?.split_once('/')?.0;
        let texts = assets::OWN.get(&format!("lang/{}/{folder}.json", self.language.code))?;
        Some(Safe(std::str::from_utf8(&texts.bytes).ok()?))
    }

    /// Whether the page's script draws a board.
    fn has_board(&self) -> bool {
        self.imports().contains(&"board.js")
    }

    const LINKS: [(&'static str, &'static str); 9] = [
        ("home", "/"),
        ("class", "/class"),
        ("play", "/play"),
        ("check", "/check"),
        ("lists", "/lists"),
        ("account", "/account"),
        ("leaderboard", "/leaderboard"),
        ("cases", "/cases"),
        ("about", "/about"),
    ];

    fn nav(&self, here: &str) -> String {
        self.text(&format!("nav-{here}"))
    }

    fn languages() -> &'static [Language] {
        Language::all()
    }

    /// An attribute of what is in English on every page.
    fn untranslated(&self) -> Safe<&'static str> {
        // Parts in another language than the page's are marked (WCAG 3.1.2).
        Safe(if self.language.is_english() {
            ""
        } else {
            " lang=\"en\""
        })
    }

    /// A text without variables.
    fn text(&self, key: &str) -> String {
        self.language.text(key, &[])
    }

    /// A text of a number, `n`.
    fn count(&self, key: &str, n: impl Borrow<i64>) -> String {
        self.language.text(key, &[("n", (*n.borrow()).into())])
    }

    /// What is drawn by a diagram.
    fn position(&self, fen: &str) -> String {
        self.language.text("position-label", &[("fen", fen.into())])
    }

    fn filled(&self, key: &str, values: &[(&str, FluentValue<'_>)]) -> String {
        self.language.text(key, values)
    }

    /// A text with a link between `<a>` and `</a>`.
    fn linked(&self, key: &str, href: impl AsRef<str>) -> Safe<String> {
        marked(&self.text(key), href.as_ref())
    }

    /// A text with moves between `<b>` and `</b>`, and what is typed between `<code>` and `</code>`.
    fn marked(&self, key: &str, values: &[(&str, FluentValue<'_>)]) -> Safe<String> {
        marked(&self.filled(key, values), "")
    }

    fn file(name: &str) -> String {
        assets::OWN.url(name)
    }
}

pub(crate) fn router(app: &App, description: &OpenApi) -> Router<App> {
    Router::new()
        .route("/", get(list::home))
        .route("/contribute", get(list::contribute))
        .route("/play", get(public::play))
        .route("/results/{token}", get(list::results))
        .route("/class/{code}", get(list::class))
        .route("/leaderboard", get(public::leaderboard))
        .route("/cases", get(cases::cases))
        .route("/positions/{id}", get(public::position))
        .route("/about", get(public::about))
        .route("/problems/{slug}", get(public::problem))
        .merge(class::router(app))
        .merge(api::router(description))
        .merge(people::router(app))
        .merge(held::router())
        .merge(check::router())
        .merge(admin::router())
}

fn page(template: &impl Template) -> Result<Response, Problem> {
    match template.render() {
        Ok(text) => Ok(Html(text).into_response()),
        Err(error) => Err(Problem::internal(&error)),
    }
}

#[derive(Template)]
#[template(path = "error.html")]
struct ErrorPage<'a> {
    frame: Frame,
    problem: &'a Problem,
    /// What there is in the page's language for problems of this kind, which then says all; the detail is for programs.
    texts: Option<(String, Safe<String>)>,
}

impl<'a> ErrorPage<'a> {
    fn new(problem: &'a Problem) -> Self {
        let frame = Frame::new("");
        let key = format!("error-{}", problem.kind().slug);
        let texts = frame.language.has(&key).then(|| {
            let help = frame.linked(&format!("{key}-help"), "/");
            (frame.text(&key), help)
        });
        Self {
            frame,
            problem,
            texts,
        }
    }
}

pub(crate) fn error(problem: &Problem) -> Response {
    if problem.is(NOT_A_MODERATOR)
        && let Ok(page) = admin::closed()
    {
        return (problem.status(), page).into_response();
    }
    // A page about an error must not fail by another one.
    let text = ErrorPage::new(problem).render();
    let text = text.unwrap_or_else(|_| problem.title().to_owned());
    (problem.status(), Html(text)).into_response()
}

/// The markup of a text: a link, moves and what is typed. All else is escaped.
fn marked(text: &str, href: &str) -> Safe<String> {
    // Everything is escaped first, so that only the three marks become elements.
    let mut markup = text.replace('&', "&amp;").replace('<', "&lt;");
    let link = format!("a href=\"{}\"", href.replace('&', "&amp;"));
    for (mark, element) in [
        ("a", link.as_str()),
        ("b", "strong class=\"mono whole\""),
        ("code", "code"),
    ] {
        let name = element.split(' ').next().unwrap_or("");
        markup = markup
            .replace(&format!("&lt;{mark}>"), &format!("<{element}>"))
            .replace(&format!("&lt;/{mark}>"), &format!("</{name}>"));
    }
    Safe(markup)
}

pub(crate) struct Pager {
    page: u32,
    pages: u32,
    /// The address up to the number of the page.
    base: String,
}

impl Pager {
    /// `base` is the address with the start of its query: it ends with `?` or `&`.
    fn new(base: &str, page: u32, pages: u32) -> Self {
        Self {
            page,
            pages,
            base: format!("{base}page="),
        }
    }

    fn address(&self, page: u32) -> String {
        format!("{}{page}", self.base)
    }
}

fn moment(at: Timestamp) -> String {
    let seconds = at.0.div_euclid(1000);
    match time::OffsetDateTime::from_unix_timestamp(seconds) {
        Ok(t) => {
            let (date, hour, minute) = (t.date(), t.hour(), t.minute());
            format!("{date} {hour:02}:{minute:02} UTC")
        }
        Err(_) => String::from("unknown"),
    }
}

/// Compares texts in templates, where values are references to references.
fn same(one: &str, other: &str) -> bool {
    one == other
}

/// The states of a list that cannot be filtered by state.
const NO_STATES: [(&str, &str); 0] = [];

/// The name of a contributor, or a substitute if there is none.
fn called(name: Option<&str>, id: i64) -> String {
    name.map_or_else(|| format!("anonymous {id}"), str::to_owned)
}

#[cfg(test)]
mod translated;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_are_written_in_utc() {
        assert_eq!(moment(Timestamp(0)), "1970-01-01 00:00 UTC");
        assert_eq!(moment(Timestamp(1_700_000_000_000)), "2023-11-14 22:13 UTC");
        assert_eq!(moment(Timestamp(i64::MAX)), "unknown");
    }
}
