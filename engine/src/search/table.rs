//! The transposition table.
//!
//! Threads share it without locks. A slot consists of two words, the key and the entry, and the key
//! is stored combined with the entry by XOR (Hyatt and Mann, "A lock-less transposition table
//! implementation for parallel search chess engines"): if two threads write the same slot at once
//! and their words mix, the key no longer matches, and the slot is as good as empty.
//!
//! There are no data races: all shared words are atomics, and this crate has no other way to share
//! mutable data. Relaxed ordering suffices, since no word makes a statement about other memory; the
//! XOR takes care of the two words of a slot being seen in any order.

use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::value::{Depth, from_node, from_root};
use chess::pages::{CacheLine, Pages};
use chess::rules::Move;
use chess::rules::cpu;

/// The bound type of a TT score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum TtBound {
    /// No score: only the move is stored.
    None,
    /// Lower bound (fail high).
    Lower,
    /// Upper bound (fail low).
    Upper,
    /// Exact score.
    Exact,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TtEntry {
    /// The TT move: the best move or the one that caused the cutoff.
    pub(super) best: Option<Move>,
    /// The score, relative to the root of the probing search.
    pub(super) value: i32,
    pub(super) bound: TtBound,
    /// The depth in plies to which the position was searched.
    pub(super) depth: Depth,
    /// The static evaluation, if it was computed.
    pub(super) static_eval: Option<i32>,
    /// Whether the position was ever searched as a PV node.
    pub(super) is_pv: bool,
}

impl TtEntry {
    /// An entry that holds a static evaluation and nothing else.
    pub(super) const fn of_static_eval(value: i32) -> Self {
        Self {
            best: None,
            value: 0,
            bound: TtBound::None,
            depth: 0,
            static_eval: Some(value),
            is_pv: false,
        }
    }

    /// The score, if it causes a cutoff in this window.
    pub(super) fn cut_off(&self, alpha: i32, beta: i32) -> Option<i32> {
        let decides = match self.bound {
            TtBound::None => false,
            TtBound::Lower => self.value >= beta,
            TtBound::Upper => self.value <= alpha,
            TtBound::Exact => self.value >= beta || self.value <= alpha,
        };
        decides.then_some(self.value)
    }
}

/// A packed entry of 64 bits: 16 each for move, score and static evaluation, 8 for the depth, 2 for
/// the bound, 1 for PV nodes, 5 for the age.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Packed(u64);

/// Marks a missing static evaluation; no score is so low.
const NO_VALUE: i16 = i16::MIN;

impl Packed {
    fn new(entry: TtEntry, ply: usize, age: u8) -> Self {
        let short = |value: i32| i16::try_from(value).expect("values fit 16 bits");
        let words = [
            entry.best.map_or(0, Move::to_bits),
            short(from_node(entry.value, ply)).cast_unsigned(),
            entry.static_eval.map_or(NO_VALUE, short).cast_unsigned(),
        ];
        let depth = u8::try_from(entry.depth).expect("depths fit 8 bits");
        let flags = entry.bound as u8 | u8::from(entry.is_pv) << 2 | age << 3;
        let last = u16::from_le_bytes([depth, flags]);
        let all = [words[0], words[1], words[2], last];
        Self(
            all.iter()
                .rev()
                .fold(0, |bits, &word| bits << 16 | u64::from(word)),
        )
    }

    #[inline(always)]
    #[expect(clippy::cast_possible_truncation, reason = "sixteen bits of many")]
    const fn word(self, index: u32) -> u16 {
        (self.0 >> (16 * index)) as u16
    }

    #[inline(always)]
    fn entry(self, ply: usize) -> TtEntry {
        let static_eval = self.word(2).cast_signed();
        TtEntry {
            best: self.best(),
            value: from_root(i32::from(self.word(1).cast_signed()), ply),
            bound: self.bound(),
            depth: Depth::from(self.depth()),
            static_eval: (static_eval != NO_VALUE).then_some(i32::from(static_eval)),
            is_pv: self.is_pv(),
        }
    }

    #[inline(always)]
    fn best(self) -> Option<Move> {
        Move::from_bits(self.word(0))
    }

    #[inline(always)]
    const fn depth(self) -> u8 {
        self.word(3).to_le_bytes()[0]
    }

    /// The age: the search that stored the entry; 0 is an empty slot.
    #[inline(always)]
    const fn age(self) -> u8 {
        self.word(3).to_le_bytes()[1] >> 3
    }

    #[inline(always)]
    const fn is_pv(self) -> bool {
        self.word(3).to_le_bytes()[1] & 4 != 0
    }

