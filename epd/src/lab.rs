//! `epd run` and labelling as tests of a lab: positions become units of a job, and results become
//! what `epd run` prints, or positions with scores. Pure.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use chess::rules::Color;
use queue::{Chunk, Job, Recorded};

use crate::distributed::protocol::{JobBody, Searches};
pub use crate::distributed::protocol::{LabEngine, LabProgram};
use crate::eval::pattern::ParsedEvaluation;
use crate::run::driver::SearchRules;
use crate::run::ledger::{Handshake, PositionState, SearchOutcome, Trial};
use crate::run::plan::{PositionLimits, RunCase, RunPlan, SuiteCases};
use crate::run::score::EarlyStop;
use crate::text::{Operand, Operation, Severity, Suite};

/// How long a search without a limit of time may take, and how long an engine may take to stop: the
/// defaults of `epd run`.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(1);
pub(crate) const MARGIN: Duration = Duration::from_secs(1);
/// Number of faults that an error lists.
const LISTED: usize = 5;

/// The positions of a test.
#[derive(Clone, Debug)]
pub struct LabRun {
    cases: Vec<RunCase>,
    searches: Searches,
}

/// Positions that cannot be searched, with the reasons.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{0}")]
pub struct LabFault(String);

/// The limits of a search that a lab can be asked for.
pub fn limits(nodes: Option<u64>, depth: Option<u32>, movetime_ms: Option<u64>) -> PositionLimits {
    PositionLimits {
        nodes,
        depth,
        time: movetime_ms.map(Duration::from_millis),
        mate: None,
    }
}

impl LabRun {
    /// The records of a suite that have a goal, as `epd run` reads them.
    ///
    /// # Errors
    /// A line cannot be read, or no record has a goal.
    pub fn suite(text: &str, limits: PositionLimits) -> Result<Self, LabFault> {
        let suite = Suite::parse_repaired("positions", text.as_bytes());
        let plan = RunPlan::new(vec![suite], limits);
        let faults = plan.suites.iter().flat_map(SuiteCases::faults);
        let faults: Vec<String> = faults
            .take(LISTED)
            .map(|(line, fault)| format!("line {line}: {fault}"))
            .collect();
        if !faults.is_empty() {
            return Err(LabFault(faults.join("; ")));
        }
        if plan.cases.is_empty() {
            return Err(LabFault("no record with bm, am or dm".to_owned()));
        }
        Ok(Self::new(plan.cases))
    }

    /// Positions to be scored: FEN, or EPD whose operations are kept.
    ///
    /// # Errors
    /// A line is no position, or there is none.
    pub fn positions(text: &str, limits: PositionLimits) -> Result<Self, LabFault> {
        let suite = Suite::parse("positions", text.as_bytes());
        let faults = suite.diagnostics.iter();
        let faults = faults.filter(|one| one.severity() == Severity::Error);
        let faults: Vec<String> = faults
            .take(LISTED)
            .map(|one| format!("line {}: {}", one.line, one.problem))
            .collect();
        if !faults.is_empty() {
            return Err(LabFault(faults.join("; ")));
        }
        if suite.entries.is_empty() {
            return Err(LabFault("no position".to_owned()));
        }
        let cases = suite.entries.into_iter().map(|entry| RunCase {
            line: entry.line,
            record: entry.record.clone(),
            ..RunCase::without_goal(*entry.record.position(), limits)
        });
        Ok(Self::new(cases.collect()))
    }

    fn new(cases: Vec<RunCase>) -> Self {
        Self {
            searches: Searches::new(&cases, 1, true),
            cases,
        }
    }

    /// Number of searches.
    pub fn units(&self) -> u64 {
        self.searches.list.len() as u64
    }

    /// The job of this name, with its chunks.
    pub fn job(&self, id: &str, engine: &LabEngine) -> (Job, Vec<Chunk>) {
        let rules = SearchRules {
            concurrency: 1,
            repeat: 1,
            timeout: TIMEOUT,
            margin: MARGIN,
            early_stop: EarlyStop::default(),
        };
        let body = JobBody::of_lab(engine, rules);
        self.searches.job(id, &self.cases, &body)
    }

    /// A count of results, without any.
    pub fn totals(&self) -> LabTotals {
        // Workers greet the engine: a result means that it was ready.
        let ready = Handshake::Ready {
            name: None,
            chess960: true,
        };
        LabTotals {
            trial: Trial::new(String::new(), ready, self.cases.len(), 1),
            read: BTreeSet::new(),
            workers: BTreeMap::new(),
            last: 0,
        }
    }
}

/// The results of a test so far.
#[derive(Clone, Debug)]
pub struct LabTotals {
    trial: Trial,
    read: BTreeSet<u64>,
    workers: BTreeMap<String, u64>,
    last: u64,
}

/// What `epd run` counts.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct LabCounts {
    /// Number of positions with a result.
    pub searched: u64,
    /// Number of those whose goal was met.
    pub solved: u64,
    /// Number of those in which the engine failed.
    pub faults: u64,
    /// Nodes of all searches, as far as they are reported.
    pub nodes: u64,
    /// Points, and the most that could be had, of records with `c0` points.
    pub points: (u64, u64),
    /// The positions whose goal was not met, by `id` or line.
    pub failed: Vec<String>,
}

/// Why a result is not counted.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabResultFault {
    /// Its unit has one already: it was replaced, and all are to be counted again.
    Twice,
    /// It cannot be right: why.
    Invalid(String),
}

