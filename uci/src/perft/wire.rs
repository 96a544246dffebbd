//! The edge: an engine process as a [`Port`].

use std::fmt;
use std::sync::LazyLock;
use std::time::{Duration, Instant};

use regex_lite::Regex;

use super::answer::Failure;
use super::ask::{Heard, MOST_LINES, Port, has_digit, shortened};
use crate::process::now;
use crate::{Cancel, Client, CommandLine, EngineError, Received};

/// Time limit for `uciok` from a known UCI engine, and for the first `readyok` of any engine.
pub(super) const START: Duration = Duration::from_mins(1);
/// Time for an engine that closed its output to end.
const END: Duration = Duration::from_secs(3);

/// How an engine is started.
#[derive(Clone, Debug)]
pub struct Start {
    /// The command line of the engine.
    pub command: CommandLine,
    /// UCI options to set, with their values.
    pub options: Vec<(String, String)>,
    /// A flag that ends every wait once it is set.
    pub cancel: Cancel,
}

impl Start {
    /// A copy that merges standard error into standard output.
    pub(super) fn with_stderr(&self) -> Self {
        let mut start = self.clone();
        start.command.merge_stderr = true;
        start
    }
}

/// A running engine.
pub(super) struct Wire {
    pub(super) client: Client,
    start: Instant,
}

impl Wire {
    /// Starts the engine without sending anything.
    pub(super) fn open(start: &Start) -> Result<Self, EngineError> {
        Ok(Self {
            client: Client::start(&start.command, start.cancel.clone())?,
            start: now(),
        })
    }

    /// Starts the engine, performs the UCI handshake within `patience`, and sets its options.
    pub(super) fn open_uci(start: &Start, patience: Duration) -> Result<Self, NotReady> {
        let mut wire = Self::open(start)?;
        match wire.settle(start, patience) {
            Ok(()) => Ok(wire),
            Err(error) => Err(NotReady {
                error,
                last_words: wire.last_words(),
                is_mute: wire.client.process().received_bytes() == 0,
            }),
        }
    }

    /// Performs the handshake, sets the options, and waits until the engine is ready.
    fn settle(&mut self, start: &Start, patience: Duration) -> Result<(), EngineError> {
        self.client.handshake(patience)?;
        for (name, value) in &start.options {
            self.client.set_option(name, Some(value))?;
        }
        // Some allocate their memory only at the start of a game.
        self.client.new_game(START)
    }

    /// Whether an engine that closed its output was killed, such as by a segmentation fault.
    pub(super) fn was_killed(&mut self) -> bool {
        let exit = self.client.wait(now() + END);
        exit.is_some_and(|exit| exit.is_violent())
    }

    /// How it ended, and its last line on standard error.
    pub(super) fn how_it_ended(&mut self) -> String {
        let exit = match self.client.wait(now() + END) {
            Some(exit) => format!("the engine {exit}"),
            None => "the engine closed its output but lives on".to_owned(),
        };
        match self.last_words() {
            Some(words) => format!("{exit}: {words}"),
            None => exit,
        }
    }

    /// Whether a line of standard error contains a number.
    pub(super) fn counts_on_stderr(&self) -> bool {
        let lines = self.client.process().stderr();
        lines.iter().any(|line| has_digit(&line.text))
    }

    /// Its last line on standard error, except stack traces.
    fn last_words(&self) -> Option<String> {
        let stderr = self.client.process().stderr();
        let lines: Vec<&str> = stderr.iter().map(|line| line.text.as_str()).collect();
        last_words(&lines)
    }
}

fn last_words(lines: &[&str]) -> Option<String> {
    let says_something = |line: &&&str| !line.trim().is_empty() && !TRACE.is_match(line);
    let last = lines.iter().rev().find(says_something)?;
    Some(last.trim().to_owned())
}

/// Lines that follow the error messages of Rust and Java.
static TRACE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^(?:note: |stack backtrace:|\s+\d+: |\s+at )").expect("the pattern is well formed")
});

/// Why an engine did not become ready.
#[derive(Debug)]
pub(super) struct NotReady {
    pub(super) error: EngineError,
    /// Its last line on standard error.
    last_words: Option<String>,
    /// Whether it has printed nothing at all.
    pub(super) is_mute: bool,
}

