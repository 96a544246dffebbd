//! Pondering: searching on the opponent's time.
//!
//! The engine's clock starts when we send the opponent's move: with `ponderhit`, or with `stop` if
//! another move was played. The time it takes to stop is its own.
//!
//! A `bestmove` that comes before either, against the protocol, is the engine's answer if the
//! expected move is played, and is discarded otherwise.

use std::time::Duration;

use chess::notation::uci_move::UciMove;
use uci::grammar::{BestMove, Go};
use uci::{Client, EngineEvent, SessionEvent};

use super::think::{MoveResult, ThinkTask, UNWATCHED, stop_at};
use super::{Player, PlayerError, PvUse, SearchInfo, now};

/// Maximum time spent on reading its output at once: the opponent's move is being waited for.
const READ_ALONG: Duration = Duration::from_millis(5);

#[derive(Debug)]
pub(super) struct Pondering {
    pub(super) expected: UciMove,
    search_info: SearchInfo,
    /// A `bestmove` that came before `ponderhit` or `stop`.
    early: Option<BestMove>,
    /// An error during pondering, reported at the engine's turn.
    failed: Option<PlayerError>,
    bytes_before: u64,
}

impl Player {
    /// Lets the engine ponder on `position`, whose last move is `expected`. Errors are reported at
    /// its next turn.
    pub fn ponder(&mut self, position: &str, expected: UciMove, go: &Go) {
        let bytes_before = self.received_bytes();
        let failed = self.search(position, go).err();
        self.pondering = Some(Pondering {
            expected,
            search_info: SearchInfo::default(),
            early: None,
            failed,
            bytes_before,
        });
    }

    /// Reads the output of a pondering engine, so that it never blocks on a full pipe.
    pub fn read_along(&mut self) {
        if let Some(mut pondering) = self.pondering.take() {
            self.read_into(&mut pondering);
            self.pondering = Some(pondering);
        } else if self.engine.as_ref().is_some_and(Client::ponders_by_itself) {
            // An error shows again at its turn.
            let _ = self.drain();
        }
    }

    fn read_into(&mut self, pondering: &mut Pondering) {
        let (end, keeps_pv) = (now() + READ_ALONG, self.pv_use != PvUse::Ignored);
        while pondering.failed.is_none() && pondering.early.is_none() {
            let at = now();
            let news = self.running().and_then(|engine| Ok(engine.next_news(at)?));
            match news {
                Ok(Some(EngineEvent::Info(line))) => {
                    pondering.search_info.note(&line.text, keeps_pv);
                }
                Ok(Some(EngineEvent::Event(_, SessionEvent::BestMove { best_move, .. }))) => {
                    pondering.early = Some(best_move);
                }
                Ok(Some(EngineEvent::Event(..))) => {}
                Ok(None) => return,
                Err(error) => pondering.failed = Some(error),
            }
            if at >= end {
                return;
            }
        }
    }

    pub(super) fn hit(
        &mut self,
        mut pondering: Pondering,
        task: &ThinkTask<'_>,
        idle: &mut dyn FnMut(),
    ) -> Result<MoveResult, PlayerError> {
        self.read_into(&mut pondering);
        if let Some(error) = pondering.failed {
            return Err(error);
        }
        // Early, against the protocol, but it answers the position on the board.
        if let Some(best_move) = pondering.early {
            self.extra.answer(&best_move);
            return Ok(MoveResult {
                best_move,
                search_info: pondering.search_info,
                elapsed: Duration::ZERO,
            });
        }
        let since = self.running()?.ponderhit(UNWATCHED)?;
        let watch = self.watch(since, task.clock, pondering.bytes_before);
        let stop_at = stop_at(&self.config.limits);
        let searched = self.wait_for_answer(watch, pondering.search_info, stop_at, task, idle)?;
        Ok(MoveResult {
            best_move: searched.best_move,
            search_info: searched.search_info,
            elapsed: searched.at.saturating_duration_since(since),
        })
    }

    /// Handles a ponder miss and returns the time until the engine was ready for a new search. A
    /// ping ensures that no second answer to the ponder search is still to come.
    pub(super) fn miss(
        &mut self,
        pondering: Pondering,
        clock: Option<Duration>,
    ) -> Result<Duration, PlayerError> {
        let stopped = self.cancel_pondering(pondering, clock)?;
        let timeout = self.patience.readyok;
        let since = now();
        self.ping(timeout)?;
        Ok(stopped + (now() - since))
    }

    /// Stops a ponder search, within the time left on the clock, and returns how long that took.
    /// Its `bestmove` is discarded.
    pub(super) fn cancel_pondering(
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
        // If the clock runs out first, the engine loses by that.
        let grace = if clock.is_some_and(|clock| clock < stop) {
            UNWATCHED
        } else {
            stop
        };
        let since = self.running()?.stop(grace)?;
        let watch = self.watch(since, clock, pondering.bytes_before);
        let searched = self.wait_for_move(watch, pondering.search_info, None, &mut || {})?;
        Ok(searched.at.saturating_duration_since(since))
    }
}
