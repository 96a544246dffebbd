//! A private `PostgreSQL` server: in a temporary folder, on a free port of this machine alone, ended when dropped.

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
    fsync: bool,
    process: Child,
}

const PATIENCE: Duration = Duration::from_mins(1);

impl Server {
    /// Makes a cluster and starts a server on it; with `fsync` it survives a crash of its own.
    pub(crate) fn start(fsync: bool) -> Self {
        let folder = TempDir::new().expect("a temporary folder");
        hand_over(folder.path());
        let data = folder.path().join("data");
        let mut initdb = as_postgres(&program("initdb"));
        initdb.args([
            "--auth=trust",
            "--username=postgres",
            "--no-sync",
            "-E",
            "UTF8",
            "-D",
        ]);
        let made = initdb.arg(&data).current_dir(folder.path()).output();
        let made = made.expect("initdb can be run");
        assert!(
            made.status.success(),
            "{}",
            String::from_utf8_lossy(&made.stderr)
        );
        let port = free_port();
        let process = launch(&folder, port, fsync);
        let mut server = Self {
            folder,
            port,
            fsync,
            process,
        };
        server.wait_until_ready();
        server
    }

    /// Where its first database is.
    pub(crate) fn url(&self) -> String {
        format!("postgres://postgres@127.0.0.1:{}/postgres", self.port)
    }

    /// Kills the server and all its children as a crash would, and starts it again on the same files.
    pub(crate) fn crash_and_restart(&mut self) {
        let postmaster = self.pid().expect("the server runs");
        for child in children(postmaster) {
            kill("KILL", child);
        }
        kill("KILL", postmaster);
        self.process.wait().expect("it is our child");
        let lock = self.folder.path().join("data/postmaster.pid");
        // A postmaster that finds the lock of a dead one takes it over; the file need not be there.
        let _ = std::fs::remove_file(lock);
        self.process = launch(&self.folder, self.port, self.fsync);
        self.wait_until_ready();
    }

    fn pid(&self) -> Option<u32> {
        let lock = self.folder.path().join("data/postmaster.pid");
        let text = std::fs::read_to_string(lock).ok()?;
        text.lines().next()?.trim().parse().ok()
    }

    /// Starts it again when it ends: after a crash it will not run while a child of the old one still does.
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
                self.process = launch(&self.folder, self.port, self.fsync);
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
        if let Some(pid) = self.pid() {
            kill("INT", pid);
        } else {
            let _ = self.process.kill();
        }
        let _ = self.process.wait();
    }
}

fn launch(folder: &TempDir, port: u16, fsync: bool) -> Child {
    let log = std::fs::File::create(folder.path().join("log")).expect("a log");
    let mut server = as_postgres(&program("postgres"));
    server
        .arg("-D")
        .arg(folder.path().join("data"))
        .args(["-h", "127.0.0.1", "-p", &port.to_string()])
        .arg("-k")
        .arg(folder.path())
        .args(["-c", if fsync { "fsync=on" } else { "fsync=off" }])
        .args(["-c", "max_connections=100"])
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
    if is_root() {
        let mut command = Command::new("setpriv");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        command.arg(program);
        command
    } else {
        Command::new(program)
    }
}

fn is_root() -> bool {
    let asked = Command::new("id").arg("-u").output();
    asked.is_ok_and(|asked| asked.stdout.trim_ascii() == b"0")
}

fn hand_over(folder: &Path) {
    if is_root() {
        let given = Command::new("chown")
            .arg("postgres:postgres")
            .arg(folder)
            .status();
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
    text.split_ascii_whitespace()
        .filter_map(|word| word.parse().ok())
        .collect()
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.local_addr().expect("its number").port()
}