    #[inline(always)]
    const fn bound(self) -> TtBound {
        match self.word(3).to_le_bytes()[1] & 3 {
            0 => TtBound::None,
            1 => TtBound::Lower,
            2 => TtBound::Upper,
            _ => TtBound::Exact,
        }
    }
}

/// A place for an entry.
#[derive(Debug)]
struct TtSlot<'a> {
    /// The key XOR the entry.
    mixed_key: &'a AtomicU64,
    packed: &'a AtomicU64,
}

impl TtSlot<'_> {
    /// The key and the entry; if the two words do not belong together, the key is wrong.
    #[inline(always)]
    fn load(&self) -> (u64, Packed) {
        let packed = self.packed.load(Ordering::Relaxed);
        (
            self.mixed_key.load(Ordering::Relaxed) ^ packed,
            Packed(packed),
        )
    }

    /// The entry, if there is one for this key.
    #[inline(always)]
    fn find(&self, key: u64) -> Option<Packed> {
        let (kept, packed) = self.load();
        (kept == key && packed.age() != 0).then_some(packed)
    }

    #[inline(always)]
    fn store(&self, key: u64, packed: Packed) {
        self.mixed_key.store(key ^ packed.0, Ordering::Relaxed);
        self.packed.store(packed.0, Ordering::Relaxed);
    }
}

/// The slots of a cache line; a position may be stored in any of them.
#[inline(always)]
fn slots(line: &CacheLine) -> [TtSlot<'_>; 4] {
    let (pairs, _) = line.0.as_chunks();
    std::array::from_fn(|index| {
        let [mixed_key, packed] = &pairs[index];
        TtSlot { mixed_key, packed }
    })
}

/// Ages have five bits, and 0 marks an empty slot.
const AGES: u8 = 31;

/// So many plies of depth is an entry worth less for each search since.
const AGE_PLIES: Depth = 8;
/// An entry deeper by this many plies is kept.
const KEPT_LEAD: Depth = 4;

/// The memory for a table cannot be allocated.
#[derive(Debug, thiserror::Error)]
#[error("no memory for a table of {mebibytes} MiB")]
pub struct HashError {
    /// The requested size in MiB.
    pub mebibytes: usize,
    #[source]
    source: io::Error,
}

#[derive(Debug)]
pub(super) struct TranspositionTable {
    pages: Pages,
    age: AtomicU8,
}

impl TranspositionTable {
    /// An empty table of `mebibytes` MiB, at least one.
    pub(super) fn new(mebibytes: usize) -> Result<Self, HashError> {
        Ok(Self {
            pages: fresh_pages(mebibytes)?,
            age: AtomicU8::new(1),
        })
    }

    /// Replaces the table with an empty one; if the allocation fails, nothing changes.
    pub(super) fn resize(&mut self, mebibytes: usize) -> Result<(), HashError> {
        self.pages = fresh_pages(mebibytes)?;
        // The pages of the old table are released before the new ones are touched, so both are
        // never in memory.
        self.clear();
        Ok(())
    }

    pub(super) fn clear(&mut self) {
        self.pages.zero();
        *self.age.get_mut() = 1;
    }

    /// Starts a new search: existing entries become old.
    pub(super) fn grow_older(&mut self) {
        let age = self.age.get_mut();
        *age = *age % AGES + 1;
    }

    /// Probes the table for a node `ply` plies below the root.
    #[inline(always)]
    pub(super) fn get(&self, key: u64, ply: usize) -> Option<TtEntry> {
        let packed = slots(self.line(key))
            .iter()
            .find_map(|slot| slot.find(key))?;
        Some(packed.entry(ply))
    }

    /// Stores an entry: replaces that of the same position, otherwise the least valuable one, by depth
    /// and age.
    pub(super) fn put(&self, key: u64, ply: usize, entry: TtEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let slots = slots(self.line(key));
        let same = slots
            .iter()
            .find_map(|slot| slot.find(key).map(|kept| (slot, kept)));
        let slot = same.map_or_else(|| least_worth(&slots, age), |(slot, _)| slot);
        // A fail low has no best move, but an older one still orders the moves.
        let kept = same.and_then(|(_, kept)| kept.best());
        let best = entry.best.or(kept);
        slot.store(key, Packed::new(TtEntry { best, ..entry }, ply, age));
    }

