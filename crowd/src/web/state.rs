//! State shared by all requests, the settings, and the clock, which is read here and passed in.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::extract::FromRef;
use tokio::sync::Semaphore;
use tower_governor::key_extractor::KeyExtractor;

use super::limits::{self, ByAddress, KnownSessions, QuotaLayer};
use super::metrics::Metrics;
use super::problem::Problem;
use super::tokens::AdminToken;
use crate::model::Timestamp;
use crate::play::Opponent;
use crate::service::Service;

#[derive(Clone, Debug, Default)]
pub struct WebSettings {
    /// Whether the site is served over HTTPS by a proxy; cookies are then restricted to HTTPS.
    pub https: bool,
    /// Whether the last address in `X-Forwarded-For` is the client's.
    pub trust_proxy: bool,
    /// The moderators' token; without it, moderation is disabled.
    pub admin: Option<AdminToken>,
    pub limits: Limits,
}

/// Limits per session or address, and in total.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Sustained requests per second of one session, or of one address without a session.
    pub per_second: u32,
    pub burst: u32,
    /// New sessions at once from one address; then one per second.
    pub new_sessions: u32,
    /// Login attempts at once from one address; then one every two seconds.
    pub logins: u32,
    /// Maximum number of open connections.
    pub connections: usize,
    /// Maximum number of open connections per address; not applied behind a proxy, where all share
    /// one.
    pub connections_of_one: usize,
    pub answer: Duration,
    /// Time limit for receiving a request's head, and for idle connections.
    pub head: Duration,
    /// Maximum lifetime of a connection.
    pub connection: Duration,
    /// How long to wait for running requests on shutdown.
    pub shutdown: Duration,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            per_second: 50,
            burst: 500,
            new_sessions: 300,
            logins: 5,
            connections: 2048,
            connections_of_one: 512,
            answer: Duration::from_secs(30),
            head: Duration::from_secs(10),
            connection: Duration::from_mins(30),
            shutdown: Duration::from_secs(10),
        }
    }
}

#[derive(Clone)]
pub struct App {
    pub service: Service,
    pub opponent: Arc<Opponent>,
    pub settings: Arc<WebSettings>,
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

    pub(crate) fn take_change(&self) -> bool {
        self.changed.swap(false, Ordering::AcqRel)
    }

    /// The layer that rejects requests beyond a burst of `burst` and then one per `period`, for each key. It is
    /// registered for [`App::sweep`].
    pub(crate) fn limit<K>(&self, key: K, period: Duration, burst: u32) -> QuotaLayer<K>
    where
        K: KeyExtractor + Send + Sync + 'static,
        K::Key: Send + Sync + 'static,
    {
        let quota = limits::quota(key, period, burst);
        let swept = Arc::clone(&quota);
        let mut brooms = self.brooms.lock().unwrap_or_else(PoisonError::into_inner);
        brooms.push(Box::new(move || swept.limiter().retain_recent()));
        limits::layer(quota)
    }

    /// The same for each client address.
    pub(crate) fn limit_addresses(&self, period: Duration, burst: u32) -> QuotaLayer<ByAddress> {
        let trust_proxy = self.settings.trust_proxy;
        self.limit(ByAddress { trust_proxy }, period, burst)
    }

    /// Evicts idle entries of the quotas.
    pub(crate) fn sweep(&self) {
        let brooms = self.brooms.lock().unwrap_or_else(PoisonError::into_inner);
        brooms.iter().for_each(|broom| broom());
        self.metrics.fold();
    }

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

/// Number of open connections per address, so that no address takes all of them.
#[derive(Clone, Debug, Default)]
pub(crate) struct Places(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// A connection slot taken by an address; dropping it frees the slot.
#[derive(Debug)]
pub(crate) struct Place {
    places: Places,
    address: IpAddr,
}

impl Places {
    /// Takes a slot, unless the address has reached its maximum.
    pub(crate) fn take(&self, address: IpAddr, most: usize) -> Option<Place> {
        let mut open = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let count = open.entry(address).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(Place {
            places: self.clone(),
            address,
        })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut open = self.places.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(count) = open.get_mut(&self.address) {
            *count -= 1;
            if *count == 0 {
                open.remove(&self.address);
            }
        }
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "the edge reads the clock for all behind it"
)]
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        .unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_has_so_many_places_and_gets_them_back() {
        let places = Places::default();
        let one: IpAddr = "192.0.2.1".parse().expect("an address");
        let other: IpAddr = "192.0.2.2".parse().expect("an address");
        let first = places.take(one, 2);
        let second = places.take(one, 2);
        assert!(first.is_some() && second.is_some());
        assert!(places.take(one, 2).is_none());
        assert!(places.take(other, 2).is_some());
        drop(first);
        assert!(places.take(one, 2).is_some());
        drop(second);
        assert!(places.0.lock().expect("no panic").is_empty());
    }
}
