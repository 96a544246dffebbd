//! Windows: asynchronous pipes, and a job for each child.

mod sys;

use std::cell::Cell;
use std::collections::BTreeSet;
use std::ffi::OsString;
use std::fmt;
use std::fs::{File, OpenOptions};
use std::hash::{BuildHasher as _, RandomState};
use std::io::{self, ErrorKind};
use std::os::windows::io::{AsHandle as _, OwnedHandle};
use std::os::windows::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use arrayvec::ArrayVec;
use sys::{Direction, Event, Job, Transfer};
use windows_sys::Win32::Foundation::{
    ERROR_BROKEN_PIPE, ERROR_NO_DATA, ERROR_PIPE_NOT_CONNECTED, ERROR_PROCESS_ABORTED,
};
use windows_sys::Win32::System::Threading::{CREATE_NEW_PROCESS_GROUP, CREATE_SUSPENDED};

use crate::CommandLine;

/// Our end of a pipe that a child reads from.
pub(super) struct Input(Transfer);

impl Input {
    /// Writes some of the bytes; [`ErrorKind::WouldBlock`] if there is no room. Then the system has a
    /// copy of them, and the next call must get the same bytes again.
    pub(super) fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if !self.0.is_under_way() {
            self.0.start_write(bytes).map_err(closed)?;
        }
        match self.0.result().map_err(closed)? {
            Some(count) => Ok(count),
            None => Err(ErrorKind::WouldBlock.into()),
        }
    }
}

/// The error of a closed pipe, of which Windows has several.
fn closed(error: io::Error) -> io::Error {
    if is_closed(&error) {
        ErrorKind::BrokenPipe.into()
    } else {
        error
    }
}

fn is_closed(error: &io::Error) -> bool {
    let code = error.raw_os_error().map(i32::cast_unsigned);
    let codes = [ERROR_BROKEN_PIPE, ERROR_NO_DATA, ERROR_PIPE_NOT_CONNECTED];
    code.is_some_and(|code| codes.contains(&code))
}

/// Our end of a pipe that a child writes to.
pub(super) struct Output {
    transfer: Transfer,
    /// The part of the last read that has not been taken.
    unread: std::ops::Range<usize>,
    is_at_end: bool,
}

impl Output {
    fn new(pipe: OwnedHandle) -> io::Result<Self> {
        Ok(Self {
            transfer: Transfer::new(pipe)?,
            unread: 0..0,
            is_at_end: false,
        })
    }

    /// Reads what there is; [`ErrorKind::WouldBlock`] if there is nothing, 0 at the end.
    pub(super) fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        if self.unread.is_empty() && !self.is_at_end {
            self.start()?;
            match self.transfer.result() {
                Ok(Some(count)) => self.unread = 0..count,
                Ok(None) => return Err(ErrorKind::WouldBlock.into()),
                Err(error) if is_closed(&error) => self.is_at_end = true,
                Err(error) => return Err(error),
            }
        }
        let count = self.unread.len().min(bytes.len());
        if count == 0 && !self.is_at_end {
            // Someone has written nothing, which is no end.
            return Err(ErrorKind::WouldBlock.into());
        }
        self.transfer
            .copy_read(self.unread.start, &mut bytes[..count]);
        self.unread.start += count;
        Ok(count)
    }

    /// Sees to it that the next bytes, or the end, are noticed.
    fn start(&mut self) -> io::Result<()> {
        if self.transfer.is_under_way() || self.is_at_end || !self.unread.is_empty() {
            return Ok(());
        }
        match self.transfer.start_read() {
            Err(error) if is_closed(&error) => self.is_at_end = true,
            started => started?,
        }
        Ok(())
    }

    /// Whether [`Output::read`] would return at once.
    fn is_ready(&self) -> bool {
        !self.unread.is_empty() || self.is_at_end || sys::is_signalled(self.transfer.done())
    }
}

/// Waits for something to read or room to write, or until the time is over. Returns whether there is
/// something to read, or the end of the output.
pub(super) fn wait(
    mut read: Option<&mut Output>,
    write: Option<&mut Input>,
    time: Duration,
) -> io::Result<bool> {
    if let Some(output) = &mut read {
        output.start()?;
        if output.is_ready() {
            return Ok(true);
        }
    }
    let input = write.map(|input| &input.0);
    // Unless a write is under way, whether there is room is found out by writing.
    if input.is_none_or(Transfer::is_under_way) {
        let output = read.as_ref().map(|output| output.transfer.done());
        let input = input.map(Transfer::done);
        let handles: ArrayVec<_, 2> = output.into_iter().chain(input).collect();
        sys::wait_for_any(&handles, Some(time))?;
    }
    Ok(read.is_some_and(|output| output.is_ready()))
}

