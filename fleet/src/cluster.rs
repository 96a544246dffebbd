//! A private cluster of `PostgreSQL` in a folder, made of the programs that are installed: for a lab that has no server of
//! its own. An edge: it starts programs and keeps files.
//!
//! In the folder are `data`, whole or absent; `run`, with the socket that alone leads to the database; `log`; and `lock`, which
//! the program holds whose child the database's server is.
#![expect(
    clippy::disallowed_methods,
    reason = "the edge starts programs, looks for them and keeps files"
)]

use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::time::{Duration, Instant};

use kit::BadInput;
use rustix::process::{Pid, Signal, kill_process};

/// The oldest version that a lab works with.
const OLDEST: u32 = 15;
/// The owner of the cluster, who is believed: only one user of the machine reaches the socket.
const ROLE: &str = "lab";
/// The database, which every new cluster has.
const DATABASE: &str = "postgres";
/// How long the server may take to start: after a crash, it reads what was not written.
const TO_START: Duration = Duration::from_mins(5);
/// How long it may take to end before it is ended at once; it then reads its log at the next start.
const TO_END: Duration = Duration::from_mins(1);
/// The programs that are started, which one folder has.
const PROGRAMS: [&str; 6] = [
    "initdb",
    "postgres",
    "pg_ctl",
    "pg_isready",
    "pg_dump",
    "pg_restore",
];
const TICK: Duration = Duration::from_millis(20);
/// The longest path of a folder whose socket still has a name (`unix(7)`: 108 bytes).
// `/run/.s.PGSQL.5432` takes 18 of them.
const LONGEST: usize = 80;

/// Why there is no cluster.
#[derive(Debug, thiserror::Error)]
pub(crate) enum ClusterError {
    #[error(
        "PostgreSQL {OLDEST} or newer is not installed: install it, such as by 'apt-get install postgresql', or give \
         --db, the address of a server"
    )]
    NotInstalled,
    #[error(
        "{folder} is of PostgreSQL {found}, and installed is {installed}. Install version {found}; to change to another: \
         'fleet save lab.dump --data {folder}' with it, then 'fleet restore lab.dump --data' with a new folder"
    )]
    OtherVersion {
        folder: String,
        found: String,
        installed: String,
    },
    #[error("another server uses {0}")]
    InUse(String),
    #[error("{what}: {source}")]
    System { what: String, source: io::Error },
    #[error("{program} failed: {reason}")]
    Failed { program: String, reason: String },
}

fn at(path: &Path) -> impl Fn(io::Error) -> ClusterError + use<> {
    let what = path.display().to_string();
    move |source| ClusterError::System {
        what: what.clone(),
        source,
    }
}

/// A cluster that runs as long as this exists.
pub(crate) struct PrivateCluster {
    place: ClusterPlace,
    /// None if another program runs it.
    server: Option<(Child, File)>,
}

/// Where a cluster is, and who runs it with which programs.
#[derive(Clone, Debug)]
struct ClusterPlace {
    folder: PathBuf,
    programs: PathBuf,
    /// User and group, if this program runs as root, as which `PostgreSQL` does not.
    owner: Option<(u32, u32)>,
}

impl PrivateCluster {
    /// Starts the cluster in a folder, which is made if it is missing. Called by the main thread: the server ends when
    /// the thread does that started it, by a signal, too.
    ///
    /// # Errors
    /// `PostgreSQL` is not installed, or in another version; the folder is in use; the server does not start.
    pub(crate) fn start(folder: &Path) -> anyhow::Result<Self> {
        let place = ClusterPlace::find(folder)?;
        let lock = place.lock()?;
        let lock = lock.ok_or_else(|| ClusterError::InUse(place.shown()))?;
        let server = Some((place.start()?, lock));
        Ok(Self { place, server })
    }

    /// The cluster in a folder: the running one, or started for as long as this exists.
    ///
    /// # Errors
    /// As for [`Self::start`]; there is no cluster.
    pub(crate) fn join(folder: &Path) -> anyhow::Result<Self> {
        if !is_there(folder) {
            let shown = folder.display();
            let message = format!("{shown} has no lab: 'fleet serve --data' makes one");
            return Err(BadInput(message).into());
        }
        let place = ClusterPlace::find(folder)?;
        let server = match place.lock()? {
            Some(lock) => Some((place.start()?, lock)),
            None => None,
        };
        Ok(Self { place, server })
    }

