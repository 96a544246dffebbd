//! Pairs of games as work for a worker: the kinds `selfplay-pairs/1` and `selfplay-tune/1`.

use std::collections::BTreeMap;
use std::io;
use std::num::NonZeroU64;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use queue::program::{Programs, WantedProgram, is_harmless};
use queue::work::{CannotRun, Submit, Task};
use queue::{Job, Lease, Unit, UnitResult};
use uci::Cancel;

use super::protocol::{
    JobBody, KIND, Message, MessageError, PairBody, PlayedGame, ProgramId, TUNE_KIND, UnitBody,
};
use super::speed::TimeScale;
use crate::model::{EngineConfig, GamePlan, Machine, RunConfig};
use crate::play::game::{FinishedPlay, GameError, GameRules};
use crate::play::player::{EngineTimeouts, PlayerError, PvUse};
use crate::play::referee::Endgames;
use crate::play::run::pinning::{self, threads_of_game};
use crate::play::run::{EnginePool, not_started};
use crate::play::tablebase::Syzygy;

/// What a worker plays with.
#[derive(Clone)]
pub struct PairSettings<'a> {
    /// The name of the worker, for the records of its games.
    pub name: String,
    /// Finds the programs of engines.
    pub programs: &'a dyn Programs,
    /// Number of cores that play at the same time.
    pub cores: usize,
    /// The speed of the machine with all cores busy, in perft nodes per second and core; `None` if
    /// it is not known: then only games that do not depend on time are played.
    pub speed: Option<NonZeroU64>,
    /// Folders with Syzygy tables, in place of those on the machine that posted a job.
    pub syzygy: Vec<PathBuf>,
    /// Memory for the hash tables of all engines that play at the same time, in bytes; `None` for
    /// what is free.
    pub memory: Option<u64>,
    /// Whether games are pinned to CPUs of their own.
    pub pin: bool,
    /// Whether to play even if memory or CPUs are too few.
    pub force: bool,
    /// How long engines may take.
    pub patience: EngineTimeouts,
    /// Where messages go.
    pub report: &'a (dyn Fn(&str) + Sync),
}

/// Plays the pairs of a lease, one after the other, and submits each at once.
pub struct PairTask<'a> {
    settings: PairSettings<'a>,
    setups: Mutex<BTreeMap<String, Slot>>,
    seats: Option<Seats>,
}

/// A job that can be played here.
struct PreparedJob {
    /// The configuration as adapted to this machine.
    config: RunConfig,
    /// The time scale; `None` if nothing depends on time.
    scale: Option<f64>,
    tables: Option<Syzygy>,
    /// Keeps the programs where they are.
    _keep: Vec<Arc<()>>,
}

/// A job that is set up, or will be by the first that locks it.
type Slot = Arc<Mutex<Option<Arc<PreparedJob>>>>;

/// Maximum number of jobs to remember.
const KEPT: usize = 16;

/// Why a job is not played: it cannot be here, or it need not be any more.
enum Ended {
    Unable(CannotRun),
    Stopped,
}

impl From<CannotRun> for Ended {
    fn from(inability: CannotRun) -> Self {
        Self::Unable(inability)
    }
}

#[expect(clippy::needless_pass_by_value, reason = "errors are mapped with it")]
fn unable(reason: impl ToString) -> CannotRun {
    CannotRun(reason.to_string())
}

impl<'a> PairTask<'a> {
    /// Plays with these settings.
    ///
    /// # Errors
    /// Games are to be pinned, and the system does not say to which CPUs they can be.
    pub fn new(settings: PairSettings<'a>) -> io::Result<Self> {
        let seats = settings.pin.then(|| Seats::new(settings.cores));
        Ok(Self {
            seats: seats.transpose()?,
            setups: Mutex::default(),
            settings,
        })
    }

