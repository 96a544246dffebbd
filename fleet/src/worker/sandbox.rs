//! What builds and engines may see of the machine: made by `bubblewrap`, else by Landlock, or nothing
//! is.
//!
//! A build sees the system read-only, its own folder, an empty home and, in its fetch step, a proxy to the
//! internet. An engine sees the libraries of the system, its own folder, tablebases, and no network.
//! With Landlock, both also see which processes run.

use std::collections::BTreeSet;
use std::ffi::{OsStr, OsString};
use std::path::{Path, PathBuf};
use std::time::Duration;

use queue::program::FoundProgram;

use super::proxy::FetchProxy;
use super::step::{StepError, StepLimits, WorkerStep};

/// Folders of the system that builds may read.
const SYSTEM: [&str; 8] = [
    "/usr", "/bin", "/sbin", "/lib", "/lib32", "/lib64", "/libx32", "/opt",
];
/// Files and folders of `/etc` that builds may read: what finds libraries, hosts and certificates.
const ETC: [&str; 13] = [
    "ld.so.cache",
    "ld.so.conf",
    "ld.so.conf.d",
    // On Debian, `cc` and `java` are links into it (`update-alternatives(1)`).
    "alternatives",
    "ssl",
    "ca-certificates",
    // Fedora and its relatives have their certificates here.
    "pki",
    "resolv.conf",
    "hosts",
    "nsswitch.conf",
    "passwd",
    "group",
    "localtime",
];
/// Variables of the worker that engines get too; they get no others.
const KEPT: [&str; 4] = ["PATH", "LANG", "LC_ALL", "TZ"];
/// What shuts builds and engines in, of any user's worker: no namespace of the system, no second one of their own
/// in which they had capabilities again, and no terminal into whose input they could type a command.
const ALONE: [&str; 11] = [
    // The root of the sandbox is a tmpfs that an engine could fill.
    "--remount-ro",
    "/",
    // Files of root below `/proc/sys` are writable for root even without capabilities: under a worker of
    // root, an engine could set the kernel's core pattern.
    "--remount-ro",
    "/proc",
    "--unshare-all",
    // `--unshare-all` only tries to (`--unshare-user-try`), and `--disable-userns` requires it (`bwrap(1)`).
    "--unshare-user",
    "--disable-userns",
    "--cap-drop",
    "ALL",
    // A worker that is killed cannot end its engines any more.
    "--die-with-parent",
    // Without it, TIOCSTI types into the terminal of the worker (CVE-2017-5226, `bwrap(1)`).
    "--new-session",
];
/// The largest size of all temporary files of a build, which are in memory, in bytes.
const BUILD_TEMPORARY: u64 = 2 << 30;
/// The largest size of all temporary files of an engine, in bytes.
const ENGINE_TEMPORARY: u64 = 64 << 20;
/// The largest file of an engine, in bytes.
const ENGINE_FILE: u64 = ENGINE_TEMPORARY;
/// Memory of each process of an engine besides its hash table, in MiB: its network, and 8 MiB of stack for each thread.
const ENGINE_ALLOWANCE_MIB: u64 = 2048;
/// Number of processes of the user beyond which an engine starts no more, threads included.
const ENGINE_PROCESSES: u64 = 4096;
/// Variables of the worker that builds get too.
const PASSED: [&str; 9] = [
    "PATH",
    "LANG",
    "LC_ALL",
    "TZ",
    "RUSTUP_HOME",
    "RUSTUP_TOOLCHAIN",
    "GOROOT",
    "SSL_CERT_FILE",
    "SSL_CERT_DIR",
];
/// Where a build finds its source.
const SOURCE: &str = "/build/source";
/// Where a fetch step finds this program.
const CONFINE: &str = "/build/fleet";
/// Where a build finds its home.
const HOME: &str = "/build/home";

/// Devices that may be read and written with Landlock; `bubblewrap` makes its own.
const DEVICES: [&str; 5] = [
    "/dev/null",
    "/dev/zero",
    "/dev/full",
    "/dev/random",
    "/dev/urandom",
];

/// Time in which a sandbox must show that it works.
const PROBE: Duration = Duration::from_secs(20);

/// How builds and engines are confined.
#[derive(Clone, Debug)]
pub(super) struct Sandbox {
    means: Means,
    /// The variables of this process.
    environment: Vec<(OsString, OsString)>,
    /// More folders that builds and engines may read.
    readable: Vec<PathBuf>,
    /// The most memory of a process of an engine, in bytes.
    memory: Option<u64>,
}

