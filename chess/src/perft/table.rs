//! The shared table of subtree counts.
//!
//! An entry holds the whole position, not a hash of it: 24 bytes suffice (see [`CountKey`]), so a hit is
//! always for that very position and depth, and collisions are impossible. Entries are guarded by a
//! sequence number (Boehm, "Can seqlocks get along with programming language memory models?",
//! 2012), so no thread ever waits. A reader that meets a writer gets a miss; a writer that meets
//! another gives up.
//!
//! A count uses only as much of the table as it fills: the part in use starts small and doubles
//! when a quarter of its entries are taken. A large table thus costs no more than a small one until
//! it is needed, above all no time to provide and clear memory pages.

use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, AtomicUsize, Ordering, fence};

use crate::pages::{CacheLine, Pages};
use crate::rules::cpu;

/// A position and the depth counted below it, without loss.
///
/// `words[0]` is the set of occupied squares; the other two hold four bits for each of at most 32
/// pieces, as four planes of 32 bits in the order of the squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct CountKey {
    pub(super) words: [u64; 3],
    pub(super) depth: u32,
}

/// A table of subtree counts, shared by all threads.
#[derive(Debug)]
pub struct CountTable {
    pages: Pages,
    /// The bits of a line's index that are in use: all those below a power of two.
    mask: AtomicUsize,
    /// Number of entries taken in every [`SAMPLED`]th line.
    taken: AtomicUsize,
    /// Held by the thread that grows the part in use.
    growth: Mutex<()>,
}

/// Lines in use at first: 2 MiB, a large page on most systems.
const FIRST_LINES: usize = 1 << 15;
/// One line in so many is watched to see how full the table is, so that threads seldom write to the
/// same counter.
const SAMPLED: usize = 64;

/// An entry, half a cache line.
#[derive(Debug)]
struct CountEntry<'a> {
    words: &'a [AtomicU64; 3],
    /// Count (48 bits), depth (6 bits), sequence number (10 bits, odd during a write).
    data: &'a AtomicU64,
}

const COUNT_BITS: u32 = 48;
const DEPTH_BITS: u32 = 6;
const SEQUENCE_SHIFT: u32 = COUNT_BITS + DEPTH_BITS;
const SEQUENCE_ONE: u64 = 1 << SEQUENCE_SHIFT;
const COUNT_MASK: u64 = (1 << COUNT_BITS) - 1;
const DEPTH_MASK: u64 = (1 << DEPTH_BITS) - 1;

impl CountTable {
    /// Creates a table of `mebibytes` MiB, at least one. The system commits the memory gradually,
    /// as the table fills.
    ///
    /// # Errors
    ///
    /// If the system cannot reserve that much address space.
    pub fn new(mebibytes: usize) -> std::io::Result<Self> {
        Self::with_lines(
            mebibytes
                .max(1)
                .saturating_mul((1 << 20) / size_of::<CacheLine>()),
        )
    }

    fn with_lines(count: usize) -> std::io::Result<Self> {
        Ok(Self {
            pages: Pages::new(count)?,
            mask: AtomicUsize::new(FIRST_LINES - 1),
            taken: AtomicUsize::new(0),
            growth: Mutex::new(()),
        })
    }

    /// Size of the table in MiB.
    pub fn mebibytes(&self) -> usize {
        size_of_val(self.pages.lines()) >> 20
    }

    /// Probes the table for a position and depth.
    pub(super) fn get(&self, key: &CountKey) -> Option<u64> {
        entries(self.line(key))
            .iter()
            .find_map(|entry| entry.get(key))
    }

