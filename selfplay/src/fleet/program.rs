//! The programs of a job on this machine: found by checksum, or built from a commit.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs::File;
use std::io;
use std::path::{Path, PathBuf};

use kit::Interrupt;
use sha2::{Digest as _, Sha256};

use super::protocol::ProgramId;
use crate::config::BuildDraft;
use crate::config::revision::{self, RevisionError};

/// Where to look for programs.
#[derive(Clone, Debug, Default)]
pub struct Places {
    pub engines: Option<PathBuf>,
    /// The repository that contains the revisions.
    pub repo: Option<PathBuf>,
    pub cache: Option<PathBuf>,
}

/// Why a program is not available here.
#[derive(Debug, thiserror::Error)]
pub enum ProgramError {
    #[error(
        "engine '{engine}' is the program {} with SHA-256 {sum}: {found}",
        path.display()
    )]
    NotHere {
        engine: String,
        /// The path of its executable on the coordinator's machine.
        path: PathBuf,
        /// The required SHA-256.
        sum: String,
        /// What was found at that path here, and in the directory of executables.
        found: String,
    },
    /// The job does not identify the program.
    #[error("engine '{engine}': the job does not say by what its program is known")]
    Unknown { engine: String },
    #[error(
        "engine '{engine}' is revision {commit}: expected --repo DIR, a repository that has it"
    )]
    NoRepository { engine: String, commit: String },
    #[error("engine '{engine}': {source}")]
    Revision {
        engine: String,
        source: Box<RevisionError>,
    },
    /// The directory of executables cannot be read.
    #[error("cannot read {}: {source}", path.display())]
    Folder {
        /// The path of the directory, or of a file in it.
        path: PathBuf,
        source: io::Error,
    },
}

