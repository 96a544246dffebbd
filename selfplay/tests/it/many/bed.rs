//! The test bed: a folder with engines, a test as a lab has it, a conductor, workers as threads.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread::Scope;
use std::time::{Duration, Instant};

use kit::Interrupt;
use queue::program::{Folder, sha256};
use queue::work::{Timing, WorkerLoop, WorkerTotals};
use queue::{Chunk, Job, Jobs, RetryPolicy, Second, Unit, Worker};
use selfplay::fleet::protocol::{KIND, Message as _, PairBody, UnitBody};
use selfplay::fleet::task::{PairSettings, PairTask};
use selfplay::lab::conduct::{LabFinding, PairConductor};
use selfplay::lab::plan::openings;
use selfplay::lab::spec::TestSpec;
use selfplay::ledger::{Follower, Ledger, Stored};
use selfplay::model::{GameRecord, Quarantine, RunConfig};
use selfplay::openings::Openings;
use selfplay::player::{EngineTimeouts, RunPrograms};
use selfplay::run::{Run, RunState, run};
use selfplay::schedule::Schedule;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::common::scripted_engine;

/// The name of the job.
pub(crate) const JOB: &str = "test-1";
/// Ends only a hang.
const DEADLINE: Duration = Duration::from_mins(5);
/// Number of results that are read at once.
const PAGE: u32 = 64;
/// Number of pairs that a worker takes at a time.
const PAIRS: u64 = 2;

/// A folder in which tests are played.
pub(crate) struct Bed {
    pub(crate) folder: TempDir,
}

/// A test as a lab has it.
pub(crate) struct Test {
    config: RunConfig,
    openings: Openings,
    schedule: Schedule,
    job: Job,
}

pub(crate) fn speed(number: u64) -> NonZeroU64 {
    NonZeroU64::new(number).expect("more than none")
}

/// Engines that move by chance: the same each time on the same board.
pub(crate) fn nodes() -> Value {
    json!({"nodes": 1})
}

pub(crate) fn worker(name: &str) -> Worker {
    Worker {
        name: name.to_owned(),
        about: String::new(),
    }
}

/// The bounds of a test that is not decided.
pub(crate) const UNDECIDED: [f64; 2] = [0.0, 1.0];

impl Bed {
    /// With an engine in `home/`.
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let bed = Self { folder };
        std::fs::create_dir(bed.path("home")).expect("new");
        std::fs::copy(scripted_engine(), bed.path("home/engine")).expect("a copy");
        bed
    }

    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// A test of two engines with seeds, meant for a machine of 2,000 nodes a second. It is played
    /// from many openings: pairs that are copies of each other would make it invalid.
    pub(crate) fn test(&self, rounds: u64, limits: &Value, elo: [f64; 2]) -> Test {
        let sum = sha256(&self.path("home/engine")).expect("there");
        let engine = |(name, seed): (&str, u32)| json!({"name": name, "sha256": sum, "arguments": [format!("--seed={seed}"), "--optimum=20"]});
        let engines = [("new", 3), ("base", 7)].map(engine);
        // Three of five games are won: of draws alone, nearly any sum would be right.
        let adjudication =
            json!({"resign": {"moves": 1, "score_cp": 250, "two_sided": false}, "max_moves": 12});
        let spec = json!({
            "schema": "touchstone/lab-test/1", "kind": "sprt", "rounds": rounds, "engines": engines,
            "limits": limits, "openings": {"book": "chess960"}, "adjudication": adjudication,
            "bounds": {"elo0": elo[0], "elo1": elo[1], "model": "logistic"},
        });
        let spec: TestSpec = serde_json::from_value(spec).expect("a test");
        assert_eq!(spec.check(), []);
        let body = spec.job_body(&BTreeMap::new(), speed(2000)).expect("a run");
        let job = Job {
            id: JOB.to_owned(),
            kind: KIND.to_owned(),
            body: body.to_text(),
            units: rounds,
            second: Second::Ignore,
            again_every: None,
        };
        Test {
            openings: openings(&spec).expect("they are built in"),
            schedule: Schedule::new(&body.config).expect("a schedule"),
            config: body.config,
            job,
        }
    }

    /// Plays the same on this machine alone; what it came to, and its games.
    pub(crate) fn alone(&self, test: &Test) -> (RunState, Vec<GameRecord>) {
        let mut config = test.config.clone();
        for engine in &mut config.engines {
            engine.command.program = self.path("home/engine");
        }
        let stored = Stored {
            book: None,
            programs: BTreeMap::new(),
            revisions: BTreeMap::new(),
            fleet: None,
            host: None,
            version: "0".to_owned(),
            config: config.clone(),
        };
        let ledger = Ledger::create(&self.path("alone"), &stored).expect("new");
        let openings = Openings::open(&config.openings, config.seed).expect("they are built in");
        let mut all = Run {
            state: RunState::new(config, &[]).expect("a run"),
            ledger,
            openings: &openings,
            endgames: None,
            patience: EngineTimeouts::default(),
            programs: RunPrograms::default(),
            max_faults: None,
            interrupt: &Interrupt::default(),
            control: &mut || None,
        };
        run(&mut all, &mut |_| {}).expect("it is played");
        let (_, mut follower) = Follower::open(&self.path("alone")).expect("a run directory");
        let next = || follower.next_record().expect("a record");
        (all.state, comparable(std::iter::from_fn(next).collect()))
    }
}

