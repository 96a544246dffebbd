//! Directions: fills of lanes along them, and the rays of a king.

use super::lanes::Lanes;
use crate::rules::{File, Square, attacks};

pub(super) const EAST: usize = 0;
pub(super) const WEST: usize = 1;
pub(super) const NORTH: usize = 2;
pub(super) const SOUTH: usize = 3;
pub(super) const NORTH_EAST: usize = 4;
pub(super) const SOUTH_WEST: usize = 5;
pub(super) const NORTH_WEST: usize = 6;
pub(super) const SOUTH_EAST: usize = 7;

const NOT_A: u64 = !File::A.bitboard().0;
const NOT_H: u64 = !File::H.bitboard().0;

/// A step in a direction.
struct Way {
    /// The shift in bits, up or down.
    bits: u32,
    up: bool,
    /// The valid target squares of a step; the others would be reached by wrapping around the edge.
    lands: u64,
}

impl Way {
    const fn new(bits: u32, up: bool, lands: u64) -> Self {
        Self { bits, up, lands }
    }
}

const WAYS: [Way; 8] = [
    Way::new(1, true, NOT_A),
    Way::new(1, false, NOT_H),
    Way::new(8, true, !0),
    Way::new(8, false, !0),
    Way::new(9, true, NOT_A),
    Way::new(9, false, NOT_H),
    Way::new(7, true, NOT_H),
    Way::new(7, false, NOT_A),
];

/// Fills in one direction (Kogge and Stone's parallel prefix): the squares that `theirs` attack, and
/// the squares that `own` reach.
/// Results not requested are empty.
#[inline(always)]
pub(super) fn fill<V: Lanes, const WAY: usize, const THEIRS: bool, const OWN: bool>(
    empty: V,
    theirs: V,
    own: V,
) -> [V; 2] {
    let chains = chains::<V, WAY>(empty);
    let mut danger = V::splat(0);
    if THEIRS {
        danger = reach::<V, WAY>(theirs, chains);
    }
    let mut reached = V::splat(0);
    if OWN {
        reached = reach::<V, WAY>(own, chains);
    }
    [danger, reached]
}

/// The combined attacks of two fills, and the targets that each of them reaches.
#[inline(always)]
pub(super) fn gather<V: Lanes>([a, to_a]: [V; 2], [b, to_b]: [V; 2], targets: V) -> [V; 3] {
    [a | b, to_a & targets, to_b & targets]
}

/// Sliders along the rows of a board, one byte each.
pub(super) struct SliderRows<V> {
    pub(super) occupied: V,
    pub(super) theirs: V,
    pub(super) own: V,
}

impl<V: Lanes> SliderRows<V> {
    /// The squares that `theirs` attack, and the targets that `own` reach
    /// towards higher squares and, in reversed bytes, towards lower ones.
    #[inline(always)]
    pub(super) fn slide<const THEIRS: bool, const OWN: bool>(&self, targets: V) -> [V; 3] {
        let none = V::splat(0);
        let mut danger = none;
        if THEIRS {
            let up = upward(self.occupied, self.theirs);
            let down = upward(self.occupied.turned_bytes(), self.theirs.turned_bytes());
            danger = up | down.turned_bytes();
        }
        if !OWN {
            return [danger, none, none];
        }
        let up = upward(self.occupied, self.own) & targets;
        let down = upward(self.occupied.turned_bytes(), self.own.turned_bytes());
        [danger, up, down & targets.turned_bytes()]
    }
}

/// The thesis's `o ^ (o - 2s)` in all rows at once, with any number of sliders: each subtraction
/// borrows up to the next piece of its row and no further.
#[inline(always)]
fn upward<V: Lanes>(occupied: V, sliders: V) -> V {
    occupied ^ occupied.sub_bytes(sliders.add_bytes(sliders))
}

