//! Sources of engines: one mirror for each repository, which has the commits that were needed.
#![expect(
    clippy::disallowed_methods,
    reason = "the edge reads files and the environment"
)]

use std::ffi::OsString;
use std::path::Path;
use std::sync::atomic::AtomicBool;
use std::time::Duration;

use queue::program::Source;
use selfplay::config::revision::tail;

use super::proxy::FetchProxy;
use super::step::{StepError, StepLimits, WorkerStep, clear, measure};

/// Time for a fetch.
const PATIENCE: Duration = Duration::from_mins(10);
/// Options of git that give up a server which sends less than 1,000 bytes a second for a minute.
const SLOW: [&str; 4] = [
    "-c",
    "http.lowSpeedLimit=1000",
    "-c",
    "http.lowSpeedTime=60",
];
/// The largest mirror, in bytes.
const LARGEST: u64 = 4 << 30;
/// The longest message of a commit that is read, in bytes.
const LONGEST_MESSAGE: u64 = 1 << 16;

/// Why a commit cannot be had.
#[derive(Debug, thiserror::Error)]
pub(super) enum FetchError {
    #[error("'{0}' is not a commit hash")]
    Commit(String),
    #[error("'{0}' is not the URL of a repository: expected https://, http://, ssh:// or git://")]
    Url(String),
    #[error("git {what}: {reason}")]
    Git { what: &'static str, reason: String },
    #[error("stopped")]
    Stopped,
}

/// Where git works: the mirror of a repository.
pub(super) struct Mirror<'a> {
    /// The bare repository.
    pub(super) folder: &'a Path,
    /// Where a commit is checked out, which is new.
    pub(super) tree: &'a Path,
    /// Where git's output goes.
    pub(super) log: &'a Path,
    /// By which git speaks HTTP: a server could send it on to an address of this machine.
    pub(super) proxy: &'a FetchProxy,
    pub(super) stop: &'a AtomicBool,
    /// Whether URLs may be paths of this machine.
    pub(super) local: bool,
}

