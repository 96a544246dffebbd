//! The result of each count, and the verdict on the whole run.

use std::collections::BTreeMap;
use std::time::Duration;

use kit::Exit;
use serde::Serialize;

use super::plan::CheckPlan;
use super::times::TaskTimes;
use crate::event::{SuiteCountDone, SuiteCountResult};

/// The state of one count of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SuiteCountState {
    /// Not counted because the run ended early.
    Open,
    Done {
        result: SuiteCountResult,
        /// Wall-clock time of this count.
        time: Duration,
    },
}

/// The state of every count of a plan. Plans have millions of counts: one that agrees takes eight
/// bytes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct CountLedger {
    times: TaskTimes,
    /// The results other than agreement, by the index of the count.
    differing: BTreeMap<usize, SuiteCountResult>,
    /// Whether the user ended the run.
    pub(crate) interrupted: bool,
}

/// The totals over one suite or a whole ledger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct SuiteTotals {
    pub(crate) agreed: usize,
    pub(crate) differing: usize,
    pub(crate) open: usize,
    /// Leaf nodes of the counts that agree.
    pub(crate) nodes: u64,
}

/// The outcome of a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub(crate) enum SuiteVerdict {
    /// Every count agrees, and there was at least one.
    Agree,
    Differ,
    /// All counts made agree, but some lines of the suites could not be read.
    BrokenSuite,
    Nothing,
    /// The user ended the run; the ledger holds the results so far.
    Interrupted,
}

impl CountLedger {
    /// A ledger in which every count is open.
    pub(crate) fn new(plan: &CheckPlan) -> Self {
        Self {
            times: TaskTimes::open(plan.len()),
            differing: BTreeMap::new(),
            interrupted: false,
        }
    }

    pub(crate) fn record(&mut self, event: SuiteCountDone) {
        self.times.set(event.index, event.time);
        if event.result != SuiteCountResult::Agrees {
            self.differing.insert(event.index, event.result);
        }
    }

    /// Records that the last counts of the plan, which were added after they were made, agree.
    pub(crate) fn agree_on_added(&mut self, plan: &CheckPlan) {
        self.times.extend_done(plan.len());
    }

    /// The state of a count.
    pub(crate) fn state(&self, index: usize) -> SuiteCountState {
        let Some(time) = self.times.get(index) else {
            return SuiteCountState::Open;
        };
        let differing = self.differing.get(&index).copied();
        SuiteCountState::Done {
            result: differing.unwrap_or(SuiteCountResult::Agrees),
            time,
        }
    }

    /// The indices of the counts that differ, and how.
    pub(crate) fn differing(&self) -> impl Iterator<Item = (usize, SuiteCountResult)> {
        self.differing
            .iter()
            .map(|(&index, &result)| (index, result))
    }

    /// The totals of one suite, or of all.
    pub(crate) fn totals(&self, plan: &CheckPlan, suite: Option<usize>) -> SuiteTotals {
        let mut totals = SuiteTotals::default();
        for (index, count) in plan.counts().enumerate() {
            if suite.is_some_and(|suite| count.record.suite() != suite) {
                continue;
            }
            match self.state(index) {
                SuiteCountState::Open => totals.open += 1,
                SuiteCountState::Done {
                    result: SuiteCountResult::Agrees,
                    ..
                } => {
                    totals.agreed += 1;
                    // A few counts near 2^64 would overflow the sum.
                    totals.nodes = totals.nodes.saturating_add(count.expected);
                }
                SuiteCountState::Done { .. } => totals.differing += 1,
            }
        }
        totals
    }

    /// The verdict on the whole run.
    pub(crate) fn verdict(&self, plan: &CheckPlan) -> SuiteVerdict {
        let totals = self.totals(plan, None);
        // A run that was not finished has no verdict on the suites.
        if self.interrupted {
            SuiteVerdict::Interrupted
        } else if totals.differing > 0 {
            SuiteVerdict::Differ
        } else if plan.has_broken_lines() {
            // A count that differs weighs more than a line that cannot be read.
            SuiteVerdict::BrokenSuite
        } else if totals.agreed == 0 {
            // Exit code 0 never means unchecked.
            SuiteVerdict::Nothing
        } else {
            SuiteVerdict::Agree
        }
    }
}