    /// Its address, with the folder of the socket as the host.
    pub(crate) fn url(&self) -> String {
        let run = self.place.run().display().to_string();
        let run = percent_encoding::utf8_percent_encode(&run, percent_encoding::NON_ALPHANUMERIC);
        format!("postgres://{ROLE}@localhost/{DATABASE}?host={run}")
    }

    /// Writes all that the lab knows to a file.
    ///
    /// # Errors
    /// The file cannot be written.
    pub(crate) fn save(&self, to: &Path) -> Result<(), ClusterError> {
        let mut options = File::options();
        options.write(true).create(true).truncate(true);
        // The file is made here and not by `pg_dump`, to give it its mode: it has the digests of passwords,
        // tokens and sessions.
        let new = options.mode(0o600).open(to).map_err(at(to))?;
        let mut dump = self.place.client("pg_dump");
        dump.args(["--no-password", "--format=custom", "--no-owner", DATABASE]);
        dump.stdin(Stdio::null()).stdout(new);
        done("pg_dump", dump.output())
    }

    /// Reads what [`Self::save`] wrote into a cluster that is new.
    ///
    /// # Errors
    /// The file is none of those.
    pub(crate) fn restore(&self, from: &Path) -> Result<(), ClusterError> {
        let file = File::open(from).map_err(at(from))?;
        let mut restore = self.place.client("pg_restore");
        // A file that breaks off leaves an empty database, and not a part of the lab.
        restore.args([
            "--no-password",
            "--no-owner",
            "--exit-on-error",
            "--single-transaction",
        ]);
        restore.args(["--dbname", DATABASE]).stdin(file);
        done("pg_restore", restore.output())
    }

    /// Ends the cluster, and deletes it.
    pub(crate) fn delete(self) {
        let place = self.place.clone();
        drop(self);
        // What cannot be deleted stays: the reason why it is to be deleted is what people need to know.
        for folder in [place.data(), place.run()] {
            let _ = fs::remove_dir_all(folder);
        }
        for file in ["lock", "log"] {
            let _ = fs::remove_file(place.folder.join(file));
        }
        // Somebody else's files in it stay.
        let _ = fs::remove_dir(&place.folder);
    }
}

impl Drop for PrivateCluster {
    fn drop(&mut self) {
        let Some((server, _lock)) = &mut self.server else {
            return;
        };
        // "Fast", then "immediate", as `pg_ctl stop` calls them: at SIGTERM, PostgreSQL waits until all clients
        // have gone.
        for signal in [Signal::INT, Signal::QUIT] {
            let process = i32::try_from(server.id()).ok().and_then(Pid::from_raw);
            let _ = process.map(|process| kill_process(process, signal));
            let end = Instant::now() + TO_END;
            while Instant::now() < end {
                if !matches!(server.try_wait(), Ok(None)) {
                    return;
                }
                std::thread::sleep(TICK);
            }
        }
    }
}

/// Whether a folder has a cluster already.
pub(crate) fn is_there(folder: &Path) -> bool {
    folder.join("data").is_dir()
}

impl ClusterPlace {
    fn find(folder: &Path) -> anyhow::Result<Self> {
        let folder = std::path::absolute(folder).map_err(at(folder))?;
        if folder.as_os_str().len() > LONGEST {
            let message = format!(
                "--data: {} has {} bytes, expected at most {LONGEST}: it has a socket, whose name is short",
                folder.display(),
                folder.as_os_str().len()
            );
            return Err(BadInput(message).into());
        }
        let installed = installed();
        // Since version 10, the file has the major version alone.
        let version = fs::read_to_string(folder.join("data/PG_VERSION")).ok();
        let version = version.map(|text| text.trim().to_owned());
        let newest = installed.last().ok_or(ClusterError::NotInstalled)?;
        let found = match &version {
            None => Some(newest),
            Some(version) => installed.iter().find(|one| one.0.to_string() == *version),
        };
        let (_, programs) = found.ok_or_else(|| {
            let all: Vec<String> = installed.iter().map(|one| one.0.to_string()).collect();
            ClusterError::OtherVersion {
                folder: folder.display().to_string(),
                found: version.unwrap_or_default(),
                installed: all.join(", "),
            }
        })?;
        let programs = programs.clone();
        fs::create_dir_all(&folder).map_err(at(&folder))?;
        let mut place = Self {
            owner: None,
            programs,
            folder,
        };
        if rustix::process::geteuid().is_root() {
            place.give_away()?;
        }
        Ok(place)
    }

