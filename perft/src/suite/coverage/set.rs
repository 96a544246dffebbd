//! Sets of signatures.

use super::Signature;

/// A set of signatures.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct SignatureSet(Vec<u64>);

impl Default for SignatureSet {
    fn default() -> Self {
        Self(vec![0; Signature::COUNT.div_ceil(64)])
    }
}

impl SignatureSet {
    /// Adds a signature; returns whether it is new.
    pub fn insert(&mut self, signature: Signature) -> bool {
        let (word, bit) = (signature.index() / 64, 1 << (signature.index() % 64));
        let is_new = self.0[word] & bit == 0;
        self.0[word] |= bit;
        is_new
    }

    /// Removes a signature; returns whether it was there.
    pub fn remove(&mut self, signature: Signature) -> bool {
        let was_there = self.contains(signature);
        self.0[signature.index() / 64] &= !(1 << (signature.index() % 64));
        was_there
    }

    /// Whether the set contains a signature.
    pub fn contains(&self, signature: Signature) -> bool {
        self.0[signature.index() / 64] & 1 << (signature.index() % 64) != 0
    }

    /// Number of signatures.
    pub fn count(&self) -> u32 {
        self.0.iter().map(|word| word.count_ones()).sum()
    }

    /// The signatures of both sets.
    #[must_use]
    pub fn union(mut self, other: Self) -> Self {
        for (word, more) in self.0.iter_mut().zip(other.0) {
            *word |= more;
        }
        self
    }

    /// The signatures that are not in another set.
    #[must_use]
    pub fn without(mut self, other: &Self) -> Self {
        for (word, less) in self.0.iter_mut().zip(&other.0) {
            *word &= !less;
        }
        self
    }

    /// The signatures that are in another set as well.
    #[must_use]
    pub fn intersection(mut self, other: &Self) -> Self {
        for (word, also) in self.0.iter_mut().zip(&other.0) {
            *word &= also;
        }
        self
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.0.iter().all(|&word| word == 0)
    }

    /// The signatures, view by view.
    pub fn iter(&self) -> impl Iterator<Item = Signature> + '_ {
        let bits = |word: u64| (0..64).filter(move |bit| word >> bit & 1 == 1);
        let words = self.0.iter().enumerate();
        words.flat_map(move |(index, &word)| {
            bits(word).map(move |bit| Signature::from_index(64 * index + bit))
        })
    }
}

impl FromIterator<Signature> for SignatureSet {
    fn from_iter<T: IntoIterator<Item = Signature>>(signatures: T) -> Self {
        let mut set = Self::default();
        for signature in signatures {
            set.insert(signature);
        }
        set
    }
}
