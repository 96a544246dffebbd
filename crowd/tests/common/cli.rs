//! Running the program and looking at what it says.

use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use assert_cmd::cargo::CommandCargoExt as _;

/// Exit code, standard output and standard error of a run in a folder, with something on standard input.
pub(crate) fn crowd(folder: &Path, arguments: &[&str], input: &str) -> String {
    let mut child = Command::cargo_bin("crowd")
        .expect("the program is built")
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut stdin = child.stdin.take().expect("it is piped");
    // A program that refuses its arguments does not read.
    let _ = stdin.write_all(input.as_bytes());
    drop(stdin);
    let output = child.wait_with_output().expect("the program ends");
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    let (stdout, stderr) = (text(&output.stdout), text(&output.stderr));
    let code = output.status.code().expect("the program ends by itself");
    format!("exit {code}\n--- stdout\n{stdout}--- stderr\n{stderr}")
}
