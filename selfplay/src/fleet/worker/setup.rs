//! Sets up a job on this machine, once: finds its programs, scales its times, opens its tablebases.

use std::collections::BTreeMap;
use std::io;
use std::path::PathBuf;
use std::sync::Arc;

use ::fleet::Job;
use uci::Cancel;

use super::Helper;
use crate::config::budget::{self, BudgetError, threads_of_game};
use crate::fleet::program::{ProgramError, Programs};
use crate::fleet::scale::{ScaleError, TimeScale};
use crate::fleet::words::{JobBody, Words, WordsError};
use crate::model::RunConfig;
use crate::player::PlayerError;
use crate::run::{Crew, affinity, not_started};
use crate::syzygy::Syzygy;

/// Why a job cannot be played here.
#[derive(Debug, thiserror::Error)]
pub enum SetupError {
    /// The job description cannot be parsed.
    #[error(transparent)]
    Words(#[from] WordsError),
    /// A program is not available.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The machine is too slow or too fast.
    #[error(transparent)]
    Scale(#[from] ScaleError),
    /// The machine is too small.
    #[error("{0}; --force plays all the same")]
    Budget(#[from] BudgetError),
    /// The tablebases cannot be opened.
    #[error("{0}")]
    Tables(String),
    /// The working directory of an engine does not exist here.
    #[error("engine '{engine}' runs in {}, which is no directory here", path.display())]
    Directory {
        /// The name of the engine.
        engine: String,
        /// The path of the directory.
        path: PathBuf,
    },
    /// An engine cannot be started or set up.
    #[error("{0}")]
    Engine(String),
    /// There are too few CPUs to pin games to.
    #[error("{games} games cannot be pinned to {threads} CPUs each")]
    Pinning {
        /// Number of concurrent games.
        games: usize,
        /// Number of CPUs per game.
        threads: usize,
    },
}

impl SetupError {
    /// Returns true if the user's input is to blame.
    pub const fn is_input(&self) -> bool {
        !matches!(self, Self::Scale(_) | Self::Engine(_))
    }
}

/// A job that can be played here.
pub(super) struct Setup {
    /// The configuration as adapted to this machine.
    pub(super) config: RunConfig,
    /// The time scale; `None` if nothing depends on time.
    pub(super) scale: Option<f64>,
    pub(super) tables: Option<Syzygy>,
    /// The CPUs of each lane, if they are pinned.
    pub(super) cpus: Option<Vec<Vec<usize>>>,
}

/// The jobs that have been set up.
pub(super) struct Setups {
    known: BTreeMap<String, Arc<Setup>>,
    programs: Programs,
    /// The cores, if lanes are pinned; read before anything is pinned, which would limit them.
    cores: Option<Vec<std::collections::BTreeSet<usize>>>,
}

/// Maximum number of jobs to remember.
const KEPT: usize = 16;

impl Setups {
    pub(super) fn new(helper: &Helper<'_>) -> io::Result<Self> {
        Ok(Self {
            known: BTreeMap::new(),
            programs: Programs::new(helper.places.clone()),
            cores: helper.pin.then(affinity::cores).transpose()?,
        })
    }

    /// A job, set up now or earlier.
    pub(super) fn get(&mut self, job: &Job, helper: &Helper<'_>) -> Result<Arc<Setup>, SetupError> {
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
        verify(&config, helper)?;
        tell(job, &config, scale, helper);
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
        let (games, threads) = (config.concurrency, threads_of_game(config));
        let chosen = affinity::choose(cores, games, threads);
        chosen
            .map(Some)
            .ok_or(SetupError::Pinning { games, threads })
    }
}

fn check_budget(config: &RunConfig, helper: &Helper<'_>) -> Result<(), SetupError> {
    match budget::check(config, budget::machine()) {
        Err(error) if helper.force => {
            (helper.say)(&format!("note: {error}"));
            Ok(())
        }
        checked => Ok(checked?),
    }
}

/// Starts every engine once and sets its options.
fn verify(config: &RunConfig, helper: &Helper<'_>) -> Result<(), SetupError> {
    let cancel = Cancel::from(helper.interrupt.shared());
    let mut crew = Crew::new(&config.engines, helper.patience, &cancel);
    match crew.verify(config.openings.is_chess960(), |_, _| {}) {
        Ok(()) => {
            crew.quit();
            Ok(())
        }
        // The user interrupted, which is noticed before the first game.
        Err((_, PlayerError::Cancelled)) => Ok(()),
        Err((name, error)) => Err(SetupError::Engine(not_started(&name, &error))),
    }
}

fn tell(job: &Job, config: &RunConfig, scale: Option<TimeScale>, helper: &Helper<'_>) {
    let names: Vec<&str> = config.engines.iter().map(|one| &*one.name).collect();
    let scale = scale.map_or_else(String::new, |scale| {
        format!(", times multiplied by {}", scale.factor())
    });
    (helper.say)(&format!(
        "playing job {}: {}{scale}",
        job.id,
        names.join(" - ")
    ));
}
