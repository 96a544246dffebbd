//! The report of `perft coverage`.

use std::fmt::{self, Write as _};

use chess::notation::fen;
use chess::rules::Position;
use kit::output::grouped;
use kit::report::Format;
use serde::Serialize;

use super::json::to_text;
use crate::suite::faults::{Fault, FaultSet, family_ranges};

/// Number of missed families in the text, with an example each; JSON lists every fault.
const SHOWN: usize = 12;

/// What suites catch of the faults that are known to show.
#[derive(Clone, Debug)]
pub(crate) struct CoverageReport {
    pub(crate) suites: Vec<SuiteCoverage>,
    pub(crate) bank: &'static FaultSet,
    /// What the suites catch together.
    pub(crate) caught: FaultSet,
    /// What no suite catches, in order.
    pub(crate) missed: Vec<MissedFault>,
}

/// What one suite catches.
#[derive(Clone, Debug)]
pub(crate) struct SuiteCoverage {
    pub(crate) name: String,
    pub(crate) positions: usize,
    /// Leaf nodes of the counts that were made.
    pub(crate) nodes: u64,
    pub(crate) caught: FaultSet,
}

/// A fault that no suite catches, with a count that shows it.
#[derive(Clone, Debug)]
pub(crate) struct MissedFault {
    pub(crate) fault: Fault,
    pub(crate) position: Position,
    pub(crate) depth: u32,
    /// The right count and that with the fault, if they were made.
    pub(crate) counts: Option<[u64; 2]>,
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
        let width = names.max().unwrap_or(0).max("together".len());
        writeln!(
            text,
            "{:<width$}  positions       nodes  faults caught",
            "suite"
        )?;
        for suite in &self.suites {
            let (name, nodes) = (&suite.name, grouped(suite.nodes));
            write!(text, "{name:<width$}  {:>9}  {nodes:>10}", suite.positions)?;
            self.write_caught(text, &suite.caught)?;
        }
        if self.suites.len() > 1 {
            write!(text, "{:<width$}  {:>9}  {:>10}", "together", "", "")?;
            self.write_caught(text, &self.caught)?;
        }
        let all = grouped(self.bank.len() as u64);
        if self.missed.is_empty() {
            return writeln!(text, "\nOK: all {all} faults are caught");
        }
        let missed = grouped(self.missed.len() as u64);
        writeln!(text, "\nMISSED: {missed} of {all} faults")?;
        let families: Vec<&[MissedFault]> = self
            .missed
            .chunk_by(|one, next| one.fault.family_name() == next.fault.family_name())
            .collect();
        for family in families.iter().take(SHOWN) {
            let one = &family[0];
            let (name, number) = (one.fault.family_name(), family.len());
            writeln!(
                text,
                "    {name}: {number}, such as: it {}",
                one.fault.description()
            )?;
            let counts = one.counts.map_or_else(String::new, |[right, wrong]| {
                format!(" is {right}, with the fault {wrong}")
            });
            let fen = fen::write(&one.position);
            writeln!(text, "        {fen} D{}{counts}", one.depth)?;
        }
        if let more @ 1.. = families.len().saturating_sub(SHOWN) {
            writeln!(
                text,
                "    and {more} more families: --format json lists all, --fill FILE writes a suite that catches them"
            )?;
        }
        Ok(())
    }

    fn write_caught(&self, text: &mut String, caught: &FaultSet) -> fmt::Result {
        let (count, all) = (caught.len() as u64, self.bank.len() as u64);
        // Rounded down: 100.0 % are all of them.
        let tenths = (1_000 * count).checked_div(all).unwrap_or(1_000);
        let count = grouped(count);
        writeln!(text, "  {count:>6}  {:>3}.{} %", tenths / 10, tenths % 10)
    }

    fn json(&self) -> anyhow::Result<String> {
        let families = family_ranges().filter_map(|(name, range)| {
            let number = |set: &FaultSet| {
                let of_family = set.iter().filter(|fault| range.contains(&fault.index()));
                of_family.count()
            };
            let faults = number(self.bank);
            (faults > 0).then(|| FamilyObject {
                name,
                faults,
                caught: number(&self.caught),
            })
        });
        let suites = self.suites.iter().map(|suite| SuiteObject {
            name: &suite.name,
            positions: suite.positions,
            nodes: suite.nodes,
            caught: suite.caught.len(),
        });
        let missed = self.missed.iter().map(|one| MissedObject {
            fault: one.fault.name(),
            description: one.fault.description(),
            fen: fen::write(&one.position),
            depth: one.depth,
            counts: one.counts,
        });
        to_text(&CoverageObject {
            schema: "touchstone/perft-coverage/2",
            faults: self.bank.len(),
            caught: self.caught.len(),
            suites: suites.collect(),
            families: families.collect(),
            missed: missed.collect(),
        })
    }
}

#[derive(Serialize)]
struct CoverageObject<'a> {
    schema: &'static str,
    faults: usize,
    caught: usize,
    suites: Vec<SuiteObject<'a>>,
    families: Vec<FamilyObject>,
    missed: Vec<MissedObject>,
}

#[derive(Serialize)]
struct SuiteObject<'a> {
    name: &'a str,
    positions: usize,
    nodes: u64,
    caught: usize,
}

#[derive(Serialize)]
struct FamilyObject {
    name: &'static str,
    faults: usize,
    caught: usize,
}

#[derive(Serialize)]
struct MissedObject {
    fault: String,
    description: String,
    fen: String,
    depth: u32,
    /// The right count and that with the fault; of the first two thousand.
    #[serde(skip_serializing_if = "Option::is_none")]
    counts: Option<[u64; 2]>,
}
