//! Pawn hash table: terms that depend on pawns and kings only.

use super::pawns::{self, Structure};
use super::sink::{Packed, Sink, Sum};
use super::view::View;
use chess::rules::{ByColor, Color, Square};

const ENTRIES: usize = 1 << 12;

/// A direct-mapped pawn hash table, for
/// [`Evaluation::evaluate_cached`](crate::eval::Evaluation::evaluate_cached).
///
/// An entry is used only if the pawns and kings of both sides match exactly, so that no score
/// depends on earlier evaluations. 256 KiB.
#[derive(Clone, Debug)]
pub(in crate::eval) struct PawnCache(Box<[Entry]>);

/// An entry, one cache line.
#[derive(Clone, Copy, Debug)]
#[repr(align(64))]
struct Entry {
    key: Key,
    value: Packed,
    structure: ByColor<Structure>,
}

const _: () = assert!(size_of::<Entry>() == 64);

/// Everything that the pawn terms depend on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Key {
    pawns: ByColor<u64>,
    kings: ByColor<Square>,
}

impl PawnCache {
    pub(in crate::eval) fn new() -> Self {
        // An impossible key: both kings on one square.
        let none = Entry {
            key: Key {
                pawns: ByColor([0; 2]),
                kings: ByColor([Square::A1; 2]),
            },
            value: Packed::default(),
            structure: ByColor::default(),
        };
        Self(vec![none; ENTRIES].into())
    }
}

impl Default for PawnCache {
    fn default() -> Self {
        Self::new()
    }
}

impl Key {
    #[inline(always)]
    fn of(view: &View) -> Self {
        let [white, black] = Color::ALL.map(|color| &view.sides[color]);
        Self {
            pawns: ByColor([white.pawns.0, black.pawns.0]),
            kings: ByColor([white.king, black.king]),
        }
    }

    /// The index of the entry: the upper bits of products with odd numbers, which depend on all
    /// bits of the key.
    #[inline(always)]
    fn place(self) -> usize {
        let [white, black] = self.pawns.0;
        let [white_king, black_king] = self.kings.0.map(|king| king as u64);
        let mixed = (white ^ white_king << 57)
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(black ^ black_king << 57)
            .rotate_left(29)
            .wrapping_mul(0xd1b5_4a32_d192_ed03);
        (mixed >> 52) as usize
    }
}

/// Provides the pawn terms, cached or computed.
pub(super) trait PawnSource<K> {
    /// Adds the pawn terms of both sides to the sink.
    fn structure(self, view: &View, sink: &mut K) -> ByColor<Structure>;
}

/// Computes the terms without a cache.
pub(super) struct Afresh;

impl<K: Sink> PawnSource<K> for Afresh {
    #[inline(always)]
    fn structure(self, view: &View, sink: &mut K) -> ByColor<Structure> {
        pawns::value(view, sink)
    }
}

impl PawnSource<Sum> for &mut PawnCache {
    #[inline(always)]
    fn structure(self, view: &View, sink: &mut Sum) -> ByColor<Structure> {
        let key = Key::of(view);
        let entry = &mut self.0[key.place() & (ENTRIES - 1)];
        if entry.key != key {
            let mut sum = Sum::default();
            let structure = pawns::value(view, &mut sum);
            *entry = Entry {
                key,
                value: sum.0,
                structure,
            };
        }
        sink.0.add(entry.value);
        entry.structure
    }
}
