//! One move: a search from `go` to `bestmove`.

use std::fmt::Write as _;
use std::time::{Duration, Instant};

use engine::client::{Event, News};
use engine::notation::uci_move::UciMove;
use engine::uci::{BestMove, Go};

use super::watch::Watch;
use super::{Insight, Player, PlayerError, now};

/// A wait of the session's without an end: the watch ends it.
pub(super) const UNWATCHED: Duration = Duration::MAX;

/// What an engine is to do.
pub struct Task<'a> {
    /// The line `position …`.
    pub position: &'a str,
    /// The limits, given the time of this move that is gone already.
    pub go: &'a dyn Fn(Duration) -> Go,
    /// How long the move may take; none without a clock.
    pub clock: Option<Duration>,
    /// The last move, if any: it may be the one that is pondered on.
    pub last_move: Option<UciMove>,
}

/// What came of it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thought {
    /// The answer, and what the engine would ponder on.
    pub best_move: BestMove,
    /// What the engine said about it.
    pub insight: Insight,
    /// From our last byte out to the engine's line in.
    pub elapsed: Duration,
}

/// How a search ended.
pub(super) struct Searched {
    pub(super) best_move: BestMove,
    pub(super) insight: Insight,
    pub(super) at: Instant,
}

impl Player {
    /// Has the engine find a move. `idle` is called now and then while it thinks.
    ///
    /// # Errors
    ///
    /// When it does not find one in time, or says too much; when it ends; when the work is called
    /// off.
    pub fn think(
        &mut self,
        task: &Task<'_>,
        idle: &mut dyn FnMut(),
    ) -> Result<Thought, PlayerError> {
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
        let watch = Watch::new(since, clock, before, self.patience);
        let searched = self.wait_for_move(watch, Insight::default(), idle)?;
        Ok(Thought {
            best_move: searched.best_move,
            insight: searched.insight,
            elapsed: gone + searched.at.saturating_duration_since(since),
        })
    }

    /// Begins a search.
    pub(super) fn search(&mut self, position: &str, go: &Go) -> Result<Instant, PlayerError> {
        let mut line = std::mem::take(&mut self.go_line);
        line.clear();
        write!(line, "go{go}").expect("a text takes any text");
        let sent = self
            .running()?
            .start_written_search(position, &line, UNWATCHED);
        self.go_line = line;
        Ok(sent?)
    }

    /// Waits for the end of a search.
    pub(super) fn wait_for_move(
        &mut self,
        mut watch: Watch,
        mut insight: Insight,
        idle: &mut dyn FnMut(),
    ) -> Result<Searched, PlayerError> {
        let client = self.running()?;
        loop {
            let at = match client.next_news(watch.wake(now()))? {
                Some(News::Event(at, Event::BestMove { best_move, .. })) => {
                    return Ok(Searched {
                        best_move,
                        insight,
                        at,
                    });
                }
                Some(News::Info(line)) => {
                    insight.note(&line.text);
                    watch.hear(line.at);
                    line.at
                }
                Some(News::Event(at, _)) => {
                    watch.hear(at);
                    at
                }
                None => {
                    idle();
                    now()
                }
            };
            watch.look(at, client.process().received_bytes())?;
        }
    }

    pub(super) fn received_bytes(&self) -> u64 {
        let client = self.client.as_ref();
        client.map_or(0, |client| client.process().received_bytes())
    }
}
