//! Engines made from their source, each once: a cache by commit and recipe.
//!
//! Below the cache: `repositories/SUM.git`, mirrors; `engines/COMMIT-SUM/`, finished builds, each
//! with its artefact and `build.json`, whole or absent; `work/`, builds under way; `locks/`; `logs/`,
//! the last log of each build. When all finished builds together are too large, those not used for
//! the longest time are deleted, except those in use.
#![expect(clippy::disallowed_methods, reason = "the edge keeps files")]

use std::collections::BTreeMap;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError, Weak};
use std::time::{Duration, SystemTime};

use epd::bench::signature::{Stated, from_message};
use queue::program::{DEFAULT_HASH_MIB, Recipe, Source};
use selfplay::config::revision::{lock, tail};
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use uci::{Cancel, CommandLine};

use super::fetch::{FetchError, Mirror};
use super::proxy::FetchProxy;
use super::sandbox::{BuildFolders, Sandbox};
use super::step::{StepError, StepLimits, clear, measure};
use crate::recipe;

/// Time for the bench of an engine.
const BENCH: Duration = Duration::from_mins(10);
/// The record of a finished build.
const RECORD: &str = "build.json";
/// The largest record, in bytes.
const LARGEST_RECORD: u64 = 1 << 16;

/// Builds, and the cache that keeps them.
#[derive(Debug)]
pub(super) struct Builds {
    settings: BuildSettings,
    /// Builds that are in use, by their names.
    kept: Mutex<BTreeMap<String, Weak<()>>>,
    /// Keeps other workers out of the cache.
    _lock: fs::File,
}

/// How and where engines are built.
#[derive(Clone, Debug)]
pub(super) struct BuildSettings {
    pub(super) cache: PathBuf,
    /// The largest size of all finished builds, in bytes.
    pub(super) most: u64,
    pub(super) sandbox: Sandbox,
    pub(super) limits: StepLimits,
    /// Whether repositories may be folders of this machine, for tests.
    pub(super) local: bool,
    /// Hosts of this machine's networks that builds may fetch from.
    pub(super) fetch_from: Vec<String>,
}

/// A finished build.
#[derive(Clone, Debug)]
pub(super) struct Built {
    /// The executable.
    pub(super) program: PathBuf,
    /// The nodes of its bench, if the recipe has one.
    pub(super) nodes: Option<u64>,
    /// The nodes that the message of its commit states.
    pub(super) stated: Option<u64>,
    /// As long as it exists, the build is not deleted.
    pub(super) keep: Arc<()>,
}

#[derive(Debug, Serialize, Deserialize)]
struct BuildRecord {
    repository: String,
    url: String,
    commit: String,
    recipe: Recipe,
    /// The file name of the executable.
    program: String,
    nodes: Option<u64>,
    stated: Option<u64>,
}

/// Why an engine cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum BuildError {
    #[error(transparent)]
    Fetch(#[from] FetchError),
    #[error("the recipe's {0}")]
    Recipe(#[from] recipe::RecipeFault),
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("the {what} failed: {error}\n{tail}")]
    Step {
        what: &'static str,
        error: StepError,
        /// The last lines of the log.
        tail: String,
    },
    #[error("the build made no {0}")]
    NoArtefact(String),
    #[error("its bench '{bench}' failed: {reason}")]
    Bench { bench: String, reason: String },
    #[error("its bench is {found}, but {expected} is expected for this commit{origin}")]
    OtherBench {
        found: u64,
        expected: u64,
        /// Who expects it.
        origin: &'static str,
    },
    #[error("the cache {} is used by another worker: expected another --cache", .0.display())]
    InUse(PathBuf),
    #[error("stopped")]
    Stopped,
}

fn at(path: &Path) -> impl Fn(io::Error) -> BuildError + use<> {
    let path = path.to_owned();
    move |source| BuildError::Io {
        path: path.clone(),
        source,
    }
}