    /// Makes the folder another user's: its owner's, or else `postgres`, whom the package makes.
    fn give_away(&mut self) -> Result<(), ClusterError> {
        let about = self.folder.metadata().map_err(at(&self.folder))?;
        let owner = if about.uid() == 0 {
            ["postgres", "nobody"].into_iter().find_map(user)
        } else {
            Some((about.uid(), about.gid()))
        };
        let owner = owner.ok_or_else(|| ClusterError::Failed {
            program: "looking for another user".to_owned(),
            reason: "PostgreSQL does not run as root, and there is no user postgres".to_owned(),
        })?;
        let (user, group) = owner;
        let given = std::os::unix::fs::chown(&self.folder, Some(user), Some(group));
        given.map_err(at(&self.folder))?;
        self.owner = Some(owner);
        Ok(())
    }

    fn shown(&self) -> String {
        self.folder.display().to_string()
    }

    fn data(&self) -> PathBuf {
        self.folder.join("data")
    }

    fn run(&self) -> PathBuf {
        self.folder.join("run")
    }

    /// Takes the lock of the folder; `None` if another program has it.
    fn lock(&self) -> Result<Option<File>, ClusterError> {
        let path = self.folder.join("lock");
        selfplay::config::revision::lock(&path, || true, || {}).map_err(at(&path))
    }

    /// A program of the server, as its owner. Where it can be, it ends with the thread that starts it.
    fn server_program(&self, name: &str) -> Command {
        let program = self.programs.join(name);
        let by_setpriv = cfg!(target_os = "linux") && Path::new("/usr/bin/setpriv").exists();
        if !by_setpriv {
            let mut command = Command::new(program);
            if let Some((user, group)) = self.owner {
                command.uid(user).gid(group);
            }
            command.current_dir("/");
            return command;
        }
        let mut command = Command::new("/usr/bin/setpriv");
        // SIGINT is the fast shutdown: a database without its program serves nobody.
        command.args(["--pdeathsig", "INT"]);
        if let Some((user, group)) = self.owner {
            command.arg(format!("--reuid={user}"));
            command.arg(format!("--regid={group}"));
            command.arg("--clear-groups");
        }
        // The owner may have no access to the folder in which root has started this program.
        command.arg("--").arg(program).current_dir("/");
        command
    }

    /// A client program of `PostgreSQL`, connected to this cluster.
    fn client(&self, name: &str) -> Command {
        let mut command = Command::new(self.programs.join(name));
        command.arg("--host").arg(self.run());
        command.args(["--username", ROLE]);
        command
    }

    /// Makes the cluster if it is missing, and starts its server.
    fn start(&self) -> Result<Child, ClusterError> {
        let (data, run) = (self.data(), self.run());
        if !data.is_dir() {
            self.make(&data)?;
        }
        if !run.is_dir() {
            fs::create_dir(&run).map_err(at(&run))?;
        }
        // Only the owner of the folder and root reach the socket.
        fs::set_permissions(&run, fs::Permissions::from_mode(0o700)).map_err(at(&run))?;
        if let Some((user, group)) = self.owner {
            std::os::unix::fs::chown(&run, Some(user), Some(group)).map_err(at(&run))?;
        }
        self.end_orphan(&data)?;
        let path = self.folder.join("log");
        let log = File::options().create(true).append(true).open(&path);
        let log = log.map_err(at(&path))?;
        let mut postgres = self.server_program("postgres");
        postgres.arg("-D").arg(&data).arg("-k").arg(&run);
        postgres.args([
            "-c",
            // Nobody is asked for a password: the only way in is the socket, whose folder is the owner's.
            "listen_addresses=",
            "-c",
            "unix_socket_permissions=0700",
        ]);
        // Ctrl-C is for this program, which ends it when nobody needs it any more.
        postgres.process_group(0).stdin(Stdio::null());
        postgres.stdout(Stdio::null()).stderr(log);
        let mut child = postgres.spawn().map_err(at(&self.programs))?;
        let end = Instant::now() + TO_START;
        loop {
            let mut asked = self.client("pg_isready");
            asked.arg("--quiet").stdin(Stdio::null());
            let answer = asked.output().map_err(at(&self.programs))?;
            if answer.status.success() {
                return Ok(child);
            }
            let ended = child.try_wait().map_err(at(&path))?;
            if ended.is_some() || Instant::now() > end {
                let _ = child.kill();
                return Err(ClusterError::Failed {
                    program: "postgres".to_owned(),
                    reason: format!(
                        "{}\n{}",
                        path.display(),
                        selfplay::config::revision::tail(&path)
                    ),
                });
            }
            std::thread::sleep(TICK);
        }
    }