    /// A job, set up now or earlier. Others that need it meanwhile wait for it.
    fn setup(&self, job: &Job, stop: &Arc<AtomicBool>) -> Result<Arc<PreparedJob>, Ended> {
        // Setting up takes long: the map is locked only to find the slot, so that other jobs need
        // not wait.
        let slot = {
            let mut setups = self.setups.lock().unwrap_or_else(PoisonError::into_inner);
            if setups.len() >= KEPT && !setups.contains_key(&job.id) {
                // Setting a job up again costs no more than a start of its engines.
                setups.clear();
            }
            Arc::clone(setups.entry(job.id.clone()).or_default())
        };
        let mut slot = slot.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(setup) = &*slot {
            return Ok(Arc::clone(setup));
        }
        let setup = Arc::new(self.set_up(job, stop)?);
        *slot = Some(Arc::clone(&setup));
        Ok(setup)
    }

    /// Finds a job's programs, scales its times, opens its tablebases, and starts its engines once.
    fn set_up(&self, job: &Job, stop: &Arc<AtomicBool>) -> Result<PreparedJob, Ended> {
        let JobBody {
            mut config,
            programs,
            speed,
        } = JobBody::from_text(&job.body).map_err(unable)?;
        // Memory is checked below for all games that this machine may play at once.
        config.concurrency = (self.settings.cores / threads_of_game(&config.engines)).max(1);
        let scale = match (speed, self.settings.speed) {
            (None, _) => None,
            (Some(reference), Some(own)) => Some(TimeScale::new(reference, own).map_err(unable)?),
            (Some(_), None) => {
                let reason = "games depend on time, and the speed of this machine is not known";
                return Err(unable(reason).into());
            }
        };
        let mut keep = Vec::new();
        for engine in &mut config.engines {
            let id = programs.get(&engine.name);
            keep.push(self.place(engine, id, stop)?);
            if let Some(scale) = scale {
                engine.limits = scale.scaled(&engine.limits);
            }
        }
        self.check_budget(&config)?;
        let folders = &self.settings.syzygy;
        let rule = config.adjudication.tablebase.as_mut();
        let tables = rule.map(|rule| {
            if !folders.is_empty() {
                rule.paths.clone_from(folders);
            }
            Syzygy::open(rule).map_err(|error| unable(format!("no tablebases here: {error}")))
        });
        let tables = tables.transpose()?;
        let patience = self.settings.patience.with(config.timeouts);
        let cancel = Cancel::from(Arc::clone(stop));
        if !verify(&config, patience, &cancel).map_err(unable)? {
            return Err(Ended::Stopped);
        }
        let names: Vec<&str> = config.engines.iter().map(|one| &*one.name).collect();
        let times = scale.map_or_else(String::new, |scale| {
            format!(", times multiplied by {}", scale.factor())
        });
        let names = names.join(" - ");
        (self.settings.report)(&format!("playing job {}: {names}{times}", job.id));
        Ok(PreparedJob {
            config,
            scale: scale.map(TimeScale::factor),
            tables,
            _keep: keep,
        })
    }

    /// Makes an engine's command one of this machine.
    fn place(
        &self,
        engine: &mut EngineConfig,
        id: Option<&ProgramId>,
        stop: &Arc<AtomicBool>,
    ) -> Result<Arc<()>, Ended> {
        let hash_mib = pinning::hash_mib(engine);
        let (name, command) = (&engine.name, &mut engine.command);
        if let Some(path) = command.directory.as_ref().filter(|path| !path.is_dir()) {
            let path = path.display();
            let reason = format!("engine '{name}' runs in {path}, which is not a directory here");
            return Err(unable(reason).into());
        }
        let mut variables = command.environment.keys();
        // Jobs come from a network: a variable such as `LD_PRELOAD` would run any code.
        if let Some(variable) = variables.find(|variable| !is_harmless(variable.as_ref())) {
            return Err(unable(format!("no job may set the variable {variable} here")).into());
        }
        let wanted = match id {
            None => {
                let reason = format!("engine '{name}': the job does not say what its program is");
                return Err(unable(reason).into());
            }
            Some(ProgramId::Sha256(sum)) => WantedProgram::Sha256 {
                path: &command.program,
                sum,
            },
            Some(ProgramId::Repository(source)) => WantedProgram::Source(source),
        };
        let programs = self.settings.programs;
        let found = programs.find(name, wanted, hash_mib, stop);
        // A search or a build that was stopped fails for no other reason.
        if stop.load(Ordering::Relaxed) {
            return Err(Ended::Stopped);
        }
        let found = found?;
        command.program = found.program;
        command.arguments.splice(..0, found.arguments);
        let folders: Vec<_> = self
            .settings
            .syzygy
            .iter()
            .map(|path| path.display().to_string())
            .collect();
        for (option, value) in &mut engine.options {
            if option.eq_ignore_ascii_case("SyzygyPath") && !folders.is_empty() {
                // Engines separate folders of Syzygy tables as Stockfish does.
                *value = folders.join(if cfg!(windows) { ";" } else { ":" });
            }
        }
        Ok(found.keep)
    }

