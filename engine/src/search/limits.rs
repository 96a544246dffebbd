//! What ends a search from outside: limits, signals, the clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::strength::Strength;
use chess::rules::{Game, Move};

/// When a search has to end, and what it may look at. With no limit at all it ends at
/// [`super::MAX_DEPTH`] or when it is stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Limits {
    /// Plies to search.
    pub depth: Option<u32>,
    /// Positions to search; never exceeded.
    pub nodes: Option<u64>,
    /// Moves within which a mate is looked for; the search ends when one is proved, or when all
    /// lines of that length are searched.
    pub mate: Option<u32>,
    /// Time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<PlayerClock>,
    /// What passes of our time, each move, between us and the clock; it is taken off `movetime` and
    /// off the clock.
    pub overhead: Duration,
    /// The only root moves to search; empty for all. Moves that are not legal are passed over, and
    /// if none is left, all are searched.
    pub searchmoves: Vec<Move>,
    /// How many best moves are wanted, each with its line; 0 means 1.
    pub multipv: usize,
    /// Threads that search together; 0 means 1. Profile `ChessBin` has one, and so does a search
    /// of limited strength.
    pub threads: usize,
    /// How strong to play, where not as strong as possible.
    pub strength: Option<Strength>,
}

/// The clock of the side to move, as the interface tells it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerClock {
    /// Time left; negative once it has been overstepped.
    pub remaining_ms: i64,
    /// What every move adds.
    pub increment_ms: u64,
    /// Moves to the next time control; none when the time is for the rest of the game.
    pub moves_to_go: Option<u32>,
}

/// What the thread that hears commands tells the one that searches.
#[derive(Debug, Default)]
pub struct Signals {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl Signals {
    /// Signals for one search; while it is pondering, no limit of time counts.
    pub const fn new(pondering: bool) -> Self {
        Self {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
        }
    }

    /// Ends the search.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// The awaited move was played: from now on time counts.
    pub fn ponderhit(&self) {
        self.pondering.store(false, Ordering::Release);
    }

    /// Whether the search is to end.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Whether it is the opponent's time that passes.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }
}

/// A clock that runs.
pub trait Clock {
    /// The time since the command to search was received.
    fn elapsed(&self) -> Duration;
}

/// What to search, and until when.
#[derive(Clone, Copy)]
pub struct Request<'a> {
    /// The game so far; its last position is searched.
    pub game: &'a Game,
    /// When to end, and what to look at.
    pub limits: &'a Limits,
    /// What another thread says meanwhile.
    pub signals: &'a Signals,
    /// The time since the command to search.
    pub clock: &'a dyn Clock,
}
