//! A step of a build: a command with limits, whose descendants end with it. An edge.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

use uci::ProcessTree;

/// A command, and where it runs.
#[derive(Clone, Debug)]
pub(super) struct WorkerStep {
    pub(super) words: Vec<OsString>,
    /// All its variables.
    pub(super) environment: Vec<(OsString, OsString)>,
    pub(super) folder: PathBuf,
    /// Where its output is appended.
    pub(super) log: PathBuf,
    /// Folders whose size is limited.
    pub(super) watched: Vec<PathBuf>,
}

/// What a step may use.
#[cfg_attr(
    not(any(target_os = "linux", target_os = "android")),
    expect(dead_code, reason = "no other system limits another process")
)]
#[derive(Clone, Copy, Debug)]
pub(super) struct StepLimits {
    pub(super) wall: Duration,
    /// CPU time of each process.
    pub(super) cpu: Duration,
    /// Memory of each process, in bytes.
    pub(super) memory: u64,
    /// Number of processes of the user.
    pub(super) processes: u64,
    /// The largest file, in bytes.
    pub(super) file: u64,
    /// The largest size of all that it writes, in bytes.
    pub(super) folder: u64,
}

impl Default for StepLimits {
    fn default() -> Self {
        Self {
            wall: Duration::from_mins(30),
            cpu: Duration::from_hours(1),
            memory: 8 << 30,
            processes: 4096,
            file: 2 << 30,
            folder: 8 << 30,
        }
    }
}

/// Why a step did not succeed.
#[derive(Debug, thiserror::Error)]
pub(super) enum StepError {
    /// It could not be started or watched.
    #[error("{what}: {source}")]
    System {
        what: &'static str,
        source: io::Error,
    },
    /// It failed, in words that follow "it".
    #[error("it {0}")]
    Failed(String),
    /// The work is no longer wanted.
    #[error("stopped")]
    Stopped,
}

/// Polling interval of a running step.
const SLICE: Duration = Duration::from_millis(20);
/// Most levels of nested folders: builds need far fewer, and a path ends at 4,096 bytes (`PATH_MAX`).
const DEEPEST: u32 = 256;
/// Interval between two measurements of its folders.
const MEASURE: Duration = Duration::from_secs(2);

fn system(what: &'static str) -> impl Fn(io::Error) -> StepError {
    move |source| StepError::System { what, source }
}

impl WorkerStep {
    /// Runs it to its end, or kills it with all that it started.
    ///
    /// # Errors
    /// It fails, exceeds a limit, or is stopped.
    #[expect(
        clippy::disallowed_methods,
        reason = "the edge starts builds and watches them"
    )]
    pub(super) fn run(&self, limits: &StepLimits, stop: &AtomicBool) -> Result<(), StepError> {
        let log = File::options().create(true).append(true).open(&self.log);
        let log = log.map_err(system("the log cannot be written"))?;
        let copy = || {
            let copied = log.try_clone();
            copied.map_err(system("the log cannot be written"))
        };
        let (errors, own) = (copy()?, copy()?);
        // The shell waits until it is limited, then becomes the command: what a command starts before that
        // would have no limits.
        let (gate, mut opener) = io::pipe().map_err(system("no pipe"))?;
        let mut command = Command::new("/bin/sh");
        command
            .args(["-c", "read -r _ && exec \"$0\" \"$@\""])
            .args(&self.words)
            .current_dir(&self.folder)
            .env_clear()
            .envs(self.environment.iter().cloned())
            .stdin(gate)
            .stdout(log)
            .stderr(errors);
        let mut tree = ProcessTree::spawn(&mut command).map_err(system("/bin/sh cannot run"))?;
        limit(tree.id(), limits).map_err(system("it cannot be limited"))?;
        // If the shell has ended already, the loop below notices it.
        let _ = opener.write_all(b"\n");
        drop(opener);
        let deadline = Instant::now() + limits.wall;
        let mut measured = Instant::now();
        while tree.is_running() {
            if stop.load(Ordering::Relaxed) {
                return Err(StepError::Stopped);
            }
            if Instant::now() >= deadline {
                let seconds = limits.wall.as_secs();
                return Err(StepError::Failed(format!("took longer than {seconds} s")));
            }
            if measured.elapsed() >= MEASURE {
                self.check_size(limits)?;
                measured = Instant::now();
            }
            std::thread::sleep(SLICE);
        }
        let exit = tree.kill();
        if !exit.is_success() {
            check_room(&own).map_err(system("the log cannot be written"))?;
            return Err(StepError::Failed(exit.to_string()));
        }
        // What it wrote since the last measurement counts, too.
        self.check_size(limits)
    }

    fn check_size(&self, limits: &StepLimits) -> Result<(), StepError> {
        let mut sum = 0;
        for path in &self.watched {
            sum += measure(path).map_err(|why| StepError::Failed(why.to_owned()))?;
        }
        if sum <= limits.folder {
            return Ok(());
        }
        let most = limits.folder >> 20;
        Err(StepError::Failed(format!("wrote more than {most} MiB")))
    }
}

