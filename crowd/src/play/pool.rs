//! The search pool: bounded numbers of running and of waiting searches.

use std::num::NonZeroUsize;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use chess::rules::Game;
use engine::search::{
    Profile, RunningClock, STACK_BYTES, SearchLimits, SearchRequest, SearchResult, SearchSignals,
    Searcher,
};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, oneshot};
use tokio::time::timeout;

#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum OpponentError {
    #[error("the game has ended")]
    GameOver,
    #[error("all searches are busy")]
    Busy { retry_after: Duration },
    #[error("the opponent failed: {0}")]
    Failed(String),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct OpponentSettings {
    /// Maximum number of concurrent searches; each is a thread.
    pub searches: NonZeroUsize,
    pub waiting: usize,
    pub patience: Duration,
    pub longest: Duration,
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
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Load {
    pub running: usize,
    pub waiting: usize,
}

/// How far a search may exceed its time before it is given up: the machine may be busy.
const GRACE: Duration = Duration::from_secs(5);

/// Hash table size per search, in MiB.
const HASH_MIB: usize = 8;
/// When a rejected request may try again.
const RETRY_AFTER: Duration = Duration::from_secs(2);

/// Upper limits of the settings, above what any machine can use.
const MOST_SEARCHES: usize = 1_024;
const MOST_WAITING: usize = 100_000;

#[derive(Debug)]
pub(super) struct Pool {
    settings: OpponentSettings,
    searches: usize,
    capacity: usize,
    /// One permit per search and per request that waits for one.
    places: Semaphore,
    running: Arc<Semaphore>,
    idle: Arc<Mutex<Vec<Searcher>>>,
}

impl Pool {
    pub(super) fn new(settings: OpponentSettings) -> Self {
        let searches = settings.searches.get().min(MOST_SEARCHES);
        let capacity = searches + settings.waiting.min(MOST_WAITING);
        Self {
            searches,
            capacity,
            places: Semaphore::new(capacity),
            running: Arc::new(Semaphore::new(searches)),
            idle: Arc::default(),
            settings,
        }
    }

    pub(super) fn load(&self) -> Load {
        let running = self.searches - self.running.available_permits();
        let taken = self.capacity - self.places.available_permits();
        Load {
            running,
            // A search whose requester is gone runs on for a moment without a place.
            waiting: taken.saturating_sub(running),
        }
    }

    /// Searches as soon as a searcher is free. Dropping the future stops the search and frees its
    /// place.
    pub(super) async fn search(
        &self,
        game: Game,
        limits: SearchLimits,
    ) -> Result<SearchResult, OpponentError> {
        let busy = || OpponentError::Busy {
            retry_after: RETRY_AFTER,
        };
        // A caller that comes when all places are taken learns it at once, and need not wait to be
        // rejected.
        let _place = self.places.try_acquire().map_err(|_| busy())?;
        let permit = timeout(
            self.settings.patience,
            Arc::clone(&self.running).acquire_owned(),
        );
        let permit = permit.await.map_err(|_| busy())?.map_err(|_| busy())?;
        self.run(permit, game, limits).await
    }

    async fn run(
        &self,
        permit: OwnedSemaphorePermit,
        game: Game,
        limits: SearchLimits,
    ) -> Result<SearchResult, OpponentError> {
        let guard = StopOnDrop(Arc::new(SearchSignals::new(false)));
        let signals = Arc::clone(&guard.0);
        let idle = Arc::clone(&self.idle);
        let (answer, inbox) = oneshot::channel();
        // Threads of tokio for blocking work share one stack size, which is too small for a search.
        thread::Builder::new()
            .name("play".to_owned())
            .stack_size(STACK_BYTES)
            .spawn(move || {
                let found = search(&idle, &game, &limits, &signals);
                // The permit comes back first, so that the one who gets the answer can search again at
                // once.
                drop(permit);
                // The requester may be gone, and nobody else wants the result.
                let _ = answer.send(found);
            })
            .map_err(|error| OpponentError::Failed(error.to_string()))?;
        let late = |_| OpponentError::Failed("the search did not end in time".to_owned());
        let lost = |_| OpponentError::Failed("the search broke off".to_owned());
        timeout(self.settings.longest + GRACE, inbox)
            .await
            .map_err(late)?
            .map_err(lost)?
    }
}

fn search(
    idle: &Mutex<Vec<Searcher>>,
    game: &Game,
    limits: &SearchLimits,
    signals: &SearchSignals,
) -> Result<SearchResult, OpponentError> {
    let idle = || idle.lock().unwrap_or_else(PoisonError::into_inner);
    let known = idle().pop();
    let mut searcher = match known {
        Some(searcher) => searcher,
        None => {
            Searcher::new(HASH_MIB).map_err(|error| OpponentError::Failed(error.to_string()))?
        }
    };
    // Hash entries from one game must not make another game's opponent stronger.
    searcher.clear();
    let request = SearchRequest {
        game,
        limits,
        signals,
        clock: &Stopwatch::start(),
    };
    let found = searcher.search(Profile::Touchstone, request, &mut |_| {});
    // A searcher whose search panicked does not get here: its state is unknown.
    idle().push(searcher);
    Ok(found)
}

/// Stops the search when nobody waits for it any more.
struct StopOnDrop(Arc<SearchSignals>);

impl Drop for StopOnDrop {
    fn drop(&mut self) {
        self.0.stop();
    }
}

struct Stopwatch(Instant);

impl Stopwatch {
    #[expect(
        clippy::disallowed_methods,
        reason = "the one place of the opponent that reads the clock"
    )]
    fn start() -> Self {
        Self(Instant::now())
    }
}

impl RunningClock for Stopwatch {
    fn elapsed(&self) -> Duration {
        self.0.elapsed()
    }
}
