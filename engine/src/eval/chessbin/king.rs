//! The king: whether it can move, has moved, has castled.

use super::{Sink, Term};
use crate::eval::Phased;
use chess::rules::{CastlingSide, Color, File, PieceType, Position, Rank, attacks};

/// A king that cannot choose between two moves is close to a mate.
const FEW_MOVES: Phased = Phased::both(-5);
/// A king that may no longer castle, and has not.
const MOVED: Phased = Phased::new(-30, 0);
/// A king that has castled. The articles say that this counts less in the end game; there, the
/// place of a king would be all that is left of it, and would tie the king to its corner.
const CASTLED: Phased = Phased::new(40, 0);

/// Hands over what the number of the king's moves is worth.
#[inline(always)]
pub(super) fn value_moves(color: Color, moves: u32, sink: &mut impl Sink) {
    if moves < 2 {
        sink.add(Term::KingMoves, color, FEW_MOVES);
    }
}

/// Hands over what is left of the right to castle, or has come of it.
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

/// Whether a king without the right to castle stands where castling leads: on its first rank, on
/// one of the files g and h, or a to c, with no rook of its own shut in between it and the edge.
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
