//! Retrying while a broker is unreachable. An edge: it reads the clock.

use std::time::{Duration, Instant};

use kit::Interrupt;

use crate::BrokerError;

/// The first delay; it doubles from then on.
const FIRST: Duration = Duration::from_millis(20);
// At most this long after its return, the broker is noticed.
const LONGEST: Duration = Duration::from_secs(10);
/// Polling interval for interrupts.
const TICK: Duration = Duration::from_millis(20);

/// How long to retry while a broker is unreachable.
#[derive(Clone, Copy)]
pub struct RetryPolicy<'a> {
    /// Maximum time, counted from the first failure.
    pub most: Duration,
    /// Set when this process is asked to end.
    pub interrupt: &'a Interrupt,
    /// Called with a message when waiting begins and ends.
    pub report: &'a (dyn Fn(&str) + Sync),
}

/// Why a broker gave no answer.
#[derive(Debug, thiserror::Error)]
pub enum AskError {
    /// A permanent error.
    #[error(transparent)]
    Broker(#[from] BrokerError),
    /// It could not be reached for too long.
    #[error("waited {} s for the broker", waited.as_secs())]
    GaveUp {
        /// Time since the first failure.
        waited: Duration,
        /// The last failure.
        source: BrokerError,
    },
    /// This process is asked to end.
    #[error("interrupted while waiting for the broker")]
    Interrupted,
}

impl RetryPolicy<'_> {
    /// Retries until there is an answer, a permanent error, an interrupt, or the time is up.
    ///
    /// # Errors
    ///
    /// In the last three cases.
    pub fn ask<T>(&self, mut call: impl FnMut() -> Result<T, BrokerError>) -> Result<T, AskError> {
        let mut waiting: Option<(Instant, Duration)> = None;
        loop {
            let error = match call() {
                Err(error) if error.is_passing() => error,
                answer => {
                    if waiting.is_some() {
                        (self.report)("the broker is back");
                    }
                    return Ok(answer?);
                }
            };
            let (since, wait) = *waiting.get_or_insert_with(|| {
                let source = std::error::Error::source(&error);
                let why = source.map_or_else(String::new, |source| format!(": {source}"));
                let most = self.most.as_secs();
                (self.report)(&format!("{error}{why}; trying again for up to {most} s"));
                (now(), FIRST)
            });
            let waited = since.elapsed();
            // The call comes before this check, so that there is one try even without patience.
            if waited >= self.most {
                let source = error;
                return Err(AskError::GaveUp { waited, source });
            }
            self.rest(wait.min(self.most.saturating_sub(waited)))?;
            waiting = Some((since, (wait * 2).min(LONGEST)));
        }
    }

    /// Sleeps, unless an interrupt comes.
    ///
    /// # Errors
    ///
    /// When an interrupt comes.
    pub fn rest(&self, time: Duration) -> Result<(), AskError> {
        let start = now();
        loop {
            if self.interrupt.has_come() {
                return Err(AskError::Interrupted);
            }
            let left = time.saturating_sub(start.elapsed());
            if left.is_zero() {
                return Ok(());
            }
            std::thread::sleep(left.min(TICK));
        }
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
pub(crate) fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;
    use std::sync::atomic::Ordering;

    use super::*;

    /// The result of asking a broker with this many failures, and the messages printed.
    fn ask(
        failures: usize,
        most: Duration,
        interrupted: bool,
        error: fn() -> BrokerError,
    ) -> (Result<usize, String>, Vec<String>) {
        let reported = Mutex::new(Vec::new());
        let interrupt = Interrupt::default();
        interrupt.flag().store(interrupted, Ordering::Relaxed);
        let report = |text: &str| {
            let mut reported = reported.lock().expect("nobody panics");
            reported.push(text.to_owned());
        };
        let retry = RetryPolicy {
            most,
            interrupt: &interrupt,
            report: &report,
        };
        let mut calls = 0;
        let answer = retry.ask(|| {
            calls += 1;
            if calls > failures {
                Ok(calls)
            } else {
                Err(error())
            }
        });
        let answer = answer.map_err(|error| error.to_string());
        (answer, reported.into_inner().expect("nobody panics"))
    }

    fn unreachable() -> BrokerError {
        BrokerError::Unreachable("it is being restarted".into())
    }

    #[test]
    fn calls_are_retried_until_the_broker_is_back() {
        let (answer, reported) = ask(2, Duration::from_mins(1), false, unreachable);
        assert_eq!(answer, Ok(3));
        let waits =
            "the broker cannot be reached: it is being restarted; trying again for up to 60 s";
        assert_eq!(reported, [waits, "the broker is back"]);
        assert_eq!(ask(0, Duration::ZERO, false, unreachable), (Ok(1), vec![]));
    }

    #[test]
    fn retrying_ends() {
        let (answer, _) = ask(1, Duration::ZERO, false, unreachable);
        assert_eq!(answer, Err("waited 0 s for the broker".to_owned()));
        let (answer, _) = ask(usize::MAX, Duration::from_mins(1), true, unreachable);
        assert_eq!(
            answer,
            Err("interrupted while waiting for the broker".to_owned())
        );
        let failed = || BrokerError::Failed("no such table".to_owned());
        let (answer, reported) = ask(1, Duration::from_mins(1), false, failed);
        assert_eq!(answer, Err("the broker failed: no such table".to_owned()));
        assert!(reported.is_empty());
    }
}
