//! The board of the day: home, the boards of the days before, and the pages that other sites may embed.

use askama::Template;
use askama::filters::Safe;
use axum::extract::{Request, State};
use axum::http::header;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};
use chess::notation::fen;
use chess::rules::{Color, Position};
use serde::Deserialize;
use web::extract::{Path, Query};
use web::layers::{CONTENT_POLICY, wants_page};
use web::problem::{BAD_REQUEST, NOT_FOUND, Problem};

use super::drawing::{self, Drawing, Look};
use super::{Frame, page};
use crate::daily::Day;
use crate::model::{MoveText, Side};
use crate::service::{DailyProgress, DailyToday, PastBoard, PersonCounts, Standing};
use crate::verify::read_pasted_position;
use crate::web::session::Caller;
use crate::web::state::{App, now};

#[derive(Template)]
#[template(path = "home.html")]
struct Home {
    frame: Frame,
    board: Board,
    today: DailyToday,
    week: Vec<Weekday>,
    yesterday: Past,
    counts: PersonCounts,
    standing: Option<Standing>,
}

/// What the board of a page needs, whichever day it is of.
struct Board {
    day: String,
    /// "Thursday, 26 November 2026".
    date: String,
    is_past: bool,
    progress: &'static str,
    cover: Drawing,
}

impl Board {
    fn new(frame: &Frame, day: Day, is_past: bool, progress: DailyProgress) -> Self {
        Self {
            day: day.to_string(),
            date: frame.filled(
                "date-weekday",
                &[
                    ("weekday", weekday(frame, day).into()),
                    ("date", date(frame, day).into()),
                ],
            ),
            is_past,
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

/// A board of a day that is over, as it is drawn.
struct Past {
    board: PastBoard,
    drawing: Drawing,
    /// The value of a variable in translated texts.
    side: &'static str,
}

impl Past {
    /// With an arrow for the move that most people overlooked, if anybody did.
    fn new(board: PastBoard, with_arrow: bool) -> Result<Self, Problem> {
        let position = read(&board.fen)?;
        let color = match board.side_to_move {
            Side::White => Color::White,
            Side::Black => Color::Black,
        };
        let most = board
            .moves
            .first()
            .filter(|one| with_arrow && one.missed > 0);
        let arrows = most.map(|one| &one.mv);
        Ok(Self {
            drawing: Drawing::from_position(&position, color).with(Look::Plain, arrows),
            side: drawing::side(color),
            board,
        })
    }

    fn small(self) -> Self {
        Self {
            drawing: self.drawing.without_edge(),
            ..self
        }
    }

    fn date(&self, frame: &Frame) -> String {
        date(frame, self.board.day)
    }

    /// A text of the side and the number of its moves.
    fn had(&self, frame: &Frame, key: &str) -> String {
        let values = [
            ("side", self.side.into()),
            ("n", self.board.moves.len().into()),
        ];
        frame.filled(key, &values)
    }

    /// A text of the move that most people overlooked, if anybody did.
    fn overlooked(&self, frame: &Frame, key: &str) -> Option<Safe<String>> {
        let most = self.board.moves.first().filter(|one| one.missed > 0)?;
        let values = [
            ("move", most.san.as_str().into()),
            ("missed", most.missed.into()),
            ("n", self.board.lists.into()),
        ];
        Some(frame.marked(key, &values))
    }
}

fn read(text: &str) -> Result<Position, Problem> {
    fen::parse(text).map_err(|error| Problem::internal(&error))
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
        board: Board::new(&frame, day, false, today.progress),
        week: week.collect(),
        yesterday: past(&app, day.before(1), true).await?.small(),
        counts: app.service.counts().await?,
        today,
        standing,
        frame,
    })
}

async fn past(app: &App, day: Day, with_arrow: bool) -> Result<Past, Problem> {
    let found = app.service.past_board(day, now()).await?;
    let board = found.ok_or_else(|| {
        let detail = "there is no board of that day, or its answer is not out";
        Problem::new(NOT_FOUND, detail)
    })?;
    Past::new(board, with_arrow)
}

#[derive(Template)]
#[template(path = "daily/archive.html")]
struct Archive {
    frame: Frame,
    boards: Vec<Past>,
}

pub(super) async fn archive(State(app): State<App>) -> Result<Response, Problem> {
    let boards = app.service.past_boards(now()).await?;
    let boards = boards.into_iter().map(|board| Past::new(board, false));
    page(&Archive {
        frame: Frame::new("daily"),
        boards: boards
            .collect::<Result<Vec<_>, _>>()?
            .into_iter()
            .map(Past::small)
            .collect(),
    })
}

#[derive(Template)]
#[template(path = "daily/answer.html")]
struct Answered {
    frame: Frame,
    past: Past,
}

/// The answer of a day that is over.
pub(super) async fn answer(
    State(app): State<App>,
    Path(day): Path<String>,
) -> Result<Response, Problem> {
    page(&Answered {
        frame: Frame::new("daily"),
        past: past(&app, named(&day)?, true).await?,
    })
}

#[derive(Template)]
#[template(path = "daily/again.html")]
struct Again {
    frame: Frame,
    board: Board,
}

/// The board of a day that is over, to be played without counting.
pub(super) async fn again(
    State(app): State<App>,
    Path(day): Path<String>,
) -> Result<Response, Problem> {
    let day = named(&day)?;
    // The page has nothing of the board yet: this only makes sure that the day is over.
    past(&app, day, false).await?;
    let frame = Frame::new("daily").with_script("daily/page.js");
    page(&Again {
        board: Board::new(&frame, day, true, DailyProgress::New),
        frame,
    })
}

fn named(day: &str) -> Result<Day, Problem> {
    day.parse()
        .map_err(|_| Problem::new(NOT_FOUND, "no page has this address"))
}

/// How an embedded page looks.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct DailyLook {
    #[serde(default)]
    theme: Option<Theme>,
}

