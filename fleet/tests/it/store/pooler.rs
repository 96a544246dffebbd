//! Behind `PgBouncer`: a new one gives each transaction the next free connection; an older one, such as
//! that of Debian 12, can only give each client a connection of its own.

#![expect(clippy::disallowed_methods, reason = "starts PgBouncer")]

use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::process::{Child, Command, Stdio};

use fleet::store::Database;
use tokio::runtime::Runtime;

use super::bench::{Lab, immediate};
use super::rules::all::{Bed, RULES};
use crate::common::{OwnDatabase, own_database, pause};

/// The first version that passes prepared statements on to whatever connection a transaction gets.
const FIRST: (u32, u32) = (1, 21);

struct Bouncer {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl Drop for Bouncer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn program() -> PathBuf {
    let named = std::env::var_os("PGBOUNCER").map(PathBuf::from);
    let usual = ["/usr/sbin/pgbouncer", "/usr/bin/pgbouncer"].map(PathBuf::from);
    let found = named.into_iter().chain(usual).find(|path| path.exists());
    found.expect("PgBouncer is missing: scripts/test installs it")
}

/// Its version, such as 1.24.
fn version(program: &PathBuf) -> (u32, u32) {
    let output = Command::new(program).arg("--version").output();
    let output = output.expect("it can be started").stdout;
    let text = String::from_utf8_lossy(&output);
    let words = text
        .lines()
        .next()
        .and_then(|line| line.split(' ').next_back());
    let mut numbers = words.expect("a version").split('.').map(|number| {
        let digits: String = number.chars().take_while(char::is_ascii_digit).collect();
        digits.parse().unwrap_or(0)
    });
    (numbers.next().unwrap_or(0), numbers.next().unwrap_or(0))
}

/// In front of a database, with more settings, each on a line.
fn start(program: &PathBuf, own: &OwnDatabase, settings: &str) -> Bouncer {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("its number").port();
    drop(listener);
    let (server_port, name) = (own.port(), own.name());
    let config = format!(
        "[databases]\npostgres = host=127.0.0.1 port={server_port} dbname={name} user=owner password=secret\n\
        [pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = {port}\nunix_socket_dir =\n\
        auth_type = any\nignore_startup_parameters = options,extra_float_digits\npidfile =\n{settings}\n"
    );
    let path = folder.path().join("pgbouncer.ini");
    std::fs::write(&path, config).expect("written");
    let mut command = Command::new("setpriv");
    let is_root = Command::new("id").arg("-u").output();
    if is_root.is_ok_and(|id| id.stdout.trim_ascii() == b"0") {
        let chown = Command::new("chown")
            .args(["-R", "postgres"])
            .arg(folder.path())
            .status();
        assert!(chown.is_ok_and(|status| status.success()), "chown");
        command.args(["--reuid=postgres", "--regid=postgres", "--clear-groups"]);
        command.arg(program);
    } else {
        command = Command::new(program);
    }
    command
        .arg(&path)
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let process = command.spawn().expect("PgBouncer can be started");
    while TcpStream::connect(("127.0.0.1", port)).is_err() {
        pause(20);
    }
    Bouncer {
        process,
        port,
        _folder: folder,
    }
}

/// Three connections for all transactions: hardly two come to the same one.
const OF_TRANSACTIONS: &str =
    "pool_mode = transaction\ndefault_pool_size = 3\nserver_round_robin = 1";

fn url(bouncer: &Bouncer) -> String {
    let port = bouncer.port;
    format!("postgres://owner:secret@127.0.0.1:{port}/postgres")
}

#[test]
#[ignore = "long: every rule of the queue holds behind a pooler too"]
fn the_queue_keeps_every_rule_behind_a_pooler() {
    let program = program();
    let settings = if version(&program) >= FIRST {
        format!("{OF_TRANSACTIONS}\nmax_prepared_statements = 200")
    } else {
        // All that an older one can do for us.
        "pool_mode = session\ndefault_pool_size = 20".to_owned()
    };
    let runtime = Runtime::new().expect("a runtime");
    let own = runtime.block_on(own_database());
    let bouncer = start(&program, &own, &settings);
    let lab = Lab::at(&url(&bouncer), own, runtime, immediate(), 10);
    for (name, rule) in RULES {
        println!("{name}");
        rule(&Bed { broker: &lab, name });
    }
}

#[test]
fn a_pooler_that_loses_prepared_statements_is_an_error_at_the_start() {
    let program = program();
    let settings = if version(&program) >= FIRST {
        format!("{OF_TRANSACTIONS}\nmax_prepared_statements = 0")
    } else {
        OF_TRANSACTIONS.to_owned()
    };
    let runtime = Runtime::new().expect("a runtime");
    let own = runtime.block_on(own_database());
    let bouncer = start(&program, &own, &settings);
    let opened = runtime.block_on(Database::open(&url(&bouncer), 10));
    let error = opened.expect_err("it cannot work").to_string();
    assert!(
        error.starts_with("the pooler in front of the database loses prepared statements"),
        "{error}"
    );
}
