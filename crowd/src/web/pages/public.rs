//! The pages for everybody: one template each.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use chess::rules::Color;
use serde::Deserialize;

use super::drawing::Drawing;
use super::{Frame, Pager, page};
use crate::model::PositionState;
use crate::play::OpponentLevel;
use crate::service::{ClosedPosition, ContributorId, Period};
use crate::trust::Ranked;
use crate::web::problem::KINDS;
use crate::web::session::Caller;
use crate::web::state::{App, now};
use web::extract::{Path, Query};
use web::problem::{NOT_FOUND, Problem, ProblemKind};

#[derive(Template)]
#[template(path = "play.html")]
struct Play {
    frame: Frame,
}

impl Play {
    /// "920 Elo".
    fn strength(&self, level: OpponentLevel) -> String {
        if level.strength().is_some() {
            level.title()
        } else {
            self.frame.text("game-full-strength")
        }
    }
}

pub(super) async fn play() -> Result<Response, Problem> {
    page(&Play {
        frame: Frame::new("play").with_script("play/main.js"),
    })
}

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
    kind: &'static ProblemKind,
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
    let kind = ProblemKind::find(KINDS, &slug)?;
    page(&ProblemPage {
        frame: Frame::new("about"),
        kind,
    })
}

#[derive(Template)]
#[template(path = "leaderboard.html")]
struct Leaderboard {
    frame: Frame,
    period: Period,
    rows: Vec<(Ranked, Option<String>)>,
    you: Option<ContributorId>,
    pager: Pager,
    /// The address of the page with one's own row, if it is another.
    yours: Option<String>,
}

impl Leaderboard {
    const PERIODS: [Period; 4] = [Period::All, Period::Week, Period::LastWeek, Period::Day];

    fn is_you(&self, row: &Ranked) -> bool {
        self.you == Some(ContributorId(row.record.contributor_id))
    }
}

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardQuery {
    /// `day`, the current UTC day; `week`, the current ISO week, or `last-week`; or `all`, the default.
    #[serde(default)]
    period: Option<Period>,
    /// The page, from 1, the default; fifty rows each.
    #[serde(default)]
    page: Option<u32>,
}

pub(super) async fn leaderboard(
    State(app): State<App>,
    caller: Option<Caller>,
    Query(query): Query<BoardQuery>,
) -> Result<Response, Problem> {
    let period = query.period.unwrap_or(Period::All);
    let you = caller.map(|Caller(caller)| caller.id);
    let page_wanted = query.page.unwrap_or(1);
    let board = app.service.leaderboard(period, page_wanted, you, now());
    let board = board.await?;
    let pager = Pager::new(&format!("{}&", address(period)), board.page, board.pages);
    // A link to the page that is shown would lead nowhere.
    let yours = board.yours.filter(|&yours| yours != board.page);
    page(&Leaderboard {
        frame: Frame::new("leaderboard"),
        period,
        rows: board.rows,
        you,
        yours: yours.map(|yours| pager.address(yours)),
        pager,
    })
}

fn address(period: Period) -> String {
    format!("/leaderboard?period={period}")
}

#[derive(Template)]
#[template(path = "position.html")]
struct PositionPage {
    frame: Frame,
    position: ClosedPosition,
    drawing: Drawing,
    why_open: &'static str,
}

/// A position whose answer is public, with common mistakes.
pub(super) async fn position(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(id): Path<i64>,
) -> Result<Response, Problem> {
    let viewer = caller.map(|Caller(caller)| caller.id);
    let Some(mut position) = app.service.position_page(id, viewer).await? else {
        // The answer is the same for both, so that nobody learns which positions are open.
        let detail = "there is no such position, or people still list its moves";
        return Err(Problem::new(NOT_FOUND, detail));
    };
    let frame = Frame::new("cases");
    let language = frame.language;
    language.explain_in(&position.fen, &mut position.mistakes);
    page(&PositionPage {
        drawing: Drawing::at(&position.fen, Color::White),
        frame,
        why_open: why_open(&position),
        position,
    })
}

/// The value of a variable in translated texts; an open position has no page.
fn why_open(position: &ClosedPosition) -> &'static str {
    match position.state {
        PositionState::Agreed => "agreed",
        PositionState::Gold => "gold",
        PositionState::Retired
        | PositionState::Open
        | PositionState::Disputed
        | PositionState::Lesson => "retired",
    }
}
