//! Pieces: material, piece-square tables, mobility, and bonuses for knights, bishops and rooks.

use super::layout::Term;
use super::sink::Sink;
use super::view::View;
use super::view::{files, rank, table_index};
use chess::rules::attacks::{self, Sliders};
use chess::rules::{Bitboard, Color, PieceType, Rank, Square};

/// Adds the terms of one side's pieces and records their attacks.
#[inline(always)]
pub(super) fn value<S: Sliders>(view: &mut View, color: Color, sliders: S, sink: &mut impl Sink) {
    let outposts = outposts(view, color);
    for kind in [PieceType::Knight, PieceType::Bishop] {
        value_standing(view, color, kind, sink);
        value_mobility(view, color, kind, sliders, sink);
        value_minors(view, color, kind, outposts, sink);
    }
    value_bishops(view, color, sink);
    value_standing(view, color, PieceType::Rook, sink);
    value_mobility(view, color, PieceType::Rook, sliders, sink);
    value_rooks(view, color, sink);
    value_standing(view, color, PieceType::Queen, sink);
    value_mobility(view, color, PieceType::Queen, sliders, sink);
}

/// Adds material and piece-square values of one kind.
#[inline(always)]
pub(super) fn value_standing(view: &View, color: Color, kind: PieceType, sink: &mut impl Sink) {
    let pieces = view.pieces(color, kind);
    if kind != PieceType::King {
        sink.add(Term::Material, kind.index(), color, pieces.count());
    }
    let term = match kind {
        PieceType::Pawn => Term::PawnSquares,
        PieceType::Knight => Term::KnightSquares,
        PieceType::Bishop => Term::BishopSquares,
        PieceType::Rook => Term::RookSquares,
        PieceType::Queen => Term::QueenSquares,
        PieceType::King => Term::KingSquares,
    };
    for square in pieces {
        sink.add(term, table_index(square, color), color, 1);
    }
}

#[inline(always)]
fn value_mobility<S: Sliders>(
    view: &mut View,
    color: Color,
    kind: PieceType,
    sliders: S,
    sink: &mut impl Sink,
) {
    let area = view.sides[color].mobility_area;
    let occupied = view.occupied;
    for square in view.pieces(color, kind) {
        let (term, targets) = match kind {
            PieceType::Knight => (Term::KnightMobility, attacks::knight(square)),
            PieceType::Bishop => (Term::BishopMobility, sliders.bishop(square, occupied)),
            PieceType::Rook => (Term::RookMobility, sliders.rook(square, occupied)),
            _ => (
                Term::QueenMobility,
                sliders.rook(square, occupied) | sliders.bishop(square, occupied),
            ),
        };
        view.record(color, kind, targets);
        let safe = (targets & area).count();
        sink.add(term, safe as usize, color, 1);
        if kind == PieceType::Rook && safe <= TRAPPED_BELOW && is_shut_in(view, square, color) {
            sink.add(Term::TrappedRook, 0, color, 1);
        }
    }
}

/// A rook with more safe squares than this is not trapped.
const TRAPPED_BELOW: u32 = 3;

/// Whether a rook stands on the first rank between its king and the edge, without castling rights.
#[inline(always)]
fn is_shut_in(view: &View, rook: Square, color: Color) -> bool {
    let king = view.sides[color].king;
    let home = Rank::R1.relative_to(color);
    let may_castle = view
        .position
        .castling_rooks()
        .intersects(view.position.by_color(color));
    let (king_file, rook_file) = (king.file().index(), rook.file().index());
    let outside = if king_file < 4 {
        rook_file < king_file
    } else {
        rook_file > king_file
    };
    king.rank() == home && rook.rank() == home && outside && !may_castle
}

/// The squares from the fourth to the sixth rank that a pawn defends and that no enemy pawn can
/// come to attack.
#[inline(always)]
fn outposts(view: &View, color: Color) -> Bitboard {
    let ranks = match color {
        Color::White => Bitboard(0x0000_ffff_ff00_0000),
        Color::Black => Bitboard(0x0000_00ff_ffff_0000),
    };
    ranks & view.sides[color].pawn_attacks() & !view.sides[!color].pawn_span
}

#[inline(always)]
fn value_minors(
    view: &View,
    color: Color,
    kind: PieceType,
    outposts: Bitboard,
    sink: &mut impl Sink,
) {
    let pieces = view.pieces(color, kind);
    let pawns = view.sides[color].pawns;
    let index = usize::from(kind == PieceType::Bishop);
    sink.add(Term::Outposts, index, color, (pieces & outposts).count());
    let shielded = pieces & pawns.forward(!color);
    sink.add(Term::BehindPawn, 0, color, shielded.count());
    if kind == PieceType::Knight {
        let targets = view.sides[color].attacks[kind] & !view.position.by_color(color);
        sink.add(
            Term::OutpostsInReach,
            0,
            color,
            (targets & outposts).count(),
        );
    }
}

#[inline(always)]
fn value_bishops(view: &View, color: Color, sink: &mut impl Sink) {
    let bishops = view.pieces(color, PieceType::Bishop);
    let pawns = view.sides[color].pawns;
    let (dark, light) = (bishops & Bitboard::DARK, bishops & !Bitboard::DARK);
    let pair = !dark.is_empty() && !light.is_empty();
    sink.add(Term::BishopPair, 0, color, u32::from(pair));
    let hindered = dark.count() * (pawns & Bitboard::DARK).count()
        + light.count() * (pawns & !Bitboard::DARK).count();
    sink.add(Term::BishopPawns, 0, color, hindered);
}

#[inline(always)]
fn value_rooks(view: &View, color: Color, sink: &mut impl Sink) {
    let rooks = view.pieces(color, PieceType::Rook);
    if rooks.is_empty() {
        return;
    }
    let enemy = &view.sides[!color];
    let free = rooks & !files(view.sides[color].pawns);
    let with_enemies = files(enemy.pawns);
    sink.add(Term::RookFiles, 0, color, (free & with_enemies).count());
    sink.add(Term::RookFiles, 1, color, (free & !with_enemies).count());
    let seventh = Rank::R7.relative_to(color).bitboard();
    if enemy.pawns.intersects(seventh) || rank(enemy.king, color) == 7 {
        sink.add(Term::RookOnSeventh, 0, color, (rooks & seventh).count());
    }
}