    /// Stores an entry like [`TranspositionTable::put`], unless there is one of the same position and this search
    /// that is worth more: deeper by several plies, and the new score not exact. Then only the move
    /// is replaced.
    pub(super) fn put_unless_shallow(&self, key: u64, ply: usize, entry: TtEntry) {
        let age = self.age.load(Ordering::Relaxed);
        let slots = slots(self.line(key));
        let kept = slots.iter().find_map(|slot| slot.find(key)).filter(|kept| {
            let lead = Depth::from(kept.depth()) - entry.depth;
            entry.bound != TtBound::Exact
                && kept.age() == age
                && lead
                    >= if entry.is_pv {
                        KEPT_LEAD + 2
                    } else {
                        KEPT_LEAD
                    }
        });
        let entry = kept.map_or(entry, |kept| TtEntry {
            best: entry.best,
            ..kept.entry(ply)
        });
        self.put(key, ply, entry);
    }

    /// Prefetches the slots of a position.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        cpu::prefetch(self.line(key));
    }

    /// Fill level with entries of this search (hashfull), in permill.
    pub(super) fn permill_full(&self) -> u32 {
        // UCI's `hashfull` is in permill, and these lines have a thousand slots.
        let sample = &self.pages.lines()[..250];
        let slots = sample.iter().flat_map(slots);
        let age = self.age.load(Ordering::Relaxed);
        let full = slots.filter(|slot| slot.load().1.age() == age).count();
        u32::try_from(full).expect("there are a thousand slots")
    }

    /// Maps keys to a table of any size by the upper half of a product.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the product's upper half is an index"
    )]
    fn line(&self, key: u64) -> &CacheLine {
        let lines = self.pages.lines();
        // Lemire, "A fast alternative to the modulo reduction": any size, and no division.
        &lines[((u128::from(key) * lines.len() as u128) >> 64) as usize]
    }
}

/// Allocates `mebibytes` MiB, at least one.
fn fresh_pages(mebibytes: usize) -> Result<Pages, HashError> {
    let count = mebibytes
        .max(1)
        .saturating_mul((1 << 20) / size_of::<CacheLine>());
    Pages::new(count).map_err(|source| HashError { mebibytes, source })
}