impl Test {
    /// What is asked for in a pair.
    fn unit(&self, pair: u64) -> UnitBody {
        let pairing = self.schedule.pairing(pair);
        let opening = self.openings.get(pairing.opening).expect("an opening");
        let unit = serde_json::json!({"pairing": pairing, "opening": opening});
        UnitBody::from_text(&unit.to_string()).expect("a unit")
    }

    /// Adds the job to a queue.
    pub(crate) fn put(&self, broker: &dyn Jobs) {
        let unit = |key| {
            let body = self.unit(key).to_text();
            Unit { key, body }
        };
        let mut next = 0;
        let mut chunks = std::iter::from_fn(|| {
            let keys = next..self.job.units.min(next + PAIRS);
            next = keys.end;
            let units: Vec<Unit> = keys.map(unit).collect();
            (!units.is_empty()).then_some(Chunk { units })
        });
        broker.put(&self.job, &mut chunks).expect("it is new");
    }

    /// Counts the results as a lab's server does: without those of quarantined workers, from the
    /// first on each time that one is quarantined.
    pub(crate) fn conduct(&self, broker: &dyn Jobs) -> PairConductor {
        let began = Instant::now();
        let mut quarantined = Vec::new();
        loop {
            let config = self.config.clone();
            let mut conductor =
                PairConductor::new(config, None, quarantined.clone()).expect("a schedule");
            match self.count(broker, &mut conductor, began + DEADLINE) {
                Some(LabFinding::Quarantine { worker, reason }) => {
                    broker.quarantine(&worker, &reason).expect("it is known");
                    broker.discard(JOB, &worker).expect("it is known");
                    quarantined.push(Quarantine {
                        worker,
                        reason,
                        games: 0,
                        kept: String::new(),
                    });
                }
                Some(LabFinding::Broken(reason)) => panic!("{reason}"),
                None => return conductor,
            }
        }
    }

    fn count(
        &self,
        broker: &dyn Jobs,
        conductor: &mut PairConductor,
        deadline: Instant,
    ) -> Option<LabFinding> {
        let mut cursor = 0;
        loop {
            assert!(Instant::now() < deadline, "{:?}", conductor.point());
            let page = broker.results(JOB, cursor, PAGE).expect("it is known");
            for result in &page {
                cursor = result.number;
                let asked = self.unit(result.key);
                let found = conductor.take(&asked, &result.worker, &result.value);
                if found.is_some() {
                    return found;
                }
            }
            let found = conductor.look();
            if found.is_some() || conductor.is_over() {
                return found;
            }
            if page.is_empty() {
                std::thread::sleep(Duration::from_millis(5));
            }
        }
    }

