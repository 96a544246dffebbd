//! The queue of a lab: jobs, leases, results, and whom to believe.
//!
//! [`Work`] is its façade. Below it: `put` adds jobs, `lease` distributes chunks, `heartbeat` renews
//! leases, `answer` takes results, `delivery` is what came and what was there, `judge` decides what
//! becomes of it, `able` knows who could, `confirm` has decisions checked by others, `purge` takes back the results of liars, `look` reads, `upkeep` tidies up. `batch`
//! makes one transaction of requests that come together, `identify` finds callers, `token` seals leases, `tally` sums up what
//! a transaction changes.

mod able;
mod answer;
mod confirm;
mod delivery;
mod error;
mod heartbeat;
mod identify;
mod judge;
mod lease;
mod look;
mod purge;
mod put;
mod state;
mod tally;
mod token;
mod upkeep;

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use queue::wire::{Abilities, LeaseBody, LeaseRequest, Register};
use queue::{Alarm, Job, JobState, Progress, Recorded, Standing, UnitResult, WorkerState};
use sqlx::types::Json;

use crate::model::{AccountId, WorkerId, WorkerIdentity};
use crate::store::{Database, IN_BACKGROUND};
use answer::BatchOutcome;
use delivery::Delivered;
use heartbeat::Beat;
use lease::WorkRequest;
use state::{WorkState, instant, lock};
use web::batch::{Batcher, Collecting};

/// How long the first request of a batch waits for others.
const COLLECT: Duration = Duration::from_millis(2);

pub use confirm::Deciding;
pub use error::WorkError;
pub use look::Verification;
pub(crate) use put::add_chunks;
pub use put::{PutJob, PutOptions};
pub use state::{ResultCheck, Retention, WorkTuning, any_value};

/// For how long the abilities of a worker are remembered.
const ABILITIES_FOR: Duration = Duration::from_mins(1);
/// The largest result.
const VALUE_BYTES: usize = 16 << 20;

/// The queue of a lab. Cheap to clone.
#[derive(Clone, Debug)]
pub struct Work {
    state: Arc<WorkState>,
    callers: Batcher<Vec<u8>, identify::IdentifyAnswer>,
    leases: Batcher<WorkRequest, Result<Option<LeaseBody>, WorkError>>,
    beats: Batcher<Beat, Result<Standing, WorkError>>,
    answers: Batcher<Delivered, Result<(), WorkError>>,
    abilities: Arc<Mutex<HashMap<WorkerId, (Instant, Abilities)>>>,
}

impl Work {
    /// Opens the queue, in a runtime, where it starts tasks that end with the last clone.
    ///
    /// # Errors
    /// The database failed.
    pub async fn open(database: Database) -> Result<Self, WorkError> {
        Self::with(database, WorkTuning::default()).await
    }

    /// Like [`Work::open`], with another tuning.
    ///
    /// # Errors
    /// The database failed.
    pub async fn with(database: Database, tuning: WorkTuning) -> Result<Self, WorkError> {
        let state = Arc::new(WorkState::open(database, tuning).await?);
        let collecting = Collecting {
            parallel: tuning.parallel.max(1),
            wait: COLLECT,
            patience: IN_BACKGROUND,
        };
        let one = Collecting {
            parallel: 1,
            ..collecting
        };
        let of_callers = Arc::clone(&state);
        let callers = Batcher::start(collecting, move |hashes| {
            let state = Arc::clone(&of_callers);
            async move { identify::identify(&state, hashes).await }
        });
        let of_leases = Arc::clone(&state);
        let leases = Batcher::start(collecting, move |wanted| {
            let state = Arc::clone(&of_leases);
            async move { lease::lease(&state, wanted).await }
        });
        let of_beats = Arc::clone(&state);
        let beats = Batcher::start(one, move |beats| {
            let state = Arc::clone(&of_beats);
            async move { heartbeat::renew(&state, beats).await }
        });
        let of_answers = Arc::clone(&state);
        let answers = Batcher::start(collecting, move |delivered| {
            let state = Arc::clone(&of_answers);
            async move { answered(state, delivered).await }
        });
        tokio::spawn(upkeep::keep(Arc::downgrade(&state)));
        Ok(Self {
            state,
            callers,
            leases,
            beats,
            answers,
            abilities: Arc::default(),
        })
    }