/// The slot to be replaced: an empty one, else the shallowest, where each search that an entry is
/// old counts as several plies.
#[inline(always)]
fn least_worth<'a, 'b>(slots: &'a [TtSlot<'b>; 4], age: u8) -> &'a TtSlot<'b> {
    let worth = |slot: &&TtSlot<'_>| {
        let (_, packed) = slot.load();
        if packed.age() == 0 {
            return Depth::MIN;
        }
        // Ages wrap around from 31 to 1.
        let searches = (age + AGES - packed.age()) % AGES;
        Depth::from(packed.depth()) - AGE_PLIES * Depth::from(searches)
    };
    let least = slots.iter().min_by_key(worth);
    least.expect("a bucket has slots")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MATE;
    use chess::rules::Square;

    fn entry(depth: Depth, value: i32, bound: TtBound) -> TtEntry {
        TtEntry {
            best: Some(Move::new(Square::E2, Square::E4)),
            value,
            bound,
            depth,
            static_eval: Some(value / 2),
            is_pv: value % 2 == 0,
        }
    }

    fn table() -> TranspositionTable {
        TranspositionTable::new(0).expect("a MiB is there")
    }

    /// Mates are kept as seen from the node: it is written at ply 5 and read at ply 3.
    #[test]
    fn entries_round_trip() {
        let mut table = table();
        for (key, bound, value, read) in [
            (0, TtBound::None, -321, -321),
            (1 << 63, TtBound::Lower, 320, 320),
            (u64::MAX, TtBound::Upper, MATE - 7, MATE - 5),
            (7 << 60, TtBound::Exact, 6 - MATE, 4 - MATE),
        ] {
            assert_eq!(table.get(key, 0), None);
            let kept = TtEntry {
                static_eval: Some(-123),
                ..entry(key.count_ones().cast_signed(), value, bound)
            };
            table.put(key, 5, kept);
            let value = read;
            assert_eq!(table.get(key, 3), Some(TtEntry { value, ..kept }));
        }
        table.clear();
        assert_eq!(table.get(0, 0), None);
    }

    #[test]
    fn another_key_in_the_same_bucket_is_another_position() {
        let table = table();
        table.put(1, 0, entry(1, 10, TtBound::Exact));
        assert_eq!(table.get(2, 0), None);
        assert!(std::ptr::eq(table.line(1), table.line(2)));
    }

    #[test]
    fn a_move_outlives_an_entry_without_one() {
        let table = table();
        let first = entry(3, 0, TtBound::Exact);
        table.put(9, 0, first);
        let without = TtEntry {
            best: None,
            ..first
        };
        table.put(9, 0, without);
        assert_eq!(table.get(9, 0), Some(first));
    }

    #[test]
    fn shallow_and_old_entries_are_replaced() {
        let mut table = table();
        for (key, depth) in [(1, 10), (2, 3), (3, 4), (4, 12)] {
            table.put(key, 0, entry(depth, 0, TtBound::Exact));
        }
        table.put(5, 0, entry(1, 0, TtBound::Exact));
        assert_eq!(table.get(2, 0), None, "the shallowest");
        table.grow_older();
        table.put(6, 0, entry(1, 0, TtBound::Exact));
        assert_eq!(table.get(5, 0), None, "the shallowest of the old ones");
        table.put(7, 0, entry(1, 0, TtBound::Exact));
        assert!(table.get(6, 0).is_some() && table.get(3, 0).is_none());
        table.put(8, 0, entry(1, 0, TtBound::Exact));
        assert!(table.get(6, 0).is_none(), "shallower than deep old ones");
        assert!(table.get(1, 0).is_some() && table.get(4, 0).is_some());
        table.grow_older();
        for key in 9..12 {
            table.put(key, 0, entry(1, 0, TtBound::Exact));
        }
        assert!(table.get(1, 0).is_none(), "too old");
    }

    #[test]
    fn a_deep_entry_keeps_its_score_and_takes_the_new_move() {
        let table = table();
        let deep = entry(9, 10, TtBound::Lower);
        let other = Some(Move::new(Square::D2, Square::D4));
        let shallow = |bound, depth| TtEntry {
            best: other,
            is_pv: false,
            ..entry(depth, 20, bound)
        };
        table.put(1, 0, deep);
        table.put_unless_shallow(1, 0, shallow(TtBound::Upper, 5));
        assert_eq!(
            table.get(1, 0),
            Some(TtEntry {
                best: other,
                ..deep
            })
        );
        for next in [shallow(TtBound::Upper, 6), shallow(TtBound::Exact, 1)] {
            table.put(1, 0, deep);
            table.put_unless_shallow(1, 0, next);
            assert_eq!(table.get(1, 0), Some(next));
        }
    }

    #[test]
    fn fullness_is_that_of_this_search() {
        let mut table = table();
        assert_eq!(table.permill_full(), 0);
        let step = u64::MAX / table.pages.lines().len() as u64;
        for bucket in 0..250 {
            table.put(bucket * step + step / 2, 0, entry(1, 0, TtBound::Exact));
        }
        assert_eq!(table.permill_full(), 250);
        table.grow_older();
        assert_eq!(table.permill_full(), 0);
    }

    #[test]
    fn ages_go_round_without_the_age_of_empty_slots() {
        let mut table = table();
        for _ in 0..1000 {
            table.grow_older();
            assert!((1..=AGES).contains(table.age.get_mut()));
        }
    }

    #[test]
    fn too_large_a_table_is_an_error_and_changes_nothing() {
        let mut table = table();
        table.put(9, 0, entry(3, 0, TtBound::Exact));
        let error = table.resize(usize::MAX).expect_err("no machine has it");
        assert_eq!(
            error.to_string(),
            format!("no memory for a table of {} MiB", usize::MAX)
        );
        assert!(table.get(9, 0).is_some());
    }

    #[test]
    fn only_scores_outside_the_window_cut_off() {
        let rows = [
            (TtBound::None, 50, None),
            (TtBound::Lower, 50, Some(50)),
            (TtBound::Lower, 5, None),
            (TtBound::Lower, -50, None),
            (TtBound::Upper, -50, Some(-50)),
            (TtBound::Upper, 50, None),
            (TtBound::Exact, 5, None),
            (TtBound::Exact, 10, Some(10)),
            (TtBound::Exact, 0, Some(0)),
        ];
        for (bound, value, expected) in rows {
            let found = entry(1, value, bound).cut_off(0, 10);
            assert_eq!(found, expected, "{bound:?} {value}");
        }
    }

    /// Two threads that write the same slot at once may leave one word of each.
    #[test]
    fn words_of_two_entries_do_not_match() {
        let table = table();
        let [slot, other_slot, ..] = slots(table.line(0));
        let [one, other] = [3, 5].map(|depth| Packed::new(entry(depth, 0, TtBound::Exact), 0, 1));
        slot.store(1, one);
        other_slot.store(2, other);
        assert_eq!((slot.find(1), other_slot.find(2)), (Some(one), Some(other)));
        slot.packed.store(other.0, Ordering::Relaxed);
        assert_eq!((slot.find(1), slot.find(2)), (None, None));
    }
}
