//! What is printed, and when it is written.

use std::io::{self, Write};
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::bank::{Buffer, Dialect, Stream};

/// Where an engine prints: answers as the dialect does, all else on standard output.
pub(crate) struct Output {
    dialect: Dialect,
    /// What of answers is not written yet.
    waiting: Mutex<Vec<u8>>,
}

/// What a pipe holds back at most.
const BLOCK: usize = 4096;

impl Output {
    pub(crate) fn new(dialect: Dialect) -> Self {
        Self {
            dialect,
            waiting: Mutex::default(),
        }
    }

    fn waiting(&self) -> MutexGuard<'_, Vec<u8>> {
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Prints lines that are no part of an answer, all in one write, and what had to be printed before.
    pub(crate) fn say(&self, lines: &[impl AsRef<str>]) -> io::Result<()> {
        let text = lines
            .iter()
            .flat_map(|line| [line.as_ref(), &self.dialect.newline]);
        let text: String = text.collect();
        let mut waiting = self.waiting();
        if self.dialect.output == Stream::Out && self.dialect.buffer != Buffer::Ready {
            self.write_all(&mut waiting)?;
        }
        crate::process::say(text.as_bytes())
    }

    /// Prints a line of an answer.
    pub(crate) fn line(&self, line: &str) -> io::Result<()> {
        let Dialect {
            prefix, newline, ..
        } = &self.dialect;
        // A template may have several lines.
        let lines = line.split('\n');
        lines
            .map(|line| format!("{prefix}{line}{newline}"))
            .try_for_each(|line| self.text(&line))
    }

    /// Prints a part of an answer that is no line yet.
    pub(crate) fn text(&self, text: &str) -> io::Result<()> {
        let mut waiting = self.waiting();
        if self.dialect.latin_one {
            let bytes = text.chars().map(|c| u8::try_from(c).unwrap_or(b'?'));
            waiting.extend(bytes);
        } else {
            waiting.extend_from_slice(text.as_bytes());
        }
        match self.dialect.buffer {
            Buffer::None | Buffer::Line => self.write_all(&mut waiting),
            Buffer::Block if waiting.len() >= BLOCK => self.write_all(&mut waiting),
            Buffer::Answer | Buffer::Block | Buffer::Ready => Ok(()),
        }
    }

    /// The end of an answer.
    pub(crate) fn end_answer(&self) -> io::Result<()> {
        let mut waiting = self.waiting();
        let newline = self.dialect.newline.as_bytes();
        if self.dialect.no_last_newline && waiting.ends_with(newline) {
            let length = waiting.len() - newline.len();
            waiting.truncate(length);
        }
        match self.dialect.buffer {
            Buffer::Block | Buffer::Ready => Ok(()),
            Buffer::None | Buffer::Line | Buffer::Answer => self.write_all(&mut waiting),
        }
    }

    /// Writes what waits.
    pub(crate) fn write(&self) -> io::Result<()> {
        self.write_all(&mut self.waiting())
    }

    fn write_all(&self, waiting: &mut Vec<u8>) -> io::Result<()> {
        let mut stream: Box<dyn Write> = match self.dialect.output {
            Stream::Out => Box::new(io::stdout().lock()),
            Stream::Err => Box::new(io::stderr().lock()),
        };
        let at_once = match self.dialect.buffer {
            Buffer::None => 1,
            _ => usize::MAX,
        };
        for piece in waiting.chunks(at_once) {
            stream.write_all(piece)?;
            stream.flush()?;
        }
        waiting.clear();
        Ok(())
    }
}
