//! The programs of a run's engines: whether a process is started from the file with which the run
//! began. A build during a run replaces it. And what has been proved of a program, in a file of the
//! user's cache.

use std::collections::BTreeMap;
use std::fmt;
use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use flate2::CrcReader;
use sha2::{Digest as _, Sha256};

use crate::model::{EngineConfig, EngineId, EngineIndex};
use crate::play::ledger::UtcTime;

/// Length and CRC-32 of a program, `LENGTH-CRC`; `unreadable` if it may only be executed.
#[expect(clippy::disallowed_methods, reason = "the edge reads programs")]
pub fn fingerprint(path: &Path) -> io::Result<String> {
    let file = match File::open(path) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            // Unix can execute files that may not be read.
            return Ok("unreadable".to_owned());
        }
        opened => opened?,
    };
    let mut input = CrcReader::new(BufReader::with_capacity(1 << 16, file));
    let length = io::copy(&mut input, &mut io::sink())?;
    Ok(format!("{length}-{:08x}", input.crc().sum()))
}

/// What all players of a run share: the programs and names with which it began.
#[derive(Clone, Debug, Default)]
pub struct RunPrograms(Arc<SharedPrograms>);

#[derive(Debug, Default)]
struct SharedPrograms {
    allow_changes: bool,
    known: Mutex<BTreeMap<PathBuf, KnownProgram>>,
    ids: Mutex<BTreeMap<EngineIndex, EngineId>>,
    /// The file of what is proved, if there is one.
    proofs: Option<PathBuf>,
}

/// Name of the file of what is proved, in the user's cache.
const PROOFS: &str = "proved-engines";
/// Most lines of that file; the oldest go first.
const MOST_PROOFS: usize = 1000;

#[derive(Clone, Debug)]
struct KnownProgram {
    /// The fingerprint with which the run began.
    first: String,
    /// The last fingerprint, and the file of which it is.
    last: Option<(FileStamp, String)>,
}

/// What changes with the content of a file, and costs nothing to read.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct FileStamp {
    length: u64,
    modified: Option<SystemTime>,
    /// The number of the file in its file system, 0 where there is none.
    number: u64,
}

impl FileStamp {
    fn from_path(path: &Path) -> io::Result<Self> {
        let data = path.metadata()?;
        Ok(Self {
            length: data.len(),
            modified: data.modified().ok(),
            #[cfg(unix)]
            number: std::os::unix::fs::MetadataExt::ino(&data),
            #[cfg(not(unix))]
            number: 0,
        })
    }
}

/// A program as it is.
pub(super) struct ProgramState {
    pub(super) first: String,
    /// `None` if it is gone.
    pub(super) now: Option<String>,
    pub(super) modified: Option<SystemTime>,
}

impl RunPrograms {
    /// The programs of a run by the fingerprints with which it began, by engine name, and what those
    /// that have played said of themselves last. With `allow_changes` other programs are allowed too.
    /// What is proved of them is kept in the folder `cache`, if there is one.
    pub fn new(
        engines: &[EngineConfig],
        fingerprints: &BTreeMap<String, String>,
        ids: BTreeMap<EngineIndex, EngineId>,
        allow_changes: bool,
        cache: Option<&Path>,
    ) -> Self {
        let known = engines.iter().filter_map(|engine| {
            let first = fingerprints.get(&engine.name)?.clone();
            let known = KnownProgram { first, last: None };
            Some((engine.command.program.clone(), known))
        });
        Self(Arc::new(SharedPrograms {
            allow_changes,
            known: Mutex::new(known.collect()),
            ids: Mutex::new(ids),
            proofs: cache.map(|folder| folder.join(PROOFS)),
        }))
    }

    pub(super) fn allow_changes(&self) -> bool {
        self.0.allow_changes
    }

    /// Looks at a program; what is seen first is what the run began with, if nothing else is known.
    /// `None` if there is nothing to compare it with.
    pub(super) fn look(&self, path: &Path) -> Option<ProgramState> {
        let mut all = lock(&self.0.known);
        let old = all.get(path);
        let stamp = FileStamp::from_path(path).ok();
        let now = match (stamp, old.and_then(|old| old.last.as_ref())) {
            // Programs can be large, and are looked at before each start.
            (Some(stamp), Some((last, sum))) if stamp == *last => Some(sum.clone()),
            (Some(_), _) => fingerprint(path).ok(),
            (None, _) => None,
        };
        let first = old.map(|old| old.first.clone()).or_else(|| now.clone())?;
        let known = KnownProgram {
            first: first.clone(),
            last: stamp.zip(now.clone()),
        };
        all.insert(path.to_owned(), known);
        Some(ProgramState {
            first,
            now,
            modified: stamp.and_then(|stamp| stamp.modified),
        })
    }

    /// What the last process of an engine has said of itself, before this one; nothing if there was none.
    pub(super) fn replace_id(&self, engine: EngineIndex, id: EngineId) -> Option<EngineId> {
        lock(&self.0.ids).insert(engine, id)
    }

