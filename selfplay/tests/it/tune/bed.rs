//! The test bed: a folder, the program, and `examples/scripted_engine` that is best at Margin 70.
#![expect(
    clippy::disallowed_methods,
    reason = "runs are begun, killed and looked at"
)]

use std::fs;

use crate::common::{Bed as Folder, Ended, wait_until};

/// What is tuned.
pub(crate) const MARGIN: &str = "--param name=Margin,start=20,min=0,max=100,c=8,r=0.05";
/// What changes nothing.
pub(crate) const SCALE: &str = "--param name=Scale,type=float,start=1,min=0,max=2";

/// A folder with, at last, a run directory.
pub(crate) struct Bed {
    pub(crate) folder: Folder,
    /// A fast tuning, without what is tuned.
    pub(crate) fast: String,
}

impl Bed {
    pub(crate) fn new() -> Self {
        Self::with("")
    }

    /// The engine has these flags as well; it misbehaves but once.
    pub(crate) fn with(flags: &str) -> Self {
        let engine = format!("--optimum=70 {flags} --once=once");
        let folder = Folder::new();
        let rules = "adjudication = { resign = { moves = 2, score = 500 }, max-moves = 60 }\n";
        fs::write(folder.path("rules.toml"), rules).expect("written");
        Self {
            folder,
            fast: format!(
                "tune \"cmd=./engine name=scripted_engine args='{engine}'\" --nodes 1 \
                 --variant chess960 --config rules.toml --out run --force"
            ),
        }
    }

    /// A fast tuning of the usual parameters.
    pub(crate) fn usual(&self, more: &str) -> String {
        format!("{} {MARGIN} {SCALE} {more}", self.fast)
    }

    pub(crate) fn run(&self, arguments: &str) -> Ended {
        self.folder.run(arguments)
    }

    pub(crate) fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path(name)).expect(name)
    }

    pub(crate) fn write(&self, name: &str, text: impl AsRef<[u8]>) {
        let path = self.folder.path(name);
        fs::create_dir_all(path.parent().expect("a folder")).expect("it can be made");
        fs::write(path, text).expect("written");
    }

    pub(crate) fn remove(&self, name: &str) {
        fs::remove_file(self.folder.path(name)).expect(name);
    }

    /// The names of the transcripts of the run directory.
    pub(crate) fn failures(&self) -> Vec<String> {
        let entries = self.folder.path("run/failures").read_dir();
        let entries = entries
            .expect("a folder")
            .map(|entry| entry.expect("a file"));
        entries
            .map(|entry| entry.file_name().display().to_string())
            .collect()
    }

    /// The journal; nothing if there is none yet.
    pub(crate) fn journal(&self) -> String {
        fs::read_to_string(self.folder.path("run/tune.jsonl")).unwrap_or_default()
    }

    /// Runs it to its end; gives what was printed.
    pub(crate) fn succeed(&self, arguments: &str) -> String {
        let ended = self.run(arguments).exits(0);
        // The machine may be smaller than what is requested.
        let mut lines = ended.stderr.lines();
        assert!(lines.all(|line| line.starts_with("note: ")), "{ended:?}");
        ended.stdout
    }

    /// Tunes the usual parameters to the end; gives what was printed.
    pub(crate) fn begin(&self, more: &str) -> String {
        self.succeed(&self.usual(&format!("--concurrency 2 {more}")))
    }

    pub(crate) fn show(&self, format: &str) -> String {
        self.succeed(&format!("tune --show run --format {format}"))
    }

    pub(crate) fn resume(&self, more: &str) -> String {
        self.succeed(&format!("resume run {more}"))
    }

    /// Waits until the engine hangs, which holds the tuning up; the next one hangs only if the file
    /// `once` is removed.
    pub(crate) fn wait_for_hang(&self) {
        wait_until(|| self.folder.path("once").exists());
    }
}
