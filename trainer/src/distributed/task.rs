//! Games of self-play as work for a worker: the kind `training-games/1`.

use std::panic::resume_unwind;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, Mutex, PoisonError};

use engine::search::STACK_BYTES;
use queue::work::{CannotRun, Submit, Task};
use queue::{Lease, Unit, UnitResult};

use super::protocol::{JobBody, KIND, UnitBody, encode, engine};
use crate::evaluator::Evaluator;
use crate::game::{PlayPlan, play};

/// Plays the games of a lease on one core.
#[derive(Default)]
pub struct GamesTask {
    /// The job that was begun last, with its name.
    known: Mutex<Option<(String, Arc<Sound>)>>,
}

/// A job of whose engine this one is the same version.
struct Sound {
    body: JobBody,
    evaluator: Evaluator,
}

impl GamesTask {
    /// The job of a lease; `None` soon after `stop` is set.
    fn job(&self, lease: &Lease, stop: &AtomicBool) -> Result<Option<Arc<Sound>>, CannotRun> {
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((id, job)) = &*known()
            && *id == lease.job.id
        {
            return Ok(Some(Arc::clone(job)));
        }
        // Several threads may do this for the same job: it takes less than a second.
        let (body, evaluator) = JobBody::read(&lease.job.body).map_err(inability)?;
        let Some(ours) = engine(&evaluator, stop).map_err(inability)? else {
            return Ok(None);
        };
        if ours != body.engine {
            let theirs = &body.engine;
            let reason = format!(
                "the engine is another version: its games are '{ours}', expected '{theirs}'"
            );
            return Err(CannotRun(reason));
        }
        let job = Arc::new(Sound { body, evaluator });
        *known() = Some((lease.job.id.clone(), Arc::clone(&job)));
        Ok(Some(job))
    }
}

impl Sound {
    /// The records of all games of a unit; `None` soon after `stop` is set.
    fn play(&self, unit: &Unit, stop: &AtomicBool) -> Result<Option<Vec<u8>>, CannotRun> {
        let (most, Unit { key, body }) = (self.body.games_per_unit(), unit);
        let sound = UnitBody::parse(body).filter(|unit| unit.count() <= most);
        let unit = sound.ok_or_else(|| {
            CannotRun(format!(
                "unit {key} is '{body}', expected a seed and the numbers of at most {most} games"
            ))
        })?;
        let plan = PlayPlan {
            seed: unit.seed,
            nodes: self.body.nodes,
        };
        let mut records = Vec::new();
        for number in unit.games {
            let game = play(plan, &self.evaluator, number, stop).map_err(inability)?;
            let Some(game) = game else {
                return Ok(None);
            };
            records.extend(game);
        }
        Ok(Some(records))
    }
}

impl Task for GamesTask {
    fn kinds(&self) -> Vec<&'static str> {
        vec![KIND]
    }

    fn work(
        &self,
        _lane: usize,
        lease: &Lease,
        stop: &Arc<AtomicBool>,
        submit: Submit<'_>,
    ) -> Result<(), CannotRun> {
        let Some(job) = self.job(lease, stop)? else {
            return Ok(());
        };
        for unit in &lease.units {
            let played = std::thread::scope(|scope| {
                // A search asks for this stack, and the threads of a worker have another one.
                let builder = std::thread::Builder::new().stack_size(STACK_BYTES);
                let player = builder.spawn_scoped(scope, || job.play(unit, stop));
                let player = player.map_err(inability)?;
                player.join().unwrap_or_else(|panic| resume_unwind(panic))
            });
            let Some(records) = played? else {
                return Ok(());
            };
            let (key, value) = (unit.key, encode(&records));
            submit(&[UnitResult { key, value }]);
        }
        Ok(())
    }
}

fn inability(error: impl std::error::Error) -> CannotRun {
    CannotRun(error.to_string())
}
