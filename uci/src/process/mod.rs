//! A child process with pipes, of which nothing remains.
//!
//! Standard output and input are driven by the caller's thread, by `poll` with a deadline; standard
//! error by a thread of its own, so that an engine can complain while nobody listens. An engine
//! that prints faster than its lines are taken waits for us: what we hold is bounded.
//!
//! The child leads a process group of its own. Dropping a [`Process`] kills the group, with the
//! children's children, and reaps the child, which is killed even if it has left the group. Others
//! that have left it (`setsid`) escape this.

mod cancel;
mod exit;
mod pipes;
mod stderr;

use std::fmt;
use std::io::{self, PipeReader};
use std::os::fd::OwnedFd;
use std::os::unix::process::CommandExt as _;
use std::process::{Child, ChildStderr, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use super::{CommandLine, Line};
pub use cancel::Cancel;
pub use exit::Exit;
use pipes::Pipes;
use stderr::StderrReader;

/// How long a child that has been killed may take to die.
const DEATH: Duration = Duration::from_secs(3);

/// What came of waiting for a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Received {
    /// A line.
    Line(Line),
    /// Standard output has been closed, and every line has been taken.
    Eof,
    /// No line was read by the deadline.
    TimedOut,
    /// The work has been cancelled.
    Cancelled,
}

