//! Plays a tuning: threads, and the one loop that owns queue and run directory.

use std::path::Path;
use std::sync::mpsc::{self, Receiver, Sender};
use std::thread;

use uci::Cancel;

use super::config::{self, StoredConfig, TuneConfig};
use super::directory::{Directory, StoredTuning};
use super::error::{FAULTS_IN_A_ROW, TuningError};
use super::journal::IterationRecord;
use super::queue::{PLUS, TuneTask, TuningQueue};
use super::worker::{self, Ground, TuneEvent};
use crate::config::program;
use crate::model::{GameRecord, Pinning};
use crate::openings::Openings;
use crate::play::RunPrograms;
use crate::play::run::pinning::{self, Places};
use crate::play::{
    Endgames, EngineTimeouts, FinishedPlay, GameRules, Incident, Player, PlayerError, Syzygy,
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
    /// The CPUs of each worker, if games are pinned.
    places: Places,
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
        let config = self.config.config.clone();
        let ground = Ground {
            config: &config,
            openings: &material.openings,
            rules: material.rules(&config),
            programs: &RunPrograms::default(),
        };
        let played = thread::scope(|scope| {
            let (sender, events) = mpsc::channel();
            let mut desks = Vec::new();
            for worker in 0..workers(&config) {
                let (desk, tasks) = mpsc::channel();
                let sender = sender.clone();
                let cancel = cancel.clone();
                let cpus = material.places.of_worker(worker).map(<[usize]>::to_vec);
                let work = move || worker::work(worker, ground, tasks, cpus, &sender, &cancel);
                thread::Builder::new()
                    .spawn_scoped(scope, work)
                    .map_err(TuningError::Thread)?;
                desks.push(desk);
            }
            self.dispatch(&desks, &events, (cancel, max_faults), watch)
        });
        self.material = Some(material);
        played
    }

    /// Hands out games to workers and collects the results until no games are left.
    fn dispatch(
        &mut self,
        desks: &[Sender<TuneTask>],
        events: &Receiver<TuneEvent>,
        (cancel, max_faults): (&Cancel, Option<u64>),
        watch: &mut dyn FnMut(TuneProgress<'_>),
    ) -> Result<TuneEnd, TuningError> {
        let earlier: u64 = self.records.iter().map(|record| record.faults).sum();
        let mut idle: Vec<usize> = (0..desks.len()).rev().collect();
        let mut tally = TuneTally::default();
        let mut failure = None;
        loop {
            while !cancel.is_set() && !idle.is_empty() {
                let Some(task) = self.queue.next_task() else {
                    break;
                };
                let worker = idle.pop().expect("one is idle");
                // A dead worker reports itself by an event.
                let _ = desks[worker].send(task);
            }
            if idle.len() == desks.len() {
                break;
            }
            let taken = match events.recv() {
                Ok(TuneEvent::Played { worker, played }) => {
                    idle.push(worker);
                    let taken = self.take(&played, &mut tally);
                    taken.and_then(|()| {
                        let games = earlier + tally.faults;
                        check_faults(&played.record, games, max_faults)
                    })
                }
                Ok(TuneEvent::Stopped { worker, error }) => {
                    idle.push(worker);
                    if error.is_cancelled() {
                        Ok(())
                    } else {
                        Err(error)
                    }
                }
                // The panic resumes once all threads have ended.
                Ok(TuneEvent::Dead) | Err(_) => {
                    cancel.set();
                    break;
                }
            };
            if let Err(error) = taken {
                // The first error is the cause.
                failure.get_or_insert(error);
                cancel.set();
            }
            watch(tally.progress(&self.queue));
        }
        let is_complete = self.queue.spsa().done() == self.config().gains.iterations;
        match failure {
            Some(error) => Err(error),
            None if is_complete => Ok(TuneEnd::Complete),
            None => Ok(TuneEnd::Interrupted),
        }
    }

    /// Applies a finished game; completed iterations are appended to the journal.
    fn take(&mut self, played: &FinishedPlay, tally: &mut TuneTally) -> Result<(), TuningError> {
        tally.add(played);
        let record = &played.record;
        if let Some(transcript) = &played.transcript {
            self.directory.keep_failure(record.plan.game, transcript)?;
        }
        for done in self.queue.finish(record) {
            self.directory.append(&done)?;
            self.records.push(done);
        }
        match &record.fault {
            Some(fault) if tally.faults_in_a_row >= FAULTS_IN_A_ROW => {
                let last = fault.detail.clone();
                Err(TuningError::Faults { last })
            }
            _ => Ok(()),
        }
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
    fn add(&mut self, played: &FinishedPlay) {
        let points = played.record.half_points(PLUS);
        self.games.add(points.expect("it plays in every game"));
        if played.record.fault.is_some() {
            self.faults += 1;
            self.faults_in_a_row += 1;
        } else {
            self.faults_in_a_row = 0;
        }
        self.incidents += played.record.incidents.len() as u64;
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
        let workers = workers(config);
        Ok(Self {
            places: pinning::assign(&config.pinning, &worker::engines(config), workers)?,
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

    fn rules<'a>(&'a self, config: &'a TuneConfig) -> GameRules<'a> {
        let tables = self.tables.as_ref();
        GameRules {
            adjudication: &config.adjudication,
            endgames: tables.map(|tables| tables as &dyn Endgames),
        }
    }
}

/// Fails if this game ended by a fault, and more games did than the user allows.
fn check_faults(
    record: &GameRecord,
    games: u64,
    max_faults: Option<u64>,
) -> Result<(), TuningError> {
    match (max_faults, &record.fault) {
        (Some(max), Some(fault)) if games > max => {
            let last = fault.detail.clone();
            Err(TuningError::TooManyFaults { games, last })
        }
        _ => Ok(()),
    }
}

/// Number of games that are played at once.
fn workers(config: &TuneConfig) -> usize {
    let most = usize::try_from(config.most_at_once());
    most.map_or(config.concurrency, |most| most.min(config.concurrency))
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
    let engine = worker::engine(&fixed, PLUS);
    let mut player = Player::new(
        PLUS,
        engine,
        EngineTimeouts::default().before_games(),
        cancel.clone(),
    );
    player.verify(config.openings.is_chess960())?;
    let mut checked = config.parameters.iter();
    checked.try_for_each(|parameter| config::check(parameter, player.options()))?;
    let start = worker::start_options(&config.parameters);
    if let Some(Incident { kind, detail }) = player.reconfigure(&start)? {
        return Err(PlayerError::Fault { kind, detail }.into());
    }
    player.try_limits(config.openings.is_chess960(), &mut |_| {})?;
    player.quit();
    Ok(())
}
