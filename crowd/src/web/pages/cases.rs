//! The page of the test cases.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use chess::rules::Color;

use super::drawing::Drawing;
use super::{Frame, Pager, page};
use crate::service::TestCase;
use crate::web::api::PageQuery;
use crate::web::state::App;
use web::extract::Query;
use web::problem::Problem;

/// Number of boards of a page.
const BOARDS: usize = 24;

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
        crate::service::day(self.case.certified_at)
    }

    /// How much of it people overlook, if lists of it are evaluated.
    fn overlooked(&self) -> Option<String> {
        let share = self.case.difficulty?;
        Some(percent(share.overlooked))
    }
}

/// The test cases as boards.
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

/// The value of a variable in translated texts.
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
