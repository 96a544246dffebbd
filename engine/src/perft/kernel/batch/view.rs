//! What a king sees on its rays.

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
    /// The enemy's sliders.
    pub(super) straight: V,
    pub(super) diagonal: V,
}

/// What the king sees on four rays: in the order rank, file, diagonal, anti-diagonal.
pub(super) struct View<V> {
    pub(super) checkers: V,
    pub(super) answers: V,
    pub(super) pinned: [V; 4],
}

impl<V: Lanes> KingView<V> {
    /// Looks along ranks and files where the enemy has pieces that move so, and along diagonals.
    #[inline(always)]
    pub(super) fn look(&self, rays: [u64; 4], straight: bool, diagonal: bool) -> View<V> {
        let none = V::splat(0);
        let mut view = View {
            checkers: none,
            answers: none,
            pinned: [none; 4],
        };
        let [rank, file, up, down] = rays;
        if straight {
            view.pinned[0] = self.look_along(rank, self.straight, &mut view);
            view.pinned[1] = self.look_along(file, self.straight, &mut view);
        }
        if diagonal {
            view.pinned[2] = self.look_along(up, self.diagonal, &mut view);
            view.pinned[3] = self.look_along(down, self.diagonal, &mut view);
        }
        view
    }

    /// Notes a check along one ray, and gives what is pinned on it.
    #[inline(always)]
    fn look_along(&self, ray: u64, sliders: V, view: &mut View<V>) -> V {
        let ray = V::splat(ray);
        // Subtracting 1 turns over all bits up to the lowest one set, which is the first met.
        let met = ray & !self.empty;
        let beyond = met & less_one(met);
        let to_first = (met ^ less_one(met)) & ray;
        let to_second = (beyond ^ less_one(beyond)) & ray;
        let checker = to_first & sliders;
        view.checkers = view.checkers | checker;
        view.answers = view.answers | V::when(checker, to_first);
        V::when(to_second & sliders, to_first & self.own)
    }
}
