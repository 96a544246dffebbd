//! Plays a tuning: its iterations are what the loop of every run hands out and takes.

use std::path::Path;

use uci::Cancel;

use super::config::{self, PLUS, StoredConfig, TuneConfig};
use super::directory::{Directory, StoredTuning};
use super::error::{FAULTS_IN_A_ROW, TuningError};
use super::journal::IterationRecord;
use super::parameter::start_options;
use super::queue::TuningQueue;
use crate::config::program;
use crate::model::{GamePlan, GameRecord, PairOptions, Pinning};
use crate::openings::Openings;
use crate::play::event::{RunEnd, RunEvent};
use crate::play::run::{GameSource, Ground, pinning, play};
use crate::play::{
    Endgames, EngineTimeouts, Incident, Next, Player, PlayerError, RunError, RunPrograms, Syzygy,
};
use crate::stats::Wdl;

/// A tuning with its run directory, ready to be played.
pub struct Tuning {
    directory: Directory,
    config: StoredConfig,
    queue: TuningQueue,
    records: Vec<IterationRecord>,
    /// What games need; `None` if there are no games left.
    material: Option<Material>,
}

struct Material {
    openings: Openings,
    tables: Option<Syzygy>,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TuneEnd {
    Complete,
    /// The run was cancelled, and can be resumed.
    Interrupted,
}

/// What may differ from the stored configuration when a tuning is resumed.
#[derive(Clone, Debug, Default)]
pub struct Changes {
    /// Number of games at once, if it changes.
    pub concurrency: Option<usize>,
    /// Which CPUs games are played on, if that changes.
    pub pinning: Option<Pinning>,
    /// Whether to accept a changed program.
    pub allow_changed_engines: bool,
}

#[derive(Clone, Copy, Debug)]
pub struct TuneProgress<'a> {
    pub done: u64,
    /// Results of the games of this run, from the view of the engine perturbed in the direction of
    /// the iteration.
    pub games: Wdl,
    pub faults: u64,
    /// Number of faults between games, which cost no game.
    pub incidents: u64,
    pub values: &'a [f64],
}

impl Tuning {
    /// Starts a tuning in a directory, after all checks that need no game.
    pub fn begin(path: &Path, config: TuneConfig, cancel: &Cancel) -> Result<Self, TuningError> {
        config.check()?;
        let material = Material::open(&config)?;
        verify_engine(&config, cancel)?;
        let program = program::fingerprint(&config.engine)?;
        let config = StoredConfig::new(config, program, material.openings.fingerprint());
        // Last, so that a tuning that cannot begin leaves no directory behind.
        let directory = Directory::create(path, &config)?;
        // As it will be read on resuming, to the last digit of its numbers.
        let config: StoredConfig = {
            let text = serde_json::to_string(&config).expect("numbers and texts");
            serde_json::from_str(&text).expect("what was written can be read")
        };
        let queue = TuningQueue::new(&config.config, config.config.begin());
        Ok(Self {
            directory,
            config,
            queue,
            records: Vec::new(),
            material: Some(material),
        })
    }

    /// Resumes the tuning of a directory.
    pub fn resume(path: &Path, changes: Changes, cancel: &Cancel) -> Result<Self, TuningError> {
        let (directory, StoredTuning { mut config, replay }) = Directory::open(path)?;
        let stored = &mut config.config;
        stored.concurrency = changes.concurrency.unwrap_or(stored.concurrency);
        if let Some(pinning) = changes.pinning {
            stored.pinning = pinning;
        }
        config.check()?;
        let is_done = replay.spsa.done() == config.config.gains.iterations;
        // A tuning that is done can be shown without its book and its engine.
        let material = if is_done {
            None
        } else {
            let material = Material::open(&config.config)?;
            material.compare(config.book.as_deref())?;
            if !changes.allow_changed_engines {
                compare_program(&config)?;
            }
            verify_engine(&config.config, cancel)?;
            Some(material)
        };
        let queue = TuningQueue::new(&config.config, replay.spsa);
        Ok(Self {
            directory,
            config,
            queue,
            records: replay.records,
            material,
        })
    }

    pub fn config(&self) -> &TuneConfig {
        &self.config.config
    }

    pub fn records(&self) -> &[IterationRecord] {
        &self.records
    }

    pub fn values(&self) -> &[f64] {
        self.queue.spsa().values()
    }

    /// Plays until all iterations are done, or the work is cancelled. More than `max_faults` games
    /// lost by faults, counted from the first iteration, end the run. `watch` is called after every
    /// game.
    ///
    /// # Errors
    ///
    /// When a game cannot be played, or the run directory cannot be written to; all games under way
    /// are cancelled then.
    pub fn play(
        &mut self,
        cancel: &Cancel,
        max_faults: Option<u64>,
        watch: &mut dyn FnMut(TuneProgress<'_>),
    ) -> Result<TuneEnd, TuningError> {
        let Some(material) = self.material.take() else {
            return Ok(TuneEnd::Complete);
        };
        let config = self.config.config.run();
        let tables = material.tables.as_ref();
        let ground = Ground {
            config: &config,
            openings: &material.openings,
            endgames: tables.map(|tables| tables as &dyn Endgames),
            patience: EngineTimeouts::default().with(config.timeouts),
            programs: &RunPrograms::default(),
            is_interrupted: &|| cancel.is_set(),
            control: &mut || None,
        };
        let mut games = TunedGames {
            earlier: self.records.iter().map(|record| record.faults).sum(),
            tuning: self,
            tally: TuneTally::default(),
            max_faults,
            watch,
        };
        let played = play(ground, &mut games, &mut |_| {});
        self.material = Some(material);
        Ok(match played? {
            RunEnd::Interrupted => TuneEnd::Interrupted,
            RunEnd::Done | RunEnd::Decided => TuneEnd::Complete,
        })
    }
}

/// The games of a tuning, whose iterations are lines of the journal.
struct TunedGames<'a> {
    tuning: &'a mut Tuning,
    tally: TuneTally,
    /// Number of games lost by faults before the run was resumed.
    earlier: u64,
    max_faults: Option<u64>,
    watch: &'a mut dyn FnMut(TuneProgress<'_>),
}

