//! `epd run` against a runner on python-chess, which shares no code with it.
//!
//! `scripts/test` installs python-chess into `.venv` and switches on the feature `oracles`.
#![expect(clippy::disallowed_methods, reason = "other programs are run")]

use std::path::Path;
use std::process::Command;

use testkit::programs::shown;

use crate::common::{ends, path_in, place, script, write};

/// Compares on the built-in suites, with this program in the place of `epd`.
fn compare(folder: &Path, epd: &str, engines: &[&str]) -> String {
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
    let engines = ["cmd=stockfish option.Hash=8", "toga2"];
    let folder = place();
    let text = compare(folder.path(), env!("CARGO_BIN_EXE_epd"), &engines);
    ends(&text, 0, &[]);
    // Sixty positions, all readable, no difference: once for each suite and engine.
    let agreed = text.lines();
    let agreed = agreed.filter(|line| line.contains(" | 60 | 0 | 0 | "));
    assert_eq!(agreed.count(), 4, "{text}");
}

/// A comparison that finds nothing in a wrong report is worth nothing.
#[cfg(unix)]
#[test]
fn a_wrong_report_is_found() {
    let folder = place();
    let epd = env!("CARGO_BIN_EXE_epd");
    let text = format!("'{epd}' \"$@\" | sed 's/\"mate\": 2/\"mate\": 1/'\n");
    script(&folder, "wrong", &text);
    let wrong = path_in(&folder, "wrong");
    let text = compare(folder.path(), &wrong, &["stockfish"]);
    ends(&text, 1, &[": mate 2 / 1, nodes "]);
}
