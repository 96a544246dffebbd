//! The structure of pawns: isolated, doubled, backward, supported, side by side, candidates.
//!
//! The ideas are those of the chessprogramming wiki's page on pawn structure; all is found set by
//! set but for candidates.

use super::geometry::{ahead, aside, files, rank};
use super::layout::Term;
use super::sink::Sink;
use super::view::View;
use super::{pieces, shelter};
use chess::rules::{Bitboard, ByColor, Color, PieceType};

/// What other terms want to know of the pawns of one side.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Structure {
    /// The foremost pawns of their files that no enemy pawn can stop or capture on their way.
    pub(super) passed: Bitboard,
    /// How many of the three files before the king have no own pawn.
    pub(super) open_files: u32,
}

/// Hands over all terms that depend on nothing but pawns and kings.
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
