use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::diagram::Diagram;
use super::{Frame, page};
use crate::service::{ClosedPosition, PositionState, TestCase};
use crate::web::api::closed_position;
use crate::web::extract::Path;
use crate::web::problem::Problem;
use crate::web::session::Caller;
use crate::web::state::App;

#[derive(Template)]
#[template(path = "cases.html")]
struct CasesPage {
    frame: Frame,
    cases: Vec<TestCase>,
}

#[derive(Template)]
#[template(path = "position.html")]
struct PositionPage {
    frame: Frame,
    position: ClosedPosition,
    diagram: Diagram,
    why_open: &'static str,
}

/// All test cases, with download links.
pub(super) async fn cases(State(app): State<App>) -> Result<Response, Problem> {
    page(&CasesPage {
        frame: Frame::new("cases"),
        cases: app.service.test_cases().await?,
    })
}

/// A position whose answer is public, with common mistakes.
pub(super) async fn position(
    State(app): State<App>,
    caller: Option<Caller>,
    Path(id): Path<i64>,
) -> Result<Response, Problem> {
    let position = closed_position(&app, caller, id).await?;
    page(&PositionPage {
        frame: Frame::new("cases"),
        diagram: Diagram::of(&position.fen),
        why_open: why_open(position.state),
        position,
    })
}

fn why_open(state: PositionState) -> &'static str {
    match state {
        PositionState::Gold => "Its moves were known from the start; people are measured by it.",
        PositionState::Agreed => "People and the generator agree: it is a test case.",
        PositionState::Retired => "A moderator has closed it.",
        PositionState::Open | PositionState::Disputed => "",
    }
}
