//! The test bed: the program in a folder of its own, with `examples/scripted_engine` as `engine`.

#![expect(
    clippy::disallowed_methods,
    reason = "tests start programs, wait for them, and look at what they leave"
)]

use std::env::consts::EXE_SUFFIX;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use selfplay::ledger::{Follower, Stored};
use selfplay::model::GameRecord;
use tempfile::TempDir;
use testkit::programs;

use super::scripted_engine;

/// Ends only a hang: what should come does so sooner on any machine.
pub(crate) const PLENTY: Duration = Duration::from_mins(15);

/// The file in which fake engines write their ids.
const PROCESSES: &str = "processes";

/// A folder in which runs are played.
pub(crate) struct Bed {
    pub(crate) folder: TempDir,
}

/// What is recorded in a run directory.
#[derive(Debug, PartialEq)]
pub(crate) struct Recorded {
    pub(crate) stored: Stored,
    pub(crate) records: Vec<GameRecord>,
    /// How many bytes a last line without its end has.
    pub(crate) torn: usize,
}

/// How a program ended.
#[derive(Debug)]
pub(crate) struct Ended {
    /// Its exit code, or -1 where a signal ended it.
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Ended {
    fn new(output: Output) -> Self {
        Self {
            code: output.status.code().unwrap_or(-1),
            stdout: programs::text(output.stdout),
            stderr: programs::text(output.stderr),
        }
    }

    #[track_caller]
    pub(crate) fn exits(self, code: i32) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        self
    }

    /// Fails unless this text is on standard error.
    #[track_caller]
    pub(crate) fn reports(&self, text: &str) {
        assert!(self.stderr.contains(text), "expected {text}: {self:?}");
    }

    /// All of it, for snapshots.
    pub(crate) fn to_text(&self) -> String {
        let Self {
            code,
            stdout,
            stderr,
        } = self;
        format!("exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")
    }

    pub(crate) fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout).expect("JSON")
    }
}

impl Bed {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let engine = folder.path().join(format!("engine{EXE_SUFFIX}"));
        #[cfg(unix)]
        std::os::unix::fs::symlink(scripted_engine(), engine).expect("a link");
        #[cfg(windows)]
        std::fs::copy(scripted_engine(), engine).expect("a copy");
        Self { folder }
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Writes a program for the shell.
    #[cfg(unix)]
    pub(crate) fn script(&self, name: &str, text: &str) {
        use std::os::unix::fs::PermissionsExt as _;

        let path = self.path(name);
        std::fs::write(&path, format!("#!/bin/sh\n{text}")).expect("new");
        std::fs::set_permissions(path, std::fs::Permissions::from_mode(0o755)).expect("ours");
    }

    /// The ids of all fake engines and their children so far.
    pub(crate) fn processes(&self) -> Vec<u32> {
        let ids = std::fs::read_to_string(self.path(PROCESSES)).unwrap_or_default();
        ids.lines().filter_map(|id| id.parse().ok()).collect()
    }

    /// The program with arguments as a shell cuts them, in the folder.
    pub(crate) fn command(&self, arguments: &str) -> Command {
        let arguments = shlex::split(arguments).expect("well formed");
        let mut command = program(self.folder.path(), &arguments);
        command.env("SCRIPTED_ENGINE_LOG", self.path(PROCESSES));
        command
    }

    /// Starts it, to be interrupted or killed.
    pub(crate) fn spawn(&self, arguments: &str) -> Child {
        self.command(arguments).spawn().expect("it starts")
    }

    #[cfg(unix)]
    /// Runs the program by a shell in the folder, after `before`, such as a limit of resources.
    pub(crate) fn run_after(&self, before: &str, arguments: &str) -> Ended {
        let program = env!("CARGO_BIN_EXE_selfplay");
        let mut shell = Command::new("sh");
        let script = format!("{before}; exec {program} {arguments}");
        shell.args(["-c", &script]).current_dir(self.folder.path());
        shell.env("XDG_CACHE_HOME", self.folder.path().join(".cache"));
        wait(piped(shell).spawn().expect("a shell"))
    }

