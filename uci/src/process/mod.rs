//! A child process with pipes that leaves nothing behind.
//!
//! Standard output and input are driven by the caller's thread, by `poll` with a deadline; standard
//! error by its own thread, so that an engine can complain while nobody listens. An engine that
//! prints faster than its lines are taken has to wait: our buffers are bounded.
//!
//! The child leads its own process group. Dropping a [`Process`] kills the group, including
//! grandchildren, and reaps the child, which is killed even if it has left the group. Other
//! processes that have left it (`setsid`) are not killed.
#![expect(
    clippy::missing_errors_doc,
    reason = "what can fail is said where it is not the same as for `send_line`"
)]

mod pipes;
mod stderr;

use std::io::PipeReader;
use std::os::fd::OwnedFd;
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStderr, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use std::{fmt, io};

use pipes::Pipes;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};
use stderr::StderrReader;

use crate::{CommandLine, Line};

/// Time for a killed child to end.
const DEATH: Duration = Duration::from_secs(3);

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
    child: Child,
    group: Pid,
    pipes: Pipes,
    stderr: StderrReader,
    cancel: Cancel,
    exit: Option<Exit>,
}

impl Process {
    /// Starts a process. `cancel` ends every wait for it.
    ///
    /// # Errors
    ///
    /// When the program cannot be found or run, or there are no more pipes or threads.
    pub fn start(command: &CommandLine, cancel: Cancel) -> io::Result<Self> {
        let (mut child, merged) = spawn(command)?;
        match Self::adopt(&mut child, merged) {
            Ok((group, pipes, stderr)) => Ok(Self {
                child,
                group,
                pipes,
                stderr,
                cancel,
                exit: None,
            }),
            Err(error) => {
                // A process without pipes must not remain; it may have ended already.
                let _ = child.kill();
                let _ = child.wait();
                Err(error)
            }
        }
    }

    fn adopt(
        child: &mut Child,
        merged: Option<PipeReader>,
    ) -> io::Result<(Pid, Pipes, StderrReader)> {
        let group = Pid::from_child(child);
        let piped = "the three are piped";
        let stdin = child.stdin.take().expect(piped);
        let (stdout, stderr) = match merged {
            None => (
                child.stdout.take().expect(piped),
                child.stderr.take().expect(piped),
            ),
            Some(both) => {
                // Without a writer, it is at its end.
                let (empty, _) = io::pipe()?;
                (
                    ChildStdout::from(OwnedFd::from(both)),
                    ChildStderr::from(OwnedFd::from(empty)),
                )
            }
        };
        let pipes = Pipes::new(stdin, stdout)?;
        Ok((group, pipes, StderrReader::start(stderr, child.id())?))
    }

    /// The process id.
    pub fn id(&self) -> u32 {
        self.child.id()
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
        if let Some(line) = lines.iter().find(|line| line.contains(['\n', '\r'])) {
            let line = (*line).to_owned();
            return Err(SendError::LineBreak { line });
        }
        self.pipes.send(lines, "\n", timeout, &self.cancel)
    }

    /// Sends text verbatim, which may be part of a line or have other line ends.
    pub fn send_text(&mut self, text: &str, timeout: Duration) -> Result<Instant, SendError> {
        self.pipes.send(&[text], "", timeout, &self.cancel)
    }

    /// Sets whether to yield the CPU to a process that has begun to print before we sleep; off by
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
        self.pipes.stdin = None;
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
        let has_ended = || self.exit.is_some() || !is_running(self.group);
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

    /// The last 64 KiB of standard error, as time-stamped lines.
    pub fn stderr(&self) -> Vec<Line> {
        self.stderr.lines()
    }

    /// Waits until the process has ended, and returns how; `None` if it still runs at `deadline` or
    /// the work is cancelled. The rest of its process group is killed. A process with more output
    /// than fits into the pipe ends only once its lines are taken.
    pub fn wait(&mut self, deadline: Instant) -> Option<Exit> {
        let is_over =
            self.exit.is_some() || wait_for_end(self.group, deadline, || self.cancel.is_set());
        is_over.then(|| self.kill())
    }

