//! The socket: accepts connections, within limits, until the server is stopped.

use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::response::Response;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::{GracefulShutdown, Watcher};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tower::Service as _;

use crate::limits::{Peer, network};
use crate::tls::Tls;

/// Read buffer, and so the maximum size of a request's head.
const BUFFER_BYTES: usize = 64 * 1024;

/// Pause after a failed accept: most likely too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Limits of the connections of a server.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// Maximum number of open connections.
    pub total: usize,
    /// Maximum number of open connections per address; not applied behind a proxy, where all share
    /// one.
    pub of_one: usize,
    /// Time limit for receiving a request's head, for a TLS handshake, and for idle connections.
    pub head: Duration,
    /// Maximum lifetime of a connection.
    pub life: Duration,
    /// How long to wait for running requests on shutdown.
    pub shutdown: Duration,
}

impl Default for ConnectionLimits {
    fn default() -> Self {
        Self {
            total: 2048,
            of_one: 512,
            head: Duration::from_secs(10),
            life: Duration::from_mins(30),
            shutdown: Duration::from_secs(10),
        }
    }
}

/// An extension of each request that completes when the server is stopped. A response without end, such
/// as a stream of events, must end then: the server waits for it.
#[derive(Clone, Debug)]
pub struct Ending(watch::Receiver<bool>);

impl Ending {
    /// Waits until the server is stopped.
    pub async fn wait(mut self) {
        // If the sender is gone, the server has ended.
        let _ = self.0.wait_for(|has_begun| *has_begun).await;
    }
}

/// The connections of one server; clones share them.
#[derive(Clone, Debug)]
pub struct Connections {
    limits: Arc<ConnectionLimits>,
    trust_proxy: bool,
    room: Arc<Semaphore>,
    places: Places,
}

impl Connections {
    /// None yet.
    pub fn new(limits: ConnectionLimits, trust_proxy: bool) -> Self {
        Self {
            room: Arc::new(Semaphore::new(limits.total)),
            limits: Arc::new(limits),
            trust_proxy,
            places: Places::default(),
        }
    }

    /// Number of open connections.
    pub fn open(&self) -> usize {
        let taken = self.limits.total - self.room.available_permits();
        // One permit is reserved for the next connection.
        taken.saturating_sub(1)
    }

    /// Serves on the socket until `end` completes; then accepts no more connections, and waits for
    /// running requests. With `tls`, only HTTPS.
    ///
    /// Returns whether all of them were answered in time.
    pub async fn serve(
        &self,
        listener: TcpListener,
        tls: Option<Tls>,
        router: Router,
        end: impl Future<Output = ()>,
    ) -> bool {
        let graceful = GracefulShutdown::new();
        let (ends, ending) = watch::channel(false);
        let mut end = std::pin::pin!(end);
        loop {
            tokio::select! {
                () = &mut end => break,
                taken = self.accept(&listener) => {
                    let site = Site { router: router.clone(), ending: Ending(ending.clone()) };
                    let served = connection(
                        taken,
                        graceful.watcher(),
                        tls.clone(),
                        site,
                        Arc::clone(&self.limits),
                    );
                    tokio::spawn(served);
                }
            }
        }
        drop(listener);
        ends.send_replace(true);
        let shutdown = timeout(self.limits.shutdown, graceful.shutdown());
        shutdown.await.is_ok()
    }

    /// Accepts the next connection when there is room; closes those of an address that has reached its
    /// maximum.
    async fn accept(&self, listener: &TcpListener) -> Taken {
        let room = Arc::clone(&self.room).acquire_owned();
        let permit = room.await.expect("the semaphore is never closed");
        // Behind a proxy all share one address.
        let most = if self.trust_proxy {
            usize::MAX
        } else {
            self.limits.of_one
        };
        loop {
            match listener.accept().await {
                Ok((stream, peer)) => {
                    if let Some(place) = self.places.take(network(peer.ip()), most) {
                        let room = (permit, place);
                        return Taken { stream, peer, room };
                    }
                    tracing::debug!("{peer}: this address has enough connections");
                }
                Err(error) => {
                    tracing::warn!("no connection was taken: {error}");
                    sleep(PAUSE).await;
                }
            }
        }
    }
}

/// A connection, with the resources it holds while it is open.
struct Taken {
    stream: TcpStream,
    peer: SocketAddr,
    room: (OwnedSemaphorePermit, Place),
}

/// What answers.
#[derive(Clone)]
struct Site {
    router: Router,
    ending: Ending,
}

/// Serves one connection, from its handshake to its last request.
async fn connection(
    taken: Taken,
    watcher: Watcher,
    tls: Option<Tls>,
    site: Site,
    limits: Arc<ConnectionLimits>,
) {
    let Taken { stream, peer, room } = taken;
    // Responses are small and complete; waiting for more data would only delay them.
    let _ = stream.set_nodelay(true);
    match tls {
        None => requests(stream, peer, watcher, site, &limits).await,
        Some(tls) => match timeout(limits.head, tls.accept(stream)).await {
            Ok(Ok(stream)) => requests(stream, peer, watcher, site, &limits).await,
            Ok(Err(error)) => tracing::debug!("{peer}: no TLS: {error}"),
            Err(_) => tracing::debug!("{peer}: the TLS handshake took too long"),
        },
    }
    drop(room);
}

async fn requests<S>(
    stream: S,
    peer: SocketAddr,
    watcher: Watcher,
    site: Site,
    limits: &ConnectionLimits,
) where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let service = service_fn(move |request| answer(site.clone(), request, peer));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(BUFFER_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    match timeout(limits.life, watcher.watch(served)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!("{peer}: {error}"),
        Err(_) => tracing::debug!("{peer}: the connection has been open long enough"),
    }
}

async fn answer(
    mut site: Site,
    request: Request<Incoming>,
    peer: SocketAddr,
) -> Result<Response, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(Peer(peer));
    request.extensions_mut().insert(site.ending);
    site.router.call(request).await
}

/// Number of open connections per address, so that no address takes all of them.
#[derive(Clone, Debug, Default)]
struct Places(Arc<Mutex<HashMap<IpAddr, usize>>>);

/// A connection slot taken by an address; dropping it frees the slot.
#[derive(Debug)]
struct Place {
    places: Places,
    address: IpAddr,
}

impl Places {
    /// Takes a slot, unless the address has reached its maximum.
    fn take(&self, address: IpAddr, most: usize) -> Option<Place> {
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
