//! Test cases for engines: positions with their correct counts.

use std::collections::{BTreeMap, BTreeSet};
use std::num::NonZeroU32;

use epd::suites;

use super::stages::RuleStage;
use crate::count::subject::Route;
use crate::event::SuiteCountResult;
use crate::suite::check::ledger::{CountLedger, SuiteCountState};
use crate::suite::check::plan::{CheckPlan, PlannedRecord};

/// The records of a plan that our generator has counted, each with all its counts. Where the suite
/// disagrees, our generator is taken as right, and the ledger reports the suite. Depth 0 is never
/// asked.
#[derive(Clone, Debug)]
pub(crate) struct CountedCases<'a> {
    plan: &'a CheckPlan,
    ledger: &'a CountLedger,
    /// The first count of each case, by its index in the plan.
    first: Vec<u32>,
}

/// One position of a suite, with all its counts.
#[derive(Clone, Copy, Debug)]
pub(crate) struct CheckCase<'a> {
    plan: &'a CheckPlan,
    ledger: &'a CountLedger,
    first: usize,
}

impl<'a> CountedCases<'a> {
    pub(crate) fn new(plan: &'a CheckPlan, ledger: &'a CountLedger) -> Self {
        let mut cases = Self {
            plan,
            ledger,
            first: Vec::new(),
        };
        let mut last = None;
        for (index, count) in (0..).zip(plan.counts()) {
            if last != Some(count.record) && ours(plan, ledger, index as usize).is_some() {
                last = Some(count.record);
                cases.first.push(index);
            }
        }
        cases
    }

    pub(crate) fn len(&self) -> usize {
        self.first.len()
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.first.is_empty()
    }

    pub(crate) fn get(&self, index: usize) -> CheckCase<'a> {
        CheckCase {
            plan: self.plan,
            ledger: self.ledger,
            first: self.first[index] as usize,
        }
    }

    /// Indices of the cases in the order in which they are asked: these first, and small ones before large
    /// ones, so that a slow engine shows early what is wrong with it.
    pub(crate) fn order(&self, first: &BTreeSet<usize>) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.len()).collect();
        order.sort_by_cached_key(|case| {
            let nodes = self.get(*case).nodes();
            (!first.contains(case), nodes)
        });
        order
    }

    /// The order in rounds, of which each is asked only if all before it are right: the stages one after
    /// the other, then all that is of no stage.
    pub(crate) fn rounds(&self, first: &BTreeSet<usize>) -> Vec<Vec<usize>> {
        let mut rounds: BTreeMap<u32, Vec<usize>> = BTreeMap::new();
        for case in self.order(first) {
            let stage = self.get(case).stage();
            let round = stage.map_or(u32::MAX, |stage| stage.number);
            rounds.entry(round).or_default().push(case);
        }
        rounds.into_values().collect()
    }

    pub(crate) fn iter(&self) -> impl ExactSizeIterator<Item = CheckCase<'a>> {
        (0..self.len()).map(|index| self.get(index))
    }
}

/// The depth of a count and our result, if there is one.
fn ours(plan: &CheckPlan, ledger: &CountLedger, index: usize) -> Option<(NonZeroU32, u64)> {
    let count = plan.count(index);
    let nodes = match ledger.state(index) {
        SuiteCountState::Done { result, .. } => match result {
            SuiteCountResult::Agrees => count.expected,
            SuiteCountResult::Differs { counted, .. } => counted,
            SuiteCountResult::Uncountable(_) => return None,
        },
        SuiteCountState::Open => return None,
    };
    Some((NonZeroU32::new(count.depth)?, nodes))
}

