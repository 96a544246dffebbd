//! The page of the test cases.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use chess::rules::Color;
use serde::Deserialize;

use super::drawing::Drawing;
use super::{Frame, Pager, page};
use crate::service::TestCase;
use crate::web::state::App;
use web::extract::Query;
use web::problem::Problem;

const BOARDS: usize = 24;

#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct PageQuery {
    /// The page, from 1, the default.
    #[serde(default)]
    page: Option<u32>,
}

impl PageQuery {
    /// The rows of the page, its number, and the number of pages, at least 1. Instead of a page after the last one, the
    /// last one.
    fn of<'a, T>(&self, all: &'a [T], rows: usize) -> (&'a [T], u32, u32) {
        let pages = all.len().div_ceil(rows).max(1);
        let page = (self.page.unwrap_or(1) as usize).clamp(1, pages);
        let first = (page - 1) * rows;
        let number = |n: usize| u32::try_from(n).unwrap_or(u32::MAX);
        let last = (first + rows).min(all.len());
        (&all[first..last], number(page), number(pages))
    }
}

#[derive(Template)]
#[template(path = "cases.html")]
struct CasesPage {
    frame: Frame,
    count: usize,
    boards: Vec<CaseBoard>,
    pager: Pager,
}

struct CaseBoard {
    case: TestCase,
    drawn: Drawing,
}

impl CaseBoard {
    fn side(&self) -> &'static str {
        side_to_move(&self.case.fen)
    }

    fn day(&self) -> String {
        self.case.certified_at.date().to_string()
    }

    /// How much of it people overlook, if lists of it are evaluated.
    fn overlooked(&self) -> Option<String> {
        let share = self.case.difficulty?;
        Some(percent(share.overlooked))
    }
}

pub(super) async fn cases(
    State(app): State<App>,
    Query(query): Query<PageQuery>,
) -> Result<Response, Problem> {
    let cases = app.service.test_cases().await?;
    let (shown, number, pages) = query.of(&cases, BOARDS);
    let board = |case: &TestCase| CaseBoard {
        drawn: Drawing::at(&case.fen, Color::White).without_edge(),
        case: case.clone(),
    };
    page(&CasesPage {
        frame: Frame::new("cases"),
        count: cases.len(),
        boards: shown.iter().map(board).collect(),
        pager: Pager::new("/cases?", number, pages),
    })
}

fn side_to_move(fen: &str) -> &'static str {
    match fen.split(' ').nth(1) {
        // The second field of a FEN is the side to move (PGN standard, 16.1.3.2).
        Some("b") => "black",
        _ => "white",
    }
}

fn percent(share: f64) -> String {
    let percent = share * 100.0;
    // Less than 0.05 % is written as 0 too.
    if (0.05..10.0).contains(&percent) {
        format!("{percent:.1} %")
    } else {
        format!("{percent:.0} %")
    }
}
