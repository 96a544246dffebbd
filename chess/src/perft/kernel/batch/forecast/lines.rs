//! What moves of `them` would change for the king of `us` along lines: attacks on the squares that
//! it could use, checks, and pins.

use super::zone::Zone;
use crate::perft::kernel::batch::node::{BoardsAfter, Node};
use crate::perft::kernel::lanes::Lanes;
use crate::perft::kernel::rays::{
    self, EAST, NORTH, NORTH_EAST, NORTH_WEST, SOUTH, SOUTH_EAST, SOUTH_WEST, WEST,
};
use crate::rules::Rank;

pub(super) struct Lines<V> {
    /// Sliders that are the only ones to attack a square of the zone.
    pub(super) only: V,
    /// Sliders that pin.
    pub(super) pinners: V,
    /// Pieces of `us` pinned on a rank, a file, a diagonal, an anti-diagonal.
    pub(super) pinned: [V; 4],
    /// Moves from and to these squares change more than can be foreseen.
    pub(super) from: V,
    pub(super) to: V,
    /// The same for moves to these squares by diagonal and by straight sliders.
    pub(super) to_by: [V; 2],
}

impl<V: Lanes> Lines<V> {
    #[inline(always)]
    pub(super) fn new(node: &Node<V>, after: &BoardsAfter<V>, zone: &Zone<V>) -> Self {
        let none = V::splat(0);
        let mut lines = Self {
            only: none,
            pinners: none,
            pinned: [none; 4],
            from: none,
            to: none,
            to_by: [none; 2],
        };
        let them = &node.board.them;
        let promote = them.pawns.intersects(Rank::R2.bitboard());
        if promote || !them.straight.is_empty() {
            let sliders = after.them.straight;
            lines.look::<EAST, WEST>(sliders, after, zone);
            lines.look::<WEST, EAST>(sliders, after, zone);
            lines.look::<NORTH, SOUTH>(sliders, after, zone);
            lines.look::<SOUTH, NORTH>(sliders, after, zone);
        }
        if promote || !them.diagonal.is_empty() {
            let sliders = after.them.diagonal;
            lines.look::<NORTH_EAST, SOUTH_WEST>(sliders, after, zone);
            lines.look::<SOUTH_WEST, NORTH_EAST>(sliders, after, zone);
            lines.look::<NORTH_WEST, SOUTH_EAST>(sliders, after, zone);
            lines.look::<SOUTH_EAST, NORTH_WEST>(sliders, after, zone);
        }
        lines
    }

    /// Looks one way from the zone and from the king, for `sliders` that look `BACK`.
    #[inline(always)]
    fn look<const WAY: usize, const BACK: usize>(
        &mut self,
        sliders: V,
        after: &BoardsAfter<V>,
        zone: &Zone<V>,
    ) {
        let (us, them) = (after.enemies, after.own);
        let chains = rays::chains::<V, WAY>(zone.lifted);
        let come = zone.attacked[BACK];
        // From free squares: where a slider would attack one, and what uncovers an attack.
        let free = rays::reach::<V, WAY>(zone.free, chains);
        let mut arrivals = free;
        let mut from = free & them & come;
        // From squares attacked once or twice: the attackers, what is behind them or before them.
        let once = rays::reach::<V, WAY>(zone.once, chains);
        let twice = rays::reach::<V, WAY>(zone.twice, chains);
        self.only = self.only | once & sliders;
        from = from | once & them & come;
        let mut to = (once | twice) & come;
        // From the king: its pins, and what would pin or end a pin.
        let first = rays::reach::<V, WAY>(after.us_king, chains);
        let blocker = first & !zone.lifted;
        let second = rays::reach::<V, WAY>(blocker, chains);
        let shield = blocker & us;
        let pinner = V::when(shield, second & sliders);
        arrivals = arrivals | V::when(shield, second);
        from = from | V::when(shield, second & them & come);
        from = from | V::when(second & us & come, blocker & them);
        to = to | V::when(pinner, first | second);
        self.pinners = self.pinners | pinner;
        self.pinned[WAY / 2] = self.pinned[WAY / 2] | V::when(pinner, shield);
        self.from = self.from | from;
        self.to = self.to | to;
        let by = usize::from(WAY < NORTH_EAST);
        self.to_by[by] = self.to_by[by] | arrivals;
    }
}
