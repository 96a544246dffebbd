//! Attacks of kings, knights and pawns: look-up tables computed at compile time.

use crate::rules::{Bitboard, Color, Square};

const KING_STEPS: [(i32, i32); 8] = [
    (-1, -1),
    (0, -1),
    (1, -1),
    (-1, 0),
    (1, 0),
    (-1, 1),
    (0, 1),
    (1, 1),
];
const KNIGHT_STEPS: [(i32, i32); 8] = [
    (-1, -2),
    (1, -2),
    (-2, -1),
    (2, -1),
    (-2, 1),
    (2, 1),
    (-1, 2),
    (1, 2),
];

static KING: [Bitboard; Square::COUNT] = table(&KING_STEPS);
static KNIGHT: [Bitboard; Square::COUNT] = table(&KNIGHT_STEPS);
static PAWN: [[Bitboard; Square::COUNT]; Color::COUNT] =
    [table(&[(-1, 1), (1, 1)]), table(&[(-1, -1), (1, -1)])];

const fn table(steps: &[(i32, i32)]) -> [Bitboard; Square::COUNT] {
    let mut table = [Bitboard::EMPTY; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let mut step = 0;
        while step < steps.len() {
            if let Some(target) = Square::ALL[index].offset(steps[step].0, steps[step].1) {
                table[index].0 |= target.bitboard().0;
            }
            step += 1;
        }
        index += 1;
    }
    table
}

/// The squares a king on `square` attacks.
#[inline(always)]
pub fn king(square: Square) -> Bitboard {
    KING[square.index()]
}

/// The squares a knight on `square` attacks.
#[inline(always)]
pub fn knight(square: Square) -> Bitboard {
    KNIGHT[square.index()]
}

/// The squares a pawn of `color` on `square` attacks.
#[inline(always)]
pub fn pawn(color: Color, square: Square) -> Bitboard {
    PAWN[color.index()][square.index()]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_of_known_squares() {
        assert_eq!(king(Square::A1).count(), 3);
        assert_eq!(king(Square::E4).count(), 8);
        assert_eq!(knight(Square::B1).count(), 3);
        assert_eq!(knight(Square::E4).count(), 8);
        assert_eq!(pawn(Color::White, Square::A2), Square::B3.bitboard());
        assert_eq!(pawn(Color::Black, Square::A1), Bitboard::EMPTY);
    }

    #[test]
    fn pawn_attacks_agree_with_the_set_wise_shift() {
        for color in Color::ALL {
            for square in Square::ALL {
                assert_eq!(pawn(color, square), square.bitboard().pawn_attacks(color));
            }
        }
    }
}
