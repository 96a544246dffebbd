//! Running the program in a folder, and tables of cases.
#![expect(clippy::disallowed_methods, reason = "another process is watched")]

use std::io::Write as _;
use std::path::Path;
use std::process::{Child, Command, Stdio};

use assert_cmd::cargo::CommandCargoExt as _;
use tempfile::TempDir;
use testkit::programs::{self, shown};

/// The program, to be run in a folder with its streams caught.
pub(crate) fn command(folder: impl AsRef<Path>, arguments: &[&str]) -> Command {
    let mut command = Command::cargo_bin("epd").expect("the program is built");
    command.current_dir(folder).args(arguments);
    for set in [Command::stdin, Command::stdout, Command::stderr] {
        set(&mut command, Stdio::piped());
    }
    command
}

/// Exit code, standard output and standard error of a run.
pub(crate) fn run_in(folder: impl AsRef<Path>, arguments: &[&str]) -> String {
    run_fed(folder, arguments, "")
}

/// As [`run_in`], with arguments that are separated by blanks.
pub(crate) fn run_words(folder: impl AsRef<Path>, arguments: &str) -> String {
    run_in(folder, &words(arguments))
}

pub(crate) fn words(arguments: &str) -> Vec<&str> {
    arguments.split_whitespace().collect()
}

/// As [`run_in`], with something on standard input.
pub(crate) fn run_fed(folder: impl AsRef<Path>, arguments: &[&str], input: &str) -> String {
    let mut child = spawn(folder, arguments);
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that rejects its arguments does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    shown(child.wait_with_output().expect("the program ends"))
}

/// Starts the program without waiting for it.
pub(crate) fn spawn(folder: impl AsRef<Path>, arguments: &[&str]) -> Child {
    let child = command(folder, arguments).spawn();
    child.expect("the program starts")
}

#[cfg(target_os = "linux")]
/// As [`run_in`], with Ctrl-C as soon as the program listens for it.
pub(crate) fn interrupted(folder: impl AsRef<Path>, arguments: &[&str]) -> String {
    shown(programs::interrupt(spawn(folder, arguments), || true))
}

pub(crate) fn scripted_engine() -> String {
    programs::scripted_engine().display().to_string()
}

/// A folder of its own, which is the working folder of what is run in it.
pub(crate) fn place() -> TempDir {
    tempfile::tempdir().expect("there is a place for temporary files")
}

/// The whole path of a file in a folder.
pub(crate) fn path_in(folder: impl AsRef<Path>, name: &str) -> String {
    folder.as_ref().join(name).display().to_string()
}

/// Writes a program of the shell into a folder; it is run as `./NAME`.
#[cfg(unix)]
pub(crate) fn script(folder: impl AsRef<Path>, name: &str, text: &str) {
    use std::os::unix::fs::PermissionsExt as _;

    write(&folder, name, &format!("#!/bin/sh\n{text}"));
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.as_ref().join(name), mode).expect("the file is ours");
}

/// Writes a UCI engine of the shell, which answers a `$line` as the cases say, and begins as all do; `$fen` is
/// the position.
#[cfg(unix)]
pub(crate) fn shell_engine(folder: impl AsRef<Path>, name: &str, cases: &str) {
    let text = format!(
        r#"
while read -r line; do
  case "$line" in
    {cases}
    uci) echo "id name {name}"; echo uciok ;;
    isready) echo readyok ;;
    "position fen "*) fen=${{line#position fen }} ;;
    quit) exit 0 ;;
  esac
done
"#
    );
    script(folder, name, &text);
}

pub(crate) fn write(folder: impl AsRef<Path>, name: &str, text: &str) {
    std::fs::write(folder.as_ref().join(name), text).expect("the folder can be written to");
}

pub(crate) fn read(folder: impl AsRef<Path>, name: &str) -> String {
    let text = std::fs::read_to_string(folder.as_ref().join(name));
    programs::portable(text.expect("the file can be read"))
}

/// Asserts how a run ended, and that each of these parts is in what it printed.
#[track_caller]
pub(crate) fn ends(text: &str, code: u8, parts: &[&str]) {
    let start = format!("exit {code}\n");
    assert!(text.starts_with(&start), "expected exit {code}: {text}");
    holds(text, parts);
}

/// Asserts that a program failed with an error that has this part, and printed no result.
#[track_caller]
pub(crate) fn fails(text: &str, code: u8, part: &str) {
    let start = format!("exit {code}\n--- stdout\n--- stderr\n");
    assert!(text.starts_with(&start), "expected exit {code}: {text}");
    holds(text, &[part]);
}

/// The report of a run that succeeded, which is in JSON.
pub(crate) fn json_of(text: &str) -> serde_json::Value {
    let text = text.strip_prefix("exit 0\n--- stdout\n");
    let text = text.and_then(|text| text.split("--- stderr").next());
    serde_json::from_str(text.expect("it succeeds")).expect("JSON")
}

#[track_caller]
pub(crate) fn holds(text: &str, parts: &[&str]) {
    for part in parts {
        assert!(text.contains(part), "expected {part:?} in {text}");
    }
}

/// Reads a table of cases in `tests/data`: each input, which a `>` begins, with the lines below it; these may also
/// follow the input behind ` => `, separated by ` | `. Comments begin with `#`. Control characters and blanks at the
/// ends of lines are written as their pictures, U+2400 and following.
pub(crate) fn table(name: &str) -> Vec<(String, Vec<String>)> {
    let control = |c: char| match c {
        '\u{2400}'..='\u{2420}' => char::from_u32(u32::from(c) - 0x2400).expect("below U+0080"),
        c => c,
    };
    let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/data");
    let mut cases: Vec<(String, Vec<String>)> = Vec::new();
    for line in read(folder, &format!("{name}.txt")).lines() {
        let line: String = line.chars().map(control).collect();
        if let Some(row) = line.strip_prefix('>') {
            let (input, rest) = row.split_once(" => ").unwrap_or((row, ""));
            let lines = rest.split(" | ").filter(|line| !line.is_empty());
            cases.push((input.to_owned(), lines.map(str::to_owned).collect()));
        } else if !line.starts_with('#') && !line.is_empty() {
            cases.last_mut().expect("an input first").1.push(line);
        }
    }
    cases
}

/// What differs from one run to the next, and what replaces it in snapshots.
pub(crate) const FILTERS: [(&str, &str); 9] = [
    (r"[^\s'\x22;,=]*/examples/", "[examples]/"),
    (r"[^\s'\x22;,=]*/tests/suites/", "[suites]/"),
    (r"[^\s'\x22;,=]*/\.tmp\w+/", "[folder]/"),
    (r"\b(in|after) \d+\.\d+ s\b", "$1 [time]"),
    (r#"(seconds)": ?[\d.e-]+"#, r#"$1": "[time]""#),
    (r#""ms": \d+"#, r#""ms": "[time]""#),
    (r#"time="[\d.]+""#, r#"time="[time]""#),
    (r"about \d+ (s|min|h)\b", "about [time]"),
    (r"\b\d+\.\d{6}\b", "[time]"),
];

/// Compares with the stored snapshot, with [`FILTERS`] and more.
macro_rules! check {
    ($name:expr, $text:expr) => {
        crate::common::check!($name, $text, [])
    };
    ($name:expr, $text:expr, $more:expr) => {
        insta::with_settings!({filters => crate::common::FILTERS.into_iter().chain($more)}, {
            insta::assert_snapshot!($name, $text);
        })
    };
}
pub(crate) use check;
