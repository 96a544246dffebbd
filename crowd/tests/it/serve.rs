//! `crowd serve` as a program: what it prints, how it ends, what it refuses.

use std::io::{BufRead as _, BufReader, Read as _};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::postgres;
use crate::common::web::Person;
use crate::common::web::client::Client;

fn crowd(folder: &Path, options: &[&str]) -> Child {
    crowd_with(None, folder, options)
}

/// With the filter of the log.
#[expect(clippy::disallowed_methods, reason = "the program is what is tested")]
fn crowd_with(log: Option<&str>, folder: &Path, options: &[&str]) -> Child {
    Command::new(env!("CARGO_BIN_EXE_crowd"))
        .current_dir(folder)
        .env_remove("CROWD_DB")
        .env_remove("CROWD_ADMIN_TOKEN")
        .env_remove("CROWD_LOG")
        .envs(log.map(|filter| ("CROWD_LOG", filter)))
        .arg("serve")
        .args(options)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .expect("the program starts")
}

/// The address that the program prints.
fn address(child: &mut Child) -> SocketAddr {
    let mut line = String::new();
    let out = child.stdout.as_mut().expect("piped");
    BufReader::new(out).read_line(&mut line).expect("a line");
    let address = line.strip_prefix("listening on http://");
    let address = address.and_then(|address| address.trim().parse().ok());
    address.unwrap_or_else(|| panic!("'{line}' names no address"))
}

#[expect(clippy::disallowed_methods, reason = "a signal is sent from outside")]
fn signal(child: &Child, name: &str) {
    let sent = Command::new("kill")
        .args([name, &child.id().to_string()])
        .status();
    assert!(sent.expect("kill runs").success());
}

/// How it ended, and what it said on standard error.
fn ended(mut child: Child) -> (Option<i32>, String) {
    let status = child.wait().expect("it ends");
    let mut said = String::new();
    let error = child.stderr.as_mut().expect("piped");
    error.read_to_string(&mut said).expect("text");
    (status.code(), said)
}

#[tokio::test]
async fn serves_until_a_signal_comes() {
    for (name, code) in [("-INT", 130), ("-TERM", 0)] {
        let folder = TempDir::new().expect("a folder");
        let mut child = crowd(folder.path(), &["--addr", "127.0.0.1:0"]);
        let addr = address(&mut child);
        let mut client = Person(Client::new(addr));
        let ready = client.get("/readyz").await;
        assert_eq!(ready.text(), "ready\n");
        assert!(folder.path().join("crowd.sqlite").exists());
        signal(&child, name);
        let (status, said) = ended(child);
        assert_eq!(status, Some(code), "{said}");
        assert!(said.contains("no token for moderators"), "{said}");
    }
}

#[tokio::test]
async fn json_logs_have_a_line_for_each_request() {
    let folder = TempDir::new().expect("a folder");
    let contact = "mailto:security@crowd.example";
    let options = ["--addr", "127.0.0.1:0", "--log-format", "json"];
    let options = [&options[..], &["--security-contact", contact]].concat();
    let mut child = crowd(folder.path(), &options);
    let mut client = Person(Client::new(address(&mut child)));
    let file = client.get("/.well-known/security.txt").await;
    let expected = format!("Contact: {contact}\nExpires: 2");
    assert!(file.text().starts_with(&expected), "{}", file.text());
    let missing = client.get("/there-is-no-such-page").await;
    let ids = [&file, &missing].map(|answer| answer.header("x-request-id").to_owned());
    assert_ne!(ids[0], ids[1]);
    signal(&child, "-TERM");
    let (_, said) = ended(child);
    let lines = said.lines().map(serde_json::from_str);
    let lines: Vec<Value> = lines
        .collect::<Result<_, _>>()
        .expect("a JSON object a line");
    let routes = ["/.well-known/security.txt", "none"];
    for ((id, route), status) in ids.iter().zip(routes).zip([200, 404]) {
        let of_it: Vec<_> = lines
            .iter()
            .filter(|line| line["span"]["id"] == **id)
            .collect();
        let [line] = of_it[..] else {
            panic!("{said}");
        };
        assert_eq!(
            (&line["status"], &line["span"]["route"]),
            (&json!(status), &json!(route))
        );
        assert!(line["ms"].as_f64().is_some_and(|ms| ms > 0.0), "{line}");
        assert!(
            line["timestamp"].is_string() && line["span"]["method"] == "GET",
            "{line}"
        );
    }
}

