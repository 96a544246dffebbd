//! The edge: an engine process as a [`Port`].

use std::time::Duration;

use super::answer::Failure;
use super::ask::{Incoming, MOST_LINES, Port, has_digit, has_number, shortened};
use super::line::{AnswerLine, LineReading, parse};
use crate::process::now;
use crate::{Client, EngineProtocol, Received, Start};

/// Time for an engine that closed its output to end.
const END: Duration = Duration::from_secs(3);

/// The count of the start position at depth 1, about which engines are asked first.
const FIRST_COUNT: u64 = 20;
/// Numbers in a line that may be the total: depth, count, time, rate.
const MOST_NUMBERS: usize = 4;

impl Start {
    /// A copy that merges standard error into standard output.
    pub(super) fn with_stderr(&self) -> Self {
        let mut start = self.clone();
        start.command.merge_stderr = true;
        start
    }

    /// A copy that sets `MultiPV`, whatever else it is set to.
    pub(super) fn with_lines(&self, most: usize) -> Self {
        let mut start = self.clone();
        let option = ("MultiPV".to_owned(), Some(most.to_string()));
        start.options.push(option);
        start
    }

    /// A copy for an engine that does not speak UCI, or is asked before it is told to.
    pub(super) fn by_lines(&self) -> Self {
        Self {
            protocol: EngineProtocol::Lines,
            ..self.clone()
        }
    }
}

impl Client {
    /// Whether an engine that closed its output was killed, such as by a segmentation fault.
    fn was_killed(&mut self) -> bool {
        let exit = self.wait(now() + END);
        exit.is_some_and(|exit| exit.is_violent())
    }

    /// How it ended, and its last line on standard error.
    pub(super) fn how_it_ended(&mut self) -> String {
        let exit = match self.wait(now() + END) {
            Some(exit) => format!("the engine {exit}"),
            None => "the engine closed its output but lives on".to_owned(),
        };
        match self.last_words() {
            Some(words) => format!("{exit}: {words}"),
            None => exit,
        }
    }

    /// Whether a line of standard error may be part of the first known answer: a row, or the count
    /// among a few numbers. A log has more numbers in a line.
    pub(super) fn counts_on_stderr(&self) -> bool {
        let may_be_part = |text: &str| {
            let numbers = text.split(|letter: char| !letter.is_ascii_digit());
            let numbers = numbers.filter(|digits| !digits.is_empty()).count();
            let usual = LineReading::all().next().expect("the usual one");
            let parts = parse(text, usual);
            let is_row = |part: &AnswerLine| matches!(part, AnswerLine::Row(_));
            parts.iter().any(is_row) || numbers <= MOST_NUMBERS && has_number(text, FIRST_COUNT)
        };
        let lines = self.process().stderr();
        lines.iter().any(|line| may_be_part(&line.text))
    }
}

impl Port for Client {
    fn send(&mut self, line: &str) {
        // An engine that does not read is detected when listening: it ends, or does not answer.
        let _ = self.send_line(line);
    }

    fn hear(&mut self, wait: Duration) -> Incoming {
        match self.next_line(now() + wait) {
            Ok(Received::Line(line)) => Incoming::Line(line.text),
            Ok(Received::TimedOut) => Incoming::Nothing,
            Ok(Received::Cancelled) => Incoming::Cancelled,
            Ok(Received::Eof) | Err(_) => Incoming::End,
        }
    }

    fn now(&self) -> Duration {
        self.age()
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
    let mut client = match Client::start(&start) {
        Ok(client) => client,
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
    client.close_stdin();
    Called {
        lines: listen(&mut client, timeout, has_moves),
        transcript: client.transcript().to_string(),
        counts_on_stderr: client.counts_on_stderr(),
    }
}

fn listen(client: &mut Client, timeout: Duration, has_moves: bool) -> Result<Vec<String>, Failure> {
    let deadline = client.now() + timeout;
    let mut lines = Vec::new();
    loop {
        match client.hear(deadline.saturating_sub(client.now())) {
            Incoming::Line(_) if lines.len() > MOST_LINES => return Err(Failure::endless()),
            Incoming::Line(text) if has_digit(&text) => lines.push(shortened(&text)),
            Incoming::Line(_) => {}
            Incoming::End => {
                let said_enough = !lines.is_empty() || !has_moves;
                if said_enough && !client.was_killed() {
                    return Ok(lines);
                }
                return Err(Failure::Crashed {
                    how: client.how_it_ended(),
                });
            }
            Incoming::Nothing => return Err(Failure::TimedOut { after: timeout }),
            Incoming::Cancelled => return Err(Failure::Cancelled),
        }
    }
}
