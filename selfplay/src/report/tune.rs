//! Formats tunings for people, as CSV of every iteration, as `touchstone/tune-report/1`, as UCI
//! commands, and as charts.

use std::fmt::Write as _;

use kit::chart::{Chart, ChartNames, escape};
use kit::page::{Figure, LegendKey, Page, PageSection, PageTable, TableCell, picture};
use serde::Serialize;

use super::{csv_text, decimals, table, wdl};
use crate::stats::number::twelve_digits;
use crate::stats::{Wdl, to_f64};
use crate::tune::config::TuneConfig;
use crate::tune::journal::IterationRecord;
use crate::tune::parameter::{Parameter, ParameterKind};

pub const SCHEMA: &str = "touchstone/tune-report/1";

/// Columns of the table of values.
const HEAD: [&str; 7] = [
    "parameter",
    "start",
    "now",
    "change",
    "of range",
    "min",
    "max",
];

/// Maximum number of points of a curve: more cannot be seen.
const MOST_POINTS: usize = 400;

/// The style of the line of a parameter's start, and of the commands.
const START_STYLE: &str = " .bound.start { stroke: var(--even); }";
const STYLE: &str = ".bound.start { stroke: var(--even); } pre { margin: 0; font-size: .9rem; overflow-x: auto; }\n";

#[derive(Clone, Copy, Debug)]
pub struct TuneReport<'a> {
    pub config: &'a TuneConfig,
    pub records: &'a [IterationRecord],
    pub values: &'a [f64],
}

#[derive(Serialize)]
struct TuneJson<'a> {
    schema: &'static str,
    engine: &'a str,
    seed: u64,
    lag: u64,
    iterations: u64,
    done: u64,
    games: JsonGames,
    parameters: Vec<JsonParameter<'a>>,
    trajectory: Vec<&'a [f64]>,
}

#[derive(Serialize)]
struct JsonGames {
    #[serde(flatten)]
    games: Wdl,
    faults: u64,
}

#[derive(Serialize)]
struct JsonParameter<'a> {
    #[serde(flatten)]
    parameter: &'a Parameter,
    value: Option<f64>,
    setting: String,
}

impl TuneReport<'_> {
    fn tally(&self) -> (Wdl, u64) {
        let mut games = Wdl::default();
        let mut faults = 0;
        for record in self.records {
            games.wins += record.wins;
            games.draws += record.draws;
            games.losses += record.losses;
            faults += record.faults;
        }
        (games, faults)
    }

    fn parameters(&self) -> impl Iterator<Item = (&Parameter, f64)> {
        let values = self.values.iter().copied();
        self.config.parameters.iter().zip(values)
    }

    /// A table for people, and the UCI commands that set the new values.
    pub fn human(&self) -> String {
        format!(
            "{}\n{}; seed {}\n\n{}",
            table(&HEAD, 1.., self.rows().map(Vec::from)),
            self.progress(),
            self.config.seed,
            self.uci(),
        )
    }

    /// The rows of the table, in the columns of [`HEAD`].
    fn rows(&self) -> impl Iterator<Item = [String; 7]> {
        self.parameters().map(|(parameter, value)| {
            let range = parameter.max - parameter.min;
            let places = places(range);
            let change = value - parameter.start;
            [
                parameter.name.clone(),
                decimals(parameter.start, places),
                decimals(value, places),
                signed(&decimals(change, places)),
                signed(&(decimals(100.0 * change / range, 1) + "%")),
                parameter.min.to_string(),
                parameter.max.to_string(),
            ]
        })
    }

    fn progress(&self) -> String {
        let (games, faults) = self.tally();
        let faults = match faults {
            0 => String::new(),
            faults => format!(", {faults} of them by a fault"),
        };
        format!(
            "{} of {} iterations, {} games: {}{faults}",
            self.records.len(),
            self.config.gains.iterations,
            games.games(),
            wdl(games),
        )
    }

    /// The UCI commands that set the new values.
    pub fn uci(&self) -> String {
        let mut text = String::new();
        for (parameter, value) in self.parameters() {
            let Parameter { name, .. } = parameter;
            let value = parameter.nearest(value);
            writeln!(text, "setoption name {name} value {value}").expect("to memory");
        }
        text
    }

    /// The list of parameters with the current values as start, for another tuning.
    pub fn list(&self) -> String {
        let mut text = String::new();
        for (parameter, value) in self.parameters() {
            let digits = twelve_digits(value).expect("values are finite");
            text += &(parameter.to_line(digits) + "\n");
        }
        text
    }

    /// The values after each iteration, one line each; the first line has the start values.
    pub fn csv(&self) -> Result<String, csv::Error> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = self.config.parameters.iter().map(|one| one.name.clone());
        let counts = ["iteration", "wins", "draws", "losses", "faults"].map(str::to_owned);
        writer.write_record(counts.into_iter().chain(names))?;
        let parameters = self.config.parameters.iter();
        let start = parameters.map(|one| one.start.to_string());
        let zeros = std::iter::repeat_n("0".to_owned(), 5);
        writer.write_record(zeros.chain(start))?;
        for record in self.records {
            let counts = [
                record.iteration + 1,
                record.wins,
                record.draws,
                record.losses,
                record.faults,
            ];
            let counts = counts.iter().map(ToString::to_string);
            writer.write_record(counts.chain(record.values.iter().map(ToString::to_string)))?;
        }
        csv_text(writer)
    }

    /// Formats the tuning as one JSON object.
    pub fn json(&self) -> String {
        let (games, faults) = self.tally();
        let json = TuneJson {
            schema: SCHEMA,
            engine: &self.config.engine.name,
            seed: self.config.seed,
            lag: self.config.lag,
            iterations: self.config.gains.iterations,
            done: self.records.len() as u64,
            games: JsonGames { games, faults },
            parameters: self
                .parameters()
                .map(|(parameter, value)| JsonParameter {
                    parameter,
                    value: twelve_digits(value),
                    setting: parameter.nearest(value),
                })
                .collect(),
            trajectory: self.records.iter().map(|record| &*record.values).collect(),
        };
        serde_json::to_string_pretty(&json).expect("numbers and texts") + "\n"
    }
}

