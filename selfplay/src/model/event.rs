//! What workers tell the loop that owns a run.

use std::time::Instant;

use super::{EngineIndex, GamePlan, GameRecord};

/// A move that takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowMove {
    /// Whose.
    pub engine: EngineIndex,
    /// The number of the move among those of this engine in the game, from 1.
    pub number: u32,
    /// When it was asked for.
    pub since: Instant,
}

/// One piece of news.
#[derive(Clone, Debug)]
pub enum Event {
    /// A worker is about to try out an engine.
    Trying {
        /// Which.
        engine: EngineIndex,
        /// What it is asked, once it has been set up: `go nodes 1000`.
        asked: Option<String>,
    },
    /// A move takes long, or no longer does.
    Slow {
        /// Which worker, from 0.
        worker: usize,
        /// Which move.
        slow: Option<SlowMove>,
    },
    /// A worker has tried out the engines: games can begin.
    Ready {
        /// Which worker, from 0.
        worker: usize,
    },
    /// A worker has begun a game.
    Started {
        /// Which worker, from 0.
        worker: usize,
        /// Which game.
        plan: GamePlan,
    },
    /// A game is over.
    Finished {
        /// Which worker.
        worker: usize,
        /// The game.
        record: Box<GameRecord>,
        /// The talk with both engines, kept for games that ended by a fault.
        transcript: Option<String>,
    },
    /// A game was broken off because the run ends; it is played again on resume.
    Abandoned {
        /// Which worker.
        worker: usize,
        /// Which game.
        plan: GamePlan,
    },
    /// A worker cannot go on: the run must end.
    Failed {
        /// Which worker.
        worker: usize,
        /// Why.
        error: String,
        /// Whether it is the configuration that does not fit the engines or the book.
        is_configuration: bool,
    },
}
