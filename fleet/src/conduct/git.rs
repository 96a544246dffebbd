//! What a server asks a repository: which commit a revision is, and what the commit says of itself.
//! An edge: it starts `git`, with deadlines and limits.

use std::io::{self, Read as _};
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use epd::bench::signature::{Stated, from_message};
use selfplay::lab::plan::is_commit;
use uci::ProcessTree;

use crate::recipe;

/// How long a repository may take to list its branches.
const TO_LIST: Duration = Duration::from_secs(30);
/// How long it may take to send one commit.
const TO_FETCH: Duration = Duration::from_mins(2);
/// The longest output that is read, in bytes.
const OUTPUT: u64 = 32 << 20;
/// Options of git that give up a server which sends less than 1,000 bytes a second for 30 s.
const SLOW: [&str; 4] = [
    "-c",
    "http.lowSpeedLimit=1000",
    "-c",
    "http.lowSpeedTime=30",
];

/// Why a repository did not answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum GitError {
    /// There is no such branch, tag or commit.
    #[error("there is no branch or tag '{revision}' in {url}; of a commit, give the whole hash")]
    NoRevision {
        /// The revision.
        revision: String,
        /// The repository.
        url: String,
    },
    /// The commit is on no branch and under no tag: one that is not pushed yet, of a pull request, or of a fork that the
    /// forge keeps in the same place. The maintainer who approved the repository has not approved those.
    #[error("commit {commit} is on no branch and under no tag of {url}")]
    NotReachable {
        /// The commit.
        commit: String,
        /// The repository.
        url: String,
    },
    /// `git` failed, or did not end in time.
    #[error("git {what} {url}: {reason}")]
    Failed {
        /// The command.
        what: &'static str,
        /// The repository.
        url: String,
        /// Its last line of output, or what happened.
        reason: String,
    },
}

/// What a commit says of itself.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct CommitFacts {
    /// The nodes of its bench, by its message.
    pub bench: Option<u64>,
    /// The text of its `touchstone.toml`.
    pub recipe: Option<String>,
}

/// The commit of a branch, a tag or another reference; a whole hash stands for itself.
///
/// # Errors
/// There is no such reference; the repository cannot be reached.
pub fn resolve(url: &str, revision: &str) -> Result<String, GitError> {
    if is_commit(revision) {
        return Ok(revision.to_owned());
    }
    let mut command = git();
    command.args(["ls-remote", "--quiet", "--", url]);
    let listed = run(command, TO_LIST).map_err(|reason| failed("ls-remote", url, reason))?;
    commit_of(&listed, revision).ok_or_else(|| GitError::NoRevision {
        revision: revision.to_owned(),
        url: url.to_owned(),
    })
}

/// Finds a revision in the output of `git ls-remote`: a branch comes before a tag of that name, and
/// of a tag with a message its commit counts. The beginning of a hash finds a commit if some
/// reference points to it.
fn commit_of(listed: &str, revision: &str) -> Option<String> {
    let rows: Vec<(&str, &str)> = listed
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .collect();
    let of = |name: &str| {
        let mut rows = rows.iter();
        rows.find(|(_, found)| *found == name)
            .map(|(hash, _)| *hash)
    };
    // git itself looks for a tag first (`gitrevisions(7)`).
    let found = of(&format!("refs/heads/{revision}"))
        .or_else(|| of(&format!("refs/tags/{revision}^{{}}")))
        .or_else(|| of(&format!("refs/tags/{revision}")))
        .or_else(|| of(&format!("{revision}^{{}}")))
        .or_else(|| of(revision));
    let begins = || {
        // git abbreviates to 7 digits at least, unless `core.abbrev` says otherwise (`git-config(1)`).
        let is_hash = revision.len() >= 7 && revision.bytes().all(|b| b.is_ascii_hexdigit());
        let mut hashes: Vec<&str> = rows.iter().map(|(hash, _)| *hash).collect();
        hashes.retain(|hash| is_hash && hash.starts_with(revision));
        hashes.sort_unstable();
        hashes.dedup();
        (hashes.len() == 1).then(|| hashes[0])
    };
    let found = found.or_else(begins)?;
    is_commit(found).then(|| found.to_owned())
}