    /// Prefetches the entries of a key.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: &CountKey) {
        cpu::prefetch(self.line(key));
    }

    /// Stores a count. Depths over 63 and counts of 2^48 or more are not stored.
    pub(super) fn put(&self, key: &CountKey, count: u64) {
        if count > COUNT_MASK || u64::from(key.depth) > DEPTH_MASK {
            return;
        }
        let new = store(self.line(key), key, count);
        if new && self.index(key).is_multiple_of(SAMPLED) {
            self.taken.fetch_add(1, Ordering::Relaxed);
            self.grow_if_filled();
        }
    }

    /// The index of a key's line if the whole table were in use.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "the product's upper half is an index"
    )]
    fn index(&self, key: &CountKey) -> usize {
        ((u128::from(key.hash()) * self.pages.lines().len() as u128) >> 64) as usize
    }

    fn line(&self, key: &CountKey) -> &CacheLine {
        &self.pages.lines()[self.index(key) & self.mask.load(Ordering::Relaxed)]
    }

    /// Doubles the part in use if a quarter of its entries, two a line, are taken. One more bit of
    /// each index decides whether an entry stays or moves up. Other threads use the old part
    /// meanwhile; what they store in lines already visited may be lost.
    fn grow_if_filled(&self) {
        // Another thread is growing it for all.
        let Ok(_growth) = self.growth.try_lock() else {
            return;
        };
        let lines = self.pages.lines();
        let mask = self.mask.load(Ordering::Relaxed);
        // A quarter is faster than a half, and hardly slower than an eighth
        // (docs/log/perft-speed.md).
        if mask >= lines.len() - 1 || 2 * SAMPLED * self.taken.load(Ordering::Relaxed) <= mask {
            return;
        }
        let grown = mask << 1 | 1;
        for (position, line) in lines[..=mask].iter().enumerate() {
            for entry in entries(line) {
                let Some((key, count)) = entry.read() else {
                    continue;
                };
                let target = self.index(&key) & grown;
                if target != position {
                    store(&lines[target], &key, count);
                    entry.put(&CountKey::NONE, 0);
                }
            }
        }
        self.mask.store(grown, Ordering::Relaxed);
    }
}

/// Stores a count in a line; returns whether it took a free entry.
fn store(line: &CacheLine, key: &CountKey, count: u64) -> bool {
    let [valued, recent] = entries(line);
    let free = recent.is_free() || valued.is_free();
    match valued.read() {
        Some((_, kept)) if count < kept => recent.put(key, count),
        Some((kept_key, kept)) => {
            if recent.is_free() {
                recent.put(&kept_key, kept);
            }
            valued.put(key, count);
        }
        None => valued.put(key, count),
    }
    free
}

/// The entries of a cache line: the first keeps the larger count, which saves more work; the second
/// is always replaced.
#[inline(always)]
fn entries(line: &CacheLine) -> [CountEntry<'_>; 2] {
    let (halves, _) = line.0.as_chunks::<4>();
    [0, 1].map(|half: usize| {
        let [words @ .., data] = &halves[half];
        CountEntry { words, data }
    })
}

impl CountKey {
    /// The key of a free entry: every position has pieces.
    const NONE: Self = Self {
        words: [0; 3],
        depth: 0,
    };

    /// Hashes a key to a table index; it affects only the speed.
    #[expect(
        clippy::cast_possible_truncation,
        reason = "a product is folded by its halves"
    )]
    fn hash(&self) -> u64 {
        const ODD: [u64; 3] = [
            0x9e37_79b9_7f4a_7c15,
            0xbf58_476d_1ce4_e5b9,
            0x94d0_49bb_1331_11eb,
        ];
        let fold = |a: u64, b: u64| {
            let product = u128::from(a) * u128::from(b);
            product as u64 ^ (product >> 64) as u64
        };
        let [a, b, c] = self.words;
        let mixed = fold(a ^ ODD[0], b ^ ODD[1]);
        fold(mixed ^ c, ODD[2] ^ u64::from(self.depth) << 7)
    }
}