    /// Kills the process group, reaps the process, and returns how it ended.
    ///
    /// A child that cannot be killed, because it belongs to another user or waits for a device, is
    /// left to a thread that reaps it when it ends.
    pub fn kill(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        // Before the child is reaped, the group id cannot be reused. Fails if nothing is left to kill.
        let _ = rustix::process::kill_process_group(self.group, Signal::KILL);
        if is_running(self.group) {
            // It may have left its group. As it has not been reaped, its process id is still valid.
            let _ = rustix::process::kill_process(self.group, Signal::KILL);
        }
        // A process that cannot be killed may still end when its input is closed.
        self.pipes.stdin = None;
        let exit = if wait_for_end(self.group, now() + DEATH, || false) {
            Exit(self.child.wait().ok())
        } else {
            let child = self.group;
            let reap = move || rustix::process::waitid(WaitId::Pid(child), WaitIdOptions::EXITED);
            let thread = std::thread::Builder::new().name("reaper".to_owned());
            // Without a thread, it remains a zombie until our own process ends.
            let _ = thread.spawn(reap);
            Exit(None)
        };
        self.exit = Some(exit);
        self.stderr.stop();
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
            .field("exit", &self.exit)
            .finish_non_exhaustive()
    }
}

/// Whether this is a running child of ours; leaves one that has ended unreaped.
fn is_running(child: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    matches!(
        rustix::process::waitid(WaitId::Pid(child), options),
        Ok(None)
    )
}

/// Waits until a child has ended, and leaves it unreaped; `false` if it still runs at `deadline` or
/// waiting is given up.
fn wait_for_end(child: Pid, deadline: Instant, is_given_up: impl Fn() -> bool) -> bool {
    let mut pause = Duration::from_micros(100);
    while is_running(child) {
        let left = deadline.saturating_duration_since(now());
        if left.is_zero() || is_given_up() {
            return false;
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(10));
    }
    true
}

/// Spawns the child; also returns the shared pipe if standard output and error are merged.
#[expect(clippy::disallowed_methods, reason = "engines are processes")]
fn spawn(command: &CommandLine) -> io::Result<(Child, Option<PipeReader>)> {
    let mut spawn = Command::new(&command.program);
    spawn
        .args(&command.arguments)
        .envs(
            command
                .environment
                .iter()
                .map(|(name, value)| (name, value)),
        )
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .process_group(0);
    if let Some(directory) = &command.directory {
        spawn.current_dir(directory);
    }
    if !command.merge_stderr {
        return Ok((spawn.spawn()?, None));
    }
    let (reader, writer) = io::pipe()?;
    spawn.stdout(writer.try_clone()?).stderr(writer);
    Ok((spawn.spawn()?, Some(reader)))
}

#[expect(clippy::disallowed_methods, reason = "deadlines are met here")]
pub(super) fn now() -> Instant {
    Instant::now()
}

/// The instant `time` from now, or one so far away that it never comes.
pub(super) fn now_plus(time: Duration) -> Instant {
    const AGES: Duration = Duration::from_hours(24 * 365);
    now() + time.min(AGES)
}

/// Polling interval of waits.
const LOOK_EVERY: Duration = Duration::from_millis(20);

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

/// The exit status of a process; unknown if it could not be killed, or someone else has reaped it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Exit(Option<ExitStatus>);

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
        name.map_or(Ok(()), |(_, name)| write!(f, " ({name})"))
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
            let exit = Exit(Some(ExitStatus::from_raw(raw)));
            assert_eq!(exit.to_string(), expected);
            assert_eq!(exit.is_success(), raw == 0);
        }
        assert_eq!(Exit(None).to_string(), "ended in an unknown way");
    }
}
