//! Where results go: standard output, or a file that is replaced whole.

use std::io::{self, Write};
use std::path::Path;

use anyhow::Context;

/// Writes a finished report to standard output. A reader that has gone away is no fault.
///
/// # Errors
///
/// When it cannot be written.
pub fn to_stdout(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let mut out = io::stdout().lock();
    match out.write_all(text.as_ref()).and_then(|()| out.flush()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        written => written.context("cannot write to standard output"),
    }
}

/// Replaces a file: a temporary neighbour is written, then renamed. A link is followed; what is no
/// file, such as a pipe or a device, is written to as it is.
///
/// # Errors
///
/// When it cannot be written.
pub fn to_file(path: &Path, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    let text = text.as_ref();
    let fail = || format!("cannot write {}", path.display());
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        let mut device = std::fs::OpenOptions::new()
            .write(true)
            .open(&path)
            .with_context(fail)?;
        return device.write_all(text).with_context(fail);
    }
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".touchstone-");
    // As any new file: readable for all whom the user's mask lets.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .with_context(fail)?;
    file.write_all(text).with_context(fail)?;
    file.as_file().sync_all().with_context(fail)?;
    file.persist(&path).with_context(fail)?;
    Ok(())
}

/// Adds to the end of a file, which need not exist yet.
///
/// # Errors
///
/// When it cannot be written.
pub fn append(path: &Path, text: &str) -> anyhow::Result<()> {
    let fail = || format!("cannot write {}", path.display());
    let mut options = std::fs::OpenOptions::new();
    let mut file = options
        .create(true)
        .append(true)
        .open(path)
        .with_context(fail)?;
    file.write_all(text.as_bytes()).with_context(fail)
}

/// A number with its digits in groups of three: `4,865,609`.
pub fn grouped(number: u64) -> String {
    let digits = number.to_string();
    let mut text = String::with_capacity(digits.len() * 4 / 3);
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A rate in words: `1,067 million nodes a second`.
pub fn rate(nodes: u64, seconds: f64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
    let per_second = nodes as f64 / seconds.max(1e-9);
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "rates are far below 2^64"
    )]
    let millions = (per_second / 1e6).round() as u64;
    if millions >= 10 {
        format!("{} million nodes a second", grouped(millions))
    } else {
        format!("{:.2} million nodes a second", per_second / 1e6)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn groups_of_three() {
        let rows = [
            (0, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (4_865_609, "4,865,609"),
        ];
        for (number, expected) in rows {
            assert_eq!(grouped(number), expected);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
    }

    #[test]
    fn rates() {
        assert_eq!(rate(2_000_000_000, 2.0), "1,000 million nodes a second");
        assert_eq!(rate(1_500_000, 1.0), "1.50 million nodes a second");
    }
}
