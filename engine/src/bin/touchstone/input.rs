//! Reads lines from standard input in bounded memory.

use std::io::{self, BufRead, ErrorKind};

/// The maximal line length in bytes: a game of more than 200,000 moves.
pub(crate) const MAX_LINE: usize = 1 << 20;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum LineFault {
    #[error("the line has {bytes} bytes, at most {most} are read")]
    TooLong { bytes: u64, most: usize },
    #[error("column {column}: the byte {byte:#04x} is not UTF-8 text")]
    NotText {
        /// Offset of the first such byte, from 1.
        column: usize,
        byte: u8,
    },
}

/// A rejected line, as far as it is known.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct BadLine {
    /// Its beginning; bytes that are not UTF-8 are replaced by U+FFFD.
    pub(crate) beginning: String,
    pub(crate) fault: LineFault,
}

/// Splits the input into lines. A line that is too long is read to its end and discarded.
#[derive(Debug)]
pub(crate) struct InputLines<R> {
    input: R,
    most: usize,
}

impl<R: BufRead> InputLines<R> {
    /// Lines of at most `most` bytes.
    pub(crate) fn new(input: R, most: usize) -> Self {
        Self { input, most }
    }

    /// The next line, or `None` at the end of the input. The last line needs no line ending.
    pub(crate) fn next_line(&mut self) -> io::Result<Option<Result<String, BadLine>>> {
        let mut kept = Vec::new();
        let mut length = 0;
        loop {
            let bytes = match self.input.fill_buf() {
                Err(error) if error.kind() == ErrorKind::Interrupted => continue,
                other => other?,
            };
            let end = bytes.iter().position(|&byte| byte == b'\n');
            if bytes.is_empty() && length == 0 {
                return Ok(None);
            }
            let is_last = end.is_some() || bytes.is_empty();
            let part = &bytes[..end.unwrap_or(bytes.len())];
            kept.extend_from_slice(&part[..part.len().min(self.most - kept.len())]);
            length += part.len() as u64;
            let used = part.len() + usize::from(end.is_some());
            self.input.consume(used);
            if is_last {
                return Ok(Some(self.judge(kept, length)));
            }
        }
    }

    fn judge(&self, kept: Vec<u8>, length: u64) -> Result<String, BadLine> {
        if length > kept.len() as u64 {
            let fault = LineFault::TooLong {
                bytes: length,
                most: self.most,
            };
            return Err(BadLine::new(&kept, fault));
        }
        String::from_utf8(kept).map_err(|error| {
            let offset = error.utf8_error().valid_up_to();
            let fault = LineFault::NotText {
                column: offset + 1,
                byte: error.as_bytes()[offset],
            };
            BadLine::new(error.as_bytes(), fault)
        })
    }
}

impl BadLine {
    fn new(kept: &[u8], fault: LineFault) -> Self {
        Self {
            beginning: String::from_utf8_lossy(kept).into_owned(),
            fault,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::BufReader;

    use super::*;

    /// Reads all lines, as text or error, through a buffer of `buffer` bytes.
    fn read(input: &[u8], buffer: usize) -> Vec<String> {
        let mut lines = InputLines::new(BufReader::with_capacity(buffer, input), 8);
        let mut all = Vec::new();
        while let Some(line) = lines.next_line().expect("memory is readable") {
            all.push(line.unwrap_or_else(|bad| format!("{}: {}", bad.beginning, bad.fault)));
        }
        all
    }

    #[test]
    fn lines_are_bounded_text() {
        let long = "12345678: the line has 9 bytes, at most 8 are read";
        let garbage = "go\u{fffd}: column 3: the byte 0xff is not UTF-8 text";
        let rows: [(&[u8], &[&str]); 8] = [
            (b"", &[]),
            (b"\n", &[""]),
            (b"uci\nquit\n", &["uci", "quit"]),
            (b"uci\r\nquit", &["uci\r", "quit"]),
            (b"12345678\n123456789\nuci\n", &["12345678", long, "uci"]),
            (b"123456789", &[long]),
            (b"go\xff\nuci", &[garbage, "uci"]),
            ("é\n".as_bytes(), &["é"]),
        ];
        for (input, expected) in rows {
            for buffer in [1, 2, 3, 64] {
                assert_eq!(read(input, buffer), expected, "{input:?}, buffer {buffer}");
            }
        }
    }
}
