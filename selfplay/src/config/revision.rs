//! Engines built from a revision of their source. Each has its own git worktree, which is kept so
//! that a revision is built only once.
//!
//! Below the cache, `revisions/COMMIT-SUM/` has the worktree `tree`, the log `build.log`, and, once
//! the build has succeeded, the file `built`. The sum is that of the repository, the command and
//! the artifact, so that a changed build command leads to a new build. A lock next to the folder
//! keeps two builds out of one worktree.

use std::ffi::OsStr;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::path::{Component, Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use kit::Interrupt;
use uci::ProcessTree;

use super::BuildDraft;
use crate::model::BuiltRevision;

/// Why a revision cannot be built.
#[derive(Debug, thiserror::Error)]
pub enum RevisionError {
    #[error("'rev:{reference}': {missing} is missing, expected how a revision is built")]
    Missing {
        reference: String,
        missing: &'static str,
    },
    /// The artifact would be outside the worktree.
    #[error("the artifact {} must be a path from the root of the repository, without '..'", path.display())]
    Artifact { path: PathBuf },
    #[error("'rev:{reference}' is not a revision of {}: {reason}", repository.display())]
    Unknown {
        reference: String,
        repository: PathBuf,
        reason: String,
    },
    /// No cache directory can be determined.
    #[error("no folder for builds: expected --cache DIR, or HOME in the environment")]
    NoCache,
    #[error("git {what} has failed: {reason}")]
    Git { what: String, reason: String },
    /// A file cannot be read or written, or a program cannot be started.
    #[error("{}: {source}", path.display())]
    Io { path: PathBuf, source: io::Error },
    #[error("the build of {reference} ({commit}) has failed: {reason}\n{tail}\nsee {}", log.display())]
    Build {
        reference: String,
        commit: String,
        reason: String,
        /// The last lines of the log.
        tail: String,
        log: PathBuf,
    },
    #[error("interrupted")]
    Interrupted,
}

impl RevisionError {
    /// Whether the request is invalid, as opposed to a failure of the build or the machine.
    pub const fn is_input(&self) -> bool {
        matches!(
            self,
            Self::Missing { .. } | Self::Artifact { .. } | Self::Unknown { .. } | Self::NoCache
        )
    }
}

type Result<T> = std::result::Result<T, RevisionError>;

/// Variables that git sets for hooks, and that would redirect it to another repository.
const GIT_VARIABLES: [&str; 4] = ["GIT_DIR", "GIT_WORK_TREE", "GIT_INDEX_FILE", "GIT_PREFIX"];

/// Resolves a reference to its current commit.
pub fn resolve(reference: &str, draft: &BuildDraft) -> Result<BuiltRevision> {
    let missing = |missing| RevisionError::Missing {
        reference: reference.to_owned(),
        missing,
    };
    let build = draft.command.clone().ok_or_else(|| missing("--build"))?;
    let artifact = draft
        .artifact
        .clone()
        .ok_or_else(|| missing("--artifact"))?;
    let is_inside = |part: Component<'_>| matches!(part, Component::Normal(_) | Component::CurDir);
    if !artifact.components().all(is_inside) {
        return Err(RevisionError::Artifact { path: artifact });
    }
    let repo = draft.repo.clone().unwrap_or_else(|| PathBuf::from("."));
    let unknown = |error: RevisionError| RevisionError::Unknown {
        reference: reference.to_owned(),
        repository: repo.clone(),
        reason: match error {
            RevisionError::Git { reason, .. } => reason,
            error => error.to_string(),
        },
    };
    let root = git(&repo, &["rev-parse", "--show-toplevel"]).map_err(unknown)?;
    let root = PathBuf::from(root);
    // A tag may be an object of its own; `^{commit}` names the commit that it points to.
    let asked = format!("{reference}^{{commit}}");
    let found = git(
        &root,
        // Without the end of options, a reference that begins with `-` would be an option of git.
        &["rev-parse", "--verify", "--end-of-options", &asked],
    );
    let commit = found.map_err(unknown)?;
    let changes = git(&root, &["status", "--porcelain", "--untracked-files=no"])?;
    Ok(BuiltRevision {
        reference: reference.to_owned(),
        commit,
        repository: root,
        build,
        artifact,
        dirty: !changes.is_empty(),
    })
}

/// Runs git and returns its output without the final newline.
fn git(repository: &Path, arguments: &[&str]) -> Result<String> {
    let mut command = plain_command("git");
    command.arg("-C").arg(repository).args(arguments);
    // A git that asks for a password would wait for ever.
    let output = command.stdin(Stdio::null()).output();
    let output = output.map_err(io_error(Path::new("git")))?;
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).trim_end().to_owned();
    if output.status.success() {
        return Ok(text(&output.stdout));
    }
    Err(RevisionError::Git {
        what: arguments
            .iter()
            .take(2)
            .copied()
            .collect::<Vec<_>>()
            .join(" "),
        reason: text(&output.stderr).replace('\n', ", "),
    })
}

