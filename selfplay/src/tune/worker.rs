//! A thread that plays games, with two engines of its own.

use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use uci::Cancel;

use super::config::TuneConfig;
use super::error::TuningError;
use super::parameter::Parameter;
use super::queue::{MINUS, PLUS, TuneTask};
use crate::model::{EngineConfig, EngineIndex, Pinning};
use crate::openings::Openings;
use crate::play::{EnginePool, EngineTimeouts, FinishedPlay, GameRules, RunPrograms};

/// Messages of a worker to the loop that owns the run.
pub(super) enum TuneEvent {
    Played {
        worker: usize,
        played: Box<FinishedPlay>,
    },
    /// A game could not be completed.
    Stopped {
        worker: usize,
        error: TuningError,
    },
    Dead,
}

/// What all games of a run have in common.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) config: &'a TuneConfig,
    pub(super) openings: &'a Openings,
    pub(super) rules: GameRules<'a>,
    /// The program, as it was when the first game began.
    pub(super) programs: &'a RunPrograms,
}

/// Plays games as they arrive, until the channel closes.
pub(super) fn work(
    worker: usize,
    ground: Ground<'_>,
    tasks: Receiver<TuneTask>,
    cpus: Option<Vec<usize>>,
    events: &Sender<TuneEvent>,
    cancel: &Cancel,
) {
    let last_word = LastWord(events);
    // Before engines are started, which inherit the CPUs.
    let mut unpinned = cpus.and_then(|cpus| {
        let is_wanted = ground.config.pinning != Pinning::Auto;
        let source = uci::cpus::pin(&cpus).err().filter(|_| is_wanted)?;
        Some(TuningError::Pin { cpus, source })
    });
    let engines = engines(ground.config);
    let mut pool = EnginePool::new(&engines, EngineTimeouts::default(), cancel);
    pool.compare_with(ground.programs);
    for task in tasks {
        let played = match unpinned.take() {
            Some(error) => Err(error),
            None => play(&mut pool, &task, ground),
        };
        let event = match played {
            Ok(played) => TuneEvent::Played {
                worker,
                played: Box::new(played),
            },
            Err(error) => TuneEvent::Stopped { worker, error },
        };
        // The receiver is gone, so no work is left.
        if events.send(event).is_err() {
            break;
        }
    }
    pool.quit();
    drop(last_word);
}

/// The two engines of a tuning, [`PLUS`] and [`MINUS`].
pub(super) fn engines(config: &TuneConfig) -> [EngineConfig; 2] {
    [PLUS, MINUS].map(|index| engine(config, index))
}

/// One of the two engines of a tuning. Options are in the order of the configuration: first the
/// fixed ones, then the tuned ones.
pub(super) fn engine(config: &TuneConfig, index: EngineIndex) -> EngineConfig {
    let name = if index == PLUS { "plus" } else { "minus" };
    let tuned = start_options(&config.parameters);
    EngineConfig {
        name: format!("{} ({name})", config.engine.name),
        options: config.engine.options.iter().cloned().chain(tuned).collect(),
        ..config.engine.clone()
    }
}

/// The options that are tuned, with the values from which the tuning starts.
pub(crate) fn start_options(parameters: &[Parameter]) -> Vec<(String, String)> {
    let start = parameters.iter();
    start
        .map(|one| (one.name.clone(), one.nearest(one.start)))
        .collect()
}

fn play(
    pool: &mut EnginePool,
    task: &TuneTask,
    ground: Ground<'_>,
) -> Result<FinishedPlay, TuningError> {
    let opening = ground.openings.get(task.plan.pairing.opening)?;
    let plus = pool.reconfigure(PLUS, &task.plus)?;
    let minus = pool.reconfigure(MINUS, &task.minus)?;
    let mut played = pool.play(&task.plan, &opening, ground.rules)?;
    played
        .record
        .incidents
        .extend(plus.into_iter().chain(minus));
    Ok(played)
}

/// Reports a panic of its thread, so that the receiver does not wait forever.
struct LastWord<'a>(&'a Sender<TuneEvent>);

impl Drop for LastWord<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            // If the receiver is gone, nothing waits for the event.
            let _ = self.0.send(TuneEvent::Dead);
        }
    }
}
