//! The results of one engine on each case, and the verdict.

use std::collections::BTreeMap;
use std::num::NonZeroU32;
use std::time::Duration;

use kit::Exit;
use uci::perft::{Meeting, Speaker};

use super::case::Case;
use super::rule;
use crate::hunt::{Counts, Finding};
use crate::subject::Failure;

/// The result of one position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Outcome {
    /// Every count is right, and every row of the divides.
    Right,
    /// The count at this depth, or a row of its divide, is wrong; deeper ones were not tested.
    Wrong {
        /// Depth in plies.
        depth: NonZeroU32,
        /// The correct and the reported count.
        counts: Counts,
    },
    /// There is no answer at this depth.
    Failed {
        /// Depth in plies.
        depth: NonZeroU32,
        /// The reason.
        failure: Failure,
        /// The last lines of the transcript.
        transcript: String,
    },
    /// Not tested: castling needs `UCI_Chess960`, an option that the engine lacks, or that did not
    /// prove to work.
    NeedsChess960,
}

/// The state of one case.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Not tested because the run ended early.
    #[default]
    Open,
    /// Tested.
    Done {
        /// The result.
        outcome: Outcome,
        /// Wall-clock time of the case.
        time: Duration,
    },
}

impl State {
    /// A stable word for machine-readable output.
    pub const fn as_str(&self) -> &'static str {
        match self {
            Self::Open => "open",
            Self::Done { outcome, .. } => match outcome {
                Outcome::Right => "right",
                Outcome::Wrong { .. } => "wrong",
                Outcome::Failed { .. } => "failed",
                Outcome::NeedsChess960 => "needs-chess960",
            },
        }
    }
}

/// One engine with its results.
#[derive(Clone, Debug)]
pub struct Trial {
    /// The engine's command line.
    pub command: String,
    /// The other options of our command line that define how it is asked.
    pub arguments: Vec<String>,
    /// The result of detecting the engine's dialect.
    pub meeting: Meeting,
    /// Wall-clock time of the trial.
    pub time: Duration,
    /// Whether the user ended it.
    pub interrupted: bool,
    states: Vec<State>,
    findings: BTreeMap<usize, Finding>,
}

/// A fault that shows in one or more positions.
#[derive(Clone, Debug)]
pub struct Fault<'a> {
    /// The finding with the fewest pieces.
    pub finding: &'a Finding,
    /// The cases in which it shows.
    pub cases: Vec<usize>,
}

/// The totals over one suite or a whole trial.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Positions with every count right.
    pub right: usize,
    /// Positions with a wrong count.
    pub wrong: usize,
    /// Positions without an answer, including unreadable ones.
    pub failed: usize,
    /// Those of them whose answer could not be parsed.
    pub unreadable: usize,
    /// Positions not tested because the engine lacks `UCI_Chess960`.
    pub needs_chess960: usize,
    /// Positions not tested because the run ended early.
    pub open: usize,
    /// Leaf nodes of the positions that are right.
    pub nodes: u64,
}

impl Totals {
    /// Number of positions tested.
    pub fn asked(&self) -> usize {
        self.right + self.wrong + self.failed
    }
}

/// The outcome of a trial.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every count is right, and at least one was asked.
    Right,
    /// Some count is wrong.
    Wrong,
    /// No count is wrong, but some questions were not answered.
    Failed,
    /// No count is wrong, but all or some answers could not be parsed.
    NotUnderstood,
    /// The engine does not start.
    DoesNotStart,
    /// No position could be tested.
    Nothing,
    /// The user ended the trial.
    Interrupted,
}

impl Trial {
    /// A trial in which every case is open.
    pub fn new(command: String, meeting: Meeting, cases: usize) -> Self {
        Self {
            command,
            arguments: Vec::new(),
            meeting,
            time: Duration::ZERO,
            interrupted: false,
            states: vec![State::Open; cases],
            findings: BTreeMap::new(),
        }
    }

