//! Texts that wait in a temporary file for a second pass.

use std::cell::RefCell;
use std::io::{self, Read as _, Seek as _, SeekFrom, Write as _};
use std::ops::Range;

use tempfile::SpooledTempFile;

use super::temporary::in_temporary_file;

/// Up to this size, a spool stays in memory.
const IN_MEMORY: usize = 1 << 20;
/// Number of bytes written or read at once.
const PIECE: usize = 64 << 10;

/// Texts that are appended one by one, and then read: in order, or one by its place.
pub(crate) struct Spool {
    file: RefCell<SpooledTempFile>,
    /// What is not written yet.
    pending: Vec<u8>,
    /// Number of bytes of all texts, with the lengths before them.
    length: u64,
}

impl Spool {
    pub(crate) fn new() -> Self {
        Self {
            file: RefCell::new(tempfile::spooled_tempfile(IN_MEMORY)),
            pending: Vec::with_capacity(PIECE),
            length: 0,
        }
    }

    /// Appends a text, given in parts; returns its place.
    pub(crate) fn push(&mut self, parts: &[&[u8]]) -> io::Result<u64> {
        let place = self.length;
        let size: usize = parts.iter().map(|part| part.len()).sum();
        // A text may contain any byte, so its length stands before it instead of a separator behind
        // it.
        let header = u32::try_from(size).map_err(|_| io::ErrorKind::FileTooLarge)?;
        self.pending.extend(header.to_le_bytes());
        for part in parts {
            self.pending.extend_from_slice(part);
        }
        self.length += 4 + size as u64;
        if self.pending.len() >= PIECE {
            self.flush()?;
        }
        Ok(place)
    }

    /// The place of the next text.
    pub(crate) fn length(&self) -> u64 {
        self.length
    }

    fn flush(&mut self) -> io::Result<()> {
        let written = self.file.get_mut().write_all(&self.pending);
        written.map_err(in_temporary_file)?;
        self.pending.clear();
        Ok(())
    }

    /// Ends the writing.
    pub(crate) fn finish(mut self) -> io::Result<FinishedSpool> {
        self.flush()?;
        Ok(FinishedSpool {
            file: self.file,
            length: self.length,
            window: RefCell::default(),
        })
    }
}

/// A spool that is read.
pub(crate) struct FinishedSpool {
    file: RefCell<SpooledTempFile>,
    length: u64,
    window: RefCell<ReadWindow>,
}

/// The bytes that were read last for texts by their place.
#[derive(Default)]
struct ReadWindow {
    start: u64,
    bytes: Vec<u8>,
    /// The place after the text that was asked for last.
    after: u64,
}

impl ReadWindow {
    /// The text at this place, if all of it is here.
    fn text(&mut self, place: u64) -> Option<Vec<u8>> {
        let at = usize::try_from(place.checked_sub(self.start)?).ok()?;
        let bytes = self.bytes.get(at..).filter(|bytes| bytes.len() >= 4)?;
        let size = 4 + size(bytes);
        let text = bytes.get(4..size)?.to_vec();
        self.after = place + size as u64;
        Some(text)
    }
}

impl FinishedSpool {
    fn read_at(&self, place: u64, bytes: &mut [u8]) -> io::Result<()> {
        let mut file = self.file.borrow_mut();
        let found = file.seek(SeekFrom::Start(place));
        let read = found.and_then(|_| file.read_exact(bytes));
        read.map_err(in_temporary_file)
    }

    /// The text at this place.
    pub(crate) fn get(&self, place: u64) -> io::Result<Vec<u8>> {
        let mut window = self.window.borrow_mut();
        if let Some(text) = window.text(place) {
            return Ok(text);
        }
        // Most texts are short: one read gets both the length and the text, and in a run of texts many
        // more.
        let is_next = place == window.after;
        let piece = if is_next { PIECE as u64 } else { 512 };
        let piece = usize::try_from((self.length - place).min(piece)).expect("it is small");
        window.start = place;
        window.bytes.resize(piece, 0);
        self.read_at(place, &mut window.bytes)?;
        let size = 4 + size(&window.bytes);
        if size > piece {
            window.bytes.resize(size, 0);
            self.read_at(place + piece as u64, &mut window.bytes[piece..])?;
        }
        Ok(window.text(place).expect("it was just read"))
    }