impl SuiteVerdict {
    /// The exit code for this verdict.
    pub(crate) fn exit(self) -> Exit {
        match self {
            Self::Agree => Exit::Agreed,
            Self::Differ => Exit::Differs,
            Self::BrokenSuite => Exit::BadInput,
            Self::Nothing => Exit::Nothing,
            Self::Interrupted => Exit::Interrupted,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::suite::check::plan::{CountFilter, plan};
    use chess::perft::CountError;
    use epd::Suite;

    const SUITE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - tag a; D1 20; D2 401;\n\
                         4k3/8/8/8/8/8/8/4K3 w - - tag b; D1 5;\n";

    fn ledger(results: &[(usize, SuiteCountResult)]) -> (CheckPlan, CountLedger) {
        let plan = plan(
            vec![Suite::parse("s", SUITE.as_bytes())],
            &CountFilter::default(),
        );
        let mut ledger = CountLedger::new(&plan);
        for (index, result) in results.iter().copied() {
            ledger.record(SuiteCountDone {
                index,
                result,
                time: Duration::from_millis(1),
            });
        }
        (plan, ledger)
    }

    #[test]
    fn verdicts() {
        let differs = SuiteCountResult::Differs {
            counted: 400,
            oracle: Some(400),
        };
        let agrees = SuiteCountResult::Agrees;
        let rows = [
            (vec![], SuiteVerdict::Nothing),
            (
                vec![(0, agrees), (1, agrees), (2, agrees)],
                SuiteVerdict::Agree,
            ),
            (vec![(0, agrees), (1, differs)], SuiteVerdict::Differ),
            (
                vec![(0, SuiteCountResult::Uncountable(CountError::Overflow))],
                SuiteVerdict::Differ,
            ),
        ];
        for (results, expected) in rows {
            let (plan, mut ledger) = ledger(&results);
            assert_eq!(ledger.verdict(&plan), expected);
            ledger.interrupted = true;
            assert_eq!(ledger.verdict(&plan), SuiteVerdict::Interrupted);
        }
    }

    #[test]
    fn a_broken_line_is_not_agreement() {
        let text = format!("{SUITE}not a position D1 20;\n");
        let plan = plan(
            vec![Suite::parse("s", text.as_bytes())],
            &CountFilter::default(),
        );
        let mut ledger = CountLedger::new(&plan);
        for index in 0..3 {
            ledger.record(SuiteCountDone {
                index,
                result: SuiteCountResult::Agrees,
                time: Duration::ZERO,
            });
        }
        assert_eq!(ledger.verdict(&plan), SuiteVerdict::BrokenSuite);
        assert_eq!(ledger.verdict(&plan).exit(), Exit::BadInput);
    }

    #[test]
    fn totals_add_up() {
        let (plan, ledger) = ledger(&[
            (0, SuiteCountResult::Agrees),
            (1, SuiteCountResult::Uncountable(CountError::Overflow)),
        ]);
        let totals = ledger.totals(&plan, None);
        assert_eq!(
            totals,
            SuiteTotals {
                agreed: 1,
                differing: 1,
                open: 1,
                nodes: 20
            }
        );
        assert_eq!(ledger.totals(&plan, Some(1)), SuiteTotals::default());
    }

    #[test]
    fn filters() {
        let suites = || vec![Suite::parse("s", SUITE.as_bytes())];
        let filter = |depth, max_nodes, tags: &[&str]| CountFilter {
            depth,
            max_nodes,
            tags: tags.iter().map(|&tag| tag.to_owned()).collect(),
        };
        let rows = [
            (CountFilter::default(), 3),
            (filter(Some(1), None, &[]), 2),
            (filter(None, Some(19), &[]), 1),
            (filter(None, None, &["a"]), 2),
            (filter(None, None, &["c"]), 0),
        ];
        for (filter, expected) in rows {
            assert_eq!(plan(suites(), &filter).len(), expected, "{filter:?}");
        }
        let all = plan(suites(), &CountFilter::default());
        assert_eq!(all.largest_first(), [1, 0, 2]);
    }
}
