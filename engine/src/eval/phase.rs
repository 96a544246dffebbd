//! The two phases of a game, and what counts in each.

use std::fmt;
use std::ops::{AddAssign, SubAssign};

/// The part of a game, which decides how some terms count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Phase {
    /// While many pieces are on the board.
    MiddleGame,
    /// Once few are left.
    EndGame,
}

impl Phase {
    /// Both.
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

/// Centipawns in either phase.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Phased {
    /// What counts in the middle game.
    pub middle_game: i32,
    /// What counts in the end game.
    pub end_game: i32,
}

impl Phased {
    /// Different values in the two phases.
    #[inline(always)]
    pub const fn new(middle_game: i32, end_game: i32) -> Self {
        Self {
            middle_game,
            end_game,
        }
    }

    /// The same value in both phases.
    #[inline(always)]
    pub const fn both(value: i32) -> Self {
        Self::new(value, value)
    }

    /// The value so many times.
    #[inline(always)]
    pub const fn times(self, count: u32) -> Self {
        let count = count.cast_signed();
        Self::new(self.middle_game * count, self.end_game * count)
    }

    /// The value in one phase.
    #[inline(always)]
    pub const fn of(self, phase: Phase) -> i32 {
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
