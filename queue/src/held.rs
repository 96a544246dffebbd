//! Renews a lease while its chunk is worked on. An edge: it reads the clock.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, sync_channel};
use std::time::{Duration, Instant};

use kit::Interrupt;

use crate::retry::now;
use crate::{Broker, BrokerError, Lease, Standing};

/// Polling interval of the waiting thread.
const TICK: Duration = Duration::from_millis(20);
/// Number of renewals per lease duration.
// Two renewals in a row may fail before the lease expires.
const BEATS: u32 = 4;

/// A lease that is being worked on.
pub struct HeldLease<'a> {
    /// Where the chunk was leased.
    pub broker: &'a dyn Broker,
    /// The lease.
    pub lease: &'a Lease,
    /// How long the chunk stays reserved after this worker falls silent.
    pub visibility: Duration,
    /// Set when this process is asked to end.
    pub interrupt: &'a Interrupt,
}

/// Why work on a lease was cancelled.
#[derive(Debug)]
pub enum Cancellation {
    /// This process is asked to end.
    Interrupted,
    /// The job was stopped, for this reason.
    Stopped(String),
    /// The lease expired, and the chunk may be someone else's.
    Lost,
    /// The broker rejected this worker, or failed.
    Failed(BrokerError),
}

impl HeldLease<'_> {
    /// Runs `work` on a thread and renews the lease meanwhile; sets `stop` when the work is
    /// cancelled.
    ///
    /// # Panics
    ///
    /// If the work panics.
    pub fn during<T: Send>(
        &self,
        stop: &AtomicBool,
        work: impl FnOnce() -> T + Send,
    ) -> (T, Option<Cancellation>) {
        std::thread::scope(|scope| {
            // Nothing is ever sent: the dropped sender wakes the waiting thread, also after a panic
            // of the work.
            let (alive, is_over) = sync_channel::<()>(0);
            let worker = scope.spawn(move || {
                let done = work();
                drop(alive);
                done
            });
            let mut cancelled = None;
            let mut beat = now();
            while is_over.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                if cancelled.is_none() {
                    cancelled = self.look(&mut beat);
                    // Never cleared: others may have set it.
                    stop.fetch_or(cancelled.is_some(), Ordering::Relaxed);
                }
            }
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            (done, cancelled)
        })
    }

    fn look(&self, beat: &mut Instant) -> Option<Cancellation> {
        if self.interrupt.has_come() {
            return Some(Cancellation::Interrupted);
        }
        if beat.elapsed() < self.visibility / BEATS {
            return None;
        }
        // Set before the call, so that a slow broker does not make the beats rarer.
        *beat = now();
        match self.broker.heartbeat(self.lease, self.visibility) {
            Ok(Standing::Held) => None,
            Ok(Standing::Stopped(reason)) => Some(Cancellation::Stopped(reason)),
            Ok(Standing::Lost) => Some(Cancellation::Lost),
            // The broker may be back for the next beat; at worst, the result is a duplicate.
            Err(error) if error.is_passing() => None,
            Err(error) => Some(Cancellation::Failed(error)),
        }
    }
}
