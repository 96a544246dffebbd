//! A lab for tests: a database, two servers behind a balancer, accounts and tokens.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::PermissionsExt as _;
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use fleet::model::AccountId;
use fleet::people::tokens::{TokenKind, new_token};
use fleet::store::Database;
use fleet::store::work::{PutOptions, Work};
use kit::Interrupt;
use queue::{BrokerError, Chunk, Job, LabClient, RetryPolicy};
use tempfile::TempDir;
use testkit::programs::scripted_engine;

use super::PATIENCE;
use super::faults::{Disk, Faults};
use super::proxy::Balancer;
use crate::common::{self, Server};

/// By how many seconds the clocks of the servers are ahead in a rough lab, and those of the workers in turn.
const SERVER_CLOCKS: [i32; 2] = [5 * 3600, -3 * 3600];
const WORKER_CLOCKS: [i32; 3] = [0, 2 * 3600, -26 * 3600];

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

/// What a lab stands on.
pub(crate) struct Site {
    database: Server,
    faults: Faults,
    /// That of the database, where it can be full; then no clock is right either.
    pub(crate) disk: Option<Disk>,
    /// Between the servers and the database, where it can go silent.
    pub(crate) network: Option<Balancer>,
}

pub(crate) struct Lab {
    pub(crate) site: Site,
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
    /// Where only people do wrong: so many honest workers, and liars of other owners.
    pub(crate) fn calm(workers: usize, liars: usize) -> Self {
        let site = Site {
            database: Server::quick(),
            faults: Faults::new(),
            disk: None,
            network: None,
        };
        Self::start(site, [workers, liars])
    }

    /// Where anything may happen: the database survives crashes, its disk can be full, no clock is right, and the
    /// seed decides what the network does in a storm.
    pub(crate) fn rough(workers: usize, seed: u64) -> Self {
        let faults = Faults::new();
        let disk = faults.disk("database", None);
        let database = Server::with_environment(disk.environment.clone());
        let site = Site {
            database,
            faults,
            disk: Some(disk),
            network: None,
        };
        let lab = Self::start(site, [workers, 0]);
        lab.balancer.reseed(seed);
        lab
    }

    /// Whose database is far away.
    pub(crate) fn remote(workers: usize) -> Self {
        let database = Server::quick();
        let network = Balancer::new(vec![database.port()]);
        let site = Site {
            database,
            faults: Faults::new(),
            disk: None,
            network: Some(network),
        };
        Self::start(site, [workers, 0])
    }

    fn start(site: Site, [workers, liars]: [usize; 2]) -> Self {
        let ports = [free_port(), free_port()].to_vec();
        let balancer = Balancer::new(ports.clone());
        let token = |kind| new_token(kind).expect("random bytes");
        let mut lab = Self {
            site,
            servers: Vec::new(),
            ports,
            balancer,
            author: token(TokenKind::Account),
            workers: (0..workers).map(|_| token(TokenKind::Worker)).collect(),
            liars: (0..liars).map(|_| token(TokenKind::Worker)).collect(),
            folder: TempDir::new().expect("a folder"),
            outputs: AtomicUsize::new(0),
        };
        for folder in ["engines", "outputs"] {
            std::fs::create_dir(lab.folder.path().join(folder)).expect("new");
        }
        std::fs::copy(scripted_engine(), lab.engine()).expect("a copy");
        for number in 0..2 {
            let server = lab.server(number);
            lab.servers.push(server);
        }
        lab.wait_until_ready();
        lab.people();
        lab
    }

    /// The one program that workers may start: it moves by chance, the same each time on the same board.
    pub(crate) fn engine(&self) -> PathBuf {
        self.folder.path().join("engines/engine")
    }

    /// Where the balancer is.
    pub(crate) fn url(&self) -> String {
        format!("http://127.0.0.1:{}", self.balancer.port)
    }

    pub(crate) fn sql(&self, sql: &str) -> String {
        self.site
            .database
            .sql(sql)
            .expect("good SQL")
            .trim()
            .to_owned()
    }

    pub(crate) fn liar_token(&self, number: usize) -> String {
        self.liars[number].clone()
    }

    pub(crate) fn worker_token(&self, number: usize) -> String {
        self.workers[number].clone()
    }

    /// Where a server is, without the balancer.
    pub(crate) fn port(&self, number: usize) -> u16 {
        self.ports[number]
    }

    /// Calls the lab for the author until it answers.
    pub(crate) fn ask<T>(&self, call: impl Fn(&LabClient) -> Result<T, BrokerError>) -> T {
        let client = queue::connect(&self.url(), &self.author).expect("a good URL");
        let retry = RetryPolicy {
            most: PATIENCE,
            interrupt: &Interrupt::default(),
            report: &|_| {},
        };
        retry.ask(|| call(&client)).expect("an answer")
    }

    /// Waits until something is so.
    pub(crate) fn wait(&self, what: &str, mut is_so: impl FnMut(&Self) -> bool) {
        let end = Instant::now() + PATIENCE;
        while !is_so(self) {
            assert!(Instant::now() < end, "never {what}");
            common::pause(50);
        }
    }

