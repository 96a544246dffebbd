//! `perft count`: one position, with its divide or breakdown.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;
use std::sync::Mutex;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use chess::notation::{fen, uci_move};
use chess::perft::{Breakdown, CountError, Counter, SubtreeCount, breakdown_parallel};
use chess::rules::{Move, Position};
use kit::Exit;
use kit::output::{grouped, rate};
use serde::Serialize;

/// Output format of `perft count`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[cfg_attr(feature = "cli", derive(clap::ValueEnum))]
pub enum Format {
    /// Human-readable; the divide as engines print it.
    Human,
    /// One object, schema `touchstone/perft-count/1`.
    Json,
    /// One row per root move, or a single row without a divide.
    Csv,
}

/// How a count ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// Every leaf node is counted.
    Complete,
    /// The user cancelled the count.
    Interrupted,
    /// An operator stopped the job.
    Stopped,
    /// Two machines reported different counts for the same unit.
    Different,
}

impl Ended {
    /// The exit code for this ending.
    pub(crate) fn exit(self) -> Exit {
        match self {
            Self::Complete => Exit::Agreed,
            Self::Interrupted => Exit::Interrupted,
            Self::Stopped => Exit::Failed,
            Self::Different => Exit::Differs,
        }
    }
}

/// Provenance of a count made on many machines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Shared {
    /// The job's name at the broker.
    pub job: String,
    /// The ply at which the tree was cut into units.
    pub ply: u32,
    /// Units counted so far.
    pub done: u64,
    /// Units in total.
    pub units: u64,
    /// Units that were counted by two workers and compared.
    pub compared: u64,
    /// The workers whose counts were used, with their numbers of units.
    pub workers: BTreeMap<String, u64>,
}

/// The result of a count.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counted {
    /// The root position.
    pub position: Position,
    /// Depth in plies.
    pub depth: u32,
    /// Leaf nodes; those of the finished part only, if the count is incomplete.
    pub nodes: u128,
    /// The count below each finished root move, sorted by the text of the move.
    pub divide: Option<Vec<(String, u64)>>,
    /// The leaf nodes by kind.
    pub breakdown: Option<Breakdown>,
    /// Leaf nodes counted by an earlier run, see `--resume` and `--fleet`.
    pub resumed: u128,
    /// Provenance of a distributed count, see `--fleet`.
    pub shared: Option<Shared>,
    /// How it ended.
    pub ended: Ended,
    /// Wall-clock time of this run.
    pub time: Duration,
}

/// Sums up subtrees as they are counted, so that the finished root moves are known at any moment.
#[derive(Debug, Default)]
struct Partial(Mutex<HashMap<Move, (usize, u64)>>);

impl Partial {
    fn add(&self, subtree: SubtreeCount) {
        let mut sums = self.0.lock().expect("no thread panics while it adds");
        let sum = sums
            .entry(subtree.root_move)
            .or_insert((subtree.siblings, 0));
        sum.0 -= 1;
        sum.1 = sum.1.saturating_add(subtree.count);
    }

    /// The root moves whose subtrees are all counted.
    fn finished(self) -> Vec<(Move, u64)> {
        let sums = self.0.into_inner().expect("no thread panics while it adds");
        let finished = sums.into_iter().filter(|&(_, (open, _))| open == 0);
        finished.map(|(m, (_, count))| (m, count)).collect()
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum What {
    Nodes,
    Divide,
    Breakdown,
}

/// A count to be made.
pub(crate) struct Job<'a> {
    pub(crate) position: Position,
    pub(crate) depth: u32,
    pub(crate) what: What,
    pub(crate) counter: Counter<'a>,
    /// Set to cancel the count.
    pub(crate) cancel: &'a AtomicBool,
}

impl Job<'_> {
    /// Counts on the current rayon pool; the caller fills in the time.
    pub(crate) fn run(&self, observe: impl Fn(SubtreeCount) + Sync) -> Result<Counted, CountError> {
        let mut counted = Counted {
            position: self.position,
            depth: self.depth,
            nodes: 0,
            divide: None,
            breakdown: None,
            resumed: 0,
            shared: None,
            ended: Ended::Complete,
            time: Duration::ZERO,
        };
        let finished = match self.what {
            What::Breakdown => self.breakdown(&mut counted),
            _ => self.divide(&mut counted, observe),
        };
        match finished {
            Err(CountError::Cancelled) => counted.ended = Ended::Interrupted,
            finished => finished?,
        }
        Ok(counted)
    }

    fn breakdown(&self, counted: &mut Counted) -> Result<(), CountError> {
        let breakdown = breakdown_parallel(&self.position, self.depth, self.cancel)?;
        counted.nodes = breakdown.nodes.into();
        counted.breakdown = Some(breakdown);
        Ok(())
    }

    /// If the count is cancelled, `counted` holds the finished root moves.
    fn divide(
        &self,
        counted: &mut Counted,
        observe: impl Fn(SubtreeCount) + Sync,
    ) -> Result<(), CountError> {
        let partial = Partial::default();
        let divided = self
            .counter
            .divide_observed(&self.position, self.depth, |subtree| {
                partial.add(subtree);
                observe(subtree);
            });
        let (moves, finished) = match divided {
            Ok(divide) => (divide, Ok(())),
            Err(error) => (partial.finished(), Err(error)),
        };
        counted.nodes = u128::from(self.depth == 0);
        counted.nodes += moves
            .iter()
            .map(|&(_, count)| u128::from(count))
            .sum::<u128>();
        if self.what == What::Divide {
            counted.divide = Some(named(moves, &self.position));
        }
        finished
    }
}

