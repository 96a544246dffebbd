//! The report of `epd eval score` as a page, and its curves as one picture.

use std::fmt::Write as _;

use askama::Template;
use chess::rules::{Color, File, PieceType, Position, Rank, Square};
use kit::chart::{Chart, Names, STYLE, escape};

use super::features::Split;
use super::judge::GroupJudgement;
use super::report::{ScoreReport, interval, percent, scale, signed};
use super::statistics::Estimate;

/// The page; see its template `templates/eval_score.html`.
#[derive(Template)]
#[template(path = "eval_score.html")]
struct Page {
    title: String,
    verdict: Option<String>,
    counts: String,
    files: String,
    engines: Vec<[String; 6]>,
    difference: Option<[String; 2]>,
    constant: [String; 2],
    keys: Vec<(char, String)>,
    figures: Vec<Figure>,
    head: Vec<String>,
    groups: Vec<(String, Vec<Vec<String>>)>,
    worst: Vec<Card>,
    version: &'static str,
}

struct Figure {
    name: String,
    svg: String,
}

/// A position with its board.
struct Card {
    title: String,
    text: String,
    fen: String,
    link: String,
    board: Vec<Vec<BoardSquare>>,
}

/// Whether a square is dark, and the piece on it.
type BoardSquare = (bool, Option<(Color, char)>);

/// Classes of lines and dots, one per engine.
const CLASSES: [char; 2] = ['a', 'b'];

impl ScoreReport<'_> {
    pub(super) fn page(&self) -> anyhow::Result<String> {
        let judgement = self.judgement;
        let engines = self.engines.iter().zip(&judgement.engines);
        let rows = engines.map(|(name, engine)| {
            [
                name.clone(),
                interval(engine.losses.log),
                interval(engine.losses.squared),
                format!("{:.1}%", 100.0 * self.skill(engine)),
                format!("{:.4}", engine.calibration_error),
                scale(engine),
            ]
        });
        let page = Page {
            title: self.engines.join(" and "),
            verdict: self.verdict(),
            counts: self.counts(),
            files: self.files.join(", "),
            engines: rows.collect(),
            difference: judgement
                .difference
                .map(|difference| [signed(difference.log), signed(difference.squared)]),
            constant: [judgement.constant.log, judgement.constant.squared]
                .map(|loss| format!("{loss:.5}")),
            keys: CLASSES.into_iter().zip(self.engines.clone()).collect(),
            figures: self.figures(),
            head: self.group_head(),
            groups: self.group_rows(),
            worst: self.cards(),
            version: env!("CARGO_PKG_VERSION"),
        };
        Ok(page.render()?)
    }

    /// All curves in one picture.
    pub(crate) fn svg(&self) -> String {
        const WIDTH: usize = 440;
        const HEIGHT: usize = 290;
        let figures = self.figures();
        let rows = figures.len().div_ceil(2);
        let title = escape(&self.verdict().unwrap_or_else(|| self.engines.join(", ")));
        let (width, height) = (2 * WIDTH, 40 + rows * HEIGHT);
        let mut svg = format!(
            r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" role="img" aria-label="{title}"><style>
{STYLE}.back {{ fill: var(--card); }} .dot.b {{ fill: var(--b); }}
</style><rect class="back" width="100%" height="100%"/><text class="note" x="12" y="24">{title}</text>"#
        );
        for (index, figure) in figures.iter().enumerate() {
            let (left, top) = (WIDTH * (index % 2), 40 + HEIGHT * (index / 2));
            let name = escape(&figure.name);
            let chart = figure.svg.strip_prefix("<svg ").expect("an element");
            write!(
                svg,
                r#"<text class="note" x="{}" y="{}">{name}</text><svg x="{left}" y="{}" width="400" height="236" {chart}"#,
                left + 12,
                top + 16,
                top + 24
            )
            .expect("a string takes all");
        }
        svg + "</svg>\n"
    }

    fn figures(&self) -> Vec<Figure> {
        let mut figures = vec![Figure {
            name: "Calibration: actual against expected points".to_owned(),
            svg: self.calibration(),
        }];
        for split in [
            Split::Phase,
            Split::Material,
            Split::KingSafety,
            Split::Theme,
        ] {
            let groups = self.judgement.groups.iter();
            let groups: Vec<&GroupJudgement> = groups
                .filter(|group| group.split == split)
                .take(MOST_COLUMNS)
                .collect();
            if !groups.is_empty() {
                let what = if self.engines.len() == 2 {
                    "new - old"
                } else {
                    "loss"
                };
                figures.push(Figure {
                    name: format!("By {split}: {what}, with 95% intervals"),
                    svg: chart_of_groups(split, &groups),
                });
            }
        }
        figures
    }

    fn calibration(&self) -> String {
        let names = Names {
            title: "Calibration",
            axes: ["expected points", "actual points"],
            least: [0.0; 2],
        };
        let mut chart = Chart::new(&names, [0.0, 1.0], [0.0, 1.0]);
        chart.line("zero", [(0.0, 0.0), (1.0, 1.0)]);
        for (class, engine) in CLASSES.into_iter().zip(&self.judgement.engines) {
            let bins = || engine.calibration.iter();
            let points = bins().map(|bin| (bin.expected, bin.actual.mean));
            chart.line(&format!("line {class}"), points);
            for bin in bins() {
                whisker(&mut chart, class, bin.expected, bin.actual);
            }
        }
        chart.finish()
    }

    fn group_head(&self) -> Vec<String> {
        let mut head = vec!["positions".to_owned(), "share".to_owned()];
        head.extend(self.engines.iter().cloned());
        if self.engines.len() == 2 {
            head.push("new - old".to_owned());
        }
        head
    }

    /// The groups of each split with the cells of their rows.
    fn group_rows(&self) -> Vec<(String, Vec<Vec<String>>)> {
        let all = self.judgement.positions;
        let runs = self.judgement.groups.chunk_by(|a, b| a.split == b.split);
        let rows = runs.map(|groups| {
            let row = |group: &GroupJudgement| {
                let mut row = vec![
                    group.name.clone(),
                    group.positions.to_string(),
                    format!("{:.1}%", percent(group.positions, all)),
                ];
                row.extend(group.losses.iter().map(|loss| interval(*loss)));
                row.extend(group.difference.map(signed));
                row
            };
            (
                groups[0].split.to_string(),
                groups.iter().map(row).collect(),
            )
        });
        rows.collect()
    }

    fn cards(&self) -> Vec<Card> {
        let worst = self.judgement.worst.iter().zip(&self.worst);
        let card = |(row, at): (&super::judge::WorstRow, &super::report::WorstPosition)| {
            let fen = chess::notation::fen::write(&at.position);
            let scores = row.scores_cp.iter().flatten().zip(&self.engines);
            let scores: Vec<String> = scores
                .map(|(cp, name)| format!("{name} {cp:+} cp"))
                .collect();
            Card {
                title: format!("{}, loss {:.3}", at.result, row.loss),
                text: format!(
                    "{}; expected {:.3} for White. {}:{}",
                    scores.join(", "),
                    row.expected,
                    at.file,
                    at.line
                ),
                link: format!("https://lichess.org/analysis/{}", fen.replace(' ', "_")),
                board: board(&at.position),
                fen,
            }
        };
        worst.map(card).collect()
    }
}

