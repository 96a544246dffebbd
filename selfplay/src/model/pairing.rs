//! Pairings and the games they consist of.

use serde::{Deserialize, Serialize};

/// The index of an engine in [`super::RunConfig::engines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EngineIndex(pub usize);

/// The index of a pair in the schedule, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairNumber(pub u64);

/// Two games between two engines from one opening, with colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pairing {
    /// The index of the pair in the schedule.
    pub number: PairNumber,
    /// The round it belongs to, from 0.
    pub round: u32,
    /// White in the first game.
    pub first: EngineIndex,
    /// White in the second game.
    pub second: EngineIndex,
    /// The number of the opening in book order, from 0; a shorter book starts over.
    pub opening: u64,
}

/// One game of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GamePlan {
    /// The game number, from 0: twice the pair's, plus one for the second game.
    pub game: u64,
    /// The pair.
    pub pairing: Pairing,
    /// The engine that plays White.
    pub white: EngineIndex,
    /// The engine that plays Black.
    pub black: EngineIndex,
}

impl Pairing {
    /// The two games of the pair, in schedule order.
    pub const fn games(self) -> [GamePlan; 2] {
        let first = GamePlan {
            game: self.number.0 * 2,
            pairing: self,
            white: self.first,
            black: self.second,
        };
        let second = GamePlan {
            game: first.game + 1,
            pairing: self,
            white: self.second,
            black: self.first,
        };
        [first, second]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_game_swaps_the_colours() {
        let pairing = Pairing {
            number: PairNumber(7),
            round: 0,
            first: EngineIndex(2),
            second: EngineIndex(5),
            opening: 3,
        };
        let [first, second] = pairing.games();
        assert_eq!((first.game, second.game), (14, 15));
        assert_eq!((first.white, first.black), (second.black, second.white));
        assert_eq!(first.white, EngineIndex(2));
    }
}
