//! A worker that plays pairs for a coordinator: lanes that each play one game at a time, and a
//! pulse that sends their heartbeats.
//!
//! ```text
//! lane:  lease -> play a pair -> send it back -> next pair of the lease -> next lease
//! pulse: heartbeat for every lease held; a stopped job or a lost lease aborts the game
//! ```

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use kit::Interrupt;
use queue::{Broker, BrokerError, Job, Worker};
use serde::Serialize;
use uci::Cancel;

mod lane;

use super::program::{Places, ProgramError, Programs};
use super::protocol::{JobBody, Message, MessageError};
use super::retry::{ask, chain, now};
use super::speed::{ScaleError, TimeScale};
use crate::model::RunConfig;
use crate::play::player::{Patience, PlayerError};
use crate::play::run::pinning::{self, BudgetError, threads_of_game};
use crate::play::run::{EnginePool, not_started};
use crate::play::tablebase::Syzygy;
use lane::{Lane, Pulse};

pub struct Helper<'a> {
    pub broker: &'a dyn Broker,
    /// The unique name of the worker.
    pub name: String,
    pub lanes: usize,
    /// The speed of the machine with this many concurrent games, in perft nodes per second.
    pub speed: std::num::NonZeroU64,
    /// Where to look for programs.
    pub places: Places,
    /// Whether each lane is pinned to its own CPUs.
    pub pin: bool,
    /// Whether to play even if the machine is too small.
    pub force: bool,
    /// Exit after this time without work.
    pub idle_exit: Option<Duration>,
    /// The time after which a lease without a heartbeat expires.
    pub visibility: Duration,
    pub patience: Patience,
    /// Set when the user interrupts the worker.
    pub interrupt: &'a Interrupt,
    pub say: &'a (dyn Fn(&str) + Sync),
}

/// The information about a worker that the broker stores.
#[derive(Debug, Serialize)]
struct About<'a> {
    program: &'static str,
    version: &'static str,
    system: &'a str,
    games: usize,
    speed: u64,
}

#[derive(Debug, thiserror::Error)]
pub enum HelpError {
    /// The broker fails, or has quarantined the worker.
    #[error("{}", chain(.0))]
    Broker(#[from] BrokerError),
    /// A job cannot be played on this machine.
    #[error("job {job} cannot be played here: {source}")]
    Setup {
        job: String,
        source: Box<SetupError>,
    },
    /// A unit of a job cannot be parsed.
    #[error("job {job} cannot be played: {source}")]
    Message { job: String, source: MessageError },
    #[error("job {job}, pair {pair}: {error}")]
    Game {
        job: String,
        /// The number of the pair, from 1.
        pair: u64,
        error: String,
        is_configuration: bool,
    },
    #[error("{what}: {source}")]
    System {
        what: &'static str,
        source: std::io::Error,
    },
}

impl HelpError {
    /// Returns true if the user's input or the job is to blame.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Setup { source, .. } => source.is_input(),
            Self::Game {
                is_configuration, ..
            } => *is_configuration,
            Self::Message { .. } => true,
            Self::Broker(_) | Self::System { .. } => false,
        }
    }
}

struct Shared<'a> {
    helper: &'a Helper<'a>,
    setups: Mutex<Setups>,
    pulse: Pulse,
    /// Set when a lane cannot continue; all others end then.
    failed: AtomicBool,
    pairs: AtomicU64,
    busy: Mutex<Instant>,
}

impl Shared<'_> {
    fn is_over(&self) -> bool {
        self.helper.interrupt.has_come() || self.failed.load(Ordering::Relaxed)
    }
}

/// Plays until the user interrupts, there was no work for too long, or it cannot continue. Returns
/// the number of pairs sent back. By then all engines have exited and all leases have been
/// returned.
///
/// # Panics
///
/// If a lane panics.
pub fn help(helper: &Helper<'_>) -> Result<u64, HelpError> {
    register(helper)?;
    let setups = Setups::new(helper).map_err(|source| HelpError::System {
        what: "the CPUs of this machine cannot be asked for",
        source,
    })?;
    let shared = Shared {
        helper,
        setups: Mutex::new(setups),
        pulse: Pulse::default(),
        failed: AtomicBool::new(false),
        pairs: AtomicU64::new(0),
        busy: Mutex::new(now()),
    };
    let shared = &shared;
    let ended: Vec<Result<(), HelpError>> = std::thread::scope(|scope| {
        let lanes: Vec<_> = (0..helper.lanes)
            .map(|number| scope.spawn(move || Lane::new(number, shared).work()))
            .collect();
        let beating = scope.spawn(|| shared.pulse.beat(shared));
        let ended = lanes
            .into_iter()
            .map(|lane| lane.join().expect("a lane has panicked"));
        let ended = ended.collect();
        shared.pulse.end();
        beating.join().expect("the pulse has panicked");
        ended
    });
    ended.into_iter().collect::<Result<(), _>>()?;
    Ok(shared.pairs.load(Ordering::Relaxed))
}

fn register(helper: &Helper<'_>) -> Result<(), HelpError> {
    let about = About {
        program: "selfplay",
        version: env!("CARGO_PKG_VERSION"),
        system: std::env::consts::OS,
        games: helper.lanes,
        speed: helper.speed.get(),
    };
    let worker = Worker {
        name: helper.name.clone(),
        about: serde_json::to_string(&about).expect("it is text and numbers"),
    };
    Ok(ask(helper.interrupt, helper.say, || {
        helper.broker.register(&worker)
    })?)
}

// Sets up a job on this machine, once: finds its programs, scales its times, opens its tablebases.

