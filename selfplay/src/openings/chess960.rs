//! The start positions of Chess960, in Scharnagl's numbering, and pairs of them.
//!
//! Source: FIDE Laws of Chess, guidelines II; Scharnagl, "Fischer-Random-Schach (FRC/Chess960)",
//! 2004. Position 518 is the start position of standard chess.

use chess::rules::{Bitboard, Color, Piece, PieceType, Position, Setup};

use super::start::Start;
use crate::model::Opening;

/// Number of start positions in Chess960.
pub const POSITIONS: u64 = 960;
/// Number of start positions in double Chess960, in which each side has its own back rank.
pub const DOUBLE_POSITIONS: u64 = POSITIONS * POSITIONS;

/// The squares of the two knights among the five still free, by number.
const KNIGHTS: [(usize, usize); 10] = [
    (0, 1),
    (0, 2),
    (0, 3),
    (0, 4),
    (1, 2),
    (1, 3),
    (1, 4),
    (2, 3),
    (2, 4),
    (3, 4),
];

/// The back rank with a number, from the a-file to the h-file.
///
/// # Panics
///
/// If the number is not below [`POSITIONS`].
pub fn back_rank(number: u64) -> [PieceType; 8] {
    assert!(
        number < POSITIONS,
        "position {number} of Chess960, which has {POSITIONS}"
    );
    let number = usize::try_from(number).expect("below 960");
    let mut rank = [None; 8];
    // The light squares of the first rank are on the b-, d-, f- and h-file.
    rank[number % 4 * 2 + 1] = Some(PieceType::Bishop);
    rank[number / 4 % 4 * 2] = Some(PieceType::Bishop);
    put_on_free(&mut rank, number / 16 % 6, PieceType::Queen);
    let (one, other) = KNIGHTS[number / 96];
    // The farther knight first, so that it does not shift the index of the nearer one.
    put_on_free(&mut rank, other, PieceType::Knight);
    put_on_free(&mut rank, one, PieceType::Knight);
    for kind in [PieceType::Rook, PieceType::King, PieceType::Rook] {
        put_on_free(&mut rank, 0, kind);
    }
    rank.map(|kind| kind.expect("eight pieces fill eight files"))
}

fn put_on_free(rank: &mut [Option<PieceType>; 8], index: usize, kind: PieceType) {
    let mut free = rank.iter_mut().filter(|file| file.is_none());
    *free.nth(index).expect("so many files are free") = Some(kind);
}

/// The start position with White's and Black's back ranks of these numbers.
///
/// # Panics
///
/// If a number is not below [`POSITIONS`].
pub fn position(white: u64, black: u64) -> Position {
    let mut setup = Setup::empty();
    for (color, number, back, pawns) in [(Color::White, white, 0, 8), (Color::Black, black, 56, 48)]
    {
        for (file, kind) in back_rank(number).into_iter().enumerate() {
            setup.board[back + file] = Some(Piece::new(color, kind));
            setup.board[pawns + file] = Some(Piece::new(color, PieceType::Pawn));
            if kind == PieceType::Rook {
                setup.castling_rooks |= Bitboard(1 << (back + file));
            }
        }
    }
    Position::from_setup(setup).expect("a first position of Chess960 is legal")
}

/// The opening with this Chess960 number.
pub(super) fn opening(number: u64) -> Opening {
    start(number, number).into_opening(format!("Chess960 position {number}"), true)
}

/// The opening with a number below [`DOUBLE_POSITIONS`]: White's number times 960, plus Black's.
pub(super) fn double_opening(number: u64) -> Opening {
    let (white, black) = (number / POSITIONS, number % POSITIONS);
    let label = format!("Chess960 positions {white} and {black}");
    start(white, black).into_opening(label, true)
}

fn start(white: u64, black: u64) -> Start {
    Start {
        label: None,
        position: position(white, black),
        moves: Vec::new(),
        needs_chess960: true,
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    fn letters(number: u64) -> String {
        back_rank(number)
            .iter()
            .map(|kind| kind.to_char())
            .collect()
    }

    #[test]
    fn known_numbers() {
        let rows = [
            (0, "BBQNNRKR"),
            (1, "BQNBNRKR"),
            (518, "RNBQKBNR"),
            (534, "RNBKQBNR"),
            (959, "RKRNNQBB"),
        ];
        for (number, expected) in rows {
            assert_eq!(letters(number), expected, "{number}");
        }
        assert_eq!(position(518, 518), Position::startpos());
    }

    #[test]
    fn all_960_are_different_and_keep_the_rules() {
        let all: BTreeSet<String> = (0..POSITIONS).map(letters).collect();
        assert_eq!(all.len(), 960);
        for rank in &all {
            let places = |kind| {
                rank.match_indices(kind)
                    .map(|(file, _)| file)
                    .collect::<Vec<_>>()
            };
            let (bishops, rooks, king) = (places("B"), places("R"), places("K"));
            assert_eq!(
                (places("N").len(), places("Q").len(), king.len()),
                (2, 1, 1),
                "{rank}"
            );
            assert_eq!(bishops[0] % 2 + bishops[1] % 2, 1, "{rank}");
            assert!(rooks[0] < king[0] && king[0] < rooks[1], "{rank}");
        }
    }

    #[test]
    fn the_numbering_is_its_own_inverse() {
        // The number computed from the rank, as the sources define it.
        for number in 0..POSITIONS {
            let rank = back_rank(number);
            let file_of =
                |kind, parity| (0..8).find(|&file| rank[file] == kind && file % 2 == parity);
            let light = file_of(PieceType::Bishop, 1).expect("a bishop on light squares") / 2;
            let dark = file_of(PieceType::Bishop, 0).expect("a bishop on dark squares") / 2;
            let others: Vec<_> = rank
                .iter()
                .filter(|&&kind| kind != PieceType::Bishop)
                .collect();
            let queen = others
                .iter()
                .position(|&&kind| kind == PieceType::Queen)
                .expect("a queen");
            let five: Vec<_> = others
                .iter()
                .filter(|&&&kind| kind != PieceType::Queen)
                .collect();
            let knights: Vec<_> = (0..5)
                .filter(|&file| **five[file] == PieceType::Knight)
                .collect();
            let code = KNIGHTS
                .iter()
                .position(|&known| vec![known.0, known.1] == knights);
            let code = code.expect("two knights");
            assert_eq!(
                light + 4 * dark + 16 * queen + 96 * code,
                usize::try_from(number).expect("small")
            );
        }
    }

    #[test]
    fn both_sides_of_a_double_opening_can_castle() {
        let opening = double_opening(518 * POSITIONS);
        assert_eq!(
            opening.fen,
            "bbqnnrkr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
        );
        assert_eq!(opening.label, "Chess960 positions 518 and 0");
        assert!(opening.chess960);
    }
}