    /// Runs it to its end.
    pub(crate) fn run(&self, arguments: &str) -> Ended {
        wait(self.spawn(arguments))
    }

    /// What is recorded in a run directory.
    pub(crate) fn read(&self, name: &str) -> Recorded {
        let directory = self.path(name);
        let (stored, mut follower) = Follower::open(&directory).expect("a run directory");
        let next = || follower.next_record().expect("a record");
        let records = std::iter::from_fn(next).collect();
        let ledger = std::fs::read(directory.join("ledger.jsonl")).unwrap_or_default();
        let torn = ledger.rsplit(|&byte| byte == b'\n').next();
        Recorded {
            stored,
            records,
            torn: torn.map_or(0, <[u8]>::len),
        }
    }

    /// Exit code and both outputs, with the folder's own name taken out.
    pub(crate) fn run_to_text(&self, arguments: &str) -> String {
        let folder = programs::portable(self.folder.path().join("").display().to_string());
        self.run(arguments).to_text().replace(&folder, "DIR/")
    }
}

/// The rows of a file: the name of a snapshot, and the command whose output is in it.
pub(crate) fn commands(file: &'static str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let rows = file.lines().filter(|row| !row.starts_with('#'));
    rows.map(|row| row.split_once(':').expect("a name"))
}

/// The program with these arguments, in a folder.
fn program(folder: &Path, arguments: &[impl AsRef<OsStr>]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_selfplay"));
    command
        .current_dir(folder)
        .args(arguments)
        .env("XDG_CACHE_HOME", folder.join(".cache"));
    piped(command)
}

/// Runs the program in a folder, to its end.
pub(crate) fn selfplay(folder: &Path, arguments: &[&str]) -> Ended {
    let output = program(folder, arguments).output();
    Ended::new(output.expect("it starts"))
}

fn piped(mut command: Command) -> Command {
    command.stdin(Stdio::null());
    command.stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

/// Interrupts a program as Ctrl-C does.
#[cfg(unix)]
pub(crate) fn interrupt(child: &Child) {
    testkit::processes::interrupt(child.id());
}

#[cfg(unix)]
pub(crate) fn send(signal: rustix::process::Signal, child: &Child) {
    let id = rustix::process::Pid::from_child(child);
    rustix::process::kill_process(id, signal).expect("it runs");
}

/// Waits for the end, and fails if it does not come.
pub(crate) fn wait(mut child: Child) -> Ended {
    let deadline = Instant::now() + PLENTY;
    // Both outputs are far smaller than a pipe.
    while child.try_wait().expect("ours").is_none() {
        if Instant::now() > deadline {
            child.kill().expect("ours");
            panic!("it does not end: {:?}", child.wait_with_output());
        }
        std::thread::sleep(Duration::from_millis(5));
    }
    Ended::new(child.wait_with_output().expect("ours"))
}

/// Waits until something is so.
#[track_caller]
pub(crate) fn wait_until(is_so: impl Fn() -> bool) {
    programs::wait_until("it comes", is_so);
}

/// The fake engines of a bed and their children that still live, by the file in which all have
/// written their ids.
#[cfg(not(target_os = "linux"))]
fn processes_in(folder: &Path) -> Vec<String> {
    let ids = std::fs::read_to_string(folder.join(PROCESSES)).unwrap_or_default();
    let ids = ids
        .lines()
        .filter(|id| id.parse().is_ok_and(testkit::processes::exists));
    ids.map(str::to_owned).collect()
}

/// The processes that were started in a folder and still live there.
#[cfg(target_os = "linux")]
fn processes_in(folder: &Path) -> Vec<String> {
    let folder = folder.canonicalize().expect("it is there");
    let processes = Path::new("/proc").read_dir().expect("Linux");
    processes
        .filter_map(|entry| {
            let entry = entry.ok()?.path();
            let works_in = entry.join("cwd").read_link().ok()?;
            works_in
                .starts_with(&folder)
                .then(|| entry.display().to_string())
        })
        .collect()
}

/// Waits until no process is left that works in a folder.
pub(crate) fn assert_nobody_in(folder: &Path) {
    wait_until(|| processes_in(folder).is_empty());
}