    /// The worker that a token with this hash belongs to, unless it is revoked or the account of its
    /// owner disabled.
    ///
    /// # Errors
    /// The database failed.
    pub async fn identify(&self, hash: Vec<u8>) -> Result<Option<WorkerIdentity>, WorkError> {
        let found = self.callers.ask(hash).await;
        found.unwrap_or(Err(WorkError::Ending))
    }

    /// Begins to add a job, in a transaction of its own.
    ///
    /// # Errors
    /// Another job has this name; the database failed.
    pub async fn begin_put(
        &self,
        owner: AccountId,
        job: &Job,
        options: PutOptions,
    ) -> Result<PutJob, WorkError> {
        let state = Arc::clone(&self.state);
        let on_end = Box::new(move || state.forget_jobs());
        put::begin(&self.state.database, owner, job, &options, on_end).await
    }

    /// Notes what a worker is.
    ///
    /// # Errors
    /// The worker is quarantined; the database failed.
    pub async fn register(
        &self,
        worker: &WorkerIdentity,
        register: &Register,
    ) -> Result<(), WorkError> {
        trusted(worker)?;
        sqlx::query(
            "update lab.workers set about = $2, abilities = $3, seen_at = clock_timestamp(),
                registered_at = clock_timestamp()
                where id = $1",
        )
        .bind(worker.id)
        .bind(register.about.replace('\0', ""))
        .bind(Json(&register.abilities))
        .execute(&self.state.database.pool)
        .await?;
        let known = (instant(), register.abilities.clone());
        lock(&self.abilities).insert(worker.id, known);
        Ok(())
    }

    /// A chunk for a worker; `None` if there is nothing for it now.
    ///
    /// # Errors
    /// The worker is quarantined; the database failed.
    pub async fn lease(
        &self,
        worker: &WorkerIdentity,
        request: &LeaseRequest,
    ) -> Result<Option<LeaseBody>, WorkError> {
        trusted(worker)?;
        let wanted = WorkRequest {
            worker: worker.clone(),
            request: request.clone(),
            abilities: self.abilities_of(worker.id).await?,
        };
        self.leases
            .ask(wanted)
            .await
            .unwrap_or(Err(WorkError::Ending))
    }

    async fn abilities_of(&self, worker: WorkerId) -> Result<Abilities, WorkError> {
        if let Some((at, known)) = lock(&self.abilities).get(&worker)
            && at.elapsed() < ABILITIES_FOR
        {
            return Ok(known.clone());
        }
        let sql = "select abilities from lab.workers where id = $1";
        let found: Option<Json<Abilities>> = sqlx::query_scalar(sql)
            .bind(worker)
            .fetch_optional(&self.state.database.pool)
            .await?;
        let found = found.map(|found| found.0).unwrap_or_default();
        lock(&self.abilities).insert(worker, (instant(), found.clone()));
        Ok(found)
    }

    /// Renews a lease, which then lasts for so many milliseconds from now.
    ///
    /// # Errors
    /// The database failed.
    pub async fn heartbeat(
        &self,
        worker: &WorkerIdentity,
        token: &str,
        visibility_ms: u64,
    ) -> Result<Standing, WorkError> {
        let Some(lease) = lease::opened(&self.state, worker, token) else {
            return Ok(Standing::Lost);
        };
        if worker.quarantined.is_some() {
            return Ok(Standing::Lost);
        }
        let beat = Beat {
            lease,
            visibility_ms,
        };
        self.beats.ask(beat).await.unwrap_or(Err(WorkError::Ending))
    }

