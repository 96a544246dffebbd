//! Holding on to a lease while its chunk is counted: the edge reads the clock.

use std::panic::resume_unwind;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crossbeam_channel::RecvTimeoutError;
use fleet::{Broker, BrokerError, Lease, Standing};
use kit::Interrupt;

use super::patience::now;

/// How often the one who waits looks up.
const TICK: Duration = Duration::from_millis(20);
/// So many times a lease is made longer before it would end.
const BEATS: u32 = 4;

/// A lease while it is worked on.
pub(super) struct Holding<'a> {
    pub(super) broker: &'a dyn Broker,
    pub(super) lease: &'a Lease,
    pub(super) visibility: Duration,
    pub(super) interrupt: &'a Interrupt,
}

/// Why work was cancelled.
#[derive(Debug)]
pub(super) enum CalledOff {
    /// This program is to end.
    Interrupted,
    /// The job was stopped, for this reason.
    Stopped(String),
    /// The chunk is free or somebody else's.
    Lost,
    /// The broker will not hear of this worker, or failed.
    Failed(BrokerError),
}

impl Holding<'_> {
    /// Works, on a thread, and makes the lease longer meanwhile; sets `stop` when work is cancelled.
    pub(super) fn during<T: Send>(
        &self,
        stop: &AtomicBool,
        work: impl FnOnce() -> T + Send,
    ) -> (T, Option<CalledOff>) {
        std::thread::scope(|scope| {
            let (alive, is_over) = crossbeam_channel::bounded::<()>(0);
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
                    stop.store(cancelled.is_some(), Ordering::Relaxed);
                }
            }
            let done = worker.join().unwrap_or_else(|panic| resume_unwind(panic));
            (done, cancelled)
        })
    }

    fn look(&self, beat: &mut Instant) -> Option<CalledOff> {
        if self.interrupt.has_come() {
            return Some(CalledOff::Interrupted);
        }
        if beat.elapsed() < self.visibility / BEATS {
            return None;
        }
        *beat = now();
        match self.broker.heartbeat(self.lease, self.visibility) {
            Ok(Standing::Held) => None,
            Ok(Standing::Stopped(reason)) => Some(CalledOff::Stopped(reason)),
            Ok(Standing::Lost) => Some(CalledOff::Lost),
            // It may be back for the next beat; if not in time, the result is a second one at worst.
            Err(error) if error.is_passing() => None,
            Err(error) => Some(CalledOff::Failed(error)),
        }
    }
}
