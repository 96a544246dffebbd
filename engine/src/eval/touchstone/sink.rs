//! Destinations of the terms: a sum, a ledger with a row for each term, or coefficients.

use chess::rules::{ByColor, Color};

use super::layout::{FLAT, TOTAL, Term};
use crate::eval::{Phased, Row};

/// Receives the terms of an evaluation.
pub(super) trait Sink {
    /// Adds `count` times the weight at `index` of a term for one side.
    fn add(&mut self, term: Term, index: usize, color: Color, count: u32);
}

/// Both phases in one integer: the end game in the upper half, the middle game in the lower half,
/// whose sign borrows from the upper. Sums are correct while each half fits in 16 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) struct Packed(i32);

impl Packed {
    const fn new(value: Phased) -> Self {
        Self((value.end_game << 16) + value.middle_game)
    }

    #[inline(always)]
    pub(super) const fn add(&mut self, other: Self) {
        self.0 = self.0.wrapping_add(other.0);
    }

    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the lower half is what is wanted"
    )]
    pub(super) const fn unpack(self) -> Phased {
        Phased::new(self.0 as i16 as i32, (self.0 + 0x8000) >> 16)
    }
}

static PACKED: [Packed; TOTAL] = {
    let (mut packed, mut index) = ([Packed(0); TOTAL], 0);
    while index < TOTAL {
        packed[index] = Packed::new(FLAT[index]);
        index += 1;
    }
    packed
};

/// The sum from White's point of view, which is all that a search needs.
#[derive(Clone, Copy, Default)]
pub(super) struct Sum(pub(super) Packed);

impl Sink for Sum {
    #[inline(always)]
    fn add(&mut self, term: Term, index: usize, color: Color, count: u32) {
        let value = PACKED[term.offset() + index]
            .0
            .wrapping_mul(count.cast_signed());
        let sum = &mut self.0.0;
        *sum = match color {
            Color::White => sum.wrapping_add(value),
            Color::Black => sum.wrapping_sub(value),
        };
    }
}

pub(super) struct Ledger([ByColor<Phased>; Term::COUNT]);

impl Default for Ledger {
    fn default() -> Self {
        Self([ByColor::default(); Term::COUNT])
    }
}

impl Ledger {
    /// One row for each term.
    pub(super) fn into_rows(self) -> Vec<Row> {
        let row = |term: Term| Row {
            name: term.label(),
            sides: self.0[term as usize],
        };
        Term::ALL.map(row).into()
    }
}

impl Sink for Ledger {
    fn add(&mut self, term: Term, index: usize, color: Color, count: u32) {
        self.0[term as usize][color] += FLAT[term.offset() + index].times(count);
    }
}

/// White's counts minus Black's, one per weight.
pub(super) struct Counts(pub(super) [i16; TOTAL]);

impl Default for Counts {
    fn default() -> Self {
        Self([0; TOTAL])
    }
}

impl Sink for Counts {
    fn add(&mut self, term: Term, index: usize, color: Color, count: u32) {
        let count = i16::try_from(count).expect("a board has few squares");
        let sum = &mut self.0[term.offset() + index];
        *sum += match color {
            Color::White => count,
            Color::Black => -count,
        };
    }
}

/// A score as coefficients of the weights, to try other weights without the position.
///
/// The score for White is the sum of weight x count in both phases, that of the end game times
/// `scale` / 64 rounded towards zero, interpolated as by [`Taper`](crate::eval::Taper).
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coefficients {
    /// The weight of the middle game, of 24.
    pub middle_game_parts: u8,
    /// The end-game scale in 64ths; the current weights decide which side it applies to.
    pub scale: u8,
    /// The index of each weight in [`Touchstone::weights`](crate::eval::Touchstone::weights), and
    /// White's count minus Black's; zero counts are omitted.
    pub counts: Vec<(u16, i16)>,
}

impl Coefficients {
    pub(super) fn new(middle_game_parts: u8, scale: u8, counts: &[i16; TOTAL]) -> Self {
        let counts = (0..).zip(counts.iter().copied());
        Self {
            middle_game_parts,
            scale,
            counts: counts.filter(|&(_, count)| count != 0).collect(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn both_halves_keep_their_signs() {
        for middle_game in [-15_000, -1, 0, 1, 15_000] {
            for end_game in [-15_000, -1, 0, 1, 15_000] {
                let value = Phased::new(middle_game, end_game);
                assert_eq!(Packed::new(value).unpack(), value);
            }
        }
    }
}
