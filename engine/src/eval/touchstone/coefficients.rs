//! The counts behind a value: what a tuner needs.

use super::layout::TOTAL;

/// A value as counts of weights, so that other weights can be tried without the position.
///
/// The value for White is the sum of weight x count over both phases, the end game's times
/// `scale` / 64 rounded towards zero, blended as [`Taper`](crate::eval::Taper) does.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Coefficients {
    /// How many of the 24 parts the middle game counts.
    pub middle_game_parts: u8,
    /// How many 64ths of the end game count; which side is ahead in it is decided with the weights
    /// as they stand.
    pub scale: u8,
    /// The place of each weight in [`Touchstone::weights`](crate::eval::Touchstone::weights), and
    /// White's count less Black's; zero is left out.
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
