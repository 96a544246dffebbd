//! Incrementally updated accumulators of the feature transformer.
//!
//! Each accumulator is stored with the piece placement it was computed for. For the next position
//! only the pieces that differ are removed and added, so the result depends on that position alone,
//! whatever lies between the two. When a king enters another perspective, the accumulator last
//! computed from there is the base, of whatever position it was.

use arrayvec::ArrayVec;

use super::layout::{KingBuckets, Perspective};
use super::weights::{WeightRow, Weights};
use chess::rules::{Bitboard, Color, Piece, PieceType, Position, Square};

/// Accumulators, one per ply: the last computed there.
#[derive(Clone, Debug)]
pub(crate) struct Accumulators {
    /// The fingerprint of the network they belong to.
    of: Option<u64>,
    slots: Box<[AccumulatorSlot]>,
    /// By [`Perspective::index`], for when a perspective changes ("Finny tables").
    last: Vec<Last>,
}

/// The accumulator last refreshed in a perspective.
#[derive(Clone, Copy, Debug)]
struct Last {
    sums: WeightRow,
    pieces: Pieces,
}

#[derive(Clone, Copy, Debug)]
struct AccumulatorSlot {
    /// The accumulators of White and Black, before activation.
    sums: [WeightRow; 2],
    pieces: Pieces,
    views: [Perspective; 2],
}

/// Piece placement by colour and kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Pieces([[Bitboard; 6]; 2]);

/// Pieces to remove and to add.
#[derive(Default)]
struct PieceChanges {
    off: ArrayVec<(Piece, Square), 32>,
    on: ArrayVec<(Piece, Square), 32>,
}

/// Number of separate plies; deeper ones share the last.
const PLIES: usize = 160;
/// With at most this many changes from the previous ply, no better base is searched for.
// No move changes more: castling takes up and puts down two pieces.
const FEW: u32 = 4;

impl Accumulators {
    pub(crate) fn new() -> Self {
        let empty = AccumulatorSlot {
            sums: [WeightRow([0; _]); 2],
            pieces: Pieces::NONE,
            views: Color::ALL.map(|color| Perspective::new(color, Square::A1, &KingBuckets::ONE)),
        };
        Self {
            of: None,
            slots: vec![empty; PLIES].into(),
            last: Vec::new(),
        }
    }

    /// Discards the accumulators of another network.
    #[inline(always)]
    pub(super) fn belong_to(&mut self, network: u64, weights: &Weights) {
        if self.of != Some(network) {
            self.of = Some(network);
            let (sums, pieces) = (weights.bias, Pieces::NONE);
            for slot in &mut self.slots {
                (slot.sums, slot.pieces) = ([sums; 2], pieces);
            }
            self.last.clear();
            let views = 4 * weights.kings.count();
            self.last.resize(views, Last { sums, pieces });
        }
    }

    /// The accumulators of White and Black for a position at this ply.
    #[inline(always)]
    pub(super) fn sums(
        &mut self,
        weights: &Weights,
        position: &Position,
        ply: usize,
    ) -> &[WeightRow; 2] {
        let ply = ply.min(PLIES - 1);
        let pieces = Pieces::from_position(position);
        let views =
            Color::ALL.map(|color| Perspective::new(color, position.king(color), &weights.kings));
        let from = self.nearest(&pieces, ply);
        let changes = PieceChanges::between(&self.slots[from].pieces, &pieces);
        let (before, rest) = self.slots.split_at_mut(ply);
        let slot = &mut rest[0];
        // A loop, because the closure of a `map` would not be compiled for the CPU and would copy
        // the rows.
        for side in Color::ALL {
            let (view, side) = (views[side as usize], side as usize);
            let to = &mut slot.sums[side];
            if from == ply {
                if slot.views[side] == view {
                    let before = *to;
                    changes.apply(weights, view, &before, to);
                    continue;
                }
            } else if before[from].views[side] == view {
                changes.apply(weights, view, &before[from].sums[side], to);
                continue;
            }
            let last = &mut self.last[view.index()];
            let changes = PieceChanges::between(&last.pieces, &pieces);
            changes.apply(weights, view, &last.sums, to);
            *last = Last { sums: *to, pieces };
        }
        slot.pieces = pieces;
        slot.views = views;
        &slot.sums
    }

