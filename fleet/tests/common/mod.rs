//! A private `PostgreSQL` server: in a temporary folder, on a free port of this machine alone, ended
//! when dropped.

#![expect(
    clippy::disallowed_methods,
    reason = "starts a server, waits for it and looks for its files"
)]

use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use tempfile::TempDir;

/// The server, running.
pub(crate) struct Server {
    folder: TempDir,
    port: u16,
    process: Child,
}

const PATIENCE: Duration = Duration::from_mins(1);

impl Server {
    /// Makes a cluster and starts a server on it, with these lines added to its configuration.
    pub(crate) fn start(settings: &str) -> Self {
        Self::start_with(settings, |_| ())
    }

    /// Also with files of its own, made by `prepare` in the folder of its data.
    pub(crate) fn start_with(settings: &str, prepare: impl FnOnce(&Path)) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        std::fs::write(folder.path().join("password"), "secret\n").expect("written");
        give_to_postgres(folder.path());
        let data = folder.path().join("data");
        let mut initdb = as_postgres(&program("initdb"));
        initdb
            .args(["--auth=scram-sha-256", "--username=owner", "--no-sync"])
            .args([
                "--encoding=UTF8",
                "--locale=C.UTF-8",
                "--pwfile=password",
                "-D",
            ])
            .arg(&data)
            .current_dir(folder.path());
        let made = output_of(initdb);
        assert!(made.0, "initdb: {}", made.1);
        let config = data.join("postgresql.conf");
        let lines = std::fs::read_to_string(&config).expect("made by initdb");
        std::fs::write(&config, lines + "\n" + settings + "\n").expect("written");
        prepare(&data);
        give_to_postgres(&data);
        let port = free_port();
        let process = launch(&folder, port);
        let mut server = Self {
            folder,
            port,
            process,
        };
        server.wait_until_ready();
        server
    }

    /// Where its first database is, for its owner.
    pub(crate) fn url(&self) -> String {
        self.url_of("owner:secret", "postgres", "")
    }

    /// For another user, on another database, with options.
    pub(crate) fn url_of(&self, user: &str, database: &str, options: &str) -> String {
        format!(
            "postgres://{user}@127.0.0.1:{}/{database}{options}",
            self.port
        )
    }

    /// Runs SQL as the owner, by `psql`.
    pub(crate) fn sql(&self, sql: &str) -> Result<String, String> {
        self.sql_as("owner:secret", sql)
    }

    pub(crate) fn sql_as(&self, user: &str, sql: &str) -> Result<String, String> {
        let mut psql = Command::new(program("psql"));
        psql.args(["-XqtA", "-v", "ON_ERROR_STOP=1", "-c", sql]);
        psql.arg(self.url_of(user, "postgres", ""));
        let (is_done, text) = output_of(psql);
        if is_done { Ok(text) } else { Err(text) }
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
        self.process = launch(&self.folder, self.port);
        self.wait_until_ready();
    }

    /// Starts it again when it ends: after a crash it will not run while a child of the old one does.
    fn wait_until_ready(&mut self) {
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
                self.process = launch(&self.folder, self.port);
            }
            assert!(
                Instant::now() < end,
                "PostgreSQL does not start: {}",
                self.log()
            );
            pause(50);
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

/// Between two looks at something that takes its time, and for deaths at chosen moments.
pub(crate) fn pause(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}

/// A program of this package, built with the tests.
pub(crate) fn example(name: &str) -> Command {
    let test = std::env::current_exe().expect("a test");
    let folder = test.ancestors().nth(2).expect("target/*/deps/test");
    let path = folder.join("examples").join(name);
    assert!(
        path.exists(),
        "{name} is missing: cargo build -p fleet --examples --all-features"
    );
    Command::new(path)
}

/// Runs a program that must succeed.
pub(crate) fn run(program: &str, arguments: &[&str], folder: &Path) {
    let mut command = Command::new(program);
    command.args(arguments).current_dir(folder);
    let (is_done, text) = output_of(command);
    assert!(is_done, "{program} {arguments:?}: {text}");
}

/// Whether it succeeded, and what it said: its errors if it did not.
fn output_of(mut command: Command) -> (bool, String) {
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

fn launch(folder: &TempDir, port: u16) -> Child {
    let log = std::fs::File::create(folder.path().join("log")).expect("a log");
    let mut server = as_postgres(&program("postgres"));
    server
        .arg("-D")
        .arg(folder.path().join("data"))
        .args(["-h", "127.0.0.1", "-p", &port.to_string()])
        .arg("-k")
        .arg(folder.path())
        .current_dir(folder.path())
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(log);
    server.spawn().expect("PostgreSQL can be started")
}

fn program(name: &str) -> PathBuf {
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
