//! `epd run` against a runner on python-chess, which shares no code with it.
//!
//! `scripts/test` installs python-chess into `.venv` and switches on the feature `oracles`.
#![expect(clippy::disallowed_methods, reason = "other programs are run")]

use std::path::Path;
use std::process::Command;

use testkit::programs::shown;

use crate::common::write;

/// Compares on the built-in suites, with this program in the place of `epd`.
fn compare(folder: &Path, epd: &Path, engines: &[&str]) -> String {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let mut python = Command::new(package.join("../.venv/bin/python"));
    python
        .current_dir(folder)
        .arg(package.join("tests/compare.py"));
    python.arg("--epd").arg(epd).args(["--depth", "6"]);
    python.args(engines.iter().flat_map(|engine| ["--engine", engine]));
    for name in ["tactics", "mate-in-2"] {
        let suite = epd::suites::find(name).expect("it is built in");
        let file = format!("{name}.epd");
        write(folder, &file, suite.text);
        python.arg(file);
    }
    shown(python.output().expect("scripts/test installs python-chess"))
}

#[test]
fn both_agree_on_the_built_in_suites() {
    let folder = tempfile::tempdir().expect("a folder");
    let epd = Path::new(env!("CARGO_BIN_EXE_epd"));
    let engines = ["cmd=stockfish option.Hash=8", "toga2"];
    let text = compare(folder.path(), epd, &engines);
    assert!(text.starts_with("exit 0\n"), "{text}");
    // Sixty positions, all readable, no difference: once for each suite and engine.
    let agreed = text
        .lines()
        .filter(|line| line.contains(" | 60 | 0 | 0 | "));
    assert_eq!(agreed.count(), 4, "{text}");
}

/// A comparison that finds nothing in a wrong report is worth nothing.
#[cfg(unix)]
#[test]
fn a_wrong_report_is_found() {
    let folder = tempfile::tempdir().expect("a folder");
    let wrong = folder.path().join("wrong");
    let epd = env!("CARGO_BIN_EXE_epd");
    let script = format!("#!/bin/sh\n'{epd}' \"$@\" | sed 's/\"mate\": 2/\"mate\": 1/'\n");
    std::fs::write(&wrong, script).expect("a new file");
    let may_run = std::os::unix::fs::PermissionsExt::from_mode(0o755);
    std::fs::set_permissions(&wrong, may_run).expect("the file is ours");
    let text = compare(folder.path(), &wrong, &["stockfish"]);
    assert!(text.starts_with("exit 1\n"), "{text}");
    assert!(text.contains(": mate 2 / 1, nodes "), "{text}");
}
