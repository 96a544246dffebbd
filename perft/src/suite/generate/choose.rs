//! The fewest nodes that catch the most: a greedy cover, layer by layer.
//!
//! Weighted set cover by greed (Chvátal 1979): the next choice is always the one that catches the
//! most wanted targets per node. A choice is a position with its depth; a position that is already
//! chosen can be deepened at the price of the deeper counts alone. Once every target is caught,
//! redundant choices are dropped, and the next layer wants every target to be caught by one more
//! position.

use std::cmp::{Ordering, Reverse};
use std::collections::BTreeMap;

use super::{Measured, Target, TargetSet};

/// The requirements on a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Goal {
    pub(crate) targets: TargetSet,
    pub(crate) count: usize,
    /// Number of positions that should catch each target, if there are as many.
    pub(crate) cover: u32,
}

/// One position of a suite.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    pub(crate) candidate: usize,
    /// Depth in plies.
    pub(crate) depth: usize,
}

/// Assumed costs of a position in addition to its nodes. The higher the overhead, the fewer
/// positions are chosen for the same catch, which matters when the number of positions is limited.
const OVERHEADS: [u64; 10] = [0, 1, 4, 16, 64, 256, 1 << 10, 1 << 12, 1 << 16, 1 << 32];

/// Chooses from the candidates, in their order. Chess960 positions are used only for targets that
/// the others do not catch often enough, because many engines do not support Chess960.
pub(crate) fn choose(candidates: &[Measured], goal: &Goal) -> Vec<Choice> {
    let (chess960, standard): (Vec<usize>, Vec<usize>) =
        (0..candidates.len()).partition(|&one| candidates[one].is_chess960());
    let mut choices = choose_among(candidates, &standard, goal);
    let is_caught_too_seldom = |target: &Target| {
        let levels = choices.iter();
        let levels = levels.map(|one| &candidates[one.candidate].levels[one.depth - 1]);
        let times = levels
            .filter(|level| level.caught.contains(*target))
            .count();
        times < goal.cover as usize
    };
    let rest = Goal {
        targets: goal.targets.iter().filter(is_caught_too_seldom).collect(),
        count: goal.count - choices.len(),
        ..*goal
    };
    choices.extend(choose_among(candidates, &chess960, &rest));
    choices
}

/// The best of several greedy covers: most targets caught, then fewest nodes.
fn choose_among(candidates: &[Measured], usable: &[usize], goal: &Goal) -> Vec<Choice> {
    let suites = OVERHEADS.map(|overhead| Suite::cover(candidates, usable, goal, overhead));
    let mut best = &suites[0];
    for suite in &suites[1..] {
        if suite.value() > best.value() {
            best = suite;
        }
    }
    let choice = |(&candidate, &depth)| Choice { candidate, depth };
    best.depths.iter().map(choice).collect()
}

/// A suite under construction.
struct Suite<'a> {
    candidates: &'a [Measured],
    /// Indices of the candidates that may be chosen.
    usable: &'a [usize],
    goal: &'a Goal,
    overhead: u64,
    /// The depth of each chosen position.
    depths: BTreeMap<usize, usize>,
    /// Number of positions that catch each target.
    times: [u32; Target::COUNT],
}

/// A choice with its gain and its price.
struct Offer {
    choice: Choice,
    gain: u32,
    price: u64,
}

impl Offer {
    /// Compares the gain per node.
    fn is_better_than(&self, other: &Self) -> bool {
        let ours = u128::from(self.gain) * u128::from(other.price);
        let theirs = u128::from(other.gain) * u128::from(self.price);
        ours.cmp(&theirs).then(self.gain.cmp(&other.gain)) == Ordering::Greater
    }
}

impl<'a> Suite<'a> {
    /// Adds layers until the goal is reached or nothing is left to choose.
    fn cover(
        candidates: &'a [Measured],
        usable: &'a [usize],
        goal: &'a Goal,
        overhead: u64,
    ) -> Self {
        let mut suite = Self {
            candidates,
            usable,
            goal,
            overhead,
            depths: BTreeMap::new(),
            times: [0; Target::COUNT],
        };
        for layer in 1..=goal.cover {
            let added = suite.add_layer(layer);
            suite.drop_redundant(layer);
            let is_full = suite.depths.len() >= goal.count;
            if !added && (is_full || suite.caught_by(layer) == 0) {
                break;
            }
        }
        suite
    }

