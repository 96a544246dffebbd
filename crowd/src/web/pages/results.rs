use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::diagram::Diagram;
use super::{Frame, page};
use crate::clock;
use crate::model::{MoveText, moves_of};
use crate::service::{AssignmentState, OwnResult, Progress};
use crate::web::api::read_token;
use crate::web::extract::Path;
use crate::web::problem::Problem;
use crate::web::session::Caller;
use crate::web::state::App;

#[derive(Template)]
#[template(path = "results.html")]
struct Results {
    frame: Frame,
    list: AssignmentState,
    result: OwnResult,
    diagram: Diagram,
}

impl Results {
    fn is_open(&self) -> bool {
        self.list.state == Progress::Open
    }

    /// The list as it is; empty for a second look.
    fn moves(&self) -> Vec<MoveText> {
        moves_of(&self.list.events)
    }

    fn side_to_move(&self) -> &'static str {
        match self.list.assignment.position.fen.split(' ').nth(1) {
            Some("b") => "Black",
            _ => "White",
        }
    }
}

/// The result of one's own list.
pub(super) async fn results(
    State(app): State<App>,
    Caller(caller): Caller,
    Path(token): Path<String>,
) -> Result<Response, Problem> {
    let token = read_token(&token)?;
    let now = clock::now();
    let list = app.service.assignment(caller.id, &token, now).await?;
    let result = app.service.result(caller.id, &token, now).await?;
    page(&Results {
        frame: Frame::new("contribute"),
        diagram: Diagram::of(&list.assignment.position.fen),
        list,
        result,
    })
}