/// A command without the variables that git sets for hooks.
#[expect(clippy::disallowed_methods, reason = "the edge starts git and builds")]
pub fn plain_command(program: impl AsRef<OsStr>) -> Command {
    let mut command = Command::new(program);
    for name in GIT_VARIABLES {
        command.env_remove(name);
    }
    command
}

fn io_error(path: &Path) -> impl Fn(io::Error) -> RevisionError + use<> {
    let path = path.to_owned();
    move |source| RevisionError::Io {
        path: path.clone(),
        source,
    }
}

/// Default directory of builds: `touchstone` in the user's cache directory.
///
/// # Errors
/// The environment names none.
#[expect(clippy::disallowed_methods, reason = "the edge asks the environment")]
pub fn default_cache() -> Result<PathBuf> {
    let folder = |name| {
        std::env::var_os(name)
            .filter(|text| !text.is_empty())
            .map(PathBuf::from)
    };
    let cache = folder("XDG_CACHE_HOME")
        .or_else(|| folder("LOCALAPPDATA").filter(|_| cfg!(windows)))
        .or_else(|| Some(folder("HOME")?.join(".cache")));
    Ok(cache.ok_or(RevisionError::NoCache)?.join("touchstone"))
}

/// Path of a revision's program, which is built if necessary.
pub fn program(
    revision: &BuiltRevision,
    cache: Option<&Path>,
    interrupt: &Interrupt,
    say: &dyn Fn(&str),
) -> Result<PathBuf> {
    let cache = cache.map_or_else(default_cache, |path| Ok(path.to_owned()))?;
    let cache = std::path::absolute(&cache).map_err(io_error(&cache))?;
    let place = BuildPaths::new(revision, &cache);
    std::fs::create_dir_all(&place.folder).map_err(io_error(&place.folder))?;
    let wait = || {
        say(&format!(
            "waiting for another build of {}",
            revision.reference
        ));
    };
    let lock = lock(&place.lock, || interrupt.has_come(), wait).map_err(io_error(&place.lock))?;
    let Some(_lock) = lock else {
        return Err(RevisionError::Interrupted);
    };
    let program = place.tree.join(&revision.artifact);
    if place.built.exists() && program.is_file() {
        return Ok(program);
    }
    say(&format!(
        "building {} ({}), log in {}",
        revision.reference,
        revision.commit,
        place.log.display()
    ));
    check_out(revision, &place)?;
    build(revision, &place, interrupt)?;
    if !program.is_file() {
        let reason = format!("it has made no {}", revision.artifact.display());
        return Err(failed(revision, &place, reason));
    }
    // The mark comes last, so an interrupted build has none and is repeated.
    File::create_new(&place.built).map_err(io_error(&place.built))?;
    Ok(program)
}

