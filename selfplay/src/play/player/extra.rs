//! Extra `bestmove` lines: a second answer to one `go`.
//!
//! One that arrives before the next `go` is ignored. One that is read only after it could be taken
//! for the answer to that `go`, and is if it is legal there. If it is illegal and repeats the
//! engine's last answer, it counts as a second answer to the previous `go`, and we keep waiting for
//! the real one.

use std::time::{Duration, Instant};

use chess::notation::uci_move::UciMove;
use uci::grammar::{BestMove, Message};
use uci::{EngineError, EngineEvent, SessionEvent, Wait};

use super::{Incident, Player, PlayerError, now};
use crate::model::FaultKind;

/// Maximum time spent on reading unsolicited output at once.
const DRAIN: Duration = Duration::from_millis(5);

/// The extra `bestmove` lines of a game.
#[derive(Debug, Default)]
pub(super) struct Extra {
    count: u32,
    /// The first one, and the number of the engine's answers before it.
    first: Option<(String, u32)>,
    pub(super) answers: u32,
    last_answer: Option<UciMove>,
}

impl Extra {
    pub(super) fn note(&mut self, best_move: &BestMove) {
        self.count += 1;
        let first = || (best_move.reply.to_string(), self.answers);
        self.first.get_or_insert_with(first);
    }

    /// Notes an event, if it is a `bestmove` that does not end a search.
    fn note_event(&mut self, event: &SessionEvent) {
        if let Some(best_move) = extra(event) {
            self.note(best_move);
        }
    }

    pub(super) fn answer(&mut self, best_move: &BestMove) {
        self.answers += 1;
        self.last_answer = best_move.reply.as_move();
    }

    /// Returns true if `m` repeats the last answer.
    pub(super) fn repeats(&self, m: UciMove) -> bool {
        self.last_answer == Some(m)
    }
}

/// The `bestmove` of an event that does not end a search.
pub(super) fn extra(event: &SessionEvent) -> Option<&BestMove> {
    match event {
        SessionEvent::Surprise(Message::BestMove(best_move)) => Some(best_move),
        _ => None,
    }
}

impl Player {
    /// Reads what has arrived while no search was running.
    pub(super) fn drain(&mut self) -> Result<(), PlayerError> {
        let Some(engine) = &mut self.engine else {
            return Ok(());
        };
        let end = now() + DRAIN;
        loop {
            let at = now();
            match engine.next_news(at)? {
                Some(EngineEvent::Event(_, event)) => self.extra.note_event(&event),
                Some(EngineEvent::Info(_)) => {}
                None => return Ok(()),
            }
            // An engine that prints without end must not keep the game from going on.
            if at >= end {
                return Ok(());
            }
        }
    }

    /// Sends `isready` and handles all output up to `readyok`.
    pub(super) fn ping(&mut self, timeout: Duration) -> Result<Instant, PlayerError> {
        let engine = self.engine.as_mut().ok_or(PlayerError::NotRunning)?;
        let end = engine.send_line("isready")? + timeout;
        loop {
            match engine.next_news(end)? {
                // Sent past the session, to which the answer is therefore unexpected.
                Some(EngineEvent::Event(at, SessionEvent::Surprise(Message::ReadyOk))) => {
                    return Ok(at);
                }
                Some(EngineEvent::Event(_, event)) => self.extra.note_event(&event),
                Some(EngineEvent::Info(_)) | None => {}
            }
            if now() > end {
                return Err(PlayerError::from(EngineError::TimedOut {
                    wait: Wait::ReadyOk,
                    after: timeout,
                }));
            }
        }
    }

    /// The extra `bestmove` lines of this game, as a single incident.
    pub fn take_extra_bestmoves(&mut self) -> Option<Incident> {
        let Extra { count, first, .. } = std::mem::take(&mut self.extra);
        let (answer, moves) = first?;
        let what = match count {
            1 => "a bestmove".to_owned(),
            count => format!("{count} bestmoves"),
        };
        Some(Incident {
            kind: FaultKind::ExtraBestmove,
            detail: format!(
                "it sent {what} without a go, the first, {answer}, after its move {moves}; they were \
                 ignored"
            ),
        })
    }
}
