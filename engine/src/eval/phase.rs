//! The two game phases and phase-dependent scores.

use std::fmt;
use std::ops::{AddAssign, SubAssign};

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
