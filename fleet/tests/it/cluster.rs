//! A lab that keeps everything in a folder: made, killed, started again, saved and restored.

#![expect(
    clippy::disallowed_methods,
    reason = "starts servers, kills them and looks for what they leave"
)]

use std::io::{BufRead as _, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};

use crate::common::{output_of, pause};

/// A server, which ends when dropped.
struct Served(Child);

impl Served {
    /// Once it listens.
    fn start(data: &Path) -> Self {
        let mut command = fleet(&["serve", "--addr", "127.0.0.1:0"], data);
        let mut child = command
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("it starts");
        let mut line = String::new();
        let output = child.stdout.take().expect("a pipe");
        BufReader::new(output).read_line(&mut line).expect("text");
        assert!(line.starts_with("listening on "), "{line:?}");
        Self(child)
    }

    fn signal(&mut self, name: &str) -> std::process::ExitStatus {
        let process = self.0.id().to_string();
        let sent = Command::new("kill").args([name, &process]).status();
        assert!(sent.is_ok_and(|status| status.success()));
        self.0.wait().expect("it ends")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

fn fleet(words: &[&str], data: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_fleet"));
    command.args(words).arg("--data").arg(data);
    command.env_remove("FLEET_DB");
    command
}

fn says(words: &[&str], data: &Path) -> String {
    let (is_done, text) = output_of(fleet(words, data));
    assert!(is_done, "{words:?}: {text}");
    text
}

fn fails(words: &[&str], data: &Path) -> String {
    let (is_done, text) = output_of(fleet(words, data));
    assert!(!is_done, "{words:?}: {text}");
    text
}

/// The database's server, while it runs.
fn postmaster(data: &Path) -> Option<u32> {
    let text = std::fs::read_to_string(data.join("data/postmaster.pid")).ok()?;
    let process: u32 = text.lines().next()?.parse().ok()?;
    let command = std::fs::read_to_string(format!("/proc/{process}/cmdline")).ok()?;
    command.contains("postgres").then_some(process)
}

/// A folder that the user of the database comes to.
fn folder() -> tempfile::TempDir {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = tempfile::tempdir().expect("a folder");
    let open = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(folder.path(), open).expect("ours");
    folder
}

#[test]
fn a_lab_in_a_folder_survives_its_server() {
    let folder = folder();
    let data = folder.path().join("lab");
    let mut served = Served::start(&data);
    // Beside the server.
    let link = says(&["account", "add", "ada"], &data);
    assert!(link.contains("/link#"), "{link}");
    let second = fails(&["serve", "--addr", "127.0.0.1:0"], &data);
    assert!(second.contains("another server uses"), "{second}");
    assert!(postmaster(&data).is_some());
    served.signal("-KILL");
    // The database's server goes with it, at once or at the next start.
    let mut served = Served::start(&data);
    assert!(says(&["account", "list"], &data).contains("ada"));
    assert!(served.signal("-TERM").success());
    assert_eq!(postmaster(&data), None);
    // Without a server.
    assert!(says(&["account", "list"], &data).contains("ada"));
    assert_eq!(postmaster(&data), None);
    // Nobody else comes to the socket.
    let about = std::fs::metadata(data.join("run")).expect("made");
    assert_eq!(
        std::os::unix::fs::PermissionsExt::mode(&about.permissions()) & 0o777,
        0o700
    );
    killed_with_its_program(&data);
}

#[cfg(target_os = "linux")]
fn killed_with_its_program(data: &Path) {
    let mut served = Served::start(data);
    let process = postmaster(data).expect("it runs");
    served.signal("-KILL");
    // Some minutes end a hang.
    for _ in 0..3000 {
        if postmaster(data) != Some(process) {
            return;
        }
        pause(100);
    }
    panic!("the database's server is left");
}

#[cfg(not(target_os = "linux"))]
fn killed_with_its_program(_: &Path) {}

#[test]
fn a_lab_in_a_folder_is_saved_and_restored() {
    let folder = folder();
    let [old, new] = ["old", "new"].map(|name| folder.path().join(name));
    let file = folder.path().join("lab.dump");
    let file = file.to_str().expect("a temporary folder");
    let missing = fails(&["save", file], &old);
    assert!(missing.contains("has no lab"), "{missing}");
    assert!(!old.exists());
    let served = Served::start(&old);
    says(&["account", "add", "ada"], &old);
    says(&["save", file], &old);
    drop(served);
    let about = std::fs::metadata(file).expect("saved");
    let mode = std::os::unix::fs::PermissionsExt::mode(&about.permissions());
    assert_eq!(mode & 0o777, 0o600);
    // What came after is not in the file.
    says(&["account", "add", "bob"], &old);
    let there = fails(&["restore", file], &old);
    assert!(
        there.contains("has a lab: expected a new folder"),
        "{there}"
    );
    // A file that breaks off leaves the place free for the next attempt.
    let whole = std::fs::read(file).expect("saved");
    let torn = folder.path().join("torn.dump");
    std::fs::write(&torn, &whole[..whole.len() / 2]).expect("written");
    let failed = fails(
        &["restore", torn.to_str().expect("a temporary folder")],
        &new,
    );
    assert!(failed.contains("pg_restore failed"), "{failed}");
    assert!(!new.exists());
    says(&["restore", file], &new);
    let _served = Served::start(&new);
    let accounts = says(&["account", "list"], &new);
    assert!(
        accounts.contains("ada") && !accounts.contains("bob"),
        "{accounts}"
    );
}

#[test]
fn folders_of_other_versions_are_left_alone() {
    let folder = folder();
    let data = folder.path().join("lab");
    std::fs::create_dir_all(data.join("data")).expect("new");
    std::fs::write(data.join("data/PG_VERSION"), "9\n").expect("new");
    let text = fails(&["serve", "--addr", "127.0.0.1:0"], &data);
    for expected in [
        "is of PostgreSQL 9, and installed is 1",
        "fleet save",
        "fleet restore",
    ] {
        assert!(text.contains(expected), "{text}");
    }
    let long = folder.path().join("x".repeat(80));
    let text = fails(&["serve", "--addr", "127.0.0.1:0"], &long);
    assert!(text.contains("expected at most 80"), "{text}");
}
