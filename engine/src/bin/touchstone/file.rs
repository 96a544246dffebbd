//! Size-limited reading of files named by the user.

use std::fs::File;
use std::io::{self, ErrorKind, Read};

/// Reads a regular file of at most `most` bytes.
///
/// # Errors
///
/// If it cannot be read, is a folder, a pipe or a device, which might be endless, or is too long.
#[expect(clippy::disallowed_methods, reason = "the user names the file")]
pub(crate) fn read(path: &str, most: u64) -> io::Result<Vec<u8>> {
    if !std::fs::metadata(path)?.is_file() {
        return Err(io::Error::other("it is not a regular file"));
    }
    up_to(File::open(path)?, most)
}

fn up_to(input: impl Read, most: u64) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    // One byte more distinguishes a file of exactly that length from a longer one.
    input.take(most + 1).read_to_end(&mut bytes)?;
    if bytes.len() as u64 > most {
        let text = format!("it has more than {most} bytes, the most that are read of it");
        return Err(io::Error::new(ErrorKind::FileTooLarge, text));
    }
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_no_end_is_refused() {
        let error = up_to(io::repeat(0), 1 << 10).expect_err("too much");
        let expected = "it has more than 1024 bytes, the most that are read of it";
        assert_eq!(error.to_string(), expected);
        let whole = up_to(io::repeat(0).take(32), 32);
        assert_eq!(whole.expect("within the bound").len(), 32);
    }

    #[test]
    fn what_is_no_file_is_refused() {
        for (path, fault) in [
            (env!("CARGO_MANIFEST_DIR"), "it is not a regular file"),
            ("/nowhere/at.all", "No such file or directory (os error 2)"),
        ] {
            let error = read(path, 1).expect_err(path);
            assert_eq!(error.to_string(), fault);
        }
    }
}