    /// Number of targets caught by at least this many positions.
    fn caught_by(&self, positions: u32) -> usize {
        let targets = self.goal.targets.iter();
        targets
            .filter(|one| self.times[one.index()] >= positions)
            .count()
    }

    /// Sort key, the best suite first: targets caught, targets caught twice if the goal asks for
    /// it, few nodes.
    fn value(&self) -> (usize, usize, Reverse<u64>) {
        let nodes = self
            .depths
            .iter()
            .map(|(&candidate, &depth)| self.cost(candidate, depth));
        let nodes = nodes.fold(0, u64::saturating_add);
        (
            self.caught_by(1),
            self.caught_by(self.goal.cover.min(2)),
            Reverse(nodes),
        )
    }

    /// The targets that a candidate catches up to this depth; none at depth 0.
    fn caught(&self, candidate: usize, depth: usize) -> TargetSet {
        let level = depth.checked_sub(1);
        let level = level.map(|index| &self.candidates[candidate].levels[index]);
        level.map_or_else(TargetSet::default, |level| level.caught)
    }

    fn cost(&self, candidate: usize, depth: usize) -> u64 {
        let level = depth.checked_sub(1);
        level.map_or(0, |index| self.candidates[candidate].levels[index].cost)
    }

    fn depth_of(&self, candidate: usize) -> usize {
        self.depths.get(&candidate).copied().unwrap_or(0)
    }

    /// Chooses until every target is caught `wanted` times, or as often as possible. Returns
    /// whether anything was added.
    fn add_layer(&mut self, wanted: u32) -> bool {
        let mut added = false;
        loop {
            let targets = self.goal.targets.iter();
            let open = targets
                .filter(|one| self.times[one.index()] < wanted)
                .collect();
            let Some(offer) = self.best_offer(&open) else {
                return added;
            };
            self.set_depth(offer.choice.candidate, offer.choice.depth);
            added = true;
        }
    }

    fn best_offer(&self, open: &TargetSet) -> Option<Offer> {
        let is_full = self.depths.len() >= self.goal.count;
        let mut best: Option<Offer> = None;
        for &candidate in self.usable {
            let from = self.depth_of(candidate);
            if from == 0 && is_full {
                continue;
            }
            let known = self.caught(candidate, from);
            for depth in from + 1..=self.candidates[candidate].levels.len() {
                let news = self.caught(candidate, depth).without(&known).and(open);
                let nodes = self.cost(candidate, depth) - self.cost(candidate, from);
                let overhead = if from == 0 { self.overhead } else { 0 };
                let offer = Offer {
                    choice: Choice { candidate, depth },
                    gain: news.count(),
                    price: nodes.saturating_add(overhead).max(1),
                };
                if offer.gain > 0 && best.as_ref().is_none_or(|best| offer.is_better_than(best)) {
                    best = Some(offer);
                }
            }
        }
        best
    }

    fn set_depth(&mut self, candidate: usize, depth: usize) {
        let old = self.caught(candidate, self.depth_of(candidate));
        let new = self.caught(candidate, depth);
        for one in new.without(&old).iter() {
            self.times[one.index()] += 1;
        }
        for one in old.without(&new).iter() {
            self.times[one.index()] -= 1;
        }
        if depth == 0 {
            self.depths.remove(&candidate);
        } else {
            self.depths.insert(candidate, depth);
        }
    }

