//! The targets of a suite: a rule broken for one side, and sets of these.

use chess::rules::Color;

use crate::suite::mutants::{Mutant, Mutation};

/// A mutation that is active when one side is to move. An engine with separate code for each side
/// can be wrong for one alone, so suites should catch both.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Target {
    /// The rule that is broken.
    pub mutation: Mutation,
    /// The side for which it is broken.
    pub side: Color,
}

impl Target {
    /// Every index is less than this.
    pub const COUNT: usize = Mutation::COUNT * Color::COUNT;

    /// Every target, in index order.
    pub fn all() -> impl Iterator<Item = Self> {
        Mutation::ALL.into_iter().flat_map(Self::both)
    }

    /// A mutation for White and for Black, or for its one side if it concerns only one.
    pub fn both(mutation: Mutation) -> impl Iterator<Item = Self> {
        let is_about = move |side: &Color| mutation.side().is_none_or(|about| about == *side);
        let sides = Color::ALL.into_iter().filter(is_about);
        sides.map(move |side| Self { mutation, side })
    }

    /// The target's index, below `COUNT`.
    pub const fn index(self) -> usize {
        self.mutation.index() * Color::COUNT + self.side.index()
    }

    /// The generator with this fault.
    pub fn mutant(self) -> Mutant {
        Mutant::of_side(self.mutation, self.side)
    }
}

const WORDS: usize = Target::COUNT.div_ceil(64);

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub(crate) struct TargetSet([u64; WORDS]);

impl TargetSet {
    pub(crate) fn insert(&mut self, target: Target) {
        self.0[target.index() / 64] |= 1 << (target.index() % 64);
    }

    /// Whether the set contains a target.
    pub(crate) fn contains(&self, target: Target) -> bool {
        self.0[target.index() / 64] & 1 << (target.index() % 64) != 0
    }

    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The intersection of two sets.
    pub(crate) fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// The targets that are not in the other set.
    pub(crate) fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The targets, in index order.
    pub(crate) fn iter(&self) -> impl Iterator<Item = Target> + '_ {
        Target::all().filter(|&one| self.contains(one))
    }
}

impl FromIterator<Target> for TargetSet {
    fn from_iter<T: IntoIterator<Item = Target>>(targets: T) -> Self {
        let mut set = Self::default();
        for target in targets {
            set.insert(target);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        let all: TargetSet = Target::all().collect();
        assert_eq!(all.count() as usize, Target::all().count());
        assert!(all.iter().eq(Target::all()));
        let even: TargetSet = Target::all().step_by(2).collect();
        let odd = all.without(&even);
        assert_eq!(odd.and(&even).count(), 0);
        assert_eq!(odd.count() + even.count(), all.count());
        let first = Target::all().next().expect("there are some");
        assert!(even.contains(first) && !odd.contains(first));
    }

    #[test]
    fn indices_rise_below_the_count() {
        let indices: Vec<usize> = Target::all().map(Target::index).collect();
        assert!(indices.is_sorted_by(|a, b| a < b));
        assert!(indices.iter().all(|&index| index < Target::COUNT));
    }
}
