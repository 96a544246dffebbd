//! Which mutants a suite catches, by which count, and at what cost in nodes.
//!
//! The order is that of a developer looking for a bug: all counts at depth 1, then all at depth 2,
//! and so on, each depth in the order of the lines.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use chess::rules::Position;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::board::Mutant;
use super::count::Budget;
use super::mutation::Mutation;
use crate::suite::check::plan::CheckPlan;

/// The counts of a plan, shallow ones first.
#[derive(Clone, Debug)]
pub(crate) struct Course {
    suites: usize,
    pub(crate) counts: Vec<CourseCount>,
}

/// One count of a course.
#[derive(Clone, Debug)]
pub(crate) struct CourseCount {
    /// Index of the suite.
    pub(crate) suite: usize,
    /// The line in the suite, from 1.
    pub(crate) line: usize,
    pub(crate) id: Option<String>,
    pub(crate) position: Position,
    /// Depth in plies.
    pub(crate) depth: u32,
    /// The correct count.
    pub(crate) expected: u64,
}

/// The first count that a mutant gets wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Catch {
    /// Index of the count in the course.
    pub(crate) index: usize,
    /// The mutant's count; `None` if it exceeds the expected one, as counting stops there.
    pub(crate) counted: Option<u64>,
}

/// The catches of one mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct MutantCatches {
    pub(crate) mutation: Mutation,
    /// For each suite, the count that catches the mutant.
    pub(crate) by_suite: Vec<Option<Catch>>,
}

impl MutantCatches {
    /// The first catch over all suites combined.
    pub(crate) fn first(&self) -> Option<Catch> {
        let catches = self.by_suite.iter().flatten().copied();
        catches.min_by_key(|catch| catch.index)
    }
}

impl Course {
    /// Sorts the counts of a plan by depth.
    pub(crate) fn new(plan: &CheckPlan) -> Self {
        let counts = plan.counts().map(|count| CourseCount {
            suite: count.record.suite(),
            line: count.record.line(),
            id: count.record.id().map(str::to_owned),
            position: count.record.position(),
            depth: count.depth,
            expected: count.expected,
        });
        let mut counts: Vec<CourseCount> = counts.collect();
        counts.sort_by_key(|count| count.depth);
        Self {
            suites: plan.suites.len(),
            counts,
        }
    }

    /// The leaf nodes that a correct generator counts up to and including a count, within one suite
    /// or over all.
    pub(crate) fn cost(&self, index: usize, suite: Option<usize>) -> u64 {
        let counts = self.counts[..=index].iter();
        counts
            .filter(|count| suite.is_none_or(|suite| count.suite == suite))
            .fold(0, |sum, count| sum.saturating_add(count.expected))
    }

    /// The first count of a suite that a generator gets wrong, counted as far as needed to know;
    /// `None` if there is none, or if `cancel` was set.
    fn first_catch(&self, mutant: &mut Mutant, suite: usize, cancel: &AtomicBool) -> Option<Catch> {
        let counts = self.counts.iter().enumerate();
        let mut counts = counts
            .filter(|(_, count)| count.suite == suite)
            .take_while(|_| !cancel.load(Ordering::Relaxed));
        counts.find_map(|(index, count)| {
            let budget = Budget {
                leaves: count.expected,
                // Far more moves than a correct generator makes for this many leaves.
                made: count.expected.saturating_mul(16).saturating_add(1_000_000),
            };
            // A tree that grows without leaves proves nothing within the budget: the mutant escapes.
            let counted = mutant.perft_within(&count.position, count.depth, budget)?;
            (counted != count.expected).then_some(Catch {
                index,
                counted: (counted < count.expected).then_some(counted),
            })
        })
    }

    /// Judges every mutant by every suite, on all threads of the current pool. `observe` is called
    /// after each pair of mutant and suite.
    pub(crate) fn judge(
        &self,
        mutations: &[Mutation],
        cancel: &AtomicBool,
        observe: impl Fn() + Sync,
    ) -> Vec<MutantCatches> {
        let suites = 0..self.suites;
        let pairs = mutations.iter();
        let pairs: Vec<_> = pairs
            .flat_map(|&one| suites.clone().map(move |s| (one, s)))
            .collect();
        let catches: Vec<Option<Catch>> = pairs
            .into_par_iter()
            .map(|(mutation, suite)| {
                let catch = self.first_catch(&mut Mutant::new(Some(mutation)), suite, cancel);
                observe();
                catch
            })
            .collect();
        let mut catches = catches.into_iter();
        let mut caught = |&mutation| MutantCatches {
            mutation,
            by_suite: catches.by_ref().take(self.suites).collect(),
        };
        mutations.iter().map(&mut caught).collect()
    }
}