/// The cache that holds this program of a revision: `CACHE/revisions/NAME/tree/ARTIFACT`.
pub fn cache_of<'p>(program: &'p Path, revision: &BuiltRevision) -> Option<&'p Path> {
    let parts = revision.artifact.components();
    let artifact = parts.filter(|part| matches!(part, Component::Normal(_)));
    program.ancestors().nth(artifact.count() + 3)
}

/// The paths of a revision's build.
struct BuildPaths {
    folder: PathBuf,
    tree: PathBuf,
    log: PathBuf,
    built: PathBuf,
    lock: PathBuf,
}

impl BuildPaths {
    fn new(revision: &BuiltRevision, cache: &Path) -> Self {
        let mut sum = flate2::Crc::new();
        let parts = [
            revision.repository.as_os_str().as_encoded_bytes(),
            revision.build.as_bytes(),
            revision.artifact.as_os_str().as_encoded_bytes(),
        ];
        for part in parts {
            sum.update(part);
            // The separator keeps texts apart that are the same only when joined.
            sum.update(&[0]);
        }
        let name = format!("{}-{:08x}", revision.commit, sum.sum());
        let folder = cache.join("revisions").join(&name);
        Self {
            tree: folder.join("tree"),
            log: folder.join("build.log"),
            built: folder.join("built"),
            lock: cache.join("revisions").join(name + ".lock"),
            folder,
        }
    }
}

/// Interval between checks for cancellation.
const SLICE: Duration = Duration::from_millis(50);

/// Locks a file against other threads and processes, until it is dropped; calls `wait` once if it
/// has to wait. `None` if that is given up.
///
/// # Errors
/// The file cannot be made or locked.
pub fn lock(
    path: &Path,
    is_given_up: impl Fn() -> bool,
    wait: impl Fn(),
) -> io::Result<Option<File>> {
    let mut options = OpenOptions::new();
    options.create(true).truncate(false).write(true);
    let file = options.open(path)?;
    let mut is_reported = false;
    loop {
        // A lock that is waited for could not be given up.
        match file.try_lock() {
            Ok(()) => return Ok(Some(file)),
            Err(TryLockError::Error(error)) => return Err(error),
            Err(TryLockError::WouldBlock) if is_given_up() => return Ok(None),
            Err(TryLockError::WouldBlock) => {
                if !is_reported {
                    wait();
                    is_reported = true;
                }
                std::thread::sleep(SLICE);
            }
        }
    }
}

/// Recreates the worktree and deletes what an earlier build left behind.
fn check_out(revision: &BuiltRevision, place: &BuildPaths) -> Result<()> {
    let gone = |done: io::Result<()>, path: &Path| match done {
        Err(error) if error.kind() != io::ErrorKind::NotFound => Err(io_error(path)(error)),
        _ => Ok(()),
    };
    gone(std::fs::remove_file(&place.built), &place.built)?;
    gone(std::fs::remove_dir_all(&place.tree), &place.tree)?;
    // Lets git forget worktrees whose folder is gone.
    git(&revision.repository, &["worktree", "prune"])?;
    let tree = place.tree.to_string_lossy();
    let add = [
        "worktree",
        "add",
        "--force",
        "--detach",
        &*tree,
        &*revision.commit,
    ];
    git(&revision.repository, &add).map(|_| ())
}

fn build(revision: &BuiltRevision, place: &BuildPaths, interrupt: &Interrupt) -> Result<()> {
    #[expect(
        clippy::disallowed_methods,
        reason = "the edge writes the log of the build"
    )]
    let log = File::create(&place.log).map_err(io_error(&place.log))?;
    let errors = log.try_clone().map_err(io_error(&place.log))?;
    let mut command = shell(&revision.build);
    // A target directory shared by all builds would give every revision the program built last.
    command
        .env_remove("CARGO_TARGET_DIR")
        .current_dir(&place.tree);
    command.stdin(Stdio::null()).stdout(log).stderr(errors);
    let program = PathBuf::from(command.get_program());
    let mut build = ProcessTree::spawn(&mut command).map_err(io_error(&program))?;
    // Dropped when interrupted, which kills the compilers too.
    while build.is_running() {
        if interrupt.has_come() {
            return Err(RevisionError::Interrupted);
        }
        std::thread::sleep(SLICE);
    }
    // The build has ended; this also ends what it has left running.
    let exit = build.kill();
    if exit.is_success() {
        return Ok(());
    }
    Err(failed(revision, place, format!("it {exit}")))
}

