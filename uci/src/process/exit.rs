//! How a process ended.

use std::fmt;
use std::process::ExitStatus;

use super::os;

/// The exit status of a process; unknown if it could not be killed, or someone else has reaped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ProcessExit(pub(super) Option<ExitStatus>);

impl ProcessExit {
    /// The exit code, if it ended by itself.
    pub fn code(&self) -> Option<i32> {
        os::code(self.0?)
    }

    /// The number of the signal that killed it; on Windows there are none.
    pub fn signal(&self) -> Option<i32> {
        os::signal(self.0?)
    }

    /// Whether it ended by itself with exit code 0.
    pub fn is_success(&self) -> bool {
        self.code() == Some(0)
    }

    /// Whether it was killed, by itself or others: by a signal or, on Windows, an exception.
    pub fn is_violent(&self) -> bool {
        self.0.is_some() && self.code().is_none()
    }
}

impl fmt::Display for ProcessExit {
    /// Writes the end of a sentence that begins with "the engine …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.0, self.code()) {
            (_, Some(code)) => write!(f, "ended with exit code {code}"),
            (Some(status), None) => os::write_violent_end(status, f),
            (None, None) => f.write_str("ended in an unknown way"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[cfg(unix)]
    const ROWS: [(i32, &str); 6] = [
        (0, "ended with exit code 0"),
        (3 << 8, "ended with exit code 3"),
        (9, "was killed by signal 9 (SIGKILL)"),
        (11, "was killed by signal 11 (SIGSEGV)"),
        (0x80 | 6, "was killed by signal 6 (SIGABRT)"),
        (50, "was killed by signal 50"),
    ];
    #[cfg(windows)]
    const ROWS: [(u32, &str); 6] = [
        (0, "ended with exit code 0"),
        (3, "ended with exit code 3"),
        (u32::MAX, "ended with exit code -1"),
        (
            0xc000_0005,
            "crashed with exception 0xC0000005 (access violation)",
        ),
        (0xc000_0002, "crashed with exception 0xC0000002"),
        (os::KILLED, "was killed"),
    ];

    #[test]
    fn exits_are_put_in_words() {
        #[cfg(unix)]
        use std::os::unix::process::ExitStatusExt as _;
        #[cfg(windows)]
        use std::os::windows::process::ExitStatusExt as _;
        for (raw, expected) in ROWS {
            let exit = ProcessExit(Some(ExitStatus::from_raw(raw)));
            assert_eq!(exit.to_string(), expected);
            assert_eq!(exit.is_success(), raw == 0);
            let is_violent = !expected.starts_with("ended");
            assert_eq!(exit.is_violent(), is_violent, "{expected}");
        }
        assert_eq!(ProcessExit(None).to_string(), "ended in an unknown way");
        assert!(!ProcessExit(None).is_violent());
    }
}
