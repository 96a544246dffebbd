//! What is known about a test of a lab: `touchstone/lab-summary/1`.

use std::collections::BTreeMap;
use std::fmt;

use serde::{Deserialize, Serialize};

use crate::model::Quarantine;

/// The schema of a summary.
pub const SCHEMA: &str = "touchstone/lab-summary/1";

/// What is known about a test so far; final if there is an outcome.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct TestSummary {
    /// Always `touchstone/lab-summary/1`.
    pub schema: String,
    /// Number of units (pairs, positions) with a result.
    pub done: u64,
    /// Number of units; 0 before the test is prepared. An `sprt` rarely needs all of them.
    pub units: u64,
    /// The final result; nothing while the test runs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub outcome: Option<Outcome>,
    /// Whether one machine or one owner answers alone for what is decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub by_one: Option<ByOne>,
    /// One sentence for lists and commits, such as `H1 is accepted: 3120 games, LLR 2.95`.
    pub headline: String,
    /// Engines in the order of the test, as they are built.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub engines: Vec<EngineSummary>,
    /// The result of two engines, from the point of view of the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub score: Option<ScoreSummary>,
    /// The sequential test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sprt: Option<SprtSummary>,
    /// The table of a tournament, best first.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub standings: Vec<StandingSummary>,
    /// The values of a tuning.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub tune: Option<TuneSummary>,
    /// A perft count.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub perft: Option<PerftSummary>,
    /// Test positions.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub epd: Option<EpdSummary>,
    /// What each worker delivered, by name.
    #[serde(skip_serializing_if = "BTreeMap::is_empty")]
    pub workers: BTreeMap<String, WorkerSummary>,
    /// Workers whose results do not count any more, and why.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[cfg_attr(feature = "openapi", schema(value_type = Vec<Object>))]
    pub quarantined: Vec<Quarantine>,
    /// Games lost by faults, and faults between games, by engine and kind.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<FaultCount>,
    /// The first faults, with the engine's output.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub first_faults: Vec<FaultSummary>,
    /// What people should know, such as workers that disagree.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub warnings: Vec<String>,
}

impl TestSummary {
    /// Says that the decision is not final yet, and what it waits for.
    pub fn wait_for(&mut self, what: &str) {
        if self.outcome.take().is_some() {
            let hypothesis = self.sprt.as_ref().map_or("a result", |sprt| &sprt.state);
            let says = format!("{hypothesis} is reached, not confirmed yet");
            self.headline = headline(&self.headline, &says);
        }
        self.warnings.push(format!("not final: {what}"));
    }

    /// Says who answers for the decision alone.
    pub fn answered_by(&mut self, by_one: Option<ByOne>) {
        self.by_one = by_one;
        if let Some(by_one) = by_one {
            let what = self.headline.split(": ").next().unwrap_or_default();
            self.headline = headline(&self.headline, &format!("{what} {by_one}"));
        }
    }
}

/// A headline whose part before the first colon says something else.
fn headline(text: &str, says: &str) -> String {
    match text.split_once(": ") {
        Some((_, rest)) => format!("{says}: {rest}"),
        None => says.to_owned(),
    }
}

/// Who answers alone for what is decided: others could not confirm it.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum ByOne {
    /// One machine.
    Machine,
    /// Machines of one owner.
    Owner,
}

impl fmt::Display for ByOne {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Machine => "by one machine",
            Self::Owner => "by one owner",
        })
    }
}

/// The final result of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    /// H1 is accepted.
    Passed,
    /// H0 is accepted.
    Failed,
    /// All pairs of a test were played without a decision.
    Undecided,
    /// The result proves nothing: pairs are copies of each other, or engines failed in every game.
    Invalid,
    /// All is done, and there was nothing to decide.
    Complete,
    /// An engine or the environment failed.
    Broken,
    /// All is counted, but results of workers differ: the sum may be wrong.
    Inexact,
}

/// An engine as it is built.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct EngineSummary {
    /// Its name.
    pub name: String,
    /// The name of its repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub repository: Option<String>,
    /// The address of the repository.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub url: Option<String>,
    /// The revision as it was submitted.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub revision: Option<String>,
    /// Its commit.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub commit: Option<String>,
    /// The nodes that its bench command must print.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub bench: Option<u64>,
}

/// A number with its 95% interval.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Interval {
    /// The estimate itself.
    pub value: f64,
    /// The lower end.
    pub lower: f64,
    /// The upper end.
    pub upper: f64,
}

/// The result of two engines, from the point of view of the first.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct ScoreSummary {
    /// Number of games.
    pub games: u64,
    /// Games won.
    pub wins: u64,
    /// Games drawn.
    pub draws: u64,
    /// Games lost.
    pub losses: u64,
    /// Pairs by points, doubled: 0 to 4.
    pub pentanomial: [u64; 5],
    /// Logistic Elo; nothing without a spread of results, here and below.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo: Option<Interval>,
    /// Normalised Elo.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub nelo: Option<Interval>,
    /// Elo with its interval as `selfplay report` prints it, with a dash for what is not known.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub elo_text: String,
    /// The same for normalised Elo.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub nelo_text: String,
    /// The likelihood of superiority.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub los: Option<f64>,
    /// Number of games that differ from each other.
    pub distinct: u64,
}

