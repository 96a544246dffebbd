//! The time-stamped transcript of a conversation with an engine.

use std::collections::VecDeque;
use std::fmt;
use std::time::{Duration, Instant};

/// Number of lines kept from the start.
const HEAD: usize = 200;
/// Number of lines kept from the end.
const TAIL: usize = 800;
/// Maximum number of bytes kept of a line.
const WIDTH: usize = 4096;
/// Maximum number of bytes kept from the start, and from the end.
const ROOM: usize = 256 << 10;

/// The sender of a line, and its stream.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Direction {
    /// Sent by us, on the engine's standard input.
    Sent,
    /// Printed by the engine on its standard output.
    Received,
    /// Printed by the engine on its standard error.
    Stderr,
}

/// One line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Entry {
    /// Time since the start.
    pub since_start: Duration,
    /// Sender and stream.
    pub direction: Direction,
    /// The line; very long ones are shortened and end in `…`.
    pub text: String,
}

/// The lines in both directions and of standard error, in chronological order. Of a long
/// conversation, the beginning and the end are kept. It displays as
///
/// ```text
///   0.000 > uci
///   0.012 < uciok
///   0.013 ! a line of standard error
/// ```
#[derive(Clone, Debug)]
pub struct Transcript {
    start: Instant,
    head: Part,
    tail: Part,
    left_out: u64,
}

#[derive(Clone, Debug, Default)]
struct Part {
    entries: VecDeque<Entry>,
    /// Bytes of text in the entries.
    bytes: usize,
}

impl Transcript {
    /// An empty transcript. Times count from `start`.
    pub fn new(start: Instant) -> Self {
        Self {
            start,
            head: Part::default(),
            tail: Part::default(),
            left_out: 0,
        }
    }

    /// Adds a line, sorted by time among the lines kept from the end.
    pub fn push(&mut self, direction: Direction, at: Instant, text: &str) {
        let since_start = at.saturating_duration_since(self.start);
        let Self { head, tail, .. } = self;
        let is_head = tail.entries.is_empty() && head.entries.len() < HEAD && head.bytes < ROOM;
        let part = if is_head { head } else { tail };
        while !is_head && (part.entries.len() >= TAIL || part.bytes > ROOM) {
            let Some(oldest) = part.entries.pop_front() else {
                break;
            };
            part.bytes -= oldest.text.len();
            self.left_out += 1;
        }
        let entry = Entry {
            since_start,
            direction,
            text: shortened(text),
        };
        part.bytes += entry.text.len();
        let later = part.entries.iter().rev();
        let later = later.take_while(|entry| entry.since_start > since_start);
        part.entries
            .insert(part.entries.len() - later.count(), entry);
    }

    /// The lines kept, first to last.
    pub fn entries(&self) -> impl Iterator<Item = &Entry> {
        self.head.entries.iter().chain(&self.tail.entries)
    }

    /// Number of lines omitted between beginning and end.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }
}

/// A shortened copy of a text that uses no more memory than needed.
fn shortened(text: &str) -> String {
    let kept = &text[..text.floor_char_boundary(WIDTH)];
    if kept.len() < text.len() {
        [kept, "…"].concat()
    } else {
        kept.to_owned()
    }
}

impl fmt::Display for Entry {
    /// Writes one line, with control characters escaped to protect terminals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = Printable(self.direction, &self.text);
        write!(f, "{:7.3} {line}", self.since_start.as_secs_f64())
    }
}

/// Displays a line as in a transcript, without its time.
pub(crate) struct Printable<'a>(pub(crate) Direction, pub(crate) &'a str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(direction, text) = self;
        f.write_str(match direction {
            Direction::Sent => "> ",
            Direction::Received => "< ",
            Direction::Stderr => "! ",
        })?;
        text.chars().try_for_each(|letter| match letter {
            '\t' => write!(f, "\t"),
            _ if letter.is_control() => write!(f, "{}", letter.escape_default()),
            _ => write!(f, "{letter}"),
        })
    }
}

/// Logs a line of the engine with this process id: for `--verbose` of the programs.
pub(crate) fn log_line(process: u32, direction: Direction, text: &str) {
    log::debug!(target: "uci", "[{process}] {}", Printable(direction, text.trim_end()));
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for entry in &self.head.entries {
            writeln!(f, "{entry}")?;
        }
        if self.left_out > 0 {
            writeln!(f, "        … {} lines left out", self.left_out)?;
        }
        let mut tail = self.tail.entries.iter();
        tail.try_for_each(|entry| writeln!(f, "{entry}"))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn start() -> Instant {
        #[expect(clippy::disallowed_methods, reason = "any time will do")]
        Instant::now()
    }

    #[test]
    fn lines_are_shown_as_people_like_them() {
        let start = start();
        let at = |ms| start + Duration::from_millis(ms);
        let mut transcript = Transcript::new(start);
        transcript.push(Direction::Sent, at(0), "uci");
        transcript.push(Direction::Received, at(12), "uci\u{1b}[31mok\0");
        transcript.push(Direction::Received, at(12_345), "late");
        transcript.push(Direction::Stderr, at(13), "a\twarning");
        assert_eq!(
            transcript.to_string(),
            "  0.000 > uci\n  0.012 < uci\\u{1b}[31mok\\u{0}\n  0.013 ! a\twarning\n 12.345 < late\n"
        );
    }

    #[test]
    fn head_and_tail_are_kept() {
        let start = start();
        let mut transcript = Transcript::new(start);
        for number in 0..2000 {
            let at = start + Duration::from_millis(number);
            transcript.push(Direction::Received, at, &number.to_string());
        }
        assert_eq!(transcript.left_out(), 1000);
        let kept: Vec<&str> = transcript.entries().map(|entry| &*entry.text).collect();
        assert_eq!(kept.len(), 1000);
        assert_eq!(
            (kept[0], kept[199], kept[200], kept[999]),
            ("0", "199", "1200", "1999")
        );
        assert!(
            transcript
                .to_string()
                .contains("  0.199 < 199\n        … 1000 lines left out\n")
        );
    }

    #[test]
    fn long_lines_do_not_fill_the_memory() {
        let start = start();
        let mut transcript = Transcript::new(start);
        let line = "x".repeat(WIDTH);
        for _ in 0..2000 {
            transcript.push(Direction::Received, start, &line);
        }
        let bytes: usize = transcript.entries().map(|entry| entry.text.len()).sum();
        assert!(bytes <= 2 * (ROOM + WIDTH), "{bytes}");
        assert_eq!(
            transcript.entries().count() as u64 + transcript.left_out(),
            2000
        );
    }

    #[test]
    fn long_lines_are_shortened_between_characters() {
        let start = start();
        let mut transcript = Transcript::new(start);
        transcript.push(Direction::Received, start, &"☃".repeat(WIDTH));
        let entry = transcript.entries().next().expect("an entry");
        assert_eq!(entry.text.len(), WIDTH - 1 + "…".len());
    }
}
