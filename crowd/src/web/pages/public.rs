//! The pages for everybody: one template each.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use chess::rules::Color;

use super::drawing::{Drawing, Look};
use super::{Frame, Pager, page};
use crate::model::{Mode, MoveText, PositionState, Progress, Side, moves_of};
use crate::play::OpponentLevel;
use crate::service::{
    AssignmentState, BoardRow, ClosedPosition, ContributorId, GivenPosition, OwnResult, Period,
};
use crate::web::api::{BoardQuery, closed_position, explain_result};
use crate::web::problem::KINDS;
use crate::web::session::{Caller, Own};
use crate::web::state::{App, now};
use web::extract::{Path, Query};
use web::problem::{Problem, ProblemKind};

#[derive(Template)]
#[template(path = "contribute.html")]
struct Contribute {
    frame: Frame,
}

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

pub(super) async fn contribute() -> Result<Response, Problem> {
    page(&Contribute {
        frame: Frame::new("contribute").with_script("contribute/page.js"),
    })
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
    modes: Vec<Tab>,
    periods: Vec<Tab>,
    rows: Vec<PublicRow>,
    pager: Pager,
    /// The address of the page with one's own row, if it is another.
    yours: Option<String>,
}

struct Tab {
    title: String,
    href: String,
    is_here: bool,
}

struct PublicRow {
    rank: i64,
    name: Option<String>,
    /// What is shown if there is no name.
    anonymous: String,
    points: i64,
    lists: i64,
    right: i64,
    decisions: i64,
    is_you: bool,
}

pub(super) async fn leaderboard(
    State(app): State<App>,
    caller: Option<Caller>,
    Query(query): Query<BoardQuery>,
) -> Result<Response, Problem> {
    let (mode, period) = (query.mode()?, query.period());
    let you = caller.map(|Caller(caller)| caller.id);
    let service = &app.service;
    let board = service.leaderboard((mode, period), query.page(), you, now());
    let board = board.await?;
    let pager = Pager::new(
        &format!("{}&", address(mode, period)),
        board.page,
        board.pages,
    );
    // A link to the page that is shown would lead nowhere.
    let yours = board.yours.filter(|&yours| yours != board.page);
    let frame = Frame::new("leaderboard");
    let modes = std::iter::once(None)
        .chain(Mode::ALL.map(Some))
        .map(|other| Tab {
            title: frame.text(title_of(other)),
            href: address(other, period),
            is_here: other == mode,
        });
    let of_period = |title, other| Tab {
        title: frame.text(title),
        href: address(mode, other),
        is_here: other == period,
    };
    page(&Leaderboard {
        modes: modes.collect(),
        periods: vec![
            of_period("period-all", Period::All),
            of_period("period-week", Period::Week),
            of_period("period-last-week", Period::LastWeek),
            of_period("period-day", Period::Day),
        ],
        rows: board
            .rows
            .iter()
            .map(|row| shown(&frame, row, you))
            .collect(),
        yours: yours.map(|yours| pager.address(yours)),
        pager,
        frame,
    })
}

fn shown(frame: &Frame, row: &BoardRow, you: Option<ContributorId>) -> PublicRow {
    PublicRow {
        rank: row.rank,
        name: row.name.clone(),
        anonymous: frame.count("anonymous", row.id.0),
        points: row.points,
        lists: row.lists,
        right: row.right,
        decisions: row.decisions,
        is_you: you == Some(row.id),
    }
}

/// The address of the contribute page in a mode, for a campaign or for any.
pub(super) fn contribute_address(mode: Mode, campaign: Option<&str>) -> String {
    match campaign {
        // Names of campaigns need no escaping.
        Some(campaign) => format!("/contribute?mode={mode}&campaign={campaign}"),
        None => format!("/contribute?mode={mode}"),
    }
}

pub(super) fn title(mode: Option<Mode>) -> &'static str {
    match mode {
        // The moderators' pages, which have these names, are in English only.
        None => "All modes",
        Some(Mode::Calm) => "Calm",
        Some(Mode::Timed) => "Timed",
        Some(Mode::Pair) => "Pair",
        Some(Mode::Missing) => "What others miss",
        Some(Mode::Review) => "Second look",
    }
}

/// The text that names a mode or all of them.
fn title_of(mode: Option<Mode>) -> &'static str {
    match mode {
        None => "mode-all",
        Some(Mode::Calm) => "mode-calm",
        Some(Mode::Timed) => "mode-timed",
        Some(Mode::Pair) => "mode-pair",
        Some(Mode::Missing) => "mode-missing",
        Some(Mode::Review) => "mode-review",
    }
}

