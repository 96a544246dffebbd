//! What moderators look at: the queue, one item of it, flags, positions, and the log. Lists are
//! searched and come in pages.

use std::collections::BTreeMap;

use askama::Template;
use axum::extract::{FromRequestParts, State};
use axum::http::request::Parts;
use axum::response::Response;
use chess::rules::Color;
use serde::Deserialize;

use super::drawing::{Drawing, Look};
use super::{Frame, called, page};
use crate::model::{PositionState, QueueState, Resolution};
use crate::service::{FlagItem, PositionOverview, Question, QueueItem};
use crate::store::entity::{deed, flag};
use crate::web::session::Moderator;
use crate::web::state::App;
use web::extract::{Path, Query};
use web::problem::{BAD_REQUEST, NOT_FOUND, Problem};

const ROWS: usize = 20;
const SEARCH: usize = 100;

/// Which rows of a list, from the address.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct FilterQuery {
    #[serde(default)]
    q: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    page: Option<usize>,
}

/// Which rows of a list, and where they are among all.
#[derive(Debug)]
pub(super) struct RowFilter {
    path: String,
    q: String,
    state: String,
    page: usize,
    pages: usize,
    found: usize,
}

impl<S: Send + Sync> FromRequestParts<S> for RowFilter {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Problem> {
        let Query(query): Query<FilterQuery> = Query::from_request_parts(parts, state).await?;
        let (q, page) = (query.q.trim(), query.page.unwrap_or(1));
        if q.chars().count() > SEARCH || page == 0 {
            let detail = format!("q has at most {SEARCH} characters, and pages count from 1");
            return Err(Problem::new(BAD_REQUEST, detail));
        }
        Ok(Self {
            path: parts.uri.path().to_owned(),
            q: q.to_lowercase(),
            state: query.state,
            page,
            pages: 1,
            found: 0,
        })
    }
}

impl RowFilter {
    /// Whether a row with these texts is searched for: all words occur.
    fn finds(&self, texts: &[&str]) -> bool {
        // No word of a search has a line break, so that none is found across two texts.
        let text = texts.join("\n").to_lowercase();
        self.q.split_whitespace().all(|word| text.contains(word))
    }

    fn cut<T>(&mut self, rows: impl Iterator<Item = T>) -> Vec<T> {
        let rows: Vec<T> = rows.collect();
        self.found = rows.len();
        self.pages = self.found.div_ceil(ROWS).max(1);
        // Rows may be gone since the link to this page was made.
        self.page = self.page.min(self.pages);
        let skipped = (self.page - 1) * ROWS;
        rows.into_iter().skip(skipped).take(ROWS).collect()
    }

    /// The address of another page of the same list.
    fn address(&self, page: usize) -> String {
        let (path, q, state) = (&self.path, encoded(&self.q), encoded(&self.state));
        format!("{path}?state={state}&q={q}&page={page}")
    }
}

/// Percent-encodes all but letters and digits.
fn encoded(text: &str) -> String {
    let encode = |byte: u8| match byte {
        b if b.is_ascii_alphanumeric() => char::from(b).to_string(),
        // Whatever is encoded without need is read back all the same (RFC 3986, 2.3).
        b => format!("%{b:02X}"),
    };
    text.bytes().map(encode).collect()
}

/// What is at the head of every page of the moderators.
pub(super) struct Desk {
    pub(super) by: String,
    /// Number of lists that look like a program's and wait for a decision.
    pub(super) held: usize,
}

impl Desk {
    pub(super) async fn of(app: &App, Moderator(by): Moderator) -> Result<Self, Problem> {
        // The tabs show how many lists wait, wherever a moderator is.
        let held = app.service.held_lists().await?.len();
        Ok(Self { by, held })
    }
}

#[derive(Template)]
#[template(path = "admin.html")]
struct QueuePage {
    frame: Frame,
    desk: Desk,
    filter: RowFilter,
    items: Vec<(QueueItem, Drawing)>,
    waiting: usize,
}