/// What confines builds and engines.
#[derive(Clone, Debug)]
enum Means {
    Bubblewrap {
        bwrap: PathBuf,
        /// This program, if it can limit a fetch step to the proxy; see `fleet confine`.
        confine: Option<PathBuf>,
    },
    /// This program, which confines itself and becomes the command; see `fleet confine`.
    #[cfg_attr(
        not(target_os = "linux"),
        expect(dead_code, reason = "no other system has it")
    )]
    Landlock {
        program: PathBuf,
        /// Whether this kernel keeps signals inside.
        signals: bool,
        /// Whether it limits a fetch step to the proxy.
        ports: bool,
    },
    Nothing,
}

/// Why nothing can be confined.
#[derive(Debug, thiserror::Error)]
#[error("no sandbox works here: bubblewrap: {bubblewrap}; Landlock: {landlock}")]
pub(super) struct SandboxError {
    bubblewrap: String,
    landlock: String,
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
    /// Finds `bubblewrap`, or else Landlock, and makes sure that it works.
    ///
    /// # Errors
    /// Neither is here, or the system does not let them work.
    pub(super) fn find(readable: Vec<PathBuf>) -> Result<Self, SandboxError> {
        // On Linux, the program that runs is known (`proc_pid_exe(5)`).
        let program = std::env::current_exe().unwrap_or_default();
        Self::find_with(&program, readable)
    }

    /// As [`Self::find`]; `program` is this one, whose command `confine` confines.
    pub(super) fn find_with(program: &Path, readable: Vec<PathBuf>) -> Result<Self, SandboxError> {
        let none = Self::none(readable);
        let probe = |means: Result<Means, String>| {
            let sandbox = Self {
                means: means?,
                ..none.clone()
            };
            sandbox.probe().map(|()| sandbox)
        };
        // `bubblewrap` comes first: it also hides other processes, and ends those that leave their group.
        probe(none.bubblewrap(program)).or_else(|bubblewrap| {
            probe(landlock(program)).map_err(|landlock| SandboxError {
                bubblewrap,
                landlock,
            })
        })
    }

    fn bubblewrap(&self, program: &Path) -> Result<Means, String> {
        let path = variable(&self.environment, "PATH").unwrap_or_default();
        let mut programs = std::env::split_paths(path).map(|folder| folder.join("bwrap"));
        let found = programs.find(|path| path.is_file());
        let missing = || "the program bwrap (package bubblewrap) is not installed".to_owned();
        let bwrap = found.ok_or_else(missing)?;
        let confine = matches!(landlock(program), Ok(Means::Landlock { ports: true, .. }));
        let confine = confine.then(|| program.to_owned());
        Ok(Means::Bubblewrap { bwrap, confine })
    }

    /// Runs a command that does nothing.
    fn probe(&self) -> Result<(), String> {
        let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
        let log = folder.path().join("log");
        let folders = BuildFolders {
            source: folder.path(),
            home: folder.path(),
            log: &log,
        };
        let limits = StepLimits {
            wall: PROBE,
            ..StepLimits::default()
        };
        // Ubuntu 24.04 and many containers have the program, but forbid the namespaces that it needs.
        let step = self.build("exit 0", folders, None);
        let run = step.run(&limits, &std::sync::atomic::AtomicBool::new(false));
        run.map_err(|error| match error {
            StepError::Failed(how) => {
                let tail = selfplay::config::revision::tail(&log);
                format!("it {how}: {}", tail.trim())
            }
            error => error.to_string(),
        })
    }

    /// Confines nothing.
    pub(super) fn none(readable: Vec<PathBuf>) -> Self {
        Self {
            means: Means::Nothing,
            environment: std::env::vars_os().collect(),
            readable,
            memory: None,
        }
    }

    /// With a limit for the memory of each process of an engine, in bytes.
    pub(super) fn with_memory(self, memory: Option<u64>) -> Self {
        Self { memory, ..self }
    }

