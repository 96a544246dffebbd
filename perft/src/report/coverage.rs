//! The report of `perft coverage`.

use chess::notation::fen;
use chess::rules::Position;
use kit::Exit;
use kit::output::grouped;
use kit::report::{Case, CaseSuite, Report, Section, Status, Verdict};
use serde_json::{Value, json};

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

impl Report for CoverageReport {
    fn command(&self) -> &'static str {
        "perft coverage"
    }

    /// A case for each family of faults.
    fn suites(&self) -> Vec<CaseSuite<'_>> {
        let names: Vec<&str> = self.suites.iter().map(|suite| &*suite.name).collect();
        vec![CaseSuite::new(names.join(", "), self.families())]
    }

    fn sections(&self) -> Vec<Section<'_>> {
        let head = ["suite", "positions", "nodes", "caught", "share"];
        let rows = self.suites.iter().map(|suite| {
            let [caught, share] = self.share(&suite.caught);
            let (positions, nodes) = (suite.positions.to_string(), grouped(suite.nodes));
            vec![suite.name.clone(), positions, nodes, caught, share]
        });
        let together = (self.suites.len() > 1).then(|| {
            let [caught, share] = self.share(&self.caught);
            let empty = String::new();
            vec!["together".to_owned(), empty.clone(), empty, caught, share]
        });
        let table = Section::table(head, rows.chain(together));
        let missed = self.families().filter(|case| case.status == Status::Failed);
        let missed: Vec<String> = missed
            .map(|case| {
                format!(
                    "    {}: {}\n        {}\n",
                    case.name, case.text, case.details
                )
            })
            .collect();
        let more = match missed.len().saturating_sub(SHOWN) {
            0 => String::new(),
            more => format!(
                "    and {more} more families: --format json lists all, --fill FILE writes a suite that catches them\n"
            ),
        };
        let shown = missed.into_iter().take(SHOWN).chain([more]);
        vec![table, Section::text("\n"), Section::Cases(Box::new(shown))]
    }

    fn verdict(&self) -> Verdict {
        let all = grouped(self.bank.len() as u64);
        let (exit, text) = match self.missed.len() {
            0 => (Exit::Agreed, format!("OK: all {all} faults are caught")),
            missed => {
                let missed = grouped(missed as u64);
                (Exit::Differs, format!("MISSED: {missed} of {all} faults"))
            }
        };
        Verdict { exit, text }
    }

    fn facts(&self) -> Value {
        let suites = self.suites.iter().map(|suite| {
            json!({
                "name": suite.name,
                "positions": suite.positions,
                "nodes": suite.nodes,
                "caught": suite.caught.len(),
            })
        });
        json!({
            "faults": self.bank.len(),
            "caught": self.caught.len(),
            "suites": suites.collect::<Vec<_>>(),
        })
    }
}

impl CoverageReport {
    /// The families that have faults in the bank.
    fn families(&self) -> impl Iterator<Item = Case<'_>> {
        family_ranges().filter_map(|(name, range)| {
            let faults = self.bank.iter();
            let faults = faults
                .filter(|fault| range.contains(&fault.index()))
                .count();
            let missed = self.missed.iter();
            let missed = missed.filter(|one| range.contains(&one.fault.index()));
            let missed: Vec<&MissedFault> = missed.collect();
            let case = match &*missed {
                [] if faults == 0 => return None,
                [] => Case::passed(name),
                [one, ..] => {
                    let (number, what) = (missed.len(), one.fault.description());
                    let text = format!("{number} missed, such as: {what}");
                    let counts = one.counts.map_or_else(String::new, |[right, wrong]| {
                        format!(" is {right}, with the fault {wrong}")
                    });
                    let example = format!("{} D{}{counts}", fen::write(&one.position), one.depth);
                    Case::not_passed(Status::Failed, name, "", text).details(example)
                }
            };
            let caught = faults - missed.len();
            let missed = missed.iter().map(|one| {
                json!({
                    "fault": one.fault.name(),
                    "description": one.fault.description(),
                    "fen": fen::write(&one.position),
                    "depth": one.depth,
                    "counts": one.counts,
                })
            });
            let missed: Vec<Value> = missed.collect();
            Some(case.facts(json!({"faults": faults, "caught": caught, "missed": missed})))
        })
    }

    /// Number of faults, and their share, rounded down: 100.0 % are all of them.
    fn share(&self, caught: &FaultSet) -> [String; 2] {
        let (count, all) = (caught.len() as u64, self.bank.len() as u64);
        let tenths = (1_000 * count).checked_div(all).unwrap_or(1_000);
        [grouped(count), format!("{}.{} %", tenths / 10, tenths % 10)]
    }
}
