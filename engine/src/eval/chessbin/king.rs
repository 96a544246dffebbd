//! The king: its mobility, moving and castling.

use super::{Sink, Term};
use crate::eval::Phased;
use chess::rules::{CastlingSide, Color, File, PieceType, Position, Rank, attacks};

/// A king with fewer than two moves is close to being mated.
const FEW_MOVES: Phased = Phased::both(-5);
/// A king that has lost its castling rights without castling.
const MOVED: Phased = Phased::new(-30, 0);
/// A king that has castled. The articles say that this counts less in the end game; there it would
/// depend on the king's square alone and would tie the king to its corner.
const CASTLED: Phased = Phased::new(40, 0);

/// Adds the term for the number of king moves.
#[inline(always)]
pub(super) fn value_moves(color: Color, moves: u32, sink: &mut impl Sink) {
    if moves < 2 {
        sink.add(Term::KingMoves, color, FEW_MOVES);
    }
}

/// Adds the terms for castling rights and for having castled.
#[inline(always)]
pub(super) fn value(position: &Position, color: Color, sink: &mut impl Sink) {
    if position
        .castling_rooks()
        .intersects(position.by_color(color))
    {
        return;
    }
    if stands_as_castled(position, color) {
        sink.add(Term::Castled, color, CASTLED);
    } else {
        sink.add(Term::KingMoved, color, MOVED);
    }
}

/// Whether a king without castling rights stands where castling leads: on its first rank, on one of
/// the files g and h, or a to c, with no rook of its own trapped between it and the edge.
#[inline(always)]
fn stands_as_castled(position: &Position, color: Color) -> bool {
    let king = position.king(color);
    let side = match king.file() {
        File::A | File::B | File::C => CastlingSide::Queen,
        File::D | File::E | File::F => return false,
        File::G | File::H => CastlingSide::King,
    };
    let corner = side.standard_rook(color);
    let beyond = attacks::between(king, corner) | corner.bitboard();
    king.rank() == Rank::R1.relative_to(color)
        && !beyond.intersects(position.pieces(color, PieceType::Rook))
}
