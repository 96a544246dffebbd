//! Checks and pins on the rays of a king.

use crate::perft::kernel::lanes::Lanes;
use crate::rules::Bitboard;

#[inline(always)]
pub(super) fn less_one<V: Lanes>(set: V) -> V {
    set.add(V::splat(!0))
}

#[inline(always)]
pub(super) fn off<V: Lanes>(files: Bitboard) -> V {
    V::splat(!files.0)
}

/// One half of the view from the king of `them`: four rays towards higher squares.
pub(super) struct KingView<V> {
    pub(super) own: V,
    pub(super) empty: V,
}

impl<V: Lanes> KingView<V> {
    /// The one of the enemy's `sliders` that gives check along a ray is added to `checkers`; returns
    /// what is pinned on the ray.
    #[inline(always)]
    pub(super) fn look_along(&self, ray: u64, sliders: V, checkers: &mut V) -> V {
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
pub(super) struct Checked<V> {
    /// The squares of the rays up to and including the checkers.
    pub(super) answers: V,
    /// The squares next to the king that it hides from the checkers; not turned.
    pub(super) behind: V,
}

impl<V: Lanes> Checked<V> {
    #[inline(always)]
    pub(super) fn along(rays: &[u64; 4], behind: &[u64; 4], checkers: V) -> Self {
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
