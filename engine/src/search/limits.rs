//! External search control: limits, signals, the clock.

use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::profile::Strength;
use chess::rules::{Game, Move};

/// Search limits and options. Without any limit the search ends at [`super::MAX_DEPTH`] or when
/// stopped.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct SearchLimits {
    /// Maximal depth in plies.
    pub depth: Option<u32>,
    /// Maximal number of nodes; never exceeded.
    pub nodes: Option<u64>,
    /// Search for a mate in this number of moves; ends when one is proved or when all lines of that
    /// length have been searched.
    pub mate: Option<u32>,
    /// Fixed time for this move.
    pub movetime: Option<Duration>,
    /// The clock of the side to move.
    pub clock: Option<PlayerClock>,
    /// Overhead per move between engine and clock; it is deducted from `movetime` and from the
    /// clock.
    pub overhead: Duration,
    /// Restricts the search to these root moves; empty for all. Illegal moves are ignored, and if
    /// none is left, all are searched.
    pub searchmoves: Vec<Move>,
    /// Number of principal variations (`MultiPV`); 0 means 1.
    pub multipv: usize,
    /// Number of search threads; 0 means 1. Profile `ChessBin` and searches of limited strength use
    /// one.
    pub threads: usize,
    /// Limited playing strength; `None` for full strength.
    pub strength: Option<Strength>,
}

impl SearchLimits {
    /// A search to this depth, in plies.
    pub fn to_depth(depth: u32) -> Self {
        Self {
            depth: Some(depth),
            ..Self::default()
        }
    }

    /// A search of at most this number of nodes.
    pub fn to_nodes(nodes: u64) -> Self {
        Self {
            nodes: Some(nodes),
            ..Self::default()
        }
    }
}

/// The clock of the side to move, as reported by the GUI.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PlayerClock {
    /// Time left in milliseconds; negative if it has been exceeded.
    pub remaining_ms: i64,
    /// Increment per move, in milliseconds.
    pub increment_ms: u64,
    /// Moves to the next time control; `None` for sudden death.
    pub moves_to_go: Option<u32>,
}

/// Signals from the input thread to the search.
#[derive(Debug, Default)]
pub struct SearchSignals {
    stop: AtomicBool,
    pondering: AtomicBool,
}

impl SearchSignals {
    /// Signals for one search; while pondering, time limits do not apply.
    pub const fn new(pondering: bool) -> Self {
        Self {
            stop: AtomicBool::new(false),
            pondering: AtomicBool::new(pondering),
        }
    }

    /// Stops the search.
    pub fn stop(&self) {
        self.stop.store(true, Ordering::Release);
    }

    /// The expected move was played: the time limits apply from now on.
    pub fn ponderhit(&self) {
        self.pondering.store(false, Ordering::Release);
    }

    /// Whether the search was stopped.
    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Acquire)
    }

    /// Whether the search is pondering on the opponent's time.
    pub fn is_pondering(&self) -> bool {
        self.pondering.load(Ordering::Acquire)
    }
}

/// A running clock.
pub trait RunningClock {
    /// Time since the search command was received.
    fn elapsed(&self) -> Duration;
}

/// A clock that stands still, for searches that no time limits.
#[derive(Clone, Copy, Debug)]
pub struct NoClock;

impl RunningClock for NoClock {
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}

/// A search request: the position and when to stop.
#[derive(Clone, Copy)]
pub struct SearchRequest<'a> {
    /// The game so far; its last position is searched.
    pub game: &'a Game,
    /// Limits and options.
    pub limits: &'a SearchLimits,
    /// Signals from another thread.
    pub signals: &'a SearchSignals,
    /// The clock, started at the search command.
    pub clock: &'a dyn RunningClock,
}

impl<'a> SearchRequest<'a> {
    /// A search that only its limits end: no signal is ever sent to it, and its clock stands still.
    pub fn new(game: &'a Game, limits: &'a SearchLimits) -> Self {
        static NO_SIGNALS: SearchSignals = SearchSignals::new(false);
        Self {
            game,
            limits,
            signals: &NO_SIGNALS,
            clock: &NoClock,
        }
    }
}
