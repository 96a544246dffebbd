//! Periodic work independent of requests: timeouts, estimates, test cases, points, flags.

use std::time::{Duration, Instant};

use tokio::sync::watch;
use tokio::time::{MissedTickBehavior, interval};

use super::state::App;
use crate::clock;

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
    let done = app.service.upkeep(clock::now()).await;
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
