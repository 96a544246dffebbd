//! `perft check --watch`: an engine that is replaced and built while the program runs.
#![expect(clippy::disallowed_methods, reason = "files are written and read")]

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, ChildStdout};

use testkit::programs::{portable, scripted_engine, signal};

use crate::common::{SUITES, run, spawn};

/// A script that runs the engine with some flags, put in place as linkers do: under its name at once.
fn put_engine(folder: &Path, flags: &str) {
    let engine = scripted_engine();
    let script = format!("#!/bin/sh\nexec '{}' {flags}\n", engine.display());
    let new = folder.join("new");
    fs::write(&new, script).expect("written");
    fs::set_permissions(&new, fs::Permissions::from_mode(0o755)).expect("ours");
    fs::rename(new, folder.join("engine")).expect("renamed");
}

/// The program, in a folder with the suite `trial.epd`.
struct Watching {
    /// Until it is interrupted.
    program: Option<Child>,
    lines: BufReader<ChildStdout>,
}

impl Watching {
    fn start(folder: &Path, arguments: &[&str]) -> Self {
        fs::copy(
            Path::new(SUITES).join("trial.epd"),
            folder.join("trial.epd"),
        )
        .expect("copied");
        let check = ["check", "trial.epd", "--engine", "./engine"];
        let mut program = spawn(&[&check, arguments].concat(), folder);
        let stdout = program.stdout.take().expect("it is piped");
        let lines = BufReader::new(stdout);
        let program = Some(program);
        Self { program, lines }
    }

    /// The lines up to the one that begins like this, without times.
    fn until(&mut self, end: &str) -> String {
        let mut text = String::new();
        loop {
            let mut line = String::new();
            let length = self.lines.read_line(&mut line).expect("UTF-8");
            assert!(length > 0, "no '{end}' in {text}");
            text.push_str(&line);
            if line.starts_with(end) {
                return portable(text);
            }
        }
    }

    /// Ctrl-C ends the wait.
    fn interrupt(mut self) {
        let program = self.program.take().expect("it runs");
        let output = signal(program, "-INT");
        let errors = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(130), "{errors}");
    }
}

/// A test that fails leaves no program behind, which would watch for ever.
impl Drop for Watching {
    fn drop(&mut self) {
        if let Some(program) = &mut self.program {
            program.kill().expect("it can be killed");
            program.wait().expect("it ends");
        }
    }
}

/// Fixed, broken and fixed again: each round prints what has changed.
#[test]
fn a_replaced_engine_is_checked_again() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put_engine(folder.path(), "");
    let mut watching = Watching::start(folder.path(), &["--watch"]);
    let first = watching.until("OK: all 9 positions are counted correctly");
    assert!(first.contains("suite      right  wrong"), "{first}");

    put_engine(folder.path(), "--bug omits/check/castling-*");
    let broken = watching.until("WRONG: ");
    let newly = "newly failing: trial.epd:3 castling: missing-move: castling; depth 1: 24 counted";
    assert!(broken.contains(newly), "{broken}");
    assert!(broken.contains("\nNEW FAULT in "), "{broken}");
    assert!(broken.contains("missing: e1g1 is legal"), "{broken}");
    let wrong = broken
        .lines()
        .filter(|line| line.starts_with("newly failing: "));
    let wrong = wrong.count();
    let sum = format!("\n{wrong} newly failing, 0 newly passing, 0 still failing\n");
    assert!(wrong > 1 && broken.contains(&sum), "{broken}");

    // An engine that does not start changes nothing of what is compared.
    put_engine(folder.path(), "--crash-on-uci abort");
    watching.until("NO ENGINE: ");
    put_engine(folder.path(), "--bug total-one-more");
    let worse = watching.until("WRONG: 9 of 9");
    assert!(
        worse.contains(&format!(", {wrong} still failing\n")),
        "{worse}"
    );

    put_engine(folder.path(), "");
    let fixed = watching.until("OK: all 9 positions are counted correctly");
    assert!(
        fixed.contains("\nnewly passing: trial.epd:3 castling\n"),
        "{fixed}"
    );
    let sum = "\n0 newly failing, 9 newly passing, 0 still failing\n";
    assert!(fixed.contains(sum), "{fixed}");
    watching.interrupt();
}

/// A failed build prints its end and waits for the next change; what a build writes starts no other one.
#[test]
fn sources_are_built() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    // At once, so that it is one change; hidden files are none.
    let source = |text: &str| {
        let new = folder.path().join(".new");
        fs::write(&new, text).expect("written");
        fs::rename(new, folder.path().join("engine.c")).expect("renamed");
    };
    // Each build leaves a line, and an object beside its source.
    let build = "echo built >> builds; touch engine.o; . ./engine.c";
    source("echo broken at line 7 >&2; exit 3");
    let mut watching = Watching::start(folder.path(), &["--watch", "--build", build]);
    let failed = watching.until("BUILD FAILED after ");
    assert!(failed.contains("  | broken at line 7\n"), "{failed}");
    assert!(failed.contains(": it ended with exit code 3\n"), "{failed}");

    put_engine(folder.path(), "");
    source("true");
    watching.until("OK: all 9 positions are counted correctly");
    source("exit 4");
    watching.until("BUILD FAILED after ");
    source("true; true");
    let again = watching.until("OK: all 9 positions are counted correctly");
    assert!(
        again.contains("0 newly failing, 0 newly passing"),
        "{again}"
    );
    let builds = fs::read_to_string(folder.path().join("builds")).expect("written");
    assert_eq!(builds.lines().count(), 4);
    watching.interrupt();
}

/// A build that does not end is killed.
#[test]
fn a_build_is_interrupted() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    put_engine(folder.path(), "");
    let build = "touch begun; sleep 1000";
    let watching = Watching::start(folder.path(), &["--watch", "--build", build]);
    testkit::programs::wait_until("the build has begun", || {
        folder.path().join("begun").exists()
    });
    watching.interrupt();
}

#[test]
fn what_cannot_be_watched_is_rejected() {
    let rows: [(&[&str], &str); 3] = [
        (
            &["--engine", "stockfish", "--watch"],
            "stockfish is not the path of a file, expected --watch=PATH",
        ),
        (
            &["--engine", "./a", "--engine", "./b", "--watch"],
            "--watch is for one engine",
        ),
        (
            &["--engine", "./a", "--watch=none/here"],
            "cannot watch none/here: No such file",
        ),
    ];
    for (arguments, expected) in rows {
        let text = run(&[&["check", "trial.epd"], arguments].concat());
        assert!(
            text.starts_with("exit 2") && text.contains(expected),
            "{text}"
        );
    }
}