    /// By Landlock, by this program, if it works here.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn landlock(program: &Path, readable: Vec<PathBuf>) -> Result<Self, String> {
        let mut sandbox = Self::none(readable);
        sandbox.means = landlock(program)?;
        sandbox.probe().map(|()| sandbox)
    }

    /// Whether what is confined sees no other processes, and other folders in the place of some.
    #[cfg(all(test, target_os = "linux"))]
    pub(super) fn is_bubblewrap(&self) -> bool {
        matches!(self.means, Means::Bubblewrap { .. })
    }

    /// What confines builds and engines, for people.
    pub(super) fn name(&self) -> &'static str {
        match self.means {
            Means::Bubblewrap {
                confine: Some(_), ..
            } => "bubblewrap",
            Means::Bubblewrap { confine: None, .. } => {
                "bubblewrap (fetch steps reach this machine's network)"
            }
            Means::Landlock { signals: true, .. } => "landlock",
            Means::Landlock { ports: true, .. } => {
                "landlock (signals to other processes of the user are not confined)"
            }
            Means::Landlock { .. } => {
                "landlock (signals to other processes of the user are not confined, fetch steps reach this machine's network)"
            }
            Means::Nothing => "none",
        }
    }

    /// The ability of a machine that has it.
    pub(super) fn ability(&self) -> Option<&'static str> {
        match self.means {
            Means::Bubblewrap { .. } => Some("sandbox-bubblewrap"),
            Means::Landlock { .. } => Some("sandbox-landlock"),
            Means::Nothing => None,
        }
    }

    /// A shell command in the source of a build; only one that has a proxy has a network.
    pub(super) fn build(
        &self,
        command: &str,
        folders: BuildFolders<'_>,
        proxy: Option<&FetchProxy>,
    ) -> WorkerStep {
        let (source, home) = match self.means {
            Means::Bubblewrap { .. } => (Path::new(SOURCE), Path::new(HOME)),
            Means::Landlock { .. } | Means::Nothing => (folders.source, folders.home),
        };
        let environment = self.build_environment(home, proxy);
        let mut words: Vec<OsString> = Vec::new();
        match &self.means {
            Means::Bubblewrap { bwrap, confine } => {
                words.push(bwrap.into());
                words.extend(Self::system());
                words.extend(os(["--dir", "/build"]));
                words.extend(temporary(BUILD_TEMPORARY));
                for (from, to) in [(folders.source, source), (folders.home, home)] {
                    words.extend(
                        [OsStr::new("--bind"), from.as_os_str(), to.as_os_str()]
                            .map(OsStr::to_owned),
                    );
                }
                for folder in self.tool_folders() {
                    words.extend(bind(&folder));
                }
                if let (Some(_), Some(program)) = (proxy, confine) {
                    let program = program.as_os_str().to_owned();
                    words.extend(["--ro-bind".into(), program, CONFINE.into()]);
                }
                words.extend(os(ALONE));
                if proxy.is_some() {
                    words.extend(os(["--share-net"]));
                }
                words.extend(os(["--chdir", SOURCE, "--"]));
                if let (Some(proxy), Some(_)) = (proxy, confine) {
                    // The files are those of this sandbox already; the network is the machine's but for this.
                    words.extend(os([CONFINE, "confine", "--write", "/", "--connect"]));
                    words.extend([proxy.port().to_string().into(), "--".into()]);
                }
            }
            Means::Landlock { program, .. } => {
                words.extend(confine(program));
                for path in self.tool_folders() {
                    words.extend([OsString::from("--read"), path.into()]);
                }
                for path in [folders.source, folders.home] {
                    words.extend([OsString::from("--write"), path.into()]);
                }
                if let Some(proxy) = proxy {
                    words.extend(["--connect".into(), proxy.port().to_string().into()]);
                }
                words.push("--".into());
            }
            Means::Nothing => {}
        }
        words.extend(os(["/bin/sh", "-c", command]));
        WorkerStep {
            words,
            environment,
            folder: folders.source.to_owned(),
            log: folders.log.to_owned(),
            watched: [folders.source, folders.home, folders.log]
                .map(Path::to_owned)
                .to_vec(),
        }
    }

    fn build_environment(
        &self,
        home: &Path,
        proxy: Option<&FetchProxy>,
    ) -> Vec<(OsString, OsString)> {
        let passed = self.environment.iter();
        let passed = passed.filter(|(name, _)| PASSED.iter().any(|passed| name == passed));
        let mut all: Vec<(OsString, OsString)> = passed.cloned().collect();
        all.extend(proxy.into_iter().flat_map(FetchProxy::variables));
        let mut set = |name: &str, value: &OsStr| all.push((name.into(), value.to_owned()));
        set("HOME", home.as_os_str());
        if matches!(self.means, Means::Landlock { .. }) {
            // Landlock cannot put another folder in the place of `/tmp`, which all users share.
            set("TMPDIR", home.as_os_str());
        }
        set("CARGO_HOME", home.join("cargo").as_os_str());
        set("GOPATH", home.join("go").as_os_str());
        set("GOCACHE", home.join("go-cache").as_os_str());
        // Otherwise `go` downloads the version that `go.mod` names (https://go.dev/doc/toolchain).
        set("GOTOOLCHAIN", OsStr::new("local"));
        // Go makes the folders of its module cache read-only by default; a build is deleted afterwards.
        set("GOFLAGS", OsStr::new("-modcacherw"));
        set("CARGO_TERM_COLOR", OsStr::new("never"));
        if proxy.is_none() {
            set("CARGO_NET_OFFLINE", OsStr::new("true"));
            set("GOPROXY", OsStr::new("off"));
        }
        // `rustup` looks below HOME, which is the empty one of the build.
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
            // No distribution has all of them; `-try` leaves out what is missing (`bwrap(1)`).
            words.extend(os(["--ro-bind-try", path, path]));
        }
        for name in ETC {
            let path = format!("/etc/{name}");
            words.extend(os(["--ro-bind-try", &path, &path]));
        }
        words
    }

    /// The beginning of a command line whose command has no variables but those kept: the first process of a sandbox
    /// shows its own to all in it, and what engines print is published.
    fn fresh_environment(&self) -> Vec<OsString> {
        if !cfg!(unix) {
            return Vec::new();
        }
        let mut words = os(["/usr/bin/env", "-i", "HOME=/tmp"]);
        let is_kept = |name: &OsString| KEPT.iter().any(|kept| name == kept);
        for (name, value) in self.environment.iter().filter(|(name, _)| is_kept(name)) {
            let mut word = name.clone();
            word.push("=");
            word.push(value);
            words.push(word);
        }
        words
    }

    /// The beginning of a command line whose command is limited as builds are, by `prlimit` of util-linux, and in memory by
    /// the hash table that it is given.
    fn limits(&self, hash_mib: u64) -> Vec<OsString> {
        // A match starts the engine itself, and knows no limits: they are part of the command line.
        let mut words = os(["/usr/bin/prlimit", "--core=0"]);
        words.push(format!("--fsize={ENGINE_FILE}").into());
        words.push(format!("--nproc={ENGINE_PROCESSES}").into());
        let most = hash_mib.saturating_add(ENGINE_ALLOWANCE_MIB);
        let most = most.saturating_mul(1 << 20);
        let most = self.memory.map_or(most, |memory| memory.min(most));
        // Since Linux 4.7 it includes private writable mappings (`setrlimit(2)`), such as hash tables.
        words.push(format!("--data={most}").into());
        words.push("--".into());
        words
    }

    /// How an engine is started that may read its own folder and these.
    pub(super) fn engine(
        &self,
        program: &Path,
        readable: &[PathBuf],
        hash_mib: u64,
        keep: std::sync::Arc<()>,
    ) -> FoundProgram {
        let folder = program.parent().unwrap_or(program);
        let folders = readable.iter().chain(&self.readable).map(PathBuf::as_path);
        let folders = folders.chain([folder]).filter(|path| path.exists());
        let mut words = self.fresh_environment();
        match &self.means {
            Means::Bubblewrap { bwrap, .. } => {
                words.extend(self.limits(hash_mib));
                words.push(bwrap.into());
                words.extend(Self::system());
                words.extend(temporary(ENGINE_TEMPORARY));
                for path in folders {
                    words.extend(bind(path));
                }
                words.extend(os(ALONE));
                words.push("--".into());
            }
            Means::Landlock { program, .. } => {
                words.extend(self.limits(hash_mib));
                words.extend(confine(program));
                for path in folders {
                    words.extend([OsString::from("--read"), path.into()]);
                }
                words.push("--".into());
            }
            Means::Nothing => {}
        }
        words.push(program.into());
        let mut words = words
            .into_iter()
            .map(|word| word.to_string_lossy().into_owned());
        let program = words.next().map(PathBuf::from).unwrap_or_default();
        FoundProgram {
            program,
            arguments: words.collect(),
            keep,
        }
    }
}

