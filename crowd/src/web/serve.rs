//! The socket, which accepts connections until the server is stopped; periodic work; endpoints for operators.

use std::convert::Infallible;
use std::future::Future;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::State;
use axum::http::{Request, header};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use hyper::body::Incoming;
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::server::graceful::GracefulShutdown;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{OwnedSemaphorePermit, watch};
use tokio::time::{MissedTickBehavior, interval, sleep, timeout};
use tower::Service as _;

use super::limits::{Peer, network};
use super::problem::{BUSY, Problem};
use super::state::{App, Limits, Place, now};

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
    // Behind a proxy all share one address.
    let most = if app.settings.trust_proxy {
        usize::MAX
    } else {
        app.settings.limits.connections_of_one
    };
    loop {
        match listener.accept().await {
            Ok((stream, peer)) => {
                if let Some(place) = app.places.take(network(peer.ip()), most) {
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

/// Interval of checking whether anything has changed.
const EVERY: Duration = Duration::from_secs(2);

/// Maximum number of intervals without a round: timeouts cause no note.
const TICKS_AT_MOST: u32 = 30;

/// Runs upkeep, one round at a time, until `end` turns true; then a last round.
pub async fn upkeep(app: App, mut end: watch::Receiver<bool>) {
    let mut ticks = interval(EVERY);
    ticks.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let mut idle = 0;
    loop {
        tokio::select! {
            _ = ticks.tick() => {}
            _ = end.wait_for(|ended| *ended) => break,
        }
        idle += 1;
        if app.take_change() || idle >= TICKS_AT_MOST {
            idle = 0;
            round(&app).await;
            app.sweep();
        }
    }
    round(&app).await;
}

#[expect(clippy::disallowed_methods, reason = "the edge times its work")]
async fn round(app: &App) {
    let began = Instant::now();
    let done = app.service.upkeep(now()).await;
    app.metrics.upkeep(began.elapsed(), done.is_err());
    match done {
        Ok(report) if report.did_something() => tracing::debug!("upkeep: {report:?}"),
        Ok(_) => {}
        Err(error) => {
            app.has_changed();
            tracing::error!("upkeep failed: {:#}", anyhow::Error::new(error));
        }
    }
}

/// Time limit of the check that the database accepts writes.
const PATIENCE: Duration = Duration::from_secs(3);

pub(crate) fn health() -> Router<App> {
    Router::new()
        .route("/healthz", get(alive))
        .route("/readyz", get(ready))
        .route("/metrics", get(metrics))
}

async fn alive() -> &'static str {
    "alive\n"
}

async fn ready(State(app): State<App>) -> Result<&'static str, Problem> {
    let asked = timeout(PATIENCE, app.service.store().can_write()).await;
    let error = match asked {
        Ok(Ok(())) => return Ok("ready\n"),
        Ok(Err(error)) => error.to_string(),
        Err(elapsed) => elapsed.to_string(),
    };
    tracing::error!("not ready: {error}");
    Err(Problem::new(BUSY, "the database takes no changes now").retry_after(1))
}

async fn metrics(State(app): State<App>) -> Result<Response, Problem> {
    app.gauge().await?;
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    Ok((kind, app.metrics.render()).into_response())
}
