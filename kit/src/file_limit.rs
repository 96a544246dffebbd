//! Writes beyond the user's file size limit (`ulimit -f`).

/// Makes such a write an ordinary error in this thread and those it starts; by default, the system
/// kills the program without a message. Call this before anything else. Child processes keep the
/// default.
#[cfg(unix)]
pub fn make_file_limit_an_error() {
    use nix::sys::signal::{SigSet, Signal};
    let signal = SigSet::from(Signal::SIGXFSZ);
    // On failure, the system's default remains.
    let _ = signal.thread_block();
}

/// This platform has no such limit.
#[cfg(not(unix))]
pub fn make_file_limit_an_error() {}