    fn check_budget(&self, config: &RunConfig) -> Result<(), CannotRun> {
        let mut machine = pinning::machine();
        machine.memory = match (machine.memory, self.settings.memory) {
            (Some(free), Some(given)) => Some(free.min(given)),
            (free, given) => free.or(given),
        };
        match pinning::check(config, machine) {
            Err(error) if self.settings.force => {
                (self.settings.report)(&format!("note: {error}"));
                Ok(())
            }
            checked => checked.map_err(unable),
        }
    }

    fn play(&self, lease: &Lease, stop: &Arc<AtomicBool>, submit: Submit<'_>) -> Result<(), Ended> {
        let setup = self.setup(&lease.job, stop)?;
        let config = &setup.config;
        // Held until the engines have ended.
        let seats = self.seats.as_ref();
        let seats = seats.map(|seats| seats.take(threads_of_game(&config.engines)));
        if let Some(taken) = &seats {
            uci::cpus::pin(&taken.cpus)
                .map_err(|error| unable(format!("a game cannot be pinned: {error}")))?;
        }
        let cancel = Cancel::from(Arc::clone(stop));
        let patience = self.settings.patience.with(config.timeouts);
        let mut pool = EnginePool::new(&config.engines, patience, &cancel);
        pool.use_pvs(PvUse::from_config(config));
        pool.pause_between_games(Duration::from_millis(config.pairing.wait_ms));
        for unit in &lease.units {
            let pair = self.play_pair(unit, &setup, &mut pool)?;
            submit(&[UnitResult {
                key: unit.key,
                value: pair.to_text(),
            }]);
            if stop.load(Ordering::Relaxed) {
                return Err(Ended::Stopped);
            }
        }
        pool.quit();
        Ok(())
    }

    /// Plays both games.
    fn play_pair(
        &self,
        unit: &Unit,
        setup: &PreparedJob,
        pool: &mut EnginePool,
    ) -> Result<PairBody, Ended> {
        let asked = UnitBody::from_text(&unit.body).and_then(|asked| known(asked, setup));
        let asked = asked.map_err(|error| unable(format!("pair {}: {error}", unit.key + 1)))?;
        let mut incidents = match pool.reconfigure(&asked.pairing, asked.options.as_ref()) {
            Ok(incidents) => incidents,
            Err(PlayerError::Cancelled) => return Err(Ended::Stopped),
            Err(error) => return Err(unable(format!("pair {}: {error}", unit.key + 1)).into()),
        };
        let mut games = Vec::with_capacity(2);
        for plan in asked.pairing.games() {
            match self.play_game(&plan, &asked, setup, pool) {
                Ok(mut game) => {
                    // What was noticed before the pair is noted with its first game.
                    game.record.incidents.append(&mut incidents);
                    games.push(game);
                }
                Err(GameError::Cancelled) => return Err(Ended::Stopped),
                Err(error) => {
                    return Err(unable(format!("pair {}: {error}", unit.key + 1)).into());
                }
            }
        }
        let games = games.try_into().expect("a pair has two games");
        Ok(PairBody { games })
    }