impl<'a> CheckCase<'a> {
    fn record(self) -> PlannedRecord<'a> {
        self.plan.count(self.first).record
    }

    /// Index of the suite in the plan.
    pub(crate) fn suite(self) -> usize {
        self.record().suite()
    }

    /// The line in the suite, from 1.
    pub(crate) fn line(self) -> usize {
        self.record().line()
    }

    pub(crate) fn id(self) -> Option<&'a str> {
        self.record().id()
    }

    /// Where the record says that it comes from, such as an engine that it broke.
    pub(crate) fn source(self) -> Option<&'a str> {
        self.record().source()
    }

    pub(crate) fn tags(self) -> impl Iterator<Item = &'a str> {
        self.record().tags()
    }

    /// The stage, if the case is of the built-in suite `stages`.
    pub(crate) fn stage(self) -> Option<RuleStage<'a>> {
        let is_staged = self.plan.suites[self.suite()].name == suites::STAGES.name;
        let mut tags = self.tags().filter(|_| is_staged);
        tags.find_map(RuleStage::from_tag)
    }

    /// The id, or the line if there is none.
    pub(crate) fn name(self) -> String {
        let line = || format!("line {}", self.line());
        self.id().map_or_else(line, str::to_owned)
    }

    /// The position, as a FEN with optional moves.
    pub(crate) fn route(self) -> Route {
        self.record().route()
    }

    fn unsorted(self) -> impl Iterator<Item = (NonZeroU32, u64)> {
        let record = self.record();
        (self.first..self.plan.len())
            .take_while(move |&index| self.plan.count(index).record == record)
            .filter_map(move |index| ours(self.plan, self.ledger, index))
    }

    /// Depths and the counts of our generator, shallow ones first.
    pub(crate) fn counts(self) -> Vec<(NonZeroU32, u64)> {
        let mut counts: Vec<_> = self.unsorted().collect();
        counts.sort_unstable();
        counts
    }

    /// The count at a depth, 0 if there is none.
    pub(crate) fn nodes_at(self, depth: NonZeroU32) -> u64 {
        let count = self.unsorted().find(|&(at, _)| at == depth);
        count.map_or(0, |(_, nodes)| nodes)
    }

    /// The leaf nodes of all its counts.
    pub(crate) fn nodes(self) -> u64 {
        let nodes = self.unsorted().map(|(_, nodes)| nodes);
        nodes.fold(0, u64::saturating_add)
    }
}

// Positions given by moves. An engine that makes moves wrongly may still count correctly from a FEN,
// as suites give it; each of these routes exposes another such bug.

/// The name of the suite of these positions.
pub(crate) const BY_MOVES: &str = "by-moves";
/// The name of the suite of positions given on the command line.
pub(crate) const COMMAND_LINE: &str = "command-line";

/// Depth counted at the end of a route.
const DEPTH: u32 = 3;

/// A start position and moves, as after UCI's `position`. Few pieces keep the counts small.
const ROUTES: [&str; 19] = [
    // En passant: possible, captured by both sides, expired, not for pieces, not after other moves.
    "startpos moves e2e4 a7a6 e4e5 d7d5",
    "4k3/3p4/8/4P3/8/8/8/4K3 b - - 0 1 moves d7d5 e5d6",
    "4k3/8/8/8/3p4/8/4P3/4K3 w - - 0 1 moves e2e4 d4e3",
    "4k3/3p4/7p/4P3/8/8/7P/4K3 b - - 0 1 moves d7d5 h2h3 h6h5",
    "4k3/3p4/8/1N2P3/8/8/8/4K3 b - - 0 1 moves d7d5 b5d6",
    "6k1/8/8/8/3p4/8/4R3/4K3 w - - 0 1 moves e2e4",
    "6k1/8/8/8/3p4/4P3/8/4K3 w - - 0 1 moves e3e4",
    // Castling to both sides by both, in Chess960 too, and moves that only look like castling.
    "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1 moves e1g1 e8c8",
    "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1 moves e1c1 e8g8",
    "1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1 moves e1g1 e8b8",
    "r3q2k/p6p/8/8/8/8/P6P/K3R2R w - - 0 1 moves e1g1 e8c8",
    // Rights lost with a captured rook, and by pieces that move and return.
    "r3k2r/p6p/8/8/8/8/P5BP/R3K2R w KQkq - 0 1 moves g2a8",
    "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1 moves e1e2 e8e7 e2e1 e7e8",
    "r3k2r/p6p/8/8/8/8/P6P/R3K2R w KQkq - 0 1 moves a1b1 a8b8 b1a1 b8a8",
    "r3k2r/p3P2p/8/8/8/8/P3p2P/R3K2R w KQkq - 0 1 moves e1e2 e8e7 e2e1 e7e8",
    "rN2k2r/p6p/8/8/8/8/P6P/Rn2K2R w KQkq - 0 1 moves a1b1 a8b8 b1a1 b8a8",
    "rr2k3/3p1p2/3P1P2/8/8/3p1p2/3P1P2/R3K3 w Qq - 0 1 moves a1a8 b8a8",
    // Promotions, with and without capture.
    "8/P6k/8/8/8/8/7p/K7 w - - 0 1 moves a7a8q h2h1n",
    "1n2k3/P7/8/8/8/8/7p/4K1N1 w - - 0 1 moves a7b8n h2g1r",
];

