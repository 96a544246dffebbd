//! The report of `perft coverage`.

use std::fmt::{self, Write as _};

use chess::notation::{fen, uci_move};
use kit::output::grouped;
use kit::report::Format;
use serde::Serialize;

use super::json::to_text;
use crate::suite::coverage::faults::{Caught, Fault};
use crate::suite::coverage::{Example, SignatureSet, VIEWS};

/// What suites reach of what is possible.
#[derive(Clone, Debug)]
pub(crate) struct CoverageReport {
    pub(crate) suites: Vec<SuiteCoverage>,
    pub(crate) possible: &'static SignatureSet,
    /// What the suites reach together.
    pub(crate) reached: SignatureSet,
    /// What no suite reaches, in order.
    pub(crate) missing: Vec<Example>,
    /// Faults of one signature each, and of two, if they were simulated.
    pub(crate) faults: Option<[Caught; 2]>,
    /// Most missing signatures to print for people.
    pub(crate) most_shown: usize,
}

/// What one suite reaches.
#[derive(Clone, Debug)]
pub(crate) struct SuiteCoverage {
    pub(crate) name: String,
    pub(crate) positions: usize,
    /// Leaf nodes of the counts that were followed.
    pub(crate) nodes: u64,
    pub(crate) reached: SignatureSet,
}

impl CoverageReport {
    pub(crate) fn write(&self, format: Format) -> anyhow::Result<String> {
        if format == Format::Json {
            return self.json();
        }
        let mut text = String::new();
        self.write_human(&mut text)
            .expect("a string can be written to");
        Ok(text)
    }

    fn write_human(&self, text: &mut String) -> fmt::Result {
        let names = self.suites.iter().map(|suite| suite.name.len());
        let width = names.max().unwrap_or(0).max("possible".len());
        write!(text, "{:<width$}  positions       nodes", "suite")?;
        for view in &VIEWS {
            write!(text, "  {:>1$}", view.name, column(view.name))?;
        }
        writeln!(text, "  {:>6}", "all")?;
        for suite in &self.suites {
            let (name, nodes) = (&suite.name, grouped(suite.nodes));
            write!(text, "{name:<width$}  {:>9}  {nodes:>10}", suite.positions)?;
            self.write_numbers(text, &suite.reached)?;
        }
        if self.suites.len() > 1 {
            write!(text, "{:<width$}  {:>9}  {:>10}", "together", "", "")?;
            self.write_numbers(text, &self.reached)?;
        }
        write!(text, "{:<width$}  {:>9}  {:>10}", "possible", "", "")?;
        self.write_numbers(text, self.possible)?;
        if let Some(faults) = &self.faults {
            self.write_faults(text, faults)?;
        }
        if self.missing.is_empty() {
            return writeln!(text, "\nOK: every signature is reached");
        }
        let (missing, possible) = (self.missing.len(), self.possible.count());
        writeln!(
            text,
            "\nMISSING: {} of {} signatures",
            grouped(missing as u64),
            grouped(possible)
        )?;
        for one in self.missing.iter().take(self.most_shown) {
            let (fen, m) = shown(one);
            let in_it = m.map(|m| format!("{m} in ")).unwrap_or_default();
            writeln!(text, "    {}\n        {in_it}{fen}", one.signature)?;
        }
        if let more @ 1.. = missing.saturating_sub(self.most_shown) {
            writeln!(
                text,
                "    and {} more: --list {missing} prints all, --fill FILE writes a suite that shows them",
                grouped(more as u64)
            )?;
        }
        Ok(())
    }

    fn write_faults(&self, text: &mut String, faults: &[Caught; 2]) -> fmt::Result {
        let [single, pairs] = faults.each_ref().map(|one| {
            let caught = (one.faults - one.escaped.len()) as u64;
            format!("{} of {}", grouped(caught), grouped(one.faults as u64))
        });
        writeln!(
            text,
            "\nCAUGHT: {single} generators that are wrong at one signature, {pairs} at two"
        )?;
        let escaped = faults.iter().flat_map(|one| &one.escaped);
        for one in escaped.take(self.most_shown) {
            writeln!(text, "    not: {}", names(one).join("; "))?;
        }
        Ok(())
    }

