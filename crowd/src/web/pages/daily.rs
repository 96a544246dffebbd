//! Home: the board of the day.

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use web::problem::Problem;

use super::drawing::Drawing;
use super::{Frame, page};
use crate::daily::Day;
use crate::service::{DailyProgress, DailyToday, PersonCounts, Standing};
use crate::web::session::Caller;
use crate::web::state::{App, now};

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    board: Board,
    today: DailyToday,
    week: Vec<Weekday>,
    counts: PersonCounts,
    standing: Option<Standing>,
}

/// What the page needs of the board.
struct Board {
    day: String,
    /// "Thursday, 26 November 2026".
    date: String,
    progress: &'static str,
    cover: Drawing,
}

impl Board {
    fn new(frame: &Frame, day: Day, progress: DailyProgress) -> Self {
        Self {
            day: day.to_string(),
            date: frame.filled(
                "date-weekday",
                &[
                    ("weekday", weekday(frame, day).into()),
                    ("date", date(frame, day).into()),
                ],
            ),
            progress: match progress {
                DailyProgress::New => "new",
                DailyProgress::Open => "open",
                DailyProgress::Finished => "finished",
            },
            cover: Drawing::empty(&frame.text("daily-covered")),
        }
    }
}

/// "Thursday".
fn weekday(frame: &Frame, day: Day) -> String {
    frame.count("weekday", i64::from(day.weekday().number_from_monday()))
}

/// "26 November 2026".
fn date(frame: &Frame, day: Day) -> String {
    let date = day.date();
    let month = frame.count("month", i64::from(u8::from(date.month())));
    let values = [
        ("day", date.day().into()),
        ("month", month.into()),
        ("year", date.year().into()),
    ];
    frame.filled("date", &values)
}

struct Weekday {
    name: String,
    letter: String,
    is_done: bool,
}

pub(super) async fn home(
    State(app): State<App>,
    caller: Option<Caller>,
) -> Result<Response, Problem> {
    let now = now();
    let caller = caller.map(|Caller(caller)| caller.id);
    let standing = match caller {
        Some(id) => Some(app.service.standing(id, now).await?),
        None => None,
    };
    let day = Day::from_timestamp(now);
    // Home shows no result, which would have to be computed.
    let today = app.service.daily_outline(caller, now).await?;
    let frame = Frame::new("home").with_script("daily/page.js");
    let week = (0..7).rev().zip(&today.week).map(|(ago, &is_done)| {
        let name = weekday(&frame, day.before(ago));
        Weekday {
            letter: name.chars().take(1).collect(),
            name,
            is_done,
        }
    });
    page(&Home {
        board: Board::new(&frame, day, today.progress),
        week: week.collect(),
        counts: app.service.counts().await?,
        today,
        standing,
        frame,
    })
}
