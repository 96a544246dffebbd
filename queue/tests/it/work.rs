//! The loop of workers: what a job contains ends neither the worker nor the jobs behind it.

use std::sync::Arc;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use kit::Interrupt;
use queue::work::{CannotRun, Submit, Task, Timing, WorkerLoop, WorkerTotals};
use queue::{
    AskError, Broker, Chunk, InProcess, Job, Jobs, Lease, RetryPolicy, Second, Unit, UnitResult,
    Worker,
};

/// Does what the bodies of units say, and writes down the jobs that it was given.
#[derive(Default)]
struct Script {
    seen: Mutex<Vec<String>>,
}

impl Task for Script {
    fn kinds(&self) -> Vec<&'static str> {
        // What `work` is not given: of `known/1` alone.
        vec!["known/1"]
    }

    fn work(
        &self,
        _: usize,
        lease: &Lease,
        stop: &Arc<AtomicBool>,
        submit: Submit<'_>,
    ) -> Result<(), CannotRun> {
        self.seen.lock().expect("seen").push(lease.job.id.clone());
        for unit in &lease.units {
            let key = match unit.body.as_str() {
                "unable" => return Err(CannotRun("no engine here".into())),
                "stray" => u64::MAX,
                "wait" => {
                    while !stop.load(Ordering::Relaxed) {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                    return Ok(());
                }
                // As games that end by the end of their engines.
                "late" => {
                    while !stop.load(Ordering::Relaxed) {
                        std::thread::sleep(Duration::from_millis(5));
                    }
                    unit.key
                }
                _ => unit.key,
            };
            let value = "done".into();
            submit(&[UnitResult { key, value }]);
        }
        Ok(())
    }
}

/// A task whose list of kinds has one that it does not answer for when asked again.
struct Forgetful(AtomicBool);

impl Task for Forgetful {
    fn kinds(&self) -> Vec<&'static str> {
        if self.0.swap(true, Ordering::Relaxed) {
            Vec::new()
        } else {
            vec!["unknown/1"]
        }
    }

    fn work(
        &self,
        _: usize,
        lease: &Lease,
        _: &Arc<AtomicBool>,
        _: Submit<'_>,
    ) -> Result<(), CannotRun> {
        panic!("it knows no kinds: {}", lease.job.kind)
    }
}

fn put(broker: &InProcess, id: &str, kind: &str, bodies: &[&str]) {
    let units = (0..).zip(bodies).map(|(key, body)| Unit {
        key,
        body: (*body).to_owned(),
    });
    let chunks = units.map(|unit| Chunk { units: vec![unit] });
    let job = Job {
        id: id.into(),
        kind: kind.into(),
        body: String::new(),
        units: bodies.len() as u64,
        second: Second::Compare,
        again_every: None,
    };
    let mut chunks = chunks.collect::<Vec<_>>().into_iter();
    broker.put(&job, &mut chunks).expect("a good job");
}

/// Runs a worker until there is nothing for it.
fn run(
    broker: &dyn Jobs,
    name: &str,
    tasks: &[&dyn Task],
    interrupt: &Interrupt,
) -> Result<WorkerTotals, AskError> {
    let worker = Worker {
        name: name.into(),
        about: String::new(),
    };
    let workplace = WorkerLoop {
        broker,
        worker: &worker,
        tasks,
        lanes: 1,
        pace: Timing {
            visibility: Duration::from_mins(1),
            poll: Duration::from_millis(1),
            idle_exit: Some(Duration::ZERO),
        },
        retry: RetryPolicy {
            most: Duration::ZERO,
            interrupt,
            report: &|_| (),
        },
    };
    workplace.run()
}

fn flagged(broker: &InProcess, job: &str) -> Option<String> {
    broker.progress(job).expect("a job").flagged
}

