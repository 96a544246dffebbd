//! Private servers of `PostgreSQL`: each in a temporary folder, on a free port of this machine alone, ended when dropped;
//! and databases for tests that share one. Tests of several crates use them, each a part.

#![expect(
    clippy::disallowed_methods,
    reason = "starts a server, waits for it and looks for its files"
)]
#![allow(dead_code, reason = "every file of tests uses a part of it")]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::{Arc, Weak};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::sync::Mutex;

pub(crate) struct Server {
    folder: TempDir,
    port: u16,
    environment: Environment,
    process: Child,
}

/// Variables that a server is started with.
pub(crate) type Environment = Vec<(&'static str, PathBuf)>;

const PATIENCE: Duration = Duration::from_mins(5);

/// What a server needs that loses all with its first crash, and serves a handful of small databases: little.
/// Commits stay synchronous, which is cheap without fsync: index entries of dead rows are passed over only once
/// the commit that made them dead is written.
const QUICK: &str = "fsync = off\nfull_page_writes = off\nwal_level = minimal\n\
    max_wal_senders = 0\nshared_buffers = 32MB\nautovacuum = off";

impl Server {
    /// One that loses what it has when it crashes and believes everybody, and so is quick.
    pub(crate) fn quick() -> Self {
        Self::new("trust", QUICK, Environment::new())
    }

    /// One that survives a crash, and wants the owner's password.
    pub(crate) fn safe() -> Self {
        Self::with_environment(Environment::new())
    }

    /// The same, started with these variables each time.
    pub(crate) fn with_environment(environment: Environment) -> Self {
        Self::new("scram-sha-256", "", environment)
    }

    fn new(auth: &str, settings: &str, environment: Environment) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        std::fs::write(folder.path().join("password"), "secret\n").expect("written");
        give_to_postgres(folder.path());
        let data = folder.path().join("data");
        make_cluster(auth, &data, folder.path());
        let config = data.join("postgresql.conf");
        let lines = std::fs::read_to_string(&config).expect("made by initdb");
        std::fs::write(&config, lines + "\n" + settings + "\n").expect("written");
        let port = free_port();
        let process = launch(&folder, port, &environment);
        let mut server = Self {
            folder,
            port,
            environment,
            process,
        };
        server.wait_until_ready();
        server
    }

    /// Where its first database is, for its owner.
    pub(crate) fn url(&self) -> String {
        self.url_of("postgres")
    }

    /// Where one of its databases is, for its owner.
    pub(crate) fn url_of(&self, database: &str) -> String {
        format!("postgres://owner:secret@127.0.0.1:{}/{database}", self.port)
    }

    /// Runs SQL on its first database, by `psql`.
    pub(crate) fn sql(&self, sql: &str) -> Result<String, String> {
        psql(&self.url(), sql)
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
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
            std::thread::sleep(Duration::from_millis(20));
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

fn make_cluster(auth: &str, data: &Path, folder: &Path) {
    let auth = format!("--auth={auth}");
    let mut initdb = as_postgres(&program("initdb"));
    initdb
        .args(["--username=owner", &auth, "--pwfile=password", "--no-sync"])
        .args(["--encoding=UTF8", "--locale=C.UTF-8", "-D"])
        .arg(data)
        .current_dir(folder);
    let (is_done, text) = output_of(initdb);
    assert!(is_done, "initdb: {text}");
}

/// The server that tests share which run at the same time, while any of them needs it, and the number of databases
/// that were made: a cluster takes more than a second of CPU time, a copy of a database a twentieth of one.
static SHARED: Mutex<(Weak<Server>, u32)> = Mutex::const_new((Weak::new(), 0));
/// The database that is copied: nobody is connected to it.
const ORIGINAL: &str = "original";

/// A database of a test's own. The server is not, unless the test has brought it: it must not be stopped, nor
/// configured.
pub(crate) struct OwnDatabase {
    server: Arc<Server>,
    name: String,
}

impl OwnDatabase {
    /// An empty one.
    pub(crate) async fn empty() -> Self {
        Self::copy_of("template0", async |_| ()).await
    }

    /// A copy of what `prepare` makes, once for all tests of a program, in the empty database at an address.
    pub(crate) async fn copy(prepare: impl AsyncFnOnce(String)) -> Self {
        Self::copy_of(ORIGINAL, prepare).await
    }

    async fn copy_of(template: &str, prepare: impl AsyncFnOnce(String)) -> Self {
        let (known, number) = &mut *SHARED.lock().await;
        let server = known.upgrade().unwrap_or_else(|| {
            let server = Arc::new(Server::quick());
            *known = Arc::downgrade(&server);
            server
        });
        let is_there = format!("select count(*) from pg_database where datname = '{template}'");
        if server.sql(&is_there).expect("good SQL").trim() == "0" {
            server
                .sql(&format!("create database {template}"))
                .expect("a database");
            prepare(server.url_of(template)).await;
        }
        *number += 1;
        let name = format!("test_{number}");
        let copied = server.sql(&format!(
            "create database {name} template {template} strategy file_copy"
        ));
        copied.expect("a copy");
        Self { server, name }
    }

    /// The first database of a server of a test's own.
    pub(crate) fn on(server: Server) -> Self {
        Self {
            server: Arc::new(server),
            name: "postgres".to_owned(),
        }
    }

    /// The server, if it is the test's own.
    pub(crate) fn server(&mut self) -> &mut Server {
        Arc::get_mut(&mut self.server).expect("the test has brought it")
    }

    pub(crate) fn name(&self) -> &str {
        &self.name
    }

    pub(crate) fn port(&self) -> u16 {
        self.server.port
    }

    /// Where it is, for its owner.
    pub(crate) fn url(&self) -> String {
        self.url_of(&self.name)
    }

    /// Where another database of the server is.
    pub(crate) fn url_of(&self, database: &str) -> String {
        self.server.url_of(database)
    }

    /// Runs SQL as the owner, by `psql`.
    pub(crate) fn sql(&self, sql: &str) -> Result<String, String> {
        psql(&self.url(), sql)
    }
}

/// Runs SQL on a database; returns what it prints, or its errors.
fn psql(url: &str, sql: &str) -> Result<String, String> {
    let mut psql = Command::new(program("psql"));
    psql.args(["-XqtA", "-v", "ON_ERROR_STOP=1", "-c", sql, url]);
    let (is_done, text) = output_of(psql);
    if is_done { Ok(text) } else { Err(text) }
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
