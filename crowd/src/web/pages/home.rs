use askama::Template;
use axum::extract::State;
use axum::response::Response;

use super::{Frame, page};
use crate::clock;
use crate::service::{Counts, Standing};
use crate::web::problem::Problem;
use crate::web::session::Caller;
use crate::web::state::App;

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    counts: Counts,
    standing: Option<Standing>,
}

/// Introduction, how to begin, and overall progress.
pub(super) async fn home(
    State(app): State<App>,
    caller: Option<Caller>,
) -> Result<Response, Problem> {
    let standing = match caller {
        Some(Caller(caller)) => Some(app.service.standing(caller.id, clock::now()).await?),
        None => None,
    };
    page(&Home {
        frame: Frame::new("home"),
        counts: app.service.counts().await?,
        standing,
    })
}
