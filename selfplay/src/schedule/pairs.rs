//! The pairs of two engines, in schedule order.
//!
//! Short games end early, and differ from others in their results: a test that looked at pairs in
//! the order in which they end would be biased, and not reproducible. It looks at the completed
//! prefix instead: the pairs before the first incomplete one.

use std::collections::BTreeMap;

/// The pairs of two engines, counted by the points of the first engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairLedger {
    /// Number of pairs before the first incomplete one, by the first engine's points, doubled.
    prefix: [u64; 5],
    /// Pairs from there on, with the doubled points of both games as far as they are known.
    beyond: BTreeMap<u64, [Option<u8>; 2]>,
}

impl PairLedger {
    /// Notes a game: the number of the pair between these two engines, from 0, whether it is the
    /// second game of the pair, and the points of the first engine, doubled. Returns the doubled
    /// points of the pairs by which the prefix grew, in order, so that a test can look after each.
    ///
    /// # Panics
    ///
    /// If the game was noted before, or the points are more than 2.
    pub fn record(&mut self, pair: u64, is_second_game: bool, half_points: u8) -> Vec<u8> {
        assert!(half_points <= 2, "a game has at most two half points");
        assert!(pair >= self.prefix_len(), "pair {pair} is complete");
        let games = self.beyond.entry(pair).or_default();
        let before = games[usize::from(is_second_game)].replace(half_points);
        assert_eq!(before, None, "a game of pair {pair} is noted twice");
        self.advance()
    }

    /// Pairs before the first incomplete one, by points of the first engine, doubled: 0 to 4.
    pub fn prefix(&self) -> [u64; 5] {
        self.prefix
    }

    /// All complete pairs, also those after an incomplete one.
    pub fn all(&self) -> [u64; 5] {
        let mut all = self.prefix;
        for points in self.beyond.values().copied().filter_map(points) {
            all[usize::from(points)] += 1;
        }
        all
    }

    /// Number of pairs before the first incomplete one.
    pub fn prefix_len(&self) -> u64 {
        self.prefix.iter().sum()
    }

    fn advance(&mut self) -> Vec<u8> {
        let mut joined = Vec::new();
        let mut next = self.prefix_len();
        while let Some(points) = self.beyond.get(&next).copied().and_then(points) {
            self.beyond.remove(&next);
            self.prefix[usize::from(points)] += 1;
            joined.push(points);
            next += 1;
        }
        joined
    }
}

/// The doubled points of a pair, if both games are known.
fn points(games: [Option<u8>; 2]) -> Option<u8> {
    Some(games[0]? + games[1]?)
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn a_gap_holds_up_the_prefix_only() {
        let mut ledger = PairLedger::default();
        assert_eq!(ledger.record(0, true, 2), [0_u8; 0]);
        assert_eq!(ledger.record(1, false, 1), [0_u8; 0]);
        assert_eq!(ledger.record(1, true, 1), [0_u8; 0]);
        assert_eq!(ledger.record(2, false, 0), [0_u8; 0]);
        assert_eq!((ledger.prefix(), ledger.all()), ([0; 5], [0, 0, 1, 0, 0]));
        assert_eq!(ledger.record(0, false, 2), [4, 2]);
        assert_eq!(ledger.prefix(), [0, 0, 1, 0, 1]);
        assert_eq!(ledger.record(2, true, 1), [1]);
        assert_eq!(ledger.prefix(), ledger.all());
        assert_eq!(ledger.prefix_len(), 3);
    }

    fn shuffled_games() -> impl Strategy<Value = (Vec<[u8; 2]>, Vec<(usize, usize)>)> {
        prop::collection::vec([0..3_u8, 0..3_u8], 1..30).prop_flat_map(|pairs| {
            let games: Vec<_> = (0..pairs.len())
                .flat_map(|pair| [(pair, 0), (pair, 1)])
                .collect();
            (Just(pairs), Just(games).prop_shuffle())
        })
    }

    proptest! {
        #[test]
        fn the_order_of_ends_does_not_matter((pairs, games) in shuffled_games()) {
            let expected: Vec<u8> = pairs.iter().map(|games| games[0] + games[1]).collect();
            let mut ledger = PairLedger::default();
            let mut joined = Vec::new();
            let mut known = vec![0; pairs.len()];
            for (pair, game) in games {
                joined.extend(ledger.record(pair as u64, game == 1, pairs[pair][game]));
                known[pair] += 1;
                let complete = known.iter().take_while(|&&games| games == 2).count();
                prop_assert_eq!(&joined[..], &expected[..complete]);
                let all = known.iter().filter(|&&games| games == 2).count();
                prop_assert_eq!(ledger.all().iter().sum::<u64>(), all as u64);
            }
            prop_assert_eq!(joined, expected);
        }
    }
}
