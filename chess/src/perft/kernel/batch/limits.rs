//! Checks and pins in lanes, from the rays of a king.

use super::node::{BoardsAfter, Node};
use crate::perft::kernel::lanes::Lanes;
use crate::perft::kernel::rays::KING_RAYS;
use crate::rules::Color;
use crate::rules::attacks;

/// Limits on the replies.
#[derive(Clone, Copy)]
pub(super) struct ReplyLimits<V> {
    pub(super) checkers: V,
    /// The squares next to the king that it hides from checking sliders.
    pub(super) behind: V,
    /// The squares allowed for replies other than the king's.
    pub(super) targets: V,
    /// The pieces pinned on no line, or on one: rank, file, the two diagonals.
    pub(super) free: V,
    pub(super) on_rank: V,
    pub(super) on_file: V,
    pub(super) on_diagonal: V,
    pub(super) on_anti_diagonal: V,
}

impl<V: Lanes> Node<V> {
    /// Checks and pins, from the eight rays of the king: the first piece on a ray may give check,
    /// or be pinned by the next one. Rays towards lower squares are evaluated on the board rotated
    /// by 180 degrees.
    #[inline(always)]
    pub(super) fn limits(&self, after: &BoardsAfter<V>, promoted: bool) -> ReplyLimits<V> {
        let rays = &KING_RAYS[self.king.index()];
        let leapers = V::splat(attacks::knight(self.king).0) & after.us.knights
            | V::splat(attacks::pawn(Color::Black, self.king).0) & after.us.pawns;
        let up = KingView {
            own: after.own,
            empty: after.empty,
        };
        let down = KingView {
            own: after.own.reversed(),
            empty: after.empty.reversed(),
        };
        let (mut above, mut below) = (V::splat(0), V::splat(0));
        let [mut rank, mut file, mut diagonal, mut anti_diagonal] = [V::splat(0); 4];
        if promoted || !self.board.us.straight.is_empty() {
            let (sliders, turned) = (after.us.straight, after.us.straight.reversed());
            rank = up.look_along(rays.up[0], sliders, &mut above)
                | down.look_along(rays.down[0], turned, &mut below).reversed();
            file = up.look_along(rays.up[1], sliders, &mut above)
                | down.look_along(rays.down[1], turned, &mut below).reversed();
        }
        if promoted || !self.board.us.diagonal.is_empty() {
            let (sliders, turned) = (after.us.diagonal, after.us.diagonal.reversed());
            diagonal = up.look_along(rays.up[2], sliders, &mut above)
                | down.look_along(rays.down[2], turned, &mut below).reversed();
            anti_diagonal = up.look_along(rays.up[3], sliders, &mut above)
                | down.look_along(rays.down[3], turned, &mut below).reversed();
        }
        let checkers = above | below.reversed() | leapers;
        let free = !(rank | file | diagonal | anti_diagonal);
        let (mut answers, mut behind) = (V::splat(!0), V::splat(0));
        // Checks are rare: the branch saves more than it costs when it is mispredicted.
        if checkers.any() {
            let up = HalfChecks::along(&rays.up, &rays.behind_up, above);
            let down = HalfChecks::along(&rays.down, &rays.behind_down, below);
            let several = checkers & less_one(checkers);
            answers = up.answers | down.answers.reversed() | leapers;
            answers = V::unless(several, answers | V::unless(checkers, V::splat(!0)));
            behind = up.behind | down.behind;
        }
        ReplyLimits {
            checkers,
            behind,
            targets: answers & !after.own,
            free,
            on_rank: rank,
            on_file: file,
            on_diagonal: diagonal,
            on_anti_diagonal: anti_diagonal,
        }
    }
}

#[inline(always)]
fn less_one<V: Lanes>(set: V) -> V {
    set.add(V::splat(!0))
}

/// One half of the view from the king of `them`: four rays towards higher squares.
struct KingView<V> {
    own: V,
    empty: V,
}

impl<V: Lanes> KingView<V> {
    /// The one of the enemy's `sliders` that gives check along a ray is added to `checkers`; returns
    /// what is pinned on the ray.
    #[inline(always)]
    fn look_along(&self, ray: u64, sliders: V, checkers: &mut V) -> V {
        // Subtracting 1 flips all bits up to the lowest one set, which is the first piece met.
        let met = V::splat(ray) & !self.empty;
        let first = met & !less_one(met);
        let beyond = met & less_one(met);
        let second = beyond & !less_one(beyond);
        *checkers = *checkers | first & sliders;
        V::when(second & sliders, first & self.own)
    }
}

/// What follows from checks along the four rays of one half of the view.
#[derive(Clone, Copy)]
struct HalfChecks<V> {
    /// The squares of the rays up to and including the checkers.
    answers: V,
    /// The squares next to the king that it hides from the checkers; not turned.
    behind: V,
}

impl<V: Lanes> HalfChecks<V> {
    #[inline(always)]
    fn along(rays: &[u64; 4], behind: &[u64; 4], checkers: V) -> Self {
        let mut checked = Self {
            answers: V::splat(0),
            behind: V::splat(0),
        };
        for index in 0..4 {
            let ray = V::splat(rays[index]);
            let checker = checkers & ray;
            let answers = (checker ^ less_one(checker)) & ray;
            checked.answers = checked.answers | V::when(checker, answers);
            let behind = V::when(checker, V::splat(behind[index]));
            checked.behind = checked.behind | behind;
        }
        checked
    }
}
