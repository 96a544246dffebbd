//! One move: a search from `go` to `bestmove`.

use std::time::{Duration, Instant};

use chess::notation::uci_move::UciMove;
use uci::grammar::{BestMove, Go};
use uci::obedience::SearchExtent;
use uci::{EngineEvent, SessionEvent, SessionState};

use super::extra::extra;
use super::info::InfoWatch;
use super::{OnWait, PendingAnswer, Player, PlayerError, PvUse, SLICE, SearchInfo, now};
use crate::model::{FaultKind, Limits};
use crate::play::event::AwaitedAnswer;

/// A session timeout that never expires, since the watch ends the wait.
pub(super) const UNWATCHED: Duration = Duration::MAX;

pub struct ThinkTask<'a> {
    pub position: &'a str,
    /// The search limits, given the time that this move has already used.
    pub go: &'a dyn Fn(Duration) -> Go,
    /// Maximum time for the move; `None` without a clock.
    pub clock: Option<Duration>,
    /// The last move, if any: it may be the expected move of a ponder search.
    pub last_move: Option<UciMove>,
    pub is_legal: &'a dyn Fn(UciMove) -> bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveResult {
    pub best_move: BestMove,
    pub search_info: SearchInfo,
    /// From our last byte sent to the engine's line received.
    pub elapsed: Duration,
}

/// The limits that an engine does not enforce itself.
pub(super) fn stop_at(limits: &Limits) -> Option<SearchExtent> {
    limits.send_stop.then_some(SearchExtent {
        nodes: limits.nodes,
        depth: limits.depth,
    })
}

/// Moves longer than this are shown, since users wonder what a game waits for.
const SLOW: Duration = Duration::from_secs(5);

pub(super) struct Searched {
    pub(super) best_move: BestMove,
    pub(super) search_info: SearchInfo,
    pub(super) at: Instant,
}

impl Player {
    /// Lets the engine search for a move. `idle` is called now and then while it searches.
    ///
    /// # Errors
    ///
    /// If it does not answer in time, prints too much or exits; if the work is cancelled.
    pub fn think(
        &mut self,
        task: &ThinkTask<'_>,
        idle: &mut dyn FnMut(),
    ) -> Result<MoveResult, PlayerError> {
        let gone = match self.pondering.take() {
            Some(pondering) if Some(pondering.expected) == task.last_move => {
                return self.hit(pondering, task, idle);
            }
            Some(pondering) => self.miss(pondering, task.clock)?,
            None => Duration::ZERO,
        };
        let clock = task.clock.map(|clock| clock.saturating_sub(gone));
        let before = self.received_bytes();
        let since = self.search(task.position, &(task.go)(gone))?;
        let watch = self.watch(since, clock, before);
        let stop_at = stop_at(&self.config.limits);
        let searched = self.wait_for_answer(watch, SearchInfo::default(), stop_at, task, idle)?;
        Ok(MoveResult {
            best_move: searched.best_move,
            search_info: searched.search_info,
            elapsed: gone + searched.at.saturating_duration_since(since),
        })
    }

    pub(super) fn search(&mut self, position: &str, go: &Go) -> Result<Instant, PlayerError> {
        let sent = self
            .running()?
            .start_written_search(position, go, UNWATCHED)?;
        for one in &self.running()?.take_passed_over() {
            self.extra.note(one);
        }
        Ok(sent)
    }

    /// Creates the watch for a search that began with our last byte sent at `since`.
    pub(super) fn watch(
        &self,
        since: Instant,
        clock: Option<Duration>,
        bytes_before: u64,
    ) -> InfoWatch {
        let timeout = self.config.limits.move_timeout_ms;
        let mut watch = InfoWatch::new(since, clock, bytes_before, self.patience);
        watch.move_timeout = timeout.map(Duration::from_millis);
        watch
    }

