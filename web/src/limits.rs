//! Rate limits: requests are counted per session, or per client address without one.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::{Extensions, HeaderMap, Request};
use axum::response::IntoResponse as _;
use governor::middleware::NoOpMiddleware;
use tower_governor::governor::GovernorConfigBuilder;
use tower_governor::key_extractor::KeyExtractor;
use tower_governor::{GovernorError, GovernorLayer};

use crate::problem::{INTERNAL, Problem, TOO_MANY_REQUESTS};
use crate::secret;

/// Between two evictions of idle entries.
const SWEEP: Duration = Duration::from_mins(1);

/// The other end of a connection, an extension of each request.
#[derive(Clone, Copy, Debug)]
pub struct Peer(pub SocketAddr);

/// The sessions found in the database since the server started.
///
/// Only these have quotas of their own: requests with made-up sessions count for the address.
#[derive(Clone, Debug, Default)]
pub struct KnownSessions(Arc<Mutex<HashSet<[u8; 32]>>>);

impl KnownSessions {
    /// At this size all are forgotten, and found again one by one.
    // The hashes take some megabytes then.
    const MOST: usize = 100_000;

    /// Notes that a session with this token exists.
    pub fn add(&self, token: &str) {
        let hash = secret::hash(token);
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.contains(&hash) {
            return;
        }
        if known.len() >= Self::MOST {
            known.clear();
        }
        known.insert(hash);
    }

    fn find(&self, token: &str) -> Option<[u8; 32]> {
        let hash = secret::hash(token);
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(&hash).then_some(hash)
    }
}

/// Whose requests are counted together.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RateKey {
    /// A session, by the hash of its token.
    Session([u8; 32]),
    /// A network.
    Address(IpAddr),
}

/// Counts by session if it is known, by address otherwise.
#[derive(Clone, Debug)]
pub struct BySession {
    /// Which sessions exist.
    pub known: KnownSessions,
    /// Finds the token of a session in a request.
    pub token: fn(&HeaderMap) -> Option<&str>,
    /// As in [`client`].
    pub trust_proxy: bool,
}

/// Counts by address.
#[derive(Clone, Debug)]
pub struct ByAddress {
    /// As in [`client`].
    pub trust_proxy: bool,
}

impl KeyExtractor for BySession {
    type Key = RateKey;

    fn extract<T>(&self, request: &Request<T>) -> Result<RateKey, GovernorError> {
        let token = (self.token)(request.headers());
        match token.and_then(|token| self.known.find(token)) {
            Some(hash) => Ok(RateKey::Session(hash)),
            None => address(request, self.trust_proxy).map(RateKey::Address),
        }
    }
}

impl KeyExtractor for ByAddress {
    type Key = IpAddr;

    fn extract<T>(&self, request: &Request<T>) -> Result<IpAddr, GovernorError> {
        address(request, self.trust_proxy)
    }
}

#[expect(
    clippy::result_large_err,
    reason = "the error is that of the trait `KeyExtractor`"
)]
fn address<T>(request: &Request<T>, trust_proxy: bool) -> Result<IpAddr, GovernorError> {
    let found = client(request.headers(), request.extensions(), trust_proxy);
    found.ok_or(GovernorError::UnableToExtractKey)
}

/// The network that a request comes from: the peer, or what the nearest proxy reports if one is
/// trusted. Nothing if the request did not come by [`Connections`](crate::serve::Connections).
pub fn client(headers: &HeaderMap, extensions: &Extensions, trust_proxy: bool) -> Option<IpAddr> {
    let peer = extensions.get::<Peer>()?.0.ip();
    let forwarded = trust_proxy.then(|| {
        // The address added by the nearest proxy; earlier ones can be forged.
        let last = headers.get_all("x-forwarded-for").iter().next_back()?;
        last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    });
    let forwarded: Option<IpAddr> = forwarded.flatten();
    Some(network(forwarded.unwrap_or(peer)))
}

/// A household has 2^64 IPv6 addresses; they count as one.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    // An IPv4 client of an IPv6 socket has an address such as ::ffff:192.0.2.1.
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// The layer that rejects requests beyond a quota.
pub type QuotaLayer<K> = GovernorLayer<K, NoOpMiddleware, Body>;

/// Evicts idle entries of a quota.
type Broom = Box<dyn Fn() + Send>;

/// The quotas of a server; clones share them.
#[derive(Clone, Default)]
pub struct Quotas {
    trust_proxy: bool,
    brooms: Arc<Mutex<Vec<Broom>>>,
}

