//! Correction history: the static evaluation error in similar positions, with the same pawns or the
//! same pieces of one side (chessprogramming wiki, "Static Evaluation Correction History").

use super::history::add_bonus;
use chess::rules::{Bitboard, Color, PieceType, Position};

/// Entries of each table; a power of two.
const SIZE: usize = 1 << 14;
/// History units per centipawn.
const GRAIN: i32 = 128;

#[derive(Clone, Debug)]
pub(in crate::search) struct Corrections {
    /// Indexed by kind of key, side to move and key.
    tables: Box<[i16]>,
}

/// Number of key kinds: pawns, White's pieces, Black's pieces.
const ALIKE: usize = 3;

impl Corrections {
    pub(in crate::search) fn new() -> Self {
        Self {
            tables: vec![0; ALIKE * Color::COUNT * SIZE].into(),
        }
    }

    /// The correction to the static evaluation of a position, in centipawns.
    #[inline(always)]
    pub(super) fn of(&self, position: &Position) -> i32 {
        let [pawns, white, black] = places(position).map(|place| i32::from(self.tables[place]));
        (2 * pawns + white + black) / (2 * GRAIN)
    }

    /// Updates the tables: a search of `depth` plies found the evaluation `error` centipawns too
    /// low.
    pub(super) fn update(&mut self, position: &Position, error: i32, depth: i32) {
        let bonus = (error * depth / 8).clamp(-LARGEST, LARGEST) * 16;
        for place in places(position) {
            add_bonus(&mut self.tables[place], bonus);
        }
    }
}

/// The maximal error of one update, in centipawns.
const LARGEST: i32 = 256;

#[inline(always)]
fn places(position: &Position) -> [usize; ALIKE] {
    let pawns = |color| position.pieces(color, PieceType::Pawn);
    let kinds = |color| {
        let of = |kind| position.pieces(color, kind);
        let minor = of(PieceType::Knight).0 ^ of(PieceType::Bishop).0.rotate_left(23);
        let major = of(PieceType::Rook).0.rotate_left(41) ^ of(PieceType::Queen).0.rotate_left(11);
        hash(Bitboard(minor ^ major), of(PieceType::King))
    };
    let keys = [
        hash(pawns(Color::White), pawns(Color::Black)),
        kinds(Color::White),
        kinds(Color::Black),
    ];
    let side = position.side_to_move().index();
    let mut index = 0;
    keys.map(|key| {
        index += 1;
        ((index - 1) * Color::COUNT + side) * SIZE + key
    })
}

/// Hashes two sets into a number below [`SIZE`].
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the upper bits are the hash"
)]
fn hash(one: Bitboard, other: Bitboard) -> usize {
    let mixed = one.0.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ other.0.wrapping_mul(0xb5ad_4ece_da1c_e2a9).rotate_left(31);
    (mixed.wrapping_mul(0xda3e_39cb_94b9_5bdb) >> (64 - SIZE.trailing_zeros())) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_error_is_corrected() {
        let mut corrections = Corrections::new();
        let position = Position::startpos();
        assert_eq!(corrections.of(&position), 0);
        for _ in 0..200 {
            let rest = 40 - corrections.of(&position);
            corrections.update(&position, rest, 8);
        }
        assert!((30..=50).contains(&corrections.of(&position)));
        let other = position.play_unchecked(position.legal_moves()[0]);
        assert!(corrections.of(&other).abs() < 40);
    }
}