/// Why a job cannot be played here.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The job description cannot be parsed.
    #[error(transparent)]
    Message(#[from] MessageError),
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The machine is too slow or too fast.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    #[error("{0}; --force plays all the same")]
    Budget(#[from] BudgetError),
    #[error("{0}")]
    Tables(String),
    /// The working directory of an engine does not exist here.
    #[error("engine '{engine}' runs in {}, which is not a directory here", path.display())]
    Directory { engine: String, path: PathBuf },
    /// An engine cannot be started or set up.
    #[error("{0}")]
    Engine(String),
    /// There are too few CPUs to pin games to.
    #[error("{games} games cannot be pinned to {threads} CPUs each")]
    Pinning { games: usize, threads: usize },
}

impl SetupError {
    /// Returns true if the user's input is to blame.
    pub const fn is_input(&self) -> bool {
        !matches!(self, Self::Scale(_) | Self::Engine(_))
    }
}

/// A job that can be played here.
struct Setup {
    /// The configuration as adapted to this machine.
    config: RunConfig,
    /// The time scale; `None` if nothing depends on time.
    scale: Option<f64>,
    tables: Option<Syzygy>,
    cpus: Option<Vec<Vec<usize>>>,
}

/// The jobs that have been set up.
struct Setups {
    known: BTreeMap<String, Arc<Setup>>,
    programs: Programs,
    /// The cores, if lanes are pinned; read before anything is pinned, which would limit them.
    cores: Option<Vec<std::collections::BTreeSet<usize>>>,
}

/// Maximum number of jobs to remember.
const KEPT: usize = 16;

impl Setups {
    fn new(helper: &Helper<'_>) -> io::Result<Self> {
        Ok(Self {
            known: BTreeMap::new(),
            programs: Programs::new(helper.places.clone()),
            cores: helper.pin.then(uci::cpus::cores).transpose()?,
        })
    }

    /// A job, set up now or earlier.
    fn get(&mut self, job: &Job, helper: &Helper<'_>) -> Result<Arc<Setup>, SetupError> {
        if let Some(setup) = self.known.get(&job.id) {
            return Ok(Arc::clone(setup));
        }
        let setup = Arc::new(self.set_up(job, helper)?);
        if self.known.len() >= KEPT {
            self.known.clear();
        }
        self.known.insert(job.id.clone(), Arc::clone(&setup));
        Ok(setup)
    }

    fn set_up(&self, job: &Job, helper: &Helper<'_>) -> Result<Setup, SetupError> {
        let JobBody {
            mut config,
            programs,
            speed,
        } = JobBody::from_text(&job.body)?;
        config.concurrency = helper.lanes;
        let scale = speed.map(|speed| TimeScale::new(speed, helper.speed));
        let scale = scale.transpose()?;
        for engine in &mut config.engines {
            let (name, path) = (&engine.name, &engine.command.program);
            let id = programs.get(name);
            let found = self
                .programs
                .find(name, path, id, helper.interrupt, helper.say)?;
            engine.command.program = found;
            if let Some(path) = engine
                .command
                .directory
                .as_ref()
                .filter(|path| !path.is_dir())
            {
                let (engine, path) = (engine.name.clone(), path.clone());
                return Err(SetupError::Directory { engine, path });
            }
            if let Some(scale) = scale {
                engine.limits = scale.of(&engine.limits);
            }
        }
        check_budget(&config, helper)?;
        let cpus = self.cpus(&config)?;
        let tables = config.adjudication.tablebase.as_ref().map(Syzygy::open);
        let tables = tables
            .transpose()
            .map_err(|error| SetupError::Tables(error.to_string()))?;
        // An interrupt is noticed before the first game.
        let patience = helper.patience.with(config.timeouts);
        verify(&config, patience, helper.interrupt).map_err(SetupError::Engine)?;
        let names: Vec<&str> = config.engines.iter().map(|one| &*one.name).collect();
        let times = scale.map_or_else(String::new, |scale| {
            format!(", times multiplied by {}", scale.factor())
        });
        let names = names.join(" - ");
        (helper.say)(&format!("playing job {}: {names}{times}", job.id));
        Ok(Setup {
            config,
            scale: scale.map(TimeScale::factor),
            tables,
            cpus,
        })
    }

    fn cpus(&self, config: &RunConfig) -> Result<Option<Vec<Vec<usize>>>, SetupError> {
        let Some(cores) = &self.cores else {
            return Ok(None);
        };
        let (games, threads) = (config.concurrency, threads_of_game(&config.engines));
        let chosen = pinning::choose(cores, games, threads);
        chosen
            .map(Some)
            .ok_or(SetupError::Pinning { games, threads })
    }
}

fn check_budget(config: &RunConfig, helper: &Helper<'_>) -> Result<(), SetupError> {
    match pinning::check(config, pinning::machine()) {
        Err(error) if helper.force => {
            (helper.say)(&format!("note: {error}"));
            Ok(())
        }
        checked => Ok(checked?),
    }
}

/// Starts every engine once and sets its options; `false` if the user interrupted.
pub(crate) fn verify(
    config: &RunConfig,
    patience: Patience,
    interrupt: &Interrupt,
) -> Result<bool, String> {
    let cancel = Cancel::from(interrupt.shared());
    let mut pool = EnginePool::new(&config.engines, patience, &cancel);
    match pool.verify(config.openings.is_chess960(), |_, _| {}) {
        Ok(()) => {
            pool.quit();
            Ok(true)
        }
        Err((_, PlayerError::Cancelled)) => Ok(false),
        Err((name, error)) => Err(not_started(&name, &error)),
    }
}
