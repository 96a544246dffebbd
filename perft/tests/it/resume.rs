//! `perft count --resume FILE`: whatever happens to a run, the sum stays the same.

#![expect(clippy::disallowed_methods, reason = "journals are written and read")]

use std::fs;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::common::{run_in, snapshot, spawn, wait_until};

/// Few units, so that a run is short: a pawn and two kings.
const SMALL: [&str; 3] = ["count", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "3"];
const SMALL_NODES: &str = "perft(3) = 210 in ";

struct Run {
    folder: TempDir,
}

impl Run {
    fn new() -> Self {
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self { folder }
    }

    fn journal(&self) -> PathBuf {
        self.folder.path().join("journal.jsonl")
    }

    fn read(&self) -> String {
        fs::read_to_string(self.journal()).expect("the journal is there")
    }

    fn write(&self, journal: impl AsRef<[u8]>) {
        fs::write(self.journal(), journal).expect("written");
    }

    fn resume(&self, arguments: &[&str]) -> String {
        let mut arguments = arguments.to_vec();
        arguments.extend(["--resume", "journal.jsonl"]);
        run_in(self.folder.path(), &arguments)
    }

    /// A journal of a whole run.
    fn whole() -> (Self, String) {
        let run = Self::new();
        let text = run.resume(&SMALL);
        assert!(text.contains(SMALL_NODES), "{text}");
        let journal = run.read();
        (run, journal)
    }
}

#[test]
fn counts_what_plain_counting_does() {
    let run = Run::new();
    let nodes = |text: &str| text.split(" in ").next().map(str::to_owned);
    for arguments in [
        &["count", "5"][..],
        &["count", "kiwipete", "3", "--hash", "1"],
        &["count", "chess960.start-45", "3"],
        &["count", "0"],
        &["count", "1"],
    ] {
        let plain = run_in(run.folder.path(), arguments);
        assert_eq!(
            nodes(&run.resume(arguments)),
            nodes(&plain),
            "{arguments:?}"
        );
        assert_eq!(nodes(&run.resume(arguments)), nodes(&plain), "again");
        fs::remove_file(run.journal()).expect("removed");
    }
}

