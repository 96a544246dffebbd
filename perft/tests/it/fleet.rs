//! `perft count --fleet` and `perft worker` with a real server: whatever happens, the sum stays the same.

#[path = "../../../crowd/tests/common/postgres.rs"]
mod postgres;

use std::path::Path;
use std::process::{Child, Output};
use std::time::Duration;

use postgres::Server;
use queue::{Broker, Job, UnitResult, Worker};
use rand::{RngExt as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use tempfile::TempDir;

use crate::common::{interrupted, run_in, snapshot, spawn, text, wait_until};

struct Fleet {
    server: Server,
    url: String,
    folder: TempDir,
}

impl Fleet {
    fn new(fsync: bool) -> Self {
        let server = Server::start(fsync);
        let url = server.url();
        fleet::install(&url, None).expect("the schema");
        let folder = tempfile::tempdir().expect("a temporary folder");
        Self {
            server,
            url,
            folder,
        }
    }

    fn folder(&self) -> &Path {
        self.folder.path()
    }

    fn broker(&self) -> Box<dyn Broker> {
        queue::connect(&self.url).expect("the server runs")
    }

    /// The arguments of a count.
    fn count<'a>(&'a self, count: &[&'a str]) -> Vec<&'a str> {
        [&["count"], count, &["--fleet", &self.url]].concat()
    }

    fn worker(&self, name: &str, more: &[&str]) -> Running {
        let arguments = ["worker", &self.url, "--name", name, "--threads", "1"];
        let slow = ["--kernel", "plain", "--hash", "0", "--lease", "2"];
        let arguments = [&arguments[..], &slow, more].concat();
        Running(Some(spawn(&arguments, self.folder())))
    }

    /// The report in JSON of a successful count.
    fn report(&self, arguments: &[&str]) -> serde_json::Value {
        let output = Running(Some(spawn(arguments, self.folder()))).wait();
        let (stdout, stderr) = (text(output.stdout), text(output.stderr));
        assert_eq!(output.status.code(), Some(0), "{stdout}{stderr}");
        serde_json::from_str(&stdout).expect("JSON")
    }

    /// The only job.
    fn job(&self) -> Job {
        let jobs = self.broker().jobs().expect("an answer");
        jobs.into_iter().next().expect("a job").job
    }

    fn done(&self) -> u64 {
        let jobs = self.broker().jobs().expect("an answer");
        jobs.first().map_or(0, |state| state.progress.done)
    }
}

/// A program that is killed when the test ends before it.
struct Running(Option<Child>);

impl Running {
    /// SIGKILL.
    fn kill(mut self) {
        self.end();
    }

    fn end(&mut self) {
        if let Some(mut child) = self.0.take() {
            // One that has ended cannot be killed.
            let _ = child.kill();
            child.wait().expect("it ends");
        }
    }

    /// As Ctrl-C, or the signal that asks to end.
    fn ask_to_end(mut self, signal: &str) -> Output {
        testkit::programs::signal(self.0.take().expect("it runs"), signal)
    }

    fn wait(mut self) -> Output {
        let child = self.0.take().expect("it runs");
        child.wait_with_output().expect("it ends")
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        self.end();
    }
}

#[test]
fn killed_workers_and_a_crash_of_the_server_change_nothing() {
    let seed = std::process::id().into();
    let mut chance = ChaCha8Rng::seed_from_u64(seed);
    let mut fleet = Fleet::new(true);
    let arguments = [
        "kiwipete", "5", "--ply", "2", "--chunk", "5", "--format", "json",
    ];
    let total = 1_800;
    let mut at: Vec<u64> = (0..3).map(|_| chance.random_range(1..total)).collect();
    at.sort_unstable();
    println!("seed {seed}: after {at:?} units");
    let first = Running(Some(spawn(&fleet.count(&arguments), fleet.folder())));
    let one = fleet.worker("one", &[]);
    let _two = fleet.worker("two", &[]);
    wait_until("units are counted", || fleet.done() >= at[0]);
    // The one who gave the job, too.
    first.kill();
    one.kill();
    // A divide is the same job, so that every unit counted so far is used.
    let divide = [&arguments[..], &["--divide"]].concat();
    let coordinator = Running(Some(spawn(&fleet.count(&divide), fleet.folder())));
    let _three = fleet.worker("three", &[]);
    wait_until("units are counted", || fleet.done() >= at[1]);
    fleet.server.crash_and_restart();
    let output = coordinator.wait();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(0), "{stdout}{stderr}");
    let report: serde_json::Value = serde_json::from_str(&stdout).expect("JSON");
    assert_eq!(report["nodes"], 193_690_690, "{stdout}{stderr}");
    assert_eq!(report["complete"], true);
    let local = ["kiwipete", "5", "--divide", "--format", "json"];
    let local = fleet.report(&[&["count"], &local[..]].concat());
    assert_eq!(report["divide"], local["divide"], "{stdout}{stderr}");
    assert_eq!(fleet.broker().jobs().expect("an answer").len(), 1);
}

#[test]
fn divides_and_breakdowns_equal_the_local_ones() {
    let fleet = Fleet::new(false);
    let _workers = [fleet.worker("a", &[]), fleet.worker("b", &[])];
    let rows: [&[&str]; 8] = [
        &["0"],
        &["1"],
        &["4"],
        // Cut as near to the leaves as can be.
        &["kiwipete", "3", "--ply", "9"],
        &["position-3", "5", "--ply", "3"],
        // Chess960, and game over at the root and after one move.
        &[
            "rr2k1rr/8/8/8/8/8/8/RR2K1RR w GBgb - 0 1",
            "3",
            "--ply",
            "2",
        ],
        &["7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", "3", "--ply", "2"],
        &["6k1/5ppp/8/8/8/8/8/R3K3 w Q - 0 1", "4", "--units", "100"],
    ];
    for row in rows {
        for mode in ["--divide", "--breakdown"] {
            let local = [&["count"], &row[..row.len().min(2)], &[mode]].concat();
            let shared = fleet.count(&[row, &[mode]].concat());
            let json = |count: &[&str]| fleet.report(&[count, &["--format", "json"]].concat());
            let (expected, report) = (json(&local), json(&shared));
            for field in ["nodes", "divide", "breakdown", "complete", "depth", "fen"] {
                assert_eq!(report[field], expected[field], "{row:?} {mode}, {field}");
            }
            // The text is the same but for workers and time.
            let text = |count: &[&str]| run_in(fleet.folder(), count);
            let (local, shared) = (text(&local), text(&shared));
            let numbers = local.split("perft(").next().expect("a text");
            assert!(shared.starts_with(numbers), "{local}{shared}");
        }
    }
    let root = fleet.count(&["4", "--ply", "0", "--divide"]);
    let root = run_in(fleet.folder(), &root);
    let message = "error: --ply is 0, expected 1 or more with --divide";
    assert!(
        root.starts_with("exit 2\n") && root.contains(message),
        "{root}"
    );
}

#[test]
fn a_breakdown_survives_kills_and_is_not_mixed_with_counts() {
    let fleet = Fleet::new(false);
    let plain = ["kiwipete", "4", "--ply", "2", "--chunk", "5"];
    let put = run_in(
        fleet.folder(),
        &[&fleet.count(&plain)[..], &["--no-wait"]].concat(),
    );
    assert!(put.starts_with("exit 0\n"), "{put}");
    let arguments = [&plain[..], &["--breakdown", "--format", "json"]].concat();
    let done = || {
        let jobs = fleet.broker().jobs().expect("an answer");
        let breakdown = jobs
            .iter()
            .find(|state| state.job.kind == "perft-breakdown/1");
        breakdown.map_or(0, |state| state.progress.done)
    };
    let first = Running(Some(spawn(&fleet.count(&arguments), fleet.folder())));
    let one = fleet.worker("one", &[]);
    wait_until("units are counted", || done() >= 50);
    first.kill();
    one.kill();
    let _two = fleet.worker("two", &[]);
    let report = fleet.report(&fleet.count(&arguments));
    let local = ["count", "kiwipete", "4", "--breakdown", "--format", "json"];
    let local = fleet.report(&local);
    assert_eq!(report["breakdown"], local["breakdown"], "{report}");
    assert_eq!(report["nodes"], local["nodes"], "{report}");
    let kept = &report["shared"]["workers"]["one"];
    assert!(kept.as_u64() >= Some(50), "{report}");
    let count = fleet.report(&fleet.count(&[&plain[..], &["--format", "json"]].concat()));
    assert_eq!(count["nodes"], local["nodes"], "{count}");
}

#[test]
fn two_counts_of_a_unit_are_an_alarm() {
    let fleet = Fleet::new(false);
    let compared = ["--chunk", "50", "--again-every", "1"];
    let arguments = [&["startpos", "4", "--ply", "2"], &compared[..]].concat();
    let coordinator = Running(Some(spawn(&fleet.count(&arguments), fleet.folder())));
    wait_until("the job is there", || {
        fleet.broker().jobs().is_ok_and(|jobs| !jobs.is_empty())
    });
    let broker = fleet.broker();
    let liar = Worker {
        name: "liar".to_owned(),
        about: String::new(),
    };
    broker.register(&liar).expect("it is welcome");
    let lease = broker.lease("liar", &["perft-count/1"], Duration::from_mins(1));
    let lease = lease.expect("an answer").expect("work");
    let results: Vec<_> = lease
        .units
        .iter()
        .map(|unit| UnitResult {
            key: unit.key,
            value: "399".to_owned(),
        })
        .collect();
    broker.complete(&lease, &results).expect("taken");
    let _honest = fleet.worker("honest", &[]);
    let output = coordinator.wait();
    let (stdout, stderr) = (text(output.stdout), text(output.stderr));
    assert_eq!(output.status.code(), Some(1), "{stdout}{stderr}");
    assert!(stdout.contains("DIFFERENT after "), "{stdout}");
    let alarm = " w KQkq - 0 1, 2 plies): liar counted 399, honest counted ";
    assert!(stderr.starts_with("ALARM: unit "), "{stderr}");
    assert!(stderr.contains(alarm), "{stderr}");
}

#[test]
fn a_job_that_was_stopped_says_why() {
    let fleet = Fleet::new(false);
    let arguments = fleet.count(&["startpos", "5", "--ply", "2"]);
    let put = run_in(fleet.folder(), &[&arguments[..], &["--no-wait"]].concat());
    let job = fleet.job();
    assert_eq!(put, format!("exit 0\n--- stdout\n{}\n--- stderr\n", job.id));
    let other = [&arguments[..], &["--again-every", "7"]].concat();
    let other = run_in(fleet.folder(), &other);
    let broker = fleet.broker();
    broker.stop(&job.id, "the power is needed").expect("a job");
    let stopped = run_in(fleet.folder(), &arguments);
    snapshot!("fleet_stopped", format!("{other}\n{stopped}"));
    let idle = ["worker", &fleet.url, "--name", "idle", "--idle-exit", "0"];
    let idle = run_in(fleet.folder(), &idle);
    assert!(idle.starts_with("exit 4\n"), "{idle}");
    let known = broker.workers().expect("an answer");
    let about: serde_json::Value = serde_json::from_str(&known[0].worker.about).expect("JSON");
    assert_eq!(about["program"], "perft");
    assert!(about["threads"].as_u64() > Some(0));
}

#[cfg(target_os = "linux")]
#[test]
fn both_sides_end_in_good_order() {
    let fleet = Fleet::new(false);
    let arguments = fleet.count(&["startpos", "40", "--ply", "1"]);
    let put = run_in(fleet.folder(), &[&arguments[..], &["--no-wait"]].concat());
    assert!(put.starts_with("exit 0\n"), "{put}");
    let worker = fleet.worker("a", &[]);
    let leased = || fleet.broker().jobs().expect("an answer")[0].leased;
    wait_until("the worker has a chunk", || leased() == 1);
    let output = worker.ask_to_end("-TERM");
    let stderr = text(output.stderr);
    assert_eq!(output.status.code(), Some(130), "{stderr}");
    assert!(stderr.ends_with("chunk 0: given back\n"), "{stderr}");
    assert_eq!(leased(), 0);

    let another = fleet.count(&["startpos", "41", "--ply", "1"]);
    let jobs = || fleet.broker().jobs().expect("an answer");
    let output = interrupted(&another, fleet.folder(), || jobs().len() == 2);
    assert_eq!(output.status.code(), Some(130));
    let stdout = text(output.stdout);
    assert!(stdout.contains("INTERRUPTED after "), "{stdout}");
    let job = &jobs()[1].job.id;
    let stays = format!("job {job} stays at the broker; the same command resumes it\n");
    assert_eq!(text(output.stderr), stays);
}

#[test]
fn no_server_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = "postgres://perft:secret@127.0.0.1:1/fleet";
    for arguments in [&["count", "4", "--fleet", url][..], &["worker", url]] {
        let text = run_in(folder.path(), arguments);
        assert!(text.starts_with("exit 3\n"), "{text}");
        assert!(
            text.contains("error: no broker at 127.0.0.1:1/fleet: the broker cannot be reached"),
            "{text}"
        );
        assert!(!text.contains("secret"), "{text}");
    }
}
