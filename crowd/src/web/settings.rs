use std::time::Duration;

use super::admin_token::AdminToken;

/// How the server is set up.
#[derive(Clone, Debug, Default)]
pub struct WebSettings {
    /// Whether browsers come by HTTPS, through a proxy: cookies are for it only then.
    pub https: bool,
    /// Whether the last address in `X-Forwarded-For` is that of the peer.
    pub trust_proxy: bool,
    /// What moderators show; without it there are none.
    pub admin: Option<AdminToken>,
    /// How much is taken at once.
    pub limits: Limits,
}

/// How much the server takes from one person or address, and in all.
#[derive(Clone, Debug)]
pub struct Limits {
    /// Requests a second, for long, of one session, or of one address without a session.
    pub per_second: u32,
    /// Requests at once before that counts.
    pub burst: u32,
    /// New sessions at once from one address; then one more a second.
    pub new_sessions: u32,
    /// Attempts at once from one address to log in; then one more every two seconds.
    pub logins: u32,
    /// Open connections.
    pub connections: usize,
    /// Open connections of one address; does not count with a proxy, from which all come.
    pub connections_of_one: usize,
    /// How long an answer may take.
    pub answer: Duration,
    /// How long a request's head may take to come, and a connection may be idle.
    pub head: Duration,
    /// How long a connection lives at most.
    pub connection: Duration,
    /// How long requests that run are waited for when the server ends.
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
