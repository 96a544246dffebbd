//! What all requests of the server share.

use std::sync::Arc;

use web::limits::{KnownSessions, Quotas};

use crate::store::Database;
use crate::store::work::Work;

/// How the server was started.
#[derive(Clone, Debug, Default)]
pub struct ServerSettings {
    /// Whether people reach it by HTTPS, served here or by a proxy; cookies are then bound to HTTPS.
    pub https: bool,
    /// Whether the last address in `X-Forwarded-For` is the client's.
    pub trust_proxy: bool,
    /// Where people find it, such as `https://lab.example`, for links and commands on pages.
    pub public_url: String,
    /// How many requests are answered.
    pub quota: Quota,
}

/// Requests of one session or token that is valid, or of one network without any: so many at once, then
/// so many per second.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Quota {
    /// At once. The first request of a token since the start of a server counts for its network: a
    /// thousand workers behind one address come back at the same time.
    pub burst: u32,
    /// Per second: a worker needs one or two, and a page that is kept open fewer.
    pub per_second: u32,
}

impl Default for Quota {
    fn default() -> Self {
        Self {
            burst: 2000,
            per_second: 50,
        }
    }
}

/// The state of a server: everything that must last is in the database.
#[derive(Clone, Debug)]
pub struct LabState {
    /// The database.
    pub database: Database,
    /// How the server was started.
    pub settings: Arc<ServerSettings>,
    /// The queue.
    pub work: Work,
    /// The sessions and tokens that were found in the database, which have quotas of their own.
    pub known: KnownSessions,
    /// The quotas of requests.
    pub quotas: Quotas,
}

impl LabState {
    /// The state of a server that has just started.
    pub fn new(database: Database, work: Work, settings: ServerSettings) -> Self {
        Self {
            database,
            work,
            known: KnownSessions::default(),
            quotas: Quotas::new(settings.trust_proxy),
            settings: Arc::new(settings),
        }
    }
}
