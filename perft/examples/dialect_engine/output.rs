//! What is printed, and when it is written.

use std::io::{self, Write};

use crate::bank::{Buffer, Dialect, Stream};

/// Where an engine prints.
pub(crate) struct Output {
    stream: Stream,
    buffer: Buffer,
    newline: String,
    prefix: String,
    no_last_newline: bool,
    latin_one: bool,
    waiting: Vec<u8>,
}

/// What a pipe holds back at most.
const BLOCK: usize = 4096;

impl Output {
    pub(crate) fn new(dialect: &Dialect) -> Self {
        Self {
            stream: dialect.output,
            buffer: dialect.buffer,
            newline: dialect.newline.clone(),
            prefix: dialect.prefix.clone(),
            no_last_newline: dialect.no_last_newline,
            latin_one: dialect.latin_one,
            waiting: Vec::new(),
        }
    }

    /// For what is not part of an answer: on standard output, without the prefix.
    pub(crate) fn plain(dialect: &Dialect) -> Self {
        Self {
            stream: Stream::Out,
            prefix: String::new(),
            no_last_newline: false,
            ..Self::new(dialect)
        }
    }

    pub(crate) fn line(&mut self, line: &str) -> io::Result<()> {
        // A template may have several lines.
        for line in line.split('\n') {
            let text = format!("{}{line}{}", self.prefix, self.newline);
            self.add(&text);
            match self.buffer {
                Buffer::None | Buffer::Line => self.write()?,
                Buffer::Block if self.waiting.len() >= BLOCK => self.write()?,
                Buffer::Answer | Buffer::Block => {}
            }
        }
        Ok(())
    }

    /// Text that is no line yet.
    pub(crate) fn text(&mut self, text: &str) -> io::Result<()> {
        self.add(text);
        if matches!(self.buffer, Buffer::None | Buffer::Line) {
            self.write()?;
        }
        Ok(())
    }

    fn add(&mut self, text: &str) {
        if self.latin_one {
            let bytes = text.chars().map(|c| u8::try_from(c).unwrap_or(b'?'));
            self.waiting.extend(bytes);
        } else {
            self.waiting.extend_from_slice(text.as_bytes());
        }
    }

    /// The end of an answer.
    pub(crate) fn end_answer(&mut self) -> io::Result<()> {
        if self.no_last_newline && self.waiting.ends_with(self.newline.as_bytes()) {
            self.waiting
                .truncate(self.waiting.len() - self.newline.len());
        }
        if self.buffer == Buffer::Block {
            return Ok(());
        }
        self.write()
    }

    /// The end of the program.
    pub(crate) fn write(&mut self) -> io::Result<()> {
        let waiting = std::mem::take(&mut self.waiting);
        let mut stream: Box<dyn Write> = match self.stream {
            Stream::Out => Box::new(io::stdout().lock()),
            Stream::Err => Box::new(io::stderr().lock()),
        };
        if self.buffer == Buffer::None {
            for byte in waiting {
                stream.write_all(&[byte])?;
                stream.flush()?;
            }
            return Ok(());
        }
        stream.write_all(&waiting)?;
        stream.flush()
    }
}

/// What this program, not the engine that it plays, has to say.
#[expect(clippy::print_stderr, reason = "an example reports its own errors")]
pub(crate) fn complain(message: &str) {
    eprintln!("dialect_engine: {message}");
}
