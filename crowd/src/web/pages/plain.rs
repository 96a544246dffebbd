//! Pages whose content is created by scripts: contributing and playing.

use askama::Template;
use axum::response::Response;

use super::{Frame, page};
use crate::web::problem::Problem;

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

pub(super) async fn contribute() -> Result<Response, Problem> {
    page(&Contribute {
        frame: Frame::new("contribute"),
    })
}

pub(super) async fn play() -> Result<Response, Problem> {
    page(&Play {
        frame: Frame::new("play"),
    })
}
