use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::{Frame, called, page};
use crate::clock;
use crate::model::Mode;
use crate::service::{BoardRow, ContributorId, Period};
use crate::web::api::BoardQuery;
use crate::web::extract::Query;
use crate::web::problem::Problem;
use crate::web::session::Caller;
use crate::web::state::App;

#[derive(Template)]
#[template(path = "leaderboard.html")]
struct Leaderboard {
    frame: Frame,
    modes: Vec<Tab>,
    periods: Vec<Tab>,
    rows: Vec<Row>,
}

/// A link to another leaderboard.
struct Tab {
    title: &'static str,
    href: String,
    is_here: bool,
}

struct Row {
    rank: i64,
    name: String,
    points: i64,
    lists: i64,
    percent: String,
    is_you: bool,
}

/// The leaderboard of a mode and period.
pub(super) async fn leaderboard(
    State(app): State<App>,
    caller: Option<Caller>,
    Query(query): Query<BoardQuery>,
) -> Result<Response, Problem> {
    let (mode, period) = (query.mode()?, query.period());
    let rows = app.service.leaderboard(mode, period, clock::now()).await?;
    let you = caller.map(|Caller(caller)| caller.id);
    page(&Leaderboard {
        frame: Frame::new("leaderboard"),
        modes: mode_tabs(mode, period),
        periods: period_tabs(mode, period),
        rows: rows.iter().map(|row| shown(row, you)).collect(),
    })
}

fn shown(row: &BoardRow, you: Option<ContributorId>) -> Row {
    Row {
        rank: row.rank,
        name: called(row.name.as_deref(), row.id.0),
        points: row.points,
        lists: row.lists,
        percent: format!("{:.1} %", row.bound * 100.0),
        is_you: you == Some(row.id),
    }
}

fn mode_tabs(mode: Option<Mode>, period: Period) -> Vec<Tab> {
    let all = std::iter::once(None).chain(Mode::ALL.map(Some));
    all.map(|other| Tab {
        title: title(other),
        href: address(other, period),
        is_here: other == mode,
    })
    .collect()
}

fn period_tabs(mode: Option<Mode>, period: Period) -> Vec<Tab> {
    let tab = |title, other| Tab {
        title,
        href: address(mode, other),
        is_here: other == period,
    };
    vec![tab("All time", Period::All), tab("Today", Period::Day)]
}

fn title(mode: Option<Mode>) -> &'static str {
    match mode {
        None => "All modes",
        Some(Mode::Calm) => "Calm",
        Some(Mode::Timed) => "Timed",
        Some(Mode::Pair) => "Pair",
        Some(Mode::Missing) => "What others miss",
        Some(Mode::Review) => "Second look",
    }
}

fn address(mode: Option<Mode>, period: Period) -> String {
    let mode = mode.map_or("all", Mode::as_str);
    let period = match period {
        Period::Day => "day",
        Period::All => "all",
    };
    format!("/leaderboard?mode={mode}&period={period}")
}
