//! Pages of what lists have shown: what people overlook, and the test cases.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use axum::response::Response;
use chess::rules::Color;

use super::drawing::{Drawing, Look};
use super::{Frame, Pager, page};
use crate::insight::Share;
use crate::service::{HardPosition, Overlooked, TestCase};
use crate::web::api::PageQuery;
use crate::web::state::App;
use web::extract::Query;
use web::problem::Problem;

/// Number of boards of a page.
const BOARDS: usize = 24;
/// Number of arrows of a board: more hide the position.
const ARROWS: usize = 3;

#[derive(Template)]
#[template(path = "overlooked.html")]
struct OverlookedPage {
    frame: Frame,
    overlooked: Arc<Overlooked>,
    kinds: Vec<Bar>,
    rules: Vec<Bar>,
    boards: Vec<HardBoard>,
    pager: Pager,
}

/// A row of a chart: a share with its interval, each in percent of the chart's width.
struct Bar {
    title: String,
    share: Share,
    /// How often it was overlooked or done.
    count: u64,
    width: f64,
    low: f64,
    high: f64,
}

impl Bar {
    /// The interval in words.
    fn interval(&self, frame: &Frame) -> String {
        interval(frame, &self.share)
    }

    fn percent(&self) -> String {
        percent(self.share.overlooked)
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

fn interval(frame: &Frame, share: &Share) -> String {
    let end = |end: f64| percent(end).trim_end_matches(" %").to_owned();
    let values = [
        ("low", end(share.low).into()),
        ("high", end(share.high).into()),
    ];
    frame.filled("interval", &values)
}

/// Rows for a chart whose width is the greatest upper end, but at least a tenth.
fn bars(rows: impl Iterator<Item = (String, Share)> + Clone) -> Vec<Bar> {
    let widest = rows
        .clone()
        .map(|(_, share)| share.high)
        .fold(0.1, f64::max);
    let of = |share: f64| share / widest * 100.0;
    let bar = |(title, share): (String, Share)| Bar {
        title,
        share,
        count: share.shown - share.found,
        width: of(share.overlooked),
        low: of(share.low),
        high: of(share.high),
    };
    rows.map(bar).collect()
}

struct HardBoard {
    position: HardPosition,
    drawn: Drawing,
}

impl HardBoard {
    fn from_position(position: &HardPosition) -> Self {
        let missed = position.moves.iter();
        // Moves that nobody missed would only fill up the arrows.
        let missed = missed.filter(|mv| mv.share.found < mv.share.shown);
        let missed = missed.take(ARROWS).map(|one| &one.mv);
        let drawn = Drawing::at(&position.fen, None, Color::White);
        Self {
            drawn: drawn.without_edge().with(Look::Missed, missed),
            position: position.clone(),
        }
    }

    fn side(&self) -> &'static str {
        side_to_move(&self.position.fen)
    }

    fn percent(&self) -> String {
        percent(self.position.difficulty.overlooked)
    }

    fn interval(&self, frame: &Frame) -> String {
        interval(frame, &self.position.difficulty)
    }

    /// The moves of the arrows: SAN, and how many lists have it.
    fn missed(&self) -> Vec<(&str, u64, u64)> {
        let moves = self.position.moves.iter().take(self.drawn.arrows());
        moves
            .map(|one| (one.san.as_str(), one.share.found, one.share.shown))
            .collect()
    }
}

/// The value of a variable in translated texts.
fn side_to_move(fen: &str) -> &'static str {
    match fen.split(' ').nth(1) {
        // The second field of a FEN is the side to move (PGN standard, 16.1.3.2).
        Some("b") => "black",
        _ => "white",
    }
}

/// Kinds of moves and rules in charts, and the hardest positions.
pub(super) async fn overlooked(
    State(app): State<App>,
    Query(query): Query<PageQuery>,
) -> Result<Response, Problem> {
    let overlooked = app.service.overlooked().await?;
    let (shown, number, pages) = query.of(&overlooked.positions, BOARDS);
    let frame = Frame::new("overlooked");
    let kinds = overlooked.kinds.iter();
    let rules = overlooked.rules.iter();
    page(&OverlookedPage {
        kinds: bars(kinds.map(|one| {
            let kind = [("kind", one.kind.as_str().into())];
            (frame.filled("kind-of-move", &kind), one.share)
        })),
        rules: bars(rules.map(|one| {
            let rule = [("rule", one.rule.as_str().into())];
            (frame.filled("rule-in-words", &rule), one.share)
        })),
        boards: shown.iter().map(HardBoard::from_position).collect(),
        pager: Pager::new("/overlooked?", number, pages),
        overlooked: Arc::clone(&overlooked),
        frame,
    })
}

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
        drawn: Drawing::at(&case.fen, None, Color::White).without_edge(),
        case: case.clone(),
    };
    page(&CasesPage {
        frame: Frame::new("cases"),
        count: cases.len(),
        boards: shown.iter().map(board).collect(),
        pager: Pager::new("/cases?", number, pages),
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::insight::Cluster;

    #[test]
    fn charts_are_as_wide_as_their_longest_interval() {
        let share = |found| Share::from_clusters(&[Cluster { shown: 1, found }; 20]);
        let rows = [("none".to_owned(), share(1)), ("all".to_owned(), share(0))];
        let bars = bars(rows.into_iter());
        assert_eq!((bars[1].high, bars[1].count), (100.0, 20));
        assert_eq!((bars[0].width, bars[0].count), (0.0, 0));
        assert_eq!(bars[0].interval(&Frame::new("overlooked")), "0 to 16 %");
        assert_eq!(
            (bars[0].percent(), bars[1].percent()),
            ("0 %".into(), "100 %".into())
        );
        assert_eq!(percent(0.0534), "5.3 %");
    }
}
