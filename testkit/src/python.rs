//! python-chess, which `scripts/test` installs into `.venv`.

use std::io::Write as _;
use std::process::{Command, Stdio};

/// What a Python program answers to an input.
#[expect(clippy::disallowed_methods, reason = "the judge is another program")]
pub fn ask(program: &str, input: String) -> String {
    let python = concat!(env!("CARGO_MANIFEST_DIR"), "/../.venv/bin/python");
    let mut judge = Command::new(python)
        .args(["-c", program])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .expect("scripts/test installs python-chess into .venv");
    let mut stdin = judge.stdin.take().expect("its input is piped");
    // A pipe holds little: without a thread, both sides could wait for each other forever.
    let writer = std::thread::spawn(move || stdin.write_all(input.as_bytes()));
    let output = judge
        .wait_with_output()
        .expect("python ends at the end of its input");
    writer
        .join()
        .expect("the writer does not panic")
        .expect("python reads all its input");
    assert!(output.status.success(), "python-chess failed");
    String::from_utf8(output.stdout).expect("python writes UTF-8")
}
