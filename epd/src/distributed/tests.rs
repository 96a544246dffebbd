//! Runs on workers within one process: whatever happens, the results are those of one machine.
#![expect(clippy::disallowed_methods, reason = "engines are copied and watched")]

use std::path::PathBuf;
use std::sync::{Mutex, OnceLock};
use std::time::Duration;

use kit::{Interrupt, Progress};
use queue::program::{Folder, sha256};
use queue::work::{Timing, WorkerLoop, WorkerTotals};
use queue::{InProcess, Job, Jobs, RetryPolicy, Worker};
use tempfile::TempDir;
use testkit::programs::{scripted_engine, wait_until};
use uci::{CommandLine, Start};

use super::protocol::{JobBody, LabEngine, LabProgram, Searches};
use super::task::SearchTask;
use crate::run::driver::{EngineRun, SearchRules, TestedEngine, shake_hands};
use crate::run::journal::EngineJournal;
use crate::run::ledger::{Handshake, SearchOutcome, Trial};
use crate::run::plan::{PositionLimits, RunPlan};
use crate::run::score::EarlyStop;
use crate::text::Suite;

const SUITES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/suites");
const MINUTE: Duration = Duration::from_mins(1);

struct Bed {
    broker: InProcess,
    /// Where workers find engines.
    engines: TempDir,
    plan: RunPlan,
    script: String,
}

impl Bed {
    fn new(suite: &str, script: &str) -> Self {
        let engines = tempfile::tempdir().expect("a temporary folder");
        std::fs::copy(scripted_engine(), engines.path().join("renamed")).expect("a new file");
        let text = std::fs::read(format!("{SUITES}/{suite}")).expect("a suite");
        let given = PositionLimits {
            nodes: Some(5000),
            ..PositionLimits::default()
        };
        let suite = Suite::parse_repaired(suite, &text);
        Self {
            broker: InProcess::new(),
            engines,
            plan: RunPlan::new(vec![suite], given),
            script: format!("{SUITES}/{script}"),
        }
    }

    fn engine(&self) -> TestedEngine {
        let command = CommandLine::new(scripted_engine()).arguments([&self.script]);
        TestedEngine {
            name: "engine".to_owned(),
            start: Start::new(command),
            handshake: OnceLock::new(),
        }
    }

    /// The trial of an engine on this machine.
    fn here(&self, rules: SearchRules) -> Trial {
        let run = EngineRun {
            engine: &self.engine(),
            cases: &self.plan.cases,
            rules,
            progress: &Progress::new(0, "searches", false),
        };
        let run = run.run(EngineJournal::default(), &mut |_| Ok(()));
        run.expect("nothing is kept")
    }

    fn put(&self, rules: SearchRules) -> (Job, Searches) {
        let chess960 = match shake_hands(&self.engine(), rules, &self.plan.cases) {
            Handshake::Ready { chess960, .. } => chess960,
            other => panic!("{other:?}"),
        };
        let searches = Searches::new(&self.plan.cases, rules.repeat, chess960);
        let engine = LabEngine {
            name: "engine".to_owned(),
            program: LabProgram::Sha256(sha256(&scripted_engine()).expect("a program")),
            arguments: vec![self.script.clone()],
            options: Vec::new(),
        };
        let body = JobBody::of_lab(&engine, rules);
        let (job, chunks) = searches.job("sound", &self.plan.cases, &body);
        let put = self.broker.put(&job, &mut chunks.into_iter());
        put.expect("a sound job");
        (job, searches)
    }

    /// The same searches with another body.
    fn put_other(&self, job: &Job, id: &str, body: String, searches: &Searches) -> String {
        assert_ne!(body, job.body);
        let read = JobBody::read(&job.body).expect("ours");
        let (other, chunks) = searches.job(id, &self.plan.cases, &read);
        let other = Job { body, ..other };
        let put = self.broker.put(&other, &mut chunks.into_iter());
        put.expect("a sound job");
        other.id
    }