impl Quotas {
    /// Without any quota yet; `trust_proxy` as in [`client`].
    pub fn new(trust_proxy: bool) -> Self {
        Self {
            trust_proxy,
            brooms: Arc::default(),
        }
    }

    /// The layer that rejects requests beyond a burst of `burst` and then one per `period`, for each key.
    ///
    /// # Panics
    /// The period is zero.
    pub fn limit<K>(&self, key: K, period: Duration, burst: u32) -> QuotaLayer<K>
    where
        K: KeyExtractor + Send + Sync + 'static,
        K::Key: Send + Sync + 'static,
    {
        let mut builder = GovernorConfigBuilder::default().key_extractor(key);
        let quota = builder.period(period).burst_size(burst.max(1)).finish();
        let quota = Arc::new(quota.expect("neither is zero"));
        let swept = Arc::clone(&quota);
        let mut brooms = self.brooms.lock().unwrap_or_else(PoisonError::into_inner);
        brooms.push(Box::new(move || swept.limiter().retain_recent()));
        GovernorLayer::new(quota).error_handler(|error| rejection(&error).into_response())
    }

    /// The same for each client address.
    pub fn limit_addresses(&self, period: Duration, burst: u32) -> QuotaLayer<ByAddress> {
        let trust_proxy = self.trust_proxy;
        self.limit(ByAddress { trust_proxy }, period, burst)
    }

    /// Evicts idle entries every minute, for ever.
    pub async fn keep(self) {
        loop {
            tokio::time::sleep(SWEEP).await;
            self.sweep();
        }
    }

    /// Evicts idle entries; to be called from time to time.
    pub fn sweep(&self) {
        let brooms = self.brooms.lock().unwrap_or_else(PoisonError::into_inner);
        brooms.iter().for_each(|broom| broom());
    }
}

impl std::fmt::Debug for Quotas {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Quotas").finish_non_exhaustive()
    }
}

fn rejection(error: &GovernorError) -> Problem {
    match error {
        GovernorError::TooManyRequests { wait_time, .. } => {
            // `wait_time` is rounded down to whole seconds: a retry after it could come too early.
            let seconds = wait_time + 1;
            let detail = format!("too many requests from here; try again in {seconds} s");
            Problem::new(TOO_MANY_REQUESTS, detail).retry_after(seconds)
        }
        GovernorError::UnableToExtractKey | GovernorError::Other { .. } => {
            Problem::new(INTERNAL, "the request has no sender")
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cookies::bearer;

    fn request(forwarded: &[&str]) -> Request<()> {
        let mut builder = Request::builder();
        for value in forwarded {
            builder = builder.header("x-forwarded-for", *value);
        }
        let mut request = builder.body(()).expect("a request");
        let peer = "192.0.2.1:5000".parse().expect("an address");
        request.extensions_mut().insert(Peer(peer));
        request
    }

    fn found(forwarded: &[&str], trust_proxy: bool) -> String {
        let address = address(&request(forwarded), trust_proxy);
        address.expect("there is a peer").to_string()
    }

    #[test]
    fn only_the_last_hop_is_believed_and_only_behind_a_proxy() {
        let hops = ["203.0.113.9", "198.51.100.1, 198.51.100.2"];
        assert_eq!(found(&hops, false), "192.0.2.1");
        assert_eq!(found(&hops, true), "198.51.100.2");
        assert_eq!(found(&["junk, junk"], true), "192.0.2.1");
        assert_eq!(found(&[], true), "192.0.2.1");
    }

    #[test]
    fn a_network_of_version_6_is_one() {
        assert_eq!(found(&["2001:db8:1:2:3:4:5:6"], true), "2001:db8:1:2::");
        assert_eq!(found(&["::ffff:203.0.113.5"], true), "203.0.113.5");
    }

    #[test]
    fn a_session_that_was_not_found_counts_by_address() {
        let by_session = BySession {
            known: KnownSessions::default(),
            token: bearer,
            trust_proxy: false,
        };
        let mut request = request(&[]);
        let header = "Bearer abc".parse().expect("a header");
        request.headers_mut().insert("authorization", header);
        let key = || by_session.extract(&request).expect("a key");
        assert!(matches!(key(), RateKey::Address(_)));
        by_session.known.add("abc");
        assert_eq!(key(), RateKey::Session(secret::hash("abc")));
    }
}
