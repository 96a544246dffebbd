//! Computation beside the threads that serve requests.

use super::error::ConductError;

/// Computes something on a thread of its own.
///
/// # Panics
/// If the computation panics.
pub(crate) async fn blocking<T: Send + 'static>(
    compute: impl FnOnce() -> T + Send + 'static,
) -> Result<T, ConductError> {
    match tokio::task::spawn_blocking(compute).await {
        Ok(value) => Ok(value),
        Err(error) if error.is_panic() => std::panic::resume_unwind(error.into_panic()),
        // Nothing cancels the task but a runtime that shuts down.
        Err(_) => Err(ConductError::TakenOver),
    }
}