    /// The line by which the proof of `what` for this engine is kept: from the content of its program
    /// and of the files among its arguments, and from all that it is given. `None` if it cannot be
    /// known which program runs: a script starts any.
    pub(super) fn proof(&self, engine: &EngineConfig, what: &[String]) -> Option<String> {
        self.0.proofs.as_ref()?;
        let command = &engine.command;
        if is_script(&command.program) {
            return None;
        }
        let program = self.look(&command.program)?.now?;
        let folder = command.directory.as_deref().unwrap_or(Path::new(""));
        let arguments = command.arguments.iter();
        let files: Vec<_> = arguments
            .map(|argument| Some(self.look(&folder.join(argument))?.now))
            .collect();
        let all = serde_json::json!([
            // Another version may try other limits, or judge them otherwise.
            env!("CARGO_PKG_VERSION"),
            program,
            files,
            command.arguments,
            command.environment,
            engine.startup,
            engine.options,
            engine.protocol,
            engine.limits.send_stop,
            what,
        ]);
        Some(BASE64_STANDARD.encode(Sha256::digest(all.to_string())))
    }

    /// Whether a proof is kept. Of a damaged file, the lines that are whole count.
    pub(super) fn is_proved(&self, proof: &str) -> bool {
        self.proofs().lines().any(|line| line == proof)
    }

    /// Keeps a proof. If that fails, it is only proved once more.
    pub(super) fn keep(&self, proof: &str) {
        let (Some(path), false) = (&self.0.proofs, self.is_proved(proof)) else {
            return;
        };
        let old = self.proofs();
        let lines: Vec<&str> = old.lines().chain([proof]).collect();
        let kept = &lines[lines.len().saturating_sub(MOST_PROOFS)..];
        if let Some(folder) = path.parent() {
            let _ = std::fs::create_dir_all(folder);
        }
        let _ = kit::output::to_file(path, kept.join("\n") + "\n");
    }

    fn proofs(&self) -> String {
        let path = self.0.proofs.as_ref();
        let text = path.and_then(|path| kit::read::text(path, kit::read::SETTINGS).ok());
        text.unwrap_or_default()
    }
}

/// Whether a program is a script, which may start any other one; true if it cannot be read.
#[expect(clippy::disallowed_methods, reason = "the edge reads programs")]
fn is_script(program: &Path) -> bool {
    let mut start = [0; 2];
    let read = File::open(program).and_then(|mut file| file.read_exact(&mut start));
    read.is_err() || start == *b"#!"
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// A program that is not the one with which the run began.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ChangedProgram {
    pub path: PathBuf,
    /// Its fingerprint before.
    pub before: String,
    /// Its fingerprint now; `None` if it is gone.
    pub now: Option<String>,
    /// When the file was written that is there now.
    pub modified: Option<SystemTime>,
}

impl fmt::Display for ChangedProgram {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (path, before) = (self.path.display(), &self.before);
        let Some(now) = &self.now else {
            return write!(f, "its program {path} ({before}) is gone");
        };
        write!(f, "its program {path} has changed from {before} to {now}")?;
        let since_1970 = self
            .modified
            .and_then(|at| at.duration_since(UNIX_EPOCH).ok());
        let Some(ms) = since_1970.and_then(|time| u64::try_from(time.as_millis()).ok()) else {
            return Ok(());
        };
        let at = UtcTime::of_milliseconds(ms);
        write!(f, ", written {} {} UTC", at.date(), at.time())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_program_is_compared_with_the_first() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("engine");
        let programs = RunPrograms::default();
        let look = || programs.look(&path).map(|one| (one.first, one.now));
        assert_eq!(look(), None);
        let write = |text: &str| kit::output::to_file(&path, text).expect("ours");
        write("one");
        let first = "3-7a6c86f1".to_owned();
        assert_eq!(look(), Some((first.clone(), Some(first.clone()))));
        write("two!");
        let other = fingerprint(&path).expect("there");
        assert_ne!(other, first);
        assert_eq!(look(), Some((first.clone(), Some(other))));
        // The same content in another file is the same program.
        write("one");
        assert_eq!(look(), Some((first.clone(), Some(first.clone()))));
        std::fs::remove_file(&path).expect("ours");
        assert_eq!(look(), Some((first, None)));
    }

    #[test]
    fn a_change_says_what_and_when() {
        let mut change = ChangedProgram {
            path: "/a/engine".into(),
            before: "1-00000001".to_owned(),
            now: Some("2-00000002".to_owned()),
            modified: UNIX_EPOCH.checked_add(std::time::Duration::from_secs(1_234_567_890)),
        };
        let what = "its program /a/engine has changed from 1-00000001 to 2-00000002";
        let expected = format!("{what}, written 2009.02.13 23:31:30 UTC");
        assert_eq!(change.to_string(), expected);
        change.modified = None;
        assert_eq!(change.to_string(), what);
        change.now = None;
        let expected = "its program /a/engine (1-00000001) is gone";
        assert_eq!(change.to_string(), expected);
    }
}