#[test]
fn an_inability_goes_on_with_other_jobs() {
    let broker = InProcess::new();
    put(&broker, "bad", "known/1", &["unable", "unable"]);
    put(&broker, "good", "known/1", &["", "", ""]);
    let script = Script::default();
    let shift = run(&broker, "one", &[&script], &Interrupt::default()).expect("it ends well");
    let expected = WorkerTotals {
        chunks: 3,
        results: 3,
        unable: 1,
        interrupted: false,
    };
    assert_eq!(shift, expected);
    assert!(broker.progress("good").expect("a job").is_complete());
    let seen = script.seen.into_inner().expect("seen");
    assert_eq!(seen, ["bad", "good", "good", "good"]);
    assert_eq!(flagged(&broker, "bad"), None);
}

#[test]
fn three_inabilities_flag_a_job() {
    let broker = InProcess::new();
    put(&broker, "bad", "known/1", &["unable"]);
    for (name, expected) in [("a", None), ("b", None), ("c", Some("no engine here"))] {
        let shift = run(&broker, name, &[&Script::default()], &Interrupt::default());
        assert_eq!(shift.expect("it ends well").unable, 1, "{name}");
        assert_eq!(flagged(&broker, "bad").as_deref(), expected, "{name}");
    }
    let shift = run(&broker, "d", &[&Script::default()], &Interrupt::default());
    assert_eq!(shift.expect("it ends well"), WorkerTotals::default());
}

#[test]
fn an_unknown_kind_is_given_back_with_the_reason() {
    let broker = InProcess::new();
    put(&broker, "strange", "unknown/1", &[""]);
    for name in ["a", "b", "c"] {
        let task = Forgetful(AtomicBool::new(false));
        let shift = run(&broker, name, &[&task], &Interrupt::default());
        assert_eq!(shift.expect("it ends well").unable, 1);
    }
    let reason = flagged(&broker, "strange");
    assert_eq!(
        reason.as_deref(),
        Some("this worker does not know unknown/1")
    );
}

#[test]
fn a_rejected_result_is_the_fault_of_one_job() {
    let broker = InProcess::new();
    put(&broker, "bad", "known/1", &["stray"]);
    put(&broker, "good", "known/1", &[""]);
    let shift = run(&broker, "one", &[&Script::default()], &Interrupt::default());
    let shift = shift.expect("the worker goes on");
    assert_eq!((shift.chunks, shift.unable), (1, 1));
    assert!(broker.progress("good").expect("a job").is_complete());
    assert_eq!(broker.progress("bad").expect("a job").done, 0);
}

#[test]
fn an_interrupt_gives_back() {
    for body in ["wait", "late"] {
        interrupted(body);
    }
}

fn interrupted(body: &str) {
    let broker = InProcess::new();
    put(&broker, "long", "known/1", &[body]);
    let interrupt = Interrupt::default();
    let script = Script::default();
    std::thread::scope(|scope| {
        let worker = scope.spawn(|| run(&broker, "one", &[&script], &interrupt));
        while script.seen.lock().expect("seen").is_empty() {
            std::thread::sleep(Duration::from_millis(5));
        }
        interrupt.flag().store(true, Ordering::Relaxed);
        let shift = worker.join().expect("no panic").expect("it ends well");
        assert_eq!((shift.interrupted, shift.chunks), (true, 0));
    });
    assert_eq!(broker.progress("long").expect("a job").done, 0, "{body}");
    // At once another's, long before the lease would have expired.
    let about = String::new();
    let name = "other".to_owned();
    broker.register(&Worker { name, about }).expect("new");
    let lease = broker.lease("other", &["known/1"], Duration::from_mins(1));
    assert_eq!(lease.expect("known").map(|lease| lease.attempt), Some(2));
}

#[test]
fn quarantine_ends_a_worker() {
    let broker = InProcess::new();
    put(&broker, "good", "known/1", &[""]);
    let about = String::new();
    let name = "one".to_owned();
    broker.register(&Worker { name, about }).expect("new");
    broker.quarantine("one", "it lied").expect("known");
    let ended = run(&broker, "one", &[&Script::default()], &Interrupt::default());
    let error = ended.expect_err("rejected");
    assert_eq!(error.to_string(), "worker 'one' is quarantined: it lied");
}
