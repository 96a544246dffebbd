//! Lines through two squares: the squares between them, and the whole line.

use crate::rules::{Bitboard, Square};

const DIRECTIONS: [(i32, i32); 8] = [
    (1, 0),
    (-1, 0),
    (0, 1),
    (0, -1),
    (1, 1),
    (-1, -1),
    (1, -1),
    (-1, 1),
];

type Table = [[Bitboard; Square::COUNT]; Square::COUNT];

static BETWEEN: Table = tables().0;
static LINE: Table = tables().1;

const fn ray(from: Square, (files, ranks): (i32, i32)) -> Bitboard {
    let mut set = 0;
    let mut square = from;
    while let Some(next) = square.offset(files, ranks) {
        set |= next.bitboard().0;
        square = next;
    }
    Bitboard(set)
}

#[expect(clippy::large_stack_arrays, reason = "evaluated at compile time")]
const fn tables() -> (Table, Table) {
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
