//! A wave: a part of the schedule whose pairings are all known when it starts.

use std::collections::{BTreeMap, BTreeSet};

use crate::model::{EngineIndex, PairNumber, Pairing};

/// Maximum number of rounds: more than anyone plays, yet few enough that the rounds of all stages
/// of a knockout, at most 64, fit into 32 bits.
pub(super) const MAX_ROUNDS: u64 = 50_000_000;

/// Two engines that meet, in the order of the configuration; in single games of a Swiss, White first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Couple {
    /// White in the first game of every pair, unless colours are reversed.
    pub first: EngineIndex,
    /// White in the second game then.
    pub second: EngineIndex,
}

impl Couple {
    /// Puts two engines into the order of the configuration.
    pub fn new(one: EngineIndex, other: EngineIndex) -> Self {
        Self {
            first: one.min(other),
            second: one.max(other),
        }
    }
}

/// A set of couples, each of which plays one pair per round.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wave {
    pub couples: Vec<Couple>,
    pub rounds: u64,
    /// The engine with a bye, which is worth a pair won.
    pub bye: Option<EngineIndex>,
    pub first_pair: u64,
    pub first_round: u64,
}

impl Wave {
    /// Creates a wave after another, or the first one.
    pub(super) fn after(
        before: Option<&Self>,
        couples: Vec<Couple>,
        rounds: u64,
        bye: Option<EngineIndex>,
    ) -> Self {
        Self {
            couples,
            rounds,
            bye,
            first_pair: before.map_or(0, Self::end),
            first_round: before.map_or(0, |before| before.first_round + before.rounds),
        }
    }

    /// The number of the first pair after the wave.
    pub fn end(&self) -> u64 {
        self.first_pair + self.couples.len() as u64 * self.rounds
    }

    /// The round within the wave and the couple of a pair of this wave.
    pub(super) fn place(&self, pair: u64) -> (u64, usize) {
        let within = pair - self.first_pair;
        let couples = self.couples.len() as u64;
        let couple = usize::try_from(within % couples).expect("below the number of couples");
        (within / couples, couple)
    }

    /// The pairing with this number, its engines in the order of the couple.
    ///
    /// # Panics
    ///
    /// If the pair is not part of this wave.
    pub fn pairing(&self, pair: u64) -> Pairing {
        assert!(
            (self.first_pair..self.end()).contains(&pair),
            "pair {pair} is of another wave"
        );
        let (within, couple) = self.place(pair);
        let round = self.first_round + within;
        let Couple { first, second } = self.couples[couple];
        Pairing {
            number: PairNumber(pair),
            round: u32::try_from(round).expect("rounds are checked to be few enough"),
            first,
            second,
            opening: round,
        }
    }
}

/// All couples of `engines`, in the order of the circle method (the Berger tables, FIDE handbook
/// C.05 annex 1, except for colours): every engine plays once before any plays again, except the
/// one that waits if their number is odd.
pub(super) fn circle(engines: usize) -> Vec<Couple> {
    let seats = engines + engines % 2;
    let mut couples = Vec::with_capacity(engines * (engines - 1) / 2);
    for turn in 0..seats - 1 {
        // The last seat stays in place, the others rotate.
        let seat = |place: usize| (turn + place) % (seats - 1);
        let tables = (1..seats / 2).map(|table| (seat(table), seat(seats - 1 - table)));
        let met = std::iter::once((seat(0), seats - 1)).chain(tables);
        // With an odd number, the last seat is empty.
        let real = met.filter(|&(_, other)| other < engines);
        couples.extend(real.map(|(one, other)| Couple::new(EngineIndex(one), EngineIndex(other))));
    }
    couples
}

/// Each of the first `seeds` engines with every engine after them.
pub(super) fn gauntlet(engines: usize, seeds: usize) -> Vec<Couple> {
    let others = (seeds..engines).map(EngineIndex);
    others
        .flat_map(|other| (0..seeds).map(move |seed| Couple::new(EngineIndex(seed), other)))
        .collect()
}

// The pairs of two engines, in schedule order.
//
// Short games end early, and differ from others in their results: a test that looked at pairs in
// the order in which they end would be biased, and not reproducible. It looks at the completed
// prefix instead: the pairs before the first incomplete one.

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
}

/// The doubled points of a pair, if both games are known.
fn points(games: [Option<u8>; 2]) -> Option<u8> {
    Some(games[0]? + games[1]?)
}

// A set of numbers that fills up from below, in little memory.

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

    pub(super) fn prefix(&self) -> u64 {
        self.prefix
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeSet, HashSet};

    use proptest::prelude::*;

    use super::*;

    #[test]
    fn the_circle_lets_everybody_meet_everybody_once() {
        for engines in 2..20 {
            let couples = circle(engines);
            assert_eq!(couples.len(), engines * (engines - 1) / 2);
            let unique: BTreeSet<Couple> = couples.iter().copied().collect();
            assert_eq!(unique.len(), couples.len());
            // No engine plays twice in a turn.
            for turn in couples.chunks(engines / 2) {
                let players = turn.iter().flat_map(|couple| [couple.first, couple.second]);
                let found = players.collect::<BTreeSet<_>>().len();
                assert_eq!(found, turn.len() * 2, "{engines}");
            }
        }
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