pub(super) async fn queue(
    State(app): State<App>,
    moderator: Moderator,
    mut filter: RowFilter,
) -> Result<Response, Problem> {
    let all = app.service.queue().await?;
    let is_open = |item: &QueueItem| item.state == QueueState::Open;
    let waiting = all.iter().filter(|item| is_open(item)).count();
    let is_decided = filter.state == "decided";
    let found = all.into_iter().filter(|item| {
        let id = item.position_id.to_string();
        let by = item.decided_by.as_deref().unwrap_or("");
        is_open(item) != is_decided && filter.finds(&[&item.name, &item.fen, &id, by])
    });
    let found: Vec<QueueItem> = found.collect();
    let items = filter.cut(found.into_iter()).into_iter();
    let drawn = |item: QueueItem| {
        let drawing = Drawing::at(&item.fen, Color::White);
        (item, drawing.without_edge())
    };
    page(&QueuePage {
        frame: Frame::new("admin"),
        desk: Desk::of(&app, moderator).await?,
        items: items.map(drawn).collect(),
        filter,
        waiting,
    })
}

/// What a moderator is asked to confirm.
pub(super) enum Asked {
    Nothing,
    Decide(Resolution, String),
    Reverse,
}

#[derive(Template)]
#[template(path = "admin-item.html")]
struct ItemPage {
    frame: Frame,
    desk: Desk,
    item: QueueItem,
    questions: Vec<Question>,
    drawing: Drawing,
    asked: Asked,
}

impl ItemPage {
    fn is_quiet(&self) -> bool {
        matches!(self.asked, Asked::Nothing)
    }

    /// The moves that would be published against the rules, with what the crowd's answer makes of
    /// them.
    fn against_the_rules(&self) -> Vec<&Question> {
        let differs = |one: &&Question| one.crowd_says != one.generator_says;
        self.questions.iter().filter(differs).collect()
    }
}

pub(super) async fn item(
    State(app): State<App>,
    moderator: Moderator,
    Path(id): Path<i64>,
) -> Result<Response, Problem> {
    item_page(&app, moderator, id, Asked::Nothing).await
}

pub(super) async fn item_page(
    app: &App,
    moderator: Moderator,
    id: i64,
    asked: Asked,
) -> Result<Response, Problem> {
    let Some(item) = app.service.queue_item(id).await? else {
        let detail = format!("there is no item {id} in the queue");
        return Err(Problem::new(NOT_FOUND, detail));
    };
    let questions = app.service.questions(&item)?;
    let moves = |is_legal: bool| {
        let so = questions
            .iter()
            .filter(move |one| one.generator_says == is_legal);
        so.map(|one| (&one.mv, one.mv.to_string()))
    };
    let drawing = Drawing::at(&item.fen, Color::White)
        .with_titled(Look::Good, moves(true))
        .with_titled(Look::Bad, moves(false));
    page(&ItemPage {
        frame: Frame::new("admin"),
        desk: Desk::of(app, moderator).await?,
        drawing,
        questions,
        item,
        asked,
    })
}

/// The flags of one contributor, newest first.
struct Flagged {
    contributor: i64,
    name: String,
    quarantined: bool,
    flags: Vec<flag::Model>,
}

#[derive(Template)]
#[template(path = "admin-flags.html")]
struct FlagsPage {
    frame: Frame,
    desk: Desk,
    filter: RowFilter,
    people: Vec<Flagged>,
}

