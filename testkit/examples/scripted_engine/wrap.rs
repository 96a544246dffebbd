//! Another engine behind this one, with faults at some positions.

use std::io::{self, BufRead as _, Write as _};
use std::process::{Command, ExitCode, Stdio};

use uci::CommandLine;

use crate::process::{crash, hang, leave_child};

/// Passes all lines to another engine, which answers in our place. Of `one_in` positions to search,
/// one makes us crash, one hang, and one leave a child behind. Which ones depends on nothing but the
/// text of the position, so that games of deterministic engines repeat themselves.
#[expect(clippy::disallowed_methods, reason = "the engine behind is a process")]
pub(crate) fn run(engine: &CommandLine, one_in: u64) -> io::Result<ExitCode> {
    let mut behind = Command::new(&engine.program)
        .args(&engine.arguments)
        .stdin(Stdio::piped())
        .spawn()?;
    let mut to_behind = behind.stdin.take().expect("it is piped");
    let mut fault = None;
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.starts_with("position ") {
            fault = Some(hash(&line) % one_in);
        } else if line.starts_with("go") {
            match fault {
                Some(0) => return Ok(crash("abort")),
                Some(1) => hang(),
                Some(2) => drop(leave_child()?),
                _ => {}
            }
        }
        writeln!(to_behind, "{line}")?;
    }
    drop(to_behind);
    behind.wait()?;
    Ok(ExitCode::SUCCESS)
}

/// FNV-1a, the same on every machine.
fn hash(text: &str) -> u64 {
    text.bytes().fold(0xcbf2_9ce4_8422_2325, |hash, byte| {
        (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3)
    })
}
