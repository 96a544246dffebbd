//! Pawn structure: isolated, doubled, backward, supported, phalanx, candidates.
//!
//! The ideas are those of the chessprogramming wiki's page on pawn structure; all but candidates
//! are computed set-wise. Pawn shelter and storm count by file and rank, as on its page on king
//! safety. Passed pawns depend on the pieces too and are not cached.

use chess::rules::attacks::Sliders;
use chess::rules::{Bitboard, ByColor, Color, File, PieceType, Square};

use super::layout::Term;
use super::pieces;
use super::sink::Sink;
use super::view::{View, ahead, as_seen_by, aside, distance, files, from_edge, rank};

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
        open_files: shelter(view, color, sink),
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

/// Adds shelter and storm on the king's file and its neighbours (at the edge, the nearest three
/// files); returns the number of these files without own pawns.
#[inline(always)]
fn shelter(view: &View, color: Color, sink: &mut impl Sink) -> u32 {
    let king = as_seen_by(color, view.sides[color].king.bitboard());
    let from_king_on = !Bitboard(lowest_rank(king).map_or(0, |rank| (1 << (8 * rank)) - 1));
    let own = as_seen_by(color, view.sides[color].pawns) & from_king_on;
    let enemy = as_seen_by(color, view.sides[!color].pawns) & from_king_on;
    let middle = view.sides[color].king.file().index().clamp(1, 6);
    let mut open = 0;
    for file in middle - 1..=middle + 1 {
        let column = Bitboard(File::A.bitboard().0 << file);
        let shelter = lowest_rank(own & column).unwrap_or(0);
        let storm = lowest_rank(enemy & column).unwrap_or(0);
        sink.add(Term::Shelter, from_edge(file) * 8 + shelter, color, 1);
        let stopped = shelter != 0 && shelter + 1 == storm;
        let term = if stopped {
            Term::StoppedStorm
        } else {
            Term::Storm
        };
        sink.add(term, storm, color, 1);
        open += u32::from(shelter == 0);
    }
    open
}

/// The lowest rank of the set, from 0.
#[inline(always)]
fn lowest_rank(set: Bitboard) -> Option<usize> {
    (!set.is_empty()).then(|| set.0.trailing_zeros() as usize >> 3)
}

/// Adds the terms of the passed pawns of one side.
#[inline(always)]
pub(super) fn value_passed<S: Sliders>(
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