/// Routes at whose end the counts up to [`SHORT_DEPTH`] show the faults that a generator can have in making the
/// moves of a game; found by example `find_faults`.
const BY_FAULTS: &str = include_str!("by_moves.txt");
const SHORT_DEPTH: u32 = 2;

/// [`ROUTES`], those that show faults, and those in which both kings step aside and back: after four plies,
/// the same position is on the board. Each with the depth of its last count.
pub(crate) fn routes() -> Vec<(String, u32)> {
    const KINGS: &str = "6k1/5p2/8/8/8/8/5P2/6K1 w - -";
    let shuffled = |clocks: &str, times: usize, end: &str| {
        let moves = " g1h1 g8h8 h1g1 h8g8".repeat(times);
        format!("{KINGS} {clocks} moves{moves}{end}")
    };
    let mut routes = ROUTES.map(str::to_owned).to_vec();
    let by_faults = BY_FAULTS.lines().map(|line| (line.to_owned(), SHORT_DEPTH));
    routes.extend([
        // One ply before a third and a fifth repetition, and before the end of 50 moves: draws that
        // nobody has claimed.
        shuffled("0 1", 1, " g1h1 g8h8 h1g1"),
        shuffled("0 1", 3, " g1h1 g8h8 h1g1"),
        shuffled("98 90", 0, " g1h1"),
        // 280 plies: games can be longer than a table of 256.
        shuffled("0 1", 70, ""),
    ]);
    let routes = routes.into_iter().map(|route| (route, DEPTH));
    routes.chain(by_faults).collect()
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use epd::Suite;

    use super::*;
    use crate::event::SuiteCountDone;
    use crate::suite::check::plan::{CountFilter, plan};

    /// Counts are sorted by depth, ours replace wrong ones, and records without any are left out.
    #[test]
    fn cases_are_the_records_that_we_have_counted() {
        let rows = [
            "4k3/8/8/8/8/8/8/4K3 w - - D2 24; D1 5;",
            "7k/5Q2/6K1/8/8/8/8/8 b - - D0 1;",
            "7k/5Q2/6K1/8/8/8/8/8 b - - id \"wrong\"; D1 9;",
            "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20; D9 1;",
        ];
        let suite = Suite::parse("s", rows.join("\n").as_bytes());
        let plan = plan(vec![suite], &CountFilter::default());
        let mut ledger = CountLedger::new(&plan);
        // The last count is open.
        for index in 0..plan.len() - 1 {
            let differs = SuiteCountResult::Differs {
                counted: 0,
                oracle: None,
            };
            let is_wrong = plan.count(index).expected == 9;
            ledger.record(SuiteCountDone {
                index,
                result: if is_wrong {
                    differs
                } else {
                    SuiteCountResult::Agrees
                },
                time: Duration::ZERO,
            });
        }
        let cases = CountedCases::new(&plan, &ledger);
        let found = cases.iter().map(|case| {
            let counts = case.counts().into_iter();
            let counts: Vec<_> = counts.map(|(depth, nodes)| (depth.get(), nodes)).collect();
            (case.name(), counts)
        });
        let expected = [
            ("line 1", vec![(1, 5), (2, 24)]),
            ("wrong", vec![(1, 0)]),
            ("line 4", vec![(1, 20)]),
        ];
        let expected = expected.map(|(name, counts)| (name.to_owned(), counts));
        assert!(found.eq(expected));

        assert_eq!(cases.order(&BTreeSet::new()), [1, 2, 0]);
        assert_eq!(cases.order(&BTreeSet::from([0, 2])), [2, 0, 1]);
    }
}
