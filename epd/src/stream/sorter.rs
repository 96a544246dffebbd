//! Sorts entries of a fixed size, more than fit in memory: sorted runs go to a temporary file and are
//! merged.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::BinaryHeap;
use std::fs::File;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::rc::Rc;

use super::temporary::in_temporary_file;

/// Memory for entries that are being collected, in bytes.
const MEMORY: usize = 8 << 20;

/// Collects entries, to be read in ascending order.
pub(crate) struct Sorter<const N: usize> {
    entries: Vec<[u8; N]>,
    /// Number of entries at which they are sorted and written.
    capacity: usize,
    file: Option<File>,
    /// Number of entries of each run in the file.
    runs: Vec<usize>,
}

impl<const N: usize> Sorter<N> {
    pub(crate) fn new() -> Self {
        Self::with_capacity(MEMORY / N)
    }

    /// A sorter that writes to the disk after so many entries.
    pub(crate) fn with_capacity(capacity: usize) -> Self {
        Self {
            entries: Vec::new(),
            capacity,
            file: None,
            runs: Vec::new(),
        }
    }

    pub(crate) fn push(&mut self, entry: [u8; N]) -> io::Result<()> {
        if self.entries.len() == self.capacity {
            self.write_run()?;
        }
        self.entries.push(entry);
        Ok(())
    }

    fn write_run(&mut self) -> io::Result<()> {
        self.entries.sort_unstable();
        let file = match &mut self.file {
            Some(file) => file,
            none => none.insert(tempfile::tempfile().map_err(in_temporary_file)?),
        };
        let written = file.write_all(self.entries.as_flattened());
        written.map_err(in_temporary_file)?;
        self.runs.push(self.entries.len());
        self.entries.clear();
        Ok(())
    }

    /// All entries in ascending order.
    pub(crate) fn sorted(mut self) -> io::Result<Sorted<N>> {
        if self.file.is_none() {
            self.entries.sort_unstable();
            return Ok(Sorted::Memory(self.entries.into_iter()));
        }
        self.write_run()?;
        // The memory is needed for the runs from here on.
        drop(self.entries);
        // One file for all runs: a file for each might exceed the limit of open files.
        let file = Rc::new(RefCell::new(self.file.expect("there are runs")));
        // All runs share the memory. At least 64 entries keep seeks rare; above 4096 they hardly
        // get rarer.
        let share = (MEMORY / N / self.runs.len()).clamp(64, 4096);
        let mut offset = 0;
        let mut heap = BinaryHeap::with_capacity(self.runs.len());
        let mut runs = Vec::with_capacity(self.runs.len());
        for (index, &count) in self.runs.iter().enumerate() {
            let mut run = SortedRun {
                file: Rc::clone(&file),
                offset,
                left: count,
                share,
                entries: Vec::new().into_iter(),
            };
            offset += (count * N) as u64;
            if let Some(entry) = run.next()? {
                heap.push(Reverse((entry, index)));
            }
            runs.push(run);
        }
        Ok(Sorted::Disk { runs, heap })
    }
}

/// Entries in ascending order.
pub(crate) enum Sorted<const N: usize> {
    Memory(std::vec::IntoIter<[u8; N]>),
    Disk {
        runs: Vec<SortedRun<N>>,
        /// The first entry of each run, with the index of the run.
        heap: BinaryHeap<Reverse<([u8; N], usize)>>,
    },
}

impl<const N: usize> Sorted<N> {
    fn read(&mut self) -> io::Result<Option<[u8; N]>> {
        match self {
            Self::Memory(entries) => Ok(entries.next()),
            Self::Disk { runs, heap } => {
                // Replacing the top sifts once; a pop and a push would do so twice.
                let Some(mut first) = heap.peek_mut() else {
                    return Ok(None);
                };
                let Reverse((entry, index)) = *first;
                match runs[index].next()? {
                    Some(next) => *first = Reverse((next, index)),
                    None => drop(std::collections::binary_heap::PeekMut::pop(first)),
                }
                Ok(Some(entry))
            }
        }
    }
}

impl<const N: usize> Iterator for Sorted<N> {
    type Item = io::Result<[u8; N]>;

    fn next(&mut self) -> Option<Self::Item> {
        self.read().transpose()
    }
}

/// A sorted part of the file.
pub(crate) struct SortedRun<const N: usize> {
    file: Rc<RefCell<File>>,
    offset: u64,
    /// Number of entries that are not read yet.
    left: usize,
    /// Number of entries to read at once.
    share: usize,
    entries: std::vec::IntoIter<[u8; N]>,
}

impl<const N: usize> SortedRun<N> {
    fn next(&mut self) -> io::Result<Option<[u8; N]>> {
        if let Some(entry) = self.entries.next() {
            return Ok(Some(entry));
        }
        let count = self.left.min(self.share);
        let mut entries = vec![[0; N]; count];
        let mut file = self.file.borrow_mut();
        // The runs share the file and with it its place, so each read seeks first.
        file.seek(SeekFrom::Start(self.offset))?;
        file.read_exact(entries.as_flattened_mut())?;
        self.offset += (count * N) as u64;
        self.left -= count;
        self.entries = entries.into_iter();
        Ok(self.entries.next())
    }
}

/// Joins the parts of an entry: a key, and numbers behind it, so that entries are sorted by the key
/// and then by the numbers.
pub(crate) fn entry<const N: usize>(key: &[u8], numbers: &[u64]) -> [u8; N] {
    let mut entry = [0; N];
    let (start, rest) = entry.split_at_mut(key.len());
    start.copy_from_slice(key);
    for (bytes, number) in rest.chunks_exact_mut(8).zip(numbers) {
        // Big-endian, so that the order of bytes is the order of numbers.
        bytes.copy_from_slice(&number.to_be_bytes());
    }
    entry
}

/// The number at this offset of an entry.
pub(crate) fn number(entry: &[u8], at: usize) -> u64 {
    let bytes = entry[at..at + 8].try_into();
    u64::from_be_bytes(bytes.expect("eight bytes"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_disk_sorts_as_the_memory_does() {
        for count in [0, 1, 4, 5, 1000_u64] {
            let scattered = |number: u64| number.wrapping_mul(0x9e37_79b9_7f4a_7c15) % 401;
            let entries: Vec<[u8; 10]> = (0..count)
                .map(|number| entry(b"ab", &[scattered(number)]))
                .collect();
            let mut expected = entries.clone();
            expected.sort_unstable();
            for capacity in [1, 4, 7, 5000] {
                let mut sorter = Sorter::with_capacity(capacity);
                for &entry in &entries {
                    sorter.push(entry).expect("there is room");
                }
                let sorted = sorter.sorted().expect("read back");
                let found: Vec<_> = sorted.map(|entry| entry.expect("read back")).collect();
                assert!(found == expected, "{count} entries, {capacity} at once");
            }
        }
        assert_eq!(number(&entry::<18>(b"ab", &[7, u64::MAX]), 10), u64::MAX);
    }
}
