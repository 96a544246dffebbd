//! Playing weaker than possible.

use std::ops::RangeInclusive;

/// A playing strength, in Elo on the scale of Stockfish 15.1's `UCI_Elo`.
///
/// A weaker search looks at fewer positions, as many as matches have shown to be worth its Elo for
/// profile `Touchstone` (`docs/strength.md`, "What nodes are worth"). The same position and strength
/// always give the same move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Strength(u32);

/// Elo, and the positions that a move may look at for it: from 1324 on by games against Stockfish,
/// below it by games against ourselves.
const MEASURED: [(u32, u64); 10] = [
    (431, 1),
    (606, 8),
    (813, 16),
    (1055, 32),
    (1324, 64),
    (1524, 160),
    (1757, 700),
    (2000, 7_700),
    (2193, 25_000),
    (2358, 60_000),
];

impl Strength {
    /// The strengths there are.
    pub const ELO: RangeInclusive<u32> = 500..=2350;

    /// The strength of `elo`, if it is within [`Strength::ELO`].
    pub fn from_elo(elo: u32) -> Option<Self> {
        Self::ELO.contains(&elo).then_some(Self(elo))
    }

    /// The Elo.
    pub const fn elo(self) -> u32 {
        self.0
    }

    /// How many positions a search of this strength looks at, at most. Between two that were
    /// measured the number grows evenly.
    pub fn nodes(self) -> u64 {
        let above = MEASURED.partition_point(|&(elo, _)| elo <= self.0);
        let [(low, fewer), (high, more)] = [MEASURED[above - 1], MEASURED[above]];
        fewer + (more - fewer) * u64::from(self.0 - low) / u64::from(high - low)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn more_elo_is_more_nodes() {
        let nodes = |elo| Strength::from_elo(elo).expect("in range").nodes();
        let all: Vec<u64> = Strength::ELO.map(nodes).collect();
        assert!(all.is_sorted());
        assert_eq!(
            [500, 1324, 1424, 2000, 2350].map(nodes),
            [3, 64, 112, 7_700, 58_303]
        );
    }

    #[test]
    fn there_is_no_strength_out_of_range() {
        assert_eq!(Strength::from_elo(499), None);
        assert_eq!(Strength::from_elo(2351), None);
        assert_eq!(Strength::from_elo(2350).map(Strength::elo), Some(2350));
    }
}
