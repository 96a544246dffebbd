//! A long list of numbers in a temporary file.

use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};

use tempfile::SpooledTempFile;

use super::temporary::in_temporary_file;

/// Up to this size, the list stays in memory.
const IN_MEMORY: usize = 1 << 20;
/// Number of bytes written or read at once.
const PIECE: usize = 32 << 10;

/// Numbers that are appended one by one, then read by their index.
pub(crate) struct Numbers {
    file: SpooledTempFile,
    len: u64,
    /// What is not written yet.
    pending: Vec<u8>,
    /// The piece of the file read last, and where it begins.
    piece: Vec<u8>,
    start: u64,
}

impl Numbers {
    pub(crate) fn new() -> Self {
        Self {
            file: tempfile::spooled_tempfile(IN_MEMORY),
            len: 0,
            pending: Vec::new(),
            piece: Vec::new(),
            start: 0,
        }
    }

    pub(crate) const fn len(&self) -> u64 {
        self.len
    }

    /// Appends a number; none may have been read.
    pub(crate) fn push(&mut self, number: u64) -> io::Result<()> {
        self.pending.extend(number.to_be_bytes());
        self.len += 1;
        if self.pending.len() == PIECE {
            self.flush()?;
        }
        Ok(())
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.file.write_all(&self.pending);
        written.map_err(in_temporary_file)?;
        self.pending.clear();
        Ok(())
    }

    /// The number of this index.
    ///
    /// # Panics
    ///
    /// When there are fewer numbers.
    pub(crate) fn get(&mut self, index: u64) -> io::Result<u64> {
        assert!(index < self.len, "{index} of {}", self.len);
        if !self.pending.is_empty() {
            self.flush()?;
        }
        let place = index * 8;
        let is_here = (self.start..self.start + self.piece.len() as u64).contains(&place);
        if !is_here {
            // Numbers in order are read many at a time, single ones alone.
            let is_next = place == self.start + self.piece.len() as u64;
            let size = if is_next { PIECE as u64 } else { 8 };
            self.piece.clear();
            let found = self.file.seek(SeekFrom::Start(place));
            let mut rest = (&mut self.file).take(size);
            let read = found.and_then(|_| rest.read_to_end(&mut self.piece));
            read.map_err(in_temporary_file)?;
            self.start = place;
        }
        let at = usize::try_from(place - self.start).expect("within a piece");
        let bytes = self.piece[at..at + 8].try_into().expect("eight bytes");
        Ok(u64::from_be_bytes(bytes))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_back() {
        let number = |index: u64| index.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        let mut numbers = Numbers::new();
        // More than stay in memory.
        let count = 3 * IN_MEMORY as u64 / 16;
        for index in 0..count {
            numbers.push(number(index)).expect("written");
        }
        assert_eq!(numbers.len(), count);
        for index in (0..count).step_by(997).chain([count - 1, 0, 1, count / 2]) {
            assert_eq!(numbers.get(index).expect("read"), number(index));
        }
    }
}