impl CountEntry<'_> {
    fn get(&self, key: &CountKey) -> Option<u64> {
        let (found, count) = self.read()?;
        (found == *key).then_some(count)
    }

    /// Key and count, unless the entry is free or being written.
    #[inline(always)]
    fn read(&self) -> Option<(CountKey, u64)> {
        let before = self.data.load(Ordering::Acquire);
        let words = [0, 1, 2].map(|index: usize| self.words[index].load(Ordering::Relaxed));
        // The words must be read before the sequence number is read again.
        fence(Ordering::Acquire);
        let after = self.data.load(Ordering::Relaxed);
        let depth = (before >> COUNT_BITS & DEPTH_MASK) as u32;
        let whole = before == after && before & SEQUENCE_ONE == 0;
        (whole && words != CountKey::NONE.words)
            .then_some((CountKey { words, depth }, before & COUNT_MASK))
    }

    fn is_free(&self) -> bool {
        self.words[0].load(Ordering::Relaxed) == CountKey::NONE.words[0]
    }

    fn put(&self, key: &CountKey, count: u64) {
        let old = self.data.load(Ordering::Relaxed);
        let writing = old | SEQUENCE_ONE;
        if old & SEQUENCE_ONE != 0
            || self
                .data
                .compare_exchange(old, writing, Ordering::Acquire, Ordering::Relaxed)
                .is_err()
        {
            return;
        }
        // The odd number must be visible before any of the words.
        fence(Ordering::Release);
        for (word, &value) in self.words.iter().zip(&key.words) {
            word.store(value, Ordering::Relaxed);
        }
        let sequence = (writing >> SEQUENCE_SHIFT).wrapping_add(1) << SEQUENCE_SHIFT;
        let new = sequence | u64::from(key.depth) << COUNT_BITS | count;
        self.data.store(new, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(number: u64, depth: u32) -> CountKey {
        CountKey {
            words: [number, number ^ 5, number.rotate_left(9)],
            depth,
        }
    }

    #[test]
    fn gives_back_what_was_put_and_nothing_else() {
        let table = CountTable::new(1).expect("memory");
        table.put(&key(7, 3), 42);
        assert_eq!(table.get(&key(7, 3)), Some(42));
        assert_eq!(table.get(&key(7, 4)), None);
        assert_eq!(table.get(&key(8, 3)), None);
        let mut other = key(7, 3);
        other.words[2] ^= 1;
        assert_eq!(table.get(&other), None);
    }

    #[test]
    fn rejects_what_does_not_fit() {
        let table = CountTable::new(1).expect("memory");
        table.put(&key(7, 3), 1 << 48);
        table.put(&key(7, 64), 1);
        assert_eq!(table.get(&key(7, 3)), None);
        assert_eq!(table.get(&key(7, 64)), None);
        table.put(&key(7, 63), (1 << 48) - 1);
        assert_eq!(table.get(&key(7, 63)), Some((1 << 48) - 1));
    }

    #[test]
    fn sizes_beyond_the_address_space_are_rejected() {
        // The second size is 2^64 bytes plus one MiB, which would wrap to one MiB.
        for mebibytes in [usize::MAX, (1 << 44) + 1] {
            assert!(CountTable::new(mebibytes).is_err(), "{mebibytes} MiB");
        }
    }

    #[test]
    fn keeps_the_dearer_entry() {
        let bucket = CountTable::with_lines(1).expect("memory");
        bucket.put(&key(1, 5), 1000);
        for number in 2..50 {
            bucket.put(&key(number, 3), number);
        }
        assert_eq!(bucket.get(&key(1, 5)), Some(1000));
        assert_eq!(bucket.get(&key(49, 3)), Some(49));
        assert_eq!(bucket.get(&key(48, 3)), None);
    }

    #[test]
    fn a_second_entry_takes_the_free_place() {
        let bucket = CountTable::with_lines(1).expect("memory");
        bucket.put(&key(1, 3), 10);
        bucket.put(&key(2, 4), 20);
        assert_eq!(bucket.get(&key(1, 3)), Some(10));
        assert_eq!(bucket.get(&key(2, 4)), Some(20));
    }

    #[test]
    fn the_part_in_use_grows_with_its_contents_and_keeps_them() {
        // The last doubling is a partial one.
        let lines = FIRST_LINES * 11;
        let table = CountTable::with_lines(lines).expect("memory");
        let in_use = |table: &CountTable| table.mask.load(Ordering::Relaxed) + 1;
        let mut sizes = vec![in_use(&table)];
        for number in 1..=lines as u64 {
            table.put(&key(number, 3), number);
            if in_use(&table) != sizes[sizes.len() - 1] {
                sizes.push(in_use(&table));
            }
        }
        let expected: Vec<usize> = (0..=4).map(|doublings| FIRST_LINES << doublings).collect();
        assert_eq!(sizes, expected);
        let mut found = 0;
        for number in 1..=lines as u64 {
            if let Some(count) = table.get(&key(number, 3)) {
                assert_eq!(count, number);
                found += 1;
            }
        }
        assert!(found > lines * 3 / 4, "{found} of {lines}");
    }

    #[test]
    fn the_sequence_number_wraps() {
        let bucket = CountTable::with_lines(1).expect("memory");
        for number in 1..5000 {
            bucket.put(&key(number, 3), number);
            assert_eq!(bucket.get(&key(number, 3)), Some(number));
        }
    }

    #[test]
    fn threads_never_see_a_torn_entry() {
        // Four entries compete for one bucket; every hit must match its key.
        let bucket = CountTable::with_lines(1).expect("memory");
        std::thread::scope(|scope| {
            for thread in 0..4_u64 {
                let bucket = &bucket;
                scope.spawn(move || {
                    for round in 0..200_000_u64 {
                        let number = (round * 7 + thread) % 64 + 1;
                        bucket.put(&key(number, 3), number * 1000);
                        let asked = (round * 13 + thread) % 64 + 1;
                        if let Some(count) = bucket.get(&key(asked, 3)) {
                            assert_eq!(count, asked * 1000);
                        }
                    }
                });
            }
        });
    }
}
