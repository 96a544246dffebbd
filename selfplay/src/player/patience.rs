//! Timeouts for waits that no chess clock bounds.

use std::time::Duration;

/// Timeouts for waits that no chess clock bounds. The defaults far exceed what a working engine
/// needs on a busy machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From `uci` to `uciok`: 30 s.
    pub uciok: Duration,
    /// From `isready` to `readyok`: 60 s.
    pub readyok: Duration,
    /// Maximum time without output in a search without a clock: 2 min.
    pub silence: Duration,
    /// Maximum time of a search without a clock: 10 min.
    pub search: Duration,
    /// From `stop` to `bestmove`: 10 s.
    pub stop: Duration,
    /// From `quit` to exit: 1 s; then the engine is killed.
    pub quit: Duration,
    /// Maximum output of one search, in bytes: 64 MiB.
    pub output: u64,
}

impl Default for Patience {
    fn default() -> Self {
        Self {
            uciok: Duration::from_secs(30),
            readyok: Duration::from_mins(1),
            silence: Duration::from_mins(2),
            search: Duration::from_mins(10),
            stop: Duration::from_secs(10),
            quit: Duration::from_secs(1),
            output: 64 << 20,
        }
    }
}
