//! `epd run --fleet` and `epd worker` with a real server: whatever happens, the report is that of one machine.

#[path = "../../../crowd/tests/common/postgres.rs"]
mod postgres;

use std::path::Path;
use std::process::{Child, Output};
use std::time::Duration;

use postgres::Server;
use queue::{Broker, JobState, UnitResult, Worker};
use serde_json::Value;
use tempfile::TempDir;
use testkit::programs::{self, text, wait_until};

use crate::common::{command, run_in, scripted_engine, words, write};

/// The folder of the test suites.
const SUITES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites");

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

    /// The arguments of a run on this fleet.
    fn on<'a>(&'a self, run: &[&'a str]) -> Vec<&'a str> {
        [run, &["--fleet", &self.url]].concat()
    }

    fn worker(&self, name: &str, more: &[&str]) -> Running {
        let arguments = ["worker", &self.url, "--name", name, "--lease", "2s"];
        Running::start(&[&arguments[..], more].concat(), self.folder())
    }

    fn jobs(&self) -> Vec<JobState> {
        self.broker().jobs().expect("an answer")
    }

    fn done(&self) -> u64 {
        self.jobs().iter().map(|state| state.progress.done).sum()
    }
}

/// A program that is killed when the test ends before it.
struct Running(Option<Child>);