/// The colours; those of the system, if there are none.
#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Theme {
    Light,
    Dark,
}

fn theme(theme: Option<Theme>) -> &'static str {
    match theme {
        None => "system",
        Some(Theme::Light) => "light",
        Some(Theme::Dark) => "dark",
    }
}

#[derive(Template)]
#[template(path = "daily/embed_daily.html")]
struct EmbedDaily {
    frame: Frame,
    theme: &'static str,
    past: Past,
}

/// The board of yesterday, which is an invitation to that of today: today's position is handed out to those who start.
pub(super) async fn embed_daily(
    State(app): State<App>,
    Query(look): Query<DailyLook>,
) -> Result<Response, Problem> {
    framed(&EmbedDaily {
        frame: Frame::new("daily"),
        theme: theme(look.theme),
        past: past(&app, Day::from_timestamp(now()).before(1), true).await?,
    })
}

/// A position for another site.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct BoardLook {
    fen: String,
    /// Moves, separated by commas.
    #[serde(default)]
    arrows: Option<String>,
    /// The side below; the side to move, if absent.
    #[serde(default)]
    orientation: Option<Below>,
    #[serde(default)]
    theme: Option<Theme>,
}

#[derive(Clone, Copy, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
enum Below {
    White,
    Black,
}

#[derive(Template)]
#[template(path = "daily/embed_board.html")]
struct EmbedBoard {
    frame: Frame,
    theme: &'static str,
    drawing: Drawing,
    fen: String,
    /// The value of a variable in translated texts.
    side: &'static str,
}

/// Any position, with arrows.
pub(super) async fn embed_board(Query(look): Query<BoardLook>) -> Result<Response, Problem> {
    let rejected = |detail: String| Problem::new(BAD_REQUEST, detail);
    let position = read_pasted_position(&look.fen);
    let position = position.map_err(|error| rejected(format!("fen: {error}")))?;
    let texts = look.arrows.as_deref().unwrap_or("").split(',');
    let arrows: Vec<MoveText> = texts
        .map(str::trim)
        .filter(|text| !text.is_empty())
        .take(drawing::MOST_ARROWS)
        .map(|text| MoveText::standard(text).map_err(|error| rejected(format!("arrows: {error}"))))
        .collect::<Result<_, _>>()?;
    let below = match look.orientation {
        Some(Below::White) => Color::White,
        Some(Below::Black) => Color::Black,
        None => position.side_to_move(),
    };
    framed(&EmbedBoard {
        frame: Frame::new("daily"),
        theme: theme(look.theme),
        drawing: Drawing::from_position(&position, below).with(Look::Plain, &arrows),
        fen: fen::write(&position),
        side: drawing::side(position.side_to_move()),
    })
}

/// The reason why a frame shows no board, for the author of the page around it.
#[derive(Template)]
#[template(path = "daily/embed_problem.html")]
struct EmbedProblem {
    frame: Frame,
    theme: &'static str,
    title: &'static str,
    detail: String,
}

/// Shows errors of embedded pages in the frame, where the site's own error page must not be.
pub(super) async fn frame_errors(request: Request, next: Next) -> Response {
    // The handler takes the request, so this is asked before.
    let for_people = wants_page(request.uri().path(), request.headers());
    let response = next.run(request).await;
    let problem = response.extensions().get::<Problem>();
    let Some(problem) = problem.filter(|_| for_people) else {
        return response;
    };
    let status = problem.status();
    // The site's page about errors may not be in a frame: people saw the browser's empty page.
    let page = framed(&EmbedProblem {
        frame: Frame::new("daily"),
        theme: theme(None),
        title: problem.title(),
        detail: problem.detail().to_owned(),
    });
    // People who correct the address must not see the old error again.
    let no_store = [(header::CACHE_CONTROL, "no-store")];
    page.map_or(response, |page| (status, no_store, page).into_response())
}

/// A page that any site may show in a frame. It has no script and no form, so that nobody can be made to click on
/// something that has an effect.
fn framed(template: &impl Template) -> Result<Response, Problem> {
    let policy = CONTENT_POLICY.replace("frame-ancestors 'none'", "frame-ancestors *");
    let headers = [
        (header::CONTENT_SECURITY_POLICY, policy),
        (header::CACHE_CONTROL, "public, max-age=300".to_owned()),
        (
            // Pages with `Cross-Origin-Embedder-Policy` do not load a frame without this header.
            header::HeaderName::from_static("cross-origin-resource-policy"),
            "cross-origin".to_owned(),
        ),
    ];
    Ok((headers, page(template)?).into_response())
}
