//! The five piece-square tables of the article "Piece Square Table", for pawns, knights, bishops
//! and kings. Rooks and queens have none.

use crate::eval::Phased;
use chess::rules::{Color, PieceType, Square};

/// Values in reading order from White's point of view: a8 first, h1 last.
type SquareTable = [i8; Square::COUNT];

/// The piece-square value of a piece.
#[inline(always)]
pub(super) fn value(kind: PieceType, color: Color, square: Square) -> Phased {
    // a8 is 0 in reading order; Black's a1 is White's a8.
    let index = match color {
        Color::White => square.flip_rank().index(),
        Color::Black => square.index(),
    };
    let at = |table: &SquareTable| i32::from(table[index]);
    match kind {
        PieceType::Pawn => Phased::both(at(&PAWN)),
        PieceType::Knight => Phased::both(at(&KNIGHT)),
        PieceType::Bishop => Phased::both(at(&BISHOP)),
        PieceType::Rook | PieceType::Queen => Phased::both(0),
        PieceType::King => Phased::new(at(&KING), at(&KING_END_GAME)),
    }
}

#[rustfmt::skip]
static PAWN: SquareTable = [
      0,   0,   0,   0,   0,   0,   0,   0,
     50,  50,  50,  50,  50,  50,  50,  50,
     10,  10,  20,  30,  30,  20,  10,  10,
      5,   5,  10,  27,  27,  10,   5,   5,
      0,   0,   0,  25,  25,   0,   0,   0,
      5,  -5, -10,   0,   0, -10,  -5,   5,
      5,  10,  10, -25, -25,  10,  10,   5,
      0,   0,   0,   0,   0,   0,   0,   0,
];

#[rustfmt::skip]
static KNIGHT: SquareTable = [
    -50, -40, -30, -30, -30, -30, -40, -50,
    -40, -20,   0,   0,   0,   0, -20, -40,
    -30,   0,  10,  15,  15,  10,   0, -30,
    -30,   5,  15,  20,  20,  15,   5, -30,
    -30,   0,  15,  20,  20,  15,   0, -30,
    -30,   5,  10,  15,  15,  10,   5, -30,
    -40, -20,   0,   5,   5,   0, -20, -40,
    -50, -40, -20, -30, -30, -20, -40, -50,
];

#[rustfmt::skip]
static BISHOP: SquareTable = [
    -20, -10, -10, -10, -10, -10, -10, -20,
    -10,   0,   0,   0,   0,   0,   0, -10,
    -10,   0,   5,  10,  10,   5,   0, -10,
    -10,   5,   5,  10,  10,   5,   5, -10,
    -10,   0,  10,  10,  10,  10,   0, -10,
    -10,  10,  10,  10,  10,  10,  10, -10,
    -10,   5,   0,   0,   0,   0,   5, -10,
    -20, -10, -40, -10, -10, -40, -10, -20,
];

#[rustfmt::skip]
static KING: SquareTable = [
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -30, -40, -40, -50, -50, -40, -40, -30,
    -20, -30, -30, -40, -40, -30, -30, -20,
    -10, -20, -20, -20, -20, -20, -20, -10,
     20,  20,   0,   0,   0,   0,  20,  20,
     20,  30,  10,   0,   0,  10,  30,  20,
];

#[rustfmt::skip]
static KING_END_GAME: SquareTable = [
    -50, -40, -30, -20, -20, -30, -40, -50,
    -30, -20, -10,   0,   0, -10, -20, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  30,  40,  40,  30, -10, -30,
    -30, -10,  20,  30,  30,  20, -10, -30,
    -30, -30,   0,   0,   0,   0, -30, -30,
    -50, -30, -30, -30, -30, -30, -30, -50,
];
