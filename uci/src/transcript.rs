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
pub enum LineDirection {
    /// Sent by us, on the engine's standard input.
    Sent,
    /// Printed by the engine on its standard output.
    Received,
    /// Printed by the engine on its standard error.
    Stderr,
}

/// One line of a transcript.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TranscriptLine {
    /// Time since the start.
    pub since_start: Duration,
    /// Sender and stream.
    pub direction: LineDirection,
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
    entries: Vec<TranscriptLine>,
    /// Number of entries before the omitted lines.
    head: usize,
    left_out: u64,
}

impl FromIterator<TranscriptLine> for Transcript {
    /// A transcript of lines in chronological order.
    fn from_iter<I: IntoIterator<Item = TranscriptLine>>(entries: I) -> Self {
        let entries: Vec<TranscriptLine> = entries.into_iter().collect();
        Self {
            head: entries.len(),
            entries,
            left_out: 0,
        }
    }
}

impl Transcript {
    /// The lines kept, first to last.
    pub fn entries(&self) -> impl Iterator<Item = &TranscriptLine> {
        self.entries.iter()
    }

    /// Number of lines omitted between beginning and end.
    pub fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Adds a line of standard error, sorted by time.
    pub(crate) fn insert_stderr(&mut self, since_start: Duration, text: &str) {
        let is_before = |entry: &TranscriptLine| entry.since_start <= since_start;
        let place = self.entries.partition_point(is_before);
        // As long as nothing is left out, all lines belong to the beginning.
        self.head += usize::from(place < self.head || self.left_out == 0);
        let (kept, end) = shortened(text);
        let entry = TranscriptLine {
            since_start,
            direction: LineDirection::Stderr,
            text: [kept, end].concat(),
        };
        self.entries.insert(place, entry);
    }
}

/// Records the lines of a long conversation in bounded memory, without an allocation for each: the
/// first and the last ones, as their bytes in a row.
#[derive(Debug)]
pub(crate) struct Recorder {
    start: Instant,
    head: TranscriptLines,
    tail: TranscriptLines,
    left_out: u64,
}

#[derive(Debug, Default)]
struct TranscriptLines {
    lines: VecDeque<RecordedLine>,
    /// The texts of all lines.
    bytes: VecDeque<u8>,
}

#[derive(Debug)]
struct RecordedLine {
    since_start: Duration,
    direction: LineDirection,
    length: usize,
}

impl Recorder {
    /// Times count from `start`.
    pub(crate) fn new(start: Instant) -> Self {
        Self {
            start,
            head: TranscriptLines::default(),
            tail: TranscriptLines::default(),
            left_out: 0,
        }
    }

    /// The time since the start.
    pub(crate) fn since_start(&self, at: Instant) -> Duration {
        at.saturating_duration_since(self.start)
    }

    /// Adds a line after all others.
    pub(crate) fn push(&mut self, direction: LineDirection, at: Instant, text: &str) {
        let since_start = self.since_start(at);
        let Self { head, tail, .. } = self;
        let is_head = tail.lines.is_empty() && head.lines.len() < HEAD && head.bytes.len() < ROOM;
        let part = if is_head { head } else { tail };
        if !is_head {
            while part.lines.len() >= TAIL || part.bytes.len() > ROOM {
                part.drop_first();
                self.left_out += 1;
            }
        }
        let (kept, end) = shortened(text);
        part.bytes.extend(kept.as_bytes());
        part.bytes.extend(end.as_bytes());
        part.lines.push_back(RecordedLine {
            since_start,
            direction,
            length: kept.len() + end.len(),
        });
    }

    /// All lines that are kept.
    pub(crate) fn transcript(&self) -> Transcript {
        let entries = self.head.entries().chain(self.tail.entries());
        Transcript {
            entries: entries.collect(),
            head: self.head.lines.len(),
            left_out: self.left_out,
        }
    }
}

impl TranscriptLines {
    fn drop_first(&mut self) {
        if let Some(line) = self.lines.pop_front() {
            self.bytes.drain(..line.length);
        }
    }

