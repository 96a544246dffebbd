//! The programs themselves, over a server of `PostgreSQL`: a coordinator, two workers, one of them killed.

use std::collections::BTreeSet;
use std::fs::File;
use std::path::Path;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};

use super::bed::Bed;
use crate::common::{BUILD, make_repository};

#[path = "../../../../crowd/tests/common/postgres.rs"]
mod postgres;

/// Time for what should come, on a machine that is busy.
const PLENTY: Duration = Duration::from_mins(2);

/// A program that is killed when the test ends, with what it says in files.
struct Program {
    child: Child,
    name: String,
}

impl Program {
    fn start(bed: &Bed, name: &str, arguments: &str) -> Self {
        let file = |end: &str| File::create(bed.path(&format!("{name}.{end}"))).expect("new");
        let child = Command::new(env!("CARGO_BIN_EXE_selfplay"))
            .current_dir(bed.folder.path())
            .args(shlex::split(arguments).expect("well formed"))
            .stdin(Stdio::null())
            .stdout(file("out"))
            .stderr(file("err"))
            .spawn();
        Self {
            child: child.expect("it starts"),
            name: name.to_owned(),
        }
    }

    fn wait(&mut self, bed: &Bed) -> ExitStatus {
        let deadline = Instant::now() + PLENTY;
        loop {
            if let Some(status) = self.child.try_wait().expect("ours") {
                return status;
            }
            assert!(Instant::now() < deadline, "{}", said(bed, &self.name));
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Program {
    fn drop(&mut self) {
        // It may have ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn said(bed: &Bed, name: &str) -> String {
    let read =
        |end: &str| std::fs::read_to_string(bed.path(&format!("{name}.{end}"))).unwrap_or_default();
    format!("{name}:\n{}{}", read("err"), read("out"))
}

fn wait_until(mut is_so: impl FnMut() -> bool, what: impl Fn() -> String) {
    let deadline = Instant::now() + PLENTY;
    while !is_so() {
        assert!(Instant::now() < deadline, "it does not come: {}", what());
        std::thread::sleep(Duration::from_millis(5));
    }
}

fn has(path: &Path, text: &str) -> bool {
    std::fs::read_to_string(path).is_ok_and(|found| found.contains(text))
}

const TWO: &str = "--new 'cmd=./home/engine args=\"--seed=3 --sleep=2\" name=new' \
                   --base 'cmd=./home/engine args=\"--seed=7 --sleep=2\" name=base' --nodes 1 --variant chess960 \
                   --max-moves 20 --elo0 0 --elo1 1 --rounds 40 --quiet --format json";

#[test]
fn every_pair_is_played_once_though_a_worker_is_killed() {
    let bed = Bed::new();
    let server = postgres::Server::start(false);
    let url = server.url();
    fleet::install(&url, None).expect("the schema");
    let mut coordinator = Program::start(
        &bed,
        "sprt",
        &format!("sprt {TWO} --out fleet --fleet {url}"),
    );
    let worker = |name: &str| {
        let arguments =
            format!("worker {url} --name {name} --speed 1000 --lease-seconds 2 --force");
        Program::start(&bed, name, &arguments)
    };
    let mut victim = worker("victim");
    let ledger = bed.path("fleet/ledger.jsonl");
    let all = || {
        ["sprt", "victim", "heir"]
            .map(|name| said(&bed, name))
            .concat()
    };
    wait_until(|| has(&ledger, "\"worker\":\"victim\""), all);
    let mut heir = worker("heir");
    wait_until(|| has(&ledger, "\"worker\":\"heir\""), all);
    victim.child.kill().expect("ours");
    victim.wait(&bed);
    let status = coordinator.wait(&bed);
    assert_eq!(status.code(), Some(1), "undecided: {}", all());
    let games: Vec<u64> = bed
        .records("fleet")
        .iter()
        .map(|one| one.plan.game)
        .collect();
    assert_eq!(games.len(), 80);
    assert_eq!(
        games.iter().copied().collect::<BTreeSet<_>>(),
        (0..80).collect()
    );

    // The same as on one machine, from what is stored to the last digit.
    let mut local = Program::start(
        &bed,
        "local-run",
        &format!("sprt {TWO} --out local --force"),
    );
    assert_eq!(
        local.wait(&bed).code(),
        Some(1),
        "{}",
        said(&bed, "local-run")
    );
    assert_eq!(bed.games("fleet"), bed.games("local"));
    let stats = |name: &str| {
        let text = std::fs::read_to_string(bed.path(name)).expect("there");
        let summary: serde_json::Value = serde_json::from_str(&text).expect("JSON");
        (summary["stats"].clone(), summary["verdict"].clone())
    };
    assert_eq!(stats("sprt.out"), stats("local-run.out"));

    // A run that is complete says again what it came to.
    let mut again = Program::start(&bed, "again", "resume fleet --quiet --format json");
    assert_eq!(again.wait(&bed).code(), Some(1), "{}", said(&bed, "again"));
    assert_eq!(stats("again.out"), stats("sprt.out"));

    kill_process(Pid::from_child(&heir.child), Signal::INT).expect("it runs");
    assert_eq!(heir.wait(&bed).code(), Some(130), "{}", said(&bed, "heir"));
    assert!(has(&bed.path("heir.out"), "pairs played"));
}

/// Workers that are pinned build what is a revision from repositories of their own.
#[test]
fn revisions_are_built_by_each_worker() {
    let bed = Bed::new();
    let server = postgres::Server::start(false);
    let url = server.url();
    fleet::install(&url, None).expect("the schema");
    make_repository(&bed.path("repo"), &bed.path("home/engine"));
    std::fs::create_dir(bed.path("worker")).expect("new");
    let clone = Command::new("git")
        .args(["clone", "--quiet", "repo", "worker/repo"])
        .current_dir(bed.folder.path())
        .status();
    assert!(clone.expect("git").success());
    let run = format!(
        "sprt --new rev:HEAD --base rev:v3 --repo repo --cache cache --artifact out/engine --build {BUILD} \
         --nodes 1 --variant chess960 --max-moves 20 --elo0 0 --elo1 1 --rounds 4 --quiet --out fleet --fleet {url}"
    );
    let mut coordinator = Program::start(&bed, "sprt", &run);
    let worker =
        format!("worker {url} --speed 1000 --concurrency 1 --pin --force --cache worker/cache");
    // Without a repository it does not play, and says what it lacks.
    let mut poor = Program::start(&bed, "poor", &worker);
    let code = poor.wait(&bed).code();
    let all = || {
        ["sprt", "poor", "rich"]
            .map(|name| said(&bed, name))
            .concat()
    };
    assert_eq!(code, Some(2), "{}", all());
    assert!(
        has(
            &bed.path("poor.err"),
            "expected --repo DIR, a repository that has it"
        ),
        "{}",
        all()
    );
    let _rich = Program::start(&bed, "rich", &format!("{worker} --repo worker/repo"));
    let status = coordinator.wait(&bed);
    assert_eq!(status.code(), Some(1), "undecided: {}", all());
    assert_eq!(bed.records("fleet").len(), 8);
    let built = std::fs::read_to_string(bed.path("worker/cache/revisions/count"));
    assert_eq!(built.expect("there"), "x\nx\n");
}

#[test]
fn a_server_that_is_not_there_is_named() {
    let bed = Bed::new();
    let url = "postgres://me:secret@127.0.0.1:1/games";
    let mut worker = Program::start(
        &bed,
        "worker",
        &format!("worker {url} --speed 1000 --force"),
    );
    let said = (worker.wait(&bed).code(), said(&bed, "worker"));
    assert_eq!(said.0, Some(3), "{}", said.1);
    let expected = "error: no broker at 127.0.0.1:1/games: the broker cannot be reached: ";
    assert!(said.1.contains(expected), "{}", said.1);
    assert!(!said.1.contains("secret"), "{}", said.1);
}