/// The SHA-256 of a file, in hexadecimal.
#[expect(clippy::disallowed_methods, reason = "the edge reads programs")]
pub fn sha256(path: &Path) -> io::Result<String> {
    let mut file = File::open(path)?;
    let mut hasher = Sha256::new();
    let mut block = vec![0; 1 << 16];
    loop {
        match io::Read::read(&mut file, &mut block) {
            Ok(0) => break,
            Ok(length) => hasher.update(&block[..length]),
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

/// Finds the programs of jobs; checksums are cached.
#[derive(Debug)]
pub struct Programs {
    places: Places,
    sums: RefCell<BTreeMap<PathBuf, String>>,
}

impl Programs {
    pub const fn new(places: Places) -> Self {
        let sums = RefCell::new(BTreeMap::new());
        Self { places, sums }
    }

    /// Finds the program of an engine. `path` is its path on the coordinator's machine.
    pub fn find(
        &self,
        engine: &str,
        path: &Path,
        id: Option<&ProgramId>,
        interrupt: &Interrupt,
        say: &dyn Fn(&str),
    ) -> Result<PathBuf, ProgramError> {
        let engine = engine.to_owned();
        match id {
            // Workers of a lab build commits before they play (`fleet worker`).
            None | Some(ProgramId::Repository { .. }) => Err(ProgramError::Unknown { engine }),
            Some(ProgramId::Sha256(sum)) => self.of_sum(engine, path, sum),
            Some(ProgramId::Revision(built)) => {
                let Some(repo) = self.places.repo.clone() else {
                    let commit = built.commit.clone();
                    return Err(ProgramError::NoRepository { engine, commit });
                };
                let draft = BuildDraft {
                    repo: Some(repo),
                    command: Some(built.build.clone()),
                    artifact: Some(built.artifact.clone()),
                    cache: None,
                };
                let cache = self.places.cache.as_deref();
                revision::resolve(&built.commit, &draft)
                    .and_then(|own| revision::program(&own, cache, interrupt, say))
                    .map_err(|source| ProgramError::Revision {
                        engine,
                        source: Box::new(source),
                    })
            }
        }
    }

    fn of_sum(&self, engine: String, path: &Path, sum: &str) -> Result<PathBuf, ProgramError> {
        let here = match self.sum(path) {
            Ok(found) if found == sum => return Ok(path.to_owned()),
            Ok(found) => format!("here it has {found}"),
            Err(error) if error.kind() == io::ErrorKind::NotFound => "it is not here".to_owned(),
            Err(error) => format!("here it cannot be read: {error}"),
        };
        let folder = match &self.places.engines {
            None => "expected --engines DIR, a folder that has it".to_owned(),
            Some(folder) => match self.search(folder, sum)? {
                Some(found) => return Ok(found),
                None => format!("no program in {} has it", folder.display()),
            },
        };
        Err(ProgramError::NotHere {
            engine,
            path: path.to_owned(),
            sum: sum.to_owned(),
            found: format!("{here}; {folder}"),
        })
    }

    /// Finds a file with this checksum in the directory.
    fn search(&self, folder: &Path, sum: &str) -> Result<Option<PathBuf>, ProgramError> {
        let failed = |path: &Path| {
            let path = path.to_owned();
            |source| ProgramError::Folder { path, source }
        };
        let entries = folder.read_dir().map_err(failed(folder))?;
        let mut files = Vec::new();
        for entry in entries {
            let path = entry.map_err(failed(folder))?.path();
            if path.is_file() {
                files.push(std::path::absolute(&path).unwrap_or(path));
            }
        }
        files.sort_unstable();
        for file in files {
            if self.sum(&file).map_err(failed(&file))? == sum {
                return Ok(Some(file));
            }
        }
        Ok(None)
    }

    fn sum(&self, path: &Path) -> io::Result<String> {
        if let Some(sum) = self.sums.borrow().get(path) {
            return Ok(sum.clone());
        }
        let sum = sha256(path)?;
        self.sums.borrow_mut().insert(path.to_owned(), sum.clone());
        Ok(sum)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// FIPS 180-4's example "abc".
    const ABC: &str = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

    #[test]
    #[expect(clippy::disallowed_methods, reason = "files are made")]
    fn programs_are_known_by_their_sums() {
        let folder = tempfile::tempdir().expect("a folder");
        let [one, other] = ["one", "other"].map(|name| folder.path().join(name));
        std::fs::write(&one, "abd").expect("new");
        std::fs::write(&other, "abc").expect("new");
        assert_eq!(sha256(&other).expect("there"), ABC);
        let find = |engines: Option<&Path>, path: &Path| {
            let programs = Programs::new(Places {
                engines: engines.map(Path::to_owned),
                ..Places::default()
            });
            let id = ProgramId::Sha256(ABC.to_owned());
            let found = programs.find("new", path, Some(&id), &Interrupt::default(), &|_| {});
            found.map_err(|error| error.to_string())
        };
        assert_eq!(find(None, &other), Ok(other.clone()));
        assert_eq!(find(Some(folder.path()), &one), Ok(other.clone()));
        let [shown, here, there] = [folder.path(), &one, &other].map(Path::display);
        let sum = sha256(&one).expect("there");
        assert_eq!(
            find(None, &one),
            Err(format!(
                "engine 'new' is the program {here} with SHA-256 {ABC}: here it has {sum}; expected --engines DIR, a \
                 folder that has it"
            ))
        );
        std::fs::remove_file(&other).expect("ours");
        assert_eq!(
            find(Some(folder.path()), &other),
            Err(format!(
                "engine 'new' is the program {there} with SHA-256 {ABC}: it is not here; no program in {shown} has it"
            ))
        );
    }

    #[test]
    fn a_revision_needs_a_repository() {
        let built = crate::model::BuiltRevision {
            reference: "HEAD".to_owned(),
            commit: "0123abc".to_owned(),
            repository: PathBuf::from("/elsewhere"),
            build: "make".to_owned(),
            artifact: PathBuf::from("engine"),
            dirty: false,
        };
        let programs = Programs::new(Places::default());
        let id = ProgramId::Revision(built);
        let found = programs.find(
            "new",
            Path::new("/x"),
            Some(&id),
            &Interrupt::default(),
            &|_| {},
        );
        assert_eq!(
            found.expect_err("there is none").to_string(),
            "engine 'new' is revision 0123abc: expected --repo DIR, a repository that has it"
        );
    }
}
