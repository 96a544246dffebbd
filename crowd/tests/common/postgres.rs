//! A private `PostgreSQL` server: in a temporary folder, on a free port of this machine alone, ended when dropped.
//! Tests of several crates start it; each uses a part.

#![expect(
    clippy::disallowed_methods,
    reason = "starts a server, waits for it and looks for its files"
)]
#![allow(dead_code, reason = "every file of tests uses a part of it")]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

pub(crate) struct Server {
    folder: TempDir,
    owner: Owner,
    port: u16,
    environment: Environment,
    process: Child,
}

/// Variables that a server is started with.
pub(crate) type Environment = Vec<(&'static str, PathBuf)>;

const PATIENCE: Duration = Duration::from_mins(1);

/// Who owns the server, and the databases.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Owner {
    /// `postgres`; the server believes everybody.
    Trusted,
    /// `owner`, by the password `secret`; the server wants passwords.
    ByPassword,
}

impl Server {
    /// Makes a cluster and starts a server on it, which asks for no passwords; with `fsync` it survives a crash of
    /// its own.
    pub(crate) fn start(fsync: bool) -> Self {
        let settings = if fsync { "fsync = on" } else { "fsync = off" };
        Self::new(Owner::Trusted, settings, Environment::new(), |_| ())
    }

    /// One that asks for passwords, with these lines added to its configuration, and files of its own, made by
    /// `prepare` in the folder of its data.
    pub(crate) fn with_passwords(settings: &str, prepare: impl FnOnce(&Path)) -> Self {
        Self::new(Owner::ByPassword, settings, Environment::new(), prepare)
    }

    /// One that asks for passwords and survives a crash, started with these variables each time.
    pub(crate) fn with_environment(environment: Environment) -> Self {
        Self::new(Owner::ByPassword, "", environment, |_| ())
    }

    fn new(
        owner: Owner,
        settings: &str,
        environment: Environment,
        prepare: impl FnOnce(&Path),
    ) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        std::fs::write(folder.path().join("password"), "secret\n").expect("written");
        give_to_postgres(folder.path());
        let data = folder.path().join("data");
        make_cluster(owner, &data, folder.path());
        let config = data.join("postgresql.conf");
        let lines = std::fs::read_to_string(&config).expect("made by initdb");
        std::fs::write(&config, lines + "\n" + settings + "\n").expect("written");
        prepare(&data);
        give_to_postgres(&data);
        let port = free_port();
        let process = launch(&folder, port, &environment);
        let mut server = Self {
            folder,
            owner,
            port,
            environment,
            process,
        };
        server.wait_until_ready();
        server
    }

    /// Where its first database is, for its owner.
    pub(crate) fn url(&self) -> String {
        let user = match self.owner {
            Owner::Trusted => "postgres",
            Owner::ByPassword => "owner:secret",
        };
        self.url_of(user, "postgres", "")
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// For another user, on another database, with options.
    pub(crate) fn url_of(&self, user: &str, database: &str, options: &str) -> String {
        format!(
            "postgres://{user}@127.0.0.1:{}/{database}{options}",
            self.port
        )
    }

    /// Kills the server and all its children as a crash would, and starts it again on the same files.
    pub(crate) fn crash_and_restart(&mut self) {
        let postmaster = self.process.id();
        for child in children(postmaster) {
            kill("KILL", child);
        }
        kill("KILL", postmaster);
        self.restart();
    }

    /// Ends it as the system does that goes down, without waiting for anybody.
    pub(crate) fn end_at_once_and_restart(&mut self) {
        kill("QUIT", self.process.id());
        self.restart();
    }

    fn restart(&mut self) {
        self.process.wait().expect("it is our child");
        // A lock of a dead postmaster would be taken over; but another may have its number by now.
        let _ = std::fs::remove_file(self.folder.path().join("data/postmaster.pid"));
        self.process = launch(&self.folder, self.port, &self.environment);
        self.wait_until_ready();
    }

    /// Starts it again when it ends: after a crash it will not run while a child of the old one does.
    pub(crate) fn wait_until_ready(&mut self) {
        let ready = program("pg_isready");
        let end = Instant::now() + PATIENCE;
        loop {
            let port = self.port.to_string();
            let mut asked = Command::new(&ready);
            asked.args(["-q", "-h", "127.0.0.1", "-p", &port]);
            if asked.status().is_ok_and(|status| status.success()) {
                return;
            }
            if self.process.try_wait().is_ok_and(|ended| ended.is_some()) {
                self.process = launch(&self.folder, self.port, &self.environment);
            }
            assert!(
                Instant::now() < end,
                "PostgreSQL does not start: {}",
                self.log()
            );
            std::thread::sleep(Duration::from_millis(50));
        }
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        kill("INT", self.process.id());
        let _ = self.process.wait();
    }
}