impl LabTotals {
    /// Counts a result.
    ///
    /// # Errors
    /// It cannot be right, or another result of the unit is counted.
    pub fn take(&mut self, run: &LabRun, recorded: &Recorded) -> Result<(), LabResultFault> {
        self.last = self.last.max(recorded.number);
        if !self.read.insert(recorded.key) {
            return Err(LabResultFault::Twice);
        }
        let judged = run.searches.judge(&run.cases, recorded);
        let (case, repeat, outcome) = judged.map_err(LabResultFault::Invalid)?;
        self.trial.record(case, repeat, outcome);
        *self.workers.entry(recorded.worker.clone()).or_default() += 1;
        Ok(())
    }

    /// The number of the last result that was counted.
    pub const fn last(&self) -> u64 {
        self.last
    }

    /// Number of results.
    pub fn done(&self) -> u64 {
        self.read.len() as u64
    }

    /// Number of results by worker.
    pub const fn workers(&self) -> &BTreeMap<String, u64> {
        &self.workers
    }

    /// What `epd run` prints of these results.
    pub fn counts(&self, run: &LabRun) -> LabCounts {
        let totals = self.trial.totals(&run.cases, None);
        let unsolved =
            (0..run.cases.len()).filter(|&case| self.trial.state(case) == PositionState::Unsolved);
        LabCounts {
            searched: totals.asked() as u64,
            solved: totals.solved as u64,
            faults: totals.failed as u64,
            nodes: totals.nodes,
            points: (totals.points, totals.most_points),
            failed: unsolved.map(|case| run.cases[case].name()).collect(),
        }
    }

    /// Number of positions with a score.
    pub fn scored(&self, run: &LabRun) -> u64 {
        let cases = 0..run.cases.len();
        cases
            .filter(|&case| self.score(run, case).is_some())
            .count() as u64
    }

    /// The positions with a score as EPD, in the order of the test: `ce` has the score in centipawns
    /// from the view of the side to move, a mate as the largest one, as `epd eval label` writes it.
    pub fn labels(&self, run: &LabRun) -> String {
        let mut text = String::new();
        for (case, planned) in run.cases.iter().enumerate() {
            let Some(score) = self.score(run, case) else {
                continue;
            };
            let mut record = planned.record.clone();
            let others = record.operations().iter();
            let mut operations: Vec<Operation> =
                // The new score takes the place of one that the record has.
                others.filter(|one| one.opcode() != "ce").cloned().collect();
            let score = vec![Operand::Word(score.to_string())];
            operations.push(Operation::new_unchecked("ce", score));
            if record.set_sorted(operations).is_ok() {
                text += record.text();
                text.push('\n');
            }
        }
        text
    }

    /// Centipawns from the view of the side to move.
    fn score(&self, run: &LabRun, case: usize) -> Option<i32> {
        let Some(SearchOutcome::Answered(answer)) = self.trial.outcomes(case).next() else {
            return None;
        };
        let side = run.cases[case].record.position().side_to_move();
        let score = ParsedEvaluation::of_search(answer.score?, side);
        let white = score.score.limited_cp(side)?;
        Some(if side == Color::White { white } else { -white })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BOARD: &str = "8/8/8/8/8/5k2/7p/7K w - -";

    fn recorded(key: u64, worker: &str) -> Recorded {
        let value = r#"{"searched":[{"best_move":"h1h2","ns":1,"infos":[{"ns":1,"info":"depth 2 score cp 31 nodes 5 pv h1h2"}]}]}"#;
        Recorded {
            number: key + 1,
            key,
            worker: worker.to_owned(),
            value: value.to_owned(),
        }
    }

    fn nodes() -> PositionLimits {
        limits(Some(5), None, None)
    }

    #[test]
    fn answers_are_judged_as_by_a_run() {
        let text = format!("{BOARD} bm Kxh2; id \"only\";\n\n{BOARD} am Kxh2;\n");
        let run = LabRun::suite(&text, nodes()).expect("two goals");
        assert_eq!(run.units(), 2);
        let mut totals = run.totals();
        for key in [1, 0] {
            assert_eq!(totals.take(&run, &recorded(key, "a")), Ok(()));
        }
        let expected = LabCounts {
            searched: 2,
            solved: 1,
            nodes: 10,
            failed: vec!["line 3".to_owned()],
            ..LabCounts::default()
        };
        assert_eq!(totals.counts(&run), expected);
        assert_eq!(totals.workers()["a"], 2);
        let twice = totals.take(&run, &recorded(1, "b"));
        assert_eq!(twice, Err(LabResultFault::Twice));
        let mut other = run.totals();
        let unknown = other.take(&run, &recorded(2, "a"));
        assert!(matches!(unknown, Err(LabResultFault::Invalid(_))));
        let faults = [
            (format!("{BOARD} bm Kg1;"), "line 1: "),
            (format!("{BOARD} id \"x\";"), "no record with bm, am or dm"),
            ("x".to_owned(), "line 1: "),
        ];
        for (text, expected) in faults {
            let error = LabRun::suite(&text, nodes()).expect_err(&text).to_string();
            assert!(error.starts_with(expected), "{error}");
        }
    }

    #[test]
    fn scores_become_operations() {
        let black = "8/8/8/8/8/5k2/7p/7K w - - 3 40";
        let text = format!("{BOARD} c9 \"1-0\"; id \"x\";\n{black} ce 7;\n");
        let run = LabRun::positions(&text, nodes()).expect("two positions");
        let mut totals = run.totals();
        assert_eq!(totals.labels(&run), "");
        for key in [0, 1] {
            assert_eq!(totals.take(&run, &recorded(key, "a")), Ok(()));
        }
        assert_eq!(totals.scored(&run), 2);
        let expected = format!("{BOARD} c9 \"1-0\"; ce 31; id \"x\";\n{black} ce 31;\n");
        assert_eq!(totals.labels(&run), expected);
        assert!(LabRun::positions("8/8", nodes()).is_err());
        assert!(LabRun::positions("", nodes()).is_err());
    }
}