/// The divide with its moves as text, in alphabetical order.
fn named(divide: Vec<(Move, u64)>, position: &Position) -> Vec<(String, u64)> {
    let mode = position.castling_mode();
    let name = |m| uci_move::write(m, position, mode);
    let mut named: Vec<_> = divide
        .into_iter()
        .map(|(m, count)| (name(m), count))
        .collect();
    named.sort();
    named
}

#[derive(Serialize)]
struct Report<'a> {
    schema: &'static str,
    fen: String,
    depth: u32,
    nodes: u128,
    complete: bool,
    seconds: f64,
    #[serde(skip_serializing_if = "Option::is_none")]
    shared: Option<&'a Shared>,
    #[serde(skip_serializing_if = "Option::is_none")]
    divide: Option<Vec<MoveCount<'a>>>,
    #[serde(skip_serializing_if = "Option::is_none")]
    breakdown: Option<serde_json::Map<String, serde_json::Value>>,
}

#[derive(Serialize)]
struct MoveCount<'a> {
    #[serde(rename = "move")]
    name: &'a str,
    nodes: u64,
}

impl Shared {
    fn write_human(&self, text: &mut String) -> std::fmt::Result {
        for (worker, units) in &self.workers {
            writeln!(text, "{worker}: {} units", grouped(*units))?;
        }
        writeln!(
            text,
            "{} of {} units at ply {}, {} counted by two workers and compared\n",
            grouped(self.done),
            grouped(self.units),
            self.ply,
            grouped(self.compared)
        )
    }
}

impl Counted {
    /// Renders the report in a format.
    ///
    /// # Errors
    ///
    /// When a library cannot write the format.
    pub fn write(&self, format: Format) -> anyhow::Result<String> {
        match format {
            Format::Human => Ok(self.human()),
            Format::Json => Ok(serde_json::to_string_pretty(&self.report())? + "\n"),
            Format::Csv => self.csv(),
        }
    }

    fn columns(&self) -> Option<impl Iterator<Item = (&'static str, u64)>> {
        Some(Breakdown::NAMES.into_iter().zip(self.breakdown?.columns()))
    }

    fn human(&self) -> String {
        let mut text = String::new();
        let written = self.write_human(&mut text);
        written.expect("a string can be written to");
        text
    }

    fn write_human(&self, text: &mut String) -> std::fmt::Result {
        for (name, nodes) in self.divide.iter().flatten() {
            writeln!(text, "{name}: {nodes}")?;
        }
        if self.divide.is_some() {
            writeln!(text)?;
        }
        for (name, nodes) in self.columns().into_iter().flatten().skip(1) {
            writeln!(text, "{name:<11} {:>20}", grouped(nodes))?;
        }
        if let Some(shared) = &self.shared {
            shared.write_human(text)?;
        }
        self.write_end(text)
    }

    fn write_end(&self, text: &mut String) -> std::fmt::Result {
        let seconds = self.time.as_secs_f64();
        let (depth, nodes) = (self.depth, grouped(self.nodes));
        match self.ended {
            Ended::Complete => {
                let rate = rate(self.nodes.saturating_sub(self.resumed), seconds);
                writeln!(text, "perft({depth}) = {nodes} in {seconds:.2} s, {rate}")
            }
            Ended::Interrupted => writeln!(
                text,
                "INTERRUPTED after {seconds:.2} s: at least {nodes} nodes"
            ),
            Ended::Stopped => {
                writeln!(text, "STOPPED after {seconds:.2} s: at least {nodes} nodes")
            }
            Ended::Different => writeln!(
                text,
                "DIFFERENT after {seconds:.2} s: workers disagree, no sum can be trusted"
            ),
        }
    }

    fn report(&self) -> Report<'_> {
        Report {
            schema: "touchstone/perft-count/1",
            fen: fen::write(&self.position),
            depth: self.depth,
            nodes: self.nodes,
            complete: self.ended == Ended::Complete,
            shared: self.shared.as_ref(),
            seconds: self.time.as_secs_f64(),
            divide: self.divide.as_ref().map(|divide| {
                divide
                    .iter()
                    .map(|(name, nodes)| MoveCount {
                        name,
                        nodes: *nodes,
                    })
                    .collect()
            }),
            breakdown: self.columns().map(|columns| {
                columns
                    .map(|(name, nodes)| (name.replace(' ', "_"), nodes.into()))
                    .collect()
            }),
        }
    }

    fn csv(&self) -> anyhow::Result<String> {
        let mut table = csv::Writer::from_writer(Vec::new());
        if let Some(divide) = &self.divide {
            table.write_record(["move", "nodes"])?;
            for (name, nodes) in divide {
                table.write_record([name, &nodes.to_string()])?;
            }
        } else if let Some(breakdown) = &self.breakdown {
            table.write_record(Breakdown::NAMES)?;
            table.write_record(breakdown.columns().map(|count| count.to_string()))?;
        } else {
            table.write_record(["depth", "nodes"])?;
            table.write_record([self.depth.to_string(), self.nodes.to_string()])?;
        }
        let bytes = table
            .into_inner()
            .map_err(csv::IntoInnerError::into_error)?;
        Ok(String::from_utf8(bytes)?)
    }
}
