//! Where results go: standard output, or a file that is replaced whole.

use std::io::{self, Write};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::BadInput;

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
    let old = path.metadata().ok().map(|old| old.permissions());
    if old.as_ref().is_some_and(std::fs::Permissions::readonly) {
        anyhow::bail!("cannot write {}: it is write-protected", path.display());
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
        .map_err(|error| without_path(&error))
        .with_context(fail)?;
    file.write_all(text).with_context(fail)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old).with_context(fail)?;
    }
    file.as_file().sync_all().with_context(fail)?;
    file.persist(&path).with_context(fail)?;
    Ok(())
}

/// What the system says, without the name of the temporary file, which nobody has asked for.
fn without_path(error: &io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text
        .rsplit_once(" at path ")
        .map_or(&*text, |(reason, _)| reason);
    io::Error::new(error.kind(), reason)
}

/// Refuses outputs that would replace what is read, or each other.
///
/// # Errors
///
/// When two of them are the same file.
pub fn refuse_to_replace(outputs: &[Option<&Path>], inputs: &[PathBuf]) -> Result<(), BadInput> {
    let same = |one: &Path, other: &Path| match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other && one.is_file(),
        _ => one == other,
    };
    let outputs: Vec<&Path> = outputs.iter().copied().flatten().collect();
    for (index, output) in outputs.iter().enumerate() {
        let name = output.display();
        if inputs.iter().any(|input| same(input, output)) {
            return Err(BadInput(format!("{name} would be replaced, which is read")));
        }
        if outputs[..index].iter().any(|other| same(other, output)) {
            return Err(BadInput(format!("{name} is to be written twice")));
        }
    }
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
pub fn grouped(number: impl Into<u128>) -> String {
    let digits = number.into().to_string();
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
pub fn rate(nodes: impl Into<u128>, seconds: f64) -> String {
    #[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
    let per_second = nodes.into() as f64 / seconds.max(1e-9);
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
    fn outputs_keep_off_inputs_and_each_other() {
        let (a, b) = (Path::new("a.epd"), Path::new("b.epd"));
        let inputs = [a.to_owned()];
        assert!(refuse_to_replace(&[Some(b), None], &inputs).is_ok());
        assert!(refuse_to_replace(&[Some(a)], &inputs).is_err());
        assert!(refuse_to_replace(&[Some(b), Some(b)], &inputs).is_err());
    }

    #[test]
    fn a_file_keeps_its_mode() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("file");
        to_file(&path, "one").expect("written");
        let mut mode = path.metadata().expect("a file").permissions();
        #[cfg(unix)]
        std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o600);
        std::fs::set_permissions(&path, mode).expect("ours");
        let mut mode = path.metadata().expect("a file").permissions();
        to_file(&path, "two").expect("written");
        assert_eq!(path.metadata().expect("a file").permissions(), mode);
        mode.set_readonly(true);
        std::fs::set_permissions(&path, mode).expect("ours");
        assert!(to_file(&path, "three").is_err());
    }

    #[test]
    fn an_error_names_the_file_that_was_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("none/file");
        let error = to_file(&path, "text").expect_err("no folder");
        let expected = format!("cannot write {}: No such file", path.display());
        let error = format!("{error:#}");
        assert!(
            error.starts_with(&expected) && !error.contains(".touchstone-"),
            "{error}"
        );
    }

    #[test]
    fn groups_of_three() {
        let rows = [
            (0_u64, "0"),
            (999, "999"),
            (1_000, "1,000"),
            (4_865_609, "4,865,609"),
        ];
        for (number, expected) in rows {
            assert_eq!(grouped(number), expected);
        }
        assert_eq!(grouped(u64::MAX), "18,446,744,073,709,551,615");
        assert_eq!(grouped(1_u128 << 64), "18,446,744,073,709,551,616");
    }

    #[test]
    fn rates() {
        assert_eq!(rate(2_000_000_000_u64, 2.0), "1,000 million nodes a second");
        assert_eq!(rate(1_500_000_u64, 1.0), "1.50 million nodes a second");
    }
}