/// Dropped to end [`Stopped::wait`].
pub(super) struct Stop(Arc<Event>);

impl Drop for Stop {
    fn drop(&mut self) {
        // It fails only for an invalid handle.
        let _ = self.0.set();
    }
}

/// The other end of [`Stop`].
pub(super) struct Stopped(Arc<Event>);

impl Stopped {
    pub(super) fn new() -> io::Result<(Stop, Self)> {
        let event = Arc::new(Event::new()?);
        Ok((Stop(Arc::clone(&event)), Self(event)))
    }

    /// Waits for something to read, and returns whether [`Stop`] has been dropped.
    pub(super) fn wait(&self, output: &mut Output) -> bool {
        // If it cannot be read, the next read reports that.
        if output.start().is_err() || output.is_ready() {
            return sys::is_signalled(self.0.as_handle());
        }
        let handles = [output.transfer.done(), self.0.as_handle()];
        // Without waiting, read what is available and finish.
        sys::wait_for_any(&handles, None).is_err() || sys::is_signalled(self.0.as_handle())
    }
}

/// The exit code of processes that we kill: the system's for processes that did not end by
/// themselves.
pub(super) const KILLED: u32 = ERROR_PROCESS_ABORTED;

/// A child in a job of its own, as are all processes that it starts.
pub(super) struct Tree {
    child: Child,
    job: Job,
}

/// A job around ourselves, in which all children are born: killed before a child is in its own job,
/// we would leave it behind, suspended for ever. `None` if we are in a job that takes none inside it.
static OURS: LazyLock<Option<Job>> = LazyLock::new(|| {
    let job = Job::new().ok()?;
    job.assign(sys::ourselves()).ok()?;
    Some(job)
});

impl Tree {
    pub(super) fn spawn(command: &mut Command) -> io::Result<Self> {
        LazyLock::force(&OURS);
        let job = Job::new()?;
        // Suspended, so that it cannot start processes outside the job. Ctrl-C is for us alone: it
        // reaches all processes of a console, except those of other groups.
        command.creation_flags(CREATE_SUSPENDED | CREATE_NEW_PROCESS_GROUP);
        let mut child = command.spawn()?;
        let process = child.as_handle();
        let pinned = PINNED
            .get()
            .map_or(Ok(()), |cpus| sys::pin_process(process, cpus));
        let resumed = pinned
            .and_then(|()| job.assign(process))
            .and_then(|()| sys::resume(process));
        if let Err(error) = resumed {
            // A suspended process must not remain.
            let _ = child.kill();
            return Err(error);
        }
        Ok(Self { child, job })
    }

    pub(super) fn id(&self) -> u32 {
        self.child.id()
    }

    pub(super) fn is_running(&self) -> bool {
        !sys::is_signalled(self.child.as_handle())
    }

    pub(super) fn kill(&self) {
        // It fails only for an invalid handle.
        let _ = self.job.kill(KILLED);
    }

    /// The status of a child that has ended.
    pub(super) fn reap(&mut self) -> Option<ExitStatus> {
        self.child.wait().ok()
    }

    /// Ended children leave nothing behind that must be reaped.
    #[expect(clippy::unused_self, reason = "as on Unix")]
    pub(super) fn leave(&self) {}
}

thread_local! {
    /// The CPUs to which this thread is pinned. Windows passes on the affinity of processes only.
    static PINNED: Cell<Option<usize>> = const { Cell::new(None) };
}

pub(super) fn pin(cpus: &[usize]) -> io::Result<()> {
    let bits = cpus
        .iter()
        .map(|&cpu| 1_usize.checked_shl(u32::try_from(cpu).ok()?));
    let set = bits.sum::<Option<usize>>();
    let set = set.ok_or(ErrorKind::InvalidInput)?;
    sys::pin_thread(set)?;
    PINNED.set(Some(set));
    Ok(())
}

pub(super) fn cores() -> io::Result<Vec<BTreeSet<usize>>> {
    let (ours, cores) = sys::cpus()?;
    let cpus = |set: usize| (0..usize::BITS as usize).filter(move |cpu| set >> cpu & 1 == 1);
    let cores = cores.iter().map(|core| cpus(core & ours).collect());
    Ok(cores
        .filter(|core: &BTreeSet<usize>| !core.is_empty())
        .collect())
}

