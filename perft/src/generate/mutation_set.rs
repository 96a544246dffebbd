//! Sets of mutations.

use crate::mutants::Mutation;

const WORDS: usize = Mutation::COUNT.div_ceil(64);

/// A set of mutations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct MutationSet([u64; WORDS]);

impl MutationSet {
    /// Adds one.
    pub fn insert(&mut self, mutation: Mutation) {
        self.0[mutation.index() / 64] |= 1 << (mutation.index() % 64);
    }

    /// Whether it has this one.
    pub fn contains(&self, mutation: Mutation) -> bool {
        self.0[mutation.index() / 64] & 1 << (mutation.index() % 64) != 0
    }

    /// How many there are.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.0 == [0; WORDS]
    }

    /// Those that both have.
    pub fn and(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & other.0[word]))
    }

    /// Those that the other does not have.
    pub fn without(&self, other: &Self) -> Self {
        Self(std::array::from_fn(|word| self.0[word] & !other.0[word]))
    }

    /// The mutations, in index order.
    pub fn iter(&self) -> impl Iterator<Item = Mutation> + '_ {
        Mutation::ALL.into_iter().filter(|&one| self.contains(one))
    }
}

impl FromIterator<Mutation> for MutationSet {
    fn from_iter<T: IntoIterator<Item = Mutation>>(mutations: T) -> Self {
        let mut set = Self::default();
        for mutation in mutations {
            set.insert(mutation);
        }
        set
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sets_are_sets() {
        let all: MutationSet = Mutation::ALL.into_iter().collect();
        assert_eq!(all.count() as usize, Mutation::COUNT);
        assert!(all.iter().eq(Mutation::ALL));
        let even: MutationSet = Mutation::ALL.into_iter().step_by(2).collect();
        let odd = all.without(&even);
        assert!(odd.and(&even).is_empty());
        assert_eq!(odd.count() + even.count(), all.count());
        assert!(even.contains(Mutation::ALL[0]) && !odd.contains(Mutation::ALL[0]));
    }
}
