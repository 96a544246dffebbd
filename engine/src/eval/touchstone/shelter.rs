//! The pawns before a king: its own that shelter it, the enemy's that storm it.
//!
//! Both by file and rank, as in the chessprogramming wiki's page on king safety.

use super::geometry::{as_seen_by, from_edge};
use super::layout::Term;
use super::sink::Sink;
use super::view::View;
use chess::rules::{Bitboard, Color, File};

/// Hands over shelter and storm on the king's file and those beside it, at the edge the next one
/// too; yields how many of the three have no own pawn.
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

/// The lowest rank that holds a square of the set, from 0.
#[inline(always)]
fn lowest_rank(set: Bitboard) -> Option<usize> {
    (!set.is_empty()).then(|| set.0.trailing_zeros() as usize >> 3)
}