    /// Drops positions and depths, most expensive first, without which every target is still caught
    /// `wanted` times, or as often as now.
    fn drop_redundant(&mut self, wanted: u32) {
        let mut chosen: Vec<usize> = self.depths.keys().copied().collect();
        chosen.sort_by_key(|&one| Reverse(self.cost(one, self.depth_of(one))));
        for candidate in chosen {
            let now = self.depth_of(candidate);
            // The least depth that suffices.
            let least = (0..now).find(|&depth| {
                let lost = self
                    .caught(candidate, now)
                    .without(&self.caught(candidate, depth));
                let lost = lost.and(&self.goal.targets);
                lost.iter().all(|one| self.times[one.index()] > wanted)
            });
            if let Some(depth) = least {
                self.set_depth(candidate, depth);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::rules::Position;
    use proptest::prelude::*;

    use super::*;
    use crate::generate::Level;

    fn target(index: usize) -> Target {
        Target::all().nth(index).expect("there are more")
    }

    /// A candidate from its counts, each with the targets that shallower counts miss.
    fn measured(counts: &[(u64, &[usize])]) -> Measured {
        let mut cost = 0;
        let mut caught = TargetSet::default();
        let level = |&(nodes, news): &(u64, &[usize])| {
            cost += nodes;
            caught = news.iter().fold(caught, |mut caught, &index| {
                caught.insert(target(index));
                caught
            });
            Level {
                nodes,
                cost,
                caught,
                reached: Vec::new(),
            }
        };
        Measured {
            position: Position::startpos(),
            levels: counts.iter().map(level).collect(),
        }
    }

    fn goal(targets: usize, count: usize, cover: u32) -> Goal {
        Goal {
            targets: Target::all().take(targets).collect(),
            count,
            cover,
        }
    }

    fn chosen(candidates: &[Measured], goal: &Goal) -> Vec<(usize, usize)> {
        let choices = choose(candidates, goal);
        choices
            .iter()
            .map(|one| (one.candidate, one.depth))
            .collect()
    }

    #[test]
    fn the_most_for_each_node() {
        let candidates = [
            measured(&[(20, &[]), (400, &[0, 1, 2])]),
            measured(&[(5, &[0, 1])]),
            measured(&[(6, &[2]), (30, &[])]),
        ];
        assert_eq!(chosen(&candidates, &goal(3, 9, 1)), [(1, 1), (2, 1)]);
        // With only one position, the one that catches all targets is chosen.
        assert_eq!(chosen(&candidates, &goal(3, 1, 1)), [(0, 2)]);
        assert_eq!(
            chosen(&candidates, &goal(3, 9, 2)),
            [(0, 2), (1, 1), (2, 1)]
        );
        assert_eq!(chosen(&candidates, &goal(0, 9, 1)), []);
    }

    #[test]
    fn chess960_only_for_what_no_other_position_catches() {
        let mut chess960 = measured(&[(1, &[0, 1, 2])]);
        let setup = "1r2k3/8/8/8/8/8/8/4K3 b b - 0 1";
        chess960.position = chess::notation::fen::parse(setup).expect("legal");
        let candidates = [chess960, measured(&[(90, &[0])]), measured(&[(80, &[1])])];
        assert_eq!(
            chosen(&candidates, &goal(3, 9, 1)),
            [(1, 1), (2, 1), (0, 1)]
        );
    }

    #[test]
    fn what_became_redundant_is_dropped() {
        // Greed takes the first candidate, then needs both others.
        let candidates = [
            measured(&[(10, &[0, 1, 2, 3])]),
            measured(&[(12, &[0, 1, 4])]),
            measured(&[(12, &[2, 3, 5])]),
        ];
        assert_eq!(chosen(&candidates, &goal(6, 9, 1)), [(1, 1), (2, 1)]);
    }

    #[test]
    fn what_nobody_catches_is_not_waited_for() {
        let candidates = [measured(&[(1, &[0])]), measured(&[(2, &[0])])];
        assert_eq!(chosen(&candidates, &goal(5, 9, u32::MAX)), [(0, 1), (1, 1)]);
    }

    proptest! {
        #[test]
        fn a_cover_is_complete_and_has_nothing_too_many(
            rows in prop::collection::vec(
                prop::collection::vec((1..50_u64, prop::collection::vec(0..12_usize, 0..4)), 1..4),
                1..12,
            ),
            cover in 1..3_u32,
        ) {
            let candidates: Vec<Measured> = rows
                .iter()
                .map(|row| {
                    let counts: Vec<(u64, &[usize])> =
                        row.iter().map(|(nodes, news)| (*nodes, &news[..])).collect();
                    measured(&counts)
                })
                .collect();
            let goal = goal(12, usize::MAX, cover);
            let choices = choose(&candidates, &goal);
            let times = |choices: &[Choice], target: Target| {
                let caught = |one: &&Choice| {
                    let levels = &candidates[one.candidate].levels;
                    one.depth > 0 && levels[one.depth - 1].caught.contains(target)
                };
                choices.iter().filter(caught).count()
            };
            let all: Vec<Choice> = candidates
                .iter()
                .enumerate()
                .map(|(candidate, one)| Choice { candidate, depth: one.levels.len() })
                .collect();
            let wanted = |target| times(&all, target).min(cover as usize);
            for target in goal.targets.iter() {
                prop_assert!(times(&choices, target) >= wanted(target));
            }
            for index in 0..choices.len() {
                let mut fewer = choices.clone();
                fewer[index].depth -= 1;
                prop_assert!(goal.targets.iter().any(|target| times(&fewer, target) < wanted(target)));
            }
        }
    }
}
