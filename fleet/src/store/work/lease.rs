//! Leases: who gets which chunk, and for how long.

use std::collections::BTreeSet;

use queue::Unit;
use queue::wire::{Abilities, LeaseBody, LeaseRequest};
use sqlx::{FromRow, Postgres, Transaction};

use super::able::workers_of;
use super::error::WorkError;
use super::state::{Head, WorkState, lock};
use super::token::Leased;
use crate::model::{AccountId, JobNumber, WorkerIdentity};
use crate::policy::schedule::Seeker;

/// A worker is offered so many jobs, one after the other, before it is asked to come again.
const ROUNDS: usize = 16;
/// The longest that a chunk stays reserved.
const LONGEST_MS: u64 = 24 * 60 * 60 * 1000;

/// A worker's request for work.
#[derive(Clone, Debug)]
pub(super) struct WorkRequest {
    pub(super) worker: WorkerIdentity,
    pub(super) request: LeaseRequest,
    pub(super) abilities: Abilities,
}

/// How long a chunk stays reserved, in milliseconds.
pub(super) fn visible_ms(requested: u64) -> i64 {
    requested.min(LONGEST_MS).cast_signed()
}

#[derive(FromRow)]
struct LeaseRow {
    place: i32,
    number: i64,
    chunk: i64,
    first: i64,
    units: i32,
    bodies: Option<String>,
}

pub(super) type LeaseAnswer = Result<Option<LeaseBody>, WorkError>;

/// Answers requests for work: the schedule chooses jobs, whose chunks are leased to all workers in one
/// statement. Who got nothing is offered the next job.
pub(super) async fn lease(state: &WorkState, wanted: Vec<WorkRequest>) -> Vec<LeaseAnswer> {
    let seen = wanted
        .iter()
        .map(|one| (one.worker.id, one.request.visibility_ms));
    let mut seen = state.seen(seen);
    if let Err(error) = state.refresh().await {
        return error.for_all(wanted.len());
    }
    let mut answers: Vec<Option<LeaseAnswer>> = wanted.iter().map(|_| None).collect();
    for _ in 0..ROUNDS {
        let chosen = choose(state, &wanted, &mut answers);
        if chosen.is_empty() {
            break;
        }
        if let Err(error) = offer(state, &chosen, &wanted, &mut seen, &mut answers).await {
            // The schedule may know a job that is gone.
            state.forget_jobs();
            for ((place, _), answer) in chosen.iter().zip(error.for_all(chosen.len())) {
                answers[*place] = Some(answer);
            }
        }
    }
    // Nothing was offered to anybody.
    if let Err(error) = state.note_seen(seen).await {
        return error.for_all(wanted.len());
    }
    let answers = answers.into_iter();
    answers.map(|answer| answer.unwrap_or(Ok(None))).collect()
}

/// The next job of each worker that has no answer yet; those without one are answered.
fn choose(
    state: &WorkState,
    wanted: &[WorkRequest],
    answers: &mut [Option<LeaseAnswer>],
) -> Vec<(usize, JobNumber)> {
    let mut schedule = lock(&state.schedule);
    let now = state.now();
    let mut chosen = Vec::new();
    for (place, wanted) in wanted.iter().enumerate() {
        if answers[place].is_some() {
            continue;
        }
        let seeker = Seeker {
            worker: wanted.worker.id,
            kinds: &wanted.request.kinds,
            abilities: &wanted.abilities,
        };
        match schedule.next(&seeker, now) {
            Some(job) => chosen.push((place, job)),
            None => answers[place] = Some(Ok(None)),
        }
    }
    chosen
}

