//! What builds and engines may see of the machine: made by `bubblewrap`, or nothing is.
//!
//! A build sees the system read-only, its own folder, an empty home and, in its fetch step, the
//! network. An engine sees the libraries of the system, its own folder, tablebases, and no network.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use queue::program::Found;

use super::step::{Limits, Step, StepError};

/// Folders of the system that builds may read.
const SYSTEM: [&str; 8] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt",
];
/// Files and folders of `/etc` that builds may read: what finds libraries, hosts and certificates.
const ETC: [&str; 13] = [
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    "alternatives",
    "ssl",
    "ca-certificates",
    "pki",
    "resolv.conf",
    "hosts",
    "nsswitch.conf",
    "passwd",
    "group",
    "localtime",
];
/// Variables of the worker that builds get too.
const PASSED: [&str; 14] = [
    "PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "GOROOT",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
    "http_proxy",
    "https_proxy",
    "HTTP_PROXY",
    "HTTPS_PROXY",
    "no_proxy",
];
/// Where a build finds its source.
const SOURCE: &str = "/build/source";
/// Its home.
const HOME: &str = "/build/home";

/// Time in which `bubblewrap` must show that it works.
const PROBE: Duration = Duration::from_secs(20);

/// How builds and engines are confined.
#[derive(Clone, Debug)]
pub(super) struct Sandbox {
    /// `None` if they are not.
    bwrap: Option<PathBuf>,
    /// The variables of this process.
    environment: Vec<(OsString, OsString)>,
    /// More folders that builds and engines may read.
    readable: Vec<PathBuf>,
}

/// Why nothing can be confined.
#[derive(Debug, thiserror::Error)]
pub(super) enum SandboxError {
    #[error("the program bwrap (package bubblewrap) is not installed")]
    Missing,
    #[error("bwrap does not work here: {0}")]
    Broken(String),
}

/// The folders of a build.
#[derive(Clone, Copy, Debug)]
pub(super) struct BuildFolders<'a> {
    /// The source; the only other folder that it may write is its home.
    pub(super) source: &'a Path,
    /// The home.
    pub(super) home: &'a Path,
    /// The log of the build.
    pub(super) log: &'a Path,
}

impl Sandbox {
    /// Finds `bubblewrap`, and makes sure that it works.
    ///
    /// # Errors
    /// It is not here, or the system does not let it work.
    pub(super) fn find(readable: Vec<PathBuf>) -> Result<Self, SandboxError> {
        let mut sandbox = Self::none(readable);
        let path = variable(&sandbox.environment, "PATH").unwrap_or_default();
        let bwrap = std::env::split_paths(path)
            .map(|folder| folder.join("bwrap"))
            .find(|path| path.is_file())
            .ok_or(SandboxError::Missing)?;
        sandbox.bwrap = Some(bwrap);
        let folder =
            tempfile::tempdir().map_err(|error| SandboxError::Broken(error.to_string()))?;
        let log = folder.path().join("log");
        let folders = BuildFolders {
            source: folder.path(),
            home: folder.path(),
            log: &log,
        };
        let probe = Limits {
            wall: PROBE,
            ..Limits::default()
        };
        let step = sandbox.build("exit 0", folders, false);
        match step.run(&probe, &std::sync::atomic::AtomicBool::new(false)) {
            Ok(()) => Ok(sandbox),
            Err(error) => {
                let tail = selfplay::config::revision::tail(&log);
                Err(SandboxError::Broken(match error {
                    StepError::Failed(how) => format!("it {how}: {}", tail.trim()),
                    error => error.to_string(),
                }))
            }
        }
    }

    /// Confines nothing.
    pub(super) fn none(readable: Vec<PathBuf>) -> Self {
        Self {
            bwrap: None,
            environment: std::env::vars_os().collect(),
            readable,
        }
    }

    /// Whether anything is confined.
    pub(super) fn is_confining(&self) -> bool {
        self.bwrap.is_some()
    }

    /// A shell command in the source of a build.
    pub(super) fn build(&self, command: &str, folders: BuildFolders<'_>, network: bool) -> Step {
        let (source, home) = match self.bwrap {
            Some(_) => (Path::new(SOURCE), Path::new(HOME)),
            None => (folders.source, folders.home),
        };
        let environment = self.build_environment(home, network);
        let mut words: Vec<OsString> = Vec::new();
        if let Some(bwrap) = &self.bwrap {
            words.push(bwrap.into());
            words.extend(Self::system());
            words.extend(os(["--dir", "/build", "--tmpfs", "/tmp"]));
            for (from, to) in [(folders.source, source), (folders.home, home)] {
                words.extend(
                    [OsStr::new("--bind"), from.as_os_str(), to.as_os_str()].map(OsStr::to_owned),
                );
            }
            for folder in self.tool_folders() {
                words.extend(bind(&folder));
            }
            words.extend(os(["--unshare-all", "--die-with-parent", "--new-session"]));
            if network {
                words.extend(os(["--share-net"]));
            }
            words.extend(os(["--chdir", SOURCE, "--"]));
        }
        words.extend(os(["/bin/sh", "-c", command]));
        Step {
            words,
            environment,
            folder: folders.source.to_owned(),
            log: folders.log.to_owned(),
            watched: vec![folders.source.to_owned(), folders.home.to_owned()],
        }
    }