impl Builds {
    /// Opens the cache, and deletes what earlier processes left unfinished.
    ///
    /// # Errors
    /// Its folders cannot be made.
    pub(super) fn open(settings: BuildSettings) -> Result<Self, BuildError> {
        for name in ["repositories", "engines", "work", "locks", "logs"] {
            let folder = settings.cache.join(name);
            fs::create_dir_all(&folder).map_err(at(&folder))?;
        }
        let path = settings.cache.join("locks").join("worker.lock");
        // The lock comes before the deletions: the work of another worker that is still building
        // looks like what a dead one left.
        let lock = lock(&path, || true, || {}).map_err(at(&path))?;
        let Some(lock) = lock else {
            return Err(BuildError::InUse(settings.cache));
        };
        let work = settings.cache.join("work");
        for entry in work.read_dir().map_err(at(&work))?.flatten() {
            // What cannot be deleted only takes room.
            let _ = clear(&entry.path());
        }
        Ok(Self {
            settings,
            kept: Mutex::default(),
            _lock: lock,
        })
    }

    pub(super) fn sandbox(&self) -> &Sandbox {
        &self.settings.sandbox
    }

    /// The engine of a source, built now or earlier; its bench agrees with what is expected.
    ///
    /// # Errors
    /// It cannot be fetched or built, or its bench differs.
    pub(super) fn get(
        &self,
        source: &Source,
        stop: &Arc<AtomicBool>,
        report: &dyn Fn(&str),
    ) -> Result<Built, BuildError> {
        let name = name_of(source);
        // The build counts as in use before its lock is taken: another lane may evict at any
        // moment, and does not take this lock.
        let keep = self.keep(&name);
        let folder = self.folder("engines").join(&name);
        let path = self.folder("locks").join(format!("{name}.lock"));
        let wait = || report(&format!("waiting for another build of {}", source.commit));
        let is_given_up = || stop.load(Ordering::Relaxed);
        let Some(_lock) = lock(&path, is_given_up, wait).map_err(at(&path))? else {
            return Err(BuildError::Stopped);
        };
        let record = match read(&folder) {
            Some(record) => record,
            None => self.make(source, &name, stop, report)?,
        };
        touch(&folder);
        // Both the author and the commit may say what to expect. They are compared at each use: a finished
        // build serves tests that expect different numbers.
        for (expected, origin) in [(source.bench, ""), (record.stated, " by its message")] {
            if let (Some(found), Some(expected)) = (record.nodes, expected)
                && found != expected
            {
                return Err(BuildError::OtherBench {
                    found,
                    expected,
                    origin,
                });
            }
        }
        Ok(Built {
            program: folder.join(&record.program),
            nodes: record.nodes,
            stated: record.stated,
            keep,
        })
    }

    fn folder(&self, name: &str) -> PathBuf {
        self.settings.cache.join(name)
    }

    fn keep(&self, name: &str) -> Arc<()> {
        let mut kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.retain(|_, one| one.strong_count() > 0);
        if let Some(keep) = kept.get(name).and_then(Weak::upgrade) {
            return keep;
        }
        let keep = Arc::new(());
        kept.insert(name.to_owned(), Arc::downgrade(&keep));
        keep
    }