/// Why a line could not be sent.
#[derive(Debug, thiserror::Error)]
pub enum SendError {
    /// A line break or a carriage return in the line: it would be more than one.
    #[error("{line:?} is more than one line")]
    LineBreak {
        /// The text.
        line: String,
    },
    /// The process does not read, or has ended.
    #[error("the engine has closed its standard input")]
    Closed,
    /// The process does not read what it is sent. After this its input is closed, since only a part
    /// of a line may have gone.
    #[error("the engine did not read its standard input for {} s", .after.as_secs_f64())]
    TimedOut {
        /// How long it was given.
        after: Duration,
    },
    /// The work has been cancelled. After this the input is closed, as above.
    #[error("cancelled")]
    Cancelled,
    /// Something else went wrong.
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
                // What cannot be driven must not stay; that it may be dead already is no matter.
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
                // Nobody writes to it: it is at its end.
                let (empty, _) = io::pipe()?;
                (
                    ChildStdout::from(OwnedFd::from(both)),
                    ChildStderr::from(OwnedFd::from(empty)),
                )
            }
        };
        let pipes = Pipes::new(stdin, stdout)?;
        Ok((group, pipes, StderrReader::start(stderr)?))
    }

    /// The process's number.
    pub fn id(&self) -> u32 {
        self.child.id()
    }

    /// Sends a line, and gives the time at which its last byte went out.
    ///
    /// # Errors
    ///
    /// When it could not be written whole in the time given. The process being dead or deaf is an
    /// error, never a signal to us: Rust's runtime ignores `SIGPIPE`, and whoever changes that must
    /// block it.
    pub fn send_line(&mut self, line: &str, timeout: Duration) -> Result<Instant, SendError> {
        self.send_lines(&[line], timeout)
    }

    /// Sends lines at once, which is cheaper than one after another, and gives the time at
    /// which the last byte went out.
    ///
    /// # Errors
    ///
    /// As for [`Process::send_line`].
    pub fn send_lines(&mut self, lines: &[&str], timeout: Duration) -> Result<Instant, SendError> {
        if let Some(line) = lines.iter().find(|line| line.contains(['\n', '\r'])) {
            let line = (*line).to_owned();
            return Err(SendError::LineBreak { line });
        }
        self.pipes.send(lines, timeout, &self.cancel)
    }

    /// Sends a text as it is, which may be part of a line or have line ends of another kind.
    ///
    /// # Errors
    ///
    /// As for [`Process::send_line`], but that any text will do.
    pub fn send_text(&mut self, text: &str, timeout: Duration) -> Result<Instant, SendError> {
        self.pipes.send_text(text, timeout, &self.cancel)
    }

    /// Sets whether, once the process has begun to print, the rest of the CPU is given to it before
    /// we sleep; off at first. With many lines that follow each other this saves both sides most of
    /// their time. On a machine with more to do than it can, lines may be read a little later: off,
    /// where their times matter.
    pub fn take_turns(&mut self, on: bool) {
        self.pipes.take_turns(on);
    }

    /// How many bytes of standard output have been read, lines that have not ended included.
    pub fn received_bytes(&self) -> u64 {
        self.pipes.received()
    }

    /// Closes the process's standard input.
    pub fn close_stdin(&mut self) {
        self.pipes.close_stdin();
    }

    /// Waits for the next line. A line counts when it was read by `deadline`; one that was not
    /// stays for the next call, so that even an endless flood comes to an end. Lines are stamped
    /// when they are read, not when they were written: be waiting when it matters.
    ///
    /// When we ourselves have been stopped for half a second or more while we waited, nobody knows
    /// when the lines came that are there then: they count as if we had woken in time.
    ///
    /// # Errors
    ///
    /// When the pipe cannot be read.
    pub fn next_line(&mut self, deadline: Instant) -> io::Result<Received> {
        let has_ended = || self.exit.is_some() || has_ended(self.group);
        self.pipes.next_line(deadline, &self.cancel, has_ended)
    }

    /// Reads what is there to be read, in bounded time, and waits for nothing.
    ///
    /// # Errors
    ///
    /// When the pipe cannot be read.
    pub fn read_ready(&mut self) -> io::Result<()> {
        self.pipes.read_ready()
    }

    /// Takes a line that has been read, and waits for nothing.
    pub fn pop_line(&mut self) -> Option<Line> {
        self.pipes.pop_line()
    }

    /// The last 64 KiB of standard error, as lines with the times when they were read.
    pub fn stderr(&self) -> Vec<Line> {
        self.stderr.lines()
    }

    /// Waits until the process has ended, and says how; nothing if it lives on at `deadline` or the
    /// work is cancelled. What it leaves behind in its group is killed. A process that has more to
    /// print than fits into the pipe ends only once its lines are taken.
    pub fn wait(&mut self, deadline: Instant) -> Option<Exit> {
        let is_over =
            self.exit.is_some() || wait_for_end(self.group, deadline, || self.cancel.is_set());
        is_over.then(|| self.bury())
    }

    /// Kills the process group, and says how the process ended.
    pub fn kill(&mut self) -> Exit {
        self.bury()
    }

    /// Kills the group, then reaps the child: while the child is not reaped, the number of the
    /// group cannot be another's.
    ///
    /// A child that cannot be killed, since it is another user's or waits for a device, is left to a
    /// thread that reaps it whenever it ends.
    fn bury(&mut self) -> Exit {
        if let Some(exit) = self.exit {
            return exit;
        }
        // It fails when nothing is left to kill.
        let _ = rustix::process::kill_process_group(self.group, Signal::KILL);
        if is_running(self.group) {
            // It may have left its group. Since it is not reaped, the number is still its own.
            let _ = rustix::process::kill_process(self.group, Signal::KILL);
        }
        // Who cannot be killed may still end by itself for want of input.
        self.pipes.close_stdin();
        let exit = if wait_for_end(self.group, now() + DEATH, || false) {
            self.child.wait().map_or(Exit::unknown(), Exit::new)
        } else {
            reap_later(self.group);
            Exit::unknown()
        };
        self.exit = Some(exit);
        self.stderr.stop();
        exit
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.bury();
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

/// Whether the leader of the group, our child, has ended, which leaves it unreaped.
fn has_ended(child: Pid) -> bool {
    // An error means that there is no such child to wait for any more.
    !is_running(child)
}

/// Whether this is a child of ours that has not ended.
fn is_running(child: Pid) -> bool {
    let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
    matches!(
        rustix::process::waitid(WaitId::Pid(child), options),
        Ok(None)
    )
}

/// Waits until a child has ended, which leaves it unreaped; `false` if it lives on at `deadline` or
/// is given up.
fn wait_for_end(child: Pid, deadline: Instant, is_given_up: impl Fn() -> bool) -> bool {
    let mut pause = Duration::from_micros(100);
    while !has_ended(child) {
        let left = deadline.saturating_duration_since(now());
        if left.is_zero() || is_given_up() {
            return false;
        }
        std::thread::sleep(pause.min(left));
        pause = (pause * 2).min(Duration::from_millis(10));
    }
    true
}

/// Reaps a child once it ends. Until then its number is its own.
fn reap_later(child: Pid) {
    let reap = move || rustix::process::waitid(WaitId::Pid(child), WaitIdOptions::EXITED);
    let thread = std::thread::Builder::new().name("reaper".to_owned());
    // Without a thread it stays a zombie when it ends, until we do.
    let _ = thread.spawn(reap);
}

/// The child, and the pipe that its standard output and error share where they are merged.
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

/// The instant that comes after `time`, or one so far away that it never comes.
pub(super) fn now_plus(time: Duration) -> Instant {
    const AGES: Duration = Duration::from_hours(24 * 365);
    now() + time.min(AGES)
}