/// The charts, one for each parameter: as a page without scripts that needs nothing else, and as one picture.
impl TuneReport<'_> {
    /// The page: the course of each value, their table, and the commands that set them.
    pub fn html(&self) -> String {
        let gains = &self.config.gains;
        let rule = format!(
            "{} games in each iteration, lag {}; A {} of the iterations, alpha {}, gamma {}",
            self.config.games_per_iteration,
            self.config.lag,
            gains.a_ratio,
            gains.alpha,
            gains.gamma
        );
        let rows = self.rows().map(|row| {
            let [name, numbers @ ..] = row;
            let numbers = numbers.into_iter().map(TableCell::number);
            std::iter::once(TableCell::text(name))
                .chain(numbers)
                .collect()
        });
        let section = |title: &str| PageSection {
            title: title.to_owned(),
            ..PageSection::default()
        };
        let page = Page {
            title: format!("Tuning of {}", self.config.engine.name),
            about: vec![rule],
            headline: self.progress(),
            sections: vec![
                PageSection {
                    figures: self.figures(),
                    ..section("Course")
                },
                PageSection {
                    tables: vec![PageTable::new("Values", HEAD, rows)],
                    ..section("Values")
                },
                PageSection {
                    own: format!("<pre tabindex=\"0\">{}</pre>", escape(&self.uci())),
                    ..section("Commands")
                },
            ],
            style: STYLE,
            footer: format!(
                "Written by selfplay {} from the journal of the tuning. Tuned values are a proposal: test them \
                 against the old ones.",
                env!("CARGO_PKG_VERSION")
            ),
            ..Page::default()
        };
        page.html()
    }

    /// All charts as one SVG picture.
    pub fn svg(&self) -> String {
        let title = format!("{}: {}", self.config.engine.name, self.progress());
        picture(&title, &self.figures(), START_STYLE)
    }

    fn figures(&self) -> Vec<Figure> {
        let parameters = self.parameters().enumerate();
        let figure = |(index, (parameter, value)): (usize, (&Parameter, f64))| {
            let chart = self.chart(index, parameter);
            let mut figure = Figure::new(&parameter.name, self.caption(parameter, value), chart);
            if index == 0 {
                figure.keys = vec![
                    LegendKey::new("line a", "value"),
                    LegendKey::new("band", "values tried, c to either side"),
                    LegendKey::new("bound start", "start"),
                ];
            }
            figure
        };
        parameters.map(figure).collect()
    }

    fn caption(&self, parameter: &Parameter, value: f64) -> String {
        let places = places(parameter.max - parameter.min);
        let number = |number| decimals(number, places);
        let next = (self.records.len() as u64).min(self.config.gains.iterations - 1);
        format!(
            "{}, start {} ({}), range {} to {}, c {}",
            number(value),
            number(parameter.start),
            signed(&number(value - parameter.start)),
            parameter.min,
            parameter.max,
            number(self.config.gains.perturbation(parameter, next)),
        )
    }

    /// The value after each iteration in the whole range of the parameter, and around it the values
    /// that were tried.
    fn chart(&self, index: usize, parameter: &Parameter) -> Chart {
        let gains = &self.config.gains;
        let course = self.records.iter().map(|record| record.values[index]);
        let all: Vec<f64> = std::iter::once(parameter.start).chain(course).collect();
        let last = all.len() - 1;
        let step = all.len().div_ceil(MOST_POINTS);
        let shown = (0..last).step_by(step).chain([last]);
        let points: Vec<(f64, f64)> = shown.map(|at| (to_f64(at as u64), all[at])).collect();
        let title = format!("{} by iteration", parameter.name);
        let names = ChartNames {
            title: &title,
            axes: ["iteration", ""],
            least: [
                1.0,
                match parameter.kind {
                    ParameterKind::Int => 1.0,
                    ParameterKind::Float => 0.0,
                },
            ],
        };
        let mut chart = Chart::new(
            &names,
            [0.0, to_f64(gains.iterations)],
            [parameter.min, parameter.max],
        );
        let shown = (0..last).step_by(step).chain([last]);
        let band = shown.zip(&points).map(|(at, &(x, value))| {
            let iteration = (at as u64).min(gains.iterations - 1);
            let c = gains.perturbation(parameter, iteration);
            (x, [value - c, value + c])
        });
        chart.band("band", &band.collect::<Vec<_>>());
        chart.rule("bound start", parameter.start, "");
        chart.line("line a", points.iter().copied());
        let (x, value) = *points.last().expect("the start is one");
        chart.dot("dot a", x, value);
        chart
    }
}

/// Number of decimals that resolves a ten-thousandth of a range.
fn places(range: f64) -> usize {
    let steps = [1e4, 1e3, 1e2, 1e1, 1e0, 1e-1];
    steps.iter().take_while(|&&step| range < step).count() + 1
}

fn signed(number: &str) -> String {
    if number.starts_with('-') {
        number.to_owned()
    } else {
        format!("+{number}")
    }
}
