//! Unix: non-blocking pipes and `poll`; a process group for each child, and a watchdog that kills
//! the groups when we cannot.

mod alarm;
mod watchdog;

use std::ffi::OsStr;
use std::fs::File;
use std::io::{self, PipeReader, PipeWriter, Read as _, Write as _};
use std::os::fd::{AsFd as _, BorrowedFd, OwnedFd};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::process::{Child, ChildStderr, Command, ExitStatus, Stdio};
use std::sync::{Mutex, PoisonError};
use std::time::Duration;
use std::{fmt, thread};

use arrayvec::ArrayVec;
use rustix::event::{PollFd, PollFlags};
use rustix::io::Errno;
use rustix::process::{Pid, Signal, WaitId, WaitIdOptions};

use crate::CommandLine;

/// Our end of a pipe that a child reads from.
pub(super) struct Input(File);

/// Our end of a pipe that a child writes to.
pub(super) struct Output(File);

impl Input {
    pub(super) fn new(fd: impl Into<OwnedFd>) -> io::Result<Self> {
        let fd = fd.into();
        rustix::io::ioctl_fionbio(&fd, true)?;
        Ok(Self(fd.into()))
    }

    /// Writes what there is room for; [`io::ErrorKind::WouldBlock`] if there is none. Then the next
    /// call gets the same bytes again.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.write(bytes)
    }
}

impl Output {
    pub(super) fn new(fd: impl Into<OwnedFd>) -> io::Result<Self> {
        let fd = fd.into();
        rustix::io::ioctl_fionbio(&fd, true)?;
        Ok(Self(fd.into()))
    }

    /// Reads what there is; [`io::ErrorKind::WouldBlock`] if there is nothing, 0 at the end.
    pub(super) fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        self.0.read(bytes)
    }
}

/// Waits for something to read or room to write, or until the time is over; sometimes less. Returns
/// whether there is something to read, or the end of the output.
pub(super) fn wait(
    read: Option<&mut Output>,
    write: Option<&mut Input>,
    time: Duration,
) -> io::Result<bool> {
    let has_output = read.is_some();
    let read = read.map(|output| (output.0.as_fd(), PollFlags::IN));
    let write = write.map(|input| (input.0.as_fd(), PollFlags::OUT));
    let pipes: ArrayVec<_, 2> = read.into_iter().chain(write).collect();
    Ok(alarm::poll(&pipes, time)? && has_output)
}

