//! Pawn shelter and pawn storm.
//!
//! Both by file and rank, as on the chessprogramming wiki's page on king safety.

use super::geometry::{as_seen_by, from_edge};
use super::layout::Term;
use super::sink::Sink;
use super::view::View;
use chess::rules::{Bitboard, Color, File};

/// Adds shelter and storm on the king's file and its neighbours (at the edge, the nearest three
/// files); returns the number of these files without own pawns.
#[inline(always)]
pub(super) fn value(view: &View, color: Color, sink: &mut impl Sink) -> u32 {
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