/// Folders of temporary files in memory, of at most so many bytes together, and nothing else that can be written.
fn temporary(bytes: u64) -> Vec<OsString> {
    // `--size` applies to the next `--tmpfs` alone (`bwrap(1)`), so that each gets half.
    let each = (bytes / 2).to_string();
    let mut words = os(["--size", &each, "--tmpfs", "/tmp"]);
    words.extend(os(["--size", &each, "--tmpfs", "/dev/shm"]));
    words.extend(os(["--remount-ro", "/dev"]));
    words
}

/// Landlock, if this kernel has enough of it.
#[cfg(target_os = "linux")]
fn landlock(program: &Path) -> Result<Means, String> {
    use super::confine::{Confinement, available};

    let Confinement { signals, ports } = available().map_err(|error| error.to_string())?;
    Ok(Means::Landlock {
        program: program.to_owned(),
        signals,
        ports,
    })
}

#[cfg(not(target_os = "linux"))]
fn landlock(_: &Path) -> Result<Means, String> {
    Err("this system has none".to_owned())
}

/// The beginning of a command line that confines by Landlock: this program, and the system.
fn confine(program: &Path) -> Vec<OsString> {
    let mut words = vec![program.into(), "confine".into()];
    let etc = ETC.iter().map(|name| format!("/etc/{name}"));
    // Others can be seen in `/proc`, but not their variables: Landlock denies `ptrace` access to processes
    // outside (`landlock(7)`), and `/proc/PID/environ` requires it.
    let system = SYSTEM
        .iter()
        .chain(&["/proc"])
        .map(|path| (*path).to_owned());
    for path in system.chain(etc) {
        words.extend(["--read".into(), path.into()]);
    }
    for path in DEVICES {
        words.extend(["--write".into(), path.into()]);
    }
    words
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
