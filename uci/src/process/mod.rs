//! A child process with pipes that leaves nothing behind.
//!
//! Standard output and input are driven by the caller's thread, with deadlines; standard error by
//! its own thread, so that an engine can complain while nobody listens. An engine that prints faster
//! than its lines are taken has to wait: our buffers are bounded.
//!
//! Dropping a [`Process`] kills the child with its descendants; so does the end of our own process,
//! however it comes. See [`ProcessTree`].
//!
//! What differs between systems is in `unix` and `windows`, with the same items: `Input` and
//! `Output`, our ends of the pipes; `wait` for them; `Stopped`, to end the wait of another thread;
//! `Tree`, a child with its descendants; how exit codes are read.
#![expect(
    clippy::missing_errors_doc,
    reason = "what can fail is said where it is not the same as for `send_line`"
)]

pub mod cpus;
mod exit;
mod pipes;
mod stderr;
mod tree;
#[cfg(unix)]
mod unix;
#[cfg(windows)]
mod windows;

use std::process::Command;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fmt, io};

pub use exit::ProcessExit;
use pipes::Pipes;
use stderr::StderrReader;
pub use tree::ProcessTree;
#[cfg(unix)]
use unix as os;
#[cfg(windows)]
use windows as os;

use crate::{CommandLine, Line};

/// The result of waiting for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// The next line.
    Line(Line),
    /// Standard output has been closed, and every line has been taken.
    Eof,
    /// No line was read by the deadline.
    TimedOut,
    /// The work has been cancelled.
    Cancelled,
}

/// The reasons why a line could not be sent.
#[derive(Debug, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum SendError {
    /// The line contains a line break or a carriage return, so it would be more than one.
    #[error("{line:?} is more than one line")]
    LineBreak { line: String },
    #[error("the engine has closed its standard input")]
    Closed,
    /// The process does not read its input. The input is closed afterwards, because only part of a
    /// line may have been written.
    #[error("the engine did not read its standard input for {} s", .after.as_secs_f64())]
    TimedOut { after: Duration },
    /// The work has been cancelled. The input is closed, as above.
    #[error("cancelled")]
    Cancelled,
    #[error("cannot write to the engine: {0}")]
    Io(#[source] io::Error),
}

/// A running engine.
pub struct Process {
    tree: ProcessTree,
    pipes: Pipes,
    /// `None` if standard error is merged into standard output.
    stderr: Option<StderrReader>,
    cancel: Cancel,
}

impl Process {
    /// Starts a process. `cancel` ends every wait for it.
    ///
    /// # Errors
    ///
    /// When the program cannot be found or run, or there are no more pipes or threads.
    pub fn start(command: &CommandLine, cancel: Cancel) -> io::Result<Self> {
        #[expect(clippy::disallowed_methods, reason = "engines are processes")]
        let mut spawn = Command::new(os::program(command));
        spawn.args(&command.arguments);
        let variables = command.environment.iter();
        spawn.envs(variables.map(|(name, value)| (name, value)));
        if let Some(directory) = &command.directory {
            spawn.current_dir(directory);
        }
        let piped = os::Piped::spawn(&mut spawn, command.merge_stderr)?;
        let tree = ProcessTree::new(piped.tree);
        let errors = piped.errors;
        let stderr = errors.map(|errors| StderrReader::start(errors, tree.id()));
        Ok(Self {
            stderr: stderr.transpose()?,
            tree,
            pipes: Pipes::new(piped.input, piped.output),
            cancel,
        })
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.tree.id()
    }

    /// Sends a line, and returns the time at which its last byte was written.
    ///
    /// # Errors
    ///
    /// When it could not be written completely in time. An ended or unresponsive process is an
    /// error, never a signal to us: Rust's runtime ignores `SIGPIPE`, and whoever changes that must
    /// block it.
    pub fn send_line(&mut self, line: &str, timeout: Duration) -> Result<Instant, SendError> {
        self.send_lines(&[line], timeout)
    }

    /// Sends several lines in one go, which is cheaper than one by one, and returns the time at
    /// which the last byte was written.
    pub fn send_lines(&mut self, lines: &[&str], timeout: Duration) -> Result<Instant, SendError> {
        // Either character could end the line for an engine.
        let is_broken = |line: &&&str| memchr::memchr2(b'\n', b'\r', line.as_bytes()).is_some();
        if let Some(line) = lines.iter().find(is_broken) {
            let line = (*line).to_owned();
            return Err(SendError::LineBreak { line });
        }
        self.pipes.send(lines, "\n", timeout, &self.cancel)
    }

    /// Sends text verbatim, which may be part of a line or have other line ends.
    pub fn send_text(&mut self, text: &str, timeout: Duration) -> Result<Instant, SendError> {
        self.pipes.send(&[text], "", timeout, &self.cancel)
    }

