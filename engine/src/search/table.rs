//! The transposition table: what was found about a position, for when it is met again.
//!
//! Threads share it without a lock. A slot is two words, the key and the entry, and the key is kept
//! exclusive-or the entry (Hyatt and Mann, "A lock-less transposition table implementation for
//! parallel search chess engines"): where two threads write the same slot at once, so that the
//! words are of different entries, no key fits any more, and the slot is as good as empty.
//!
//! No data race is possible: whatever threads share is an atomic, and this crate has no other way to
//! share what is written. Relaxed order is enough, as no word says anything about another place in
//! memory; that the two words of a slot may be seen in any order is what the exclusive-or is for.

use std::io;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use super::value::{from_node, from_root};
use chess::pages::{Line, Pages};
use chess::rules::Move;
use chess::rules::cpu;

/// On which side of the true value a kept value is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// Nothing is known of the value: only the move is kept.
    None,
    /// The true value is at least this.
    Lower,
    /// The true value is at most this.
    Upper,
    /// It is the true value.
    Exact,
}

/// What is kept about a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Entry {
    /// The move that was best or refuted the position.
    pub(super) best: Option<Move>,
    /// Seen from the root of the search that asks.
    pub(super) value: i32,
    pub(super) bound: Bound,
    /// Plies that were searched below the position.
    pub(super) depth: u32,
    /// What the evaluation says of the position, where it was asked.
    pub(super) static_value: Option<i32>,
}

impl Entry {
    /// The value, where it decides a search within these bounds.
    pub(super) fn cut_off(&self, alpha: i32, beta: i32) -> Option<i32> {
        let decides = match self.bound {
            Bound::None => false,
            Bound::Lower => self.value >= beta,
            Bound::Upper => self.value <= alpha,
            Bound::Exact => self.value >= beta || self.value <= alpha,
        };
        decides.then_some(self.value)
    }
}

/// An entry as it is kept, in 64 bits: 16 each for move, value and static value, 8 for depth, 2 for
/// the bound, 6 for the age.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Packed(u64);

/// In place of a static value: there is none. No value is so low.
const NO_VALUE: i16 = i16::MIN;

