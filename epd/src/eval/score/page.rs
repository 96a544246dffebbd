//! The report of `epd eval score` as a page, and its curves as one picture.

use chess::notation::fen;
use kit::chart::{Chart, ChartNames};
use kit::page::{Figure, LegendKey, Page, PageSection, PageTable, TableCell, Tone, picture};

use super::features::Split;
use super::judge::{GroupJudgement, ScoreVerdict, WorstRow};
use super::report::{EvalScoreReport, WorstPosition, interval, percent, scale, signed};
use super::statistics::ScoreInterval;
use crate::report::board::{BoardCard, boards, diagram, page, shapes};
use crate::report::lichess;

/// Classes of lines and dots, one per engine.
const CLASSES: [char; 2] = ['a', 'b'];
/// The same as legends.
const LINES: [&str; 2] = ["line a", "line b"];

impl EvalScoreReport<'_> {
    pub(super) fn page(&self) -> String {
        let tone = match self.judgement.verdict {
            Some(ScoreVerdict::Better) => Tone::Good,
            Some(ScoreVerdict::Worse) => Tone::Bad,
            _ => Tone::Open,
        };
        let cards = self.cards();
        let shapes = if cards.is_empty() {
            String::new()
        } else {
            shapes()
        };
        let title = format!("Evaluation of {}", self.engines.join(" and "));
        let mut sections = vec![
            PageSection {
                title: "Losses".to_owned(),
                tables: vec![self.losses()],
                figures: self.figures(),
                note: "Means over positions that the models were not fitted on; less is better. \
                           Intervals are 95%, by a bootstrap over games. "
                    .to_owned()
                    + &self.chance().unwrap_or_default(),
                ..PageSection::default()
            },
            PageSection {
                title: "By kind of position".to_owned(),
                tables: self.groups(),
                ..PageSection::default()
            },
        ];
        if !cards.is_empty() {
            sections.push(PageSection {
                title: format!("Worst predictions of {}", self.engines[0]),
                own: boards(&cards),
                ..PageSection::default()
            });
        }
        let page = Page {
            headline: self.verdict().unwrap_or_else(|| title.clone()),
            title,
            about: vec![format!("{}: {}", self.files.join(", "), self.counts())],
            tone,
            sections,
            shapes,
            ..page()
        };
        page.html()
    }

    fn losses(&self) -> PageTable {
        let judgement = self.judgement;
        let engines = self.engines.iter().zip(&judgement.engines);
        let rows = engines.map(|(name, engine)| {
            let numbers = [
                interval(engine.losses.log),
                interval(engine.losses.squared),
                format!("{:.1}%", 100.0 * self.skill(engine)),
                format!("{:.4}", engine.calibration_error),
            ];
            row(name, numbers, &scale(engine))
        });
        let constant = judgement.constant;
        let [log, squared] = [constant.log, constant.squared].map(|loss| format!("{loss:.5}"));
        let constant = row("constant", [log, squared, String::new(), String::new()], "");
        let difference = judgement.difference.map(|difference| {
            let [log, squared] = [difference.log, difference.squared].map(signed);
            row(
                &self.difference_name(),
                [log, squared, String::new(), String::new()],
                "",
            )
        });
        let head = [
            "",
            "log loss",
            "squared error",
            "skill",
            "calibration error",
            "model",
        ];
        PageTable::new("Losses", head, rows.chain([constant]).chain(difference))
    }

    /// A table for each split.
    fn groups(&self) -> Vec<PageTable> {
        let all = self.judgement.positions;
        let mut head = vec![String::new(), "positions".to_owned(), "share".to_owned()];
        head.extend(self.engines.iter().cloned());
        if self.engines.len() == 2 {
            head.push(self.difference_name());
        }
        // Intervals of the losses themselves would not fit, and say less than that of the difference.
        let mean = |loss: &ScoreInterval| TableCell::number(format!("{:.4}", loss.mean));
        let runs = self.judgement.groups.chunk_by(|a, b| a.split == b.split);
        let table = |groups: &[GroupJudgement]| {
            let rows = groups.iter().map(|group| {
                let mut row = vec![
                    TableCell::text(&group.name),
                    TableCell::number(group.positions.to_string()),
                    TableCell::number(format!("{:.1}%", percent(group.positions, all))),
                ];
                row.extend(group.losses.iter().map(mean));
                row.extend(group.difference.map(|one| TableCell::number(signed(one))));
                row
            });
            PageTable::new(format!("By {}", groups[0].split), head.clone(), rows)
        };
        runs.map(table).collect()
    }

    fn cards(&self) -> Vec<BoardCard> {
        let worst = self.judgement.worst.iter().zip(&self.worst);
        let card = |(row, at): (&WorstRow, &WorstPosition)| {
            let scores = row.scores_cp.iter().flatten().zip(&self.engines);
            let scores: Vec<String> = scores
                .map(|(cp, name)| format!("{name} {cp:+} cp"))
                .collect();
            let fen = fen::write(&at.position);
            BoardCard {
                title: format!("{}, loss {:.3}", at.result, row.loss),
                svg: diagram(&at.position, &fen, &[]),
                facts: vec![
                    ("scores", scores.join(", ")),
                    ("expected", format!("{:.3} for White", row.expected)),
                    ("place", format!("{}:{}", at.file, at.line)),
                    ("FEN", fen),
                ],
                href: lichess(&at.position),
            }
        };
        worst.map(card).collect()
    }

    /// All curves in one picture.
    pub(crate) fn svg(&self) -> String {
        let title = self.verdict().unwrap_or_else(|| self.engines.join(", "));
        picture(&title, &self.figures(), "")
    }

    fn figures(&self) -> Vec<Figure> {
        let keys = LINES.into_iter().zip(&self.engines);
        let caption = "actual against expected points, with 95% intervals";
        let mut calibration = Figure::new("Calibration", caption, self.calibration());
        calibration.keys = keys
            .map(|(class, name)| LegendKey::new(class, name))
            .collect();
        let mut figures = vec![calibration];
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
                    self.difference_name()
                } else {
                    "loss".to_owned()
                };
                let caption = format!("{what}, with 95% intervals");
                let chart = chart_of_groups(split, &groups);
                figures.push(Figure::new(format!("By {split}"), caption, chart));
            }
        }
        figures
    }

    fn calibration(&self) -> Chart {
        let names = ChartNames {
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
        chart
    }
}

