//! The plain walk: makes every move and visits every leaf. The slow reference implementation of the
//! kernels.

use std::sync::atomic::{AtomicBool, Ordering};

use super::{CountError, add};
use crate::rules::Position;

/// Counts by making every move; `cancel` is polled in every node above the last two plies.
pub(super) fn walk(
    position: &Position,
    depth: u32,
    cancel: &AtomicBool,
) -> Result<u64, CountError> {
    if depth == 0 {
        return Ok(1);
    }
    if depth > 2 && cancel.load(Ordering::Relaxed) {
        return Err(CountError::Cancelled);
    }
    let mut sum = 0;
    for m in position.legal_moves() {
        sum = add(sum, walk(&position.play_unchecked(m), depth - 1, cancel)?)?;
    }
    Ok(sum)
}
