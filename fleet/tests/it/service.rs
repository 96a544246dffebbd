//! What the service manager learns of a server, and the system of a worker.

#![expect(clippy::disallowed_methods, reason = "starts a server")]

use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::os::unix::net::UnixDatagram;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use uci::ProcessTree;

use crate::common::own_database;

#[tokio::test]
async fn a_server_reports_that_it_is_ready_alive_and_stopping() {
    let database = own_database().await;
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("notify");
    let manager = UnixDatagram::bind(&path).expect("a socket");
    let longest = Some(Duration::from_mins(5));
    manager.set_read_timeout(longest).expect("a deadline");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fleet"));
    command
        .args(["serve", "--addr", "127.0.0.1:0"])
        .env("FLEET_DB", database.url())
        .env("NOTIFY_SOCKET", &path)
        .env("WATCHDOG_USEC", "300000")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let mut server = ProcessTree::spawn(&mut command).expect("it starts");
    let next = || {
        let mut text = [0; 64];
        let length = manager.recv(&mut text).expect("a message in time");
        String::from_utf8_lossy(&text[..length]).trim().to_owned()
    };
    assert_eq!(next(), "READY=1");
    assert_eq!(next(), "WATCHDOG=1");
    assert_eq!(next(), "WATCHDOG=1");
    let term = Command::new("kill").arg(server.id().to_string()).status();
    assert!(term.is_ok_and(|status| status.success()));
    let mut last = next();
    while last == "WATCHDOG=1" {
        last = next();
    }
    assert_eq!(last, "STOPPING=1");
    let end = Instant::now() + Duration::from_mins(5);
    let exit = server.wait(end, || false).expect("it ends");
    assert!(exit.is_success(), "{exit}");
}

/// Other processes of the user can read the variables of a worker, engines and builds among them.
#[test]
fn the_token_leaves_the_variables_of_a_worker() {
    let lab = TcpListener::bind("127.0.0.1:0").expect("a port");
    let address = lab.local_addr().expect("bound");
    let folder = tempfile::tempdir().expect("a folder");
    let mut command = Command::new(env!("CARGO_BIN_EXE_fleet"));
    command
        .args(["worker", &format!("http://{address}"), "--speed", "1"])
        .args(["--unsandboxed", "--as-root", "--cache"])
        .arg(folder.path())
        .env("FLEET_TOKEN", "tsw_secret")
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    let worker = ProcessTree::spawn(&mut command).expect("it starts");
    let (stream, _) = lab.accept().expect("a worker that registers");
    let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
    assert!(lines.any(|line| line == "authorization: Bearer tsw_secret"));
    for file in ["environ", "cmdline"] {
        let text = std::fs::read(format!("/proc/{}/{file}", worker.id())).expect("it runs");
        let text = String::from_utf8_lossy(&text).into_owned();
        assert!(!text.is_empty() && !text.contains("tsw_secret"), "{text}");
    }
}