#[derive(Clone, Debug)]
pub(crate) struct Judged {
    /// The names of the suites.
    pub(crate) names: Vec<String>,
    pub(crate) course: Course,
    pub(crate) catches: Vec<MutantCatches>,
    /// The time that the correct counts of each suite take.
    pub(crate) times: Vec<Duration>,
}

impl Judged {
    /// Number of mutants caught by one suite, or by all together.
    pub(crate) fn caught(&self, suite: Option<usize>) -> usize {
        let is_caught = |one: &&MutantCatches| match suite {
            Some(suite) => one.by_suite[suite].is_some(),
            None => one.first().is_some(),
        };
        self.catches.iter().filter(is_caught).count()
    }

    /// The leaf nodes of one suite's counts, or of all.
    pub(crate) fn nodes(&self, suite: Option<usize>) -> u64 {
        let last = self.course.counts.len().checked_sub(1);
        last.map_or(0, |last| self.course.cost(last, suite))
    }

    pub(crate) fn count(&self, catch: Catch) -> &CourseCount {
        &self.course.counts[catch.index]
    }

    /// The id of the catching record, or its suite and line.
    pub(crate) fn place(&self, catch: Catch) -> String {
        let count = self.count(catch);
        let line = || format!("{}:{}", self.names[count.suite], count.line);
        count.id.clone().unwrap_or_else(line)
    }
}

#[cfg(test)]
mod tests {
    use epd::{Suite, suites};

    use super::*;
    use crate::suite::check::plan::{CountFilter, plan};

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn course(texts: &[&str]) -> Course {
        let suites = texts
            .iter()
            .map(|text| Suite::parse("test", text.as_bytes()))
            .collect();
        Course::new(&plan(suites, &CountFilter::default()))
    }

    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - D1 26; D2 568;";
    const START: &str =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20; D2 400; D3 8902;";

    #[test]
    fn the_shallow_counts_come_first() {
        let course = course(&[START, CASTLING]);
        let order = course.counts.iter().map(|count| (count.depth, count.suite));
        let order: Vec<(u32, usize)> = order.collect();
        assert_eq!(order, [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0)]);
        assert_eq!(course.cost(2, None), 20 + 26 + 400);
        assert_eq!(course.cost(2, Some(0)), 20 + 400);
    }

    #[test]
    fn a_mutant_is_caught_by_the_first_count_it_gets_wrong() {
        let course = course(&[START, CASTLING]);
        let mutations = [Mutation::CastlingMissing, Mutation::CastlingTwice];
        let catches = course.judge(&mutations, &NEVER, || ());
        let fewer = Catch {
            index: 1,
            counted: Some(24),
        };
        assert_eq!(catches[0].by_suite, [None, Some(fewer)]);
        assert_eq!(catches[0].first(), Some(fewer));
        let more = Catch {
            index: 1,
            counted: None,
        };
        assert_eq!(catches[1].first(), Some(more));
    }

    #[test]
    fn a_cancelled_run_catches_nothing() {
        let course = course(&[CASTLING]);
        let cancel = AtomicBool::new(true);
        let catches = course.judge(&[Mutation::CastlingMissing], &cancel, || ());
        assert_eq!(catches[0].first(), None);
    }

    fn built_in(filter: &CountFilter) -> Course {
        let suites = suites::ALL.iter().map(suites::BuiltIn::parse).collect();
        let mut course = Course::new(&plan(suites, filter));
        course.suites = 1;
        course.counts.iter_mut().for_each(|count| count.suite = 0);
        course
    }

    /// A mutation that no suite can observe is useless.
    #[test]
    fn the_built_in_suites_catch_every_mutant_within_five_plies() {
        let course = built_in(&CountFilter {
            depth: Some(5),
            max_nodes: Some(20_000),
            ..CountFilter::default()
        });
        let catches = course.judge(&Mutation::ALL, &NEVER, || ());
        let escaped: Vec<&str> = catches
            .iter()
            .filter(|one| one.first().is_none())
            .map(|one| one.mutation.name())
            .collect();
        assert!(escaped.is_empty(), "{escaped:?}");
    }

    #[test]
    fn the_unbroken_generator_is_not_caught() {
        let course = built_in(&CountFilter {
            max_nodes: Some(20_000),
            ..CountFilter::default()
        });
        assert_eq!(course.first_catch(&mut Mutant::new(None), 0, &NEVER), None);
    }
}