    fn build_environment(&self, home: &Path, network: bool) -> Vec<(OsString, OsString)> {
        let passed = self.environment.iter();
        let passed = passed.filter(|(name, _)| PASSED.iter().any(|passed| name == passed));
        let mut all: Vec<(OsString, OsString)> = passed.cloned().collect();
        let mut set = |name: &str, value: &OsStr| all.push((name.into(), value.to_owned()));
        set("HOME", home.as_os_str());
        set("CARGO_HOME", home.join("cargo").as_os_str());
        set("GOPATH", home.join("go").as_os_str());
        set("GOCACHE", home.join("go-cache").as_os_str());
        set("GOTOOLCHAIN", OsStr::new("local"));
        set("CARGO_TERM_COLOR", OsStr::new("never"));
        if !network {
            set("CARGO_NET_OFFLINE", OsStr::new("true"));
            set("GOPROXY", OsStr::new("off"));
        }
        if variable(&all, "RUSTUP_HOME").is_none()
            && let Some(folder) = self.rustup_home()
        {
            all.push(("RUSTUP_HOME".into(), folder.into()));
        }
        all
    }

    /// Where the tool chains of `rustup` are.
    fn rustup_home(&self) -> Option<PathBuf> {
        let given = variable(&self.environment, "RUSTUP_HOME").map(PathBuf::from);
        let home =
            || variable(&self.environment, "HOME").map(|home| Path::new(home).join(".rustup"));
        given.or_else(home).filter(|path| path.is_dir())
    }

    /// Folders outside the system in which tools are, each once.
    fn tool_folders(&self) -> BTreeSet<PathBuf> {
        let path = variable(&self.environment, "PATH").unwrap_or_default();
        let go = variable(&self.environment, "GOROOT").map(PathBuf::from);
        let folders = std::env::split_paths(path)
            .chain(self.rustup_home())
            .chain(go);
        let is_outside = |path: &PathBuf| !SYSTEM.iter().any(|system| path.starts_with(system));
        folders
            .chain(self.readable.iter().cloned())
            .filter(|path| path.is_absolute() && path.is_dir() && is_outside(path))
            .collect()
    }

    /// The system, read-only.
    fn system() -> Vec<OsString> {
        let mut words = os(["--proc", "/proc", "--dev", "/dev"]);
        for path in SYSTEM {
            words.extend(os(["--ro-bind-try", path, path]));
        }
        for name in ETC {
            let path = format!("/etc/{name}");
            words.extend(os(["--ro-bind-try", &path, &path]));
        }
        words
    }

    /// How an engine is started that may read its own folder and these.
    pub(super) fn engine(
        &self,
        program: &Path,
        readable: &[PathBuf],
        keep: std::sync::Arc<()>,
    ) -> Found {
        let folder = program.parent().unwrap_or(program);
        let mut words: Vec<OsString> = Vec::new();
        if let Some(bwrap) = &self.bwrap {
            words.push(bwrap.into());
            words.extend(Self::system());
            words.extend(os(["--tmpfs", "/tmp"]));
            let folders = readable.iter().chain(&self.readable).map(PathBuf::as_path);
            for path in folders.chain([folder]).filter(|path| path.exists()) {
                words.extend(bind(path));
            }
            words.extend(os(["--unshare-all", "--die-with-parent"]));
            for (name, _) in &self.environment {
                if !["PATH", "LANG", "LC_ALL", "TZ"]
                    .iter()
                    .any(|kept| name == kept)
                {
                    words.extend([OsString::from("--unsetenv"), name.clone()]);
                }
            }
            words.extend(os(["--setenv", "HOME", "/tmp", "--"]));
        } else if cfg!(unix) {
            // What an engine prints is sent to the lab: it must not know the token.
            words.extend(os(["/usr/bin/env", "-u", "FLEET_TOKEN"]));
        }
        words.push(program.into());
        let mut words = words
            .into_iter()
            .map(|word| word.to_string_lossy().into_owned());
        let program = words.next().map(PathBuf::from).unwrap_or_default();
        Found {
            program,
            arguments: words.collect(),
            keep,
        }
    }
}

fn os<const N: usize>(words: [&str; N]) -> Vec<OsString> {
    words.map(OsString::from).to_vec()
}

fn bind(path: &Path) -> [OsString; 3] {
    ["--ro-bind".into(), path.into(), path.into()]
}

fn variable<'a>(all: &'a [(OsString, OsString)], name: &str) -> Option<&'a OsStr> {
    let found = all.iter().find(|(found, _)| found == name);
    found.map(|(_, value)| value.as_os_str())
}