/// Most columns that can be told apart in a chart.
const MOST_COLUMNS: usize = 12;

fn whisker(chart: &mut Chart, class: char, x: f64, estimate: Estimate) {
    chart.line(
        &format!("line {class}"),
        [(x, estimate.low), (x, estimate.high)],
    );
    chart.dot(&format!("dot {class}"), x, estimate.mean);
}

/// The difference of each group, or the loss of a single engine.
fn chart_of_groups(split: Split, groups: &[&GroupJudgement]) -> String {
    let estimate = |group: &&GroupJudgement| group.difference.or(group.losses.first().copied());
    let estimates: Vec<Estimate> = groups.iter().filter_map(estimate).collect();
    let mut range = [0.0, 0.0_f64];
    for estimate in &estimates {
        range = [range[0].min(estimate.low), range[1].max(estimate.high)];
    }
    let title = format!("By {split}");
    let names = Names {
        title: &title,
        axes: ["", "loss"],
        least: [0.0; 2],
    };
    let columns: Vec<String> = groups.iter().map(|group| short_name(&group.name)).collect();
    let mut chart = Chart::with_names(&names, &columns, range);
    let middles = (0_u32..).map(|index| f64::from(index) + 0.5);
    for (middle, estimate) in middles.zip(estimates) {
        whisker(&mut chart, CLASSES[0], middle, estimate);
    }
    chart.finish()
}

/// A name that fits below a column.
fn short_name(name: &str) -> String {
    let short = name
        .replace(" apart", "")
        .replace(" attackers", "")
        .replace(" attacker", "");
    let short = short
        .replace("king not attacked", "none")
        .replace(" or more", "+");
    let short = short
        .replace(" pawns", "")
        .replace(" pawn", "")
        .replace(" or ", "-");
    short.chars().take(12).collect()
}

fn board(position: &Position) -> Vec<Vec<BoardSquare>> {
    let square = |file: File, rank: Rank| {
        let square = Square::new(file, rank);
        let is_dark = (file as usize + rank as usize).is_multiple_of(2);
        let piece = position.piece_at(square);
        (
            is_dark,
            piece.map(|piece| (piece.color, figurine(piece.piece_type))),
        )
    };
    let ranks = Rank::ALL.into_iter().rev();
    let row = |rank| {
        File::ALL
            .into_iter()
            .map(|file| square(file, rank))
            .collect()
    };
    ranks.map(row).collect()
}

/// The filled figurine, which is coloured by the page.
const fn figurine(piece_type: PieceType) -> char {
    match piece_type {
        PieceType::Pawn => '\u{265f}',
        PieceType::Knight => '\u{265e}',
        PieceType::Bishop => '\u{265d}',
        PieceType::Rook => '\u{265c}',
        PieceType::Queen => '\u{265b}',
        PieceType::King => '\u{265a}',
    }
}
