//! Writing of results: to standard output, or to a file that is replaced atomically.

use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Duration;

use anyhow::Context;

use crate::BadInput;

/// Writes a finished report to standard output. A closed pipe is not an error.
///
/// # Errors
///
/// When it cannot be written.
pub fn to_stdout(text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    stdout_with(|out| Ok(out.write_all(text.as_ref())?))
}

/// [`to_stdout`] for a report that is written piece by piece, because as a whole it may not fit in
/// memory.
///
/// # Errors
///
/// When it cannot be written, or `write` fails.
pub fn stdout_with(write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>) -> anyhow::Result<()> {
    let mut out = BufWriter::new(QuietPipe {
        out: io::stdout().lock(),
        is_closed: false,
    });
    let written = write(&mut out).and_then(|()| Ok(out.flush()?));
    written.context("cannot write to standard output")
}

/// An output that swallows everything once its reader has gone.
struct QuietPipe<W> {
    out: W,
    is_closed: bool,
}

impl<W> QuietPipe<W> {
    fn tolerate<T>(&mut self, written: io::Result<T>, swallowed: T) -> io::Result<T> {
        match written {
            Err(error) if error.kind() == io::ErrorKind::BrokenPipe => {
                self.is_closed = true;
                Ok(swallowed)
            }
            written => written,
        }
    }
}

impl<W: Write> Write for QuietPipe<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.is_closed {
            return Ok(bytes.len());
        }
        let written = self.out.write(bytes);
        self.tolerate(written, bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        let flushed = self.out.flush();
        self.tolerate(flushed, ())
    }
}

/// Writes a line to standard error, also under `--quiet`: an error, or a warning that changes what a result
/// is worth. A closed standard error is ignored: the exit code carries the result all the same.
pub fn to_stderr(line: &str) {
    let _ = writeln!(io::stderr(), "{line}");
}

/// Writes a remark to standard error, unless `--quiet` is given.
pub fn remark(is_quiet: bool, line: &str) {
    if !is_quiet {
        to_stderr(line);
    }
}

/// Replaces a file by writing a temporary file beside it and renaming that. A symbolic link is
/// followed; anything that is not a regular file, such as a pipe or a device, is written directly.
///
/// # Errors
///
/// When it cannot be written.
pub fn to_file(path: &Path, text: impl AsRef<[u8]>) -> anyhow::Result<()> {
    file_with(path, |out| Ok(out.write_all(text.as_ref())?))
}

/// [`to_file`] for a text that is written piece by piece, because as a whole it may not fit in memory.
///
/// # Errors
///
/// When it cannot be written, or `write` fails.
pub fn file_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let fail = || format!("cannot write {}", path.display());
    let write = |file: &mut std::fs::File| -> anyhow::Result<()> {
        let mut out = BufWriter::new(file);
        write(&mut out).and_then(|()| Ok(out.flush()?))
    };
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    if path.exists() && !path.is_file() {
        let mut device = std::fs::OpenOptions::new()
            .write(true)
            .open(&path)
            .with_context(fail)?;
        return write(&mut device).with_context(fail);
    }
    // The renamed file would have the permissions of a new one.
    let old = path.metadata().ok().map(|old| old.permissions());
    let mut file = neighbour(&path).with_context(fail)?;
    write(file.as_file_mut()).with_context(fail)?;
    if let Some(old) = old {
        file.as_file().set_permissions(old).with_context(fail)?;
    }
    // Otherwise a power cut after the renaming could leave an empty file.
    file.as_file().sync_all().with_context(fail)?;
    replace(&path, file).with_context(fail)
}

/// Renames a temporary file to `path`, whatever is there. On Windows, a file that another program has
/// open, such as a virus scanner, may be impossible to replace for a moment: then it is tried again.
///
/// # Errors
///
/// When it cannot be renamed; on Windows, when it could not be for half a second.
pub fn replace(path: &Path, file: tempfile::NamedTempFile) -> io::Result<()> {
    replace_by(path, file.into_temp_path())
}