impl Mirror<'_> {
    /// Checks out a commit into a new folder, fetching what the mirror lacks; returns the commit's
    /// message.
    ///
    /// # Errors
    /// The repository cannot be reached, or has no such commit.
    pub(super) fn check_out(&self, source: &Source) -> Result<String, FetchError> {
        let commit = source.commit.as_str();
        let is_hash =
            (7..=64).contains(&commit.len()) && commit.bytes().all(|byte| byte.is_ascii_hexdigit());
        if !is_hash {
            return Err(FetchError::Commit(commit.to_owned()));
        }
        let schemes = ["https://", "http://", "ssh://", "git://"];
        let is_remote = schemes.iter().any(|scheme| source.url.starts_with(scheme));
        let is_local = self.local && source.url.starts_with('/');
        if !is_remote && !is_local {
            return Err(FetchError::Url(source.url.clone()));
        }
        // A mirror that has grown too large is fetched anew, and has then only the commits that are asked for.
        if measure(self.folder).is_ok_and(|size| size > LARGEST) {
            let emptied = clear(self.folder).and_then(|()| std::fs::create_dir_all(self.folder));
            emptied.map_err(|error| FetchError::Git {
                what: "init",
                reason: format!("{}: {error}", self.folder.display()),
            })?;
        }
        if !self.folder.join("HEAD").is_file() {
            self.git("init", &["init", "--bare", "--quiet", "."])?;
        }
        if !self.has(commit)? {
            self.fetch(&source.url, commit)?;
        }
        let tree_text = self.tree.to_string_lossy();
        // The source is a repository of its own: a worktree would point to the mirror, which the
        // sandbox does not show.
        self.git("init", &["init", "--quiet", &tree_text])?;
        let mirror = self.folder.to_string_lossy();
        let fetch = [
            "-C",
            &tree_text,
            "fetch",
            "--quiet",
            "--depth=1",
            &mirror,
            commit,
        ];
        self.git("fetch", &fetch)?;
        let check_out = [
            "-C",
            &*tree_text,
            "checkout",
            "--quiet",
            "--detach",
            "FETCH_HEAD",
        ];
        self.git("checkout", &check_out)?;
        // Submodules with relative addresses, such as `../net`, are resolved against it (`git-submodule(1)`).
        let origin = ["-C", &*tree_text, "remote", "add", "origin", &source.url];
        self.git("remote", &origin)?;
        self.message(commit)
    }

    fn has(&self, commit: &str) -> Result<bool, FetchError> {
        // Without `^{commit}`, `--verify` accepts any 40 digits, whether or not the object is there
        // (`git-rev-parse(1)`).
        let spec = format!("{commit}^{{commit}}");
        match self.git("rev-parse", &["rev-parse", "--quiet", "--verify", &spec]) {
            Ok(()) => Ok(true),
            Err(FetchError::Git { .. }) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Fetches one commit or, from servers that do not allow that, all branches and tags.
    fn fetch(&self, url: &str, commit: &str) -> Result<(), FetchError> {
        let one = [
            "fetch",
            "--quiet",
            "--depth=1",
            "--no-tags",
            "--",
            url,
            commit,
        ];
        // It also fails for the beginning of a hash: a refspec has a name or a whole hash (`git-fetch(1)`).
        let first = match self.git("fetch", &one) {
            Err(error @ FetchError::Git { .. }) => error,
            fetched => return fetched,
        };
        let [branches, tags] = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
        let all = ["fetch", "--quiet", "--no-tags", "--", url, branches, tags];
        match self.git("fetch", &all) {
            // The first error names the commit; the second is only about references.
            Err(FetchError::Git { .. }) => Err(first),
            fetched => {
                fetched?;
                if self.has(commit)? {
                    Ok(())
                } else {
                    Err(first)
                }
            }
        }
    }

    fn message(&self, commit: &str) -> Result<String, FetchError> {
        // The message goes to a file of its own, as a step can only append to its log.
        let log = self.tree.with_extension("message");
        let show = Mirror { log: &log, ..*self };
        show.git("log", &["log", "-1", "--format=%B", commit])?;
        let text = kit::read::text(&log, LONGEST_MESSAGE).map_err(|error| FetchError::Git {
            what: "log",
            reason: error.to_string(),
        });
        // What is left is deleted with the folder of the build.
        let _ = std::fs::remove_file(&log);
        text
    }

    /// Runs git, without the user's configuration, hooks and prompts.
    fn git(&self, what: &'static str, words: &[&str]) -> Result<(), FetchError> {
        let limits = StepLimits {
            wall: PATIENCE,
            folder: LARGEST,
            file: LARGEST,
            ..StepLimits::default()
        };
        let mut all: Vec<OsString> =
            vec!["git".into(), "-c".into(), "core.hooksPath=/dev/null".into()];
        // An automatic gc detaches itself (`gc.autoDetach`) and would be killed with the step.
        // Since 2.35.2, git rejects folders of another owner, such as a cache on a mounted volume.
        all.extend(["-c", "gc.auto=0", "-c", "safe.directory=*"].map(OsString::from));
        all.extend(SLOW.map(OsString::from));
        all.extend(words.iter().map(OsString::from));
        let step = WorkerStep {
            words: all,
            environment: environment(self.proxy),
            folder: self.folder.to_owned(),
            log: self.log.to_owned(),
            watched: [self.folder, self.tree, self.log]
                .map(Path::to_owned)
                .to_vec(),
        };
        match step.run(&limits, self.stop) {
            Ok(()) => Ok(()),
            Err(StepError::Stopped) => Err(FetchError::Stopped),
            Err(error) => Err(FetchError::Git {
                what,
                reason: format!("{error}\n{}", tail(self.log)),
            }),
        }
    }
}

fn environment(proxy: &FetchProxy) -> Vec<(OsString, OsString)> {
    let passed = [
        "PATH",
        "HOME",
        "SSH_AUTH_SOCK",
        "SSL_CERT_FILE",
        "SSL_CERT_DIR",
        "GIT_SSL_CAINFO",
    ];
    let passed = passed
        .into_iter()
        .filter_map(|name| Some((name.into(), std::env::var_os(name)?)));
    let set = [
        ("GIT_TERMINAL_PROMPT", "0"),
        ("GIT_CONFIG_NOSYSTEM", "1"),
        ("GIT_CONFIG_GLOBAL", "/dev/null"),
        // The source is fetched from the mirror by `file`; the address of the mirror itself was checked above.
        ("GIT_ALLOW_PROTOCOL", "https:http:ssh:git:file"),
        ("GIT_SSH_COMMAND", "ssh -oBatchMode=yes"),
        // LFS would ask a server of its own during the checkout; a fetch step can do so instead.
        ("GIT_LFS_SKIP_SMUDGE", "1"),
        ("LC_ALL", "C"),
    ];
    let set = set
        .into_iter()
        .map(|(name, value)| (name.into(), value.into()));
    passed.chain(set).chain(proxy.variables()).collect()
}
