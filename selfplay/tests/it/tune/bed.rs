//! The test bed: a folder, the program, and `examples/scripted_engine` that is best at Margin 70.
#![expect(
    clippy::disallowed_methods,
    reason = "runs are begun, killed and looked at"
)]

use std::fs;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use assert_cmd::cargo::CommandCargoExt as _;
use tempfile::TempDir;

use crate::common::scripted_engine;

/// What is tuned.
pub(crate) const MARGIN: &str = "name=Margin,start=20,min=0,max=100,c=8,r=0.05";
/// What changes nothing.
pub(crate) const SCALE: &str = "name=Scale,type=float,start=1,min=0,max=2";

/// A folder with, at last, a run directory.
pub(crate) struct Bed {
    folder: TempDir,
    /// The arguments of a fast tuning, without those that say what is tuned.
    fast: Vec<String>,
}

/// What a run of the program left.
#[derive(Debug)]
pub(crate) struct Output {
    pub(crate) code: i32,
    pub(crate) stdout: String,
    pub(crate) stderr: String,
}

impl Bed {
    pub(crate) fn new() -> Self {
        Self::with(&[])
    }

    /// The engine has these flags as well; it misbehaves but once.
    pub(crate) fn with(flags: &[&str]) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let run = folder.path().join("run").display().to_string();
        let engine = scripted_engine().display().to_string();
        let once = format!("--once={}", folder.path().join("once").display());
        let flags = flags.join(" ");
        let engine = format!("cmd={engine} args='--optimum=70 {flags} {once}'");
        let fast = [
            "--engine",
            &engine,
            "--nodes",
            "1",
            "--variant",
            "chess960",
            "--resign",
            "moves=2 score=500",
            "--max-moves",
            "60",
            "--out",
            &run,
            "--force",
        ];
        let fast = fast.map(str::to_owned).into();
        Self { folder, fast }
    }

    pub(crate) fn path(&self, name: &str) -> String {
        self.folder.path().join(name).display().to_string()
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).expect(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        fs::write(self.path(name), text).expect("written");
    }

    /// The names of the files of a folder of the run directory.
    pub(crate) fn files(&self, folder: &str) -> Vec<String> {
        let entries = PathBuf::from(self.path("run")).join(folder).read_dir();
        let entries = entries
            .expect("a folder")
            .map(|entry| entry.expect("a file"));
        entries
            .map(|entry| entry.file_name().display().to_string())
            .collect()
    }

    /// The journal; nothing if there is none yet.
    pub(crate) fn journal(&self) -> String {
        fs::read_to_string(self.path("run/tune.jsonl")).unwrap_or_default()
    }

    /// The arguments of a fast tuning, and others.
    pub(crate) fn arguments<'a>(&'a self, others: &[&'a str]) -> Vec<&'a str> {
        let fast = self.fast.iter().map(String::as_str);
        let usual = ["--param", MARGIN, "--param", SCALE];
        fast.chain(usual).chain(others.iter().copied()).collect()
    }

    pub(crate) fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::cargo_bin("selfplay").expect("the program is built");
        command
            .current_dir(self.folder.path())
            .arg("tune")
            .args(arguments);
        command
    }

    pub(crate) fn run(&self, arguments: &[&str]) -> Output {
        let output = self
            .command(arguments)
            .output()
            .expect("the program starts");
        let text = |bytes: Vec<u8>| String::from_utf8(bytes).expect("UTF-8");
        Output {
            code: output.status.code().expect("it ends by itself"),
            stdout: text(output.stdout),
            stderr: text(output.stderr),
        }
    }

    fn succeed(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        assert_eq!(output.code, 0, "{output:?}");
        // The machine may be smaller than what is asked for.
        let mut lines = output.stderr.lines();
        assert!(lines.all(|line| line.starts_with("note: ")), "{output:?}");
        output.stdout
    }

    /// Tunes to the end; gives what was printed.
    pub(crate) fn begin(&self, others: &[&str]) -> String {
        let usual: &[&str] = if others.contains(&"--concurrency") {
            &[]
        } else {
            &["--concurrency", "2"]
        };
        self.succeed(&self.arguments(&[others, usual].concat()))
    }

    /// As [`Self::begin`], without the usual parameters.
    pub(crate) fn begin_without(&self, others: &[&str]) -> String {
        let fast: Vec<&str> = self.fast.iter().map(String::as_str).collect();
        self.succeed(&[&fast[..], others].concat())
    }

    pub(crate) fn show(&self, format: &str) -> String {
        self.succeed(&["--show", "run", "--format", format])
    }

    pub(crate) fn resume(&self, others: &[&str]) -> String {
        self.succeed(&[&["--resume", "run"], others].concat())
    }

    /// Starts a run, to be killed.
    pub(crate) fn spawn(&self, arguments: &[&str]) -> Child {
        let mut command = self.command(arguments);
        command.stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().expect("the program starts")
    }

    /// Waits until the journal has so many lines.
    pub(crate) fn wait_for_lines(&self, lines: usize) {
        let end = Instant::now() + Duration::from_mins(1);
        while self.journal().matches('\n').count() < lines {
            assert!(Instant::now() < end, "no {lines} lines: {}", self.journal());
            std::thread::sleep(Duration::from_millis(2));
        }
    }
}
