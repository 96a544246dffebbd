use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

/// Resource limits of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpponentSettings {
    /// Maximum number of concurrent searches; each is a thread.
    pub searches: NonZeroUsize,
    /// Maximum number of requests waiting for a search.
    pub waiting: usize,
    /// Maximum waiting time of a request.
    pub patience: Duration,
    /// Maximum search time.
    pub longest: Duration,
    /// Hash table size per search, in MiB.
    pub hash_mib: usize,
    /// Number of cached evaluations.
    pub kept_worths: usize,
    /// When a rejected request may try again.
    pub retry_after: Duration,
}

impl Default for OpponentSettings {
    /// One search per CPU, four times as many waiting for up to five seconds, three seconds and 8
    /// MiB each.
    fn default() -> Self {
        let searches = thread::available_parallelism().unwrap_or(NonZeroUsize::MIN);
        Self {
            searches,
            waiting: searches.get().saturating_mul(4),
            patience: Duration::from_secs(5),
            longest: Duration::from_secs(3),
            hash_mib: 8,
            kept_worths: 4_096,
            retry_after: Duration::from_secs(2),
        }
    }
}

/// The current load of the opponent.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Number of running searches.
    pub running: usize,
    /// Number of waiting requests.
    pub waiting: usize,
    /// Maximum number of searches that ever ran concurrently.
    pub peak: usize,
}
