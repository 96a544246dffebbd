//! Ctrl-C: the first one calls counting off, so that what is known can be said.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// Set once the user wants the program to end.
#[derive(Clone, Debug, Default)]
pub struct Interrupt(Arc<AtomicBool>);

impl Interrupt {
    /// Listens for Ctrl-C and for the signal to terminate.
    ///
    /// # Errors
    ///
    /// When the handler cannot be installed, or was before.
    pub fn listen() -> anyhow::Result<Self> {
        let interrupt = Self::default();
        let flag = interrupt.clone();
        ctrlc::set_handler(move || flag.0.store(true, Ordering::Relaxed))?;
        Ok(interrupt)
    }

    /// Whether it has come.
    pub fn has_come(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }

    /// The flag itself, for those who outlive this.
    pub fn shared(&self) -> Arc<AtomicBool> {
        Arc::clone(&self.0)
    }

    /// The flag itself, for those who look at it often.
    pub fn flag(&self) -> &AtomicBool {
        &self.0
    }
}
