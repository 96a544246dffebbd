//! Mop-up evaluation: drives a lone king to the edge, and the kings together.
//!
//! The idea is that of the chessprogramming wiki's page on mop-up evaluation.

use super::geometry::{distance, from_edge};
use super::layout::Term;
use super::sink::Sink;
use super::view::View;
use chess::rules::{Bitboard, Color, PieceType};

/// Adds the mop-up terms of one side against a lone king.
#[inline(always)]
pub(super) fn value(view: &View, color: Color, sink: &mut impl Sink) {
    let alone = !view.position.by_color(!color).has_several();
    if alone && can_mate(view, color) {
        drive(view, color, sink);
    }
}

fn drive(view: &View, color: Color, sink: &mut impl Sink) {
    let (king, lone) = (view.sides[color].king, view.sides[!color].king);
    let (file, rank) = (lone.file().index(), lone.rank().index());
    let edge = from_edge(file).min(from_edge(rank));
    sink.add(Term::DriveToEdge, edge, color, 1);
    sink.add(Term::DriveKings, distance(king, lone), color, 1);
    let bishops = view.pieces(color, PieceType::Bishop);
    let heavy = view.pieces(color, PieceType::Rook) | view.pieces(color, PieceType::Queen);
    if heavy.is_empty() && !is_mixed(bishops) {
        let dark = bishops.intersects(Bitboard::DARK);
        let corners = Bitboard::CORNERS
            & if dark {
                Bitboard::DARK
            } else {
                !Bitboard::DARK
            };
        let nearest = corners
            .into_iter()
            .map(|corner| distance(lone, corner))
            .min();
        sink.add(Term::DriveToCorner, nearest.unwrap_or(0), color, 1);
    }
}

/// Whether the pieces without pawns can force mate: a rook or queen, bishops of both colours, or
/// bishop and knight.
fn can_mate(view: &View, color: Color) -> bool {
    let pieces = |kind| view.pieces(color, kind);
    let heavy = pieces(PieceType::Rook) | pieces(PieceType::Queen);
    let bishops = pieces(PieceType::Bishop);
    let bishop_and_knight = !bishops.is_empty() && !pieces(PieceType::Knight).is_empty();
    !heavy.is_empty() || is_mixed(bishops) || bishop_and_knight
}

/// Whether the set contains squares of both colours.
pub(super) fn is_mixed(set: Bitboard) -> bool {
    set.intersects(Bitboard::DARK) && set.intersects(!Bitboard::DARK)
}