    /// Builds an engine in a folder of its own, and moves what it made into the cache.
    fn make(
        &self,
        source: &Source,
        name: &str,
        stop: &Arc<AtomicBool>,
        report: &dyn Fn(&str),
    ) -> Result<BuildRecord, BuildError> {
        let log = self.folder("logs").join(format!("{name}.log"));
        report(&format!(
            "building commit {} of {}, log in {}",
            source.commit,
            source.name,
            log.display()
        ));
        // Steps append to the log, which would otherwise begin with that of an earlier attempt.
        match fs::remove_file(&log) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(at(&log)(error)),
            _ => {}
        }
        let work = self.folder("work");
        let work = WorkFolder::new("build-", &work).map_err(at(&work))?;
        let (tree, home) = (work.0.join("source"), work.0.join("home"));
        for folder in [&tree, &home] {
            fs::create_dir(folder).map_err(at(folder))?;
        }
        let proxy = FetchProxy::start(&source.url, &self.settings.fetch_from).map_err(at(&log))?;
        let message = self.check_out(source, &tree, &log, &proxy, stop)?;
        let recipe = &source.recipe;
        let words = recipe::check(recipe)?;
        let folders = BuildFolders {
            source: &tree,
            home: &home,
            log: &log,
        };
        self.step("fetch step", &recipe.fetch, folders, Some(&proxy), stop)?;
        drop(proxy);
        self.step("build", &recipe.build, folders, None, stop)?;
        let finished = work.0.join("finished");
        fs::create_dir(&finished).map_err(at(&finished))?;
        let program = take_artefact(&tree, &recipe.artefact, &finished)?;
        // The bench runs where the source is not visible: an artefact that opens other files of it
        // fails here, and not in a game.
        let nodes = if words.is_empty() {
            None
        } else {
            Some(self.bench(&finished.join(&program), &words, stop)?)
        };
        let stated = match from_message(&message) {
            Stated::Nodes(nodes) => Some(nodes),
            Stated::Unchanged | Stated::Nothing => None,
        };
        let record = BuildRecord {
            repository: source.name.clone(),
            url: source.url.clone(),
            commit: source.commit.clone(),
            recipe: recipe.clone(),
            program,
            nodes,
            stated,
        };
        let text =
            serde_json::to_string_pretty(&record).expect("numbers and strings can be written");
        let path = finished.join(RECORD);
        fs::write(&path, text).map_err(at(&path))?;
        let folder = self.folder("engines").join(name);
        if folder.exists() {
            // It is not whole: `get` uses a finished build, and only builds where there is none.
            delete(&folder, &self.folder("work")).map_err(at(&folder))?;
        }
        // The working folder is in the cache, too, as a rename cannot leave its file system (EXDEV of `rename(2)`).
        fs::rename(&finished, &folder).map_err(at(&folder))?;
        self.evict(name);
        Ok(record)
    }

    fn check_out(
        &self,
        source: &Source,
        tree: &Path,
        log: &Path,
        proxy: &FetchProxy,
        stop: &Arc<AtomicBool>,
    ) -> Result<String, BuildError> {
        let sum = short_sum(&[&source.url]);
        let folder = self.folder("repositories").join(format!("{sum}.git"));
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        let path = self.folder("locks").join(format!("{sum}.lock"));
        let is_given_up = || stop.load(Ordering::Relaxed);
        let Some(_lock) = lock(&path, is_given_up, || {}).map_err(at(&path))? else {
            return Err(BuildError::Stopped);
        };
        let mirror = Mirror {
            folder: &folder,
            tree,
            log,
            proxy,
            stop,
            local: self.settings.local,
        };
        match mirror.check_out(source) {
            Err(FetchError::Stopped) => Err(BuildError::Stopped),
            checked => Ok(checked?),
        }
    }

    /// A step of a recipe, unless it is empty. Only one with a proxy has a network.
    fn step(
        &self,
        what: &'static str,
        command: &str,
        folders: BuildFolders<'_>,
        proxy: Option<&FetchProxy>,
        stop: &Arc<AtomicBool>,
    ) -> Result<(), BuildError> {
        if command.trim().is_empty() {
            return Ok(());
        }
        let step = self.settings.sandbox.build(command, folders, proxy);
        match step.run(&self.settings.limits, stop) {
            Ok(()) => Ok(()),
            Err(StepError::Stopped) => Err(BuildError::Stopped),
            Err(error) => Err(BuildError::Step {
                what,
                error,
                tail: tail(folders.log) + &proxy.map_or_else(String::new, FetchProxy::refusals),
            }),
        }
    }

    /// The nodes of the engine's bench.
    fn bench(
        &self,
        program: &Path,
        words: &[String],
        stop: &Arc<AtomicBool>,
    ) -> Result<u64, BuildError> {
        // A bench runs with the hash table that an engine has by default, and the memory limit follows from it.
        let found = { self.sandbox() }.engine(program, &[], DEFAULT_HASH_MIB, Arc::default());
        let command = CommandLine::new(&found.program).arguments(&found.arguments);
        let cancel = Cancel::from(Arc::clone(stop));
        let nodes = epd::bench::nodes(&command, words, BENCH, &cancel);
        match nodes {
            _ if stop.load(Ordering::Relaxed) => Err(BuildError::Stopped),
            Ok(nodes) => Ok(nodes),
            Err(reason) => Err(BuildError::Bench {
                bench: words.join(" "),
                reason,
            }),
        }
    }

    /// Deletes builds that were not used for the longest time until the rest is small enough.
    fn evict(&self, newest: &str) {
        // A cache that cannot be read is not smaller for it; the next build tries again.
        let Ok(entries) = self.folder("engines").read_dir() else {
            return;
        };
        let mut builds: Vec<(SystemTime, u64, PathBuf)> = entries
            .flatten()
            .map(|entry| {
                let path = entry.path();
                let used = fs::metadata(path.join("used")).and_then(|about| about.modified());
                (
                    used.unwrap_or(SystemTime::UNIX_EPOCH),
                    measure(&path).unwrap_or(0),
                    path,
                )
            })
            .collect();
        builds.sort_unstable();
        let mut total: u64 = builds.iter().map(|(_, size, _)| size).sum();
        for (_, size, path) in builds {
            let name = path
                .file_name()
                .unwrap_or_default()
                .to_string_lossy()
                .into_owned();
            if total <= self.settings.most {
                break;
            }
            let kept = self.kept.lock().unwrap_or_else(PoisonError::into_inner);
            let is_in_use = kept.get(&name).is_some_and(|one| one.strong_count() > 0);
            // The lock is held: nobody begins to use it meanwhile.
            if !is_in_use && name != newest && delete(&path, &self.folder("work")).is_ok() {
                total -= size;
            }
        }
    }
}

