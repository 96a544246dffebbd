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

/// The checks on a king.
#[derive(Clone, Copy)]
pub(super) struct Checks<V> {
    pub(super) checkers: V,
    /// For each check along a ray, the squares up to and including the checker's.
    pub(super) answers: V,
}

impl<V: Lanes> Checks<V> {
    #[inline(always)]
    pub(super) fn none() -> Self {
        Self {
            checkers: V::splat(0),
            answers: V::splat(0),
        }
    }
}

impl<V: Lanes> KingView<V> {
    /// Records a check along one ray by one of the enemy's `sliders`; returns what is pinned on it.
    #[inline(always)]
    pub(super) fn look_along(&self, ray: u64, sliders: V, checks: &mut Checks<V>) -> V {
        let ray = V::splat(ray);
        // Subtracting 1 flips all bits up to the lowest one set, which is the first piece met.
        let met = ray & !self.empty;
        let beyond = met & less_one(met);
        let to_first = (met ^ less_one(met)) & ray;
        let to_second = (beyond ^ less_one(beyond)) & ray;
        let checker = to_first & sliders;
        checks.checkers = checks.checkers | checker;
        checks.answers = checks.answers | V::when(checker, to_first);
        V::when(to_second & sliders, to_first & self.own)
    }
}
