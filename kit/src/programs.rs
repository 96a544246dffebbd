//! Programs of this machine: where they are, and data that turns out to be one.

use std::env;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};

use crate::BadInput;

/// The file of a program: a path, or a name that is looked up in `PATH`. On Windows, `.exe` may be left
/// out. What may not be executed is none.
pub fn find(program: &Path) -> Option<PathBuf> {
    let is_one = |path: &PathBuf| matches!(is_executable(path), Ok(true));
    // As in a shell, a path is not looked up in `PATH`.
    if program.components().count() > 1 || program.is_absolute() {
        return Some(with_ending(program.to_owned())).filter(is_one);
    }
    #[expect(clippy::disallowed_methods, reason = "the edge looks for programs")]
    let folders = env::var_os("PATH")?;
    let mut found = env::split_paths(&folders).map(|folder| with_ending(folder.join(program)));
    found.find(is_one)
}

/// With `.exe` on Windows, where people leave it out.
pub fn with_ending(path: PathBuf) -> PathBuf {
    if cfg!(windows) && !path.is_file() {
        let mut with_ending = path.clone().into_os_string();
        with_ending.push(env::consts::EXE_SUFFIX);
        let with_ending = PathBuf::from(with_ending);
        if with_ending.is_file() {
            return with_ending;
        }
    }
    path
}

/// Whether a file may be executed; elsewhere than on Unix, any may.
///
/// # Errors
///
/// If nothing is known of the file.
pub fn is_executable(path: &Path) -> io::Result<bool> {
    let data = path.metadata()?;
    #[cfg(unix)]
    let may_run = std::os::unix::fs::PermissionsExt::mode(&data.permissions()) & 0o111 != 0;
    #[cfg(not(unix))]
    let may_run = true;
    Ok(data.is_file() && may_run)
}

/// Refuses a program where text is expected: its bytes would be reported line by line.
///
/// # Errors
///
/// If it is a program: machine code, or a script that may be executed. Files of text may be executable on
/// disks that know no permissions.
pub fn refuse(path: &Path) -> Result<(), BadInput> {
    let engine = path.to_string_lossy();
    let is_named = !path.exists() && find(path).is_some();
    if is_named || is_code(path).unwrap_or(false) {
        return Err(BadInput(format!(
            "{engine} is a program, expected a file of text; engines are named by --engine"
        )));
    }
    Ok(())
}

#[expect(
    clippy::disallowed_methods,
    reason = "the first bytes of a file that is read afterwards"
)]
fn is_code(path: &Path) -> io::Result<bool> {
    // A pipe must not lose its beginning.
    if !path.metadata()?.is_file() {
        return Ok(false);
    }
    let mut begin = Vec::new();
    File::open(path)?.take(4).read_to_end(&mut begin)?;
    Ok(match &*begin {
        // ELF; Mach-O of one machine, or of several; Windows.
        b"\x7fELF" | b"\xcf\xfa\xed\xfe" | b"\xca\xfe\xba\xbe" | [b'M', b'Z', ..] => true,
        [b'#', b'!', ..] => is_executable(path)?,
        _ => false,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    #[expect(clippy::disallowed_methods, reason = "the test writes files")]
    fn programs_are_no_texts() {
        use std::os::unix::fs::PermissionsExt as _;
        let folder = tempfile::tempdir().expect("a folder");
        let write = |name: &str, bytes: &[u8], mode| {
            let path = folder.path().join(name);
            std::fs::write(&path, bytes).expect("it can be written");
            let mode = std::fs::Permissions::from_mode(mode);
            std::fs::set_permissions(&path, mode).expect("they can be set");
            path
        };
        for (name, bytes, mode, is_program) in [
            ("elf", &b"\x7fELF\x02\x01"[..], 0o644, true),
            ("windows.exe", b"MZ\x90\x00", 0o644, true),
            ("script", b"#!/bin/sh\n", 0o755, true),
            ("header.epd", b"#! a comment\n", 0o644, false),
            ("from-a-stick.epd", b"8/8/8/8 w - -", 0o777, false),
            ("empty", b"", 0o755, false),
        ] {
            assert_eq!(
                refuse(&write(name, bytes, mode)).is_err(),
                is_program,
                "{name}"
            );
        }
        let error = refuse(Path::new("sh")).expect_err("it is in PATH");
        assert_eq!(
            error.to_string(),
            "sh is a program, expected a file of text; engines are named by --engine"
        );
        assert!(refuse(Path::new("quik")).is_ok());
        assert!(refuse(Path::new("/nonexistent")).is_ok());
    }
}
