//! What the service manager learns of a server.

#![expect(clippy::disallowed_methods, reason = "starts a server")]

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
