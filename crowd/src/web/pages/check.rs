//! `/check`: a position and a pasted list or divide; what is missing or wrong, on the board. Plain
//! forms, no script.

use askama::Template;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::StatusCode;
use axum::response::Response;
use axum::routing::get;
use chess::rules::{Color, Position};
use serde::Deserialize;

use super::drawing::{Drawing, Look, MOST_ARROWS};
use super::{Frame, page};
use crate::model::MoveText;
use crate::verify::{DivideCounts, Listed, Pasted, Unreadable, check_pasted, read_pasted_position};
use crate::web::compute::compute;
use crate::web::state::App;
use web::extract::{Form, Query};
use web::problem::{Problem, TOO_LARGE};

/// Maximum size of a form in bytes: a character of three bytes takes nine.
const MOST_BYTES: usize = 512 * 1024;
/// Maximum length of a pasted text in bytes: dozens of divides fit, and one is enough.
const MOST_TEXT: usize = 100_000;

#[derive(Debug, Default, Deserialize)]
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
    error: Option<String>,
    checked: Option<Checked>,
}

impl CheckPage {
    /// The reason alone: the move stands before it.
    fn reason(why: &str) -> &str {
        why.split_once(": ").map_or(why, |(_, reason)| reason)
    }
}

struct Checked {
    pasted: Pasted,
    drawing: Drawing,
}

impl Checked {
    const MOST: usize = MOST_ARROWS;
}

pub(super) fn router() -> Router<App> {
    let form = get(form).post(check);
    Router::new().route("/check", form.layer(DefaultBodyLimit::max(MOST_BYTES)))
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
    let position = match read_pasted_position(&given.fen) {
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
    if given.list.len() > MOST_TEXT {
        let bytes = given.list.len();
        let detail =
            format!("the text has {bytes} bytes, and at most {MOST_TEXT} are checked at once");
        return Err(Problem::new(TOO_LARGE, detail));
    }
    let list = given.list.clone();
    let mut pasted = compute(move || check_pasted(&position, &list)).await?;
    let missing = &mut pasted.listed.missing;
    // People look for squares; the generator's order says nothing to them.
    missing.sort_by(|one, other| one.uci.cmp(&other.uci));
    let frame = Frame::new("check");
    explain(&frame, &position, &mut pasted.listed);
    let checked = Checked {
        drawing: drawing(&frame, &pasted),
        pasted,
    };
    page(&CheckPage {
        frame,
        given,
        error: None,
        checked: Some(checked),
    })
}

fn explain(frame: &Frame, position: &Position, listed: &mut Listed) {
    for named in &mut listed.missing {
        if let Ok(mv) = named.uci.parse() {
            named.why = frame.language.reason(position, &mv);
        }
    }
    for wrong in &mut listed.wrong {
        wrong.why = frame.language.reason(position, &wrong.squares);
    }
}

fn unread(frame: &Frame, reason: &Unreadable) -> String {
    if frame.language.is_english() {
        reason.to_string()
    } else {
        frame.text("check-unread")
    }
}

/// The position with the moves that are wrong, those with another count, and those that are missing, of which there may be
/// too many.
fn drawing(frame: &Frame, pasted: &Pasted) -> Drawing {
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
        DivideCounts::Compared { wrong, .. } => &wrong[..],
        DivideCounts::None | DivideCounts::TooDeep | DivideCounts::Totals { .. } => &[],
    };
    let counts = counts.iter().map(|one| {
        let values = [("given", one.given.into()), ("right", one.right.into())];
        let counted = frame.filled("check-count", &values);
        let title = format!("{}: {counted}", one.squares);
        (&one.squares, title)
    });
    Drawing::at(&listed.fen, Color::White)
        // Missing moves come last: if there are more arrows than fit, these are cut off.
        .with_titled(Look::Bad, wrong)
        .with_titled(Look::Count, counts)
        .with_titled(Look::Good, missing)
}
