//! Cancelling work from another thread.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

/// Polling interval of waits.
pub(super) const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A flag that ends every wait of its holders soon after it is set; it stays set.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets the flag.
    pub fn set(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether it is set.
    pub fn is_set(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

impl From<Arc<AtomicBool>> for Cancel {
    /// Shares an existing flag.
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(flag)
    }
}
