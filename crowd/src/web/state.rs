use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use axum::extract::FromRef;
use tokio::sync::Semaphore;
use tower_governor::key_extractor::KeyExtractor;

use super::limits::{KnownSessions, Quota};
use super::metrics::Metrics;
use super::places::Places;
use super::problem::Problem;
use super::settings::WebSettings;
use crate::play::Opponent;
use crate::service::Service;

/// State shared by all requests and all clones.
#[derive(Clone)]
pub struct App {
    /// The application logic.
    pub service: Service,
    /// The opponent at `/play`.
    pub opponent: Arc<Opponent>,
    /// The configuration.
    pub settings: Arc<WebSettings>,
    /// The metrics.
    pub metrics: Metrics,
    pub(crate) known: KnownSessions,
    pub(crate) connections: Arc<Semaphore>,
    pub(crate) places: Places,
    changed: Arc<AtomicBool>,
    brooms: Arc<Mutex<Vec<Broom>>>,
}

/// Evicts idle entries of a quota.
type Broom = Box<dyn Fn() + Send>;

impl App {
    /// Assembles the state.
    pub fn new(service: Service, opponent: Arc<Opponent>, settings: WebSettings) -> Self {
        Self {
            service,
            opponent,
            metrics: Metrics::new(),
            known: KnownSessions::default(),
            connections: Arc::new(Semaphore::new(settings.limits.connections)),
            places: Places::default(),
            changed: Arc::new(AtomicBool::new(true)),
            brooms: Arc::default(),
            settings: Arc::new(settings),
        }
    }

    /// Notes that upkeep has something to do.
    pub(crate) fn has_changed(&self) {
        self.changed.store(true, Ordering::Release);
    }

    /// Whether upkeep has something to do; clears the note.
    pub(crate) fn take_change(&self) -> bool {
        self.changed.swap(false, Ordering::AcqRel)
    }

    /// Registers a quota for the eviction of idle entries.
    pub(crate) fn sweep_with<K>(&self, quota: &Quota<K>)
    where
        K: KeyExtractor + Send + Sync + 'static,
        K::Key: Send + Sync + 'static,
    {
        let quota = Arc::clone(quota);
        let mut brooms = self.brooms.lock().unwrap_or_else(PoisonError::into_inner);
        brooms.push(Box::new(move || quota.limiter().retain_recent()));
    }

    /// Evicts outdated counters.
    pub(crate) fn sweep(&self) {
        let brooms = self.brooms.lock().unwrap_or_else(PoisonError::into_inner);
        brooms.iter().for_each(|broom| broom());
        self.metrics.fold();
    }

    /// Sets the gauges that are read on demand.
    pub(crate) async fn gauge(&self) -> Result<(), Problem> {
        let counts = self.service.counts().await?;
        let number = |n: i64| u64::try_from(n).unwrap_or(0);
        let taken = self.settings.limits.connections - self.connections.available_permits();
        // One slot is reserved for the next connection.
        let open = taken.saturating_sub(1);
        let load = self.opponent.load();
        self.metrics.set(&[
            ("crowd_connections", open as u64),
            ("crowd_positions", number(counts.positions)),
            ("crowd_contributors", number(counts.contributors)),
            ("crowd_lists", number(counts.lists)),
            ("crowd_cases", number(counts.test_cases)),
            ("crowd_assignments_open", number(counts.open_assignments)),
            ("crowd_searches", load.running as u64),
            ("crowd_searches_waiting", load.waiting as u64),
        ]);
        Ok(())
    }
}

impl FromRef<App> for Metrics {
    fn from_ref(app: &App) -> Self {
        app.metrics.clone()
    }
}
