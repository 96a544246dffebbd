//! Attack generation for each kind of piece.
//!
//! Leapers use tables computed at compile time. Sliders have two implementations, both always
//! compiled: [`Pext`] uses look-ups on CPUs with BMI2; [`Subtraction`] computes the thesis's
//! `o ^ (o - 2s)` on any CPU. [`rook`] and [`bishop`] choose at run time.

mod sliders;

pub use sliders::{Pext, Sliders, Subtraction};

use super::{Bitboard, Color, Square};

/// The squares a rook on `square` attacks, up to and including the first piece of `occupied` on
/// each line.
pub fn rook(square: Square, occupied: Bitboard) -> Bitboard {
    match Pext::detect() {
        Some(pext) => pext.rook(square, occupied),
        None => Subtraction.rook(square, occupied),
    }
}

/// The squares a bishop on `square` attacks, up to and including the first piece of `occupied` on
/// each line.
pub fn bishop(square: Square, occupied: Bitboard) -> Bitboard {
    match Pext::detect() {
        Some(pext) => pext.bishop(square, occupied),
        None => Subtraction.bishop(square, occupied),
    }
}

/// The directions of a queen, which are the steps of a king: those of a rook first, each followed by
/// its opposite.
pub(crate) const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (-1, 1),
    (1, -1),
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

pub(super) static KING: [Bitboard; Square::COUNT] = table(&DIRECTIONS);
pub(super) static KNIGHT: [Bitboard; Square::COUNT] = table(&KNIGHT_STEPS);
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

type AttackTable = [[Bitboard; Square::COUNT]; Square::COUNT];

static BETWEEN: AttackTable = tables().0;
static LINE: AttackTable = tables().1;

/// The squares from `from` on in one direction, to the edge.
pub(crate) const fn ray(from: Square, (files, ranks): (i32, i32)) -> Bitboard {
    let mut set = 0;
    let mut square = from;
    while let Some(next) = square.offset(files, ranks) {
        set |= next.bitboard().0;
        square = next;
    }
    Bitboard(set)
}

#[expect(clippy::large_stack_arrays, reason = "evaluated at compile time")]
const fn tables() -> (AttackTable, AttackTable) {
    let mut between = [[Bitboard::EMPTY; Square::COUNT]; Square::COUNT];
    let mut line = between;
    let mut index = 0;
    while index < Square::COUNT {
        let from = Square::ALL[index];
        let mut way = 0;
        while way < DIRECTIONS.len() {
            let (files, ranks) = DIRECTIONS[way];
            let whole =
                ray(from, (files, ranks)).0 | ray(from, (-files, -ranks)).0 | from.bitboard().0;
            let mut passed = 0;
            let mut square = from;
            while let Some(next) = square.offset(files, ranks) {
                between[index][next.index()] = Bitboard(passed);
                line[index][next.index()] = Bitboard(whole);
                passed |= next.bitboard().0;
                square = next;
            }
            way += 1;
        }
        index += 1;
    }
    (between, line)
}

/// The squares strictly between two squares on one line; empty if they share no line.
#[inline(always)]
pub fn between(a: Square, b: Square) -> Bitboard {
    BETWEEN[a.index()][b.index()]
}

/// The whole rank, file or diagonal through two different squares, both included; empty if they
/// share no line.
#[inline(always)]
pub fn line(a: Square, b: Square) -> Bitboard {
    LINE[a.index()][b.index()]
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::{File, Rank};

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

    #[test]
    fn known_lines() {
        assert_eq!(
            between(Square::A1, Square::D4),
            Square::B2.bitboard() | Square::C3.bitboard()
        );
        assert_eq!(between(Square::A1, Square::B3), Bitboard::EMPTY);
        assert_eq!(line(Square::B4, Square::G4), Rank::R4.bitboard());
        assert_eq!(line(Square::B4, Square::B5), File::B.bitboard());
        assert_eq!(line(Square::B4, Square::C6), Bitboard::EMPTY);
    }

    #[test]
    fn symmetric() {
        for a in Square::ALL {
            for b in Square::ALL {
                assert_eq!(between(a, b), between(b, a));
                assert_eq!(line(a, b), line(b, a));
            }
        }
    }
}