    /// Conducts the test while `work` goes on beside it; its workers go home when both are done, or
    /// one has failed.
    pub(crate) fn conduct_beside<'env>(
        &'env self,
        crowd: &'env Crowd<'_>,
        work: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>),
    ) -> PairConductor {
        std::thread::scope(|scope| {
            let _closing = Closing(crowd);
            self.put(crowd.broker);
            let conducting = scope.spawn(move || self.conduct(crowd.broker));
            work(scope);
            conducting.join().expect("it ends")
        })
    }
}

/// The games that a queue has, with the workers that played them, in the order of the schedule.
pub(crate) fn results(broker: &dyn Jobs) -> Vec<(String, GameRecord)> {
    let mut games = Vec::new();
    let mut cursor = 0;
    loop {
        let page = broker.results(JOB, cursor, PAGE).expect("it is known");
        let Some(last) = page.last() else { break };
        cursor = last.number;
        for result in page {
            let pair = PairBody::from_text(&result.value).expect("a pair");
            let pair = pair.games.into_iter().map(|game| game.record);
            games.extend(pair.map(|record| (result.worker.clone(), record)));
        }
    }
    games.sort_by_key(|(_, record)| record.plan.game);
    games
}

/// The games that a queue has, as [`comparable`].
pub(crate) fn games(broker: &dyn Jobs) -> Vec<GameRecord> {
    let games = results(broker).into_iter().map(|(_, record)| record);
    comparable(games.collect())
}

/// Games in the order of the schedule, without what depends on time or machine.
fn comparable(mut games: Vec<GameRecord>) -> Vec<GameRecord> {
    for game in &mut games {
        (game.started_ms, game.duration_ms, game.machine) = (0, 0, None);
        game.moves.iter_mut().for_each(|one| one.elapsed_us = 0);
    }
    games.sort_by_key(|game| game.plan.game);
    games
}

/// Workers that are threads; they end when the work is done.
pub(crate) struct Crowd<'a> {
    pub(crate) broker: &'a dyn Jobs,
    over: Interrupt,
}

impl<'a> Crowd<'a> {
    pub(crate) fn new(broker: &'a dyn Jobs) -> Self {
        let over = Interrupt::default();
        Self { broker, over }
    }

    /// Plays as a worker of this name, until the crowd is sent home.
    pub(crate) fn play(&self, bed: &Bed, name: &str) -> WorkerTotals {
        let (shift, said) = self.play_with(name, 1000, &bed.path("home"), None);
        assert_eq!(shift.unable, 0, "{said}");
        shift
    }

    /// Plays at this speed with the engines in a folder; also what was reported.
    pub(crate) fn play_with(
        &self,
        name: &str,
        nodes_a_second: u64,
        engines: &Path,
        idle_exit: Option<Duration>,
    ) -> (WorkerTotals, String) {
        let said = Mutex::new(String::new());
        let report = |line: &str| {
            let mut said = said.lock().expect("nobody panics here");
            *said += line;
            said.push('\n');
        };
        let programs = Folder::new(Some(engines.to_owned()));
        let task = PairTask::new(PairSettings {
            name: name.to_owned(),
            programs: &programs,
            cores: 2,
            speed: Some(speed(nodes_a_second)),
            syzygy: Vec::new(),
            memory: None,
            pin: false,
            force: true,
            patience: EngineTimeouts::default(),
            report: &report,
        });
        let workplace = WorkerLoop {
            broker: self.broker,
            worker: &worker(name),
            tasks: &[&task.expect("nothing is pinned")],
            lanes: 2,
            pace: Timing {
                visibility: Duration::from_secs(20),
                poll: Duration::from_millis(5),
                idle_exit,
            },
            retry: RetryPolicy {
                most: Duration::from_mins(1),
                interrupt: &self.over,
                report: &report,
            },
        };
        let shift = workplace.run().expect("it works");
        (shift, said.into_inner().expect("nobody panics there"))
    }
}

/// Sends a crowd home when the test ends, however it ends.
struct Closing<'c, 'a>(&'c Crowd<'a>);

impl Drop for Closing<'_, '_> {
    fn drop(&mut self) {
        self.0.over.shared().store(true, Ordering::Relaxed);
    }
}
