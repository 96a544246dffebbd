//! The pulse: sends heartbeats for every lease held, and aborts games that are no longer wanted.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ::fleet::{Lease, Standing};
use uci::Cancel;

use super::Shared;
use crate::fleet::patient::now;

/// How often it checks whether a heartbeat is due.
const SLICE: Duration = Duration::from_millis(20);
/// Number of heartbeats within the visibility time of a lease.
const BEATS: u32 = 4;

/// The leases of all lanes.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    held: Mutex<Vec<(Lease, Cancel)>>,
    is_over: AtomicBool,
}

impl Pulse {
    /// Keeps a lease alive; `cancel` is set when it is lost or no longer wanted.
    pub(super) fn hold(&self, lease: &Lease, cancel: &Cancel) {
        self.held().push((lease.clone(), cancel.clone()));
    }

    pub(super) fn let_go(&self, lease: &Lease) {
        self.held().retain(|(held, _)| held.token != lease.token);
    }

    /// Called when all lanes have ended.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn held(&self) -> MutexGuard<'_, Vec<(Lease, Cancel)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sends heartbeats until all lanes have ended.
    pub(super) fn beat(&self, shared: &Shared<'_>) {
        let every = shared.helper.visibility / BEATS;
        let mut last = now();
        while !self.is_over.load(Ordering::Relaxed) {
            if shared.is_over() {
                self.held().iter().for_each(|(_, cancel)| cancel.set());
            } else if now() - last >= every {
                last = now();
                self.beat_once(shared);
            }
            std::thread::sleep(SLICE);
        }
    }

    fn beat_once(&self, shared: &Shared<'_>) {
        let helper = shared.helper;
        // Copied, so that lanes need not wait for the broker.
        let held = self.held().clone();
        for (lease, cancel) in held.into_iter().filter(|(_, cancel)| !cancel.is_set()) {
            match helper.broker.heartbeat(&lease, helper.visibility) {
                // A broker that cannot be reached now may be at the next beat; the lease may be
                // lost by then.
                Ok(Standing::Held) | Err(_) => {}
                Ok(Standing::Stopped(reason)) => {
                    (helper.say)(&format!("job {} was stopped: {reason}", lease.job.id));
                    cancel.set();
                }
                Ok(Standing::Lost) => {
                    (helper.say)(&format!(
                        "the lease of chunk {} of job {} is lost: its pairs are somebody else's",
                        lease.chunk, lease.job.id
                    ));
                    cancel.set();
                }
            }
        }
    }
}
