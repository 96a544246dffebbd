//! Correction history: the static evaluation error in similar positions: with the same pawns, minor
//! pieces or pieces of one side, or after the same two moves (chessprogramming wiki, "Static
//! Evaluation Correction History").

use super::features::Features;
use super::history::{PAWNS, PieceTo, add_bonus};
use super::parameters::Parameters;
use crate::search::value::Depth;
use chess::rules::{Color, PieceType, Position};

/// Entries of each table; a power of two.
const SIZE: usize = 1 << 14;
/// History units per centipawn.
const GRAIN: i32 = 128;
/// The maximal update.
const LARGEST: i32 = 4096;

#[derive(Clone, Debug)]
pub(in crate::search) struct Corrections {
    /// By kind of key, side to move and key.
    tables: Box<[i16]>,
    /// By the moves two plies and one ply before.
    continuation: Box<[i16]>,
}

/// Number of kinds of keys: pawns, White's pieces, Black's pieces, minor pieces and kings.
const KINDS: usize = 4;

/// What the corrections of a node depend on.
#[derive(Clone, Copy, Debug)]
pub(super) struct CorrectionKeys {
    /// Below [`SIZE`], by kind.
    keys: [u16; KINDS],
    side: Color,
    /// The place of the last two moves, if neither is a null move.
    moves: Option<usize>,
}

impl CorrectionKeys {
    /// The keys of a position after the moves one and two plies before.
    #[inline(always)]
    pub(super) fn new(position: &Position, earlier: [Option<PieceTo>; 2]) -> Self {
        let both = |kind| [Color::White, Color::Black].map(|color| position.pieces(color, kind));
        let [pawns, knights, bishops, rooks, queens, kings] = PieceType::ALL.map(both);
        // The rotations tell pieces of different kinds on the same square apart.
        let minors = |side: usize| knights[side].0 ^ bishops[side].0.rotate_left(23);
        let pieces = |side: usize| {
            let majors = rooks[side].0.rotate_left(41) ^ queens[side].0.rotate_left(11);
            hash(minors(side) ^ majors, kings[side].0)
        };
        Self {
            keys: [
                hash(pawns[0].0, pawns[1].0),
                pieces(0),
                pieces(1),
                hash(
                    minors(0) ^ kings[0].0.rotate_left(41),
                    minors(1) ^ kings[1].0.rotate_left(41),
                ),
            ],
            side: position.side_to_move(),
            moves: match earlier {
                [Some(one), Some(two)] => Some(two.index() * PieceTo::COUNT + one.index()),
                _ => None,
            },
        }
    }

    /// The hash of the pawns, below [`PAWNS`].
    #[inline(always)]
    pub(super) fn pawns(&self) -> usize {
        usize::from(self.keys[0]) % PAWNS
    }

    #[inline(always)]
    fn places(&self) -> [usize; KINDS] {
        std::array::from_fn(|kind| {
            (kind * Color::COUNT + self.side.index()) * SIZE + usize::from(self.keys[kind])
        })
    }
}

impl Corrections {
    pub(in crate::search) fn new() -> Self {
        Self {
            tables: vec![0; KINDS * Color::COUNT * SIZE].into(),
            continuation: vec![0; PieceTo::COUNT * PieceTo::COUNT].into(),
        }
    }

    /// The correction to a static evaluation, in centipawns, as far as enabled by the features.
    #[inline(always)]
    pub(super) fn of(
        &self,
        keys: &CorrectionKeys,
        features: Features,
        weights: &Parameters,
    ) -> i32 {
        let [pawns, white, black, minors] =
            keys.places().map(|place| i32::from(self.tables[place]));
        let mut sum = 0;
        if features.correction_history {
            sum += weights.pawn_correction() * pawns;
            sum += weights.piece_correction() * (white + black);
        }
        if features.minor_correction {
            sum += weights.minor_correction() * minors;
        }
        if features.continuation_correction
            && let Some(place) = keys.moves
        {
            sum += weights.move_correction() * i32::from(self.continuation[place]);
        }
        // Weights are in 128ths.
        sum / (128 * GRAIN)
    }

    /// Updates the tables: a search of `depth` plies found the evaluation `error` centipawns too
    /// low.
    pub(super) fn update(&mut self, keys: &CorrectionKeys, error: i32, depth: Depth) {
        // The result of a deeper search counts more.
        let bonus = (2 * error * depth).clamp(-LARGEST, LARGEST);
        for place in keys.places() {
            add_bonus(&mut self.tables[place], bonus);
        }
        if let Some(place) = keys.moves {
            add_bonus(&mut self.continuation[place], bonus);
        }
    }
}

/// Hashes two sets into a number below [`SIZE`].
#[inline(always)]
#[expect(
    clippy::cast_possible_truncation,
    reason = "the upper bits are the hash"
)]
fn hash(one: u64, other: u64) -> u16 {
    // Multiplicative hashing (Knuth): the upper bits of a product depend on all bits of the factor.
    let mixed = one.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ other.wrapping_mul(0xb5ad_4ece_da1c_e2a9).rotate_left(31);
    (mixed.wrapping_mul(0xda3e_39cb_94b9_5bdb) >> (64 - SIZE.trailing_zeros())) as u16
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_constant_error_is_corrected() {
        let mut corrections = Corrections::new();
        let position = Position::startpos();
        let moves = [position.legal_moves()[3], position.legal_moves()[4]];
        let earlier = moves.map(|m| Some(PieceTo::from_position(&position, m)));
        let keys = CorrectionKeys::new(&position, earlier);
        let of = |corrections: &Corrections, keys| {
            corrections.of(keys, Features::TOUCHSTONE, &Parameters::DEFAULT)
        };
        assert_eq!(of(&corrections, &keys), 0);
        for _ in 0..200 {
            let rest = 40 - of(&corrections, &keys);
            corrections.update(&keys, rest, 8);
        }
        assert!((30..=50).contains(&of(&corrections, &keys)));
        assert_eq!(
            corrections.of(&keys, Features::NONE, &Parameters::DEFAULT),
            0
        );
        let other = position.play_unchecked(position.legal_moves()[0]);
        let other = CorrectionKeys::new(&other, [None; 2]);
        assert!(of(&corrections, &other).abs() < 40);
    }
}
