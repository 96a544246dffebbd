//! Running the commands that a release needs.

use std::process::{Command, Stdio};

use anyhow::{Context, bail};

/// Runs a command to its end; its output goes where ours goes.
///
/// # Errors
///
/// When it does not start, or fails.
pub(super) fn run(command: &mut Command) -> anyhow::Result<()> {
    let shown = format!("{command:?}");
    let status = command
        .status()
        .with_context(|| format!("cannot start {shown}"))?;
    if !status.success() {
        bail!("{shown} failed: {status}");
    }
    Ok(())
}

/// Runs a command and returns what it writes to standard output.
///
/// # Errors
///
/// When it does not start, fails, or writes no UTF-8.
pub(super) fn output(command: &mut Command) -> anyhow::Result<String> {
    let shown = format!("{command:?}");
    let output = command
        .stderr(Stdio::inherit())
        .output()
        .with_context(|| format!("cannot start {shown}"))?;
    if !output.status.success() {
        bail!("{shown} failed: {}", output.status);
    }
    String::from_utf8(output.stdout).with_context(|| format!("output of {shown}"))
}