/// The sequential test.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct SprtSummary {
    /// H0, in Elo.
    pub elo0: f64,
    /// H1, in Elo.
    pub elo1: f64,
    /// The unit of Elo.
    pub model: String,
    /// The log-likelihood ratio.
    pub llr: f64,
    /// The bound at which H0 is accepted.
    pub lower: f64,
    /// The bound at which H1 is accepted.
    pub upper: f64,
    /// `running`, `H0`, `H1` or `invalid`.
    pub state: String,
    /// Why it is invalid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub invalid: Option<String>,
}

/// A row of a tournament's table.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct StandingSummary {
    /// The rank, from 1; tied engines share one.
    pub rank: usize,
    /// The engine.
    pub engine: String,
    /// Its points.
    pub points: f64,
    /// Number of games.
    pub games: u64,
}

/// The values of a tuning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct TuneSummary {
    /// Number of iterations that are complete.
    pub iterations: u64,
    /// Number of iterations of the tuning.
    pub of: u64,
    /// The parameters, in the order of the test.
    pub parameters: Vec<TunedParameter>,
}

/// A parameter of a tuning.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct TunedParameter {
    /// The option.
    pub name: String,
    /// Its value at the start.
    pub start: f64,
    /// Its value now.
    pub value: f64,
    /// Its least value.
    pub min: f64,
    /// Its largest value.
    pub max: f64,
}

/// A perft count. Numbers are texts: they do not fit a JSON number.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct PerftSummary {
    /// The position.
    pub fen: String,
    /// The depth in plies.
    pub depth: u32,
    /// Leaf nodes so far; all of them if the test is complete.
    pub nodes: String,
    /// The sum by root move, in UCI notation, once all is counted.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub divide: Vec<(String, String)>,
    /// The leaf nodes by kind of the last move, if they were counted so.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub breakdown: Vec<(String, String)>,
    /// Number of differences between workers that are not resolved.
    pub alarms: u64,
    /// How far the counts are verified, once all is counted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[cfg_attr(feature = "openapi", schema(value_type = Option<Object>))]
    pub verification: Option<queue::wire::Verification>,
}

/// Test positions.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct EpdSummary {
    /// Number of positions with a result.
    pub searched: u64,
    /// Number of those with a goal that was met.
    pub solved: u64,
    /// Number of positions in which the engine failed.
    pub faults: u64,
    /// Nodes of all searches, as far as they are reported.
    pub nodes: u64,
    /// Points, and the most that could be had, of records with points.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub points: Option<(u64, u64)>,
    /// The positions that failed, by `id` or line.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub failed: Vec<String>,
}

/// What a worker delivered.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct WorkerSummary {
    /// Number of units.
    pub units: u64,
    /// Number of games.
    pub games: u64,
    /// Its pairs by points of the first engine, doubled: 0 to 4.
    pub pentanomial: [u64; 5],
    /// Number of its games lost by faults that a machine can cause.
    pub faults: u64,
    /// How far its mean is from that of all others, in standard errors; nothing with few pairs.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub residual: Option<f64>,
}

impl WorkerSummary {
    /// What workers delivered of a kind that is counted in units alone.
    pub fn of_units(
        units: impl IntoIterator<Item = (String, u64)>,
    ) -> BTreeMap<String, WorkerSummary> {
        let summary = |units| Self {
            units,
            ..Self::default()
        };
        let workers = units.into_iter();
        workers
            .map(|(name, units)| (name, summary(units)))
            .collect()
    }
}

/// Number of faults of an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FaultCount {
    /// The engine.
    pub engine: String,
    /// The kind of fault, such as `crash`.
    pub kind: String,
    /// Number of faults.
    pub count: u64,
    /// Whether they ended games.
    pub lost: bool,
}

/// A game that was lost by a fault.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct FaultSummary {
    /// The number of the game, from 1.
    pub game: u64,
    /// The engine.
    pub engine: String,
    /// The kind of fault.
    pub kind: String,
    /// What happened.
    pub detail: String,
    /// Who played the game.
    pub worker: String,
    /// The last lines between the program and the engine.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub output: Option<String>,
}

/// A step of a graph, in `lab.points`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(default)]
pub struct Point {
    /// Number of units with a result.
    pub done: u64,
    /// Number of games counted.
    pub games: u64,
    /// The log-likelihood ratio, of a test.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub llr: Option<f64>,
    /// Logistic Elo of the first of two engines.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub elo: Option<Interval>,
    /// The values of a tuning, in the order of its parameters.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub values: Vec<f64>,
}