/// Deletes a build so that it is absent at once.
fn delete(path: &Path, work: &Path) -> io::Result<()> {
    let grave = WorkFolder::new("old-", work)?;
    fs::rename(path, grave.0.join("build"))
}

/// A new folder, deleted when this is done, whatever comes of it.
struct WorkFolder(PathBuf);

impl WorkFolder {
    fn new(prefix: &str, within: &Path) -> io::Result<Self> {
        let folder = tempfile::TempDir::with_prefix_in(prefix, within)?;
        Ok(Self(folder.keep()))
    }
}

impl Drop for WorkFolder {
    fn drop(&mut self) {
        // The next start of a worker deletes what is left.
        let _ = clear(&self.0);
    }
}

/// The name of a build: what it depends on.
fn name_of(source: &Source) -> String {
    let Recipe {
        fetch,
        build,
        artefact,
        bench,
    } = &source.recipe;
    // It names a folder before git has checked it, so that only digits may come from the server.
    let commit: String = source
        .commit
        .chars()
        .filter(char::is_ascii_hexdigit)
        .take(64)
        .collect();
    format!(
        // Without a recipe from the server these fields are empty: then the commit determines the file.
        "{commit}-{}",
        short_sum(&[&source.url, fetch, build, artefact, bench])
    )
}

/// The beginning of a SHA-256, in hexadecimal.
fn short_sum(parts: &[&str]) -> String {
    use std::fmt::Write as _;
    let mut sum = Sha256::new();
    for part in parts {
        // With the lengths, text that moves from one field to the next changes the sum.
        sum.update((part.len() as u64).to_le_bytes());
        sum.update(part);
    }
    let mut text = String::new();
    for byte in &sum.finalize()[..8] {
        write!(text, "{byte:02x}").expect("a text takes any text");
    }
    text
}

/// Moves the executable that a build made; returns its file name.
fn take_artefact(tree: &Path, artefact: &str, to: &Path) -> Result<String, BuildError> {
    let missing = || BuildError::NoArtefact(artefact.to_owned());
    let path = tree.join(artefact);
    let path = path.canonicalize().map_err(|_| missing())?;
    let tree = tree.canonicalize().map_err(at(tree))?;
    // A link could name a program of this machine that the build has not made.
    if !path.starts_with(&tree) || !path.is_file() {
        return Err(missing());
    }
    let name = path.file_name().and_then(|name| name.to_str());
    let name = name
        // The cache has files of its own with these names in the same folder.
        .filter(|name| *name != RECORD && *name != "used")
        .ok_or_else(missing)?;
    fs::copy(&path, to.join(name)).map_err(at(&path))?;
    Ok(name.to_owned())
}

fn read(folder: &Path) -> Option<BuildRecord> {
    let text = kit::read::text(&folder.join(RECORD), LARGEST_RECORD).ok()?;
    let record: BuildRecord = serde_json::from_str(&text).ok()?;
    folder.join(&record.program).is_file().then_some(record)
}

/// Notes that a build is used; one whose time is not known is deleted first.
fn touch(folder: &Path) {
    let _ = fs::write(folder.join("used"), "");
}
