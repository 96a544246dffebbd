//! Ctrl-C: the first one calls counting off, so that what is known can be said.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set once the user wants the program to end.
#[derive(Clone, Debug, Default)]
pub(crate) struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C and for the signal to terminate.
    pub(crate) fn listen() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let flag = interrupt.clone();
        ctrlc::set_handler(move || flag.0.store(true, Ordering::Relaxed))?;
        Ok(interrupt)
    }

    /// Whether it has come.
    pub(crate) fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for those who look at it often.
    pub(crate) fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