    /// The ply with the nearest accumulator: the previous one, or this one with its earlier
    /// contents.
    #[inline(always)]
    fn nearest(&self, pieces: &Pieces, ply: usize) -> usize {
        let above = ply.saturating_sub(1);
        let distance = |ply: usize| self.slots[ply].pieces.distance(pieces);
        let of_above = distance(above);
        if of_above <= FEW || of_above <= distance(ply) {
            above
        } else {
            ply
        }
    }
}

impl Pieces {
    const NONE: Self = Self([[Bitboard::EMPTY; 6]; 2]);

    #[inline(always)]
    fn from_position(position: &Position) -> Self {
        Self(Color::ALL.map(|color| PieceType::ALL.map(|kind| position.pieces(color, kind))))
    }

    /// Number of pieces to remove or add.
    #[inline(always)]
    fn distance(&self, other: &Self) -> u32 {
        let (ours, theirs) = (self.0.as_flattened(), other.0.as_flattened());
        let differ = ours
            .iter()
            .zip(theirs)
            .map(|(a, b)| (a.0 ^ b.0).count_ones());
        differ.sum()
    }
}

impl PieceChanges {
    #[inline(always)]
    fn between(before: &Pieces, after: &Pieces) -> Self {
        let mut changes = Self::default();
        for color in Color::ALL {
            for kind in PieceType::ALL {
                let [old, new] =
                    [before, after].map(|pieces| pieces.0[color as usize][kind as usize].0);
                if old == new {
                    continue;
                }
                let piece = Piece::new(color, kind);
                for square in Bitboard(old & !new) {
                    changes.off.push((piece, square));
                }
                for square in Bitboard(new & !old) {
                    changes.on.push((piece, square));
                }
            }
        }
        changes
    }

    /// Writes the accumulator after the changes. Overflow of 16 bits is ruled out when a network is
    /// loaded; wrapping arithmetic only avoids the overflow checks.
    #[inline(always)]
    fn apply(&self, weights: &Weights, view: Perspective, before: &WeightRow, to: &mut WeightRow) {
        let row = |&(piece, square): &(Piece, Square)| &weights.inputs[view.input(piece, square)];
        let (off, on) = (self.off.as_slice(), self.on.as_slice());
        // Quiet moves, captures and castling are the common cases: one pass over the row is enough.
        match (off, on) {
            ([a], [b]) => write(before, to, [row(a)], [row(b)]),
            ([a, b], [c]) => write(before, to, [row(a), row(b)], [row(c)]),
            ([a, b], [c, d]) => write(before, to, [row(a), row(b)], [row(c), row(d)]),
            _ => {
                write(before, to, [], []);
                for change in off {
                    for (sum, number) in to.0.iter_mut().zip(&row(change).0) {
                        *sum = sum.wrapping_sub(*number);
                    }
                }
                for change in on {
                    for (sum, number) in to.0.iter_mut().zip(&row(change).0) {
                        *sum = sum.wrapping_add(*number);
                    }
                }
            }
        }
    }
}

/// Removes and adds rows in one pass.
#[inline(always)]
fn write<const OFF: usize, const ON: usize>(
    before: &WeightRow,
    to: &mut WeightRow,
    off: [&WeightRow; OFF],
    on: [&WeightRow; ON],
) {
    for (i, to) in to.0.iter_mut().enumerate() {
        let mut sum = before.0[i];
        for row in off {
            sum = sum.wrapping_sub(row.0[i]);
        }
        for row in on {
            sum = sum.wrapping_add(row.0[i]);
        }
        *to = sum;
    }
}
