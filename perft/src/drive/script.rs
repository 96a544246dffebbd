//! Programs that are called anew for each question: `PROGRAM DEPTH FEN [MOVES]`.

use std::num::NonZeroU32;
use std::time::Duration;

use super::ask::MOST_LINES;
use super::dialect::script_arguments;
use super::line::Line;
use super::port::{Heard, Port};
use super::wire::{Start, Wire};
use crate::subject::{Failure, Route};

/// What a script says to one question, and all that passed between us.
pub(crate) struct Called {
    pub(crate) lines: Result<Vec<Line>, Failure>,
    pub(crate) transcript: String,
}

/// Calls a script, and takes all that it says until it ends.
pub(crate) fn call(start: &Start, route: &Route, depth: NonZeroU32, timeout: Duration) -> Called {
    let mode = route.root().castling_mode();
    let mut start = start.clone();
    for argument in script_arguments(route, depth, mode) {
        start.command = start.command.argument(argument);
    }
    match Wire::open(&start) {
        Err(error) => Called {
            lines: Err(Failure::Crashed {
                how: error.to_string(),
            }),
            transcript: String::new(),
        },
        Ok(mut wire) => {
            // It is asked by its arguments alone.
            wire.client.close_stdin();
            let moves = route.position().legal_move_count();
            let lines = listen(&mut wire, timeout, moves > 0);
            Called {
                lines,
                transcript: wire.client.transcript().to_string(),
            }
        }
    }
}

/// A script that ends without a word has crashed, unless there is nothing to say.
fn listen(wire: &mut Wire, timeout: Duration, has_moves: bool) -> Result<Vec<Line>, Failure> {
    let deadline = wire.now() + timeout;
    let mut lines = Vec::new();
    loop {
        match wire.hear(deadline.saturating_sub(wire.now())) {
            Heard::Line(_) if lines.len() > MOST_LINES => return Err(Failure::endless()),
            Heard::Line(text) => lines.extend(Line::parse(&text).with_numbers()),
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
