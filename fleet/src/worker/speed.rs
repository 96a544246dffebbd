//! Measures the machine until it is quiet, or long enough.

use std::num::NonZeroU64;
use std::time::Duration;

use queue::{AskError, RetryPolicy};
use selfplay::fleet::speed::{Busy, measure};

/// Time between two measurements of a busy machine.
const PAUSE: Duration = Duration::from_secs(5);

/// The speed of the machine with this many threads, in perft nodes per second and thread; `None` if
/// it was busy for the time `patience`.
///
/// # Errors
/// An interrupt comes.
pub(super) fn wait_for_quiet(
    threads: usize,
    patience: Duration,
    retry: RetryPolicy<'_>,
) -> Result<Option<NonZeroU64>, AskError> {
    wait(|| measure(threads), patience, retry)
}

fn wait(
    mut measure: impl FnMut() -> Result<NonZeroU64, Busy>,
    patience: Duration,
    retry: RetryPolicy<'_>,
) -> Result<Option<NonZeroU64>, AskError> {
    let mut waited = Duration::ZERO;
    loop {
        let busy = match measure() {
            Ok(speed) => return Ok(Some(speed)),
            Err(busy) => busy,
        };
        if waited >= patience {
            (retry.report)(&format!(
                "{busy}: this worker does only what does not depend on time"
            ));
            return Ok(None);
        }
        if waited.is_zero() {
            let seconds = patience.as_secs();
            (retry.report)(&format!("{busy}; measuring again for up to {seconds} s"));
        }
        let pause = PAUSE.min(patience.saturating_sub(waited));
        retry.rest(pause)?;
        waited += pause;
    }
}

#[cfg(test)]
mod tests {
    use kit::Interrupt;

    use super::*;

    #[test]
    fn a_busy_machine_is_measured_again() {
        let interrupt = Interrupt::default();
        let retry = RetryPolicy {
            most: Duration::ZERO,
            interrupt: &interrupt,
            report: &|_| {},
        };
        let busy = Busy {
            others: 0.5,
            disturbed: 0.5,
            estimate: NonZeroU64::MIN,
        };
        let mut answers = vec![NonZeroU64::new(7).ok_or(busy.clone()), Err(busy.clone())];
        let patience = Duration::from_millis(5);
        let speed = wait(|| answers.pop().expect("it is enough"), patience, retry);
        assert_eq!(speed.expect("no interrupt"), NonZeroU64::new(7));
        let speed = wait(|| Err(busy.clone()), patience, retry);
        assert_eq!(speed.expect("no interrupt"), None);
    }
}
