//! Ctrl-C: the first one cancels the work, so that partial results can be reported; a second one
//! ends the program at once.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use crate::Exit;

/// Signals this soon after the first count as the same one: `timeout` sends one to the program and
/// one to its whole group.
const SAME_WISH: Duration = Duration::from_millis(500);

/// Set once the user has asked the program to end.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C and SIGTERM.
    ///
    /// # Errors
    ///
    /// When the handler cannot be installed, or is installed already.
    pub fn listen() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let flag = interrupt.clone();
        let mut first = None;
        ctrlc::set_handler(move || {
            flag.0.store(true, Ordering::Relaxed);
            let now = now();
            if now - *first.get_or_insert(now) > SAME_WISH {
                end_at_once();
            }
        })?;
        Ok(interrupt)
    }

    /// Whether an interrupt has come.
    pub fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// A shared copy of the flag, for code that outlives this value.
    pub fn shared(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// The flag itself, for frequent polling.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}

#[expect(
    clippy::disallowed_methods,
    reason = "two signals are distinguished from one by their time"
)]
fn now() -> Instant {
    Instant::now()
}

#[expect(
    clippy::exit,
    reason = "the user does not want to wait for an end in good order"
)]
fn end_at_once() -> ! {
    std::process::exit(Exit::Interrupted as i32)
}
