//! Exit status of a process, in words.

use std::fmt;
use std::os::unix::process::ExitStatusExt as _;
use std::process::ExitStatus;

use rustix::process::Signal;

/// The exit status of a process.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(Option<ExitStatus>);

/// The names of fatal signals.
const NAMES: [(Signal, &str); 17] = [
    (Signal::HUP, "SIGHUP"),
    (Signal::INT, "SIGINT"),
    (Signal::QUIT, "SIGQUIT"),
    (Signal::ILL, "SIGILL"),
    (Signal::TRAP, "SIGTRAP"),
    (Signal::ABORT, "SIGABRT"),
    (Signal::BUS, "SIGBUS"),
    (Signal::FPE, "SIGFPE"),
    (Signal::KILL, "SIGKILL"),
    (Signal::USR1, "SIGUSR1"),
    (Signal::SEGV, "SIGSEGV"),
    (Signal::USR2, "SIGUSR2"),
    (Signal::PIPE, "SIGPIPE"),
    (Signal::ALARM, "SIGALRM"),
    (Signal::TERM, "SIGTERM"),
    (Signal::XCPU, "SIGXCPU"),
    (Signal::SYS, "SIGSYS"),
];

impl Exit {
    pub(super) fn new(status: ExitStatus) -> Self {
        Self(Some(status))
    }

    /// The status is lost because someone else has reaped the process.
    pub(super) fn unknown() -> Self {
        Self(None)
    }

    /// The exit code, if it ended by itself.
    pub fn code(&self) -> Option<i32> {
        self.0?.code()
    }

    /// The number of the signal that killed it.
    pub fn signal(&self) -> Option<i32> {
        self.0?.signal()
    }

    /// Whether it ended by itself with exit code 0.
    pub fn is_success(&self) -> bool {
        self.code() == Some(0)
    }
}

impl fmt::Display for Exit {
    /// Writes the end of a sentence that begins with "the engine …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(code) = self.code() {
            return write!(f, "ended with exit code {code}");
        }
        let Some(signal) = self.signal() else {
            return f.write_str("ended in an unknown way");
        };
        write!(f, "was killed by signal {signal}")?;
        let name = NAMES.iter().find(|(known, _)| known.as_raw() == signal);
        match name {
            Some((_, name)) => write!(f, " ({name})"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn exits_are_put_in_words() {
        let rows = [
            (0, "ended with exit code 0"),
            (3 << 8, "ended with exit code 3"),
            (9, "was killed by signal 9 (SIGKILL)"),
            (11, "was killed by signal 11 (SIGSEGV)"),
            (0x80 | 6, "was killed by signal 6 (SIGABRT)"),
            (50, "was killed by signal 50"),
        ];
        for (raw, expected) in rows {
            let exit = Exit::new(ExitStatus::from_raw(raw));
            assert_eq!(exit.to_string(), expected);
            assert_eq!(exit.is_success(), raw == 0);
        }
        assert_eq!(Exit::unknown().to_string(), "ended in an unknown way");
    }
}
