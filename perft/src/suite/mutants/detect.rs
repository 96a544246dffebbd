//! Which mutants a suite catches, by which count, and at what cost in nodes.
//!
//! The order is that of a developer looking for a bug: all counts at depth 1, then all at depth 2,
//! and so on, each depth in the order of the lines.

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{Budget, Mutant, Mutation};
use crate::check::{Plan, Unit};

/// The counts of a plan, shallow ones first.
#[derive(Clone, Debug)]
pub struct Course {
    suites: usize,
    units: Vec<Unit>,
}

/// The first count that a mutant gets wrong.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Catch {
    /// Index of the unit in the course.
    pub unit: usize,
    /// The mutant's count; `None` if it exceeds the expected one, as counting stops there.
    pub counted: Option<u64>,
}

/// The catches of one mutant.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Outcome {
    /// The broken rule.
    pub mutation: Mutation,
    /// For each suite, the count that catches the mutant.
    pub by_suite: Vec<Option<Catch>>,
}

impl Outcome {
    /// The first catch over all suites combined.
    pub fn first(&self) -> Option<Catch> {
        let catches = self.by_suite.iter().flatten().copied();
        catches.min_by_key(|catch| catch.unit)
    }
}

impl Course {
    /// Sorts the counts of a plan by depth.
    pub fn new(plan: &Plan) -> Self {
        let mut units = plan.units.clone();
        units.sort_by_key(|unit| unit.depth);
        Self {
            suites: plan.suites.len(),
            units,
        }
    }

    /// The counts, in the order in which they are made.
    pub fn units(&self) -> &[Unit] {
        &self.units
    }

    /// Number of suites.
    pub fn suites(&self) -> usize {
        self.suites
    }

    /// The leaf nodes that a correct generator counts up to and including a unit, within one suite
    /// or over all.
    pub fn cost(&self, unit: usize, suite: Option<usize>) -> u64 {
        let units = self.units[..=unit].iter();
        units
            .filter(|unit| suite.is_none_or(|suite| unit.suite == suite))
            .fold(0, |sum, unit| sum.saturating_add(unit.expected))
    }

    /// The first count of a suite that a generator gets wrong; `None` if there is none, or if
    /// `cancel` was set.
    pub fn first_catch(
        &self,
        mutant: &mut Mutant,
        suite: usize,
        cancel: &AtomicBool,
    ) -> Option<Catch> {
        let units = self.units.iter().enumerate();
        units
            .filter(|(_, unit)| unit.suite == suite)
            .take_while(|_| !cancel.load(Ordering::Relaxed))
            .find_map(|(index, unit)| catch(mutant, index, unit))
    }

    /// Judges every mutant by every suite, on all threads of the current pool. `observe` is called
    /// after each pair of mutant and suite.
    pub fn judge(
        &self,
        mutations: &[Mutation],
        cancel: &AtomicBool,
        observe: impl Fn() + Sync,
    ) -> Vec<Outcome> {
        let pairs: Vec<(Mutation, usize)> = mutations
            .iter()
            .flat_map(|&mutation| (0..self.suites).map(move |suite| (mutation, suite)))
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
        let mut outcome = |&mutation| Outcome {
            mutation,
            by_suite: catches.by_ref().take(self.suites).collect(),
        };
        mutations.iter().map(&mut outcome).collect()
    }
}

/// Counts one unit, as far as needed to know whether the count is right.
fn catch(mutant: &mut Mutant, index: usize, unit: &Unit) -> Option<Catch> {
    let budget = Budget {
        leaves: unit.expected,
        made: most_made(unit.expected),
    };
    // A tree that grows without leaves proves nothing within the budget: the mutant escapes.
    let counted = mutant.perft_within(&unit.position, unit.depth, budget)?;
    (counted != unit.expected).then_some(Catch {
        unit: index,
        counted: (counted < unit.expected).then_some(counted),
    })
}

/// Far more moves than a correct generator makes for this many leaves.
fn most_made(leaves: u64) -> u64 {
    leaves.saturating_mul(16).saturating_add(1_000_000)
}

#[cfg(test)]
mod tests {
    use epd::{Suite, suites};

    use super::*;
    use crate::check::{Filter, plan};

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn course(texts: &[&str]) -> Course {
        let suites = texts
            .iter()
            .map(|text| Suite::parse("test", text.as_bytes()))
            .collect();
        Course::new(&plan(suites, &Filter::default()))
    }

    const CASTLING: &str = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - D1 26; D2 568;";
    const START: &str =
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - D1 20; D2 400; D3 8902;";

    #[test]
    fn the_shallow_counts_come_first() {
        let course = course(&[START, CASTLING]);
        let order: Vec<(u32, usize)> = course
            .units()
            .iter()
            .map(|unit| (unit.depth, unit.suite))
            .collect();
        assert_eq!(order, [(1, 0), (1, 1), (2, 0), (2, 1), (3, 0)]);
        assert_eq!(course.cost(2, None), 20 + 26 + 400);
        assert_eq!(course.cost(2, Some(0)), 20 + 400);
    }

    #[test]
    fn a_mutant_is_caught_by_the_first_count_it_gets_wrong() {
        let course = course(&[START, CASTLING]);
        let mutations = [Mutation::CastlingMissing, Mutation::CastlingTwice];
        let outcomes = course.judge(&mutations, &NEVER, || ());
        let fewer = Catch {
            unit: 1,
            counted: Some(24),
        };
        assert_eq!(outcomes[0].by_suite, [None, Some(fewer)]);
        assert_eq!(outcomes[0].first(), Some(fewer));
        let more = Catch {
            unit: 1,
            counted: None,
        };
        assert_eq!(outcomes[1].first(), Some(more));
    }

    #[test]
    fn what_is_called_off_catches_nothing() {
        let course = course(&[CASTLING]);
        let cancel = AtomicBool::new(true);
        let outcomes = course.judge(&[Mutation::CastlingMissing], &cancel, || ());
        assert_eq!(outcomes[0].first(), None);
    }

    /// The built-in suites, combined.
    fn built_in(filter: &Filter) -> Course {
        let suites = suites::ALL.iter().map(suites::BuiltIn::parse).collect();
        let mut course = Course::new(&plan(suites, filter));
        course.suites = 1;
        course.units.iter_mut().for_each(|unit| unit.suite = 0);
        course
    }

    /// A mutation that no suite can observe is useless.
    #[test]
    fn the_built_in_suites_catch_every_mutant_within_five_plies() {
        let course = built_in(&Filter {
            depth: Some(5),
            max_nodes: Some(20_000),
            ..Filter::default()
        });
        let outcomes = course.judge(&Mutation::ALL, &NEVER, || ());
        let escaped: Vec<&str> = outcomes
            .iter()
            .filter(|outcome| outcome.first().is_none())
            .map(|outcome| outcome.mutation.name())
            .collect();
        assert!(escaped.is_empty(), "{escaped:?}");
    }

    #[test]
    fn the_unbroken_generator_is_not_caught() {
        let course = built_in(&Filter {
            max_nodes: Some(20_000),
            ..Filter::default()
        });
        assert_eq!(course.first_catch(&mut Mutant::new(None), 0, &NEVER), None);
    }
}
