//! A lab with conductors and workers that are threads of this process.

use std::num::NonZeroU64;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};

use fleet::conduct::spec::{EngineSpec, LimitsSpec, OpeningsSpec, TestKind, TestSpec};
use fleet::conduct::submit::{self, Test};
use fleet::conduct::{ConductError, run};
use fleet::kinds;
use fleet::model::{Account, AccountId, Role, TIMED};
use fleet::policy::confirm::DecisionPatience;
use fleet::store::work::WorkTuning;
use kit::Interrupt;
use queue::program::{Folder, sha256};
use queue::wire::{Abilities, LeaseRequest, Register};
use queue::work::{Task, Timing, WorkerLoop};
use queue::{
    Alarm, Broker, BrokerError, Chunk, Job, JobState, Jobs, Lease, Progress, Put, Recorded,
    RetryPolicy, Second, Standing, UnitResult, Worker, WorkerState,
};
use selfplay::fleet::task::{PairSettings, PairTask};
use selfplay::player::EngineTimeouts;
use testkit::programs::scripted_engine;
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::store::bench::{Lab, immediate};

/// Ends only a hang.
const DEADLINE: Duration = Duration::from_mins(5);

/// A lab without conductors.
pub(super) struct Bench {
    pub(super) lab: Lab,
    pub(super) engines: tempfile::TempDir,
    /// Of the conductors that begin.
    pub(super) patience: DecisionPatience,
}

/// A server's conductors, which end with it.
pub(super) struct Conductors {
    stop: watch::Sender<bool>,
    task: JoinHandle<()>,
}

impl Conductors {
    /// As `kill -9` would: nothing is given up.
    pub(super) fn kill(self, bench: &Bench) {
        self.task.abort();
        let _ = bench.lab.runtime.block_on(self.task);
    }

    pub(super) fn end(self, bench: &Bench) {
        self.stop.send(true).expect("it runs");
        bench.lab.runtime.block_on(self.task).expect("it ends");
    }
}

impl Bench {
    pub(super) fn new() -> Self {
        let tuning = WorkTuning {
            check: kinds::check,
            ..immediate()
        };
        let lab = Lab::new(tuning);
        lab.sql("update lab.accounts set role = 'maintainer' where name = 'ann'");
        let engines = tempfile::tempdir().expect("a folder");
        copy(&scripted_engine(), &engines.path().join("engine"));
        Self {
            lab,
            engines,
            patience: DecisionPatience::default(),
        }
    }

    pub(super) fn conduct(&self) -> Conductors {
        let (stop, stopped) = watch::channel(false);
        let (database, work) = (self.lab.database.clone(), self.lab.work.clone());
        let conducting = run(database, work, self.patience, stopped);
        let task = self.lab.runtime.spawn(async {
            conducting.await.expect("random numbers");
        });
        Conductors { stop, task }
    }

    /// Two engines that move by chance, the same each time on the same board.
    pub(super) fn pairs(&self, kind: TestKind, seeds: &[u32]) -> TestSpec {
        let sum = sha256(&self.engines.path().join("engine")).expect("there");
        let engine = |seed: &u32| EngineSpec {
            name: Some(format!("seed {seed}")),
            sha256: Some(sum.clone()),
            arguments: vec![format!("--seed={seed}"), "--optimum=20".to_owned()],
            ..EngineSpec::default()
        };
        let mut spec = TestSpec {
            engines: seeds.iter().map(engine).collect(),
            limits: LimitsSpec {
                nodes: Some(1),
                ..LimitsSpec::default()
            },
            openings: OpeningsSpec {
                book: "chess960".to_owned(),
                ..OpeningsSpec::default()
            },
            ..TestSpec::new(kind)
        };
        // Three of five games are won: of draws alone, nearly any sum would be right.
        spec.adjudication = serde_json::from_str(
            r#"{"resign": {"moves": 1, "score_cp": 250, "two_sided": false}, "max_moves": 16}"#,
        )
        .expect("rules");
        spec
    }

    pub(super) fn submit(&self, name: &str, spec: &TestSpec) -> Result<String, ConductError> {
        let account = account(name);
        let submitted = submit::submit(&self.lab.database, &account, spec);
        self.lab.runtime.block_on(submitted)
    }

    pub(super) fn test(&self, id: &str) -> Test {
        let found = submit::get(&self.lab.database, id);
        self.lab.runtime.block_on(found).expect("it is there")
    }