/// A command of the system's shell.
#[cfg(unix)]
fn shell(build: &str) -> Command {
    let mut command = plain_command("sh");
    command.arg("-c").arg(build);
    command
}

/// A command of the system's shell, which takes it as it is.
#[cfg(windows)]
fn shell(build: &str) -> Command {
    use std::os::windows::process::CommandExt as _;
    let mut command = plain_command("cmd");
    command
        // `/D` skips the user's AutoRun commands; with `/S`, cmd removes only the outer quotation
        // marks.
        .arg("/D")
        .arg("/S")
        .arg("/C")
        .raw_arg(format!("\"{build}\""));
    command
}

/// A build failure, with the end of the log.
fn failed(revision: &BuiltRevision, place: &BuildPaths, reason: String) -> RevisionError {
    RevisionError::Build {
        reference: revision.reference.clone(),
        commit: revision.commit.clone(),
        reason,
        tail: tail(&place.log),
        log: place.log.clone(),
    }
}

/// The last lines of a log, indented; empty if it cannot be read: what failed matters more.
pub fn tail(log: &Path) -> String {
    const LINES: usize = 20;
    let log = end_of(log).unwrap_or_default();
    let log = String::from_utf8_lossy(&log);
    let lines: Vec<&str> = log.lines().collect();
    let tail = &lines[lines.len().saturating_sub(LINES)..];
    let tail = tail.iter().map(|line| format!("  | {line}"));
    tail.collect::<Vec<_>>().join("\n")
}

/// The end of a file that may be long.
#[expect(
    clippy::disallowed_methods,
    reason = "the edge reads the log of the build"
)]
fn end_of(path: &Path) -> io::Result<Vec<u8>> {
    // Logs of builds can have many megabytes; this is enough for the last lines.
    const MOST: u64 = 1 << 16;
    let mut file = File::open(path)?;
    let length = file.metadata()?.len();
    file.seek(SeekFrom::Start(length.saturating_sub(MOST)))?;
    let mut bytes = Vec::new();
    file.take(MOST).read_to_end(&mut bytes)?;
    Ok(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_long_log_the_end_is_read() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = folder.path().join("log");
        for (bytes, read) in [(10, 10), (1 << 16, 1 << 16), (100_000, 1 << 16)] {
            let log = "x".repeat(bytes - 4) + "end\n";
            kit::output::to_file(&path, log).expect("written");
            let end = end_of(&path).expect("read");
            assert_eq!((end.len(), end.ends_with(b"xend\n")), (read, true));
        }
    }

    #[test]
    fn a_cache_is_known_by_the_program() {
        for artifact in [
            "engine",
            "./engine",
            "target/release/engine",
            "./target/./engine",
        ] {
            let revision = BuiltRevision {
                reference: "HEAD".to_owned(),
                commit: "0123456789abcdef".to_owned(),
                repository: PathBuf::from("/repository"),
                build: "make".to_owned(),
                artifact: PathBuf::from(artifact),
                dirty: false,
            };
            let cache = std::path::absolute("/home/cache").expect("a path");
            let program = BuildPaths::new(&revision, &cache).tree.join(artifact);
            let program = std::path::absolute(program).expect("a path");
            assert_eq!(cache_of(&program, &revision), Some(&*cache), "{artifact}");
        }
    }
}
