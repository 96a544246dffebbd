//! Thinking on the opponent's time.
//!
//! The engine's time begins with the byte that tells it that the opponent has moved: of `ponderhit`,
//! or, if another move came, of `stop`. What it takes to stop is its own time.
//!
//! A best move that comes early, against the protocol, answers the position if the expected move was
//! played, and is thrown away if not.

use std::time::{Duration, Instant};

use chess::notation::uci_move::UciMove;
use uci::grammar::{BestMove, Go};
use uci::{Event, News};

use super::think::{StopAt, Task, Thought, UNWATCHED};
use super::{Insight, Player, PlayerError, now};

/// The most time that reading along takes at once: the opponent's move is being waited for.
const READ_ALONG: Duration = Duration::from_millis(5);

/// A search on a move that has not been played.
#[derive(Debug)]
pub(super) struct Pondering {
    /// That move.
    pub(super) expected: UciMove,
    insight: Insight,
    /// A best move that came before it was asked for.
    early: Option<BestMove>,
    /// What went wrong meanwhile. It comes out at the engine's turn.
    failed: Option<PlayerError>,
    /// Bytes printed before.
    bytes_before: u64,
}

impl Player {
    /// Has the engine think about what follows `expected`, the last move of `position`. What goes
    /// wrong comes out at its next turn.
    pub fn ponder(&mut self, position: &str, expected: UciMove, go: &Go) {
        let bytes_before = self.received_bytes();
        let failed = self.search(position, go).err();
        self.pondering = Some(Pondering {
            expected,
            insight: Insight::default(),
            early: None,
            failed,
            bytes_before,
        });
    }

    /// Reads what a pondering engine prints, so that it never waits for us.
    pub fn read_along(&mut self) {
        if let Some(mut pondering) = self.pondering.take() {
            self.read_into(&mut pondering);
            self.pondering = Some(pondering);
        }
    }

    fn read_into(&mut self, pondering: &mut Pondering) {
        let end = now() + READ_ALONG;
        while pondering.failed.is_none() && pondering.early.is_none() {
            let at = now();
            match self.next_now(at) {
                Ok(Some(News::Info(line))) => pondering.insight.note(&line.text),
                Ok(Some(News::Event(_, Event::BestMove { best_move, .. }))) => {
                    pondering.early = Some(best_move);
                }
                Ok(Some(News::Event(..))) => {}
                Ok(None) => return,
                Err(error) => pondering.failed = Some(error),
            }
            if at >= end {
                return;
            }
        }
    }

    /// What has come by now.
    fn next_now(&mut self, now: Instant) -> Result<Option<News>, PlayerError> {
        Ok(self.running()?.next_news(now)?)
    }

    /// The expected move was played.
    pub(super) fn hit(
        &mut self,
        mut pondering: Pondering,
        task: &Task<'_>,
        idle: &mut dyn FnMut(),
    ) -> Result<Thought, PlayerError> {
        self.read_into(&mut pondering);
        if let Some(error) = pondering.failed {
            return Err(error);
        }
        // Too early, against the protocol, but it answers the position on the board.
        if let Some(best_move) = pondering.early {
            self.extra.answer(&best_move);
            return Ok(Thought {
                best_move,
                insight: pondering.insight,
                elapsed: Duration::ZERO,
            });
        }
        let since = self.running()?.ponderhit(UNWATCHED)?;
        let watch = self.watch(since, task.clock, pondering.bytes_before);
        let stop_at = StopAt::of(&self.config.limits);
        let searched = self.wait_for_answer(watch, pondering.insight, stop_at, task, idle)?;
        Ok(Thought {
            best_move: searched.best_move,
            insight: searched.insight,
            elapsed: searched.at.saturating_duration_since(since),
        })
    }

    /// Another move was played. Gives how long it took until the engine was ready to think about it:
    /// a ping makes sure that no second answer to what it pondered on is still to come.
    pub(super) fn miss(
        &mut self,
        pondering: Pondering,
        clock: Option<Duration>,
    ) -> Result<Duration, PlayerError> {
        let stopped = self.call_off(pondering, clock)?;
        let timeout = self.patience.stop;
        let since = now();
        self.ping(timeout)?;
        Ok(stopped + (now() - since))
    }

    /// Ends a search whose move was not played, within the time the clock has; gives how long that
    /// took. Its best move is thrown away.
    pub(super) fn call_off(
        &mut self,
        mut pondering: Pondering,
        clock: Option<Duration>,
    ) -> Result<Duration, PlayerError> {
        self.read_into(&mut pondering);
        if let Some(error) = pondering.failed {
            return Err(error);
        }
        if pondering.early.is_some() {
            return Ok(Duration::ZERO);
        }
        let stop = self.patience.stop;
        let grace = if clock.is_some_and(|clock| clock < stop) {
            UNWATCHED
        } else {
            stop
        };
        let since = self.running()?.stop(grace)?;
        let watch = self.watch(since, clock, pondering.bytes_before);
        let searched = self.wait_for_move(watch, pondering.insight, None, &mut || {})?;
        Ok(searched.at.saturating_duration_since(since))
    }
}