/// Leases chunks of the chosen jobs to the workers at these places, in the same transaction in which
/// workers are noted as seen.
async fn offer(
    state: &WorkState,
    chosen: &[(usize, JobNumber)],
    wanted: &[WorkRequest],
    seen: &mut Vec<i32>,
    answers: &mut [Option<LeaseAnswer>],
) -> Result<(), WorkError> {
    let bodies = offer_of(state, chosen, wanted, std::mem::take(seen)).await?;
    let mut schedule = lock(&state.schedule);
    let (now, rest) = (state.now(), state.tuning.dry_for);
    for ((place, job), body) in chosen.iter().zip(bodies) {
        let worker = wanted[*place].worker.id;
        if body.is_some() {
            answers[*place] = Some(Ok(body));
            schedule.found(*job, worker);
        } else {
            schedule.found_nothing(*job, worker, now, rest);
        }
    }
    Ok(())
}

async fn offer_of(
    state: &WorkState,
    chosen: &[(usize, JobNumber)],
    wanted: &[WorkRequest],
    seen: Vec<i32>,
) -> Result<Vec<Option<LeaseBody>>, WorkError> {
    let mut bodies: Vec<Option<LeaseBody>> = chosen.iter().map(|_| None).collect();
    let jobs: BTreeSet<JobNumber> = chosen.iter().map(|(_, job)| *job).collect();
    let heads = state.heads(&jobs.into_iter().collect::<Vec<_>>()).await?;
    let of = |(place, _): &(usize, JobNumber)| &wanted[*place];
    let numbers: Vec<JobNumber> = chosen.iter().map(|(_, job)| *job).collect();
    let workers: Vec<i32> = chosen.iter().map(|at| of(at).worker.id.0).collect();
    let owners: Vec<i32> = chosen.iter().map(|at| of(at).worker.owner.0).collect();
    let visible: Vec<i64> = chosen
        .iter()
        .map(|at| visible_ms(of(at).request.visibility_ms))
        .collect();
    let patience = state.patience_of(wanted.iter().map(|one| one.worker.owner));
    let patience = i64::try_from(patience.as_millis()).unwrap_or(i64::MAX);
    let running: Vec<bool> = {
        let schedule = lock(&state.schedule);
        numbers
            .iter()
            .map(|job| schedule.is_running(*job))
            .collect()
    };
    let rows: Vec<LeaseRow> = sqlx::query_as(
        "select l.place, l.number, l.chunk, l.first, l.units, l.bodies
            from (select lab.note_seen($7) offset 0) noted
            cross join lateral lab.lease($1, $2, $3, $4, $5, $6) l",
    )
    .bind(numbers)
    .bind(running)
    .bind(workers)
    .bind(owners)
    .bind(visible)
    .bind(patience)
    .bind(seen)
    .fetch_all(&state.database.pool)
    .await?;
    for row in rows {
        let at = usize::try_from(row.place - 1).unwrap_or(usize::MAX);
        let Some((place, job)) = chosen.get(at) else {
            continue;
        };
        let Some(head) = heads.get(job) else { continue };
        bodies[at] = Some(body(state, *job, head, &wanted[*place], &row)?);
    }
    Ok(bodies)
}

fn body(
    state: &WorkState,
    job: JobNumber,
    head: &Head,
    wanted: &WorkRequest,
    row: &LeaseRow,
) -> Result<LeaseBody, WorkError> {
    let token = state.key.seal(Leased {
        job,
        chunk: row.chunk,
        first: row.first,
        units: row.units,
        worker: wanted.worker.id,
        number: row.number,
        began_ms: state.clock_ms(),
    });
    let is_known = wanted.request.known_jobs.contains(&head.id);
    Ok(LeaseBody {
        token,
        job: head.id.clone(),
        kind: head.kind.clone(),
        body: (!is_known).then(|| head.body.clone()),
        job_units: head.units.cast_unsigned(),
        chunk: row.chunk.cast_unsigned(),
        units: units_of(row.first, row.units, row.bodies.as_deref())?,
    })
}