pub(super) async fn flags(
    State(app): State<App>,
    moderator: Moderator,
    mut filter: RowFilter,
) -> Result<Response, Problem> {
    let mut people: BTreeMap<i64, Flagged> = BTreeMap::new();
    for FlagItem {
        flag,
        name,
        quarantined,
    } in app.service.flags().await?
    {
        let contributor = flag.contributor_id;
        let of_one = people.entry(contributor).or_insert_with(|| Flagged {
            contributor,
            name: called(name.as_deref(), contributor),
            quarantined,
            flags: Vec::new(),
        });
        of_one.flags.push(flag);
    }
    let is_wanted = |one: &Flagged| match filter.state.as_str() {
        "quarantined" => one.quarantined,
        "counted" => !one.quarantined,
        _ => true,
    };
    let found = people.into_values().filter(|one| {
        let kinds = one.flags.iter().map(|flag| flag.kind.as_str());
        let kinds = kinds.collect::<Vec<_>>().join("\n");
        is_wanted(one) && filter.finds(&[&one.name, &kinds])
    });
    let mut found: Vec<Flagged> = found.collect();
    // Those with most flags come first.
    found.sort_by_key(|one| std::cmp::Reverse(one.flags.len()));
    page(&FlagsPage {
        frame: Frame::new("admin"),
        desk: Desk::of(&app, moderator).await?,
        people: filter.cut(found.into_iter()),
        filter,
    })
}

#[derive(Template)]
#[template(path = "admin-positions.html")]
struct PositionsPage {
    frame: Frame,
    desk: Desk,
    filter: RowFilter,
    positions: Vec<PositionOverview>,
}

pub(super) async fn positions(
    State(app): State<App>,
    moderator: Moderator,
    mut filter: RowFilter,
) -> Result<Response, Problem> {
    let all = app.service.positions_overview().await?.into_iter();
    let found = all.filter(|one| {
        let is_wanted = filter.state.is_empty() || one.state.as_str() == filter.state;
        let id = one.id.to_string();
        is_wanted && filter.finds(&[&one.campaign, &one.name, &one.fen, &id])
    });
    let found: Vec<PositionOverview> = found.collect();
    page(&PositionsPage {
        frame: Frame::new("admin"),
        desk: Desk::of(&app, moderator).await?,
        positions: filter.cut(found.into_iter()),
        filter,
    })
}

#[derive(Template)]
#[template(path = "admin-log.html")]
struct LogPage {
    frame: Frame,
    desk: Desk,
    filter: RowFilter,
    deeds: Vec<deed::Model>,
}

pub(super) async fn log(
    State(app): State<App>,
    moderator: Moderator,
    mut filter: RowFilter,
) -> Result<Response, Problem> {
    let all = app.service.deeds().await?.into_iter();
    let found = all.filter(|one| {
        let subject = one.subject.map(|id| id.to_string()).unwrap_or_default();
        filter.finds(&[&one.moderator, one.act.as_str(), &one.detail, &subject])
    });
    let found: Vec<deed::Model> = found.collect();
    page(&LogPage {
        frame: Frame::new("admin"),
        desk: Desk::of(&app, moderator).await?,
        deeds: filter.cut(found.into_iter()),
        filter,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn filter(q: &str, page: usize) -> RowFilter {
        RowFilter {
            path: "/admin".to_owned(),
            q: q.to_owned(),
            state: String::new(),
            page,
            pages: 1,
            found: 0,
        }
    }

    #[test]
    fn lists_come_in_pages() {
        let mut last = filter("", 9);
        assert_eq!(last.cut(0..41), [40]);
        assert_eq!((last.page, last.pages, last.found), (3, 3, 41));
        assert_eq!(filter("", 2).cut(0..41), (20..40).collect::<Vec<_>>());
        assert_eq!(filter("", 1).cut(0..0), Vec::<i32>::new());
        let found = filter("e4 ä", 1);
        assert_eq!(found.address(2), "/admin?state=&q=e4%20%C3%A4&page=2");
    }

    #[test]
    fn every_word_is_searched_for() {
        assert!(filter("thesis b1", 1).finds(&["Thesis.b11", "4k3"]));
        assert!(!filter("thesis b2", 1).finds(&["Thesis.b11", "4k3"]));
        assert!(filter("", 1).finds(&[]));
    }
}
