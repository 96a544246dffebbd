//! The socket: accepts connections, within limits, until the server is stopped.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::task::{Context, Poll};
use std::time::Duration;

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::{Request, Response};
use hyper::body::{Frame, Incoming, SizeHint};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, Semaphore, watch};
use tokio::time::{sleep, timeout};
use tower::Service as _;

use crate::limits::{Peer, network};
use crate::places::{BusyConnection, ConnectionSlot, ConnectionSlots};
use crate::tls::Tls;

/// Read buffer, and so the maximum size of a request's head.
const BUFFER_BYTES: usize = 64 * 1024;

/// Pause after a failed accept: most likely too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Limits of the connections of a server.
#[derive(Clone, Debug)]
pub struct ConnectionLimits {
    /// Maximum number of open connections. When it is reached, the one that has been idle longest is
    /// closed for a new one.
    pub total: usize,
    /// Maximum number of open connections per address, in the same way; not applied behind a proxy,
    /// where all share one. An address that has as many requests running gets no more connections.
    pub of_one: usize,
    /// Time limit for receiving a request's head, for a TLS handshake, and for idle connections.
    pub head: Duration,
    /// Maximum lifetime of a connection.
    pub life: Duration,
    /// How long to wait for running requests on shutdown.
    pub shutdown: Duration,
}

impl ConnectionLimits {
    /// At most `total` connections, half of them from one address.
    pub fn from_total(total: usize) -> Self {
        Self {
            total,
            // One address alone cannot take all places.
            of_one: total.div_ceil(2),
            head: Duration::from_secs(10),
            life: Duration::from_mins(30),
            shutdown: Duration::from_secs(10),
        }
    }
}

impl Default for ConnectionLimits {
    /// Up to 8192.
    fn default() -> Self {
        Self::from_total(8192)
    }
}

/// An extension of each request that completes when the server is stopped. A response without end, such
/// as a stream of events, must end then: the server waits for it.
#[derive(Clone, Debug)]
pub struct ServerStopping(watch::Receiver<bool>);

impl ServerStopping {
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
    places: ConnectionSlots,
}

impl Connections {
    /// None yet.
    pub fn new(limits: ConnectionLimits, trust_proxy: bool) -> Self {
        Self {
            room: Arc::new(Semaphore::new(limits.total)),
            limits: Arc::new(limits),
            trust_proxy,
            places: ConnectionSlots::default(),
        }
    }

    /// Number of open connections.
    pub fn open(&self) -> usize {
        self.limits.total - self.room.available_permits()
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
        let (ends, ending) = watch::channel(false);
        let mut end = pin!(end);
        loop {
            tokio::select! {
                () = &mut end => break,
                taken = self.accept(&listener) => {
                    let site = Site { router: router.clone(), ending: ServerStopping(ending.clone()) };
                    let limits = Arc::clone(&self.limits);
                    tokio::spawn(connection(taken, tls.clone(), site, limits));
                }
            }
        }
        drop(listener);
        ends.send_replace(true);
        // All permits can be had once every connection has returned its own.
        let all = u32::try_from(self.limits.total).unwrap_or(u32::MAX);
        let closed = timeout(self.limits.shutdown, self.room.acquire_many(all));
        closed.await.is_ok()
    }

    /// Accepts the next connection that its address has a place for, and waits until there is room.
    async fn accept(&self, listener: &TcpListener) -> TakenConnection {
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
                        let permit = self.make_room().await;
                        return TakenConnection {
                            stream,
                            peer,
                            place,
                            permit,
                        };
                    }
                    tracing::debug!("{peer}: this address has enough requests running");
                }
                Err(error) => {
                    tracing::warn!("no connection was taken: {error}");
                    sleep(PAUSE).await;
                }
            }
        }
    }

    /// Waits for room; if there is none, closes the connection that has been idle longest, or the
    /// first one that becomes idle.
    async fn make_room(&self) -> OwnedSemaphorePermit {
        let mut is_closing = false;
        loop {
            // Listens before it looks, so that nothing is missed between.
            let became_idle = self.places.became_idle();
            let room = Arc::clone(&self.room);
            if let Ok(permit) = Arc::clone(&room).try_acquire_owned() {
                return permit;
            }
            is_closing = is_closing || self.places.close_idle();
            tokio::select! {
                permit = room.acquire_owned() => {
                    return permit.expect("the semaphore is never closed");
                }
                () = became_idle, if !is_closing => {}
            }
        }
    }
}

/// A connection, with the resources it holds while it is open.
struct TakenConnection {
    stream: TcpStream,
    peer: SocketAddr,
    place: ConnectionSlot,
    permit: OwnedSemaphorePermit,
}

/// What answers.
#[derive(Clone)]
struct Site {
    router: Router,
    ending: ServerStopping,
}

/// Serves one connection, from its handshake to its last request.
async fn connection(
    taken: TakenConnection,
    tls: Option<Tls>,
    site: Site,
    limits: Arc<ConnectionLimits>,
) {
    let TakenConnection {
        stream,
        peer,
        place,
        permit,
    } = taken;
    // Responses are small and complete; waiting for more data would only delay them.
    let _ = stream.set_nodelay(true);
    match tls {
        None => requests(stream, peer, &place, site, &limits).await,
        Some(tls) => {
            let accepted = tokio::select! {
                accepted = timeout(limits.head, tls.accept(stream)) => accepted,
                () = leave(&place, &site) => return,
            };
            match accepted {
                Ok(Ok(stream)) => requests(stream, peer, &place, site, &limits).await,
                Ok(Err(error)) => tracing::debug!("{peer}: no TLS: {error}"),
                Err(_) => tracing::debug!("{peer}: the TLS handshake took too long"),
            }
        }
    }
    drop((place, permit));
}

/// How long a new connection is left alone, so that its first request is not cut off.
const ARRIVAL: Duration = Duration::from_secs(1);

/// Waits until the connection is to be closed: the server ends, or needs the place.
async fn leave(place: &ConnectionSlot, site: &Site) {
    let needed = async {
        tokio::select! {
            () = sleep(ARRIVAL) => place.settle(),
            () = place.closed() => return,
        }
        place.closed().await;
    };
    tokio::select! {
        () = needed => {}
        () = site.ending.clone().wait() => {}
    }
}

async fn requests<S>(
    stream: S,
    peer: SocketAddr,
    place: &ConnectionSlot,
    site: Site,
    limits: &ConnectionLimits,
) where
    S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
{
    let service = service_fn(|request| answer(site.clone(), request, peer, place.busy()));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        // A client that sends its head byte by byte ("Slowloris") would hold a place for ever.
        .header_read_timeout(limits.head)
        .max_buf_size(BUFFER_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let served = async {
        let mut served = pin!(served);
        tokio::select! {
            done = served.as_mut() => return done,
            () = leave(place, &site) => served.as_mut().graceful_shutdown(),
        }
        served.await
    };
    match timeout(limits.life, served).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => tracing::debug!("{peer}: {error}"),
        Err(_) => tracing::debug!("{peer}: the connection has been open long enough"),
    }
}

async fn answer(
    mut site: Site,
    request: Request<Incoming>,
    peer: SocketAddr,
    busy: BusyConnection,
) -> Result<Response<ResponseBody>, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(Peer(peer));
    request.extensions_mut().insert(site.ending);
    let response = site.router.call(request).await?;
    Ok(response.map(|body| ResponseBody { body, _busy: busy }))
}

/// The body of a response: its connection is busy until all of it is sent.
struct ResponseBody {
    body: Body,
    _busy: BusyConnection,
}

impl HttpBody for ResponseBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
