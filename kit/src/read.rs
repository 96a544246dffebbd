//! Reads whole files up to a size limit: an endless device results in an error instead of exhausted
//! memory.

use std::fs::File;
use std::io::{self, BufReader, ErrorKind, Read};
use std::path::Path;

/// Maximum size of a settings file, which people write by hand: 1 MiB.
pub const SETTINGS: u64 = 1 << 20;

/// Maximum size of a data file (positions, games, results), in bytes: 256 MiB.
pub const DATA: u64 = 256 << 20;

/// Reads the bytes of a file.
///
/// # Errors
///
/// When it cannot be read; [`ErrorKind::FileTooLarge`] if it has more than `most` bytes.
#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
pub fn file(path: &Path, most: u64) -> io::Result<Vec<u8>> {
    all(File::open(path)?, most)
}

/// Opens a file that is read piece by piece.
///
/// # Errors
///
/// When it cannot be opened. Reading fails as [`file()`] does.
#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
pub fn open(path: &Path, most: u64) -> io::Result<BufReader<impl Read + use<>>> {
    let input = File::open(path)?;
    Ok(BufReader::new(Bounded {
        input,
        left: most,
        most,
    }))
}

/// Reads the text of a file.
///
/// # Errors
///
/// As for [`file()`]; [`ErrorKind::InvalidData`], with the line, if it is not UTF-8.
#[expect(clippy::disallowed_methods, reason = "the edge reads files")]
pub fn text(path: &Path, most: u64) -> io::Result<String> {
    text_of(File::open(path)?, most)
}

/// Reads the text that remains of an input.
///
/// # Errors
///
/// As for [`text`].
pub fn text_of(input: impl Read, most: u64) -> io::Result<String> {
    String::from_utf8(all(input, most)?).map_err(|error| {
        let valid = error.utf8_error().valid_up_to();
        let before = &error.as_bytes()[..valid];
        let line = before.split(|&byte| byte == b'\n').count();
        io::Error::new(ErrorKind::InvalidData, format!("line {line}: not UTF-8"))
    })
}

/// Reads the bytes of standard input.
///
/// # Errors
///
/// As for [`file()`].
pub fn stdin(most: u64) -> io::Result<Vec<u8>> {
    all(io::stdin().lock(), most)
}

/// Reads everything that remains of an input.
///
/// # Errors
///
/// As for [`file()`].
pub fn all(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    let left = most;
    Bounded { input, left, most }.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// An input that fails after `most` bytes, unless it ends there.
struct Bounded<R> {
    input: R,
    left: u64,
    most: u64,
}

impl<R: Read> Read for Bounded<R> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        // One extra byte shows whether the input is longer than allowed.
        let room = usize::try_from(self.left.saturating_add(1)).unwrap_or(usize::MAX);
        let most = buffer.len().min(room);
        let count = self.input.read(&mut buffer[..most])?;
        if let Some(left) = self.left.checked_sub(count as u64) {
            self.left = left;
            return Ok(count);
        }
        let most = size(self.most);
        let text = format!("more than {most}, the most that is read of it");
        Err(io::Error::new(ErrorKind::FileTooLarge, text))
    }
}

/// Whether the file's content is at fault, not the machine.
pub fn is_of_content(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        ErrorKind::FileTooLarge | ErrorKind::InvalidData
    )
}

fn size(bytes: u64) -> String {
    let mebibytes = bytes >> 20;
    if mebibytes << 20 == bytes {
        format!("{mebibytes} MiB")
    } else {
        format!("{bytes} bytes")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn as_much_as_the_bound_is_read_and_no_more() {
        assert_eq!(all(&b"four"[..], 4).expect("not too much"), b"four");
        assert_eq!(all(&b""[..], 0).expect("not too much"), b"");
        let error = all(&b"fives"[..], 4).expect_err("too much");
        assert!(is_of_content(&error));
        let expected = "more than 4 bytes, the most that is read of it";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn input_without_end_is_refused() {
        let error = all(io::repeat(0), SETTINGS).expect_err("too much");
        let expected = "more than 1 MiB, the most that is read of it";
        assert_eq!(error.to_string(), expected);
    }

    #[test]
    fn text_that_is_none_is_refused_with_its_line() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("text");
        crate::output::to_file(&path, b"one\ntwo\nthr\xff".as_slice()).expect("written");
        let error = text(&path, DATA).expect_err("not UTF-8");
        assert_eq!(error.to_string(), "line 3: not UTF-8");
        assert!(is_of_content(&error));
        assert_eq!(file(&path, 12).expect("not too much").len(), 12);
        assert!(file(&path, 11).is_err());
        let missing = file(&folder.path().join("none"), 1).expect_err("not there");
        assert_eq!(missing.kind(), ErrorKind::NotFound);
        assert!(!is_of_content(&missing));
    }
}
