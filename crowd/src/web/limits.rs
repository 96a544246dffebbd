//! Rate limits: requests are counted per session, or per client address without one.

use std::collections::HashSet;
use std::net::{IpAddr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::body::Body;
use axum::http::Request;
use axum::response::IntoResponse as _;
use governor::middleware::NoOpMiddleware;
use tower_governor::governor::{GovernorConfig, GovernorConfigBuilder};
use tower_governor::key_extractor::KeyExtractor;
use tower_governor::{GovernorError, GovernorLayer};

use super::problem::{INTERNAL, Problem, TOO_MANY_REQUESTS};
use super::tokens::session_of;
use crate::service::SessionToken;

/// The session tokens found in the database since the server started.
///
/// Only these have quotas of their own: requests with made-up tokens count for the address.
#[derive(Clone, Debug, Default)]
pub(crate) struct KnownSessions(Arc<Mutex<HashSet<SessionToken>>>);

impl KnownSessions {
    /// At this size all are forgotten, and found again one by one.
    const MOST: usize = 100_000;

    pub(crate) fn add(&self, token: &SessionToken) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.contains(token) {
            return;
        }
        if known.len() >= Self::MOST {
            known.clear();
        }
        known.insert(token.clone());
    }

    fn contains(&self, token: &SessionToken) -> bool {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.contains(token)
    }
}

#[derive(Clone, Copy, Debug)]
pub(crate) struct Peer(pub(crate) SocketAddr);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub(crate) enum Asker {
    Session(SessionToken),
    Address(IpAddr),
}

#[derive(Clone, Debug)]
pub(crate) struct BySession {
    pub(crate) known: KnownSessions,
    pub(crate) trust_proxy: bool,
}

#[derive(Clone, Debug)]
pub(crate) struct ByAddress {
    pub(crate) trust_proxy: bool,
}

impl KeyExtractor for BySession {
    type Key = Asker;

    fn extract<T>(&self, request: &Request<T>) -> Result<Asker, GovernorError> {
        match session_of(request.headers()) {
            Some(token) if self.known.contains(&token) => Ok(Asker::Session(token)),
            _ => address(request, self.trust_proxy).map(Asker::Address),
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
    let peer = request.extensions().get::<Peer>();
    let peer = peer.ok_or(GovernorError::UnableToExtractKey)?.0.ip();
    let forwarded = trust_proxy.then(|| {
        // The address added by the nearest proxy; earlier ones can be forged.
        let last = request
            .headers()
            .get_all("x-forwarded-for")
            .iter()
            .next_back()?;
        last.to_str().ok()?.rsplit(',').next()?.trim().parse().ok()
    });
    let forwarded: Option<IpAddr> = forwarded.flatten();
    Ok(network(forwarded.unwrap_or(peer)))
}

/// A household has 2^64 IPv6 addresses; they count as one.
pub(crate) fn network(address: IpAddr) -> IpAddr {
    match address.to_canonical() {
        IpAddr::V6(v6) => {
            let [a, b, c, d, ..] = v6.segments();
            IpAddr::V6(Ipv6Addr::new(a, b, c, d, 0, 0, 0, 0))
        }
        v4 @ IpAddr::V4(_) => v4,
    }
}

/// A quota of requests by key, and the layer that rejects requests beyond it.
pub(crate) type Quota<K> = Arc<GovernorConfig<K, NoOpMiddleware>>;
pub(crate) type QuotaLayer<K> = GovernorLayer<K, NoOpMiddleware, Body>;

/// Allows a burst of `burst` requests and then one per `period`.
pub(crate) fn quota<K: KeyExtractor>(key: K, period: Duration, burst: u32) -> Quota<K> {
    let mut builder = GovernorConfigBuilder::default().key_extractor(key);
    let config = builder.period(period).burst_size(burst.max(1)).finish();
    Arc::new(config.expect("neither is zero"))
}

pub(crate) fn layer<K: KeyExtractor>(quota: Quota<K>) -> QuotaLayer<K> {
    GovernorLayer::new(quota).error_handler(|error| refusal(&error).into_response())
}

fn refusal(error: &GovernorError) -> Problem {
    match error {
        GovernorError::TooManyRequests { wait_time, .. } => {
            let seconds = wait_time + 1;
            let detail = format!("more requests than a person makes; try again in {seconds} s");
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
            trust_proxy: false,
        };
        let token = SessionToken::random().expect("random bytes");
        let mut request = request(&[]);
        let cookie = format!("crowd_session={}", token.as_str());
        let cookie = cookie.parse().expect("a header");
        request.headers_mut().insert("cookie", cookie);
        let key = || by_session.extract(&request).expect("a key");
        assert!(matches!(key(), Asker::Address(_)));
        by_session.known.add(&token);
        assert_eq!(key(), Asker::Session(token));
    }
}
