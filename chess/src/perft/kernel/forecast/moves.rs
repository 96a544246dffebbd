//! The moves of a node, by piece.

use crate::perft::kernel::lanes::Lanes;
use crate::rules::Square;

/// Moves of pieces, or of sets of pawns: parallel arrays, so that one load fills the lanes.
pub(super) struct MoveGroup<const ROOM: usize> {
    /// The targets; for pawns, only those that are forecast.
    pub(super) targets: [u64; ROOM],
    /// The squares left.
    pub(super) left: [u64; ROOM],
    /// Targets that are not forecast, besides those that depend on the node alone.
    pub(super) barred: [u64; ROOM],
    /// The square left, and the piece as an index of [`super::PIECES`].
    pub(super) from: [(Square, u8); ROOM],
}

impl<const ROOM: usize> MoveGroup<ROOM> {
    const fn new() -> Self {
        Self {
            targets: [0; ROOM],
            left: [0; ROOM],
            barred: [0; ROOM],
            from: [(Square::A1, 0); ROOM],
        }
    }

    #[inline(always)]
    pub(super) fn part<V: Lanes>(array: &[u64; ROOM], start: usize) -> V {
        V::from_array(array[start..].first_chunk().expect("there is room beyond"))
    }

    /// Ends the arrays with zeros enough for any lanes.
    #[inline(always)]
    pub(super) fn end(&mut self, count: usize) {
        for array in [&mut self.targets, &mut self.left] {
            array[count..][..8].fill(0);
        }
    }
}

/// Pieces on every square, and a whole register beyond the last.
const PIECES_ROOM: usize = Square::COUNT + 8;
/// Four moves and twelve promotions of the pawns that are not pinned and of each of up to eight
/// that are; two castlings; a whole register.
const PAWNS_ROOM: usize = 9 * 16 + 2 + 8;

/// The moves of one node, by piece.
pub(in crate::perft::kernel) struct Moves {
    pub(super) pieces: MoveGroup<PIECES_ROOM>,
    pub(super) pawns: MoveGroup<PAWNS_ROOM>,
    /// The places in `pieces` of those that need more than a look at the planes.
    pub(super) special: [usize; PIECES_ROOM],
}

impl Moves {
    pub(in crate::perft::kernel) const fn new() -> Self {
        Self {
            pieces: MoveGroup::new(),
            pawns: MoveGroup::new(),
            special: [0; PIECES_ROOM],
        }
    }
}