#[test]
fn sums_go_beyond_64_bits() {
    let run = Run::new();
    let kings = "8/8/8/4k3/8/8/8/4K3 w - - 0 1";
    let text = run.resume(&["count", kings, "26", "--hash", "16", "--units", "500"]);
    // By two kings on a list of neighbours, in a dozen lines of Python.
    assert!(
        text.contains("perft(26) = 4,603,998,423,567,174,701,997 in "),
        "{text}"
    );
    assert!(
        run.read()
            .lines()
            .next()
            .is_some_and(|header| header.contains(r#""ply":5,"#))
    );
}

#[test]
fn where_the_tree_is_cut_can_be_chosen() {
    let run = Run::new();
    for cut in ["2", "21"] {
        let text = run.resume(&["count", "4", "--units", cut]);
        assert!(text.contains("perft(4) = 197,281 in "), "{cut}: {text}");
        fs::remove_file(run.journal()).expect("removed");
    }
    run.resume(&["count", "4", "--units", "2"]);
    let text = run.resume(&["count", "4", "--units", "21"]);
    let says = "error: journal.jsonl:1: ply differs: stored 1, now 2\n";
    assert!(
        text.starts_with("exit 2\n") && text.ends_with(says),
        "{text}"
    );
    let without = run_in(run.folder.path(), &["count", "4", "--units", "2"]);
    assert!(without.starts_with("exit 2\n"), "{without}");
}

#[test]
fn formats() {
    let run = Run::new();
    let in_format = |format| run.resume(&[&SMALL[..], &["--format", format]].concat());
    let texts = [
        in_format("json"),
        in_format("csv"),
        run.read().lines().take(1).collect(),
    ];
    snapshot!("resume_formats", texts.join("\n"));
}

/// The units of a journal so far, without the header.
fn units_in(journal: &Path) -> usize {
    let text = fs::read_to_string(journal).unwrap_or_default();
    text.matches('\n').count().saturating_sub(1)
}

#[test]
fn killed_again_and_again_gives_the_same_sum() {
    let run = Run::new();
    let slow = ["--threads", "1"];
    let arguments = [&["count", "kiwipete", "5"], &slow[..]].concat();
    let mut resumed = arguments.clone();
    resumed.extend(["--resume", "journal.jsonl"]);
    for kill in 1..=3 {
        let mut child = spawn(&resumed, run.folder.path());
        let before = units_in(&run.journal());
        wait_until("the journal grows", || {
            units_in(&run.journal()) > before + 20
        });
        // On Unix this is SIGKILL.
        child.kill().expect("killed");
        let status = child.wait().expect("it ends");
        assert!(!status.success(), "it was killed for the {kill}. time");
    }
    assert!(units_in(&run.journal()) >= 60);
    let text = run.resume(&arguments);
    assert!(text.starts_with("exit 0\n"), "{text}");
    assert!(text.contains("perft(5) = 193,690,690 in "), "{text}");
}

#[cfg(target_os = "linux")]
#[test]
fn ctrl_c_says_how_to_go_on() {
    let run = Run::new();
    let arguments = ["count", "startpos", "8", "--resume", "journal.jsonl"];
    let ready = || units_in(&run.journal()) > 0;
    let output = crate::common::interrupted(&arguments, run.folder.path(), ready);
    let (stdout, stderr) = (
        crate::common::text(output.stdout),
        crate::common::text(output.stderr),
    );
    assert_eq!(output.status.code(), Some(130), "{stdout}{stderr}");
    assert!(stdout.starts_with("INTERRUPTED after "), "{stdout}");
    let done = units_in(&run.journal());
    let said = format!("{done} of 5,362 units are in journal.jsonl; to resume: ");
    assert!(stderr.starts_with(&said), "{stderr}");
    assert!(
        stderr.ends_with("perft count startpos 8 --resume journal.jsonl\n"),
        "{stderr}"
    );
}

#[test]
fn another_count_is_rejected() {
    let (run, journal) = Run::whole();
    let position = SMALL[1];
    let mut texts = vec![
        run.resume(&["count", "startpos", "4"]),
        run.resume(&["count", position, "5"]),
    ];
    assert_eq!(run.read(), journal, "the journal is unchanged");
    run.write("# my notes");
    texts.push(run.resume(&SMALL));
    assert_eq!(run.read(), "# my notes", "the file is unchanged");
    snapshot!("resume_other_count", texts.join("\n"));
}

#[test]
fn a_bad_line_is_named() {
    let (run, journal) = Run::whole();
    let mut texts = Vec::new();
    run.write(format!("{journal}{}", "{\"unit\":1000,\"nodes\":20}\n"));
    texts.push(run.resume(&SMALL));
    let second = journal.lines().nth(2).expect("many lines");
    run.write(format!("{journal}{second}\n"));
    let text = run.resume(&SMALL);
    assert!(
        text.contains(SMALL_NODES),
        "the same count twice is valid: {text}"
    );
    run.write(format!("{journal}{}", "{\"unit\":0,\"nodes\":20}\n"));
    texts.push(run.resume(&SMALL));
    snapshot!("resume_bad_line", texts.join("\n"));
}

#[test]
fn a_file_that_cannot_be_written_is_an_error() {
    let run = Run::new();
    let in_folder = |file| run_in(run.folder.path(), &["count", "4", "--resume", file]);
    let texts = [in_folder("nowhere/journal.jsonl"), in_folder(".")];
    snapshot!("resume_unwritable", texts.join("\n"));
}

#[test]
fn other_modes_of_counting_are_rejected() {
    for option in ["--divide", "--breakdown", "--no-bulk", "--unique"] {
        let run = Run::new();
        let text = run.resume(&["count", "3", option]);
        assert!(text.starts_with("exit 2\n"), "{option}: {text}");
        assert!(text.contains("cannot be used with"), "{option}: {text}");
        assert!(!run.journal().exists(), "{option}");
    }
}
