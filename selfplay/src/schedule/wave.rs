//! A part of the schedule in which everything is known from the start.

use crate::model::{EngineIndex, PairNumber, Pairing};

/// The most rounds: more than anybody plays, and so few that those of all stages of a knockout, 64 at
/// most, are counted in 32 bits.
pub(super) const MAX_ROUNDS: u64 = 50_000_000;

/// Two engines that meet, the one that stands first in the configuration first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Couple {
    /// White in the first game of every pair.
    pub first: EngineIndex,
    /// White in the second.
    pub second: EngineIndex,
}

impl Couple {
    /// Two engines in the order of the configuration.
    pub fn new(one: EngineIndex, other: EngineIndex) -> Self {
        Self {
            first: one.min(other),
            second: one.max(other),
        }
    }
}

/// Some couples, each of which plays one pair in each of some rounds.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wave {
    /// Who meets whom, in the order of a round.
    pub couples: Vec<Couple>,
    /// How many rounds.
    pub rounds: u64,
    /// Who does not play, and has the points of a pair won.
    pub bye: Option<EngineIndex>,
    /// The number of its first pair.
    pub first_pair: u64,
    /// The number of its first round.
    pub first_round: u64,
}

impl Wave {
    /// A wave that follows another, or begins the schedule.
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

    /// The number of the pair after its last.
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

    /// A pair of this wave, by its number.
    ///
    /// # Panics
    ///
    /// If the number is not of this wave.
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

/// All couples of `engines`, in the order of the circle method (the tables of Berger, FIDE handbook
/// C.05 annex 1, up to colours): every engine plays once before any plays again, but for the one that
/// waits where they are odd.
pub(super) fn circle(engines: usize) -> Vec<Couple> {
    let seats = engines + engines % 2;
    let mut couples = Vec::with_capacity(engines * (engines - 1) / 2);
    for turn in 0..seats - 1 {
        // The last seat stays where it is, the others go round.
        let seat = |place: usize| (turn + place) % (seats - 1);
        let tables = (1..seats / 2).map(|table| (seat(table), seat(seats - 1 - table)));
        let met = std::iter::once((seat(0), seats - 1)).chain(tables);
        // With an odd number the last seat is empty.
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
            // Nobody plays twice in a turn.
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
