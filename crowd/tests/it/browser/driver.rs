//! A browser of a test's own: `chromedriver` on a free port, ended with the test.

use std::fs;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::mpsc;
use std::thread;
use std::time::Duration;

use fantoccini::{Client, ClientBuilder};
use hyper_util::client::legacy::connect::HttpConnector;
use serde_json::{Map, Value, json};
use tempfile::TempDir;

/// How often the driver is started where it ends at once.
const ATTEMPTS: usize = 5;
/// How long the driver may take to start; the machine may be busy with other tests.
const START: Duration = Duration::from_mins(5);

/// How long it may take to end its browser.
const END: Duration = Duration::from_secs(10);

/// Chromium without windows: it starts in a fifth of the time, of wall and of CPU. The driver waits for a page, and gives it none.
const BROWSER: &str = "#!/bin/sh\nexec chromium-headless-shell \"$@\" about:blank\n";

const FLAGS: [&str; 9] = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--disable-dev-shm-usage",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--force-prefers-reduced-motion",
];

/// A running driver. What it started ends when this is dropped.
pub(crate) struct Driver {
    child: Child,
    port: u16,
    profiles: TempDir,
}

impl Driver {
    pub(crate) fn start() -> Self {
        let (child, port) = (0..ATTEMPTS)
            .find_map(|_| listening())
            .expect("the driver says its port");
        let profiles = tempfile::tempdir().expect("a folder for profiles");
        program(&profiles.path().join("browser"));
        Self {
            child,
            port,
            profiles,
        }
    }

    /// A new browser with a profile of its own, so with no cookies and nothing stored.
    pub(crate) async fn browser(&self, name: &str) -> Client {
        let profile = self.profiles.path().join(name);
        let mut flags: Vec<String> = FLAGS.map(str::to_owned).to_vec();
        flags.push(format!("--user-data-dir={}", profile.display()));
        let options = json!({ "args": flags, "binary": self.profiles.path().join("browser") });
        let wanted = Map::from_iter([("goog:chromeOptions".to_owned(), options)]);
        let mut builder = ClientBuilder::new(HttpConnector::new());
        builder.capabilities(wanted);
        let url = format!("http://127.0.0.1:{}", self.port);
        builder.connect(&url).await.expect("a browser starts")
    }

    /// Asks the driver to end its browsers and itself.
    fn shut_down(&self) -> std::io::Result<()> {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
        stream.set_read_timeout(Some(END))?;
        stream
            .write_all(b"GET /shutdown HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n")?;
        stream.read_to_end(&mut Vec::new())?;
        Ok(())
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // What does not end when it is asked to is killed.
        let _ = self.shut_down();
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Writes what the driver starts.
#[expect(clippy::disallowed_methods, reason = "the program is written")]
fn program(path: &Path) {
    fs::write(path, BROWSER).expect("our folder");
    fs::set_permissions(path, fs::Permissions::from_mode(0o755)).expect("our file");
}

#[expect(
    clippy::disallowed_methods,
    reason = "the tests start the driver of the browser"
)]
fn command() -> Child {
    Command::new("chromedriver")
        .arg("--port=0")
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .expect("chromedriver is installed; Debian's package is chromium-driver")
}

/// A driver, with its port; none where it has ended: the port that it chose for IPv4 may be in use for IPv6.
fn listening() -> Option<(Child, u16)> {
    let mut child = command();
    let out = child.stdout.take().expect("it was asked for");
    let port = port_of(out);
    if port.is_none() {
        // It may live on without a word.
        let _ = child.kill();
        let _ = child.wait();
    }
    Some((child, port?))
}

/// The port it says it listens on.
fn port_of(out: ChildStdout) -> Option<u16> {
    let (found, port) = mpsc::channel();
    thread::spawn(move || {
        for line in BufReader::new(out).lines().map_while(Result::ok) {
            if let Some(port) = port_in(&line) {
                // The test may have given up by now.
                let _ = found.send(port);
            }
        }
    });
    port.recv_timeout(START).ok()
}

/// The number in `ChromeDriver was started successfully on port 40123.`
fn port_in(line: &str) -> Option<u16> {
    let (_, port) = line.split_once("started successfully on port ")?;
    port.trim_end_matches('.').parse().ok()
}

/// A value as it is printed when something is not as it should be.
pub(crate) fn pretty(value: &Value) -> String {
    serde_json::to_string_pretty(value).unwrap_or_default()
}