/// Dropped to end [`Stopped::wait`].
pub(super) struct Stop(#[expect(dead_code, reason = "it is dropped")] PipeWriter);

/// The other end of [`Stop`].
pub(super) struct Stopped(PipeReader);

impl Stopped {
    pub(super) fn new() -> io::Result<(Stop, Self)> {
        let (reader, writer) = io::pipe()?;
        Ok((Stop(writer), Self(reader)))
    }

    /// Waits for something to read, and returns whether [`Stop`] has been dropped.
    pub(super) fn wait(&self, output: &mut Output) -> bool {
        let fds: [BorrowedFd; 2] = [output.0.as_fd(), self.0.as_fd()];
        let mut fds = fds.map(|fd| PollFd::from_borrowed_fd(fd, PollFlags::IN));
        match rustix::event::poll(&mut fds, None) {
            Ok(_) => !fds[1].revents().is_empty(),
            Err(Errno::INTR) => false,
            // Without poll, waiting is impossible: read what is available and finish.
            Err(_) => true,
        }
    }
}

/// The program to start; a relative path is resolved against the directory of the child.
pub(super) fn program(command: &CommandLine) -> &OsStr {
    &command.program
}

/// How often a program that is being written is tried again, and after how long.
const TRIES: usize = 100;
const UNTIL_WRITTEN: Duration = Duration::from_millis(50);

/// Held while a child is forked: until it runs its own program it has the pipes of an engine that another thread
/// starts, whose ends would stay open after the engine has closed its own.
static FORKING: Mutex<()> = Mutex::new(());

fn spawn(command: &mut Command) -> io::Result<Child> {
    let _alone = FORKING.lock().unwrap_or_else(PoisonError::into_inner);
    command.spawn()
}

/// Starts a program. One that is open for writing cannot be started (`ETXTBSY`): a linker may be about to
/// finish it, or a child that another thread has just forked holds the file until it runs its own program.
fn spawn_once_written(command: &mut Command) -> io::Result<Child> {
    for _ in 1..TRIES {
        match spawn(command) {
            Err(error) if error.kind() == io::ErrorKind::ExecutableFileBusy => {
                thread::sleep(UNTIL_WRITTEN);
            }
            result => return result,
        }
    }
    spawn(command)
}

/// A child that leads its own process group.
pub(super) struct Tree {
    child: Child,
    group: Pid,
}

impl Tree {
    pub(super) fn spawn(command: &mut Command) -> io::Result<Self> {
        let child = spawn_once_written(command.process_group(0))?;
        let group = Pid::from_child(&child);
        watchdog::watch(group);
        Ok(Self { child, group })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Whether the child runs; leaves one that has ended unreaped.
    pub(super) fn is_running(&self) -> bool {
        let options = WaitIdOptions::EXITED | WaitIdOptions::NOWAIT | WaitIdOptions::NOHANG;
        matches!(
            rustix::process::waitid(WaitId::Pid(self.group), options),
            Ok(None)
        )
    }

    /// Kills the group. Before the child is reaped, its id cannot be reused.
    pub(super) fn kill(&self) {
        // Fails if nothing is left to kill.
        let _ = rustix::process::kill_process_group(self.group, Signal::KILL);
        if self.is_running() {
            // It may have left its group. As it has not been reaped, its process id is still valid.
            let _ = rustix::process::kill_process(self.group, Signal::KILL);
        }
    }

    /// Reaps a child that has ended.
    pub(super) fn reap(&mut self) -> Option<ExitStatus> {
        watchdog::release(self.group);
        self.child.wait().ok()
    }

    /// Leaves a child that does not end to a thread that reaps it when it does.
    pub(super) fn leave(&self) {
        let child = self.group;
        watchdog::release(child);
        let reap = move || rustix::process::waitid(WaitId::Pid(child), WaitIdOptions::EXITED);
        // Without a thread, it remains a zombie until our own process ends.
        let _ = thread::Builder::new().name("reaper".to_owned()).spawn(reap);
    }
}

/// A child with our ends of its pipes.
pub(super) struct Piped {
    pub(super) tree: Tree,
    pub(super) input: Input,
    pub(super) output: Output,
    /// `None` if standard error is merged into the output.
    pub(super) errors: Option<Output>,
}

impl Piped {
    pub(super) fn spawn(command: &mut Command, merge_stderr: bool) -> io::Result<Self> {
        command.stdin(Stdio::piped());
        let both = if merge_stderr {
            let (reader, writer) = io::pipe()?;
            command.stdout(writer.try_clone()?).stderr(writer);
            Some(reader)
        } else {
            command.stdout(Stdio::piped()).stderr(Stdio::piped());
            None
        };
        let mut tree = Tree::spawn(command)?;
        match Self::adopt(&mut tree.child, both) {
            Ok((input, output, errors)) => Ok(Self {
                tree,
                input,
                output,
                errors,
            }),
            Err(error) => {
                // A process without pipes must not remain.
                tree.kill();
                tree.reap();
                Err(error)
            }
        }
    }

    fn adopt(
        child: &mut Child,
        both: Option<PipeReader>,
    ) -> io::Result<(Input, Output, Option<Output>)> {
        let stdin = child.stdin.take().expect("it is piped");
        let output = match both {
            Some(both) => Output::new(both)?,
            None => Output::new(child.stdout.take().expect("it is piped"))?,
        };
        let errors: Option<ChildStderr> = child.stderr.take();
        let errors = errors.map(Output::new).transpose()?;
        Ok((Input::new(stdin)?, output, errors))
    }
}

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

/// The exit code of a process that ended by itself.
pub(super) fn code(status: ExitStatus) -> Option<i32> {
    status.code()
}

/// The signal that ended a process.
pub(super) fn signal(status: ExitStatus) -> Option<i32> {
    status.signal()
}

/// Writes how a process ended that did not end by itself.
pub(super) fn write_violent_end(status: ExitStatus, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let Some(signal) = signal(status) else {
        return f.write_str("ended in an unknown way");
    };
    write!(f, "was killed by signal {signal}")?;
    let name = NAMES.iter().find(|(known, _)| known.as_raw() == signal);
    name.map_or(Ok(()), |(_, name)| write!(f, " ({name})"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[expect(clippy::disallowed_methods, reason = "a program is written")]
    fn a_program_that_is_being_written_starts_once_it_is_complete() {
        let folder = tempfile::tempdir().expect("a folder");
        let program = folder.path().join("true");
        std::fs::copy("/bin/true", &program).expect("a copy");
        let writer = File::options().append(true).open(&program);
        let writer = writer.expect("it is ours");
        let mut command = Command::new(&program);
        let busy = command.spawn().expect_err("it is open for writing");
        assert_eq!(busy.kind(), io::ErrorKind::ExecutableFileBusy);
        let closing = thread::spawn(move || drop(writer));
        let mut child = spawn_once_written(&mut command).expect("it starts");
        assert!(child.wait().expect("it ends").success());
        closing.join().expect("closed");
    }
}