    /// Whether no simulated fault escaped.
    pub(crate) fn has_caught_all(&self) -> bool {
        let mut faults = self.faults.iter().flatten();
        faults.all(|one| one.escaped.is_empty())
    }

    fn write_numbers(&self, text: &mut String, set: &SignatureSet) -> fmt::Result {
        for (view, number) in VIEWS.iter().zip(by_view(set)) {
            write!(text, "  {:>1$}", grouped(number), column(view.name))?;
        }
        let (count, possible) = (set.count(), self.possible.count());
        let percent = 100.0 * f64::from(count) / f64::from(possible);
        writeln!(text, "  {:>6}  {percent:>5.1} %", grouped(count))
    }

    fn json(&self) -> anyhow::Result<String> {
        let views = |set: &SignatureSet| {
            let numbers = VIEWS.iter().zip(by_view(set));
            numbers.map(|(view, number)| (view.name, number)).collect()
        };
        let suites = self.suites.iter().map(|suite| SuiteObject {
            name: &suite.name,
            positions: suite.positions,
            nodes: suite.nodes,
            reached: suite.reached.count(),
            views: views(&suite.reached),
        });
        let missing = self.missing.iter().map(|one| {
            let (fen, m) = shown(one);
            MissingObject {
                view: VIEWS[one.signature.view()].name,
                depth: one.signature.depth(),
                signature: one.signature.to_string(),
                fen,
                r#move: m,
            }
        });
        let faults = self.faults.as_ref().map(|faults| {
            faults.each_ref().map(|one| FaultsObject {
                simulated: one.faults,
                caught: one.faults - one.escaped.len(),
                escaped: one.escaped.iter().map(names).collect(),
            })
        });
        to_text(&CoverageObject {
            schema: "touchstone/perft-coverage/1",
            possible: self.possible.count(),
            views: views(self.possible),
            suites: suites.collect(),
            missing: missing.collect(),
            faults,
        })
    }
}

/// The width of a view's column; numbers have up to six characters.
fn column(name: &str) -> usize {
    name.len().max(6)
}

fn by_view(set: &SignatureSet) -> [u32; VIEWS.len()] {
    let mut numbers = [0; VIEWS.len()];
    for signature in set.iter() {
        numbers[signature.view()] += 1;
    }
    numbers
}

fn names(fault: &Fault) -> Vec<String> {
    fault.iter().map(ToString::to_string).collect()
}

fn shown(one: &Example) -> (String, Option<String>) {
    let mode = one.position.castling_mode();
    let m = one.m.map(|m| uci_move::write(m, &one.position, mode));
    (fen::write(&one.position), m)
}

#[derive(Serialize)]
struct CoverageObject<'a> {
    schema: &'static str,
    possible: u32,
    views: std::collections::BTreeMap<&'static str, u32>,
    suites: Vec<SuiteObject<'a>>,
    missing: Vec<MissingObject>,
    /// Of one signature each, and of two.
    #[serde(skip_serializing_if = "Option::is_none")]
    faults: Option<[FaultsObject; 2]>,
}

#[derive(Serialize)]
struct FaultsObject {
    simulated: usize,
    caught: usize,
    /// The signatures of each.
    escaped: Vec<Vec<String>>,
}

#[derive(Serialize)]
struct SuiteObject<'a> {
    name: &'a str,
    positions: usize,
    nodes: u64,
    reached: u32,
    views: std::collections::BTreeMap<&'static str, u32>,
}

#[derive(Serialize)]
struct MissingObject {
    view: &'static str,
    /// The least depth of a count that shows it.
    depth: u32,
    signature: String,
    fen: String,
    /// None for a state of the position.
    r#move: Option<String>,
}