    fn play_game(
        &self,
        plan: &GamePlan,
        asked: &UnitBody,
        setup: &PreparedJob,
        pool: &mut EnginePool,
    ) -> Result<PlayedGame, GameError> {
        let rules = GameRules {
            adjudication: &setup.config.adjudication,
            endgames: setup.tables.as_ref().map(|tables| tables as &dyn Endgames),
        };
        let FinishedPlay {
            mut record,
            transcript,
        } = pool.play(plan, &asked.opening, rules)?;
        record.machine = Some(Machine {
            worker: self.settings.name.clone(),
            time_scale: setup.scale,
        });
        Ok(PlayedGame { record, transcript })
    }
}

impl Task for PairTask<'_> {
    fn kinds(&self) -> Vec<&'static str> {
        vec![KIND, TUNE_KIND]
    }

    fn cores(&self, lease: &Lease) -> Result<usize, CannotRun> {
        let body = JobBody::from_text(&lease.job.body).map_err(unable)?;
        let threads = threads_of_game(&body.config.engines);
        Ok(if self.settings.force {
            // With `force`, a game that needs more cores than there are is played on those.
            threads.min(self.settings.cores)
        } else {
            threads
        })
    }

    fn work(
        &self,
        _lane: usize,
        lease: &Lease,
        stop: &Arc<AtomicBool>,
        submit: Submit<'_>,
    ) -> Result<(), CannotRun> {
        match self.play(lease, stop, submit) {
            // A worker that is being stopped has not failed.
            Ok(()) | Err(Ended::Stopped) => Ok(()),
            Err(Ended::Unable(inability)) => Err(inability),
        }
    }
}

/// Checks that the job has the engines of a pair.
fn known(asked: UnitBody, setup: &PreparedJob) -> Result<UnitBody, MessageError> {
    let UnitBody { pairing, .. } = &asked;
    let engines = setup.config.engines.len();
    // The numbers come from a network, and index the list of engines.
    let is_known =
        pairing.first != pairing.second && pairing.first.0.max(pairing.second.0) < engines;
    is_known.then_some(asked).ok_or_else(|| MessageError {
        what: UnitBody::WHAT,
        column: 1,
        reason: format!("it is not of two of the job's {engines} engines"),
    })
}

/// Starts every engine once and sets its options; `false` if that was cancelled.
fn verify(config: &RunConfig, patience: EngineTimeouts, cancel: &Cancel) -> Result<bool, String> {
    let mut pool = EnginePool::new(&config.engines, patience, cancel);
    match pool.verify(config.openings.is_chess960(), |_, _| {}) {
        Ok(()) => {
            pool.quit();
            Ok(true)
        }
        Err((_, PlayerError::Cancelled)) => Ok(false),
        Err((name, error)) => Err(not_started(&name, &error)),
    }
}

/// The CPUs that games are pinned to. Who takes some holds as many cores of the worker, so that
/// there are always enough.
#[derive(Debug)]
struct Seats(Mutex<Vec<usize>>);

/// CPUs of a game, which are free again when this is dropped.
struct Seated<'a> {
    seats: &'a Seats,
    cpus: Vec<usize>,
}

impl Seats {
    /// One CPU of every core first, then their siblings.
    fn new(count: usize) -> io::Result<Self> {
        let cores = uci::cpus::cores()?;
        let all: usize = cores.iter().map(std::collections::BTreeSet::len).sum();
        let chosen = pinning::choose(&cores, count, 1).ok_or_else(|| {
            io::Error::other(format!("{count} games cannot be pinned to {all} CPUs"))
        })?;
        // The last is taken first.
        Ok(Self(Mutex::new(
            chosen.into_iter().flatten().rev().collect(),
        )))
    }

    fn take(&self, count: usize) -> Seated<'_> {
        let mut free = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let left = free.len().saturating_sub(count);
        let cpus = free.split_off(left);
        Seated { seats: self, cpus }
    }
}

impl Drop for Seated<'_> {
    fn drop(&mut self) {
        let mut free = self.seats.0.lock().unwrap_or_else(PoisonError::into_inner);
        free.append(&mut self.cpus);
    }
}
