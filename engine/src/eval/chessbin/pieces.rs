//! Piece values, placement, and bonuses for single kinds.

use super::{Actions, ChessBin, Sink, Term, tables};
use crate::eval::Phased;
use chess::rules::{Color, PieceType, Position, Rank};

/// Knights have difficulty mating, so they are worth less when few pieces are left.
const KNIGHT: Phased = Phased::new(0, -10);
/// Bishops are worth more in the end game.
const BISHOP: Phased = Phased::new(0, 10);
/// For each bishop beyond the first.
const BISHOP_PAIR: Phased = Phased::both(10);
/// For a rook that can no longer castle while the other one can.
const ROOK_MOVED: Phased = Phased::both(-10);
/// For a queen that has left the first rank.
const QUEEN_MOVED: Phased = Phased::new(-10, 0);
/// Penalty for each point by which attacks exceed defences.
const HANGING: i32 = -10;

/// Adds all terms of one side that do not belong to pawns or king alone.
#[inline(always)]
pub(super) fn value(position: &Position, color: Color, actions: &Actions, sink: &mut impl Sink) {
    for kind in PieceType::ALL {
        let pieces = position.pieces(color, kind);
        if kind != PieceType::King {
            let material = ChessBin::piece_value(kind) * pieces.count().cast_signed();
            sink.add(Term::Material, color, Phased::both(material));
        }
        for square in pieces {
            sink.add(Term::Tables, color, tables::value(kind, color, square));
        }
    }
    value_kinds(position, color, sink);
    value_actions(position, color, actions, sink);
}

/// The terms of the articles for single kinds of pieces.
#[inline(always)]
fn value_kinds(position: &Position, color: Color, sink: &mut impl Sink) {
    let pieces = |kind| position.pieces(color, kind);
    let count = |kind| pieces(kind).count();
    let bishops = count(PieceType::Bishop);
    let castling_rooks = position.castling_rooks() & position.by_color(color);
    let moved_rooks = if castling_rooks.is_empty() {
        0
    } else {
        (pieces(PieceType::Rook) & !castling_rooks).count()
    };
    let first_rank = Rank::R1.relative_to(color).bitboard();
    let moved_queens = (pieces(PieceType::Queen) & !first_rank).count();
    for (term, value, count) in [
        (Term::Knights, KNIGHT, count(PieceType::Knight)),
        (Term::Bishops, BISHOP, bishops),
        (Term::BishopPair, BISHOP_PAIR, bishops.saturating_sub(1)),
        (Term::Rooks, ROOK_MOVED, moved_rooks),
        (Term::Queens, QUEEN_MOVED, moved_queens),
    ] {
        sink.add(term, color, value.times(count));
    }
}

/// Bonuses for defended pieces, penalties for attacked ones, and additional penalties for hanging
/// ones, whose attackers outweigh their defenders.
#[inline(always)]
fn value_actions(position: &Position, color: Color, actions: &Actions, sink: &mut impl Sink) {
    let (mut defended_sum, mut attacked_sum, mut excess_sum) = (0, 0, 0);
    for square in position.by_color(color) {
        let (defended, attacked) = (actions.on(square, color), actions.on(square, !color));
        defended_sum += defended;
        attacked_sum += attacked;
        excess_sum += (attacked - defended).max(0);
    }
    sink.add(Term::Defended, color, Phased::both(defended_sum));
    sink.add(Term::Attacked, color, Phased::both(-attacked_sum));
    sink.add(Term::Hanging, color, Phased::both(HANGING * excess_sum));
}