pub(super) fn unpin() -> io::Result<()> {
    let (ours, _) = sys::cpus()?;
    sys::pin_thread(ours)?;
    PINNED.set(None);
    Ok(())
}

pub(super) fn idle() -> Option<BTreeSet<usize>> {
    None
}

/// The program to start. Windows would resolve a relative path against our directory, Unix does so
/// against that of the child.
pub(super) fn program(command: &CommandLine) -> OsString {
    let program = Path::new(&command.program);
    let is_name = program.components().count() <= 1;
    match &command.directory {
        Some(directory) if !is_name => directory.join(program).into_os_string(),
        _ => command.program.clone(),
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
        let (input, stdin) = pipe(Direction::Out)?;
        let (output, stdout) = pipe(Direction::In)?;
        let mut errors = None;
        let stderr = if merge_stderr {
            stdout.try_clone()?
        } else {
            let (pipe, stderr) = pipe(Direction::In)?;
            errors = Some(Output::new(pipe)?);
            stderr
        };
        command.stdin(stdin).stdout(stdout).stderr(stderr);
        let tree = Tree::spawn(command);
        // The command holds the child's ends; without this, their end would never come.
        command
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null());
        Ok(Self {
            tree: tree?,
            input: Input(Transfer::new(input)?),
            output: Output::new(output)?,
            errors,
        })
    }
}

/// A pipe: our end, and the child's.
#[expect(
    clippy::disallowed_methods,
    reason = "the name only has to differ from all others"
)]
fn pipe(direction: Direction) -> io::Result<(OwnedHandle, File)> {
    static COUNT: AtomicU32 = AtomicU32::new(0);
    let count = COUNT.fetch_add(1, Ordering::Relaxed);
    // Nobody can guess the name and come before us.
    let random = RandomState::new().hash_one(count);
    let process = std::process::id();
    let name = PathBuf::from(format!(
        r"\\.\pipe\touchstone-{process}-{count}-{random:016x}"
    ));
    let ours = sys::named_pipe(&name, direction)?;
    let mut options = OpenOptions::new();
    let theirs = options
        .read(direction == Direction::Out)
        .write(direction == Direction::In)
        .open(&name)?;
    Ok((ours, theirs))
}

/// Exceptions that end processes. Windows calls them by numbers only.
const NAMES: [(u32, &str); 15] = [
    (0xc000_0005, "access violation"),
    (0xc000_0006, "page that could not be read"),
    (0xc000_0017, "out of memory"),
    (0xc000_001d, "illegal instruction"),
    (0xc000_007b, "program for another processor"),
    (0xc000_0094, "integer division by zero"),
    (0xc000_0096, "privileged instruction"),
    (0xc000_00fd, "stack overflow"),
    (0xc000_0135, "DLL not found"),
    (0xc000_0139, "entry point of a DLL not found"),
    (0xc000_013a, "Ctrl-C"),
    (0xc000_0142, "DLL could not be initialised"),
    (0xc000_0374, "heap corruption"),
    (0xc000_0409, "abort or stack buffer overrun"),
    (0xe06d_7363, "uncaught C++ exception"),
];

/// The code of a process, and whether it is that of an exception: 0xC....... means an error of the
/// system. Negative exit codes begin with F.
fn exception(status: ExitStatus) -> (u32, bool) {
    let code = status.code().unwrap_or(0).cast_unsigned();
    (code, code >> 28 == 0xc || code == 0xe06d_7363)
}

/// The exit code of a process that ended by itself.
pub(super) fn code(status: ExitStatus) -> Option<i32> {
    let (code, is_exception) = exception(status);
    let is_ours = code != KILLED && !is_exception;
    is_ours.then(|| code.cast_signed())
}

pub(super) fn signal(_: ExitStatus) -> Option<i32> {
    None
}

/// Writes how a process ended that did not end by itself.
pub(super) fn write_violent_end(status: ExitStatus, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    let (code, is_exception) = exception(status);
    if !is_exception {
        return f.write_str("was killed");
    }
    write!(f, "crashed with exception {code:#010X}")?;
    let name = NAMES.iter().find(|(known, _)| *known == code);
    name.map_or(Ok(()), |(_, name)| write!(f, " ({name})"))
}
