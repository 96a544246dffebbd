//! Running the program and comparing what it says with snapshots.
#![expect(clippy::disallowed_methods, reason = "another process is watched")]

#[path = "../common/program.rs"]
#[allow(
    dead_code,
    unused_imports,
    unused_macros,
    reason = "the other tests use all of it"
)]
mod watched;

use std::path::{Path, PathBuf};
use std::process::Command;

use assert_cmd::cargo::CommandCargoExt as _;

use watched::told;

/// The folder of the test suites.
pub(crate) fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/run/suites")
}

/// Exit code, standard output and standard error of a run in a folder.
pub(crate) fn epd_in(folder: &Path, arguments: &[&str]) -> String {
    let output = command(folder, arguments).output();
    told(output.expect("the program starts"))
}

fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("epd").expect("the program is built");
    command.current_dir(folder).args(arguments);
    command
}

/// As [`epd_in`], with Ctrl-C as soon as the program listens for it.
pub(crate) fn interrupted(folder: &Path, arguments: &[&str]) -> String {
    told(watched::interrupted(arguments, folder, || true))
}

/// The command line of the scripted engine.
pub(crate) fn engine(script: &str) -> String {
    let script = folder().join(script);
    format!("'{}' '{}'", example("scripted_engine"), script.display())
}

/// The command line of the engine that misbehaves.
pub(crate) fn fake_engine(flag: &str) -> String {
    format!(
        "'{}' --first-move --breach blind {flag}",
        example("scripted_engine")
    )
}

/// An example, which stands beside the folder of this test.
fn example(name: &str) -> String {
    let mut folder = std::env::current_exe().expect("a test has a path");
    folder.pop();
    folder.pop();
    folder.join("examples").join(name).display().to_string()
}

pub(crate) fn write(folder: &Path, name: &str, text: &str) {
    std::fs::write(folder.join(name), text).expect("the file can be written");
}

pub(crate) fn read(path: &Path) -> String {
    std::fs::read_to_string(path).expect("the file can be read")
}

/// Compares with the stored snapshot, paths, times and numbers of lines left out.
macro_rules! check {
    ($name:expr, $text:expr) => {
        insta::with_settings!({filters => vec![
            (r"[^\s'\x22;,=]*/examples/", "[examples]/"),
            (r"[^\s'\x22;,=]*/tests/run/suites/", "[suites]/"),
            (r"[^\s'\x22;,=]*/\.tmp\w+/", "[folder]/"),
            (r"in \d+\.\d\d s\b", "in [time]"),
            (r#"(seconds)": [\d.e-]+"#, r#"$1": "[time]""#),
            (r#""ms": \d+"#, r#""ms": "[time]""#),
            (r#"time="[\d.]+""#, r#"time="[time]""#),
            (r"\b\d+\.\d{6}\b", "[time]"),
            (r" +\d+\.\d{3} (<|>|!|&lt;|&gt;) ", " [time] $1 "),
            (r"\b\d+\.\d\d\b", "[time]"),
        ]}, {
            insta::assert_snapshot!($name, $text);
        });
    };
}
pub(crate) use check;
