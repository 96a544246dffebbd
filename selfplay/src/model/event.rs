//! Events that workers send to the loop that owns a run.

use std::time::Instant;

use super::{EngineIndex, GamePlan, GameRecord};

/// A move that takes long.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SlowMove {
    /// The engine to move.
    pub engine: EngineIndex,
    /// The number of the move among this engine's moves in the game, from 1.
    pub number: u32,
    /// When the search started.
    pub since: Instant,
}

/// An event from a worker.
#[derive(Clone, Debug)]
pub enum Event {
    /// A worker is about to check an engine.
    Trying {
        /// The engine.
        engine: EngineIndex,
        /// The command sent once the engine is set up, such as `go nodes 1000`.
        asked: Option<String>,
    },
    /// A move takes long, or no longer does.
    Slow {
        /// The worker, from 0.
        worker: usize,
        /// The move; `None` once it is over.
        slow: Option<SlowMove>,
    },
    /// A worker has checked the engines: games can begin.
    Ready {
        /// The worker, from 0.
        worker: usize,
    },
    /// A worker has begun a game.
    Started {
        /// The worker, from 0.
        worker: usize,
        /// The game.
        plan: GamePlan,
    },
    /// A game is over.
    Finished {
        /// The worker, from 0.
        worker: usize,
        /// The game.
        record: Box<GameRecord>,
        /// The transcript of both engines, kept for games that ended by a fault.
        transcript: Option<String>,
    },
    /// A game was aborted because the run ends; it is replayed on resume.
    Abandoned {
        /// The worker, from 0.
        worker: usize,
        /// The game.
        plan: GamePlan,
    },
    /// A worker cannot continue: the run must end.
    Failed {
        /// The worker, from 0.
        worker: usize,
        /// The reason.
        error: String,
        /// Whether the cause is a configuration that does not fit the engines or the book.
        is_configuration: bool,
    },
}
