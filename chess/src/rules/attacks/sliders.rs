//! Sliding attacks by subtraction, on any CPU.

use crate::rules::{Bitboard, File, Rank, Square};

/// An implementation of the attacks of sliding pieces.
///
/// The generators take it as a type parameter, so that the choice is made once and not on each
/// look-up.
pub trait Sliders: Copy {
    /// The squares a rook attacks, up to and including the first occupied one on each line.
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard;
    /// The squares a bishop attacks, up to and including the first occupied one on each line.
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard;
}

/// The thesis's `o ^ (o - 2s)` (section 3.4), computed for both directions of a line.
///
/// With `o` the occupied squares of a line and `s` the slider, the subtraction borrows through the
/// empty squares above the slider up to the first piece. Reversing the line gives the other
/// direction: a byte swap suffices if each rank holds at most one square of the line.
#[derive(Clone, Copy, Debug)]
pub struct Subtraction;

impl Sliders for Subtraction {
    #[inline(always)]
    fn rook(self, square: Square, occupied: Bitboard) -> Bitboard {
        let masks = &MASKS[square.index()];
        Bitboard(
            both_ways(square, occupied.0 & masks.file, u64::swap_bytes) & masks.file
                | both_ways(square, occupied.0 & masks.rank, u64::reverse_bits) & masks.rank,
        )
    }

    #[inline(always)]
    fn bishop(self, square: Square, occupied: Bitboard) -> Bitboard {
        let masks = &MASKS[square.index()];
        Bitboard(
            both_ways(square, occupied.0 & masks.diagonal, u64::swap_bytes) & masks.diagonal
                | both_ways(square, occupied.0 & masks.anti_diagonal, u64::swap_bytes)
                    & masks.anti_diagonal,
        )
    }
}

#[inline(always)]
fn both_ways(square: Square, line: u64, turn: impl Fn(u64) -> u64) -> u64 {
    let slider = square.bitboard().0;
    let up = line.wrapping_sub(slider << 1);
    let down = turn(turn(line).wrapping_sub(turn(slider) << 1));
    up ^ down
}

/// The four lines through a square, without the square itself.
#[derive(Clone, Copy)]
struct Masks {
    file: u64,
    rank: u64,
    diagonal: u64,
    anti_diagonal: u64,
}

static MASKS: [Masks; Square::COUNT] = masks();

const fn masks() -> [Masks; Square::COUNT] {
    let mut table = [Masks {
        file: 0,
        rank: 0,
        diagonal: 0,
        anti_diagonal: 0,
    }; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let square = Square::ALL[index];
        let file = File::bitboard(square.file()).0;
        let rank = Rank::bitboard(square.rank()).0;
        let own = square.bitboard().0;
        table[index] = Masks {
            file: file & !own,
            rank: rank & !own,
            diagonal: diagonal(square, 1),
            anti_diagonal: diagonal(square, -1),
        };
        index += 1;
    }
    table
}

const fn diagonal(square: Square, slope: i32) -> u64 {
    let mut set = 0;
    let mut step = 1;
    while step < 8 {
        if let Some(target) = square.offset(step, step * slope) {
            set |= target.bitboard().0;
        }
        if let Some(target) = square.offset(-step, -step * slope) {
            set |= target.bitboard().0;
        }
        step += 1;
    }
    set
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(square: Square, occupied: Bitboard, steps: [(i32, i32); 4]) -> Bitboard {
        let mut attacks = Bitboard::EMPTY;
        for (files, ranks) in steps {
            let mut at = square;
            while let Some(next) = at.offset(files, ranks) {
                attacks |= next.bitboard();
                if occupied.contains(next) {
                    break;
                }
                at = next;
            }
        }
        attacks
    }

    #[test]
    fn agrees_with_walking_the_rays() {
        let mut state = 0x9e37_79b9_7f4a_7c15_u64;
        for _ in 0..2000 {
            state = state
                .wrapping_mul(6_364_136_223_846_793_005)
                .wrapping_add(1);
            let occupied = Bitboard(state & state.rotate_left(23));
            for square in Square::ALL {
                let straight = walk(square, occupied, [(1, 0), (-1, 0), (0, 1), (0, -1)]);
                let diagonal = walk(square, occupied, [(1, 1), (-1, 1), (1, -1), (-1, -1)]);
                assert_eq!(Subtraction.rook(square, occupied), straight);
                assert_eq!(Subtraction.bishop(square, occupied), diagonal);
            }
        }
    }
}