    fn work(
        &self,
        name: &str,
        lanes: usize,
        engines: impl Into<Option<PathBuf>>,
    ) -> (WorkerTotals, Vec<String>) {
        self.work_until(name, lanes, engines, &Interrupt::default())
    }

    fn work_until(
        &self,
        name: &str,
        lanes: usize,
        engines: impl Into<Option<PathBuf>>,
        interrupt: &Interrupt,
    ) -> (WorkerTotals, Vec<String>) {
        let reported = Mutex::new(Vec::new());
        let programs = Folder::new(engines.into());
        let workplace = WorkerLoop {
            broker: &self.broker,
            worker: &Worker {
                name: name.to_owned(),
                about: String::new(),
            },
            tasks: &[&SearchTask::new(&programs)],
            lanes,
            pace: Timing {
                visibility: MINUTE,
                poll: Duration::from_millis(1),
                idle_exit: Some(Duration::ZERO),
            },
            retry: RetryPolicy {
                most: MINUTE,
                interrupt,
                report: &|text| {
                    let mut reported = reported.lock().expect("nobody panics");
                    reported.push(text.to_owned());
                },
            },
        };
        let shift = workplace.run().expect("it works");
        (shift, reported.into_inner().expect("nobody panics"))
    }

    fn folder(&self) -> PathBuf {
        self.engines.path().to_owned()
    }

    /// The trial of the job's results.
    fn there(&self, job: &Job, searches: &Searches, rules: SearchRules) -> Trial {
        let handshake = shake_hands(&self.engine(), rules, &self.plan.cases);
        let cases = &self.plan.cases;
        let mut trial = Trial::new("engine".to_owned(), handshake, cases.len(), rules.repeat);
        let results = self.broker.results(&job.id, 0, u32::MAX).expect("a job");
        assert_eq!(results.len() as u64, job.units);
        for recorded in &results {
            let judged = searches.judge(cases, recorded);
            let (case, repeat, outcome) = judged.expect("a sound result");
            trial.record(case, repeat, outcome);
        }
        trial
    }
}

fn rules() -> SearchRules {
    SearchRules {
        concurrency: 1,
        repeat: 2,
        timeout: Duration::from_secs(1),
        margin: Duration::from_millis(100),
        early_stop: EarlyStop::default(),
    }
}

/// What a search came to, without times.
fn outcome(outcome: Option<&SearchOutcome>) -> String {
    let Some(outcome) = outcome else {
        return "none".to_owned();
    };
    let answer = outcome.answer();
    let answer = answer.map(|answer| (answer.best_move, answer.score, answer.pv.clone()));
    format!("{} {answer:?}", outcome.as_str())
}

/// Answers, illegal moves, crashes, hangs, Chess960 with `UCI_Chess960`, on several lanes.
#[test]
fn results_are_those_of_one_machine() {
    let rows = [
        ("all.epd", "right.txt"),
        ("all.epd", "worse.txt"),
        ("faults.epd", "faults.txt"),
        ("chess960.epd", "fischer.txt"),
    ];
    for (suite, script) in rows {
        let bed = Bed::new(suite, script);
        let (job, searches) = bed.put(rules());
        let (shift, reported) = bed.work("a", 2, bed.folder());
        assert_eq!(shift.unable, 0, "{reported:?}");
        assert_eq!(shift.results, job.units);
        let there = bed.there(&job, &searches, rules());
        let here = bed.here(rules());
        for case in 0..bed.plan.cases.len() {
            let texts = |trial: &Trial| -> Vec<String> {
                let searches = trial.searches(case).iter();
                searches.map(|one| outcome(one.as_ref())).collect()
            };
            assert_eq!(texts(&there), texts(&here), "{suite} {script}, case {case}");
        }
    }
}

