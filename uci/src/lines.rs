//! Splits bytes into lines, in bounded memory.

use std::collections::VecDeque;
use std::time::Instant;

/// Maximum length of a line in bytes: far more than any engine needs.
pub const MAX_LINE: usize = 1 << 20;

/// One line of output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Line {
    /// The line, without its line end; invalid UTF-8 is replaced by U+FFFD.
    pub text: String,
    /// When its last byte was read.
    pub at: Instant,
    /// Number of bytes beyond [`MAX_LINE`] that were dropped.
    pub cut: usize,
}

/// Splits bytes into lines as they arrive.
#[derive(Debug)]
pub(super) struct LineSplitter {
    max_line: usize,
    /// The unfinished line.
    open: Vec<u8>,
    /// Number of its bytes that were dropped.
    cut: usize,
    /// Complete lines that have not been taken yet.
    ready: VecDeque<Line>,
    /// Bytes of text in `ready`.
    ready_bytes: usize,
    /// The memory of lines that are no longer needed.
    spare: Vec<String>,
}

/// How many lines' memory is kept, and how many bytes of each at most.
const SPARE: (usize, usize) = (8, 4096);

impl LineSplitter {
    /// Lines longer than `max_line` bytes are cut.
    pub(super) fn new(max_line: usize) -> Self {
        Self {
            max_line,
            open: Vec::new(),
            cut: 0,
            ready: VecDeque::new(),
            ready_bytes: 0,
            spare: Vec::new(),
        }
    }

    /// Adds bytes that were read at `at`.
    pub(super) fn feed(&mut self, mut bytes: &[u8], at: Instant) {
        while let Some(end) = memchr::memchr(b'\n', bytes) {
            self.extend(&bytes[..end]);
            self.end_line(at);
            bytes = &bytes[end + 1..];
        }
        self.extend(bytes);
    }

    /// Completes an unfinished last line at the end of the output.
    pub(super) fn finish(&mut self, at: Instant) {
        if !self.open.is_empty() || self.cut > 0 {
            self.end_line(at);
        }
    }

    /// Takes the oldest line that was read by `deadline`.
    pub(super) fn pop(&mut self, deadline: Instant) -> Option<Line> {
        // A line that was read later is late, though it is at hand.
        let line = self.ready.pop_front_if(|line| line.at <= deadline)?;
        self.ready_bytes -= line.text.len();
        Some(line)
    }

    /// Takes back the memory of a line, for later ones.
    pub(super) fn recycle(&mut self, mut text: String) {
        let (lines, bytes) = SPARE;
        if self.spare.len() < lines && text.capacity() <= bytes {
            text.clear();
            self.spare.push(text);
        }
    }

    /// Memory used by lines not taken yet, in bytes.
    pub(super) fn held(&self) -> usize {
        self.ready_bytes + self.ready.len() * size_of::<Line>()
    }

    /// Whether no line is ready.
    pub(super) fn is_empty(&self) -> bool {
        self.ready.is_empty()
    }

    fn extend(&mut self, bytes: &[u8]) {
        let kept = bytes.len().min(self.max_line - self.open.len());
        self.open.extend_from_slice(&bytes[..kept]);
        self.cut += bytes.len() - kept;
    }

    fn end_line(&mut self, at: Instant) {
        // Engines on Windows end lines with `\r\n`.
        let bytes = self.open.strip_suffix(b"\r").unwrap_or(&self.open);
        let mut text = self.spare.pop().unwrap_or_default();
        match std::str::from_utf8(bytes) {
            Ok(line) => text.push_str(line),
            Err(_) => text.push_str(&String::from_utf8_lossy(bytes)),
        }
        self.ready_bytes += text.len();
        let cut = std::mem::take(&mut self.cut);
        self.ready.push_back(Line { text, at, cut });
        self.open.clear();
        // Long lines are rare; their memory need not stay allocated.
        self.open.shrink_to(SPARE.1);
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    fn now() -> Instant {
        #[expect(clippy::disallowed_methods, reason = "any time will do")]
        Instant::now()
    }

    /// Feeds `chunks`, then the end; returns each line with its number of dropped bytes.
    fn split(max_line: usize, chunks: &[&[u8]]) -> Vec<(String, usize)> {
        let at = now();
        let mut splitter = LineSplitter::new(max_line);
        for chunk in chunks {
            splitter.feed(chunk, at);
        }
        splitter.finish(at);
        std::iter::from_fn(|| splitter.pop(at))
            .map(|line| (line.text, line.cut))
            .collect()
    }

    #[test]
    fn lines_end_where_they_should() {
        let rows: [(&[&[u8]], &[&str]); 6] = [
            (&[b"uciok\nread", b"yok\r\n\n"], &["uciok", "readyok", ""]),
            (&[b"no end"], &["no end"]),
            (&[b""], &[]),
            (&[b"a\0b\r\r\nc\rd\n"], &["a\0b\r", "c\rd"]),
            (&[b"\xff\xfe\n\xc3", b"\xa9\n"], &["\u{fffd}\u{fffd}", "é"]),
            (&[b"\r", b"\n"], &[""]),
        ];
        for (chunks, expected) in rows {
            let lines: Vec<String> = split(99, chunks).into_iter().map(|line| line.0).collect();
            assert_eq!(lines, expected, "{chunks:?}");
        }
    }

    #[test]
    fn long_lines_are_cut_and_say_so() {
        let chunks: [&[u8]; 4] = [b"abc", b"defg\nxy", b"zz\nabcd\n", b"longer"];
        let expected = [("abcd", 3), ("xyzz", 0), ("abcd", 0), ("long", 2)];
        assert_eq!(
            split(4, &chunks),
            expected.map(|(text, cut)| (text.to_owned(), cut))
        );
    }

    #[test]
    fn lines_read_too_late_wait() {
        let (early, late) = (now(), now() + Duration::from_secs(1));
        let mut splitter = LineSplitter::new(9);
        splitter.feed(b"a\n", early);
        splitter.feed(b"b\n", late);
        assert_eq!(splitter.held(), 2 + 2 * size_of::<Line>());
        assert_eq!(
            splitter.pop(early).map(|line| line.text).as_deref(),
            Some("a")
        );
        assert_eq!(splitter.pop(early), None);
        assert!(!splitter.is_empty());
        assert_eq!(
            splitter.pop(late).map(|line| line.text).as_deref(),
            Some("b")
        );
        assert!(splitter.is_empty());
        assert_eq!(splitter.held(), 0);
    }
}
