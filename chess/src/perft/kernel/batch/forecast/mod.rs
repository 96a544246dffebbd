//! Forecasts of the replies in lanes: one node of depth 2 per lane.
//!
//! `us` have just moved up the board; `them` move next, and `us` reply. `zone` finds the squares
//! that the king of `us` could use, `lines` what moves would change along lines to them and to the
//! king, `mobility` what all other pieces of `us` may do.

mod lines;
mod mobility;
mod zone;

use super::node::{BoardsAfter, Node};
use crate::perft::kernel::forecast::{Forecasts, MOBILITY_BITS, RECAPTURE_BITS};
use crate::perft::kernel::lanes::Lanes;
use lines::Lines;
use mobility::Mobility;
use zone::{Zone, knights_around, neighbours, up_from};

impl<V: Lanes> Node<V> {
    /// Forecasts for the nodes after each of the steps in a batch; `promoted` if some may be
    /// promotions.
    #[inline(always)]
    pub(super) fn forecast(&self, after: &BoardsAfter<V>, promoted: bool) -> Forecasts {
        let them = &after.them;
        let them_king = V::splat(self.board.them.king.0);
        let zone = Zone::new(self, after);
        let lines = Lines::new(self, after, &zone);
        let mobility = Mobility::new(self, after, lines.pinned, promoted);
        let Mobility { hit, beyond, .. } = mobility;

        // The only pieces to attack a square of the zone.
        let leapers = knights_around(zone.once) & them.knights | neighbours(zone.once) & them_king;
        let only = lines.only | leapers;
        let only_pawns = up_from(zone.once) & them.pawns;
        // What castling needs is not worked out move by move.
        let held = V::when(zone.once & zone.to_castle, only | only_pawns)
            | neighbours(zone.twice) & them_king;
        let from = zone.from | lines.from | mobility.from | beyond | held;
        let to = zone.to | lines.to | mobility.to | beyond;

        let [east, west, north, south, ne, sw, nw, se] = hit;
        let hit_straight = (east | west | north | south) & (them.straight | them_king);
        let hit_diagonal = (ne | sw | nw | se) & (them.diagonal | them_king);
        let special = only | lines.pinners | hit_straight | hit_diagonal;
        let [rank, file, diagonal, anti_diagonal] = lines.pinned;
        let pinned = rank | file | diagonal | anti_diagonal;

        let mut planes = [V::splat(0); MOBILITY_BITS + RECAPTURE_BITS];
        planes[..MOBILITY_BITS].copy_from_slice(&mobility.planes);
        planes[MOBILITY_BITS..].copy_from_slice(&mobility.recaptures);
        #[expect(
            clippy::needless_range_loop,
            reason = "iterators need not be inlined, see `Lanes`"
        )]
        for bit in 0..planes.len() {
            planes[bit] = planes[bit].flipped();
        }
        let [by_diagonal, by_straight] = lines.to_by;
        Forecasts {
            replies: V::total(mobility.replies.add(zone.steps))
                .add(zone.castlings)
                .to_array(),
            planes: V::rows(planes),
            // Turning the board exchanges up and down.
            hit: [
                turned(east),
                turned(west),
                turned(south),
                turned(north),
                turned(se),
                turned(nw),
                turned(sw),
                turned(ne),
            ],
            once: turned(zone.once),
            only: turned(only),
            pinners: turned(lines.pinners),
            pinned: turned(pinned),
            special: turned(special),
            from: turned(from),
            to: turned(to),
            to_by: [
                turned(up_from(zone.free)),
                turned(knights_around(zone.free)),
                turned(by_diagonal),
                turned(by_straight),
                turned(by_diagonal | by_straight),
                turned(neighbours(zone.free)),
            ],
        }
    }
}

/// A set of every lane, for the turned boards.
#[inline(always)]
fn turned<V: Lanes>(set: V) -> [u64; 8] {
    set.flipped().to_array()
}