#[test]
fn what_cannot_be_done_here_is_given_back_with_the_reason() {
    let bed = Bed::new("all.epd", "right.txt");
    let (job, searches) = bed.put(rules());
    let environment = r#""environment":[["LD_PRELOAD","/tmp/evil.so"]]"#;
    let loads = job.body.replace(r#""environment":[]"#, environment);
    let elsewhere = job
        .body
        .replace(r#""directory":null"#, r#""directory":"/nowhere""#);
    bed.put_other(&job, "unreadable", "{}".to_owned(), &searches);
    bed.put_other(&job, "loads", loads, &searches);
    bed.put_other(&job, "elsewhere", elsewhere, &searches);
    let (shift, reported) = bed.work("without", 1, None);
    assert_eq!((shift.unable, shift.results), (4, 0));
    let (shift, more) = bed.work("with", 1, bed.folder());
    assert_eq!((shift.unable, shift.results), (3, job.units));
    let reported = [reported, more].concat().join("\n");
    for expected in [
        "given back: engine",
        "expected --engines DIR, a folder that has it",
        "given back: '{}' is not a run of epd-run/1: ",
        "given back: no job may set the variable LD_PRELOAD here",
        "given back: the engine runs in /nowhere, which is not a directory here",
    ] {
        assert!(reported.contains(expected), "{expected}: {reported}");
    }
}

#[test]
fn an_engine_that_does_not_start_is_an_inability_and_three_flag_the_job() {
    let bed = Bed::new("all.epd", "right.txt");
    let (job, searches) = bed.put(rules());
    // The same program, which finds no script here.
    let body = job.body.replace("right.txt", "nowhere.txt");
    let broken = bed.put_other(&job, "broken", body, &searches);
    for name in ["a", "b", "c", "d"] {
        bed.work(name, 1, bed.folder());
    }
    let progress = bed.broker.progress(&broken).expect("a job");
    let reason = progress.flagged.expect("three could not");
    assert!(
        reason.starts_with("the engine does not start: "),
        "{reason}"
    );
    // The other one is done.
    bed.there(&job, &searches, rules());
}

#[test]
fn invalid_results_are_rejected() {
    let bed = Bed::new("all.epd", "right.txt");
    let (_, searches) = bed.put(rules());
    let value = r#"{"searched":[{"best_move":"a1a1","ns":5,"infos":[]}]}"#;
    for (key, value, expected) in [
        (0, value, "bestmove a1a1 is not"),
        (0, "{", "EOF"),
        (10_000, value, "there is no such unit"),
    ] {
        let recorded = queue::Recorded {
            number: 1,
            key,
            worker: "liar".to_owned(),
            value: value.to_owned(),
        };
        let judged = searches.judge(&bed.plan.cases, &recorded);
        let error = judged.expect_err("it cannot be right");
        assert!(error.starts_with(expected), "{error}");
    }
}

#[test]
fn an_interrupt_gives_back_what_is_not_finished() {
    let mut bed = Bed::new("faults.epd", "faults.txt");
    // The engine searches until it is stopped.
    bed.plan.cases.retain(|case| {
        let fen = chess::notation::fen::write(case.record.position());
        fen.starts_with("6k1/pp3ppp")
    });
    let without_end = SearchRules {
        timeout: Duration::from_hours(1),
        repeat: 1,
        ..rules()
    };
    let (job, _) = bed.put(without_end);
    let interrupt = Interrupt::default();
    let leased = || {
        let jobs = bed.broker.jobs().expect("an answer");
        jobs.iter()
            .any(|state| state.job.id == job.id && state.leased > 0)
    };
    let (shift, reported) = std::thread::scope(|scope| {
        let worker = scope.spawn(|| bed.work_until("a", 1, bed.folder(), &interrupt));
        wait_until("the worker has a chunk", leased);
        interrupt
            .flag()
            .store(true, std::sync::atomic::Ordering::Relaxed);
        worker.join().expect("it ends")
    });
    assert!(shift.interrupted);
    assert!(
        reported
            .last()
            .is_some_and(|line| line.ends_with("chunk 0: given back")),
        "{reported:?}"
    );
    assert!(!leased());
}
