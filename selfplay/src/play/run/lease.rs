//! Leases of CPUs, so that two runs of this machine do not choose the same: a locked file for each CPU,
//! in the folder for temporary files. The lock ends with the process, however that ends.

use std::fs::{File, Metadata, OpenOptions};
use std::io::{self, ErrorKind};
use std::path::Path;

/// A CPU that no other run takes as long as this lives.
#[derive(Debug)]
pub(super) struct CpuLease {
    _locked: File,
}

impl CpuLease {
    /// Takes a CPU; `None` if another run has it, or its file cannot be had.
    pub(super) fn take(folder: &Path, cpu: usize) -> Option<Self> {
        let file = open(&folder.join(format!("touchstone-cpu-{cpu}.lock"))).ok()?;
        // In a folder that all may write to, it may be anything of anybody.
        file.metadata().ok().filter(Metadata::is_file)?;
        file.try_lock().ok()?;
        Some(Self { _locked: file })
    }
}

/// Other users may read the file, which is enough to lock it. A new file must be one: in a folder that
/// all may write to, the name could be a link to elsewhere.
fn open(path: &Path) -> io::Result<File> {
    let mut existing = OpenOptions::new();
    existing.read(true);
    // A pipe that nobody writes to would block.
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::custom_flags(
        &mut existing,
        i32::try_from(rustix::fs::OFlags::NONBLOCK.bits()).expect("a flag"),
    );
    match existing.open(path) {
        Err(error) if error.kind() == ErrorKind::NotFound => {
            let mut options = OpenOptions::new();
            match options.write(true).create_new(true).open(path) {
                Ok(file) => {
                    for_all(&file);
                    Ok(file)
                }
                // Another run may have been faster.
                Err(_) => existing.open(path),
            }
        }
        opened => opened,
    }
}

/// Lets all users read a file, whatever this user's files are like else. If that fails, only this user
/// takes the CPU.
fn for_all(file: &File) {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        let _ = file.set_permissions(std::fs::Permissions::from_mode(0o644));
    }
    #[cfg(not(unix))]
    let _ = file;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cpu_has_one_holder_at_a_time() {
        let folder = tempfile::tempdir().expect("a folder");
        let first = CpuLease::take(folder.path(), 3).expect("it is free");
        assert!(CpuLease::take(folder.path(), 3).is_none());
        assert!(CpuLease::take(folder.path(), 4).is_some());
        drop(first);
        assert!(CpuLease::take(folder.path(), 3).is_some());
        assert!(CpuLease::take(Path::new("/nonexistent"), 1).is_none());
        #[cfg(target_os = "linux")]
        {
            use rustix::fs::{CWD, Mode, mkfifoat};
            let pipe = folder.path().join("touchstone-cpu-5.lock");
            mkfifoat(CWD, &pipe, Mode::RUSR | Mode::WUSR).expect("a pipe");
            assert!(
                CpuLease::take(folder.path(), 5).is_none(),
                "it does not block"
            );
        }
    }
}
