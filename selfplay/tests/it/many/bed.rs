//! The test bed: a folder with engines and run directories, a coordinator, workers as threads.

use std::collections::BTreeMap;
use std::num::NonZeroU64;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::Ordering;
use std::thread::Scope;
use std::time::{Duration, Instant};

use kit::Interrupt;
use queue::program::{Folder, sha256};
use queue::work::{Pace, Shift, Workplace};
use queue::{Broker, RetryPolicy, Worker};
use selfplay::config::{Contest, parse, resolve};
use selfplay::fleet::coordinate::{CoordinateError, Coordinator, coordinate};
use selfplay::fleet::protocol::JobBody;
use selfplay::fleet::task::{PairSettings, PairTask};
use selfplay::ledger::{FleetJob, Follower, Ledger, LedgerError, Paused, Resumed, Stored};
use selfplay::model::{GameRecord, RunConfig};
use selfplay::openings::Openings;
use selfplay::play::event::{RunEnd, RunEvent};
use selfplay::player::Patience;
use selfplay::run::{Run, RunState, run};
use tempfile::TempDir;

use crate::common::scripted_engine;

/// A folder in which runs are played.
pub(crate) struct Bed {
    pub(crate) folder: TempDir,
}

/// How a run came to its end.
pub(crate) struct Played {
    pub(crate) end: Result<RunEnd, CoordinateError>,
    pub(crate) state: RunState,
    pub(crate) said: String,
}

/// Engines that move by chance: the same each time on the same board.
pub(crate) const LIMITS: &str = "nodes = 1";
/// A test that is not decided. It is played from many openings: pairs that are copies of each other
/// would make it invalid.
pub(crate) const UNDECIDED: &str = "[openings]\nvariant = 'chess960'\n[sprt]\nelo0 = 0\nelo1 = 1\n";

pub(crate) fn speed(number: u64) -> NonZeroU64 {
    NonZeroU64::new(number).expect("more than none")
}

impl Bed {
    /// With an engine in `home/`, where the coordinator has it.
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

    /// A test of two engines with seeds; `more` is TOML.
    pub(crate) fn config(&self, rounds: u64, limits: &str, more: &str) -> RunConfig {
        let engine = |name: &str, seed: u32| {
            let cmd = self.path("home/engine");
            format!(
                "[[engine]]\nname = '{name}'\ncmd = '{}'\nargs = '--seed={seed}'\n",
                cmd.display()
            )
        };
        let text = format!(
            "rounds = {rounds}\n[each]\n{limits}\n{}{}[adjudication]\nmax-moves = 30\n{more}",
            engine("new", 3),
            engine("base", 7)
        );
        let draft = parse(&text, "bed").expect("well formed");
        resolve(draft, Contest::Sprt).expect("a test")
    }

    /// What is stored of a run on a fleet.
    pub(crate) fn stored(&self, config: RunConfig, job: &str, speed: Option<NonZeroU64>) -> Stored {
        let sum = sha256(&self.path("home/engine")).expect("there");
        let sums = config
            .engines
            .iter()
            .map(|one| (one.name.clone(), sum.clone()));
        Stored {
            book: None,
            programs: BTreeMap::new(),
            revisions: BTreeMap::new(),
            fleet: Some(FleetJob {
                url: "in-process".to_owned(),
                job: job.to_owned(),
                lease_pairs: NonZeroU64::new(2).expect("two"),
                speed,
                sums: sums.collect(),
            }),
            host: None,
            version: "0".to_owned(),
            config,
        }
    }

    /// Coordinates a new run; `report` may end it.
    pub(crate) fn coordinate(
        &self,
        broker: &dyn Broker,
        stored: &Stored,
        interrupt: &Interrupt,
        report: &mut dyn FnMut(RunEvent),
    ) -> Played {
        let name = &stored.fleet.as_ref().expect("of a fleet").job;
        let ledger = Ledger::create(&self.path(name), stored).expect("new");
        let state = RunState::new(stored.config.clone(), &[]).expect("a run");
        go(
            broker,
            stored,
            (state, Vec::new(), ledger),
            interrupt,
            report,
        )
    }

