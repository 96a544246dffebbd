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

impl Exit {
    /// The code of several things together: an interruption outweighs a difference, that a failure, that bad
    /// input, that nothing to do. `None` of none.
    pub fn worst(all: impl IntoIterator<Item = Self>) -> Option<Self> {
        const WORST_FIRST: [Exit; 6] = [
            Exit::Interrupted,
            Exit::Differs,
            Exit::Failed,
            Exit::BadInput,
            Exit::Nothing,
            Exit::Agreed,
        ];
        let rank = |exit: &Self| WORST_FIRST.iter().position(|other| other == exit);
        all.into_iter().min_by_key(rank)
    }
}

impl From<Exit> for std::process::ExitCode {
    fn from(exit: Exit) -> Self {
        Self::from(exit as u8)
    }
}