    /// Waits for the end of a search, and reports it if that takes long.
    pub(super) fn wait_for_move(
        &mut self,
        watch: InfoWatch,
        search_info: SearchInfo,
        stop_at: Option<SearchExtent>,
        idle: &mut dyn FnMut(),
    ) -> Result<Searched, PlayerError> {
        let limits = &self.config.limits;
        let is_timed = limits.nodes.is_none() && limits.depth.is_none();
        let (number, index) = (self.extra.answers + 1, self.index);
        let mut on_wait = self.on_wait.take();
        let mut is_reported = false;
        let mut looked = watch.since;
        let searched = self.wait_for_end(watch, search_info, stop_at, &mut |at| {
            // Engines may print thousands of lines a second.
            if at.saturating_duration_since(looked) < SLICE {
                return;
            }
            looked = at;
            idle();
            if let Some(OnWait(report)) = &mut on_wait
                && !is_reported
                && at.saturating_duration_since(watch.since) >= SLOW
            {
                let waiting = PendingAnswer {
                    what: AwaitedAnswer::Move(number),
                    since: watch.since,
                    is_timed,
                };
                report(index, Some(waiting));
                is_reported = true;
            }
        });
        self.on_wait = on_wait;
        if is_reported {
            self.end_wait();
        }
        searched
    }

    /// Waits for the answer to a search, skipping a second answer to the previous one.
    pub(super) fn wait_for_answer(
        &mut self,
        watch: InfoWatch,
        search_info: SearchInfo,
        stop_at: Option<SearchExtent>,
        task: &ThinkTask<'_>,
        idle: &mut dyn FnMut(),
    ) -> Result<Searched, PlayerError> {
        let searched = self.wait_for_move(watch, search_info, stop_at, idle)?;
        let answer = searched.best_move.reply.as_move();
        let is_stale = |m: UciMove| self.extra.repeats(m) && !(task.is_legal)(m);
        if !answer.is_some_and(is_stale) {
            self.extra.answer(&searched.best_move);
            return Ok(searched);
        }
        self.extra.note(&searched.best_move);
        match self.wait_for_move(watch, searched.search_info, stop_at, idle) {
            Ok(searched) => {
                self.extra.answer(&searched.best_move);
                Ok(searched)
            }
            Err(PlayerError::Fault { kind, detail })
                if matches!(kind, FaultKind::NoBestmove | FaultKind::TimeForfeit) =>
            {
                let repeated = searched.best_move.reply;
                let detail =
                    format!("it repeated {repeated}, which is not legal now, and then: {detail}");
                Err(PlayerError::Fault { kind, detail })
            }
            Err(error) => Err(error),
        }
    }

    /// Waits for `bestmove`. `look` is called after each line, and when none comes.
    fn wait_for_end(
        &mut self,
        mut watch: InfoWatch,
        mut search_info: SearchInfo,
        mut stop_at: Option<SearchExtent>,
        look: &mut dyn FnMut(Instant),
    ) -> Result<Searched, PlayerError> {
        let (grace, keeps_pv) = (self.patience.stop, self.pv_use != PvUse::Ignored);
        let engine = self.running()?;
        loop {
            let asked = now();
            let wake = watch.wake(asked);
            let at = match engine.next_news(wake)? {
                Some(EngineEvent::Event(at, SessionEvent::BestMove { best_move, .. })) => {
                    return Ok(Searched {
                        best_move,
                        search_info,
                        at,
                    });
                }
                Some(EngineEvent::Info(line)) => {
                    search_info.note(&line.text, keeps_pv);
                    watch.hear(line.at);
                    if stop_at.is_some_and(|limit| {
                        limit.is_passed_by(SearchInfo::read(&line.text).extent())
                    }) {
                        stop_at = None;
                        // Sent past the session if it believes that the search is over.
                        if engine.state() == SessionState::Searching {
                            engine.stop(grace)?;
                        } else {
                            engine.send_line("stop")?;
                        }
                    }
                    let at = line.at;
                    engine.recycle(line);
                    at
                }
                Some(EngineEvent::Event(_, SessionEvent::Claim(claim))) => return Err(claim.into()),
                Some(EngineEvent::Event(at, event)) => {
                    // The session took a second answer to the previous search for the end of this
                    // one.
                    if let Some(best_move) = extra(&event).cloned() {
                        return Ok(Searched {
                            best_move,
                            search_info,
                            at,
                        });
                    }
                    watch.hear(at);
                    at
                }
                // A deadline that passed since we asked is looked at again: its answer may have come just before.
                None => asked.max(wake),
            };
            look(at);
            watch.look(at, engine.process().received_bytes())?;
        }
    }

    /// Number of bytes the engine has printed since it was started.
    pub(super) fn received_bytes(&self) -> u64 {
        let engine = self.engine.as_ref();
        engine.map_or(0, |engine| engine.process().received_bytes())
    }
}