    /// All texts in order, each with its place.
    pub(crate) fn texts(&self) -> Texts<'_> {
        self.texts_in(0..self.length)
    }

    /// The texts from one place up to another.
    pub(crate) fn texts_in(&self, places: Range<u64>) -> Texts<'_> {
        Texts {
            spool: self,
            read: places.start,
            end: places.end,
            buffer: Vec::new(),
            at: 0,
        }
    }
}

fn size(bytes: &[u8]) -> usize {
    let size = bytes[..4].try_into().expect("four bytes");
    usize::try_from(u32::from_le_bytes(size)).expect("a text fits in memory")
}

/// Reads the texts of a spool in order, lending one at a time.
pub(crate) struct Texts<'a> {
    spool: &'a FinishedSpool,
    /// Up to where the file is in the buffer or was.
    read: u64,
    /// Where the last text ends in the file.
    end: u64,
    buffer: Vec<u8>,
    /// Where the next text begins in the buffer.
    at: usize,
}

impl Texts<'_> {
    /// The next text and its place, which is read again unless it is skipped.
    pub(crate) fn peek(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        let place = self.read - (self.buffer.len() - self.at) as u64;
        if place == self.end {
            return Ok(None);
        }
        self.fill(4)?;
        let size = size(&self.buffer[self.at..]);
        self.fill(4 + size)?;
        let start = self.at + 4;
        Ok(Some((place, &self.buffer[start..start + size])))
    }

    /// Skips the text that was peeked at.
    pub(crate) fn skip(&mut self) {
        self.at += 4 + size(&self.buffer[self.at..]);
    }

    /// The next text and its place.
    pub(crate) fn next(&mut self) -> io::Result<Option<(u64, &[u8])>> {
        let Some((place, text)) = self.peek()? else {
            return Ok(None);
        };
        let size = text.len();
        self.skip();
        Ok(Some((place, &self.buffer[self.at - size..self.at])))
    }

    /// Makes sure that so many bytes are in the buffer.
    fn fill(&mut self, count: usize) -> io::Result<()> {
        if self.buffer.len() - self.at >= count {
            return Ok(());
        }
        // What was handed out is dropped, so the buffer stays at about one piece and one text.
        self.buffer.drain(..self.at);
        self.at = 0;
        let there = self.buffer.len();
        let left = usize::try_from(self.end - self.read).unwrap_or(usize::MAX);
        // A text may be longer than a piece, and the file may end before one.
        let more = (count - there).max(PIECE).min(left);
        self.buffer.resize(there + more, 0);
        self.spool.read_at(self.read, &mut self.buffer[there..])?;
        self.read += more as u64;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_back_in_order_and_by_place() {
        let texts: Vec<Vec<u8>> = (0..3000_usize)
            .map(|number| vec![b'x'; number * number % 1700])
            .chain([vec![b'y'; 3 * PIECE], Vec::new()])
            .collect();
        let mut spool = Spool::new();
        let push = |text: &Vec<u8>| spool.push(&[&text[..text.len() / 2], &text[text.len() / 2..]]);
        let places = texts.iter().map(push);
        let places: Vec<u64> = places.map(|place| place.expect("written")).collect();
        assert!(spool.length > 2 * IN_MEMORY as u64);
        let spool = spool.finish().expect("written");
        let mut read = spool.texts();
        for (index, text) in texts.iter().enumerate() {
            let (place, found) = read.next().expect("read").expect("there is one more");
            assert!(place == places[index] && found == text, "text {index}");
            // Reading one by its place does not disturb the order.
            let other = texts.len() - 1 - index;
            let found = spool.get(places[other]).expect("read");
            assert!(found == texts[other], "text {other}");
        }
        assert_eq!(read.next().expect("read"), None);
        let mut last = spool.texts_in(places[3001]..spool.length);
        assert_eq!(last.next().expect("read"), Some((places[3001], &b""[..])));
    }

    #[test]
    fn an_empty_spool_has_no_text() {
        let spool = Spool::new().finish().expect("nothing is written");
        assert_eq!(spool.texts().next().expect("nothing is read"), None);
    }
}
