//! The service's state.

use std::collections::HashMap;
use std::num::NonZeroUsize;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, RwLock};

use lru::LruCache;
use web::secret;

use super::positions::{Findings, KnownPosition, Positions};
use super::rows::ListContext;
use super::{Contributor, ServiceError, Settings};
use crate::insight::Insight;
use crate::model::{PositionState, Timestamp};
use crate::store::entity::position;
use crate::store::{Store, StoreError};
use crate::trust::suspicion::TimedList;

/// The service; clones share all state.
#[derive(Clone, Debug)]
pub struct Service {
    inner: Arc<Inner>,
}

/// The latest evaluation of what people overlook, with the positions and the number of flags that it was made from.
type LastInsight = Option<(Arc<Positions>, u64, Arc<Insight>)>;

#[derive(Debug)]
struct Inner {
    store: Store,
    settings: Settings,
    sessions: Mutex<LruCache<String, Contributor>>,
    given: Mutex<LruCache<String, Arc<ListContext>>>,
    lessons: Mutex<LruCache<i64, Arc<KnownPosition>>>,
    /// The network that each contributor was last seen from.
    networks: Mutex<LruCache<i64, i64>>,
    /// The key of networks' hashes: new at each start, and never stored.
    secret: String,
    present: Mutex<HashMap<i64, Timestamp>>,
    positions: RwLock<Arc<Positions>>,
    memory: tokio::sync::Mutex<Memory>,
    insight: tokio::sync::Mutex<LastInsight>,
    draws: AtomicU64,
    day: AtomicI64,
}

pub(super) async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ServiceError> {
    let done = tokio::task::spawn_blocking(work).await;
    done.map_err(|error| ServiceError::Background(error.to_string()))
}

fn locked<T>(map: &Mutex<T>) -> MutexGuard<'_, T> {
    // A panic elsewhere leaves these maps whole, as each change of them is one call.
    map.lock().unwrap_or_else(PoisonError::into_inner)
}

const KEPT: NonZeroUsize = NonZeroUsize::new(20_000).expect("it is not 0");

impl Service {
    pub async fn new(store: Store, settings: Settings) -> Result<Self, ServiceError> {
        let positions = Positions::read(&store, &settings, Arc::default()).await?;
        let inner = Inner {
            store,
            settings,
            sessions: Mutex::new(LruCache::sparse(KEPT)),
            given: Mutex::new(LruCache::sparse(KEPT)),
            lessons: Mutex::new(LruCache::sparse(KEPT)),
            networks: Mutex::new(LruCache::sparse(KEPT)),
            secret: secret::random()?,
            present: Mutex::default(),
            positions: RwLock::new(Arc::new(positions)),
            memory: tokio::sync::Mutex::default(),
            insight: tokio::sync::Mutex::default(),
            draws: AtomicU64::new(0),
            day: AtomicI64::new(i64::MIN),
        };
        Ok(Self {
            inner: Arc::new(inner),
        })
    }

    pub fn store(&self) -> &Store {
        &self.inner.store
    }

    pub fn settings(&self) -> &Settings {
        &self.inner.settings
    }

