use std::time::Duration;

use engine::search::{Limits, Strength};

/// Playing strength of the opponent, from 1 to 10.
///
/// The first level has 500 Elo, each further one 230 more, by [`Strength`]; the last is limited
/// only to one second per move. `docs/crowd-play.md` lists them with their node counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Level(u8);

const ELO_OF_A_LEVEL: u32 = 230;

impl Level {
    /// The weakest.
    pub const FIRST: Self = Self(1);
    /// The strongest.
    pub const LAST: Self = Self(10);
    /// Time per move of the strongest level without a clock.
    const TIME_OF_THE_LAST: Duration = Duration::from_secs(1);

    /// The level of this number; `None` unless it is from 1 to 10.
    pub fn new(number: u8) -> Option<Self> {
        (Self::FIRST.0..=Self::LAST.0)
            .contains(&number)
            .then_some(Self(number))
    }

    /// Its number.
    pub const fn number(self) -> u8 {
        self.0
    }

    /// Its nominal strength; `None` for the last level.
    pub fn strength(self) -> Option<Strength> {
        let elo = Strength::ELO.start() + u32::from(self.0 - 1) * ELO_OF_A_LEVEL;
        (self < Self::LAST)
            .then(|| Strength::from_elo(elo))
            .flatten()
    }

    /// Its search limits, apart from clocks.
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
        let strengths: Vec<_> = (1..=10)
            .map(|number| Level::new(number).expect("a level").strength())
            .collect();
        let nodes = strengths[..9].iter().flatten().map(|one| one.nodes());
        assert!(strengths[..9].is_sorted() && nodes.is_sorted());
        assert_eq!(
            (strengths[0].map(Strength::elo), strengths[9]),
            (Some(500), None)
        );
    }

    #[test]
    fn the_page_tells_every_level_as_it_is() {
        let page = include_str!("../../../docs/crowd-play.md");
        for number in 1..10 {
            let strength = Level::new(number).and_then(Level::strength);
            let strength = strength.expect("a level with a limit");
            let (elo, nodes) = (strength.elo(), thousands(strength.nodes()));
            let row = format!("| {number} | {elo} | {nodes} |\n");
            assert!(page.contains(&row), "docs/crowd-play.md lacks {row}");
        }
    }

    /// Formats a number with a space before its last three digits.
    fn thousands(number: u64) -> String {
        if number < 1000 {
            return number.to_string();
        }
        format!("{} {:03}", number / 1000, number % 1000)
    }
}