    /// Records the result of a case.
    pub fn record(&mut self, case: usize, outcome: Outcome, time: Duration) {
        self.states[case] = State::Done { outcome, time };
    }

    /// Records the finding of a hunt.
    pub fn found(&mut self, case: usize, finding: Finding) {
        self.findings.insert(case, finding);
    }

    /// The state of each case.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The engine, if its answers are understood.
    pub fn speaker(&self) -> Option<&Speaker> {
        match &self.meeting {
            Meeting::Speaks(speaker) => Some(speaker),
            _ => None,
        }
    }

    /// The command-line option that names the engine: one-shot programs have a different one from
    /// engines.
    pub(crate) fn flag(&self) -> &'static str {
        let is_template = self.command.contains("{fen}");
        if is_template { "--run" } else { "--engine" }
    }

    /// Whether a case has an answer that could not be parsed, which is not a wrong count.
    pub fn is_unreadable(&self, case: usize) -> bool {
        matches!(
            &self.states[case],
            State::Done {
                outcome: Outcome::Failed {
                    failure: Failure::Unreadable { .. },
                    ..
                },
                ..
            }
        )
    }

    /// The finding of the hunt that started from a case.
    pub fn finding(&self, case: usize) -> Option<&Finding> {
        self.findings.get(&case)
    }

    /// Whether a case timed out.
    pub fn hangs(&self, case: usize) -> bool {
        matches!(
            &self.states[case],
            State::Done {
                outcome: Outcome::Failed {
                    failure: Failure::TimedOut { .. },
                    ..
                },
                ..
            }
        )
    }

    /// The wrong or failed cases, cheapest first.
    pub fn failing_cheapest_first(&self, cases: &[Case]) -> Vec<usize> {
        let cost = |&case: &usize| match self.failing_depth(case) {
            Some(depth) => nodes_at(&cases[case], depth),
            None => u64::MAX,
        };
        let mut failing: Vec<usize> = (0..cases.len())
            .filter(|&case| self.failing_depth(case).is_some())
            .collect();
        failing.sort_by_key(cost);
        failing
    }

    /// The depth of the wrong or missing answer of a case.
    pub fn failing_depth(&self, case: usize) -> Option<NonZeroU32> {
        match &self.states[case] {
            State::Done {
                outcome: Outcome::Wrong { depth, .. } | Outcome::Failed { depth, .. },
                ..
            } => Some(*depth),
            _ => None,
        }
    }

    /// The wrong count of a case; `None` if it has none.
    pub fn wrong_count(&self, case: usize) -> Option<u64> {
        match &self.states[case] {
            State::Done {
                outcome: Outcome::Wrong { counts, .. },
                ..
            } => counts.theirs,
            _ => None,
        }
    }

    /// The totals of one suite, or of all.
    pub fn totals(&self, cases: &[Case], suite: Option<usize>) -> Totals {
        let mut totals = Totals::default();
        for (case, state) in cases.iter().zip(&self.states) {
            if suite.is_none_or(|suite| case.suite == suite) {
                totals.add(case, state);
            }
        }
        totals
    }

    /// For each tag of the tested cases: the number of wrong or failed ones, and the total. The
    /// largest share comes first.
    pub fn by_tag<'a>(&self, cases: &'a [Case]) -> Vec<(&'a str, usize, usize)> {
        let mut tags: BTreeMap<&str, (usize, usize)> = BTreeMap::new();
        for (index, case) in cases.iter().enumerate() {
            let failing = self.failing_depth(index).is_some();
            if !failing && !self.is_right(index) {
                continue;
            }
            for tag in &case.tags {
                let (bad, all) = tags.entry(tag).or_default();
                *bad += usize::from(failing);
                *all += 1;
            }
        }
        let mut list: Vec<_> = tags
            .into_iter()
            .filter(|&(_, (bad, _))| bad > 0)
            .map(|(tag, (bad, all))| (tag, bad, all))
            .collect();
        // Compares the shares (bad / all) without division.
        list.sort_by(|left, right| (right.1 * left.2, right.1).cmp(&(left.1 * right.2, left.1)));
        list
    }

    /// The findings grouped by fault, most frequent first.
    pub fn faults(&self) -> Vec<Fault<'_>> {
        let mut faults: BTreeMap<String, Fault<'_>> = BTreeMap::new();
        for (&case, finding) in &self.findings {
            let fault = faults.entry(signature(finding)).or_insert_with(|| Fault {
                finding,
                cases: Vec::new(),
            });
            if pieces(finding) < pieces(fault.finding) {
                fault.finding = finding;
            }
            fault.cases.push(case);
        }
        let mut faults: Vec<_> = faults.into_values().collect();
        faults.sort_by_key(|fault| std::cmp::Reverse(fault.cases.len()));
        faults
    }

    /// The verdict on the engine.
    pub fn verdict(&self, cases: &[Case]) -> Verdict {
        let totals = self.totals(cases, None);
        match self.meeting {
            _ if self.interrupted => Verdict::Interrupted,
            Meeting::NotUnderstood { .. } => Verdict::NotUnderstood,
            Meeting::Failed { .. } => Verdict::DoesNotStart,
            Meeting::Speaks(_) if totals.wrong > 0 => Verdict::Wrong,
            Meeting::Speaks(_) if totals.failed > totals.unreadable => Verdict::Failed,
            Meeting::Speaks(_) if totals.unreadable > 0 => Verdict::NotUnderstood,
            Meeting::Speaks(_) if totals.right == 0 => Verdict::Nothing,
            Meeting::Speaks(_) => Verdict::Right,
        }
    }

    fn is_right(&self, case: usize) -> bool {
        let right = Outcome::Right;
        matches!(&self.states[case], State::Done { outcome, .. } if *outcome == right)
    }
}