fn make_cluster(owner: Owner, data: &Path, folder: &Path) {
    let (name, way) = match owner {
        Owner::Trusted => ("--username=postgres", "--auth=trust"),
        Owner::ByPassword => ("--username=owner", "--auth=scram-sha-256"),
    };
    let mut initdb = as_postgres(&program("initdb"));
    initdb
        .args([name, way, "--pwfile=password", "--no-sync"])
        .args(["--encoding=UTF8", "--locale=C.UTF-8", "-D"])
        .arg(data)
        .current_dir(folder);
    let (is_done, text) = output_of(initdb);
    assert!(is_done, "initdb: {text}");
}

/// Whether it succeeded, and what it said: its errors if it did not.
pub(crate) fn output_of(mut command: Command) -> (bool, String) {
    let output = command.stdin(Stdio::null()).output();
    let output = output.expect("it can be started");
    let is_done = output.status.success();
    let text = if is_done {
        output.stdout
    } else {
        output.stderr
    };
    (is_done, String::from_utf8_lossy(&text).into_owned())
}

fn launch(folder: &TempDir, port: u16, environment: &Environment) -> Child {
    let log = std::fs::File::create(folder.path().join("log")).expect("a log");
    let mut server = as_postgres(&program("postgres"));
    server
        .arg("-D")
        .arg(folder.path().join("data"))
        .args(["-h", "127.0.0.1", "-p", &port.to_string()])
        .arg("-k")
        .arg(folder.path())
        .current_dir(folder.path())
        .envs(environment.iter().map(|(name, value)| (name, value)))
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    server.spawn().expect("PostgreSQL can be started")
}

pub(crate) fn program(name: &str) -> PathBuf {
    let versions = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten();
    let folders = versions.flatten().map(|version| version.path().join("bin"));
    let mut programs: Vec<PathBuf> = folders.map(|folder| folder.join(name)).collect();
    programs.retain(|program| program.exists());
    programs.sort();
    let newest = programs.pop();
    newest.expect("PostgreSQL is installed: the package `postgresql` of Debian")
}

/// The server will not run as root; then it runs as the user `postgres`, which the package made.
fn as_postgres(program: &Path) -> Command {
    if !is_root() {
        return Command::new(program);
    }
    let mut command = Command::new("setpriv");
    command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
    command.arg(program);
    command
}

fn is_root() -> bool {
    let asked = Command::new("id").arg("-u").output();
    asked.is_ok_and(|asked| asked.stdout.trim_ascii() == b"0")
}

fn give_to_postgres(folder: &Path) {
    if is_root() {
        let mut chown = Command::new("chown");
        let given = chown.args(["-R", "postgres:postgres"]).arg(folder).status();
        assert!(given.is_ok_and(|status| status.success()), "chown");
    }
}

fn kill(signal: &str, process: u32) {
    let name = format!("-{signal}");
    let sent = Command::new("kill")
        .args([&name, &process.to_string()])
        .output();
    sent.expect("kill can be run");
}

fn children(process: u32) -> Vec<u32> {
    let found = Command::new("ps")
        .args(["-o", "pid=", "--ppid", &process.to_string()])
        .output();
    let found = found.expect("ps can be run").stdout;
    let text = String::from_utf8_lossy(&found);
    let words = text.split_ascii_whitespace();
    words.filter_map(|word| word.parse().ok()).collect()
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("its number").port()
}