    /// Coordinates a new run on a thread of its own while `work` goes on here; its workers go home
    /// when both are done, or one has failed.
    pub(crate) fn coordinate_beside<'env>(
        &'env self,
        crowd: &'env Crowd<'_>,
        stored: &'env Stored,
        work: impl for<'scope> FnOnce(&'scope Scope<'scope, 'env>),
    ) -> Played {
        std::thread::scope(|scope| {
            let _closing = Closing(crowd);
            let interrupt = Interrupt::default();
            let coordinating =
                scope.spawn(move || self.coordinate(crowd.broker, stored, &interrupt, &mut |_| {}));
            work(scope);
            coordinating.join().expect("it ends")
        })
    }

    /// Resumes a run.
    pub(crate) fn resume(&self, broker: &dyn Broker, name: &str) -> Played {
        // An engine that is just being started by a worker of this process may hold the lock yet.
        let deadline = Instant::now() + Duration::from_mins(1);
        let paused = loop {
            match Paused::open(&self.path(name)) {
                Err(LedgerError::InUse { .. }) if Instant::now() < deadline => {
                    std::thread::sleep(Duration::from_millis(5));
                }
                paused => break paused.expect("nobody has it"),
            }
        };
        let config = &paused.stored().config;
        let openings = Openings::open(&config.openings, config.seed).expect("they are built in");
        let opening = |number| openings.get(number).map_err(|error| error.to_string());
        let Resumed {
            ledger,
            stored,
            records,
            identities,
            ..
        } = paused.resume(opening).expect("whole");
        let state = RunState::resumed(stored.config.clone(), &records, &identities).expect("a run");
        let interrupt = Interrupt::default();
        go(
            broker,
            &stored,
            (state, records, ledger),
            &interrupt,
            &mut |_| {},
        )
    }

    /// Plays the same on one machine; what it came to.
    pub(crate) fn local(&self, name: &str, config: &RunConfig) -> RunState {
        let stored = Stored {
            fleet: None,
            ..self.stored(config.clone(), name, None)
        };
        let ledger = Ledger::create(&self.path(name), &stored).expect("new");
        let openings = Openings::open(&config.openings, config.seed).expect("they are built in");
        let mut all = Run {
            state: RunState::new(config.clone(), &[]).expect("a run"),
            ledger,
            openings: &openings,
            endgames: None,
            patience: Patience::default(),
            max_faults: None,
            interrupt: &Interrupt::default(),
        };
        run(&mut all, &mut |_| {}).expect("it is played");
        all.state
    }

    /// The games of a ledger in the order of the schedule, without what depends on time or machine.
    pub(crate) fn games(&self, name: &str) -> Vec<GameRecord> {
        let mut games = self.records(name);
        for game in &mut games {
            (game.started_ms, game.duration_ms, game.machine) = (0, 0, None);
            game.moves.iter_mut().for_each(|one| one.elapsed_us = 0);
        }
        games.sort_by_key(|game| game.plan.game);
        games
    }

    pub(crate) fn records(&self, name: &str) -> Vec<GameRecord> {
        let (_, mut follower) = Follower::open(&self.path(name)).expect("a run directory");
        let next = || follower.next_record().expect("a record");
        std::iter::from_fn(next).collect()
    }
}

fn go(
    broker: &dyn Broker,
    stored: &Stored,
    (state, recorded, ledger): (RunState, Vec<GameRecord>, Ledger),
    interrupt: &Interrupt,
    report: &mut dyn FnMut(RunEvent),
) -> Played {
    let said = Mutex::new(String::new());
    let say = |line: &str| {
        let mut said = said.lock().expect("nobody panics here");
        *said += line;
        said.push('\n');
    };
    let fleet = stored.fleet.clone().expect("of a fleet");
    let config = &stored.config;
    let openings = Openings::open(&config.openings, config.seed).expect("they are built in");
    let mut all = Coordinator {
        broker,
        body: JobBody::new(stored, &fleet),
        fleet,
        state,
        recorded,
        ledger,
        openings: &openings,
        max_faults: None,
        interrupt,
        say: &say,
    };
    let end = coordinate(&mut all, report);
    let state = all.state.clone();
    drop(all);
    let said = said.into_inner().expect("nobody panics there");
    Played { end, state, said }
}

/// Workers that are threads; they end when the work is done.
pub(crate) struct Crowd<'a> {
    pub(crate) broker: &'a dyn Broker,
    pub(crate) over: Interrupt,
}

impl<'a> Crowd<'a> {
    pub(crate) fn new(broker: &'a dyn Broker) -> Self {
        let over = Interrupt::default();
        Self { broker, over }
    }

    /// Plays as a worker of this name, until the crowd is sent home.
    pub(crate) fn play(&self, bed: &Bed, name: &str) -> Shift {
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
    ) -> (Shift, String) {
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
            patience: Patience::default(),
            report: &report,
        });
        let workplace = Workplace {
            broker: self.broker,
            worker: &Worker {
                name: name.to_owned(),
                about: String::new(),
            },
            tasks: &[&task.expect("nothing is pinned")],
            lanes: 2,
            pace: Pace {
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
pub(crate) struct Closing<'c, 'a>(pub(crate) &'c Crowd<'a>);

impl Drop for Closing<'_, '_> {
    fn drop(&mut self) {
        self.0.over.shared().store(true, Ordering::Relaxed);
    }
}