/// The squares a step from these.
#[inline(always)]
pub(super) fn step<V: Lanes, const WAY: usize>(set: V) -> V {
    shift::<V, WAY>(set, 1) & V::splat(WAYS[WAY].lands)
}

/// Chains of one, two and four empty squares that end in a square, in one direction.
#[inline(always)]
pub(super) fn chains<V: Lanes, const WAY: usize>(empty: V) -> [V; 3] {
    let one = empty & V::splat(WAYS[WAY].lands);
    let two = one & shift::<V, WAY>(one, 1);
    let four = two & shift::<V, WAY>(two, 2);
    [one, two, four]
}

/// The squares that sliders on `set` attack in one direction, given its chains of empty squares.
#[inline(always)]
pub(super) fn reach<V: Lanes, const WAY: usize>(set: V, chains: [V; 3]) -> V {
    flood::<V, WAY>(set, chains) & V::splat(WAYS[WAY].lands)
}

/// The same, given the empty squares.
#[inline(always)]
pub(super) fn attacks<V: Lanes, const WAY: usize>(set: V, empty: V) -> V {
    reach::<V, WAY>(set, chains::<V, WAY>(empty))
}

#[inline(always)]
fn shift<V: Lanes, const WAY: usize>(set: V, times: u32) -> V {
    let Way { bits, up, .. } = WAYS[WAY];
    if up {
        set.shl(bits * times)
    } else {
        set.shr(bits * times)
    }
}

#[inline(always)]
fn flood<V: Lanes, const WAY: usize>(set: V, [one, two, four]: [V; 3]) -> V {
    let set = set | one & shift::<V, WAY>(set, 1);
    let set = set | two & shift::<V, WAY>(set, 2);
    let set = set | four & shift::<V, WAY>(set, 4);
    shift::<V, WAY>(set, 1)
}

/// The rays of a king, in the order rank, file, diagonal (a1-h8), anti-diagonal.
pub(super) struct KingRays {
    /// Towards higher squares: east, north, north-east, north-west.
    pub(super) up: [u64; 4],
    /// Towards lower squares, on the board rotated by 180 degrees: west, south, south-west,
    /// south-east.
    pub(super) down: [u64; 4],
    /// For each ray of `up`, the square next to the king on the opposite side.
    pub(super) behind_up: [u64; 4],
    /// For each ray of `down`, the same, on the board as it is.
    pub(super) behind_down: [u64; 4],
}

pub(super) static KING_RAYS: [KingRays; Square::COUNT] = king_rays();

const fn ray(from: Square, files: i32, ranks: i32) -> u64 {
    attacks::ray(from, (files, ranks)).0
}

const fn next(from: Square, files: i32, ranks: i32) -> u64 {
    match from.offset(files, ranks) {
        Some(square) => square.bitboard().0,
        None => 0,
    }
}

const fn king_rays() -> [KingRays; Square::COUNT] {
    let mut table = [const {
        KingRays {
            up: [0; 4],
            down: [0; 4],
            behind_up: [0; 4],
            behind_down: [0; 4],
        }
    }; Square::COUNT];
    let mut index = 0;
    while index < Square::COUNT {
        let from = Square::ALL[index];
        table[index] = KingRays {
            up: [
                ray(from, 1, 0),
                ray(from, 0, 1),
                ray(from, 1, 1),
                ray(from, -1, 1),
            ],
            down: [
                ray(from, -1, 0).reverse_bits(),
                ray(from, 0, -1).reverse_bits(),
                ray(from, -1, -1).reverse_bits(),
                ray(from, 1, -1).reverse_bits(),
            ],
            behind_up: [
                next(from, -1, 0),
                next(from, 0, -1),
                next(from, -1, -1),
                next(from, 1, -1),
            ],
            behind_down: [
                next(from, 1, 0),
                next(from, 0, 1),
                next(from, 1, 1),
                next(from, -1, 1),
            ],
        };
        index += 1;
    }
    table
}