fn row(name: &str, numbers: [String; 4], model: &str) -> Vec<TableCell> {
    let numbers = numbers.into_iter().map(TableCell::number);
    let cells = [TableCell::text(name)].into_iter().chain(numbers);
    cells.chain([TableCell::text(model)]).collect()
}

/// Most columns of a chart; more cannot be distinguished.
const MOST_COLUMNS: usize = 12;

fn whisker(chart: &mut Chart, class: char, x: f64, estimate: ScoreInterval) {
    chart.line(
        &format!("line {class}"),
        [(x, estimate.low), (x, estimate.high)],
    );
    chart.dot(&format!("dot {class}"), x, estimate.mean);
}

/// The difference of each group, or the loss of a single engine.
fn chart_of_groups(split: Split, groups: &[&GroupJudgement]) -> Chart {
    let estimate = |group: &&GroupJudgement| group.difference.or(group.losses.first().copied());
    // In thousandths, since numbers with many decimals do not fit beside the axis.
    let thousandths = |ScoreInterval { mean, low, high }| ScoreInterval {
        mean: 1000.0 * mean,
        low: 1000.0 * low,
        high: 1000.0 * high,
    };
    let estimates = groups.iter().filter_map(estimate).map(thousandths);
    let estimates: Vec<ScoreInterval> = estimates.collect();
    let mut range = [0.0, 0.0_f64];
    for estimate in &estimates {
        range = [range[0].min(estimate.low), range[1].max(estimate.high)];
    }
    let title = format!("By {split}");
    let names = ChartNames {
        title: &title,
        axes: ["", "loss x 1000"],
        least: [0.0; 2],
    };
    let columns: Vec<String> = groups.iter().map(|group| short_name(&group.name)).collect();
    let mut chart = Chart::with_names(&names, &columns, range);
    let middles = (0_u32..).map(|index| f64::from(index) + 0.5);
    for (middle, estimate) in middles.zip(estimates) {
        whisker(&mut chart, CLASSES[0], middle, estimate);
    }
    chart
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
