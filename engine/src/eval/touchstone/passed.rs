//! Passed pawns.

use super::geometry::{ahead, aside, distance, rank};
use super::layout::Term;
use super::sink::Sink;
use super::view::View;
use chess::rules::attacks::Sliders;
use chess::rules::{Bitboard, Color, PieceType, Square};

/// Adds the terms of the passed pawns of one side.
#[inline(always)]
pub(super) fn value<S: Sliders>(
    view: &View,
    passed: Bitboard,
    color: Color,
    sliders: S,
    sink: &mut impl Sink,
) {
    for square in passed {
        value_way(view, square, color, sink);
        value_kings(view, square, color, sink);
        value_rooks(view, square, color, sliders, sink);
    }
}

/// Adds the terms for blockers and attacks on the pawn's path.
#[inline(always)]
fn value_way(view: &View, square: Square, color: Color, sink: &mut impl Sink) {
    let (own, enemy) = (&view.sides[color], &view.sides[!color]);
    let pawn = square.bitboard();
    let way = ahead(pawn, color);
    let step = pawn.forward(color);
    let index = rank(square, color) - 1;
    let enemies = view.position.by_color(!color);
    let hostile = enemies | enemy.all_attacks;
    let supported = own.pawn_attacks() | aside(own.pawns);
    sink.add(Term::Passed, index, color, 1);
    for (term, holds) in [
        (Term::PassedSupported, supported.intersects(pawn)),
        (Term::PassedBlocked, enemies.intersects(step)),
        (Term::PassedSafeStep, !hostile.intersects(step)),
        (Term::PassedFree, !hostile.intersects(way)),
    ] {
        sink.add(term, index, color, u32::from(holds));
    }
    if can_run(view, square, way, color) {
        sink.add(Term::PassedUnstoppable, 0, color, 1);
    }
}

/// Whether the enemy has only king and pawns, and the king is outside the square of the pawn.
#[inline(always)]
fn can_run(view: &View, square: Square, way: Bitboard, color: Color) -> bool {
    let enemy = &view.sides[!color];
    let helpers = view.position.by_color(!color) & !enemy.pawns;
    if helpers.has_several() || way.intersects(view.occupied) {
        return false;
    }
    let steps = (7 - rank(square, color)).min(5);
    let waits = usize::from(view.position.side_to_move() != color);
    let goal = way & Bitboard(0xff00_0000_0000_00ff);
    goal.first()
        .is_some_and(|goal| distance(enemy.king, goal) > steps + waits)
}

/// Adds the distances of the kings from the stop square.
#[inline(always)]
fn value_kings(view: &View, square: Square, color: Color, sink: &mut impl Sink) {
    let near = if rank(square, color) >= 4 { 8 } else { 0 };
    let Some(step) = square.bitboard().forward(color).first() else {
        return;
    };
    for (term, side) in [
        (Term::PassedOwnKing, color),
        (Term::PassedEnemyKing, !color),
    ] {
        let index = near + distance(view.sides[side].king, step);
        sink.add(term, index, color, 1);
    }
}

/// Adds the rooks behind the pawn that see it.
#[inline(always)]
fn value_rooks<S: Sliders>(
    view: &View,
    square: Square,
    color: Color,
    sliders: S,
    sink: &mut impl Sink,
) {
    let behind = ahead(square.bitboard(), !color);
    let rooks = view.position.by_type(PieceType::Rook) & behind;
    if rooks.is_empty() {
        return;
    }
    let seen = rooks & sliders.rook(square, view.occupied);
    for (index, side) in [(0, color), (1, !color)] {
        let count = (seen & view.position.by_color(side)).count();
        sink.add(Term::PassedRook, index, color, count);
    }
}