/// Reads the message and the `touchstone.toml` of a commit that is on a branch or under a tag.
///
/// # Errors
/// The commit is on no branch and under no tag; the repository cannot be reached.
pub fn facts(url: &str, commit: &str) -> Result<CommitFacts, GitError> {
    let folder = tempfile::tempdir().map_err(|error| failed("fetch", url, error.to_string()))?;
    let inside = |arguments: &[&str], limit| {
        let mut command = git();
        command.arg("-C").arg(folder.path()).args(arguments);
        run(command, limit).map_err(|reason| failed("fetch", url, reason))
    };
    inside(&["init", "--quiet", "--bare", "."], TO_LIST)?;
    // The remote has a name, as a partial clone notes from which remote it gets what it left out.
    inside(&["config", "remote.origin.url", url], TO_LIST)?;
    let tips = inside(
        &["ls-remote", "--quiet", "--heads", "--tags", "origin"],
        TO_LIST,
    )?;
    // A server sends one commit alone if it is the tip of a branch or tag. Whether another one belongs to a
    // branch is only seen with the history.
    if tips.lines().any(|line| {
        line.split_once('\t')
            .is_some_and(|(hash, _)| hash == commit)
    }) {
        inside(
            &[
                "fetch",
                "--quiet",
                "--depth=1",
                "--no-tags",
                "origin",
                commit,
            ],
            TO_FETCH,
        )?;
    } else {
        // Commits come without files, where the server supports filters (`git-rev-list(1)`).
        let all = ["+refs/heads/*:refs/heads/*", "+refs/tags/*:refs/tags/*"];
        inside(
            &[
                "fetch",
                "--quiet",
                "--filter=tree:0",
                "origin",
                all[0],
                all[1],
            ],
            TO_FETCH,
        )?;
        let found = inside(
            &["for-each-ref", "--count=1", "--contains", commit],
            TO_LIST,
        );
        if found.is_err() || found.is_ok_and(|names| names.trim().is_empty()) {
            return Err(GitError::NotReachable {
                commit: commit.to_owned(),
                url: url.to_owned(),
            });
        }
    }
    let message = inside(&["log", "-1", "--format=%B", commit], TO_LIST)?;
    let file = format!("{commit}:{}", recipe::FILE);
    Ok(CommitFacts {
        bench: match from_message(&message) {
            Stated::Nodes(nodes) => Some(nodes),
            Stated::Unchanged | Stated::Nothing => None,
        },
        // Most repositories have no such file. After a partial fetch, git gets it from the remote now.
        recipe: inside(&["cat-file", "blob", &file], TO_FETCH).ok(),
    })
}

fn failed(what: &'static str, url: &str, reason: String) -> GitError {
    let url = url.to_owned();
    GitError::Failed { what, url, reason }
}

#[expect(clippy::disallowed_methods, reason = "the edge starts git")]
fn git() -> Command {
    let mut command = Command::new("git");
    command
        .args(SLOW)
        .env("GIT_TERMINAL_PROMPT", "0")
        // By `ext::`, an address would run a command; by `file`, it would read the server's disk (`git(1)`).
        .env("GIT_ALLOW_PROTOCOL", "https:http:ssh:git")
        // Credential helpers and `insteadOf` of the server's user are not for addresses that authors register.
        .env("GIT_CONFIG_NOSYSTEM", "1")
        .env("GIT_CONFIG_GLOBAL", "/dev/null")
        .env("GIT_SSH_COMMAND", "ssh -oBatchMode=yes")
        // The last line of an error is shown to authors, in English whatever the language of the server.
        .env("LC_ALL", "C")
        // The configuration of a repository in the working folder would count, too.
        .current_dir(Path::new("/"));
    command
}

/// The output of a command; the error is its last line of stderr, or what happened. What git starts ends with it: a helper
/// that waits for a slow server would keep the output open.
#[expect(clippy::disallowed_methods, reason = "the edge reads the clock")]
fn run(mut command: Command, limit: Duration) -> Result<String, String> {
    let cannot_start = |error: io::Error| format!("git cannot be started: {error}");
    let (output, writer) = io::pipe().map_err(cannot_start)?;
    let (errors, other_writer) = io::pipe().map_err(cannot_start)?;
    command
        .stdin(Stdio::null())
        .stdout(writer)
        .stderr(other_writer);
    let tree = ProcessTree::spawn(&mut command);
    // The command has our own ends of the pipes, and their readers wait until the last end is closed.
    drop(command);
    let mut tree = tree.map_err(cannot_start)?;
    // Both are read at once, as git stops when either pipe is full.
    let (output, errors) = (reader(output), reader(errors));
    let exit = tree.wait(Instant::now() + limit, || false);
    drop(tree);
    let text = |reading: std::thread::JoinHandle<io::Result<String>>| {
        reading.join().unwrap_or_else(|_| Ok(String::new()))
    };
    let (output, errors) = (text(output), text(errors));
    match exit {
        Some(exit) if exit.is_success() => output.map_err(|error| error.to_string()),
        Some(_) => {
            let errors = errors.unwrap_or_default();
            let line = errors.lines().rev().find(|line| !line.trim().is_empty());
            Err(line.unwrap_or("it failed without a word").trim().to_owned())
        }
        None => Err(format!("no answer within {} s", limit.as_secs())),
    }
}