impl GameSource for TunedGames<'_> {
    type Error = TuningError;

    fn next(&mut self) -> Next {
        self.tuning.queue.next_game()
    }

    fn options(&self, plan: &GamePlan) -> Option<PairOptions> {
        self.tuning.queue.options(plan)
    }

    fn is_over(&self) -> bool {
        self.tuning.queue.spsa().done() == self.tuning.config().gains.iterations
    }

    /// Applies a finished game; completed iterations are appended to the journal.
    fn record(
        &mut self,
        record: GameRecord,
        transcript: Option<&str>,
        _report: &mut dyn FnMut(RunEvent),
    ) -> Result<(), TuningError> {
        let tuning = &mut *self.tuning;
        self.tally.add(&record);
        if let Some(transcript) = transcript {
            tuning
                .directory
                .keep_failure(record.plan.game, transcript)?;
        }
        for done in tuning.queue.finish(&record) {
            tuning.directory.append(&done)?;
            tuning.records.push(done);
        }
        (self.watch)(self.tally.progress(&tuning.queue));
        let Some(fault) = record.fault else {
            return Ok(());
        };
        let (last, games) = (fault.detail, self.earlier + self.tally.faults);
        if self.tally.faults_in_a_row >= FAULTS_IN_A_ROW {
            return Err(TuningError::Faults { last });
        }
        if self.max_faults.is_some_and(|most| games > most) {
            return Err(TuningError::TooManyFaults { games, last });
        }
        Ok(())
    }
}

#[derive(Default)]
struct TuneTally {
    games: Wdl,
    faults: u64,
    faults_in_a_row: u64,
    incidents: u64,
}

impl TuneTally {
    fn add(&mut self, record: &GameRecord) {
        let points = record.half_points(PLUS);
        self.games.add(points.expect("it plays in every game"));
        if record.fault.is_some() {
            self.faults += 1;
            self.faults_in_a_row += 1;
        } else {
            self.faults_in_a_row = 0;
        }
        self.incidents += record.incidents.len() as u64;
    }

    fn progress<'a>(&self, queue: &'a TuningQueue) -> TuneProgress<'a> {
        TuneProgress {
            done: queue.spsa().done(),
            games: self.games,
            faults: self.faults,
            incidents: self.incidents,
            values: queue.spsa().values(),
        }
    }
}

impl Material {
    fn open(config: &TuneConfig) -> Result<Self, TuningError> {
        let rule = config.adjudication.tablebase.as_ref();
        // Before anything is written: the loop assigns them again.
        let run = config.run();
        pinning::assign(&run.pinning, &run.engines, run.concurrency).map_err(RunError::from)?;
        Ok(Self {
            openings: Openings::open(&config.openings, config.seed)?,
            tables: rule.map(Syzygy::open).transpose()?,
        })
    }

    /// Rejects a book that has changed since the start.
    fn compare(&self, expected: Option<&str>) -> Result<(), TuningError> {
        let found = self.openings.fingerprint();
        if found.as_deref() == expected {
            return Ok(());
        }
        let text = |book: Option<&str>| book.unwrap_or("none").to_owned();
        Err(TuningError::Book {
            expected: text(expected),
            found: text(found.as_deref()),
        })
    }
}

/// Rejects a program that has changed since the start.
fn compare_program(config: &StoredConfig) -> Result<(), TuningError> {
    let found = program::fingerprint(&config.config.engine)?;
    if found == config.program {
        return Ok(());
    }
    let expected = config.program.clone();
    Err(TuningError::Changed { expected, found })
}

/// Starts the engine once, to check that it has all options and accepts all their values.
fn verify_engine(config: &TuneConfig, cancel: &Cancel) -> Result<(), TuningError> {
    let mut fixed = config.clone();
    // Without the tuned options, whose faults `check` reports more precisely.
    fixed.parameters.clear();
    let engine = fixed.engine(PLUS);
    let patience = EngineTimeouts::default().with(config.timeouts);
    let mut player = Player::new(PLUS, engine, patience, cancel.clone());
    player.verify(config.openings.is_chess960())?;
    let mut checked = config.parameters.iter();
    checked.try_for_each(|parameter| config::check(parameter, player.options()))?;
    let start = start_options(&config.parameters);
    if let Some(Incident { kind, detail }) = player.reconfigure(&start)? {
        return Err(PlayerError::Fault { kind, detail }.into());
    }
    player.try_limits(config.openings.is_chess960(), &mut |_| {})?;
    player.quit();
    Ok(())
}
