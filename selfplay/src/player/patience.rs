//! How long an engine is waited for where no clock says it.

use std::time::Duration;

/// Bounds of the waits that no clock bounds. The defaults are far beyond what a sound engine needs on
/// a busy machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Patience {
    /// From `uci` to `uciok`: 30 s.
    pub uciok: Duration,
    /// From `isready` to `readyok`: 60 s.
    pub readyok: Duration,
    /// How long a search without a clock may print no line: 2 min.
    pub silence: Duration,
    /// How long a search without a clock may take in all: 10 min.
    pub search: Duration,
    /// From `stop` to `bestmove`: 10 s.
    pub stop: Duration,
    /// From `quit` to the end: 1 s; then it is killed.
    pub quit: Duration,
    /// How many bytes an engine may print in one search: 64 MiB.
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
