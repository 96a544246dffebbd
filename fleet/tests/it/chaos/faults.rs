//! Faults of the system for the programs of a lab: disks that are full, clocks that are wrong.

use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use crate::common;

/// The library that makes the faults, which `faults.c` describes, and the disks that are full.
pub(crate) struct Faults {
    folder: TempDir,
}

impl Faults {
    pub(crate) fn new() -> Self {
        let folder = TempDir::new().expect("a folder");
        // PostgreSQL runs as a user of its own.
        let readable = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(folder.path(), readable).expect("our folder");
        let faults = Self { folder };
        let source = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/it/chaos/faults.c");
        let library = faults.library();
        let library = library.to_str().expect("a temporary folder");
        // Rust links with it, so that it is there.
        let arguments = ["-shared", "-fPIC", "-O1", "-o", library, source];
        common::run("cc", &arguments, faults.folder.path());
        faults
    }

    fn library(&self) -> PathBuf {
        self.folder.path().join("faults.so")
    }

    /// A disk: all files, or those below a folder.
    pub(crate) fn disk(&self, name: &str, below: Option<&Path>) -> Disk {
        let full = self.folder.path().join(name);
        let mut environment = vec![("LD_PRELOAD", self.library()), ("CHAOS_FULL", full.clone())];
        environment.extend(below.map(|folder| ("CHAOS_DISK", folder.to_owned())));
        Disk { environment, full }
    }

    /// For a program whose clock is ahead by so many seconds.
    pub(crate) fn clock(&self, ahead: i32) -> Vec<(&'static str, PathBuf)> {
        let ahead = PathBuf::from(ahead.to_string());
        vec![("LD_PRELOAD", self.library()), ("CHAOS_CLOCK", ahead)]
    }
}

/// A disk that can be full.
pub(crate) struct Disk {
    /// For the programs whose disk it is.
    pub(crate) environment: Vec<(&'static str, PathBuf)>,
    /// It is full while this file exists.
    full: PathBuf,
}

impl Disk {
    pub(crate) fn fill(&self) {
        std::fs::write(&self.full, "").expect("our folder");
    }

    pub(crate) fn free(&self) {
        std::fs::remove_file(&self.full).expect("it was full");
    }
}