    /// Whether a program of the lab has printed this.
    pub(crate) fn has_printed(&self, text: &str) -> bool {
        let outputs = self.folder.path().join("outputs");
        let mut outputs = outputs.read_dir().expect("our folder").flatten();
        outputs.any(|output| {
            let bytes = std::fs::read(output.path()).expect("an output");
            String::from_utf8_lossy(&bytes).contains(text)
        })
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
        let (url, port) = (
            self.site.database.url(),
            format!(":{}/", self.site.database.port()),
        );
        let url = match &self.site.network {
            Some(network) => url.replace(&port, &format!(":{}/", network.port)),
            None => url,
        };
        command.env("FLEET_DB", url);
        command.env("FLEET_LOG", "warn");
        if self.site.disk.is_some() {
            command.envs(self.site.faults.clock(SERVER_CLOCKS[number]));
        }
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
        self.site.database.crash_and_restart();
    }

    /// Waits for the database, which may have ended by itself as it found no room.
    pub(crate) fn recover_database(&mut self) {
        self.site.database.wait_until_ready();
    }

    /// A worker; who had this name before is gone by `kill -9`.
    pub(crate) fn worker(&self, number: usize) -> Program {
        let clock = WORKER_CLOCKS[number % WORKER_CLOCKS.len()];
        let faults = self
            .site
            .disk
            .as_ref()
            .map(|_| self.site.faults.clock(clock));
        self.worker_with(number, faults.unwrap_or_default())
    }

    /// A worker whose cache is on a disk of its own.
    pub(crate) fn worker_on_disk(&self, number: usize) -> (Program, Disk) {
        let disk = self
            .site
            .faults
            .disk(&format!("cache-{number}"), Some(&self.cache(number)));
        // What it starts has none of its variables.
        let programs = self.folder.path().join(format!("programs-{number}"));
        std::fs::create_dir(&programs).expect("new");
        let variable = |(name, value): &(&str, PathBuf)| format!("{name}='{}' ", value.display());
        let variables: String = disk.environment.iter().map(variable).collect();
        let script = format!("#!/bin/sh\nPATH=${{PATH#*:}}\n{variables}exec git \"$@\"\n");
        let git = programs.join("git");
        std::fs::write(&git, script).expect("new");
        let runs = std::fs::Permissions::from_mode(0o755);
        std::fs::set_permissions(git, runs).expect("ours");
        let mut path = programs.into_os_string();
        path.push(":");
        path.push(std::env::var_os("PATH").expect("programs are found"));
        let mut environment = disk.environment.clone();
        environment.push(("PATH", path.into()));
        (self.worker_with(number, environment), disk)
    }

    fn cache(&self, number: usize) -> PathBuf {
        self.folder.path().join(format!("cache-{number}"))
    }

    fn worker_with(&self, number: usize, environment: Vec<(&'static str, PathBuf)>) -> Program {
        let mut command = Command::new(env!("CARGO_BIN_EXE_fleet"));
        command.args(["worker", &self.url(), "--cores", "1", "--speed", "1000000"]);
        // The tests may run as root.
        command.arg("--as-root");
        command.args(["--lease", "2s", "--unsandboxed", "--cache"]);
        command.arg(self.cache(number)).arg("--engines");
        command.arg(self.folder.path().join("engines"));
        command.env("FLEET_TOKEN", &self.workers[number]);
        command.envs(environment);
        self.spawn(command)
    }

    /// `perft count` of the start position on this lab.
    pub(crate) fn count(&self, depth: &str) -> Program {
        self.tool("perft", &["count", depth])
    }

    /// Adds a job that no test has.
    pub(crate) fn put(&self, job: &Job, chunks: Vec<Chunk>) {
        let runtime = tokio::runtime::Runtime::new().expect("a runtime");
        runtime.block_on(async {
            let url = self.site.database.url();
            let database = Database::open(&url, 2).await.expect("a database");
            let work = Work::open(database).await.expect("a queue");
            let options = PutOptions::default();
            let put = work.begin_put(AccountId(1), job, options).await;
            let mut put = put.expect("a new job");
            put.add(chunks).await.expect("all units");
            put.finish().await.expect("all units");
        });
    }

    /// A program of the workspace that submits a test to this lab, and waits for it. It finds other programs among the
    /// files of the author.
    pub(crate) fn tool(&self, program: &str, arguments: &[&str]) -> Program {
        let mut command = Command::new(common::neighbour(program));
        command.env("PATH", self.folder.path());
        command.args(arguments).args(["--lab", &self.url()]);
        command.env("FLEET_TOKEN", &self.author);
        self.spawn(command)
    }

    /// A file of the author.
    pub(crate) fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, text).expect("our folder");
        path
    }

    fn spawn(&self, mut command: Command) -> Program {
        let number = self.outputs.fetch_add(1, Ordering::Relaxed);
        let output = format!("outputs/{number}");
        let output = self.folder.path().join(output);
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
