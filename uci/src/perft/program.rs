//! Programs that are started once per question.

use std::time::Duration;

use super::answer::Failure;
use super::ask::{MOST_LINES, shortened};
use super::port::{Heard, Port};
use super::wire::{Start, Wire};

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
    for argument in arguments {
        start.command = start.command.argument(argument);
    }
    match Wire::open(&start) {
        Err(error) => Called {
            lines: Err(Failure::Crashed {
                how: error.to_string(),
            }),
            transcript: String::new(),
            counts_on_stderr: false,
        },
        Ok(mut wire) => {
            // It reads only its arguments.
            wire.client.close_stdin();
            let lines = listen(&mut wire, timeout, has_moves);
            Called {
                lines,
                transcript: wire.client.transcript().to_string(),
                counts_on_stderr: wire.counts_on_stderr(),
            }
        }
    }
}

fn listen(wire: &mut Wire, timeout: Duration, has_moves: bool) -> Result<Vec<String>, Failure> {
    let deadline = wire.now() + timeout;
    let mut lines = Vec::new();
    loop {
        match wire.hear(deadline.saturating_sub(wire.now())) {
            Heard::Line(_) if lines.len() > MOST_LINES => return Err(Failure::endless()),
            Heard::Line(text) if text.contains(|letter: char| letter.is_ascii_digit()) => {
                lines.push(shortened(&text));
            }
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
