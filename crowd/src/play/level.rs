use std::time::Duration;

use engine::search::{Limits, Strength};

/// How strong the opponent plays, from 1 to 10.
///
/// | level | Elo | positions a move |
/// |---|---|---|
/// | 1 | 500 | 3 |
/// | 2 | 730 | 15 |
/// | 3 | 960 | 29 |
/// | 4 | 1190 | 52 |
/// | 5 | 1420 | 144 |
/// | 6 | 1650 | 656 |
/// | 7 | 1880 | 2 496 |
/// | 8 | 2110 | 9 472 |
/// | 9 | 2340 | 29 354 |
/// | 10 | no limit | as many as one second allows |
///
/// The Elo is that of [`Strength`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

const ELO_OF_A_LEVEL: u32 = 230;

impl Level {
    /// The weakest.
    pub const FIRST: Self = Self(1);
    /// The strongest.
    pub const LAST: Self = Self(10);
    /// What a move of the strongest takes without a clock.
    const TIME_OF_THE_LAST: Duration = Duration::from_secs(1);

    /// A level, if there is one of that number.
    pub fn new(number: u8) -> Option<Self> {
        (Self::FIRST.0..=Self::LAST.0)
            .contains(&number)
            .then_some(Self(number))
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// The strength in name; none for the last level.
    pub fn strength(self) -> Option<Strength> {
        let elo = Strength::ELO.start() + u32::from(self.0 - 1) * ELO_OF_A_LEVEL;
        (self < Self::LAST)
            .then(|| Strength::from_elo(elo))
            .flatten()
    }

    /// When its search ends, clocks apart.
    pub fn limits(self) -> Limits {
        Limits {
            strength: self.strength(),
            movetime: (self == Self::LAST).then_some(Self::TIME_OF_THE_LAST),
            ..Limits::default()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_level_is_stronger_than_the_one_below() {
        assert_eq!((Level::new(0), Level::new(11)), (None, None));
        let nodes: Vec<Option<u64>> = (1..=10)
            .map(|number| Level::new(number).expect("a level").strength())
            .map(|strength| strength.map(Strength::nodes))
            .collect();
        assert_eq!(nodes[..3], [Some(3), Some(15), Some(29)]);
        assert_eq!(nodes[8..], [Some(29_354), None]);
        assert!(nodes[..9].is_sorted());
    }
}
