//! A lab for tests: a database, two servers behind a balancer, accounts and tokens.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fleet::people::tokens::{TokenKind, new_token};
use tempfile::TempDir;

use crate::common::{self, Server};
use crate::proxy::Balancer;

/// A program that is killed when it is not wanted any more.
pub(crate) struct Program {
    child: Child,
    output: PathBuf,
}

impl Program {
    pub(crate) fn is_running(&mut self) -> bool {
        self.child.try_wait().expect("our child").is_none()
    }

    /// What it printed, on both streams, and its exit code.
    pub(crate) fn end(mut self) -> (String, Option<i32>) {
        let status = self.child.wait().expect("our child");
        let text = std::fs::read_to_string(&self.output).expect("its output");
        (text, status.code())
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

pub(crate) struct Lab {
    database: Server,
    servers: Vec<Program>,
    ports: Vec<u16>,
    pub(crate) balancer: Balancer,
    author: String,
    workers: Vec<String>,
    liars: Vec<String>,
    folder: TempDir,
    outputs: AtomicUsize,
}

impl Lab {
    /// With so many honest workers, and liars of other owners.
    pub(crate) fn start(workers: usize, liars: usize) -> Self {
        let database = common::safe_server();
        let ports = [free_port(), free_port()].to_vec();
        let balancer = Balancer::new(ports.clone(), 11);
        let token = |kind| new_token(kind).expect("random bytes");
        let mut lab = Self {
            database,
            servers: Vec::new(),
            ports,
            balancer,
            author: token(TokenKind::Account),
            workers: (0..workers).map(|_| token(TokenKind::Worker)).collect(),
            liars: (0..liars).map(|_| token(TokenKind::Worker)).collect(),
            folder: TempDir::new().expect("a folder"),
            outputs: AtomicUsize::new(0),
        };
        for number in 0..2 {
            let server = lab.server(number);
            lab.servers.push(server);
        }
        lab.wait_until_ready();
        lab.people();
        lab
    }

    /// Where the balancer is.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.balancer.port)
    }

    pub(crate) fn sql(&self, sql: &str) -> String {
        self.database.sql(sql).expect("good SQL").trim().to_owned()
    }

    pub(crate) fn liar_token(&self, number: usize) -> String {
        self.liars[number].clone()
    }

    fn people(&self) {
        self.sql(
            "insert into lab.accounts (name, role) values ('ada', 'maintainer'), ('ben', 'author'), ('cem', 'author')",
        );
        self.sql(&format!(
            "insert into lab.account_tokens (account, name, hash) select id, 'test', sha256('{}') from lab.accounts where name = 'ada'",
            self.author
        ));
        let workers = self.workers.iter().enumerate();
        let workers = workers.map(|(number, token)| ("ada", format!("worker-{number}"), token));
        let liars = self.liars.iter().enumerate();
        let liars =
            liars.map(|(number, token)| (["ben", "cem"][number], format!("liar-{number}"), token));
        for (owner, name, token) in workers.chain(liars) {
            self.sql(&format!(
                "insert into lab.workers (owner, name, hash) select id, '{name}', sha256('{token}') from lab.accounts where name = '{owner}'"
            ));
        }
    }

    fn server(&self, number: usize) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fleet"));
        let address = format!("127.0.0.1:{}", self.ports[number]);
        command.args(["serve", "--addr", &address]);
        command.env("FLEET_DB", self.database.url());
        command.env("FLEET_LOG", "warn");
        self.spawn(command)
    }

    fn wait_until_ready(&self) {
        let end = Instant::now() + Duration::from_mins(1);
        for port in &self.ports {
            while !is_ready(*port) {
                assert!(Instant::now() < end, "the server does not start");
                common::pause(20);
            }
        }
    }

    pub(crate) fn kill_server(&mut self, number: usize) {
        // Dropped first, so that its port is free.
        drop(self.servers.remove(number));
        let server = self.server(number);
        self.servers.insert(number, server);
    }

    pub(crate) fn crash_database(&mut self) {
        self.database.crash_and_restart();
    }

    /// A worker; who had this name before is gone by `kill -9`.
    pub(crate) fn worker(&self, number: usize) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fleet"));
        let cache = self.folder.path().join(format!("cache-{number}"));
        command.args([
            "worker",
            &self.url(),
            "--cores",
            "1",
            "--speed",
            "1000000",
            "--lease",
            "2s",
            "--cache",
        ]);
        command.arg(cache).env("FLEET_TOKEN", &self.workers[number]);
        self.spawn(command)
    }

    /// `perft count` of the start position on this lab.
    pub(crate) fn count(&self, arguments: &[&str]) -> Program {
        let mut command = Command::new(common::neighbour("perft"));
        command.arg("count").args(arguments);
        command
            .args(["--fleet", &self.url()])
            .env("FLEET_TOKEN", &self.author);
        self.spawn(command)
    }

    fn spawn(&self, mut command: Command) -> Program {
        let number = self.outputs.fetch_add(1, Ordering::Relaxed);
        let output = self.folder.path().join(format!("output-{number}"));
        let file = std::fs::File::create(&output).expect("a file");
        let other = file.try_clone().expect("the same file");
        command.stdin(Stdio::null()).stdout(file).stderr(other);
        let child = command.spawn().expect("it can be started");
        Program { child, output }
    }
}

/// Whether a server answers: it listens before its database is up to date.
fn is_ready(port: u16) -> bool {
    let asked = || -> std::io::Result<String> {
        let mut server = TcpStream::connect(("127.0.0.1", port))?;
        server.set_read_timeout(Some(Duration::from_secs(5)))?;
        server.write_all(b"GET /readyz HTTP/1.1\r\nhost: lab\r\nconnection: close\r\n\r\n")?;
        let mut answer = String::new();
        server.read_to_string(&mut answer)?;
        Ok(answer)
    };
    asked().is_ok_and(|answer| answer.starts_with("HTTP/1.1 200"))
}

fn free_port() -> u16 {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    listener.local_addr().expect("bound").port()
}
