//! Best moves that nobody has asked for: a second answer to one `go`.
//!
//! One that comes before the next `go` is passed over. One that is read only after it could be taken for its
//! answer: that is so if it is legal there. If it is not, and repeats the engine's last answer, it is the second
//! answer to the question before, and the true one is still waited for.

use std::time::{Duration, Instant};

use chess::notation::uci_move::UciMove;
use uci::grammar::{BestMove, Message};
use uci::{EngineError, Event, News, Surprise, Wait};

use super::{Incident, Player, PlayerError, now};
use crate::model::FaultKind;

/// The most time that is spent on what has come unasked.
const DRAIN: Duration = Duration::from_millis(5);

/// What is known of them in a game.
#[derive(Debug, Default)]
pub(super) struct Extra {
    count: u32,
    /// The first, and after how many moves of the engine it came.
    first: Option<(String, u32)>,
    /// How many moves the engine has answered with.
    pub(super) answers: u32,
    /// The last of them.
    last_answer: Option<UciMove>,
}

impl Extra {
    /// Another one.
    pub(super) fn note(&mut self, best_move: &BestMove) {
        self.count += 1;
        let first = || (best_move.reply.to_string(), self.answers);
        self.first.get_or_insert_with(first);
    }

    /// The answer to what was asked.
    pub(super) fn answer(&mut self, best_move: &BestMove) {
        self.answers += 1;
        self.last_answer = best_move.reply.as_move();
    }

    /// Whether it is the last answer once more.
    pub(super) fn repeats(&self, m: UciMove) -> bool {
        self.last_answer == Some(m)
    }
}

/// The best move of an event that ends no search.
pub(super) fn extra(event: &Event) -> Option<&BestMove> {
    match event {
        Event::Surprise {
            surprise: Surprise::BestMove,
            message: Message::BestMove(best_move),
        } => Some(best_move),
        _ => None,
    }
}

impl Player {
    /// Takes what has come while nothing was asked.
    pub(super) fn drain(&mut self) -> Result<(), PlayerError> {
        let Some(client) = &mut self.client else {
            return Ok(());
        };
        let end = now() + DRAIN;
        loop {
            let at = now();
            match client.next_news(at)? {
                Some(News::Event(_, event)) => {
                    if let Some(best_move) = extra(&event) {
                        self.extra.note(best_move);
                    }
                }
                Some(News::Info(_)) => {}
                None => return Ok(()),
            }
            if at >= end {
                return Ok(());
            }
        }
    }

    /// Asks the engine to say when it has dealt with all that was sent, and looks at all that it says meanwhile.
    pub(super) fn ping(&mut self, timeout: Duration) -> Result<Instant, PlayerError> {
        let client = self.client.as_mut().ok_or(PlayerError::NotRunning)?;
        let end = client.send_line("isready")? + timeout;
        loop {
            match client.next_news(end)? {
                // Sent past the session, so that what it answers is unasked for there.
                Some(News::Event(
                    at,
                    Event::Surprise {
                        surprise: Surprise::ReadyOk,
                        ..
                    },
                )) => return Ok(at),
                Some(News::Event(_, event)) => {
                    if let Some(best_move) = extra(&event) {
                        self.extra.note(best_move);
                    }
                }
                Some(News::Info(_)) | None => {}
            }
            if now() > end {
                return Err(PlayerError::from(EngineError::TimedOut {
                    wait: Wait::ReadyOk,
                    after: timeout,
                }));
            }
        }
    }

    /// The best moves that came in this game without having been asked for, as one fault that costs nothing.
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
                "it sent {what} that no go had asked for, the first, {answer}, after its move {moves}; they were \
                 passed over"
            ),
        })
    }
}