impl Packed {
    fn new(entry: Entry, ply: usize, age: u8) -> Self {
        let short = |value: i32| i16::try_from(value).expect("values fit 16 bits");
        let words = [
            entry.best.map_or(0, Move::to_bits),
            short(from_node(entry.value, ply)).cast_unsigned(),
            entry.static_value.map_or(NO_VALUE, short).cast_unsigned(),
        ];
        let depth = u8::try_from(entry.depth).expect("depths fit 8 bits");
        let last = u16::from_le_bytes([depth, entry.bound as u8 | age << 2]);
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
    fn entry(self, ply: usize) -> Entry {
        let static_value = self.word(2).cast_signed();
        Entry {
            best: self.best(),
            value: from_root(i32::from(self.word(1).cast_signed()), ply),
            bound: self.bound(),
            depth: u32::from(self.depth()),
            static_value: (static_value != NO_VALUE).then_some(i32::from(static_value)),
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

    /// The search that made the entry; no entry has 0.
    #[inline(always)]
    const fn age(self) -> u8 {
        self.word(3).to_le_bytes()[1] >> 2
    }

    #[inline(always)]
    const fn bound(self) -> Bound {
        match self.word(3).to_le_bytes()[1] & 3 {
            0 => Bound::None,
            1 => Bound::Lower,
            2 => Bound::Upper,
            _ => Bound::Exact,
        }
    }
}

/// A place for an entry.
#[derive(Debug)]
struct Slot<'a> {
    /// The key, exclusive-or the entry.
    mixed_key: &'a AtomicU64,
    packed: &'a AtomicU64,
}

impl Slot<'_> {
    /// The key and the entry; of words that do not belong together the key is a wrong one.
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

/// The places that share a cache line; a position may be kept in any of them.
#[inline(always)]
fn slots(line: &Line) -> [Slot<'_>; 4] {
    let (pairs, _) = line.0.as_chunks();
    std::array::from_fn(|index| {
        let [mixed_key, packed] = &pairs[index];
        Slot { mixed_key, packed }
    })
}

/// Ages are counted in six bits, and 0 is that of an empty slot.
const AGES: u8 = 63;

/// There is not enough memory for a table.
#[derive(Debug, thiserror::Error)]
#[error("no memory for a table of {mebibytes} MiB")]
pub struct HashError {
    /// The size that was asked for.
    pub mebibytes: usize,
    #[source]
    source: io::Error,
}

/// The transposition table.
#[derive(Debug)]
pub(super) struct Table {
    pages: Pages,
    age: AtomicU8,
}

impl Table {
    /// An empty table of `mebibytes` MiB, at least one.
    pub(super) fn new(mebibytes: usize) -> Result<Self, HashError> {
        Ok(Self {
            pages: fresh_pages(mebibytes)?,
            age: AtomicU8::new(1),
        })
    }

    /// Replaces the table by an empty one; where there is no room for it, nothing changes.
    pub(super) fn resize(&mut self, mebibytes: usize) -> Result<(), HashError> {
        self.pages = fresh_pages(mebibytes)?;
        // The old table went before the new one is touched: they are never both in memory.
        self.clear();
        Ok(())
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        self.pages.zero();
        *self.age.get_mut() = 1;
    }

    /// Begins another search: what is kept so far is old from now on.
    pub(super) fn grow_older(&mut self) {
        let age = self.age.get_mut();
        *age = *age % AGES + 1;
    }

    /// What is kept about the position with this key, for a node `ply` plies below the root.
    #[inline(always)]
    pub(super) fn get(&self, key: u64, ply: usize) -> Option<Entry> {
        let packed = slots(self.line(key))
            .iter()
            .find_map(|slot| slot.find(key))?;
        Some(packed.entry(ply))
    }

    /// Keeps an entry: in place of one about the same position, else of the one that is worth
    /// least, old ones first, then shallow ones.
    pub(super) fn put(&self, key: u64, ply: usize, entry: Entry) {
        let age = self.age.load(Ordering::Relaxed);
        let slots = slots(self.line(key));
        let same = slots
            .iter()
            .find_map(|slot| slot.find(key).map(|kept| (slot, kept)));
        let slot = same.map_or_else(|| least_worth(&slots, age), |(slot, _)| slot);
        let kept = same.and_then(|(_, kept)| kept.best());
        let best = entry.best.or(kept);
        slot.store(key, Packed::new(Entry { best, ..entry }, ply, age));
    }

    /// Brings what is kept about a position closer, to be read soon.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: u64) {
        cpu::prefetch(self.line(key));
    }

    /// How full the table is with what this search has found, in permill.
    pub(super) fn permill_full(&self) -> u32 {
        let sample = &self.pages.lines()[..250];
        let slots = sample.iter().flat_map(slots);
        let age = self.age.load(Ordering::Relaxed);
        let full = slots.filter(|slot| slot.load().1.age() == age).count();
        u32::try_from(full).expect("there are a thousand slots")
    }

    /// Spreads keys over a table of any size: the upper half of the product with it.
    #[inline(always)]
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the product's upper half is an index"
    )]
    fn line(&self, key: u64) -> &Line {
        let lines = self.pages.lines();
        &lines[((u128::from(key) * lines.len() as u128) >> 64) as usize]
    }
}

/// Memory of so many MiB, at least one.
fn fresh_pages(mebibytes: usize) -> Result<Pages, HashError> {
    let count = mebibytes
        .max(1)
        .saturating_mul((1 << 20) / size_of::<Line>());
    Pages::new(count).map_err(|source| HashError { mebibytes, source })
}