fn address(mode: Option<Mode>, period: Period) -> String {
    let mode = mode.map_or("all", Mode::as_str);
    let period = match period {
        Period::Day => "day",
        Period::Week => "week",
        Period::LastWeek => "last-week",
        Period::All => "all",
    };
    format!("/leaderboard?mode={mode}&period={period}")
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
    let mut position = closed_position(&app, caller, id).await?;
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
        PositionState::Retired | PositionState::Open | PositionState::Disputed => "retired",
    }
}

#[derive(Template)]
#[template(path = "results.html")]
struct Results {
    frame: Frame,
    list: AssignmentState,
    result: OwnResult,
    drawing: Drawing,
}

impl Results {
    fn is_open(&self) -> bool {
        self.list.state == Progress::Open
    }

    /// The list as it is; empty for a second look.
    fn moves(&self) -> Vec<MoveText> {
        moves_of(&self.list.events)
    }

    /// The address where this list is continued, or the next one begins.
    fn contribute(&self) -> String {
        let given = &self.list.assignment;
        contribute_address(given.mode, given.campaign.as_deref())
    }

    fn turn(&self) -> String {
        let side = match self.list.assignment.position.side_to_move {
            Side::White => "white",
            Side::Black => "black",
        };
        let side = [("side", side.into())];
        self.frame.language.text("results-turn", &side)
    }

    /// How many of the legal moves were found.
    fn share(&self, found: usize, missed: usize) -> String {
        let values = [("found", found.into()), ("of", (found + missed).into())];
        self.frame.language.text("results-share", &values)
    }
}

pub(super) async fn results(
    State(app): State<App>,
    Own(caller, token): Own,
) -> Result<Response, Problem> {
    let list = app.service.assignment(caller, &token, now()).await?;
    let mut result = app.service.result(caller, &token).await?;
    explain_result(&list.assignment.position, &mut result);
    let frame = Frame::new("contribute");
    page(&Results {
        drawing: lesson(&frame, &list.assignment.position, &result),
        frame,
        list,
        result,
    })
}

/// The position with the moves that were missed, and those that are not legal, if the answer is known.
fn lesson(frame: &Frame, position: &GivenPosition, result: &OwnResult) -> Drawing {
    let below = match position.side_to_move {
        Side::White => Color::White,
        Side::Black => Color::Black,
    };
    let drawing = Drawing::at(&position.fen, below).labelled(frame.position(&position.fen));
    let OwnResult::Known { missed, wrong, .. } = result else {
        return drawing;
    };
    drawing
        .with(Look::Missed, missed.iter().map(|shown| &shown.mv))
        .with(Look::Wrong, wrong.iter().map(|shown| &shown.mv))
}

#[cfg(test)]
mod tests {
    use super::super::translated::assert_translated;
    use super::*;
    use crate::model::{ListEvent, Op, Timestamp};
    use crate::service::{Assignment, Shown};

    #[test]
    fn contributing_is_translated() {
        let frame = || Frame::new("contribute");
        assert_translated(|| Contribute { frame: frame() }.render());
    }

    fn results_page(state: Progress, result: OwnResult) -> Results {
        let fen = "k7/8/K7/8/8/8/8/8 w - - 0 1";
        let list = AssignmentState {
            assignment: Assignment {
                token: "0".repeat(43).parse().expect("a token"),
                mode: Mode::Calm,
                campaign: None,
                position: GivenPosition {
                    id: 1,
                    fen: fen.to_owned(),
                    chess960: false,
                    side_to_move: Side::White,
                },
                issued_at: Timestamp(0),
                expires_at: Timestamp(0),
                time_limit_ms: None,
                questions: None,
                partner: None,
                again: false,
            },
            state,
            events: vec![ListEvent {
                seq: 1,
                op: Op::Add,
                mv: "a6b6".parse().expect("a move"),
                at_ms: 1,
            }],
        };
        let frame = Frame::new("contribute");
        Results {
            drawing: lesson(&frame, &list.assignment.position, &result),
            frame,
            list,
            result,
        }
    }

    #[test]
    fn the_page_of_a_list_is_translated() {
        let shown = || Shown {
            mv: "a6b6".parse().expect("a move"),
            san: None,
            why: Some("1".to_owned()),
        };
        let known = |late, count| OwnResult::Known {
            points: 3,
            late,
            found: vec![shown(); count],
            missed: vec![shown(); count],
            wrong: vec![shown(); count],
        };
        for (state, result) in [
            (Progress::Open, OwnResult::Waiting),
            (Progress::Finished, OwnResult::Waiting),
            (Progress::Finished, OwnResult::Held),
            (Progress::Finished, OwnResult::Closed { points: 1 }),
            (Progress::Finished, known(true, 0)),
            (Progress::Finished, known(false, 1)),
        ] {
            assert_translated(|| results_page(state, result).render());
        }
    }
}