    /// Sets whether to yield the CPU to a process that has begun to print before we read; off by
    /// default. For many lines in quick succession, this saves both sides most of their time. On an
    /// overloaded machine, lines may be read slightly later: leave it off where their times matter.
    pub fn take_turns(&mut self, on: bool) {
        self.pipes.takes_turns = on;
    }

    /// Number of bytes read from standard output, including unfinished lines.
    pub fn received_bytes(&self) -> u64 {
        self.pipes.received
    }

    /// Closes the process's standard input.
    pub fn close_stdin(&mut self) {
        self.pipes.close_input();
    }

    /// Waits for the next line. Only lines read by `deadline` are returned; later ones are left for
    /// the next call, so that even an endless flood of lines ends. Lines are time-stamped when they
    /// are read, not when they were written: where times matter, be waiting.
    ///
    /// If our own process was stopped for half a second or more during the wait, the arrival times
    /// of the lines are unknown: they are stamped as if we had woken up in time.
    ///
    /// # Errors
    ///
    /// When the pipe cannot be read.
    pub fn next_line(&mut self, deadline: Instant) -> io::Result<Received> {
        let has_ended = || !self.tree.is_running();
        self.pipes.next_line(deadline, &self.cancel, has_ended)
    }

    /// Reads available output in bounded time, without waiting.
    ///
    /// # Errors
    ///
    /// When the pipe cannot be read.
    pub fn read_ready(&mut self) -> io::Result<()> {
        self.pipes.read_ready()
    }

    /// Returns a line that has been read, without waiting.
    pub fn pop_line(&mut self) -> Option<Line> {
        self.pipes.pop_line()
    }

    /// Takes back the memory of a line that is no longer needed, for later ones.
    pub fn recycle(&mut self, line: Line) {
        self.pipes.recycle(line);
    }

    /// The last 64 KiB of standard error, as time-stamped lines.
    pub fn stderr(&self) -> Vec<Line> {
        self.stderr.as_ref().map_or(Vec::new(), StderrReader::lines)
    }

    /// Waits until the process has ended, and returns how; `None` if it still runs at `deadline` or
    /// the work is cancelled. Its descendants are killed. A process with more output than fits into
    /// the pipe ends only once its lines are taken.
    pub fn wait(&mut self, deadline: Instant) -> Option<ProcessExit> {
        let exit = self.tree.wait(deadline, || self.cancel.is_set());
        exit.map(|_| self.kill())
    }

    /// Kills the process with its descendants, reaps it, and returns how it ended. See
    /// [`ProcessTree::kill`].
    pub fn kill(&mut self) -> ProcessExit {
        // A process that cannot be killed may still end when its input is closed.
        let exit = self.tree.kill_and(|| self.pipes.close_input());
        if let Some(stderr) = &mut self.stderr {
            stderr.stop();
        }
        exit
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.kill();
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process")
            .field("id", &self.id())
            .finish_non_exhaustive()
    }
}

#[expect(clippy::disallowed_methods, reason = "deadlines are met here")]
pub(super) fn now() -> Instant {
    Instant::now()
}

/// The instant `time` from now, or one so far away that it never comes.
pub(super) fn now_plus(time: Duration) -> Instant {
    const AGES: Duration = Duration::from_hours(24 * 365);
    // The sum of an instant and a time of any length could overflow.
    now() + time.min(AGES)
}

/// Polling interval of waits.
const LOOK_EVERY: Duration = Duration::from_millis(20);

/// A flag that ends every wait of its holders soon after it is set; it stays set.
///
/// It is the last of the flags; the others are those of the work that this one is part of.
#[derive(Clone, Debug)]
pub struct Cancel(Vec<Arc<AtomicBool>>);

impl Cancel {
    /// A flag that is not set.
    pub fn new() -> Self {
        Self::default()
    }

    /// A flag for a part of the work, which is also cancelled with the whole.
    #[must_use]
    pub fn part(&self) -> Self {
        let mut flags = self.0.clone();
        flags.push(Arc::default());
        Self(flags)
    }

    /// Sets the flag.
    pub fn set(&self) {
        if let Some(own) = self.0.last() {
            own.store(true, Ordering::Relaxed);
        }
    }

    /// Whether it is set, or that of the whole.
    pub fn is_set(&self) -> bool {
        self.0.iter().any(|flag| flag.load(Ordering::Relaxed))
    }
}

impl Default for Cancel {
    fn default() -> Self {
        Self::from(Arc::default())
    }
}

impl From<Arc<AtomicBool>> for Cancel {
    /// Shares an existing flag.
    fn from(flag: Arc<AtomicBool>) -> Self {
        Self(vec![flag])
    }
}
