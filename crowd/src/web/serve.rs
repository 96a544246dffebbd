//! The socket: accepts connections until the server is stopped; each has limits.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::OwnedSemaphorePermit;
use tokio::time::{sleep, timeout};
use tower::Service as _;

use super::limits::{Peer, network};
use super::places::Place;
use super::settings::Limits;
use super::state::App;

/// Read buffer, and so the maximum size of a request's head.
const BUFFER_BYTES: usize = 64 * 1024;

/// Pause after a failed accept: most likely too many files are open.
const PAUSE: Duration = Duration::from_millis(100);

/// Serves on the socket until `end` completes; then accepts no more connections, and waits for
/// running requests.
///
/// Returns whether all of them were answered in time.
pub async fn serve(
    listener: TcpListener,
    router: Router,
    app: &App,
    end: impl Future<Output = ()>,
) -> bool {
    let graceful = GracefulShutdown::new();
    let limits = &app.settings.limits;
    let mut end = std::pin::pin!(end);
    loop {
        tokio::select! {
            () = &mut end => break,
            taken = accept(&listener, app) => {
                tokio::spawn(connection(taken, &graceful, &router, limits));
            }
        }
    }
    drop(listener);
    timeout(limits.shutdown, graceful.shutdown()).await.is_ok()
}

/// A connection, with the resources it holds while it is open.
struct Taken {
    stream: TcpStream,
    peer: SocketAddr,
    room: (OwnedSemaphorePermit, Place),
}

/// Accepts the next connection when there is room; closes those of an address that has reached its
/// maximum.
async fn accept(listener: &TcpListener, app: &App) -> Taken {
    let room = app.connections.clone().acquire_owned();
    let permit = room.await.expect("the semaphore is never closed");
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                if let Some(place) = place_for(peer, app) {
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

/// Its slot, or `None` if the address has reached its maximum; behind a proxy all share one
/// address.
fn place_for(peer: SocketAddr, app: &App) -> Option<Place> {
    let most = if app.settings.trust_proxy {
        usize::MAX
    } else {
        app.settings.limits.connections_of_one
    };
    app.places.take(network(peer.ip()), most)
}

/// Serves one connection, from its first request to its last.
fn connection(
    taken: Taken,
    graceful: &GracefulShutdown,
    router: &Router,
    limits: &Limits,
) -> impl Future<Output = ()> + Send + 'static {
    let Taken { stream, peer, room } = taken;
    // Responses are small and complete; waiting for more data would only delay them.
    let _ = stream.set_nodelay(true);
    let router = router.clone();
    let service = service_fn(move |request| answer(router.clone(), request, peer));
    let served = http1::Builder::new()
        .timer(TokioTimer::new())
        .header_read_timeout(limits.head)
        .max_buf_size(BUFFER_BYTES)
        .serve_connection(TokioIo::new(stream), service);
    let served = timeout(limits.connection, graceful.watch(served));
    async move {
        match served.await {
            Ok(Ok(())) => {}
            Ok(Err(error)) => tracing::debug!("{peer}: {error}"),
            Err(_) => tracing::debug!("{peer}: the connection has been open long enough"),
        }
        drop(room);
    }
}

async fn answer(
    mut router: Router,
    request: Request<Incoming>,
    peer: SocketAddr,
) -> Result<axum::response::Response, Infallible> {
    let mut request = request.map(Body::new);
    request.extensions_mut().insert(Peer(peer));
    router.call(request).await
}
