use std::time::Duration;

use super::admin_token::AdminToken;

/// Configuration of the server.
#[derive(Clone, Debug, Default)]
pub struct WebSettings {
    /// Whether the site is served over HTTPS by a proxy; cookies are then restricted to HTTPS.
    pub https: bool,
    /// Whether the last address in `X-Forwarded-For` is the client's.
    pub trust_proxy: bool,
    /// The moderators' token; without it, moderation is disabled.
    pub admin: Option<AdminToken>,
    /// The limits.
    pub limits: Limits,
}

/// Limits per session or address, and in total.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Sustained requests per second of one session, or of one address without a session.
    pub per_second: u32,
    /// Size of a burst of requests.
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
    /// Time limit of a response.
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