/// [`replace`] by a temporary file that is closed.
pub(crate) fn replace_by(path: &Path, file: tempfile::TempPath) -> io::Result<()> {
    const TRIES: u32 = 25;
    const PAUSE: Duration = Duration::from_millis(20);
    // Not `persist`: on Windows 10 and later, the standard library replaces files that others read.
    let temporary = file.keep().map_err(|kept| kept.error)?;
    let mut tries = 1;
    while let Err(error) = std::fs::rename(&temporary, path) {
        if !cfg!(windows) || tries == TRIES || !is_in_use(&error) {
            // The first error is the one to report.
            let _ = std::fs::remove_file(&temporary);
            return Err(error);
        }
        tries += 1;
        std::thread::sleep(PAUSE);
    }
    sync_folder_of(path)
}

/// Forces the name of a file to the disk: what is synced of a file is lost with its name.
#[cfg_attr(
    unix,
    expect(
        clippy::disallowed_methods,
        reason = "the edge forces files to the disk"
    )
)]
pub(crate) fn sync_folder_of(path: &Path) -> io::Result<()> {
    #[cfg(unix)]
    {
        let folder = path
            .parent()
            .filter(|folder| !folder.as_os_str().is_empty());
        let folder = std::fs::File::open(folder.unwrap_or(Path::new(".")));
        match folder.and_then(|folder| folder.sync_all()) {
            // Not every file system can, and a folder that cannot be read can still be written.
            Err(error)
                if matches!(
                    error.kind(),
                    io::ErrorKind::InvalidInput | io::ErrorKind::PermissionDenied
                ) => {}
            synced => synced?,
        }
    }
    Ok(())
}

/// Whether Windows reports that somebody else has a file open: access denied, or a violation of
/// sharing or of a lock.
fn is_in_use(error: &io::Error) -> bool {
    // ERROR_ACCESS_DENIED, ERROR_SHARING_VIOLATION, ERROR_LOCK_VIOLATION.
    matches!(error.raw_os_error(), Some(5 | 32 | 33))
}

/// An empty temporary file beside `path`, deleted unless it is renamed.
pub(crate) fn neighbour(path: &Path) -> io::Result<tempfile::NamedTempFile> {
    // Renaming would replace a write-protected file without asking.
    if path
        .metadata()
        .is_ok_and(|old| old.permissions().readonly())
    {
        return Err(io::Error::other("it is write-protected"));
    }
    let folder = path
        .parent()
        .filter(|parent| !parent.as_os_str().is_empty());
    let mut builder = tempfile::Builder::new();
    builder.prefix(".touchstone-");
    // Like any new file: readable by everyone whom the umask permits.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    builder
        .tempfile_in(folder.unwrap_or(Path::new(".")))
        .map_err(|error| without_path(&error))
}

/// Checks, before the work begins, that [`to_file`] can write these files when it is done.
///
/// Has no side effects: an existing file keeps its content, and a missing one is not created. Pipes
/// and devices are not tested, because opening a pipe would block until it has a reader.
///
/// # Errors
///
/// Names the first file that cannot be written and the reason: a missing folder, a folder of that
/// name, write protection.
pub fn check_writable(outputs: &[Option<&Path>]) -> Result<(), BadInput> {
    outputs.iter().flatten().try_for_each(|path| {
        let target = path.canonicalize().unwrap_or_else(|_| (*path).to_owned());
        check(path, &target, || neighbour(&target).map(drop))
    })
}

/// Checks, before the work begins, that [`append`] can add to this file when it is done, like
/// [`check_writable`].
///
/// # Errors
///
/// As for [`check_writable`].
pub fn check_appendable(path: &Path) -> Result<(), BadInput> {
    check(path, path, || {
        if path.exists() {
            // The folder of an existing file may not be writable.
            std::fs::OpenOptions::new()
                .append(true)
                .open(path)
                .map(drop)
        } else {
            neighbour(path).map(drop)
        }
    })
}

