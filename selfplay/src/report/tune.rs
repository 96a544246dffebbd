//! Formats tunings for people, as CSV of every iteration, as `touchstone/tune-report/1`, as UCI
//! commands, and as charts.

mod page;

use std::fmt::Write as _;

use serde::Serialize;

use super::{csv_text, decimals, table, wdl};
use crate::stats::Wdl;
use crate::stats::number::twelve_digits;
use crate::tune::config::TuneConfig;
use crate::tune::journal::IterationRecord;
use crate::tune::parameter::Parameter;

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
