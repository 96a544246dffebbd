//! Zobrist keys (Zobrist 1970): one random number per feature, combined by XOR.

use super::{Color, File, Piece, PieceType, Square};

struct Keys {
    pieces: [[[u64; Square::COUNT]; PieceType::COUNT]; Color::COUNT],
    castling_rook: [u64; Square::COUNT],
    ep_file: [u64; File::COUNT],
    black_to_move: u64,
}

static KEYS: Keys = keys();

/// `SplitMix64` (Steele, Lea and Flood 2014): the same numbers on every machine.
const fn split_mix(state: u64) -> (u64, u64) {
    let state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    (state, mixed ^ mixed >> 31)
}

const fn fill<const N: usize>(mut state: u64) -> (u64, [u64; N]) {
    let mut numbers = [0; N];
    let mut index = 0;
    while index < N {
        (state, numbers[index]) = split_mix(state);
        index += 1;
    }
    (state, numbers)
}

const fn keys() -> Keys {
    let mut state = 0x746f_7563_6873_746f; // "touchsto"
    let mut pieces = [[[0; Square::COUNT]; PieceType::COUNT]; Color::COUNT];
    let mut color = 0;
    while color < Color::COUNT {
        let mut kind = 0;
        while kind < PieceType::COUNT {
            (state, pieces[color][kind]) = fill(state);
            kind += 1;
        }
        color += 1;
    }
    let (state, castling_rook) = fill(state);
    let (state, ep_file) = fill(state);
    let (_, black_to_move) = split_mix(state);
    Keys {
        pieces,
        castling_rook,
        ep_file,
        black_to_move,
    }
}

#[inline(always)]
pub(super) const fn piece(piece: Piece, square: Square) -> u64 {
    KEYS.pieces[piece.color.index()][piece.piece_type.index()][square.index()]
}

#[inline(always)]
pub(super) fn castling_rook(square: Square) -> u64 {
    KEYS.castling_rook[square.index()]
}

#[inline(always)]
pub(super) fn ep_file(file: File) -> u64 {
    KEYS.ep_file[file.index()]
}

#[inline(always)]
pub(super) const fn black_to_move() -> u64 {
    KEYS.black_to_move
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_numbers_differ() {
        let mut numbers: Vec<u64> = KEYS.pieces.as_flattened().as_flattened().to_vec();
        numbers.extend(KEYS.castling_rook);
        numbers.extend(KEYS.ep_file);
        numbers.push(KEYS.black_to_move);
        let count = numbers.len();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), count);
    }
}