/// The slot to be overwritten.
#[inline(always)]
fn least_worth<'a, 'b>(slots: &'a [Slot<'b>; 4], age: u8) -> &'a Slot<'b> {
    let worth = |slot: &&Slot<'_>| {
        let (_, packed) = slot.load();
        (packed.age() == age, packed.depth())
    };
    let least = slots.iter().min_by_key(worth);
    least.expect("a bucket has slots")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::search::MATE;
    use chess::rules::Square;

    fn entry(depth: u32, value: i32, bound: Bound) -> Entry {
        Entry {
            best: Some(Move::new(Square::E2, Square::E4)),
            value,
            bound,
            depth,
            static_value: Some(value / 2),
        }
    }

    fn table() -> Table {
        Table::new(0).expect("a MiB is there")
    }

    #[test]
    fn gives_back_what_it_was_given() {
        let mut table = table();
        for (key, bound) in [
            (0, Bound::None),
            (1 << 63, Bound::Lower),
            (u64::MAX, Bound::Upper),
            (7 << 60, Bound::Exact),
        ] {
            assert_eq!(table.get(key, 0), None);
            let kept = entry(key.count_ones(), -321, bound);
            table.put(key, 5, kept);
            assert_eq!(table.get(key, 3), Some(kept));
        }
        table.clear();
        assert_eq!(table.get(0, 0), None);
    }

    #[test]
    fn another_key_in_the_same_bucket_is_another_position() {
        let table = table();
        table.put(1, 0, entry(1, 10, Bound::Exact));
        assert_eq!(table.get(2, 0), None);
        assert!(std::ptr::eq(table.line(1), table.line(2)));
    }

    #[test]
    fn mates_are_kept_as_seen_from_the_node() {
        let table = table();
        table.put(9, 4, entry(3, MATE - 7, Bound::Exact));
        assert_eq!(table.get(9, 2).map(|entry| entry.value), Some(MATE - 5));
        table.put(9, 4, entry(3, 6 - MATE, Bound::Exact));
        assert_eq!(table.get(9, 8).map(|entry| entry.value), Some(10 - MATE));
    }

    #[test]
    fn a_move_outlives_an_entry_without_one() {
        let table = table();
        let first = entry(3, 0, Bound::Exact);
        table.put(9, 0, first);
        let without = Entry {
            best: None,
            ..first
        };
        table.put(9, 0, without);
        assert_eq!(table.get(9, 0), Some(first));
    }

    #[test]
    fn old_entries_go_first_then_shallow_ones() {
        let mut table = table();
        for (key, depth) in [(1, 9), (2, 3), (3, 4), (4, 5)] {
            table.put(key, 0, entry(depth, 0, Bound::Exact));
        }
        table.put(5, 0, entry(1, 0, Bound::Exact));
        assert_eq!(table.get(2, 0), None);
        table.grow_older();
        table.put(6, 0, entry(1, 0, Bound::Exact));
        assert_eq!(table.get(5, 0), None, "the shallowest of the old ones");
        table.put(7, 0, entry(1, 0, Bound::Exact));
        assert!(table.get(6, 0).is_some() && table.get(3, 0).is_none());
        assert!(table.get(1, 0).is_some());
    }

    #[test]
    fn fullness_is_that_of_this_search() {
        let mut table = table();
        assert_eq!(table.permill_full(), 0);
        let step = u64::MAX / table.pages.lines().len() as u64;
        for bucket in 0..250 {
            table.put(bucket * step + step / 2, 0, entry(1, 0, Bound::Exact));
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
        table.put(9, 0, entry(3, 0, Bound::Exact));
        let error = table.resize(usize::MAX).expect_err("no machine has it");
        assert_eq!(
            error.to_string(),
            format!("no memory for a table of {} MiB", usize::MAX)
        );
        assert!(table.get(9, 0).is_some());
    }

    #[test]
    fn only_what_lies_outside_the_bounds_cuts_off() {
        let rows = [
            (Bound::None, 50, None),
            (Bound::Lower, 50, Some(50)),
            (Bound::Lower, 5, None),
            (Bound::Lower, -50, None),
            (Bound::Upper, -50, Some(-50)),
            (Bound::Upper, 50, None),
            (Bound::Exact, 5, None),
            (Bound::Exact, 10, Some(10)),
            (Bound::Exact, 0, Some(0)),
        ];
        for (bound, value, expected) in rows {
            let found = entry(1, value, bound).cut_off(0, 10);
            assert_eq!(found, expected, "{bound:?} {value}");
        }
    }

    /// What the only writers of this table keep about a key: all of it is predicted by the key.
    fn predicted(key: u64) -> Entry {
        let part = |shift: u32, size: u64| i32::try_from((key >> shift) % size).expect("small");
        let bounds = [Bound::Lower, Bound::Upper, Bound::Exact];
        Entry {
            best: Move::from_bits(u16::try_from(1 + part(3, 4000)).expect("small")),
            value: part(13, 40_000) - 20_000,
            bound: bounds[usize::try_from(part(7, 3)).expect("small")],
            depth: part(29, 100).unsigned_abs(),
            static_value: Some(part(37, 20_000) - 10_000),
        }
    }

    /// Keys of so few buckets that threads meet in the same slots all the time.
    fn crowded_key(number: u64) -> u64 {
        let mixed = (number % 64).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed >> 12
    }

    #[test]
    fn what_threads_write_over_each_other_is_never_taken_for_an_entry() {
        let table = table();
        let found = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..8_u64 {
                let (table, found) = (&table, &found);
                scope.spawn(move || {
                    for step in 0..100_000_u64 {
                        let key = crowded_key(step * (2 * thread + 1) + thread);
                        if let Some(entry) = table.get(key, 0) {
                            assert_eq!(entry, predicted(key));
                            found.fetch_add(1, Ordering::Relaxed);
                        }
                        if (step + thread) % 3 != 0 {
                            table.put(key, 0, predicted(key));
                        }
                    }
                });
            }
        });
        assert!(found.into_inner() > 10_000);
    }

    #[test]
    fn words_of_two_entries_are_no_entry() {
        let table = table();
        let [slot, ..] = slots(table.line(0));
        let [one, other] = [3, 5].map(|key| (key, Packed::new(predicted(key << 40), 0, 1)));
        slot.mixed_key.store(one.0 ^ one.1.0, Ordering::Relaxed);
        slot.packed.store(other.1.0, Ordering::Relaxed);
        assert_eq!((slot.find(one.0), slot.find(other.0)), (None, None));
    }
}
