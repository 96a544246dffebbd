//! The moderators' page of lists that look like a program's.

use askama::Template;
use axum::Router;
use axum::extract::State;
use axum::response::{Redirect, Response};
use axum::routing::{get, post};
use serde::Deserialize;

use super::moderate::Desk;
use super::{Frame, page};
use crate::model::Purpose;
use crate::service::HeldList;
use crate::web::session::Moderator;
use crate::web::state::{App, now};
use web::extract::{Form, Path};
use web::problem::{NOT_FOUND, Problem};

pub(super) fn router() -> Router<App> {
    Router::new()
        .route("/admin/held", get(show))
        .route("/admin/held/{id}", post(decide))
}

#[derive(Template)]
#[template(path = "held.html")]
struct HeldPage {
    frame: Frame,
    desk: Desk,
    lists: Vec<HeldList>,
}

impl HeldPage {
    fn seconds(list: &HeldList) -> String {
        let tenths = list.row.took_ms() / 100;
        format!("{}.{}", tenths / 10, tenths % 10)
    }

    /// The moderators' pages are in English only.
    fn purpose(list: &HeldList) -> &'static str {
        match list.row.purpose {
            Purpose::Campaign => "List",
            Purpose::Timed => "Race",
            Purpose::Pair => "Pair",
            Purpose::Review => "Second look",
            Purpose::Daily => "Board of the day",
            Purpose::Class => "Class",
        }
    }
}

async fn show(State(app): State<App>, Moderator(by): Moderator) -> Result<Response, Problem> {
    let lists = app.service.held_lists().await?;
    page(&HeldPage {
        frame: Frame::new("admin"),
        desk: Desk {
            by,
            held: lists.len(),
        },
        lists,
    })
}

#[derive(Deserialize)]
struct HeldForm {
    counts: bool,
}

async fn decide(
    State(app): State<App>,
    Moderator(by): Moderator,
    Path(id): Path<i64>,
    Form(form): Form<HeldForm>,
) -> Result<Redirect, Problem> {
    let service = &app.service;
    let was_held = if form.counts {
        service.allow_list(id, &by, now()).await?
    } else {
        service.keep_list(id, &by, now()).await?
    };
    if !was_held {
        return Err(Problem::new(NOT_FOUND, format!("list {id} is not held")));
    }
    app.has_changed();
    Ok(Redirect::to("/admin/held"))
}