/// Checks that a log can grow. Where the disk is full, it ends too early, and nothing else reports why.
fn check_room(mut log: &File) -> io::Result<()> {
    let length = log.metadata()?.len();
    log.write_all(b"\n")?;
    // If the log cannot be shortened, an empty line stays at its end.
    let _ = log.set_len(length);
    Ok(())
}

/// The size of a file or of all files in a folder, in bytes. What disappears meanwhile does not count.
///
/// # Errors
/// A step has hidden something from being measured: how, in words that follow "it".
pub(super) fn measure(path: &Path) -> Result<u64, &'static str> {
    let (mut sum, mut waiting) = (0_u64, vec![(path.to_owned(), 0)]);
    while let Some((path, depth)) = waiting.pop() {
        // Links are not followed: one to `/` would count the whole machine.
        let Ok(about) = path.symlink_metadata() else {
            continue;
        };
        if !about.is_dir() {
            sum = sum.saturating_add(about.len());
            continue;
        }
        if depth > DEEPEST {
            return Err("nested folders deeper than any build does");
        }
        let entries = path.read_dir().or_else(|error| {
            // A step runs as the worker's user, who may change the folder's mode and look again.
            make_readable(&path, &about)?;
            path.read_dir().map_err(|_| error)
        });
        match entries {
            Ok(entries) => {
                waiting.extend(entries.flatten().map(|entry| (entry.path(), depth + 1)));
            }
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(_) => return Err("made a folder that cannot be read"),
        }
    }
    Ok(sum)
}

#[cfg(unix)]
fn make_readable(path: &Path, about: &std::fs::Metadata) -> io::Result<()> {
    use std::os::unix::fs::PermissionsExt as _;
    let mut permissions = about.permissions();
    permissions.set_mode(permissions.mode() | 0o700);
    std::fs::set_permissions(path, permissions)
}

#[cfg(not(unix))]
fn make_readable(_: &Path, _: &std::fs::Metadata) -> io::Result<()> {
    Ok(())
}

/// Deletes a folder, whatever a build has left there: folders that may not be read, and folders nested so deeply that
/// deleting them by recursion, as the standard library does, would use up the stack.
///
/// # Errors
/// Something is left.
#[cfg(unix)]
#[expect(
    clippy::disallowed_methods,
    reason = "the edge starts programs of the system"
)]
pub(super) fn clear(path: &Path) -> io::Result<()> {
    // Both walk without recursion. `rm` alone cannot empty a folder that its owner may not write.
    for words in [["chmod", "-R", "u+rwX", "--"], ["rm", "-r", "-f", "--"]] {
        let run = Command::new(words[0])
            .args(&words[1..])
            .arg(path)
            .output()?;
        if words[0] == "rm" && !run.status.success() {
            let why = String::from_utf8_lossy(&run.stderr).trim().to_owned();
            return Err(io::Error::other(why));
        }
    }
    Ok(())
}

/// Deletes a folder.
///
/// # Errors
/// Something is left.
#[cfg(not(unix))]
#[expect(
    clippy::disallowed_methods,
    reason = "the edge deletes what builds left"
)]
pub(super) fn clear(path: &Path) -> io::Result<()> {
    std::fs::remove_dir_all(path)
}

/// Limits a process, and those it starts from now on.
#[cfg(any(target_os = "linux", target_os = "android"))]
fn limit(process: u32, limits: &StepLimits) -> io::Result<()> {
    use rustix::process::{Pid, Resource, Rlimit, prlimit};

    let process = i32::try_from(process).ok().and_then(Pid::from_raw);
    for (resource, most) in [
        (Resource::Cpu, limits.cpu.as_secs()),
        // Unlike RLIMIT_AS, it does not count addresses that are only reserved, as Go and Java do by gigabytes.
        (Resource::Data, limits.memory),
        (Resource::Nproc, limits.processes),
        (Resource::Fsize, limits.file),
        (Resource::Core, 0),
    ] {
        let current = Some(most);
        let maximum = current;
        prlimit(process, resource, Rlimit { current, maximum })?;
    }
    Ok(())
}

/// Other systems have no limits for another process.
#[cfg(not(any(target_os = "linux", target_os = "android")))]
fn limit(_: u32, _: &StepLimits) -> io::Result<()> {
    Ok(())
}
