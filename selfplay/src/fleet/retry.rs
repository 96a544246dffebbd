//! Retries while a broker cannot be reached.

use std::time::{Duration, Instant};

use kit::Interrupt;
use queue::BrokerError;

/// Maximum time for which calls are retried.
pub const PATIENCE: Duration = Duration::from_mins(5);
const PAUSE: Duration = Duration::from_secs(1);
/// How often a pause checks for an interrupt.
const SLICE: Duration = Duration::from_millis(20);

/// Retries calls that fail for a temporary reason, for at most [`PATIENCE`] or until the user
/// interrupts.
pub fn ask<T>(
    interrupt: &Interrupt,
    say: &(dyn Fn(&str) + Sync),
    mut call: impl FnMut() -> Result<T, BrokerError>,
) -> Result<T, BrokerError> {
    let deadline = now() + PATIENCE;
    let mut is_reported = false;
    loop {
        match call() {
            Err(error) if error.is_passing() && now() < deadline && !interrupt.has_come() => {
                if !is_reported {
                    say(&format!(
                        "{}: trying again, for {} minutes",
                        chain(&error),
                        PATIENCE.as_secs() / 60
                    ));
                    is_reported = true;
                }
                pause(PAUSE, interrupt);
            }
            answer => return answer,
        }
    }
}

/// An error with its causes.
pub fn chain(error: &(dyn std::error::Error + 'static)) -> String {
    let texts: Vec<String> = anyhow::Chain::new(error).map(ToString::to_string).collect();
    texts.join(": ")
}

/// Sleeps until the time is over or the user interrupts.
pub fn pause(time: Duration, interrupt: &Interrupt) {
    let deadline = now() + time;
    while now() < deadline && !interrupt.has_come() {
        std::thread::sleep(SLICE.min(time));
    }
}

#[expect(clippy::disallowed_methods, reason = "the edge waits")]
pub(super) fn now() -> Instant {
    Instant::now()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_may_pass_is_asked_again_and_nothing_else() {
        let interrupt = Interrupt::default();
        let say = |_: &str| {};
        let mut calls = 0;
        let answer = ask(&interrupt, &say, || {
            calls += 1;
            if calls == 1 {
                Err(BrokerError::Unreachable("gone".into()))
            } else {
                Ok(7)
            }
        });
        assert_eq!((answer.expect("it came back"), calls), (7, 2));
        let mut calls = 0;
        let answer = ask(&interrupt, &say, || {
            calls += 1;
            Err::<(), _>(BrokerError::NoJob("x".to_owned()))
        });
        assert!(matches!(answer, Err(BrokerError::NoJob(_))));
        assert_eq!(calls, 1);
        interrupt
            .shared()
            .store(true, std::sync::atomic::Ordering::Relaxed);
        let answer = ask(&interrupt, &say, || {
            Err::<(), _>(BrokerError::Unreachable("gone".into()))
        });
        assert_eq!(
            chain(&answer.expect_err("nobody waits")),
            "the broker cannot be reached: gone"
        );
    }
}