    /// Accepts results of a lease, also of one that expired. The answer is the same whether they are
    /// the first, differ from others, or will be checked.
    ///
    /// # Errors
    /// A result is for a unit outside the lease, or the lease is not this worker's; the worker is
    /// quarantined, perhaps because a result is impossible; the database failed.
    pub async fn complete(
        &self,
        worker: &WorkerIdentity,
        token: &str,
        results: &[UnitResult],
    ) -> Result<(), WorkError> {
        trusted(worker)?;
        let lease = lease::opened(&self.state, worker, token)
            .ok_or_else(|| WorkError::NotLeased("the token is not of this worker".into()))?;
        if let Some(wrong) = results.iter().find(|result| !lease.holds(result.key)) {
            let (key, chunk) = (wrong.key, lease.chunk);
            let text = format!("unit {key} is not in chunk {chunk}");
            return Err(WorkError::NotLeased(text));
        }
        let bad =
            |result: &&UnitResult| result.value.len() > VALUE_BYTES || result.value.contains('\0');
        if let Some(bad) = results.iter().find(bad) {
            let text = format!("the result of unit {} has bytes that none has", bad.key);
            return Err(WorkError::NotLeased(text));
        }
        let delivered = Delivered {
            worker: worker.clone(),
            lease,
            results: results.to_vec(),
        };
        self.answers
            .ask(delivered)
            .await
            .unwrap_or(Err(WorkError::Ending))
    }

    /// Returns an unfinished chunk. With a reason, the worker cannot do the job: it gets no more of
    /// it, and a job that three workers cannot do is flagged with the last reason. A chunk that is
    /// not returned because its worker fell silent flags its job after three workers, or five times.
    ///
    /// # Errors
    /// The database failed.
    pub async fn give_back(
        &self,
        worker: &WorkerIdentity,
        token: &str,
        inability: Option<&str>,
    ) -> Result<(), WorkError> {
        lease::give_back(&self.state, worker, token, inability).await
    }

    /// Stops a job. If it was stopped before, the first reason stays; one that is done stays so.
    ///
    /// # Errors
    /// There is no such job; the database failed.
    pub async fn stop(&self, job: &str, reason: &str) -> Result<(), WorkError> {
        let number = look::number(&self.state, job).await?;
        sqlx::query(
            "update lab.jobs set state = 'stopped', reason = $2, finished_at = clock_timestamp()
                where number = $1 and state in ('pending', 'waiting', 'running', 'flagged')",
        )
        .bind(number)
        .bind(reason.replace('\0', ""))
        .execute(&self.state.database.pool)
        .await?;
        self.state.forget_jobs();
        Ok(())
    }

    /// Discards the results of a worker for a job, whose units are then done again. Returns their
    /// number.
    ///
    /// # Errors
    /// There is no such job or worker; the database failed.
    pub async fn discard(&self, job: &str, worker: &str) -> Result<u64, WorkError> {
        let number = look::number(&self.state, job).await?;
        let worker = self.worker(worker).await?;
        purge::discard(&self.state, number, worker).await
    }

    /// Quarantines a worker. Its results that nobody confirmed are discarded, in all jobs, and done
    /// again.
    ///
    /// # Errors
    /// There is no such worker; the database failed.
    pub async fn quarantine(&self, worker: &str, reason: &str) -> Result<(), WorkError> {
        let worker = self.worker(worker).await?;
        let mut transaction = self.state.database.pool.begin().await?;
        let reason = reason.replace('\0', "");
        purge::set_quarantined(&mut transaction, &[(worker, reason)]).await?;
        transaction.commit().await?;
        purge::purge_quarantined(&self.state).await
    }

    async fn worker(&self, name: &str) -> Result<WorkerId, WorkError> {
        let sql = "select id from lab.workers where name = $1";
        let found = sqlx::query_scalar(sql)
            .bind(name)
            .fetch_optional(&self.state.database.pool)
            .await?;
        found.ok_or_else(|| WorkError::NoWorker(name.to_owned()))
    }

    /// Notes that a decision about a job was reached, which others are to confirm: the schedule puts
    /// the job before others, except for the workers that have done `enough` of it. Returns who could
    /// confirm it, and since when it waits.
    ///
    /// # Errors
    /// There is no such job; the database failed.
    pub async fn decided(&self, job: &str, enough: &[String]) -> Result<Deciding, WorkError> {
        confirm::decided(&self.state, job, enough).await
    }

    /// Notes that nothing is decided about a job any more, as results were taken back.
    ///
    /// # Errors
    /// The database failed.
    pub async fn undecided(&self, job: &str) -> Result<(), WorkError> {
        confirm::undecided(&self.state, job).await
    }