    /// Beside its place first, so that it is whole or absent.
    fn make(&self, data: &Path) -> Result<(), ClusterError> {
        let new = self.folder.join("data.new");
        if new.exists() {
            fs::remove_dir_all(&new).map_err(at(&new))?;
        }
        let mut initdb = self.server_program("initdb");
        initdb.arg("-D").arg(&new);
        // With C, no index depends on the collations of libc, which change with its versions (PostgreSQL
        // wiki, "Locale data changes").
        initdb.args(["-U", ROLE, "--auth=trust", "--encoding=UTF8", "--locale=C"]);
        done("initdb", initdb.stdin(Stdio::null()).output())?;
        fs::rename(&new, data).map_err(at(data))
    }

    /// A server whose program was killed may still be ending; only one may run, and nobody else started it, for this
    /// program has the lock.
    fn end_orphan(&self, data: &Path) -> Result<(), ClusterError> {
        let mut status = self.server_program("pg_ctl");
        status
            .arg("status")
            .arg("-D")
            .arg(data)
            .stdin(Stdio::null());
        if !status.output().is_ok_and(|answer| answer.status.success()) {
            return Ok(());
        }
        let mut stop = self.server_program("pg_ctl");
        stop.args(["stop", "--mode=fast", "--wait"])
            .arg("-D")
            .arg(data);
        done("pg_ctl stop", stop.stdin(Stdio::null()).output())
    }
}

fn done(program: &str, output: io::Result<Output>) -> Result<(), ClusterError> {
    let output = output.map_err(at(Path::new(program)))?;
    if output.status.success() {
        return Ok(());
    }
    let program = program.to_owned();
    let reason = String::from_utf8_lossy(&output.stderr).trim().to_owned();
    Err(ClusterError::Failed { program, reason })
}

/// User and group of a name.
fn user(name: &str) -> Option<(u32, u32)> {
    let users = fs::read_to_string("/etc/passwd").ok()?;
    let mut users = users
        .lines()
        .map(|line| line.split(':').collect::<Vec<_>>());
    let found = users.find(|fields| fields.first() == Some(&name))?;
    Some((found.get(2)?.parse().ok()?, found.get(3)?.parse().ok()?))
}

/// The installed versions that a lab works with, with the folders of their programs, the newest last.
fn installed() -> Vec<(u32, PathBuf)> {
    // Debian keeps each version in `/usr/lib/postgresql/N/bin`, the packages of PostgreSQL for Red Hat in
    // `/usr/pgsql-N/bin`: neither is in the `PATH`.
    let mut folders: Vec<PathBuf> = Vec::new();
    for (parent, below) in [("/usr/lib/postgresql", "bin"), ("/usr", "bin")] {
        let entries = fs::read_dir(parent).into_iter().flatten().flatten();
        let is_one = |path: &PathBuf| {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            parent != "/usr" || name.starts_with("pgsql-")
        };
        let entries = entries.map(|entry| entry.path()).filter(is_one);
        folders.extend(entries.map(|path| path.join(below)));
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    folders.extend(std::env::split_paths(&path));
    // A folder of the `PATH` may have links to some of the programs; the others are beside the real one.
    let real = |folder: PathBuf| {
        let postgres = folder.join("postgres").canonicalize().ok()?;
        postgres.parent().map(Path::to_owned)
    };
    let mut folders: Vec<PathBuf> = folders.into_iter().filter_map(real).collect();
    folders.retain(|folder| PROGRAMS.iter().all(|name| folder.join(name).is_file()));
    let mut found: Vec<(u32, PathBuf)> = folders
        .into_iter()
        .filter_map(|folder| Some((version(&folder)?, folder)))
        .filter(|(version, _)| *version >= OLDEST)
        .collect();
    found.sort();
    found.dedup();
    found
}

/// `postgres (PostgreSQL) 17.2 (Debian 17.2-1)` is of version 17.
fn version(programs: &Path) -> Option<u32> {
    let asked = Command::new(programs.join("postgres"))
        .arg("--version")
        .output();
    let text = String::from_utf8(asked.ok()?.stdout).ok()?;
    let number = text.split_whitespace().nth(2)?;
    let major: String = number.chars().take_while(char::is_ascii_digit).collect();
    major.parse().ok()
}
