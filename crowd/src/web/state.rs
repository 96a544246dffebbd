//! State shared by all requests, the settings, and the clock, which is read here and passed in.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use axum::extract::FromRef;
use web::limits::{KnownSessions, Quotas};
use web::problem::Problem;
use web::serve::{ConnectionLimits, Connections};

use super::guesses::Guesses;
use super::metrics::Metrics;
use super::security::SecurityContact;
use super::tokens::Moderators;
use crate::model::Timestamp;
use crate::play::Opponent;
use crate::service::Service;

#[derive(Clone, Debug, Default)]
pub struct WebSettings {
    /// Whether the site is served over HTTPS by a proxy; cookies are then restricted to HTTPS.
    pub https: bool,
    /// Whether the last address in `X-Forwarded-For` is the client's.
    pub trust_proxy: bool,
    /// The moderators; without any, moderation is disabled.
    pub moderators: Option<Moderators>,
    /// Whom `/.well-known/security.txt` names; without any, there is no such file.
    pub security_contacts: Vec<SecurityContact>,
    pub limits: RateLimits,
}

#[derive(Clone, Debug)]
pub struct RateLimits {
    /// Sustained requests per second of one session, or of one address without a session.
    pub per_second: u32,
    pub burst: u32,
    /// New sessions at once from one address; then one every half minute.
    pub new_sessions: u32,
    /// Wrong moderators' tokens, and recovery phrases, at once from one address; then one every two
    /// seconds.
    pub logins: u32,
    /// Codes that no class has at once from one address, which may be a school's; then one every two seconds.
    pub codes: u32,
    /// New classes at once from one address; then as many a day.
    pub new_classes: u32,
    pub connections: ConnectionLimits,
    pub answer: Duration,
}

/// Between two new sessions of one address, once its burst is used up.
pub(crate) const NEW_SESSION_EVERY: Duration = Duration::from_secs(30);

impl Default for RateLimits {
    fn default() -> Self {
        Self {
            per_second: 50,
            burst: 500,
            new_sessions: 20,
            logins: 5,
            codes: 30,
            new_classes: 30,
            connections: ConnectionLimits::default(),
            answer: Duration::from_secs(30),
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
    pub(crate) connections: Connections,
    pub(crate) quotas: Quotas,
    pub(crate) guesses: Guesses,
    pub(crate) codes: Guesses,
    changed: Arc<AtomicBool>,
}

impl App {
    pub fn new(service: Service, opponent: Arc<Opponent>, settings: WebSettings) -> Self {
        Self {
            service,
            opponent,
            metrics: Metrics::new(),
            known: KnownSessions::default(),
            connections: Connections::new(
                settings.limits.connections.clone(),
                settings.trust_proxy,
            ),
            quotas: Quotas::new(settings.trust_proxy),
            guesses: Guesses::new(settings.limits.logins),
            codes: Guesses::new(settings.limits.codes),
            // The first round looks at what came before the start.
            changed: Arc::new(AtomicBool::new(true)),
            settings: Arc::new(settings),
        }
    }

    pub(crate) fn has_changed(&self) {
        self.changed.store(true, Ordering::Release);
    }

    pub(crate) fn take_change(&self) -> bool {
        self.changed.swap(false, Ordering::AcqRel)
    }

    /// Evicts idle entries of the quotas, and what may be out of date.
    pub(crate) fn sweep(&self) {
        self.quotas.sweep();
        self.guesses.sweep(now());
        self.codes.sweep(now());
        self.service.forget(now());
        self.metrics.fold();
    }

    pub(crate) async fn gauge(&self) -> Result<(), Problem> {
        let counts = self.service.counts().await?;
        let open = self.connections.open();
        let load = self.opponent.load();
        self.metrics.set(&[
            ("crowd_connections", open as u64),
            ("crowd_positions", counts.positions),
            ("crowd_contributors", counts.contributors),
            ("crowd_lists", counts.lists),
            ("crowd_cases", counts.test_cases),
            ("crowd_assignments_open", counts.open_lists),
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

#[expect(
    clippy::disallowed_methods,
    reason = "the edge reads the clock for all behind it"
)]
pub(crate) fn now() -> Timestamp {
    let since = SystemTime::now()
        .duration_since(UNIX_EPOCH)
        // A clock that stands before 1970 gives 0.
        .unwrap_or_default();
    Timestamp(i64::try_from(since.as_millis()).unwrap_or(i64::MAX))
}
