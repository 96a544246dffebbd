//! A set of numbers that fills up from below, in little memory.

use std::collections::BTreeSet;

/// All numbers below `prefix`, and a few beyond.
#[derive(Clone, Debug, Default)]
pub(super) struct GameSet {
    prefix: u64,
    beyond: BTreeSet<u64>,
}

impl GameSet {
    /// Adds a number; returns false if it was already present.
    pub(super) fn insert(&mut self, number: u64) -> bool {
        if number < self.prefix || !self.beyond.insert(number) {
            return false;
        }
        while self.beyond.remove(&self.prefix) {
            self.prefix += 1;
        }
        true
    }

    pub(super) fn contains(&self, number: u64) -> bool {
        number < self.prefix || self.beyond.contains(&number)
    }

    /// The smallest number that is missing.
    pub(super) fn prefix(&self) -> u64 {
        self.prefix
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn is_a_set(numbers in prop::collection::vec(0..40_u64, 0..80)) {
            let mut set = GameSet::default();
            let mut reference = HashSet::new();
            for number in numbers {
                prop_assert_eq!(set.insert(number), reference.insert(number));
                for one in 0..41 {
                    prop_assert_eq!(set.contains(one), reference.contains(&one));
                }
                prop_assert!((0..set.prefix()).all(|one| reference.contains(&one)));
                prop_assert!(!reference.contains(&set.prefix()));
                prop_assert!(set.beyond.len() < reference.len() + 1);
            }
        }
    }
}
