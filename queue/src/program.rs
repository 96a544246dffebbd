//! The programs that jobs name, and finding them on a worker's machine. An edge: it reads files.

use std::collections::BTreeMap;
use std::ffi::OsStr;
use std::fmt::Write as _;
use std::fs::File;
use std::io::{self, Read as _};
use std::path::{Path, PathBuf};
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::work::CannotRun;

/// How an engine is built from its source: `touchstone.toml` of a repository, or what a lab has in
/// its place.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Recipe {
    /// The command that downloads what the build needs, the only one with a network; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub fetch: String,
    /// The build command.
    pub build: String,
    /// The executable that it makes, relative to the root of the repository.
    pub artefact: String,
    /// The arguments of the executable that print its bench, such as `bench`; may be empty.
    #[serde(skip_serializing_if = "String::is_empty")]
    pub bench: String,
}

/// A commit of a repository that is registered and approved at a lab.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Source {
    /// The name of the repository at the lab.
    pub name: String,
    /// Where it is fetched from.
    pub url: String,
    /// The full commit hash.
    pub commit: String,
    /// How it is built.
    pub recipe: Recipe,
    /// The nodes that the bench command must print for this commit; `None` if nobody gave them.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub bench: Option<u64>,
}

/// What a job says of a program.
#[derive(Clone, Copy, Debug)]
pub enum WantedProgram<'a> {
    /// An executable with this SHA-256, in hexadecimal, and its path on the machine that posted the
    /// job.
    Sha256 {
        /// The path there.
        path: &'a Path,
        /// The checksum.
        sum: &'a str,
    },
    /// An executable that each worker builds.
    Source(&'a Source),
}

/// How a program is started here.
#[derive(Clone, Debug)]
pub struct FoundProgram {
    /// The executable: the program, or what confines it.
    pub program: PathBuf,
    /// Arguments before those of the job.
    pub arguments: Vec<String>,
    /// As long as a copy of this exists, the program stays where it is.
    pub keep: Arc<()>,
}

/// The size of an engine's hash table that nobody has set, in MiB: the most common default.
pub const DEFAULT_HASH_MIB: u64 = 16;

/// Finds or makes the programs of jobs.
pub trait Programs: Sync {
    /// Finds the program of an engine, which may take as long as a build; returns soon once `stop`
    /// is set. `hash_mib` is the size of its hash table, by which its memory may be limited.
    ///
    /// # Errors
    /// It is not here, it cannot be built, or it is not what it should be.
    fn find(
        &self,
        engine: &str,
        wanted: WantedProgram<'_>,
        hash_mib: u64,
        stop: &Arc<AtomicBool>,
    ) -> Result<FoundProgram, CannotRun>;
}

/// Whether a job may set this environment variable for a program: none that changes which code is
/// loaded or started.
pub fn is_harmless(name: &OsStr) -> bool {
    let name = name.to_string_lossy().to_ascii_uppercase();
    // `LD_`, `DYLD_` and `GLIBC_` steer the loader, and git runs what variables in `GIT_` name.
    let loads = ["LD_", "DYLD_", "GLIBC_", "MALLOC_", "GIT_", "FLEET_"];
    let starts = [
        "PATH",
        "ENV",
        "BASH_ENV",
        "SHELLOPTS",
        "IFS",
        "HOME",
        "GCONV_PATH",
        "LOCPATH",
    ];
    !loads.iter().any(|prefix| name.starts_with(prefix)) && !starts.contains(&&*name)
}

/// Number of checksums that are remembered.
const KEPT: usize = 4096;
/// The largest program that is looked at, in bytes.
const LARGEST: u64 = 4 << 30;

/// The programs in a folder, known by their SHA-256 whatever their names. Nothing else on the
/// machine is started: a job could name a shell as well.
#[derive(Debug, Default)]
pub struct Folder {
    path: Option<PathBuf>,
    /// By path, with the length and the time of the last change.
    sums: Mutex<BTreeMap<PathBuf, (Stamp, String)>>,
}

type Stamp = (u64, Option<SystemTime>);

impl Folder {
    /// The programs in this folder; none without one.
    pub fn new(path: Option<PathBuf>) -> Self {
        let sums = Mutex::default();
        Self { path, sums }
    }

    /// The file with this checksum.
    ///
    /// # Errors
    /// The folder cannot be read.
    fn search(&self, folder: &Path, sum: &str) -> io::Result<Option<PathBuf>> {
        let mut files = Vec::new();
        for entry in folder.read_dir()? {
            let path = entry?.path();
            if path.is_file() {
                files.push(std::path::absolute(&path).unwrap_or(path));
            }
        }
        // Of two copies of a program, the same one is started each time.
        files.sort_unstable();
        // A file that cannot be read is not the program.
        let found = files
            .into_iter()
            .find(|file| self.sum(file).is_ok_and(|found| found == sum));
        Ok(found)
    }