impl Totals {
    fn add(&mut self, case: &Case, state: &State) {
        let State::Done { outcome, .. } = state else {
            self.open += 1;
            return;
        };
        match outcome {
            Outcome::Right => {
                self.right += 1;
                self.nodes = self.nodes.saturating_add(case.nodes());
            }
            Outcome::Wrong { .. } => self.wrong += 1,
            Outcome::Failed { failure, .. } => {
                self.failed += 1;
                self.unreadable += usize::from(matches!(failure, Failure::Unreadable { .. }));
            }
            Outcome::NeedsChess960 => self.needs_chess960 += 1,
        }
    }
}

impl Verdict {
    /// A stable word for machine-readable output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Right => "right",
            Self::Wrong => "wrong",
            Self::Failed => "failed",
            Self::NotUnderstood => "not-understood",
            Self::DoesNotStart => "does-not-start",
            Self::Nothing => "nothing",
            Self::Interrupted => "interrupted",
        }
    }

    /// The exit code for this verdict.
    pub const fn exit(self) -> Exit {
        match self {
            Self::Right => Exit::Agreed,
            Self::Wrong => Exit::Differs,
            Self::Failed | Self::NotUnderstood | Self::DoesNotStart => Exit::Failed,
            Self::Nothing => Exit::Nothing,
            Self::Interrupted => Exit::Interrupted,
        }
    }
}

/// The signature shared by findings of one fault: its kind, and the broken rule.
fn signature(finding: &Finding) -> String {
    format!(
        "{} {}",
        finding.fault.kind(),
        rule(finding).unwrap_or_default()
    )
}

fn pieces(finding: &Finding) -> u32 {
    finding.shown.route.root().occupied().count()
}

/// The leaf nodes of a case at a depth.
pub fn nodes_at(case: &Case, depth: NonZeroU32) -> u64 {
    let count = case.counts.iter().find(|&&(at, _)| at == depth);
    count.map_or(0, |&(_, nodes)| nodes)
}
