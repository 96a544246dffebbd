//! A wave: a part of the schedule whose pairings are all known when it starts.

use crate::model::{EngineIndex, PairNumber, Pairing};

/// Maximum number of rounds: more than anyone plays, yet few enough that the rounds of all stages
/// of a knockout, at most 64, fit into 32 bits.
pub(super) const MAX_ROUNDS: u64 = 50_000_000;

/// Two engines that meet, in the order of the configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Couple {
    /// White in the first game of every pair.
    pub first: EngineIndex,
    /// White in the second game.
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
    /// The couples, in the order of a round.
    pub couples: Vec<Couple>,
    /// Number of rounds.
    pub rounds: u64,
    /// The engine with a bye, which is worth a pair won.
    pub bye: Option<EngineIndex>,
    /// The number of the first pair.
    pub first_pair: u64,
    /// The number of the first round.
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

    /// The pairing with this number.
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

/// The first engine with every other.
pub(super) fn gauntlet(engines: usize) -> Vec<Couple> {
    let others = (1..engines).map(EngineIndex);
    others
        .map(|other| Couple::new(EngineIndex(0), other))
        .collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

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
                assert_eq!(
                    players.collect::<BTreeSet<_>>().len(),
                    turn.len() * 2,
                    "{engines}"
                );
            }
        }
    }

    #[test]
    fn pairs_of_a_round_share_the_opening() {
        let before = Wave::after(None, circle(2), 5, None);
        let wave = Wave::after(Some(&before), circle(4), 3, None);
        assert_eq!((wave.first_pair, wave.first_round, wave.end()), (5, 5, 23));
        for pair in 5..23 {
            let pairing = wave.pairing(pair);
            assert_eq!(pairing.opening, 5 + (pair - 5) / 6);
            assert_eq!(u64::from(pairing.round), pairing.opening);
            assert_eq!(pairing.number, PairNumber(pair));
        }
    }

    #[test]
    fn a_gauntlet_has_the_first_engine_in_every_pair() {
        let couples = gauntlet(4);
        assert_eq!(couples.len(), 3);
        assert!(couples.iter().all(|couple| couple.first == EngineIndex(0)));
    }
}