    fn sum(&self, path: &Path) -> io::Result<String> {
        let about = path.metadata()?;
        if about.len() > LARGEST {
            return Err(io::Error::other("it is too large for a program"));
        }
        // Hashing all engines of a folder for each lease would take seconds.
        let stamp = (about.len(), about.modified().ok());
        let mut sums = self.sums.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((of, sum)) = sums.get(path)
            && *of == stamp
        {
            return Ok(sum.clone());
        }
        let sum = sha256(path)?;
        if sums.len() >= KEPT {
            sums.clear();
        }
        sums.insert(path.to_owned(), (stamp, sum.clone()));
        Ok(sum)
    }
}

impl Programs for Folder {
    fn find(
        &self,
        engine: &str,
        wanted: WantedProgram<'_>,
        _hash_mib: u64,
        _stop: &Arc<AtomicBool>,
    ) -> Result<FoundProgram, CannotRun> {
        let (path, sum) = match wanted {
            WantedProgram::Sha256 { path, sum } => (path, sum),
            WantedProgram::Source(source) => {
                return Err(CannotRun(format!(
                    "engine '{engine}' is commit {} of {}: this worker builds nothing",
                    source.commit, source.name
                )));
            }
        };
        let wanted = format!(
            "engine '{engine}' is the program {} with SHA-256 {sum}",
            path.display()
        );
        let Some(folder) = &self.path else {
            let expected = "expected --engines DIR, a folder that has it";
            return Err(CannotRun(format!("{wanted}: {expected}")));
        };
        let shown = folder.display();
        match self.search(folder, sum) {
            Ok(Some(program)) => Ok(FoundProgram {
                program,
                arguments: Vec::new(),
                keep: Arc::default(),
            }),
            Ok(None) => Err(CannotRun(format!("{wanted}: no program in {shown} has it"))),
            Err(error) => Err(CannotRun(format!("{wanted}: cannot read {shown}: {error}"))),
        }
    }
}

/// The SHA-256 of a file, in hexadecimal.
///
/// # Errors
/// It cannot be read.
#[expect(clippy::disallowed_methods, reason = "the edge reads programs")]
pub fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match file.read(&mut block) {
            Ok(0) => break,
            Ok(length) => hasher.update(&block[..length]),
            // A signal may interrupt a read, which is then repeated.
            Err(error) if error.kind() == io::ErrorKind::Interrupted => {}
            Err(error) => return Err(error),
        }
    }
    let mut text = String::with_capacity(64);
    for byte in hasher.finalize() {
        write!(text, "{byte:02x}").expect("a text takes any text");
    }
    Ok(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-4's example "abc".
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    fn jobs_may_not_choose_what_is_loaded() {
        for name in ["LD_PRELOAD", "ld_library_path", "PATH", "FLEET_TOKEN"] {
            assert!(!is_harmless(name.as_ref()), "{name}");
        }
        assert!(is_harmless("OMP_NUM_THREADS".as_ref()));
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "files are made")]
    fn programs_are_known_by_their_sums() {
        let folder = tempfile::tempdir().expect("a folder");
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        std::fs::write(&one, "abd").expect("new");
        std::fs::write(&other, "abc").expect("new");
        assert_eq!(sha256(&other).expect("there"), ABC);
        let programs = Folder::new(Some(folder.path().to_owned()));
        let find = |programs: &Folder| {
            let path = Path::new("/there/engine");
            let wanted = WantedProgram::Sha256 { path, sum: ABC };
            let found = programs.find("new", wanted, DEFAULT_HASH_MIB, &Arc::default());
            found.map(|found| found.program).map_err(|error| error.0)
        };
        assert_eq!(find(&programs), Ok(other.clone()));
        std::fs::write(&other, "abcd").expect("ours");
        let wanted = format!("engine 'new' is the program /there/engine with SHA-256 {ABC}");
        let shown = folder.path().display();
        assert_eq!(
            find(&programs),
            Err(format!("{wanted}: no program in {shown} has it"))
        );
        assert_eq!(
            find(&Folder::default()),
            Err(format!(
                "{wanted}: expected --engines DIR, a folder that has it"
            ))
        );
        let none = find(&Folder::new(Some(one)));
        assert!(none.is_err_and(|error| error.contains(": cannot read ")));
    }
}
