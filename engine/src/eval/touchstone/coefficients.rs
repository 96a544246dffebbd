//! The coefficients of a score, for tuning.

use super::layout::TOTAL;

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
