//! The shared table of subtree counts.
//!
//! An entry holds the whole position, not a hash of it: 24 bytes suffice (see [`Key`]), so a hit is
//! always for that very position and depth, and collisions are impossible. Entries are guarded by a
//! sequence number (Boehm, "Can seqlocks get along with programming language memory models?",
//! 2012), so no thread ever waits. A reader that meets a writer gets a miss; a writer that meets
//! another gives up.

use std::sync::atomic::{AtomicU64, Ordering, fence};

use crate::pages::{Line, Pages};
use crate::rules::cpu;

/// A position and the depth counted below it, without loss.
///
/// `words[0]` is the set of occupied squares; the other two hold four bits for each of at most 32
/// pieces, as four planes of 32 bits in the order of the squares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Key {
    pub(super) words: [u64; 3],
    pub(super) depth: u32,
}

/// A table of subtree counts, shared by all threads.
#[derive(Debug)]
pub struct Table {
    pages: Pages,
}

/// An entry, half a cache line.
#[derive(Debug)]
struct Entry<'a> {
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

impl Table {
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
                .saturating_mul((1 << 20) / size_of::<Line>()),
        )
    }

    fn with_lines(count: usize) -> std::io::Result<Self> {
        Ok(Self {
            pages: Pages::new(count)?,
        })
    }

    /// Size of the table in MiB.
    pub fn mebibytes(&self) -> usize {
        size_of_val(self.pages.lines()) >> 20
    }

    /// Probes the table for a position and depth.
    pub(super) fn get(&self, key: &Key) -> Option<u64> {
        entries(self.line(key))
            .iter()
            .find_map(|entry| entry.get(key))
    }

    /// Prefetches the entries of a key.
    #[inline(always)]
    pub(super) fn prefetch(&self, key: &Key) {
        cpu::prefetch(self.line(key));
    }

    /// Stores a count. Depths over 63 and counts of 2^48 or more are not stored.
    pub(super) fn put(&self, key: &Key, count: u64) {
        if count > COUNT_MASK || u64::from(key.depth) > DEPTH_MASK {
            return;
        }
        let [valued, recent] = entries(self.line(key));
        let kept = valued.data.load(Ordering::Relaxed) & COUNT_MASK;
        let entry = if count >= kept { valued } else { recent };
        entry.put(key, count);
    }

    #[expect(
        clippy::cast_possible_truncation,
        reason = "the product's upper half is an index"
    )]
    fn line(&self, key: &Key) -> &Line {
        let lines = self.pages.lines();
        let index = (u128::from(key.hash()) * lines.len() as u128) >> 64;
        &lines[index as usize]
    }
}

/// The entries of a cache line: the first keeps the larger count, which saves more work; the second
/// is always replaced.
#[inline(always)]
fn entries(line: &Line) -> [Entry<'_>; 2] {
    let (halves, _) = line.0.as_chunks::<4>();
    [0, 1].map(|half: usize| {
        let [words @ .., data] = &halves[half];
        Entry { words, data }
    })
}

impl Key {
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

impl Entry<'_> {
    fn get(&self, key: &Key) -> Option<u64> {
        let before = self.data.load(Ordering::Acquire);
        let words = [0, 1, 2].map(|index: usize| self.words[index].load(Ordering::Relaxed));
        fence(Ordering::Acquire);
        let after = self.data.load(Ordering::Relaxed);
        let whole = before == after && before & SEQUENCE_ONE == 0;
        let depth = before >> COUNT_BITS & DEPTH_MASK;
        let found = whole && words == key.words && depth == u64::from(key.depth);
        found.then_some(before & COUNT_MASK)
    }

    fn put(&self, key: &Key, count: u64) {
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

    fn key(number: u64, depth: u32) -> Key {
        Key {
            words: [number, number ^ 5, number.rotate_left(9)],
            depth,
        }
    }

    #[test]
    fn gives_back_what_was_put_and_nothing_else() {
        let table = Table::new(1).expect("memory");
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
        let table = Table::new(1).expect("memory");
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
            assert!(Table::new(mebibytes).is_err(), "{mebibytes} MiB");
        }
    }

    #[test]
    fn keeps_the_dearer_entry() {
        let bucket = Table::with_lines(1).expect("memory");
        bucket.put(&key(1, 5), 1000);
        for number in 2..50 {
            bucket.put(&key(number, 3), number);
        }
        assert_eq!(bucket.get(&key(1, 5)), Some(1000));
        assert_eq!(bucket.get(&key(49, 3)), Some(49));
        assert_eq!(bucket.get(&key(48, 3)), None);
    }

    #[test]
    fn the_sequence_number_wraps() {
        let bucket = Table::with_lines(1).expect("memory");
        for number in 1..5000 {
            bucket.put(&key(number, 3), number);
            assert_eq!(bucket.get(&key(number, 3)), Some(number));
        }
    }

    #[test]
    fn threads_never_see_a_torn_entry() {
        // Four entries compete for one bucket; every hit must match its key.
        let bucket = Table::with_lines(1).expect("memory");
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
