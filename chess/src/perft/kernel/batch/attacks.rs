//! Attacked squares and reached targets in lanes.

use super::limits::ReplyLimits;
use super::node::{BoardsAfter, Node};
use crate::perft::kernel::lanes::Lanes;
use crate::perft::kernel::rays::{self, SliderRows};
use crate::rules::{Bitboard, File};

#[inline(always)]
pub(super) fn off<V: Lanes>(files: Bitboard) -> V {
    V::splat(!files.0)
}

impl<V: Lanes> Node<V> {
    /// The squares that the sliders of `us` attack and the targets
    /// of the sliders of `them` in each of the eight directions. The bits of the targets are in no
    /// particular order: they are only counted. A slider moves along a line if it is pinned on none
    /// or on that one.
    #[inline(always)]
    pub(super) fn slide(
        &self,
        after: &BoardsAfter<V>,
        limits: &ReplyLimits<V>,
        promoted: bool,
    ) -> (V, [V; 8]) {
        let none = V::splat(0);
        let (us, them) = (&self.board.us, &self.board.them);
        let theirs = promoted || !us.straight.is_empty();
        let (by_straight, straight) = match (theirs, !them.straight.is_empty()) {
            (true, true) => Self::slide_straight::<true, true>(after, limits),
            (true, false) => Self::slide_straight::<true, false>(after, limits),
            (false, true) => Self::slide_straight::<false, true>(after, limits),
            (false, false) => (none, [none; 4]),
        };
        let theirs = promoted || !us.diagonal.is_empty();
        let (by_diagonal, diagonal) = match (theirs, !them.diagonal.is_empty()) {
            (true, true) => Self::slide_diagonal::<true, true>(after, limits),
            (true, false) => Self::slide_diagonal::<true, false>(after, limits),
            (false, true) => Self::slide_diagonal::<false, true>(after, limits),
            (false, false) => (none, [none; 4]),
        };
        let [east, west, north, south] = straight;
        let [ne, sw, nw, se] = diagonal;
        (
            by_straight | by_diagonal,
            [east, west, north, south, ne, sw, nw, se],
        )
    }

    /// Along ranks by rows, along files by rows of the mirrored board; by fills where turning bytes
    /// or mirroring is expensive.
    #[inline(always)]
    fn slide_straight<const THEIRS: bool, const OWN: bool>(
        after: &BoardsAfter<V>,
        limits: &ReplyLimits<V>,
    ) -> (V, [V; 4]) {
        let (theirs, them) = (after.us.straight, after.them.straight);
        let rank = them & (limits.free | limits.on_rank);
        let file = them & (limits.free | limits.on_file);
        let targets = limits.targets;
        let occupied = !after.empty;
        let [along_ranks, east, west] = if V::ROWS {
            let ranks = SliderRows {
                occupied,
                theirs,
                own: rank,
            };
            ranks.slide::<THEIRS, OWN>(targets)
        } else {
            rays::gather(
                rays::fill::<V, { rays::EAST }, THEIRS, OWN>(after.empty, theirs, rank),
                rays::fill::<V, { rays::WEST }, THEIRS, OWN>(after.empty, theirs, rank),
                targets,
            )
        };
        let [along_files, north, south] = if V::MIRRORS {
            let files = SliderRows {
                occupied: occupied.mirrored(),
                theirs: theirs.mirrored(),
                own: file.mirrored(),
            };
            let [danger, south, north] = files.slide::<THEIRS, OWN>(targets.mirrored());
            [danger.mirrored(), north, south]
        } else {
            rays::gather(
                rays::fill::<V, { rays::NORTH }, THEIRS, OWN>(after.empty, theirs, file),
                rays::fill::<V, { rays::SOUTH }, THEIRS, OWN>(after.empty, theirs, file),
                targets,
            )
        };
        (along_ranks | along_files, [east, west, north, south])
    }

    /// Along the diagonals, by fills.
    #[inline(always)]
    fn slide_diagonal<const THEIRS: bool, const OWN: bool>(
        after: &BoardsAfter<V>,
        limits: &ReplyLimits<V>,
    ) -> (V, [V; 4]) {
        let (theirs, them) = (after.us.diagonal, after.them.diagonal);
        let up = them & (limits.free | limits.on_diagonal);
        let down = them & (limits.free | limits.on_anti_diagonal);
        let [by_up, ne, sw] = rays::gather(
            rays::fill::<V, { rays::NORTH_EAST }, THEIRS, OWN>(after.empty, theirs, up),
            rays::fill::<V, { rays::SOUTH_WEST }, THEIRS, OWN>(after.empty, theirs, up),
            limits.targets,
        );
        let [by_down, nw, se] = rays::gather(
            rays::fill::<V, { rays::NORTH_WEST }, THEIRS, OWN>(after.empty, theirs, down),
            rays::fill::<V, { rays::SOUTH_EAST }, THEIRS, OWN>(after.empty, theirs, down),
            limits.targets,
        );
        (by_up | by_down, [ne, sw, nw, se])
    }

    /// The squares that pawns, knights and king of `us` attack.
    #[inline(always)]
    pub(super) fn leaper_attacks(&self, after: &BoardsAfter<V>, promoted: bool) -> V {
        let (a, h) = (File::A.bitboard(), File::H.bitboard());
        let (ab, gh) = (a | File::B.bitboard(), h | File::G.bitboard());
        let pawns = after.us.pawns;
        let by_pawns = (pawns & off(a)).shl(7) | (pawns & off(h)).shl(9);
        let king = after.us_king;
        let row = king | (king & off(a)).shr(1) | (king & off(h)).shl(1);
        let attacked = by_pawns | row | row.shl(8) | row.shr(8);
        if !promoted && self.board.us.knights.is_empty() {
            return attacked;
        }
        let knights = after.us.knights;
        let near = (knights & off(a)).shr(1) | (knights & off(h)).shl(1);
        let far = (knights & off(ab)).shr(2) | (knights & off(gh)).shl(2);
        attacked | near.shl(16) | near.shr(16) | far.shl(8) | far.shr(8)
    }
}
