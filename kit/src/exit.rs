//! Exit codes for scripts.

/// The exit codes of all Touchstone programs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Exit {
    /// Success: ran, and everything agreed.
    Agreed = 0,
    /// Ran, and found a difference.
    Differs = 1,
    /// Bad usage or input.
    BadInput = 2,
    /// The environment failed: for example, a file could not be written or a thread not be started.
    Failed = 3,
    /// Nothing was selected or run.
    Nothing = 4,
    /// Ended by Ctrl-C.
    Interrupted = 130,
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
