//! Files that one process writes and others may read.

use std::fs::{File, OpenOptions};
use std::io;
use std::path::Path;

/// Opens a file for writing that no other process writes by this function; `None` if one does. Others
/// may read it. The system ends this however the process ends.
///
/// On Unix, the file is locked. Windows' locks would keep readers away too, so there the file is
/// opened such that only readers may join.
///
/// # Errors
///
/// When it cannot be opened. That it cannot be locked is no error: some file systems have no locks.
pub fn open_exclusively(options: &mut OpenOptions, path: &Path) -> io::Result<Option<File>> {
    #[cfg(windows)]
    {
        use std::os::windows::fs::OpenOptionsExt as _;
        const FILE_SHARE_READ: u32 = 1;
        const ERROR_SHARING_VIOLATION: i32 = 32;
        match options.share_mode(FILE_SHARE_READ).open(path) {
            Ok(file) => Ok(Some(file)),
            Err(error) if error.raw_os_error() == Some(ERROR_SHARING_VIOLATION) => Ok(None),
            Err(error) => Err(error),
        }
    }
    #[cfg(not(windows))]
    {
        let file = options.open(path)?;
        match file.try_lock() {
            Err(std::fs::TryLockError::WouldBlock) => Ok(None),
            Ok(()) | Err(std::fs::TryLockError::Error(_)) => Ok(Some(file)),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Write as _;

    use super::*;

    #[test]
    fn there_is_one_writer_and_everybody_may_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("journal");
        let open = || {
            let mut options = File::options();
            options.read(true).write(true).create(true).truncate(false);
            open_exclusively(&mut options, &path).expect("it can be opened")
        };
        let mut first = open().expect("nobody else has it");
        first.write_all(b"text").expect("written");
        assert!(open().is_none());
        assert_eq!(crate::read::text(&path, 10).expect("read"), "text");
        drop(first);
        assert!(open().is_some());
    }
}
