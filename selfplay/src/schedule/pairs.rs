//! The pairs of two engines, in the order of the schedule.
//!
//! Fast games end early, and fast games are not like others: a test that looked at pairs in the order
//! in which they end would be biased, and would stop elsewhere each time it is run. It looks at the
//! completed prefix: the pairs before the first that is not complete.

use std::collections::BTreeMap;

/// The pairs of two engines, each counted by the points of the first engine.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PairLedger {
    /// Pairs before the first that is not complete, by points of the first engine, doubled.
    prefix: [u64; 5],
    /// Pairs from there on, with what is known of each: doubled points in both games.
    beyond: BTreeMap<u64, [Option<u8>; 2]>,
}

impl PairLedger {
    /// Notes a game: which pair of these two engines, from 0, whether it is the second of the pair,
    /// and the points of the first engine, doubled. Returns the doubled points of the pairs by which
    /// the prefix grew, in their order, so that a test can look after each.
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

    /// Complete pairs with no gap before them, by points of the first engine, doubled: 0 to 4.
    pub fn prefix(&self) -> [u64; 5] {
        self.prefix
    }

    /// All complete pairs.
    pub fn all(&self) -> [u64; 5] {
        let mut all = self.prefix;
        for points in self.beyond.values().copied().filter_map(points) {
            all[usize::from(points)] += 1;
        }
        all
    }

    /// How many pairs have no gap before them.
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
