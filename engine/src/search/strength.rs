//! Playing weaker than possible.

use std::ops::RangeInclusive;

/// A playing strength, in Elo. It is nominal: the scale is a guess until games have calibrated it.
///
/// A weaker search may look at fewer positions: doubling them is taken for 100 Elo. The same
/// position and strength always give the same move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(u32);

/// The positions that the weakest strength looks at: a little more than one ply.
const FEWEST_NODES: u64 = 64;

/// Elo for which the positions double.
const DOUBLING: u32 = 100;

impl Strength {
    /// The strengths there are.
    pub const ELO: RangeInclusive<u32> = 500..=2000;

    /// The strength of `elo`, if it is within [`Strength::ELO`].
    pub fn from_elo(elo: u32) -> Option<Self> {
        Self::ELO.contains(&elo).then_some(Self(elo))
    }

    /// The nominal Elo.
    pub const fn elo(self) -> u32 {
        self.0
    }

    /// How many positions a search of this strength looks at, at most. Between two doublings the
    /// number grows evenly.
    pub const fn nodes(self) -> u64 {
        let above = self.0 - *Self::ELO.start();
        let doubled = FEWEST_NODES << (above / DOUBLING);
        doubled + doubled * (above % DOUBLING) as u64 / DOUBLING as u64
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_is_more_nodes() {
        let nodes: Vec<u64> = Strength::ELO
            .map(|elo| Strength::from_elo(elo).expect("in range").nodes())
            .collect();
        assert!(nodes.is_sorted());
        assert_eq!((nodes[0], nodes[100], nodes[150]), (64, 128, 192));
        assert_eq!(nodes[1500], 64 << 15);
    }

    #[test]
    fn there_is_no_strength_out_of_range() {
        assert_eq!(Strength::from_elo(499), None);
        assert_eq!(Strength::from_elo(2001), None);
        assert_eq!(Strength::from_elo(2000).map(Strength::elo), Some(2000));
    }
}
