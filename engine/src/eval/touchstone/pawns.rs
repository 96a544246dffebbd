//! Pawn structure: isolated, doubled, backward, supported, phalanx, candidates.
//!
//! The ideas are those of the chessprogramming wiki's page on pawn structure; all but candidates
//! are computed set-wise.

use super::geometry::{ahead, aside, files, rank};
use super::layout::Term;
use super::sink::Sink;
use super::view::View;
use super::{pieces, shelter};
use chess::rules::{Bitboard, ByColor, Color, PieceType};

/// Pawn structure data of one side used by other terms.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Structure {
    /// The passed pawns; on each file only the foremost.
    pub(super) passed: Bitboard,
    /// Number of the three files in front of the king without own pawns.
    pub(super) open_files: u32,
}

/// Adds all terms that depend on pawns and kings only.
#[inline(always)]
pub(super) fn value(view: &View, sink: &mut impl Sink) -> ByColor<Structure> {
    let [white, black] = Color::ALL;
    ByColor([value_side(view, white, sink), value_side(view, black, sink)])
}

#[inline(always)]
fn value_side(view: &View, color: Color, sink: &mut impl Sink) -> Structure {
    pieces::value_standing(view, color, PieceType::Pawn, sink);
    pieces::value_standing(view, color, PieceType::King, sink);
    value_pawns(view, color, sink);
    Structure {
        passed: passed(view, color),
        open_files: shelter::value(view, color, sink),
    }
}

#[inline(always)]
fn value_pawns(view: &View, color: Color, sink: &mut impl Sink) {
    let pawns = view.sides[color].pawns;
    let enemies = view.sides[!color].pawns;
    let opposed = ahead(enemies, !color);
    let isolated = pawns & !aside(files(pawns));
    let backward = backward(view, color) & !isolated;
    for (term, set) in [(Term::Isolated, isolated), (Term::Backward, backward)] {
        sink.add(term, 0, color, (set & opposed).count());
        sink.add(term, 1, color, (set & !opposed).count());
    }
    let doubled = pawns & ahead(pawns, !color);
    sink.add(Term::Doubled, 0, color, doubled.count());
    let supported = pawns & view.sides[color].attacks[PieceType::Pawn];
    by_rank(Term::Supported, supported, color, sink);
    by_rank(Term::Phalanx, pawns & aside(pawns), color, sink);
    let guarded = view.sides[!color].pawn_span;
    for square in pawns & guarded & !opposed & !doubled {
        let guards = enemies & aside(ahead(square.bitboard(), color));
        let behind = square.bitboard() | ahead(square.bitboard(), !color);
        if (pawns & aside(behind)).count() >= guards.count() {
            sink.add(Term::Candidates, rank(square, color) - 1, color, 1);
        }
    }
}

#[inline(always)]
fn passed(view: &View, color: Color) -> Bitboard {
    let (own, enemy) = (&view.sides[color], &view.sides[!color]);
    let stopped = ahead(enemy.pawns, !color) | enemy.pawn_span;
    own.pawns & !stopped & !ahead(own.pawns, !color)
}

/// Pawns with no own pawn beside or behind on adjacent files, whose stop square is attacked by an
/// enemy pawn.
#[inline(always)]
fn backward(view: &View, color: Color) -> Bitboard {
    let pawns = view.sides[color].pawns;
    let accompanied = aside(pawns | ahead(pawns, color));
    let met = view.sides[!color].pawn_attacks().forward(!color);
    pawns & !accompanied & met
}

#[inline(always)]
fn by_rank(term: Term, set: Bitboard, color: Color, sink: &mut impl Sink) {
    for square in set {
        sink.add(term, rank(square, color) - 1, color, 1);
    }
}