    pub(super) fn sessions(&self) -> MutexGuard<'_, LruCache<String, Contributor>> {
        locked(&self.inner.sessions)
    }

    pub(super) fn given(&self) -> MutexGuard<'_, LruCache<String, Arc<ListContext>>> {
        locked(&self.inner.given)
    }

    pub(super) fn networks(&self) -> MutexGuard<'_, LruCache<i64, i64>> {
        locked(&self.inner.networks)
    }

    pub(super) fn secret(&self) -> &str {
        &self.inner.secret
    }

    fn presence(&self) -> MutexGuard<'_, HashMap<i64, Timestamp>> {
        locked(&self.inner.present)
    }

    /// Notes that the page of a list in a pair was heard of.
    pub(super) fn heard_of(&self, list: i64, now: Timestamp) {
        self.presence().insert(list, now);
    }

    /// Whether the page of a list in a pair was heard of a moment ago.
    pub(super) fn is_present(&self, list: i64, now: Timestamp) -> bool {
        let last = self.presence().get(&list).copied();
        last.is_some_and(|last| now.since(last) < self.settings().presence)
    }

    /// The lists whose pages are present; forgets all others.
    pub(super) fn present(&self, now: Timestamp) -> Vec<i64> {
        let mut present = self.presence();
        present.retain(|_, last| now.since(*last) < self.settings().presence);
        present.keys().copied().collect()
    }

    /// Forgets cached contributors and lists, which another program may have deleted, and
    /// pages that have been closed.
    pub fn forget(&self, now: Timestamp) {
        self.present(now);
        self.sessions().clear();
        self.given().clear();
    }

    pub(super) fn positions(&self) -> Arc<Positions> {
        let lock = self.inner.positions.read();
        Arc::clone(&lock.unwrap_or_else(PoisonError::into_inner))
    }

    /// A position of any kind, which must exist.
    pub(super) async fn known(&self, id: i64) -> Result<Arc<KnownPosition>, ServiceError> {
        if let Some(known) = self.positions().find(id) {
            return Ok(Arc::clone(known));
        }
        let cached = self.lessons().get(&id).cloned();
        if let Some(known) = cached {
            return Ok(known);
        }
        let row = self.store().find::<position::Entity>(id).await?;
        let lesson = row.filter(|row| row.state == PositionState::Lesson);
        let row = lesson.ok_or_else(|| StoreError::Value {
            what: "a position",
            found: format!("no position {id}"),
        })?;
        Ok(self.lesson(row)?)
    }

    pub(super) fn lesson(&self, row: position::Model) -> Result<Arc<KnownPosition>, StoreError> {
        let cached = self.lessons().get(&row.id).cloned();
        if let Some(known) = cached {
            return Ok(known);
        }
        let known = Arc::new(KnownPosition::read(row, &[])?);
        self.lessons().put(known.id, Arc::clone(&known));
        Ok(known)
    }

    fn lessons(&self) -> MutexGuard<'_, LruCache<i64, Arc<KnownPosition>>> {
        locked(&self.inner.lessons)
    }

    /// Reloads the positions, which were added or changed, and has the next upkeep look at them.
    pub(super) async fn positions_changed(&self) -> Result<(), ServiceError> {
        self.read_positions().await?;
        self.memory().await.is_stale = true;
        Ok(())
    }

    /// Reloads the positions, and keeps the findings of the last aggregation.
    pub(super) async fn read_positions(&self) -> Result<(), ServiceError> {
        let findings = Arc::clone(&self.positions().findings);
        self.read_positions_with(findings).await
    }

    pub(super) async fn read_positions_with(
        &self,
        findings: Arc<Findings>,
    ) -> Result<(), ServiceError> {
        let read = Positions::read(self.store(), self.settings(), findings).await?;
        // The lock is held for the exchange only, so no request waits for the database.
        let lock = self.inner.positions.write();
        *lock.unwrap_or_else(PoisonError::into_inner) = Arc::new(read);
        Ok(())
    }

    pub(super) async fn memory(&self) -> tokio::sync::MutexGuard<'_, Memory> {
        self.inner.memory.lock().await
    }

    /// The day of the last clean-up.
    pub(super) fn cleaned(&self) -> &AtomicI64 {
        &self.inner.day
    }

    pub(super) async fn last_insight(&self) -> tokio::sync::MutexGuard<'_, LastInsight> {
        self.inner.insight.lock().await
    }

    /// A seed for one random choice: different each time, but reproducible from the settings' seed.
    pub(super) fn draw(&self) -> u64 {
        let number = self.inner.draws.fetch_add(1, Ordering::Relaxed);
        // This is 2 to the 64th by the golden ratio, which spreads consecutive numbers, as in
        // SplitMix (Steele, Lea and Flood 2014).
        let spread = number.wrapping_mul(0x9E37_79B9_7F4A_7C15);
        self.settings().seed.wrapping_add(spread)
    }
}

#[derive(Debug)]
pub(super) struct Memory {
    pub(super) lists: u64,
    /// Whether a contributor was excluded or readmitted since, or positions were added or reopened.
    pub(super) is_stale: bool,
    pub(super) timed: HashMap<i64, Arc<TimedList>>,
}

impl Default for Memory {
    fn default() -> Self {
        Self {
            lists: 0,
            // After a start nothing has been aggregated, even if no list is new.
            is_stale: true,
            timed: HashMap::new(),
        }
    }
}