#[tokio::test]
async fn what_was_acknowledged_is_there_after_a_restart() {
    let folder = TempDir::new().expect("a folder");
    let mut child = crowd(folder.path(), &["--addr", "127.0.0.1:0"]);
    let mut person = Person(Client::new(address(&mut child)));
    let entry = serde_json::json!({"name": "Ada"});
    let entered = person.post("/api/v1/session", &entry).await;
    assert_eq!(entered.status, 201);
    signal(&child, "-TERM");
    ended(child);
    let mut child = crowd(folder.path(), &["--addr", "127.0.0.1:0"]);
    let mut again = Person(Client::new(address(&mut child)));
    again.0.cookie.clone_from(&person.0.cookie);
    let me = again.get("/api/v1/me").await.json();
    assert_eq!(me["name"], "Ada");
    signal(&child, "-TERM");
    ended(child);
}

/// One server serves a database; the next ends with an error, and may follow when the first is
/// killed.
#[expect(clippy::disallowed_methods, reason = "the wait has a deadline")]
fn one_at_a_time(options: &[&str]) {
    let folder = TempDir::new().expect("a folder");
    let options = [&["--addr", "127.0.0.1:0"], options].concat();
    let mut first = crowd(folder.path(), &options);
    address(&mut first);
    let (status, said) = ended(crowd(folder.path(), &options));
    assert_eq!(status, Some(3), "{said}");
    let expected = "another server uses this database (";
    assert!(said.contains(expected), "{said}");
    signal(&first, "-KILL");
    ended(first);
    let deadline = Instant::now() + Duration::from_mins(5);
    loop {
        let mut next = crowd(folder.path(), &options);
        let is_up = next.stdout.as_mut().is_some_and(|out| {
            let mut line = String::new();
            let read = BufReader::new(out).read_line(&mut line);
            read.expect("text") > 0
        });
        if is_up {
            signal(&next, "-TERM");
            assert_eq!(ended(next).0, Some(0));
            return;
        }
        // The database notices the end of a connection a moment later.
        let (_, said) = ended(next);
        assert!(said.contains(expected), "{said}");
        assert!(Instant::now() < deadline, "the lock outlives a kill");
    }
}

#[test]
fn two_servers_do_not_share_a_file() {
    one_at_a_time(&[]);
}

#[tokio::test]
async fn two_servers_do_not_share_a_postgres() {
    let own = postgres::OwnDatabase::empty().await;
    one_at_a_time(&["--db", &own.url()]);
}

fn refused(options: &[&str], code: i32, text: &str) {
    let folder = TempDir::new().expect("a folder");
    let (status, said) = ended(crowd(folder.path(), options));
    assert_eq!(status, Some(code), "{said}");
    assert!(said.contains(text), "{said}");
}

#[test]
fn a_filter_that_is_none_is_reported() {
    let folder = TempDir::new().expect("a folder");
    let (status, said) = ended(crowd_with(Some("=="), folder.path(), &[]));
    assert_eq!(status, Some(2), "{said}");
    assert!(said.contains("CROWD_LOG: '==' is not a filter"), "{said}");
}

#[test]
fn a_port_that_is_taken_is_reported() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    let addr = taken.local_addr().expect("an address").to_string();
    refused(&["--addr", &addr], 3, &format!("cannot listen on {addr}"));
}

#[test]
fn a_database_that_cannot_be_opened_is_reported() {
    let addr = ["--addr", "127.0.0.1:0", "--db"];
    let with = |db| [addr[0], addr[1], addr[2], db];
    refused(
        &with("sqlite:///no/such/folder/x.sqlite"),
        3,
        "/no/such/folder/x.sqlite",
    );
    let address = "'mysql://…@here/x' is not the address of a database";
    refused(&with("mysql://me:secret@here/x"), 2, address);
}

#[test]
fn a_token_that_can_be_guessed_is_refused() {
    let folder = TempDir::new().expect("a folder");
    let file = folder.path().join("token");
    std::io::Write::write_all(
        &mut std::fs::OpenOptions::new()
            .create_new(true)
            .write(true)
            .open(&file)
            .expect("a file"),
        b"short\n",
    )
    .expect("written");
    let file = file.display().to_string();
    let options = ["--addr", "127.0.0.1:0", "--admin-token-file", file.as_str()];
    let text = format!("{file}: line 1: the admin token has 5 characters");
    refused(&options, 2, &text);
    refused(
        &["--admin-token-file", "/no/such/file"],
        2,
        "cannot read /no/such/file",
    );
    let address = "security@crowd.example";
    refused(&["--security-contact", address], 2, "expected mailto:");
}