/// The units of a chunk, from the text that they are stored in.
pub(super) fn units_of(
    first: i64,
    units: i32,
    bodies: Option<&str>,
) -> Result<Vec<Unit>, WorkError> {
    let bodies: Vec<String> = match bodies {
        None => vec![String::new(); usize::try_from(units).unwrap_or(0)],
        Some(text) => serde_json::from_str(text)
            .map_err(|error| sqlx::Error::Decode(format!("bodies of a chunk: {error}").into()))?,
    };
    let keys = first.cast_unsigned()..;
    Ok(keys
        .zip(bodies)
        .map(|(key, body)| Unit { key, body })
        .collect())
}

/// The lease of a token, if it is this worker's.
pub(super) fn opened(state: &WorkState, worker: &WorkerIdentity, token: &str) -> Option<Leased> {
    let lease = state.key.open(token)?;
    (lease.worker == worker.id).then_some(lease)
}

/// So many workers that cannot do a job flag it.
const UNABLE_WORKERS: usize = 3;

/// Returns a chunk; with a reason, the worker cannot do the job.
pub(super) async fn give_back(
    state: &WorkState,
    worker: &WorkerIdentity,
    token: &str,
    inability: Option<&str>,
) -> Result<(), WorkError> {
    let Some(lease) = opened(state, worker, token) else {
        return Ok(());
    };
    let mut transaction = state.by_indexes().await?;
    // One that gives it back did not fall silent, be it late.
    sqlx::query(
        "with free as (update lab.leases set worker = null, until = coalesce(since, clock_timestamp())
            where job = $1 and chunk = $2 and number = $3 and worker = $4 returning message)
        select count(*) from free f
            cross join lateral pgmq.set_vt('lab_' || $1, f.message, clock_timestamp())
            where f.message is not null",
    )
    .bind(lease.job)
    .bind(lease.chunk)
    .bind(lease.number)
    .bind(lease.worker)
    .execute(&mut *transaction)
    .await?;
    if let Some(reason) = inability {
        let reason = reason.replace('\0', "");
        // Of those that flag a job at the same time, the last sees all.
        sqlx::query("select pg_advisory_xact_lock(1414485838, $1)")
            .bind(lease.job)
            .execute(&mut *transaction)
            .await?;
        let sql = "insert into lab.inabilities (job, worker, reason)
            select number, $2, $3 from lab.jobs where number = $1 on conflict do nothing";
        sqlx::query(sql)
            .bind(lease.job)
            .bind(worker.id)
            .bind(&reason)
            .execute(&mut *transaction)
            .await?;
        note_inability(&mut transaction, lease.job, worker, &reason).await?;
    }
    transaction.commit().await?;
    state.forget_jobs();
    let mut schedule = lock(&state.schedule);
    schedule.ended(lease.job, None);
    if inability.is_some() {
        schedule.unable(lease.job, worker.id);
    }
    Ok(())
}

/// Says why a job is not done by this worker. The job is flagged once three workers cannot do it, or nobody is left
/// that can; by workers of one owner alone only where nobody else has machines, so that nobody can stop tests of others.
async fn note_inability(
    transaction: &mut Transaction<'_, Postgres>,
    job: JobNumber,
    worker: &WorkerIdentity,
    reason: &str,
) -> Result<(), WorkError> {
    let workers = workers_of(&mut **transaction, job, false).await?;
    let (unable, others): (Vec<_>, Vec<_>) = workers.iter().partition(|one| one.is_unable);
    let owners: BTreeSet<AccountId> = unable.iter().map(|one| one.owner).collect();
    let is_left = others.iter().any(|one| one.is_able);
    let is_one_owners = owners.len() < 2 && others.iter().any(|one| !owners.contains(&one.owner));
    let is_flagged = !is_left || unable.len() >= UNABLE_WORKERS && !is_one_owners;
    let text = if is_flagged {
        reason.to_owned()
    } else {
        format!("worker {} cannot do it: {reason}", worker.name)
    };
    let sql = "update lab.jobs set reason = $2, state = case when $3 then 'flagged' else state end
        where number = $1 and state = 'running'";
    sqlx::query(sql)
        .bind(job)
        .bind(text)
        .bind(is_flagged)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}
