//! Wrong tokens of moderators, and codes that no class has, counted for each address.

use std::collections::HashMap;
use std::net::IpAddr;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use web::problem::{Problem, TOO_MANY_REQUESTS};

use crate::model::Timestamp;

/// How long a wrong token counts when an address has no more left.
const REFILL: Duration = Duration::from_secs(2);
/// At this number of addresses all are forgotten.
const ADDRESSES: usize = 100_000;

/// How many wrong tokens or codes an address may still send; clones share it.
///
/// A right token does not count, so that programs may use it as often as they like; but while an
/// address has no guess left, its right token is rejected too, or guessing would go on.
#[derive(Clone, Debug)]
pub(crate) struct Guesses {
    burst: u32,
    /// Until when the wrong tokens of an address count.
    until: Arc<Mutex<HashMap<IpAddr, Timestamp>>>,
}

impl Guesses {
    /// At most `burst` at once, and then one every two seconds.
    pub(crate) fn new(burst: u32) -> Self {
        Self {
            // One less is subtracted from it.
            burst: burst.max(1),
            until: Arc::default(),
        }
    }

    fn until(&self) -> MutexGuard<'_, HashMap<IpAddr, Timestamp>> {
        self.until.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How long the address must wait before its next token is looked at; zero if it need not.
    pub(crate) fn wait(&self, address: IpAddr, now: Timestamp) -> Duration {
        let until = self.until().get(&address).copied();
        let owed = until.map_or(Duration::ZERO, |until| until.since(now));
        // This is the generic cell rate algorithm, and `until` its theoretical arrival time.
        owed.saturating_sub(REFILL * (self.burst - 1))
    }

    /// Refuses an address that has no guess left.
    ///
    /// # Errors
    /// `too-many-requests`, with the time to wait.
    pub(crate) fn check(&self, address: IpAddr, now: Timestamp) -> Result<(), Problem> {
        let wait = self.wait(address, now);
        if wait.is_zero() {
            return Ok(());
        }
        // The time is rounded up: a client that comes back then must not be early.
        let seconds = wait.as_secs() + 1;
        let detail = format!("too many wrong guesses from here; try again in {seconds} s");
        Err(Problem::new(TOO_MANY_REQUESTS, detail).retry_after(seconds))
    }

    pub(crate) fn wrong(&self, address: IpAddr, now: Timestamp) {
        let mut until = self.until();
        // The table must not grow with the number of attackers.
        if until.len() >= ADDRESSES {
            until.clear();
        }
        let of_one = until.entry(address).or_insert(now);
        *of_one = (*of_one).max(now).after(REFILL);
    }

    /// Forgets addresses whose guesses no longer count.
    pub(crate) fn sweep(&self, now: Timestamp) {
        self.until().retain(|_, until| *until > now);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn guesses_run_out_and_come_back() {
        let guesses = Guesses::new(3);
        let (here, there) = (IpAddr::from([192, 0, 2, 1]), IpAddr::from([192, 0, 2, 2]));
        let now = Timestamp(1_000_000);
        for _ in 0..3 {
            assert_eq!(guesses.wait(here, now), Duration::ZERO);
            guesses.wrong(here, now);
        }
        assert_eq!(guesses.wait(here, now), REFILL);
        assert_eq!(guesses.wait(there, now), Duration::ZERO);
        let later = now.after(REFILL);
        assert_eq!(guesses.wait(here, later), Duration::ZERO);
        guesses.wrong(here, later);
        assert_eq!(guesses.wait(here, later), REFILL);
        guesses.sweep(later.after(3 * REFILL));
        assert!(guesses.until().is_empty());
    }
}
