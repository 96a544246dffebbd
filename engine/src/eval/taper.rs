//! Tapered evaluation: scores of both game phases, and the transition between them, abrupt or
//! gradual.

use std::fmt;
use std::ops::{AddAssign, SubAssign};

/// The weight of the middle game in a position; the end game has the rest.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Taper {
    /// In units of 1/[`Taper::WHOLE`].
    middle_game: i32,
}

impl Taper {
    /// The sum of the weights of both phases.
    // The start position has 8 minor pieces of weight 1, 4 rooks of 2 and 2 queens of 4.
    pub const WHOLE: u32 = 24;

    /// Full weight for one phase.
    pub const fn only(phase: Phase) -> Self {
        match phase {
            Phase::MiddleGame => Self::middle_game(Self::WHOLE),
            Phase::EndGame => Self::middle_game(0),
        }
    }

    /// The middle game has weight `parts`, capped at [`Taper::WHOLE`].
    pub const fn middle_game(parts: u32) -> Self {
        // Promoted pieces can exceed the start position.
        let parts = if parts < Self::WHOLE {
            parts
        } else {
            Self::WHOLE
        };
        Self {
            middle_game: parts.cast_signed(),
        }
    }

    /// The only phase with a weight, if there is one.
    pub const fn phase(self) -> Option<Phase> {
        match (self.middle_game, self.end_game()) {
            (_, 0) => Some(Phase::MiddleGame),
            (0, _) => Some(Phase::EndGame),
            _ => None,
        }
    }

    /// Interpolates between the scores of both phases, rounding towards zero, so that negated
    /// scores give the negated result.
    #[inline(always)]
    pub const fn blend(self, value: Phased) -> i32 {
        let sum = value.middle_game * self.middle_game + value.end_game * self.end_game();
        sum / Self::WHOLE.cast_signed()
    }

    /// The same with the end-game score scaled by `scale` 64ths, itself rounded towards zero.
    #[inline(always)]
    pub(super) const fn blend_scaled(self, value: Phased, scale: u8) -> i32 {
        let end_game = value.end_game * scale as i32 / 64;
        self.blend(Phased::new(value.middle_game, end_game))
    }

    const fn end_game(self) -> i32 {
        Self::WHOLE.cast_signed() - self.middle_game
    }
}

impl fmt::Display for Taper {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(phase) = self.phase() {
            return phase.fmt(f);
        }
        let [middle_game, end_game] = Phase::ALL;
        let (more, less, whole) = (self.middle_game, self.end_game(), Self::WHOLE);
        write!(f, "{middle_game} {more}/{whole}, {end_game} {less}/{whole}")
    }
}

/// A game phase.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// Many pieces on the board.
    MiddleGame,
    /// Few pieces on the board.
    EndGame,
}

impl Phase {
    /// Both phases.
    pub const ALL: [Self; 2] = [Self::MiddleGame, Self::EndGame];
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::MiddleGame => "middle game",
            Self::EndGame => "end game",
        })
    }
}

/// A score in centipawns for each phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Phased {
    /// The middle-game score.
    pub middle_game: i32,
    /// The end-game score.
    pub end_game: i32,
}

impl Phased {
    /// Different scores in the two phases.
    #[inline(always)]
    pub const fn new(middle_game: i32, end_game: i32) -> Self {
        Self {
            middle_game,
            end_game,
        }
    }

    /// The same score in both phases.
    #[inline(always)]
    pub const fn both(value: i32) -> Self {
        Self::new(value, value)
    }

    /// The score multiplied by `count`.
    #[inline(always)]
    pub const fn times(self, count: u32) -> Self {
        let count = count.cast_signed();
        Self::new(self.middle_game * count, self.end_game * count)
    }

    /// The score of one phase.
    #[inline(always)]
    pub const fn at(self, phase: Phase) -> i32 {
        match phase {
            Phase::MiddleGame => self.middle_game,
            Phase::EndGame => self.end_game,
        }
    }
}

impl AddAssign for Phased {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        self.middle_game += other.middle_game;
        self.end_game += other.end_game;
    }
}

impl SubAssign for Phased {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        self.middle_game -= other.middle_game;
        self.end_game -= other.end_game;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_scale_takes_from_the_end_game_alone() {
        let value = Phased::new(240, -101);
        assert_eq!(Taper::middle_game(12).blend_scaled(value, 64), 69);
        assert_eq!(Taper::middle_game(12).blend_scaled(value, 32), 95);
        assert_eq!(Taper::middle_game(24).blend_scaled(value, 0), 240);
        assert_eq!(Taper::middle_game(0).blend_scaled(value, 0), 0);
    }

    #[test]
    fn between_them_both_count() {
        for (parts, expected, text) in [
            (6, 75, "middle game 6/24, end game 18/24"),
            (18, 25, "middle game 18/24, end game 6/24"),
            // 100 * 7 / 24 is 29.2.
            (17, 29, "middle game 17/24, end game 7/24"),
            (99, 0, "middle game"),
        ] {
            let taper = Taper::middle_game(parts);
            assert_eq!(taper.blend(Phased::new(0, 100)), expected);
            assert_eq!(taper.blend(Phased::new(0, -100)), -expected);
            assert_eq!(taper.to_string(), text);
        }
    }
}
