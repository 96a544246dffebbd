//! The pulse: says for every lease that is held that its lane is at work, and breaks off games that are not
//! wanted any more.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use ::fleet::{Lease, Standing};
use uci::Cancel;

use super::Shared;
use crate::fleet::patient::now;

/// How often it looks around.
const SLICE: Duration = Duration::from_millis(20);
/// So many heartbeats fit in the time that a lease has.
const BEATS: u32 = 4;

/// The leases of all lanes.
#[derive(Debug, Default)]
pub(super) struct Pulse {
    held: Mutex<Vec<(Lease, Cancel)>>,
    is_over: AtomicBool,
}

impl Pulse {
    /// Takes care of a lease; `cancel` is set when it is lost or not wanted.
    pub(super) fn hold(&self, lease: &Lease, cancel: &Cancel) {
        self.held().push((lease.clone(), cancel.clone()));
    }

    pub(super) fn let_go(&self, lease: &Lease) {
        self.held().retain(|(held, _)| held.token != lease.token);
    }

    /// No lane is left.
    pub(super) fn end(&self) {
        self.is_over.store(true, Ordering::Relaxed);
    }

    fn held(&self) -> MutexGuard<'_, Vec<(Lease, Cancel)>> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Beats until all lanes have ended.
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
        // Lanes do not wait while the broker is asked.
        let held = self.held().clone();
        for (lease, cancel) in held.into_iter().filter(|(_, cancel)| !cancel.is_set()) {
            match helper.broker.heartbeat(&lease, helper.visibility) {
                // What cannot be reached now may be at the next beat; the lease may be lost by then.
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
