//! What the service manager learns of a server or a worker: units of systemd with `Type=notify`. On
//! other systems, and without a service manager, nothing happens.

/// Reports that the program works from now on.
pub(crate) fn ready() {
    #[cfg(target_os = "linux")]
    notify(sd_notify::NotifyState::Ready);
}

/// Reports that the program is about to end.
pub(crate) fn stopping() {
    #[cfg(target_os = "linux")]
    notify(sd_notify::NotifyState::Stopping);
}

/// Shows again and again that this runtime is alive, if the unit has a `WatchdogSec`.
pub(crate) async fn show_life() {
    #[cfg(target_os = "linux")]
    if let Some(longest) = sd_notify::watchdog_enabled() {
        // `sd_watchdog_enabled(3)` recommends half of the time; a third leaves a reserve.
        let mut ticks = tokio::time::interval(longest / 3);
        loop {
            ticks.tick().await;
            notify(sd_notify::NotifyState::Watchdog);
        }
    }
}

#[cfg(target_os = "linux")]
fn notify(state: sd_notify::NotifyState<'_>) {
    // A manager that cannot be reached acts as if nothing had been sent, and the work must go on.
    if let Err(error) = sd_notify::notify(&[state]) {
        tracing::warn!("the service manager cannot be reached: {error}");
    }
}
