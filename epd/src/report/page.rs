//! What pages of `epd` have besides: cards with a board.

use askama::Template;
use kit::page::Page;

/// The style of boards and their cards.
const STYLE: &str = include_str!("../../templates/boards.css");

/// A board with what was wanted and what was played.
pub(crate) struct BoardCard {
    pub(crate) title: String,
    pub(crate) svg: String,
    /// Pairs of a name and a text.
    pub(crate) facts: Vec<(&'static str, String)>,
    pub(crate) href: String,
}

/// The cards of a section; see its template `templates/boards.html`.
#[derive(Template)]
#[template(path = "boards.html")]
struct BoardsHtml<'a> {
    cards: &'a [BoardCard],
}

/// The cards as HTML of a section.
pub(crate) fn boards(cards: &[BoardCard]) -> String {
    let html = BoardsHtml { cards };
    html.render().expect("writing to a string does not fail")
}

/// A page of `epd`, to be filled.
pub(crate) fn page() -> Page {
    Page {
        style: STYLE,
        footer: concat!("Written by epd ", env!("CARGO_PKG_VERSION"), ".").to_owned(),
        ..Page::default()
    }
}