    /// Waits until something is true of a test.
    pub(super) fn wait(&self, id: &str, what: &str, is_so: impl Fn(&Test) -> bool) -> Test {
        let began = now();
        loop {
            let test = self.test(id);
            if is_so(&test) {
                return test;
            }
            assert!(began.elapsed() < DEADLINE, "never {what}: {test:#?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Works as these workers until `until` returns.
    pub(super) fn work<T>(&self, names: &[&str], until: impl FnOnce() -> T) -> T {
        let over = Interrupt::default();
        std::thread::scope(|scope| {
            for name in names {
                let over = &over;
                scope.spawn(move || self.play(name, over));
            }
            // Also after a panic.
            let _ending = Ending(&over);
            until()
        })
    }

    fn play(&self, name: &str, over: &Interrupt) {
        let programs = Folder::new(Some(self.engines.path().to_owned()));
        let pairs = PairTask::new(PairSettings {
            name: name.to_owned(),
            programs: &programs,
            cores: 1,
            speed: NonZeroU64::new(1_000),
            syzygy: Vec::new(),
            memory: None,
            pin: false,
            force: true,
            patience: EngineTimeouts::default(),
            report: &|_| {},
        })
        .expect("nothing is pinned");
        let counts = perft::task::CountTask::new(None, 0).expect("the CPU can");
        let searches = epd::task::SearchTask::new(&programs);
        let tasks: [&dyn Task; 3] = [&pairs, &counts, &searches];
        let workplace = WorkerLoop {
            broker: self,
            worker: &Worker {
                name: name.to_owned(),
                about: String::new(),
            },
            tasks: &tasks,
            lanes: 1,
            pace: Timing {
                visibility: Duration::from_secs(20),
                poll: Duration::from_millis(20),
                idle_exit: None,
            },
            retry: RetryPolicy {
                most: Duration::from_mins(1),
                interrupt: over,
                report: &|_| {},
            },
        };
        workplace.run().expect("it works");
    }
}

struct Ending<'a>(&'a Interrupt);

/// Ann is a maintainer, Bob an author.
pub(super) fn account(name: &str) -> Account {
    let (id, role) = match name {
        "ann" => (1, Role::Maintainer),
        _ => (2, Role::Author),
    };
    Account {
        id: AccountId(id),
        name: name.to_owned(),
        role,
    }
}

impl Drop for Ending<'_> {
    fn drop(&mut self) {
        self.0.shared().store(true, Ordering::Relaxed);
    }
}

fn copy(from: &Path, to: &Path) {
    std::fs::copy(from, to).expect("a copy");
}

#[expect(clippy::disallowed_methods, reason = "tests wait")]
fn now() -> Instant {
    Instant::now()
}

/// What workers need, with jobs that this process did not put.
impl Broker for Bench {
    fn register(&self, worker: &Worker) -> Result<(), BrokerError> {
        // Ann's, unless it has Bob's name.
        let owner = 1 + i32::from(worker.name.starts_with("bob"));
        let identity = self.lab.enlist(&worker.name, owner);
        let register = Register {
            about: worker.about.clone(),
            abilities: Abilities {
                cores: 4,
                memory_mib: 4096,
                has: vec![TIMED.to_owned()],
                ..Abilities::default()
            },
        };
        let registered = self.lab.work.register(&identity, &register);
        let registered = self.lab.runtime.block_on(registered);
        registered.map_err(|error| BrokerError::Failed(error.to_string()))
    }

    fn lease(
        &self,
        worker: &str,
        kinds: &[&str],
        visibility: Duration,
    ) -> Result<Option<Lease>, BrokerError> {
        let identity = self.lab.identity(worker)?;
        let request = LeaseRequest {
            kinds: kinds.iter().map(|kind| (*kind).to_owned()).collect(),
            visibility_ms: u64::try_from(visibility.as_millis()).expect("short"),
            known_jobs: Vec::new(),
        };
        let leased = self.lab.work.lease(&identity, &request);
        let leased = self.lab.runtime.block_on(leased);
        let leased = leased.map_err(|error| BrokerError::Failed(error.to_string()))?;
        Ok(leased.map(|body| Lease {
            token: body.token,
            worker: worker.to_owned(),
            job: Job {
                id: body.job,
                kind: body.kind,
                body: body.body.expect("no job is known"),
                units: body.job_units,
                second: Second::Ignore,
                again_every: None,
            },
            chunk: body.chunk,
            units: body.units,
            attempt: 1,
        }))
    }

    fn heartbeat(&self, lease: &Lease, visibility: Duration) -> Result<Standing, BrokerError> {
        self.lab.heartbeat(lease, visibility)
    }

    fn complete(&self, lease: &Lease, results: &[UnitResult]) -> Result<(), BrokerError> {
        self.lab.complete(lease, results)
    }

    fn give_back(&self, lease: &Lease, inability: Option<&str>) -> Result<(), BrokerError> {
        self.lab.give_back(lease, inability)
    }
}

impl Jobs for Bench {
    fn put(&self, job: &Job, chunks: &mut dyn Iterator<Item = Chunk>) -> Result<Put, BrokerError> {
        self.lab.put(job, chunks)
    }

    fn stop(&self, job: &str, reason: &str) -> Result<(), BrokerError> {
        self.lab.stop(job, reason)
    }

    fn quarantine(&self, worker: &str, reason: &str) -> Result<(), BrokerError> {
        self.lab.quarantine(worker, reason)
    }

    fn discard(&self, job: &str, worker: &str) -> Result<u64, BrokerError> {
        self.lab.discard(job, worker)
    }

    fn progress(&self, job: &str) -> Result<Progress, BrokerError> {
        self.lab.progress(job)
    }

    fn results(&self, job: &str, after: u64, limit: u32) -> Result<Vec<Recorded>, BrokerError> {
        self.lab.results(job, after, limit)
    }

    fn alarms(&self, job: &str) -> Result<Vec<Alarm>, BrokerError> {
        self.lab.alarms(job)
    }

    fn jobs(&self) -> Result<Vec<JobState>, BrokerError> {
        self.lab.jobs()
    }

    fn workers(&self) -> Result<Vec<WorkerState>, BrokerError> {
        self.lab.workers()
    }
}
