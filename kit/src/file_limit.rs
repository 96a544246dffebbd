//! Files that grow beyond what the user may write (`ulimit -f`).

/// From now on such a write is an error like any other, in this thread and those it begins; the system
/// would rather end the program without a word. To be called first of all. Programs that are started
/// are as ever.
#[cfg(unix)]
pub fn make_file_limit_an_error() {
    use nix::sys::signal::{SigSet, Signal};
    let signal = SigSet::from(Signal::SIGXFSZ);
    // Without it there is no more than the system's way.
    let _ = signal.thread_block();
}

/// There is no such limit.
#[cfg(not(unix))]
pub fn make_file_limit_an_error() {}
