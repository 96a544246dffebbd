//! The structure of pawns: isolated, doubled, backward, supported, side by side, candidates.
//!
//! The ideas are those of the chessprogramming wiki's page on pawn structure; all is found set by
//! set but for candidates.

use super::geometry::{ahead, aside, files, rank};
use super::layout::Term;
use super::sink::Sink;
use super::view::View;
use crate::rules::{Bitboard, Color, PieceType};

/// Hands over the terms of one side's pawns.
#[inline(always)]
pub(super) fn value(view: &View, color: Color, sink: &mut impl Sink) {
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

/// The foremost pawns of their files that no enemy pawn can stop or capture on their way.
#[inline(always)]
pub(super) fn passed(view: &View, color: Color) -> Bitboard {
    let (own, enemy) = (&view.sides[color], &view.sides[!color]);
    let stopped = ahead(enemy.pawns, !color) | enemy.pawn_span;
    own.pawns & !stopped & !ahead(own.pawns, !color)
}

/// The pawns with no own pawn level with them or behind on adjacent files, that a pawn would
/// capture after a step.
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
