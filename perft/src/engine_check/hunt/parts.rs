//! The removable parts of a position.

use chess::notation::fen;
use chess::rules::{Color, Piece, PieceType, Position, Setup, Square};

/// A part of a position that may be removed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    HalfmoveClock,
    FullmoveNumber,
    EpSquare,
    /// The right to castle with the rook on this square.
    CastlingRight(Square),
    Piece(Square),
}

/// Every removable part: all but the kings.
pub(super) fn parts_of(position: &Position) -> Vec<Part> {
    let mut parts = Vec::new();
    if position.halfmove_clock() != 0 {
        parts.push(Part::HalfmoveClock);
    }
    if position.fullmove_number() != 1 {
        parts.push(Part::FullmoveNumber);
    }
    parts.extend(position.ep_square().map(|_| Part::EpSquare));
    parts.extend(
        position
            .castling_rooks()
            .into_iter()
            .map(Part::CastlingRight),
    );
    let pieces = position.occupied() & !position.by_type(PieceType::King);
    parts.extend(pieces.into_iter().map(Part::Piece));
    parts
}

/// The position without some parts and their dependants; `None` if that is not legal.
pub(super) fn without(position: &Position, parts: &[Part]) -> Option<Position> {
    let mut setup = position.to_setup();
    for &part in parts {
        remove(&mut setup, part);
    }
    let smaller = Position::from_setup(setup).ok()?;
    let text = fen::write(&smaller);
    (fen::parse(&text) == Ok(smaller) && smaller != *position).then_some(smaller)
}

fn remove(setup: &mut Setup, part: Part) {
    match part {
        Part::HalfmoveClock => setup.halfmove_clock = 0,
        Part::FullmoveNumber => setup.fullmove_number = 1,
        Part::EpSquare => setup.ep_square = None,
        Part::CastlingRight(rook) => setup.castling_rooks &= !rook.bitboard(),
        Part::Piece(square) => {
            setup.board[square.index()] = None;
            setup.castling_rooks &= !square.bitboard();
            if !has_just_stepped(setup) {
                setup.ep_square = None;
            }
        }
    }
}

/// Whether the pawn that has passed over the en passant square is still there.
fn has_just_stepped(setup: &Setup) -> bool {
    let them = !setup.side_to_move;
    let pawn = Some(Piece::new(them, PieceType::Pawn));
    let in_front = |square: Square| square.offset(0, Color::forward(them));
    setup
        .ep_square
        .and_then(in_front)
        .is_some_and(|square| setup.piece_at(square) == pawn)
}