impl Running {
    fn start(arguments: &[&str], folder: &Path) -> Self {
        let child = command(folder, arguments).spawn();
        Self(Some(child.expect("the program starts")))
    }

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

/// A scripted engine.
fn scripted(script: &str) -> String {
    format!("'{}' '{SUITES}/{script}'", scripted_engine())
}

/// Exit code and report of a run in JSON, without times.
fn report(output: &str) -> (&str, Value) {
    let (exit, _) = output.split_once('\n').expect("lines");
    let (_, stdout) = output.split_once("--- stdout\n").expect("standard output");
    let (stdout, _) = stdout.split_once("--- stderr\n").expect("standard error");
    let mut report = serde_json::from_str(stdout).expect("JSON");
    remove_times(&mut report);
    (exit, report)
}

fn remove_times(value: &mut Value) {
    match value {
        Value::Object(fields) => {
            fields.retain(|name, _| !name.ends_with("seconds") && name != "verdict");
            // Every line of a transcript begins with its time.
            fields.retain(|name, _| name != "transcript");
            fields.values_mut().for_each(remove_times);
        }
        Value::Array(values) => values.iter_mut().for_each(remove_times),
        _ => {}
    }
}

/// Answers, illegal moves, puzzles, several lines, crashes, hangs, Chess960 with and without `UCI_Chess960`, two engines and searches.
#[test]
fn the_report_is_that_of_one_machine() {
    let fleet = Fleet::new(false);
    let _workers = ["one", "two"].map(|name| fleet.worker(name, &["-j", "2"]));
    let (right, worse, faults) = (
        scripted("right.txt"),
        scripted("worse.txt"),
        scripted("faults.txt"),
    );
    let limits = [
        "--nodes",
        "5000",
        "--timeout",
        "1s",
        "--margin",
        "100ms",
        "--format",
        "json",
    ];
    let fischer = scripted("fischer.txt");
    let top = scripted("top.txt");
    let first_move = format!("'{}' --first-move", scripted_engine());
    let rows: [(&str, &[&str], &str); 5] = [
        ("all.epd public.epd", &[&right, &worse], "exit 3"),
        ("puzzles.csv", &[&first_move], "exit 0"),
        ("top.epd --top 3", &[&top], "exit 0"),
        ("faults.epd", &[&faults], "exit 3"),
        ("chess960.epd", &[&right, &fischer], "exit 0"),
    ];
    for (suites, engines, expected) in rows {
        let engines = engines.iter().flat_map(|engine| ["--engine", engine]);
        let engines: Vec<&str> = engines.collect();
        let run = [
            &["run"],
            &words(suites)[..],
            &engines,
            &limits,
            &["--repeat", "2"],
        ]
        .concat();
        let local = run_in(Path::new(SUITES), &run);
        let shared = run_in(Path::new(SUITES), &fleet.on(&run));
        let (local, shared) = (report(&local), report(&shared));
        assert_eq!(local.0, expected, "{suites}");
        assert_eq!(local, shared, "{suites}");
    }
}

const REAL: [&str; 8] = [
    "run",
    "mate-in-3",
    "--engine",
    "cmd=stockfish option.Hash=16",
    "--nodes",
    "5000",
    "--format",
    "json",
];

#[test]
fn killed_processes_and_a_crash_of_the_server_change_nothing() {
    let mut fleet = Fleet::new(true);
    let run = fleet.on(&[&REAL[..], &["--chunk", "3"]].concat());
    let run: Vec<String> = run.into_iter().map(str::to_owned).collect();
    let run: Vec<&str> = run.iter().map(String::as_str).collect();
    let local = run_in(fleet.folder(), &REAL);
    let local = report(&local);
    assert_eq!(local.0, "exit 0");
    let first = Running::start(&run, fleet.folder());
    let one = fleet.worker("one", &["-j", "1"]);
    wait_until("searches are made", || fleet.done() >= 10);
    // The one who posted the job, too.
    first.kill();
    one.kill();
    let again = Running::start(&run, fleet.folder());
    let _two = fleet.worker("two", &["-j", "2"]);
    wait_until("searches are made", || fleet.done() >= 40);
    fleet.server.crash_and_restart();
    let output = programs::shown(again.wait());
    let by_worker = ": searches by worker: one ";
    assert!(output.contains(by_worker), "{output}");
    assert_eq!(report(&output), local);
    assert_eq!(fleet.jobs().len(), 1, "the same run is the same job");
}

#[cfg(unix)]
#[test]
fn engines_are_known_by_their_sums() {
    let fleet = Fleet::new(false);
    let engines = fleet.folder().join("engines");
    std::fs::create_dir(&engines).expect("a new folder");
    let [engine, copy] = [fleet.folder().join("engine"), engines.join("renamed")];
    for path in [&engine, &copy] {
        std::fs::copy(scripted_engine(), path).expect("a new file");
    }
    let suite = format!("{SUITES}/all.epd");
    let given = format!("./engine '{SUITES}/right.txt'");
    let run = fleet.on(&["run", &suite, "--engine", &given, "--nodes", "5000"]);
    let put = run_in(fleet.folder(), &[&run[..], &["--no-wait"]].concat());
    let job = &fleet.jobs()[0].job.id;
    assert_eq!(put, format!("exit 0\n--- stdout\n{job}\n--- stderr\n"));
    std::fs::remove_file(&engine).expect("ours");
    write(fleet.folder(), "engine", "another program");
    let idle = ["worker", &fleet.url, "--name", "one", "--idle-exit", "0"];
    let lacking = run_in(fleet.folder(), &idle);
    let here = format!("{}/engine with SHA-256 ", fleet.folder().display());
    assert!(lacking.starts_with("exit 2\n"), "{lacking}");
    for words in [
        &here,
        ": here it has ",
        "; expected --engines DIR, a folder that has it",
    ] {
        assert!(lacking.contains(words), "{words}: {lacking}");
    }
    let having = run_in(
        fleet.folder(),
        &[&idle[..], &["--engines", "engines"]].concat(),
    );
    assert!(having.starts_with("exit 0\n"), "{having}");
    assert_eq!(fleet.done(), 6);
    let idle = run_in(fleet.folder(), &idle);
    assert!(idle.starts_with("exit 4\n"), "{idle}");
}

#[test]
fn invalid_results_are_rejected() {
    let fleet = Fleet::new(false);
    let engine = scripted("right.txt");
    let suite = format!("{SUITES}/all.epd");
    let run = [
        "run", &suite, "--engine", &engine, "--nodes", "5000", "--chunk", "6",
    ];
    let run = fleet.on(&run);
    run_in(fleet.folder(), &[&run[..], &["--no-wait"]].concat());
    let broker = fleet.broker();
    let liar = Worker {
        name: "liar".to_owned(),
        about: String::new(),
    };
    broker.register(&liar).expect("it is welcome");
    let lease = broker.lease("liar", &["epd-run/1"], Duration::from_mins(1));
    let lease = lease.expect("an answer").expect("work");
    let value = r#"{"searched":[{"best_move":"a1a1","ns":5,"infos":[]}]}"#;
    let results = lease.units.iter().map(|unit| UnitResult {
        key: unit.key,
        value: value.to_owned(),
    });
    let results: Vec<_> = results.collect();
    broker.complete(&lease, &results).expect("taken");
    let output = run_in(fleet.folder(), &run);
    assert!(output.starts_with("exit 3\n"), "{output}");
    let words = "unit 0: worker liar returned a result that cannot be right: bestmove a1a1 is not";
    assert!(output.contains(words), "{output}");
    broker.quarantine("liar", "it lies").expect("known");
    broker.discard(&lease.job.id, "liar").expect("known");
    let _honest = fleet.worker("honest", &[]);
    let output = run_in(fleet.folder(), &run);
    assert!(output.starts_with("exit 0\n"), "{output}");
    assert!(output.contains("searches by worker: honest 6"), "{output}");
}

#[test]
fn a_job_that_was_stopped_is_an_error() {
    let fleet = Fleet::new(false);
    let engine = scripted("right.txt");
    let suite = format!("{SUITES}/all.epd");
    let run = fleet.on(&["run", &suite, "--engine", &engine, "--nodes", "5000"]);
    run_in(fleet.folder(), &[&run[..], &["--no-wait"]].concat());
    let job = &fleet.jobs()[0].job.id;
    let stopped = fleet.broker().stop(job, "the power is needed");
    stopped.expect("a job");
    let output = run_in(fleet.folder(), &run);
    assert!(output.starts_with("exit 3\n"), "{output}");
    let words = format!("error: job {job} was stopped: the power is needed");
    assert!(output.contains(&words), "{output}");
}

/// With `--no-wait`, too, it is reported that nothing was posted.
#[test]
fn an_engine_that_does_not_start_is_not_posted() {
    let fleet = Fleet::new(false);
    let run = ["run", "mate-in-1", "--engine", "./nowhere", "--no-wait"];
    let output = run_in(fleet.folder(), &fleet.on(&run));
    assert!(output.starts_with("exit 3\n"), "{output}");
    assert!(output.contains("./nowhere"), "{output}");
    assert!(fleet.jobs().is_empty());
}

/// Both sides are interrupted while the engine searches and does not end.
#[cfg(target_os = "linux")]
#[test]
fn both_sides_end_in_good_order() {
    let fleet = Fleet::new(false);
    let suite = "6k1/pp3ppp/8/8/8/2q5/5PPP/3R2K1 w - - bm Rd8#;\n";
    write(fleet.folder(), "one.epd", suite);
    let engine = scripted("faults.txt");
    let run = fleet.on(&["run", "one.epd", "--engine", &engine, "--depth", "5"]);
    let posting = command(fleet.folder(), &run).spawn().expect("it starts");
    let output = programs::interrupt(posting, || fleet.jobs().len() == 1);
    assert_eq!(output.status.code(), Some(130));
    let job = &fleet.jobs()[0].job.id;
    let stays = format!("job {job} stays at the broker; the same command resumes it\n");
    assert_eq!(text(output.stderr), stays);
    let arguments = ["worker", &fleet.url, "--name", "a", "-j", "1"];
    let worker = command(fleet.folder(), &arguments).spawn();
    let leased = || fleet.jobs()[0].leased;
    let output = programs::interrupt(worker.expect("it starts"), || leased() == 1);
    assert_eq!(output.status.code(), Some(130));
    let stderr = text(output.stderr);
    assert!(stderr.ends_with("chunk 0: given back\n"), "{stderr}");
    assert_eq!(leased(), 0);
}

#[test]
fn no_server_is_an_error() {
    let folder = tempfile::tempdir().expect("a temporary folder");
    let url = "postgres://epd:secret@127.0.0.1:1/fleet";
    let engine = scripted("right.txt");
    let run = ["run", "mate-in-1", "--engine", &engine, "--fleet", url];
    for arguments in [&run[..], &["worker", url]] {
        let text = run_in(folder.path(), arguments);
        assert!(text.starts_with("exit 3\n"), "{text}");
        let words = "error: no broker at 127.0.0.1:1/fleet: the broker cannot be reached";
        assert!(text.contains(words), "{text}");
        assert!(!text.contains("secret"), "{text}");
    }
}

/// The workers' scores make the same data as an engine on this machine.
#[cfg(unix)]
#[test]
fn labels_are_those_of_one_machine() {
    let fleet = Fleet::new(false);
    let _worker = fleet.worker("one", &[]);
    write(fleet.folder(), "games.pgn", crate::eval_score::GAMES);
    crate::eval_score::reference(fleet.folder());
    let label = words("eval label games.pgn --every 2 --skip 4 --engine ./reference --nodes 500");
    let here = run_in(fleet.folder(), &label);
    let there = run_in(fleet.folder(), &fleet.on(&label));
    let data = |shown: &str| {
        let (data, _) = shown.split_once("--- stderr").expect("both streams");
        data.to_owned()
    };
    assert_eq!(data(&here), data(&there), "{there}");
    assert!(data(&here).contains(" ce 77; "), "{here}");
    assert!(there.contains("searches by worker: one 6"), "{there}");
    let posted = run_in(
        fleet.folder(),
        &fleet.on(&[&label[..], &["--no-wait"]].concat()),
    );
    assert!(posted.starts_with("exit 0\n--- stdout\nepd"), "{posted}");
}
