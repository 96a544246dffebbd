//! Serving until the server is stopped; periodic work; endpoints for operators.

use std::future::Future;
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::State;
use axum::http::header;
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval, timeout};
use web::problem::{BUSY, Problem};

use super::state::{App, now};

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
    app.connections.serve(listener, None, router, end).await
}

const EVERY: Duration = Duration::from_secs(2);

/// Maximum number of intervals without a round: timeouts cause no note.
const TICKS_AT_MOST: u32 = 30;

/// Runs upkeep, one round at a time, until `end` turns true; then a last round.
pub async fn upkeep(app: App, mut end: watch::Receiver<bool>) {
    let mut ticks = interval(EVERY);
    // After a long round, the missed ticks must not follow at once.
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
            // What another program has deleted must be forgotten within a minute.
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
    if let Err(error) = app.service.forget_idle(now()).await {
        tracing::error!("clean-up failed: {:#}", anyhow::Error::new(error));
    }
    match done {
        Ok(report) if report.did_something() => tracing::debug!("upkeep: {report:?}"),
        Ok(_) => {}
        Err(error) => {
            // The next tick tries again, and not one in a minute.
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
    // 0.0.4 is the version of Prometheus's text format.
    let kind = [(header::CONTENT_TYPE, "text/plain; version=0.0.4")];
    Ok((kind, app.metrics.render()).into_response())
}