fn reader(from: impl io::Read + Send + 'static) -> std::thread::JoinHandle<io::Result<String>> {
    std::thread::spawn(move || {
        let mut text = Vec::new();
        from.take(OUTPUT).read_to_end(&mut text)?;
        Ok(String::from_utf8_lossy(&text).into_owned())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// By HTTP, git waits in a program of its own, which has git's output, too.
    #[test]
    fn a_server_that_never_answers_is_given_up() {
        let silent = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/a.git", silent.local_addr().expect("bound"));
        let (sender, answer) = std::sync::mpsc::channel();
        std::thread::spawn(move || {
            let mut command = git();
            command.args(["ls-remote", "--quiet", "--", &url]);
            sender.send(run(command, Duration::from_secs(1)))
        });
        // The deadline ends a hang.
        let answer = answer.recv_timeout(Duration::from_mins(2));
        let error = answer.expect("it ends").expect_err("nobody answered");
        assert_eq!(error, "no answer within 1 s");
    }

    /// Serves the repositories of a folder to so many clients; returns its address.
    #[expect(clippy::disallowed_methods, reason = "the test starts git")]
    fn serve(folder: &Path, clients: usize) -> String {
        let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("bound");
        let folder = folder.to_owned();
        std::thread::spawn(move || {
            for stream in listener.incoming().take(clients).flatten() {
                let stream = std::os::fd::OwnedFd::from(stream);
                let mut daemon = Command::new("git");
                daemon
                    .args(["daemon", "--inetd", "--export-all"])
                    .arg(format!("--base-path={}", folder.display()))
                    .stdout(stream.try_clone().expect("a copy"))
                    .stdin(stream);
                // A fetch may ask for more by another connection before it ends its own.
                std::thread::spawn(move || daemon.status());
            }
        });
        format!("git://{address}/engine")
    }

    /// Runs git in a folder; returns what it prints.
    fn in_folder(folder: &Path, arguments: &[&str]) -> String {
        let mut command = git();
        command.arg("-C").arg(folder).args(arguments);
        command.envs(
            [
                "GIT_AUTHOR_NAME",
                "GIT_AUTHOR_EMAIL",
                "GIT_COMMITTER_NAME",
                "GIT_COMMITTER_EMAIL",
            ]
            .map(|name| (name, "engine")),
        );
        run(command, TO_FETCH).expect("git works").trim().to_owned()
    }

    #[test]
    #[expect(clippy::disallowed_methods, reason = "the test makes a repository")]
    fn a_commit_is_on_a_branch_or_under_a_tag() {
        let folder = tempfile::tempdir().expect("a folder");
        let own = folder.path().join("engine");
        std::fs::create_dir(&own).expect("new");
        in_folder(&own, &["init", "--quiet", "--initial-branch=main", "."]);
        let recipe = "[engine]\nbuild = 'make'\nartefact = 'tool'\n";
        std::fs::write(own.join(recipe::FILE), recipe).expect("written");
        in_folder(&own, &["add", "."]);
        let commit = |message: &str| {
            in_folder(&own, &["commit", "--quiet", "--allow-empty", "-m", message]);
            in_folder(&own, &["rev-parse", "HEAD"])
        };
        let older = commit("first\n\nBench: 7");
        let newest = commit("second\n\nBench: 8");
        // Forges keep commits of pull requests under such names.
        let of_a_stranger = commit("third");
        in_folder(&own, &["update-ref", "refs/pull/1/head", &of_a_stranger]);
        in_folder(&own, &["reset", "--quiet", "--hard", &newest]);
        in_folder(&own, &["config", "uploadpack.allowAnySHA1InWant", "true"]);
        for filters in ["false", "true"] {
            in_folder(&own, &["config", "uploadpack.allowFilter", filters]);
            let url = serve(folder.path(), 32);
            for (commit, bench) in [(&newest, 8), (&older, 7)] {
                let found = facts(&url, commit).expect("it is on main");
                assert_eq!(found.bench, Some(bench));
                assert_eq!(found.recipe.as_deref(), Some(recipe));
            }
            for commit in [of_a_stranger.clone(), "0".repeat(40)] {
                let error = facts(&url, &commit).expect_err("nobody has approved it");
                let expected = format!("commit {commit} is on no branch and under no tag of {url}");
                assert_eq!(error.to_string(), expected);
            }
        }
    }

    #[test]
    fn revisions_are_found_among_references() {
        let hash = |digit: &str| digit.repeat(40);
        let listed = format!(
            "{}\tHEAD\n{}\trefs/heads/main\n{}\trefs/heads/v1\n{}\trefs/tags/v1\n{}\trefs/tags/v2\n{}\trefs/tags/v2^{{}}\n",
            hash("1"),
            hash("1"),
            hash("2"),
            hash("3"),
            hash("4"),
            hash("5")
        );
        let rows = [
            ("main", Some("1")),
            ("HEAD", Some("1")),
            ("v1", Some("2")),
            ("refs/tags/v1", Some("3")),
            ("v2", Some("5")),
            ("refs/tags/v2", Some("5")),
            ("3333333", Some("3")),
            ("333", None),
            ("none", None),
        ];
        for (revision, expected) in rows {
            let expected = expected.map(hash);
            assert_eq!(commit_of(&listed, revision), expected, "{revision}");
        }
    }
}
