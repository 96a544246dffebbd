use std::num::NonZeroUsize;
use std::thread;
use std::time::Duration;

/// What the opponent may take of the machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpponentSettings {
    /// Searches at one time; each is a thread.
    pub searches: NonZeroUsize,
    /// Requests that may wait for a search.
    pub waiting: usize,
    /// How long a request waits for its turn.
    pub patience: Duration,
    /// The longest search.
    pub longest: Duration,
    /// The table of each search, in MiB.
    pub hash_mib: usize,
    /// How many positions' worths are kept.
    pub kept_worths: usize,
    /// After how long a request that was refused may try again.
    pub retry_after: Duration,
}

impl Default for OpponentSettings {
    /// As many searches as the machine has CPUs, four times as many waiting for up to five seconds, three seconds and
    /// 8 MiB each.
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

/// What the opponent is busy with.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    /// Searches that run.
    pub running: usize,
    /// Requests that wait for one.
    pub waiting: usize,
    /// The most searches that ever ran at once.
    pub peak: usize,
}