impl From<EngineError> for NotReady {
    fn from(error: EngineError) -> Self {
        Self {
            error,
            last_words: None,
            is_mute: true,
        }
    }
}

impl fmt::Display for NotReady {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.error)?;
        match (&self.error, &self.last_words) {
            (EngineError::Ended { .. }, Some(words)) => write!(f, ": {words}"),
            _ => Ok(()),
        }
    }
}

impl Port for Wire {
    fn send(&mut self, line: &str) {
        // An engine that does not read is detected when listening: it ends, or does not answer.
        let _ = self.client.send_line(line);
    }

    fn hear(&mut self, wait: Duration) -> Heard {
        match self.client.next_line(now() + wait) {
            Ok(Received::Line(line)) => Heard::Line(line.text),
            Ok(Received::TimedOut) => Heard::Nothing,
            Ok(Received::Cancelled) => Heard::Cancelled,
            Ok(Received::Eof) | Err(_) => Heard::End,
        }
    }

    fn now(&self) -> Duration {
        self.start.elapsed()
    }
}

/// A program's output for one question, and the transcript.
pub(super) struct Called {
    pub(super) lines: Result<Vec<String>, Failure>,
    pub(super) transcript: String,
    /// Whether there are numbers on its standard error.
    pub(super) counts_on_stderr: bool,
}

/// Runs a program with additional arguments, and collects its output until it ends. A program that
/// ends without output has crashed, unless an empty answer is possible.
pub(super) fn call(
    start: &Start,
    arguments: Vec<String>,
    timeout: Duration,
    has_moves: bool,
) -> Called {
    let mut start = start.clone();
    start.command = start.command.arguments(arguments);
    let mut wire = match Wire::open(&start) {
        Ok(wire) => wire,
        Err(error) => {
            let how = error.to_string();
            return Called {
                lines: Err(Failure::Crashed { how }),
                transcript: String::new(),
                counts_on_stderr: false,
            };
        }
    };
    // It reads only its arguments.
    wire.client.close_stdin();
    Called {
        lines: listen(&mut wire, timeout, has_moves),
        transcript: wire.client.transcript().to_string(),
        counts_on_stderr: wire.counts_on_stderr(),
    }
}

fn listen(wire: &mut Wire, timeout: Duration, has_moves: bool) -> Result<Vec<String>, Failure> {
    let deadline = wire.now() + timeout;
    let mut lines = Vec::new();
    loop {
        match wire.hear(deadline.saturating_sub(wire.now())) {
            Heard::Line(_) if lines.len() > MOST_LINES => return Err(Failure::endless()),
            Heard::Line(text) if has_digit(&text) => lines.push(shortened(&text)),
            Heard::Line(_) => {}
            Heard::End => {
                let said_enough = !lines.is_empty() || !has_moves;
                if said_enough && !wire.was_killed() {
                    return Ok(lines);
                }
                return Err(Failure::Crashed {
                    how: wire.how_it_ended(),
                });
            }
            Heard::Nothing => return Err(Failure::TimedOut { after: timeout }),
            Heard::Cancelled => return Err(Failure::Cancelled),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_come_before_the_trace() {
        let words = |text: &str| last_words(&text.lines().collect::<Vec<_>>());
        for (text, expected) in rows![
            "thread 'main' panicked at a.rs:1:1:\nno king\nnote: run with `RUST_BACKTRACE=1`\n" => "no king";
            "thread 'main' panicked at a.rs:1:1:\nno king\nstack backtrace:\n   0: std::panic\n             at /a.rs:3\n" =>
                "no king";
            "terminate called\n  what():  no king\n\n" => "what():  no king";
            "Exception in thread \"main\" NoKing\n\tat A.main(A.java:3)" =>
                "Exception in thread \"main\" NoKing";
            "  File \"a.py\", line 1\nKeyError: 'k'" => "KeyError: 'k'";
        ] {
            assert_eq!(words(text).as_deref(), Some(expected), "{text}");
        }
        assert_eq!(words("\n"), None);
    }
}