fn check(
    given: &Path,
    target: &Path,
    try_file: impl FnOnce() -> io::Result<()>,
) -> Result<(), BadInput> {
    let checked = if target.is_dir() {
        Err(io::Error::from(io::ErrorKind::IsADirectory))
    } else if target.exists() && !target.is_file() {
        Ok(())
    } else {
        try_file()
    };
    checked.map_err(|error| BadInput(format!("cannot write {}: {error}", given.display())))
}

/// The system's error without the name of the temporary file, which means nothing to the user.
fn without_path(error: &io::Error) -> io::Error {
    let text = error.to_string();
    let reason = text
        .rsplit_once(" at path ")
        .map_or(&*text, |(reason, _)| reason);
    io::Error::new(error.kind(), reason)
}

/// Rejects outputs that would overwrite an input or each other.
///
/// # Errors
///
/// When two of them are the same file.
pub fn refuse_to_replace(outputs: &[Option<&Path>], inputs: &[PathBuf]) -> Result<(), BadInput> {
    let same = |one: &Path, other: &Path| match (one.canonicalize(), other.canonicalize()) {
        // Several outputs may go to one device, such as /dev/null.
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

/// Appends to a file, creating it if necessary.
///
/// # Errors
///
/// When it cannot be written.
pub fn append(path: &Path, text: &str) -> anyhow::Result<()> {
    append_with(path, |out| Ok(out.write_all(text.as_bytes())?))
}

/// [`append`] for a text that is written piece by piece.
///
/// # Errors
///
/// When it cannot be written, or `write` fails.
pub fn append_with(
    path: &Path,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let fail = || format!("cannot write {}", path.display());
    let mut options = std::fs::OpenOptions::new();
    let file = options
        .create(true)
        .append(true)
        .open(path)
        .with_context(fail)?;
    let mut out = BufWriter::new(file);
    let written = write(&mut out).and_then(|()| Ok(out.flush()?));
    written.with_context(fail)
}

/// Formats a number with digits in groups of three: `4,865,609`.
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

/// A number of things: `1 game`, `2000 games`; `what` is the word for one, whose plural ends with s.
pub fn counted(number: impl TryInto<u128>, what: &str) -> String {
    let number = number.try_into().unwrap_or(u128::MAX);
    let ending = if number == 1 { "" } else { "s" };
    format!("{number} {what}{ending}")
}

/// Formats a rate with three significant figures: `1,070 million nodes a second`.
pub fn rate(nodes: impl Into<u128>, seconds: f64) -> String {
    // A time of 0 would make the rate infinite.
    #[expect(clippy::cast_precision_loss, reason = "a rate is rounded anyway")]
    let per_second = nodes.into() as f64 / seconds.max(1e-9);
    let millions = three_figures(per_second / 1e6);
    format!("{millions} million nodes a second")
}

/// Formats a number with three significant figures, the precision of a measured time: `1,070`,
/// `16.7`, `0.00456`. Anything not above 0 is `0`.
pub fn three_figures(number: f64) -> String {
    if !number.is_finite() || number <= 0.0 {
        return "0".to_owned();
    }
    // Rounding may carry into another digit (9.996 to 10.0), so it comes first.
    let rounded = format!("{number:.2e}");
    let exponent = rounded.rsplit_once('e').map(|(_, exponent)| exponent);
    let exponent: i32 = exponent
        .and_then(|exponent| exponent.parse().ok())
        .expect("the form of a float with an exponent is fixed");
    let rounded: f64 = rounded.parse().expect("it was written from a float");
    match usize::try_from(2 - exponent) {
        Ok(decimals) => format!("{rounded:.decimals$}"),
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "it is above 0, and the cast saturates far above any rate"
        )]
        Err(_) => grouped(rounded as u128),
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
        let mode = path.metadata().expect("a file").permissions();
        #[cfg(unix)]
        let mode = {
            let mut mode = mode;
            std::os::unix::fs::PermissionsExt::set_mode(&mut mode, 0o600);
            mode
        };
        std::fs::set_permissions(&path, mode).expect("ours");
        let mut mode = path.metadata().expect("a file").permissions();
        to_file(&path, "two").expect("written");
        assert_eq!(path.metadata().expect("a file").permissions(), mode);
        mode.set_readonly(true);
        std::fs::set_permissions(&path, mode).expect("ours");
        assert!(to_file(&path, "three").is_err());
    }

    #[test]
    fn a_place_that_cannot_be_written_is_found_before_the_work() {
        let folder = tempfile::tempdir().expect("a folder");
        let at = |name: &str| folder.path().join(name);
        to_file(&at("kept"), "old").expect("written");
        to_file(&at("protected"), "old").expect("written");
        let mut mode = at("protected").metadata().expect("a file").permissions();
        mode.set_readonly(true);
        std::fs::set_permissions(at("protected"), mode).expect("ours");
        for name in ["new", "kept"] {
            let path = at(name);
            assert!(check_writable(&[None, Some(&path)]).is_ok(), "{name}");
            assert!(check_appendable(&path).is_ok(), "{name}");
        }
        let kept = crate::read::text(&at("kept"), 10).expect("read");
        assert_eq!(kept, "old");
        let rows = [
            ("none/file", "No such file or directory"),
            ("kept/file", "Not a directory"),
            (".", "is a directory"),
        ];
        for (name, reason) in rows {
            let path = at(name);
            // Windows has words of its own, also in the user's language.
            let reason = if cfg!(unix) { reason } else { "" };
            let expected = format!("cannot write {}: {reason}", path.display());
            for found in [check_writable(&[Some(&path)]), check_appendable(&path)] {
                let found = found.expect_err(name).to_string();
                assert!(found.starts_with(&expected), "{found}");
            }
        }
        let protected = check_writable(&[Some(&at("protected"))]).expect_err("protected");
        assert!(protected.to_string().ends_with(": it is write-protected"));
        // No temporary file is left behind.
        let names = std::fs::read_dir(folder.path()).expect("a folder");
        assert_eq!(names.count(), 2);
    }

    /// The file may be replaced while another program reads it, and on Windows soon afterwards if that
    /// program does not allow it.
    #[test]
    fn a_file_in_use_is_replaced() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("Ergebnis für Müller.csv");
        to_file(&path, "old").expect("written");
        let mut options = std::fs::OpenOptions::new();
        options.read(true);
        #[cfg(windows)]
        std::os::windows::fs::OpenOptionsExt::share_mode(&mut options, 0);
        let reader = options.open(&path).expect("there");
        let closing = std::thread::spawn(move || {
            std::thread::sleep(Duration::from_millis(100));
            drop(reader);
        });
        to_file(&path, "new").expect("written");
        closing.join().expect("no panic");
        assert_eq!(crate::read::text(&path, 10).expect("read"), "new");
    }

    #[cfg(unix)]
    #[test]
    fn a_device_can_be_written() {
        let device = Path::new("/dev/null");
        assert!(check_writable(&[Some(device)]).is_ok());
        assert!(check_appendable(device).is_ok());
    }

    #[test]
    fn an_error_names_the_file_that_was_asked_for() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("none/file");
        let error = to_file(&path, "text").expect_err("no folder");
        let reason = if cfg!(unix) { "No such file" } else { "" };
        let expected = format!("cannot write {}: {reason}", path.display());
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
        let rows = [
            (2_000_000_000_u64, 2.0, "1,000 million nodes a second"),
            (1_067_400_000, 1.0, "1,070 million nodes a second"),
            (1_500_000, 1.0, "1.50 million nodes a second"),
            (48, 0.5, "0.0000960 million nodes a second"),
            (0, 0.0, "0 million nodes a second"),
        ];
        for (nodes, seconds, expected) in rows {
            assert_eq!(rate(nodes, seconds), expected);
        }
    }

    #[test]
    fn numbers_have_three_figures() {
        let rows = [
            (9.996, "10.0"),
            (999.6, "1,000"),
            (16.667, "16.7"),
            (123_456.7, "123,000"),
            (0.012_34, "0.0123"),
            (1.0, "1.00"),
            (100.0, "100"),
            (f64::NAN, "0"),
            (-1.0, "0"),
        ];
        for (number, expected) in rows {
            assert_eq!(three_figures(number), expected, "{number}");
        }
    }
}
