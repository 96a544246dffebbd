//! `/check`: a position and a pasted list or divide; what is missing or wrong, on the board. Plain
//! forms, no script.

use std::time::Duration;

use askama::Template;
use axum::Router;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use chess::rules::Color;
use serde::Deserialize;
use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;

use super::drawing::{Drawing, Look, MOST_ARROWS};
use super::{Frame, page};
use crate::model::MoveText;
use crate::verify::{Counts, Pasted, check_pasted, read_position};
use crate::web::state::App;
use web::extract::{Form, Query};
use web::problem::{BUSY, Problem};

/// Positions are counted two at a time, so that the rest of the site stays quick.
static ROOM: Semaphore = Semaphore::const_new(2);
/// How long a check waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);

#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    #[serde(default)]
    fen: String,
    #[serde(default)]
    list: String,
}

#[derive(Template)]
#[template(path = "check.html")]
struct CheckPage {
    frame: Frame,
    given: Given,
    /// Why the position cannot be read.
    error: Option<String>,
    checked: Option<Checked>,
}

struct Checked {
    pasted: Pasted,
    drawing: Drawing,
}

impl Checked {
    const MOST: usize = MOST_ARROWS;
}

pub(super) fn router() -> Router<App> {
    Router::new().route("/check", get(form).post(check))
}

/// The form; with a position if a link gives one.
async fn form(Query(given): Query<Given>) -> Result<Response, Problem> {
    page(&CheckPage {
        frame: Frame::new("check"),
        given,
        error: None,
        checked: None,
    })
}

async fn check(Form(given): Form<Given>) -> Result<Response, Problem> {
    let position = match read_position(&given.fen) {
        Ok(position) => position,
        Err(error) => {
            let mut page = page(&CheckPage {
                frame: Frame::new("check"),
                given,
                error: Some(error.to_string()),
                checked: None,
            })?;
            *page.status_mut() = StatusCode::BAD_REQUEST;
            return Ok(page);
        }
    };
    let Ok(permit) = timeout(PATIENCE, ROOM.acquire()).await else {
        let detail = "too many positions are being checked; try again";
        return Err(Problem::new(BUSY, detail).retry_after(PATIENCE.as_secs()));
    };
    let permit = permit.expect("the semaphore is never closed");
    let list = given.list.clone();
    let pasted = spawn_blocking(move || check_pasted(&position, &list)).await;
    drop(permit);
    let pasted = pasted.map_err(|error| Problem::internal(&error))?;
    let checked = Checked {
        drawing: drawing(&pasted),
        pasted,
    };
    page(&CheckPage {
        frame: Frame::new("check"),
        given,
        error: None,
        checked: Some(checked),
    })
}

/// The position with the moves that are missing, those that are wrong, and those with another count.
fn drawing(pasted: &Pasted) -> Drawing {
    let listed = &pasted.listed;
    let missing: Vec<(MoveText, &str)> = listed
        .missing
        .iter()
        .filter_map(|named| Some((named.uci.parse().ok()?, named.why.as_str())))
        .collect();
    let missing = missing.iter().map(|(mv, why)| (mv, (*why).to_owned()));
    let wrong = listed.wrong.iter();
    let wrong = wrong.map(|one| (&one.squares, one.why.clone()));
    let counts = match &pasted.counts {
        Counts::Compared { wrong, .. } => &wrong[..],
        Counts::None | Counts::TooDeep => &[],
    };
    let counts = counts.iter().map(|one| {
        let title = format!(
            "{}: {} counted, {} are right",
            one.squares, one.given, one.right
        );
        (&one.squares, title)
    });
    Drawing::at(&listed.fen, None, Color::White)
        .with_titled(Look::Missed, missing)
        .with_titled(Look::Wrong, wrong)
        .with_titled(Look::Count, counts)
}
