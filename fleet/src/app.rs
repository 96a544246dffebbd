//! What all requests of the server share.

use std::sync::Arc;

use crate::store::Database;
use crate::store::work::Work;

/// How the server was started.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    /// Whether people reach it by HTTPS, served here or by a proxy; cookies are then bound to HTTPS.
    pub https: bool,
    /// Whether the last address in `X-Forwarded-For` is the client's.
    pub trust_proxy: bool,
    /// Where people find it, such as `https://lab.example`, for links and commands on pages.
    pub public_url: String,
}

/// The state of a server: everything else is in the database.
#[derive(Clone, Debug)]
pub struct App {
    /// The database.
    pub database: Database,
    /// How the server was started.
    pub settings: Arc<Settings>,
    /// The queue.
    pub work: Work,
}
