//! When to search for mate: how many nodes of the tree are checkmates.

/// With fewer checkmates, the tree is not judged.
const FEWEST: u64 = 50;
/// A search is one for mate if more than one node in so many is a checkmate; in games it is one in
/// thousands.
// It was measured by the mates found and by games: docs/log/strength.md, "Mates".
const NODES_PER_CHECKMATE: u64 = 200;

/// The checkmates seen in one search.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Checkmates {
    count: u64,
    are_dense: bool,
}

impl Checkmates {
    pub(super) fn add(&mut self) {
        self.count += 1;
    }

    /// Judges the tree of the search so far.
    pub(super) fn judge(&mut self, nodes: u64) {
        self.are_dense = self.count >= FEWEST && self.count * NODES_PER_CHECKMATE > nodes;
    }

    /// Whether checkmates were dense when last judged.
    pub(super) fn are_dense(self) -> bool {
        self.are_dense
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn checkmates_are_dense_if_they_are_many_and_a_large_part() {
        let mut checkmates = Checkmates::default();
        for _ in 1..FEWEST {
            checkmates.add();
        }
        checkmates.judge(100);
        assert!(!checkmates.are_dense());
        checkmates.add();
        checkmates.judge(FEWEST * NODES_PER_CHECKMATE);
        assert!(!checkmates.are_dense());
        checkmates.judge(FEWEST * NODES_PER_CHECKMATE - 1);
        assert!(checkmates.are_dense());
    }
}
