//! The result of each unit, and the verdict on the whole run.

use std::time::Duration;

use kit::Exit;

use super::Plan;
use crate::event::{UnitDone, UnitResult};

/// The state of one unit.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum State {
    /// Not counted because the run ended early.
    #[default]
    Open,
    /// Counted.
    Done {
        /// Whether the suite's count is right.
        result: UnitResult,
        /// Wall-clock time of this count.
        time: Duration,
    },
}

/// The state of every unit of a plan.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Ledger {
    states: Vec<State>,
    /// Whether the user ended the run.
    pub interrupted: bool,
}

/// The totals over one suite or a whole ledger.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Counts that agree.
    pub agreed: usize,
    /// Counts that differ.
    pub differing: usize,
    /// Counts not made.
    pub open: usize,
    /// Leaf nodes of the counts that agree.
    pub nodes: u64,
}

/// The outcome of a whole run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Verdict {
    /// Every count agrees, and there was at least one.
    Agree,
    /// Some count differs.
    Differ,
    /// All counts made agree, but some lines of the suites could not be read.
    BrokenSuite,
    /// No count was selected.
    Nothing,
    /// The user ended the run; the ledger holds the results so far.
    Interrupted,
}

impl Ledger {
    /// A ledger in which every unit is open.
    pub fn new(plan: &Plan) -> Self {
        Self {
            states: vec![State::Open; plan.units.len()],
            interrupted: false,
        }
    }

    /// Records an event.
    pub fn record(&mut self, event: UnitDone) {
        self.states[event.unit] = State::Done {
            result: event.result,
            time: event.time,
        };
    }

    /// The state of each unit, in the order of the plan.
    pub fn states(&self) -> &[State] {
        &self.states
    }

    /// The totals of one suite, or of all.
    pub fn totals(&self, plan: &Plan, suite: Option<usize>) -> Totals {
        let mut totals = Totals::default();
        for (unit, state) in plan.units.iter().zip(&self.states) {
            if suite.is_some_and(|suite| unit.suite != suite) {
                continue;
            }
            match state {
                State::Open => totals.open += 1,
                State::Done {
                    result: UnitResult::Agrees,
                    ..
                } => {
                    totals.agreed += 1;
                    totals.nodes = totals.nodes.saturating_add(unit.expected);
                }
                State::Done { .. } => totals.differing += 1,
            }
        }
        totals
    }

    /// The verdict on the whole run.
    pub fn verdict(&self, plan: &Plan) -> Verdict {
        let totals = self.totals(plan, None);
        if self.interrupted {
            Verdict::Interrupted
        } else if totals.differing > 0 {
            Verdict::Differ
        } else if plan.has_broken_lines() {
            Verdict::BrokenSuite
        } else if totals.agreed == 0 {
            Verdict::Nothing
        } else {
            Verdict::Agree
        }
    }
}

impl Verdict {
    /// A stable word for machine-readable output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Agree => "agree",
            Self::Differ => "differ",
            Self::BrokenSuite => "broken-suite",
            Self::Nothing => "nothing",
            Self::Interrupted => "interrupted",
        }
    }

    /// The exit code for this verdict.
    pub const fn exit(self) -> Exit {
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
    use crate::check::{Filter, plan};
    use chess::perft::CountError;
    use epd::Suite;

    const SUITE: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - tag a; D1 20; D2 401;\n\
                         4k3/8/8/8/8/8/8/4K3 w - - tag b; D1 5;\n";

    fn ledger(results: &[(usize, UnitResult)]) -> (Plan, Ledger) {
        let plan = plan(
            vec![Suite::parse("s", SUITE.as_bytes())],
            &Filter::default(),
        );
        let mut ledger = Ledger::new(&plan);
        for (unit, result) in results.iter().cloned() {
            ledger.record(UnitDone {
                unit,
                result,
                time: Duration::from_millis(1),
            });
        }
        (plan, ledger)
    }

    #[test]
    fn verdicts() {
        let differs = UnitResult::Differs {
            counted: 400,
            oracle: Some(400),
        };
        let agrees = UnitResult::Agrees;
        let rows = [
            (vec![], Verdict::Nothing),
            (
                vec![
                    (0, agrees.clone()),
                    (1, agrees.clone()),
                    (2, agrees.clone()),
                ],
                Verdict::Agree,
            ),
            (vec![(0, agrees.clone()), (1, differs)], Verdict::Differ),
            (
                vec![(0, UnitResult::Uncountable(CountError::Overflow))],
                Verdict::Differ,
            ),
        ];
        for (results, expected) in rows {
            let (plan, mut ledger) = ledger(&results);
            assert_eq!(ledger.verdict(&plan), expected);
            ledger.interrupted = true;
            assert_eq!(ledger.verdict(&plan), Verdict::Interrupted);
        }
    }

    #[test]
    fn a_broken_line_is_no_agreement() {
        let text = format!("{SUITE}not a position D1 20;\n");
        let plan = plan(vec![Suite::parse("s", text.as_bytes())], &Filter::default());
        let mut ledger = Ledger::new(&plan);
        for unit in 0..3 {
            ledger.record(UnitDone {
                unit,
                result: UnitResult::Agrees,
                time: Duration::ZERO,
            });
        }
        assert_eq!(ledger.verdict(&plan), Verdict::BrokenSuite);
        assert_eq!(ledger.verdict(&plan).exit(), Exit::BadInput);
    }

    #[test]
    fn totals_add_up() {
        let (plan, ledger) = ledger(&[
            (0, UnitResult::Agrees),
            (1, UnitResult::Uncountable(CountError::Overflow)),
        ]);
        let totals = ledger.totals(&plan, None);
        assert_eq!(
            totals,
            Totals {
                agreed: 1,
                differing: 1,
                open: 1,
                nodes: 20
            }
        );
        assert_eq!(ledger.totals(&plan, Some(1)), Totals::default());
    }

    #[test]
    fn filters() {
        let suites = || vec![Suite::parse("s", SUITE.as_bytes())];
        let units = |filter: Filter| plan(suites(), &filter).units.len();
        assert_eq!(units(Filter::default()), 3);
        assert_eq!(
            units(Filter {
                depth: Some(1),
                ..Filter::default()
            }),
            2
        );
        assert_eq!(
            units(Filter {
                max_nodes: Some(19),
                ..Filter::default()
            }),
            1
        );
        assert_eq!(
            units(Filter {
                tags: vec!["a".to_owned()],
                ..Filter::default()
            }),
            2
        );
        assert_eq!(
            units(Filter {
                tags: vec!["c".to_owned()],
                ..Filter::default()
            }),
            0
        );
        assert_eq!(
            plan(suites(), &Filter::default()).largest_first(),
            [1, 0, 2]
        );
    }
}