    fn entries(&self) -> impl Iterator<Item = TranscriptLine> {
        let mut bytes = self.bytes.iter().copied();
        self.lines.iter().map(move |line| {
            let text: Vec<u8> = bytes.by_ref().take(line.length).collect();
            TranscriptLine {
                since_start: line.since_start,
                direction: line.direction,
                text: String::from_utf8(text).expect("whole characters were kept"),
            }
        })
    }
}

/// What is kept of a line, and the mark that something is missing.
fn shortened(text: &str) -> (&str, &'static str) {
    let kept = &text[..text.floor_char_boundary(WIDTH)];
    (kept, if kept.len() < text.len() { "…" } else { "" })
}

impl fmt::Display for TranscriptLine {
    /// Writes one line, with control characters escaped to protect terminals.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = Printable(self.direction, &self.text);
        write!(f, "{:7.3} {line}", self.since_start.as_secs_f64())
    }
}

/// Displays a line as in a transcript, without its time.
pub(crate) struct Printable<'a>(pub(crate) LineDirection, pub(crate) &'a str);

impl fmt::Display for Printable<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(direction, text) = self;
        f.write_str(match direction {
            LineDirection::Sent => "> ",
            LineDirection::Received => "< ",
            LineDirection::Stderr => "! ",
        })?;
        text.chars().try_for_each(|letter| match letter {
            '\t' => write!(f, "\t"),
            _ if letter.is_control() => write!(f, "{}", letter.escape_default()),
            _ => write!(f, "{letter}"),
        })
    }
}

/// Logs a remark about the engine with this process id.
pub(crate) fn log_remark(process: u32, text: &str) {
    log::debug!(target: "uci", "[{process}] # {text}");
}

/// Logs a line of the engine with this process id: for `--verbose` of the programs.
pub(crate) fn log_line(process: u32, direction: LineDirection, text: &str) {
    log::debug!(target: "uci", "[{process}] {}", Printable(direction, text.trim_end()));
}

impl fmt::Display for Transcript {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (head, tail) = self.entries.split_at(self.head);
        head.iter().try_for_each(|entry| writeln!(f, "{entry}"))?;
        if self.left_out > 0 {
            writeln!(f, "        … {} lines left out", self.left_out)?;
        }
        tail.iter().try_for_each(|entry| writeln!(f, "{entry}"))
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
        let mut recorder = Recorder::new(start);
        recorder.push(LineDirection::Sent, at(0), "uci");
        recorder.push(LineDirection::Received, at(12), "uci\u{1b}[31mok\0");
        recorder.push(LineDirection::Received, at(12_345), "late");
        let mut transcript = recorder.transcript();
        transcript.insert_stderr(recorder.since_start(at(13)), "a\twarning");
        assert_eq!(
            transcript.to_string(),
            "  0.000 > uci\n  0.012 < uci\\u{1b}[31mok\\u{0}\n  0.013 ! a\twarning\n 12.345 < late\n"
        );
    }

    #[test]
    fn head_and_tail_are_kept() {
        let start = start();
        let mut recorder = Recorder::new(start);
        for number in 0..2000 {
            let at = start + Duration::from_millis(number);
            recorder.push(LineDirection::Received, at, &number.to_string());
        }
        let mut transcript = recorder.transcript();
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
        for ms in [5, 700, 1500] {
            transcript.insert_stderr(Duration::from_millis(ms), "!");
        }
        let text = transcript.to_string();
        for part in [
            "0.005 ! !\n  0.006 <",
            "  0.199 < 199\n        … 1000 lines left out\n  0.700 ! !\n  1.200 < 1200\n",
            "1.500 ! !\n  1.501 <",
        ] {
            assert!(text.contains(part), "{part}");
        }
    }

    #[test]
    fn long_lines_do_not_fill_the_memory() {
        let start = start();
        let mut recorder = Recorder::new(start);
        let line = "x".repeat(WIDTH);
        for _ in 0..2000 {
            recorder.push(LineDirection::Received, start, &line);
        }
        let transcript = recorder.transcript();
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
        let mut recorder = Recorder::new(start);
        recorder.push(LineDirection::Received, start, &"☃".repeat(WIDTH));
        let transcript = recorder.transcript();
        let entry = transcript.entries().next().expect("an entry");
        assert_eq!(entry.text.len(), WIDTH - 1 + "…".len());
    }
}