    /// Whether some chunk of a job has results of a part of its units.
    ///
    /// # Errors
    /// There is no such job; the database failed.
    pub async fn is_partly_done(&self, job: &str) -> Result<bool, WorkError> {
        confirm::is_partly_done(&self.state, job).await
    }

    /// Has at least so many chunks of a job, or all, done again by other workers.
    ///
    /// # Errors
    /// There is no such job; the database failed.
    pub async fn check_more(&self, job: &str, least: u64) -> Result<(), WorkError> {
        confirm::check_more(&self.state, job, least).await
    }

    /// The progress of a job.
    ///
    /// # Errors
    /// There is no such job; the database failed.
    pub async fn progress(&self, job: &str) -> Result<Progress, WorkError> {
        look::progress(&self.state, job).await
    }

    /// At most `limit` results of a job after the one with the number `after`, in the order of their
    /// numbers. Nothing with a lower number comes later.
    ///
    /// # Errors
    /// There is no such job; the database failed.
    pub async fn results(
        &self,
        job: &str,
        after: u64,
        limit: u32,
    ) -> Result<Vec<Recorded>, WorkError> {
        look::results(&self.state, job, after, limit).await
    }

    /// The alarms of a job, in the order in which they were raised.
    ///
    /// # Errors
    /// There is no such job; the database failed.
    pub async fn alarms(&self, job: &str) -> Result<Vec<Alarm>, WorkError> {
        look::alarms(&self.state, job).await
    }

    /// All jobs, in the order in which they were added.
    ///
    /// # Errors
    /// The database failed.
    pub async fn jobs(&self) -> Result<Vec<JobState>, WorkError> {
        look::jobs(&self.state).await
    }

    /// All workers, ordered by name.
    ///
    /// # Errors
    /// The database failed.
    pub async fn workers(&self) -> Result<Vec<WorkerState>, WorkError> {
        look::workers(&self.state).await
    }

    /// How far the results of a job are verified.
    ///
    /// # Errors
    /// There is no such job; the database failed.
    pub async fn verification(&self, job: &str) -> Result<Verification, WorkError> {
        look::verification(&self.state, job).await
    }

    /// Moves the results of a finished job to its archive, where they take less room. They can still
    /// be read; chunks, and who delivered what, are dropped, so that nothing can be discarded or
    /// checked any more. A job that is not finished is left as it is.
    ///
    /// # Errors
    /// There is no such job; the database failed.
    pub async fn archive(&self, job: &str) -> Result<bool, WorkError> {
        let number = look::number(&self.state, job).await?;
        upkeep::archive(&self.state, number).await
    }

    /// Does what a server does from time to time: takes back results of quarantined workers, drops
    /// the queues of finished jobs, archives and deletes what is older than [`Retention`] keeps.
    ///
    /// # Errors
    /// The database failed.
    pub async fn upkeep(&self) -> Result<(), WorkError> {
        upkeep::once(&self.state).await
    }

    /// Removes a job and all that is known of it.
    ///
    /// # Errors
    /// There is no such job; the database failed.
    pub async fn remove(&self, job: &str) -> Result<(), WorkError> {
        let number = look::number(&self.state, job).await?;
        upkeep::remove(&self.state, number).await?;
        self.state.forget_head(number);
        self.state.forget_jobs();
        Ok(())
    }

    /// The list of jobs is read again before the next lease, for instance because one was approved.
    pub fn jobs_changed(&self) {
        self.state.forget_jobs();
    }
}

fn trusted(worker: &WorkerIdentity) -> Result<(), WorkError> {
    match &worker.quarantined {
        None => Ok(()),
        Some(reason) => Err(WorkError::Quarantined {
            worker: worker.name.clone(),
            reason: reason.clone(),
        }),
    }
}

async fn answered(state: Arc<WorkState>, delivered: Vec<Delivered>) -> Vec<Result<(), WorkError>> {
    let BatchOutcome {
        answers,
        quarantined,
    } = answer::answer(&state, delivered).await;
    if quarantined {
        // Nobody waits for it; what fails is done by the upkeep.
        tokio::spawn(async move {
            if let Err(error) = purge::purge_quarantined(&state).await {
                tracing::warn!("results of a quarantined worker are not discarded yet: {error}");
            }
        });
    }
    answers
}
