//! The triangular PV table.

use super::MAX_PLY;
use chess::rules::Move;

/// The principal variation from each ply on. It consists of moves that were searched, so it is
/// legal and ends where the search ended.
pub(super) struct Lines(Box<[Vec<Move>]>);

impl Lines {
    pub(super) fn new() -> Self {
        Self((0..=MAX_PLY).map(|_| Vec::with_capacity(MAX_PLY)).collect())
    }

    /// Clears the PV from `ply` on.
    #[inline(always)]
    pub(super) fn clear(&mut self, ply: usize) {
        self.0[ply].clear();
    }

    /// Sets the PV from `ply` on to `m` followed by the PV of the next ply.
    pub(super) fn set(&mut self, ply: usize, m: Move) {
        let (before, after) = self.0.split_at_mut(ply + 1);
        let line = &mut before[ply];
        line.clear();
        line.push(m);
        line.extend_from_slice(&after[0]);
    }

    /// The PV from `ply` on.
    pub(super) fn get(&self, ply: usize) -> &[Move] {
        &self.0[ply]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::rules::Square;

    #[test]
    fn a_line_is_a_move_and_the_line_below() {
        let (first, second) = (
            Move::new(Square::E2, Square::E4),
            Move::new(Square::E7, Square::E5),
        );
        let mut lines = Lines::new();
        lines.set(1, second);
        lines.set(0, first);
        assert_eq!(lines.get(0), [first, second]);
        lines.clear(1);
        assert_eq!(lines.get(0), [first, second]);
        lines.set(0, second);
        assert_eq!(lines.get(0), [second]);
    }
}
