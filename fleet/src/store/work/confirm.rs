//! What confirms a decision: who could, and checks that were not planned yet.

use std::time::Duration;

use selfplay::stats::Pentanomial;
use sqlx::FromRow;

use super::able::{JobWorker, workers_of};
use super::delivery::lock_chunks;
use super::error::WorkError;
use super::look;
use super::state::WorkState;
use super::tally::{WorkTally, state};
use crate::model::{AccountId, JobNumber, WorkerId};
use crate::policy::confirm::Participant;

/// A decision that is not final yet.
#[derive(Clone, Debug)]
pub struct Deciding {
    /// The time since it was reached.
    pub since: Duration,
    /// Whether a maintainer has resumed it after workers disagreed.
    pub is_vouched: bool,
    /// The workers that took part in the job, or could; without their pairs, which the queue does not know.
    pub participants: Vec<Participant>,
}

#[derive(FromRow)]
struct DecidedRow {
    number: JobNumber,
    since_ms: i64,
    vouched: bool,
}

/// Notes that a decision was reached, if not before.
pub(super) async fn decided(
    state: &WorkState,
    job: &str,
    enough: &[String],
) -> Result<Deciding, WorkError> {
    let row: Option<DecidedRow> = sqlx::query_as(
        "update lab.jobs set decided_at = coalesce(decided_at, clock_timestamp()),
            enough = array(select id from lab.workers where name = any ($2) order by id)
        where id = $1 returning number, vouched,
            (1000 * extract(epoch from clock_timestamp() - decided_at))::bigint as since_ms",
    )
    .bind(job)
    .bind(enough)
    .fetch_optional(&state.database.pool)
    .await?;
    let row = row.ok_or_else(|| WorkError::NoJob(job.to_owned()))?;
    let known = workers_of(&state.database.pool, row.number, true).await?;
    let known = known
        .into_iter()
        .filter(|known| known.is_able || known.took_part);
    let participant = |known: JobWorker| Participant {
        name: known.name,
        owner: known.owner,
        is_able: known.is_able,
        took_part: known.took_part,
        pairs: Pentanomial::default(),
    };
    Ok(Deciding {
        since: Duration::from_millis(row.since_ms.unsigned_abs()),
        is_vouched: row.vouched,
        participants: known.map(participant).collect(),
    })
}

/// Results were taken back: nothing is decided any more.
pub(super) async fn undecided(state: &WorkState, job: &str) -> Result<(), WorkError> {
    sqlx::query(
        "update lab.jobs set decided_at = null, enough = '{}', vouched = false
            where id = $1 and decided_at is not null",
    )
    .bind(job)
    .execute(&state.database.pool)
    .await?;
    Ok(())
}

/// Whether some chunk of a job has a part of its results: it cannot be checked before it is done.
pub(super) async fn is_partly_done(state: &WorkState, job: &str) -> Result<bool, WorkError> {
    let job = look::number(state, job).await?;
    Ok(sqlx::query_scalar(
        "select (select coalesce(sum(done), 0) from lab.counters where job = $1)
            > (select coalesce(sum(units), 0) from lab.chunks where job = $1 and state <> $2)",
    )
    .bind(job)
    .bind(state::OPEN)
    .fetch_one(&state.database.pool)
    .await?)
}

/// Has so many chunks of a job checked, by chance, counting those that are or will be.
pub(super) async fn check_more(state: &WorkState, job: &str, least: u64) -> Result<(), WorkError> {
    let job = look::number(state, job).await?;
    let mut transaction = state.by_indexes().await?;
    sqlx::query("select pg_advisory_xact_lock_shared(1414485837, $1)")
        .bind(job)
        .execute(&mut *transaction)
        .await?;
    let chosen: Vec<i64> = sqlx::query_scalar(
        "select chunk from (select chunk from lab.chunks where job = $1 and state = $2 and digest is not null
            order by random() limit greatest(0, $3 - (select count(*) from lab.chunks
                where job = $1 and state in ($4, $5)))) c order by chunk",
    )
    .bind(job)
    .bind(state::DONE)
    .bind(i64::try_from(least).unwrap_or(i64::MAX))
    .bind(state::CHECKING)
    .bind(state::VERIFIED)
    .fetch_all(&mut *transaction)
    .await?;
    if chosen.is_empty() {
        return Ok(());
    }
    let rows = lock_chunks(&mut transaction, &vec![job; chosen.len()], &chosen).await?;
    let mut tally = WorkTally::default();
    // Others may have changed it meanwhile.
    for row in rows.into_iter().filter(|row| row.state == state::DONE) {
        let of: Vec<(WorkerId, AccountId)> = sqlx::query_as(
            "select a.worker, w.owner from lab.answers a join lab.workers w on w.id = a.worker
                where a.job = $1 and a.chunk = $2 and a.digest is not null order by a.worker",
        )
        .bind(row.job)
        .bind(row.chunk)
        .fetch_all(&mut *transaction)
        .await?;
        let part = row.part();
        tally.part(part, state::CHECKING, row.digest);
        tally.check(row.job, row.chunk, &of);
    }
    sqlx::query("update lab.jobs set settled_at = null where number = $1")
        .bind(job)
        .execute(&mut *transaction)
        .await?;
    tally.write(&mut transaction).await?;
    transaction.commit().await?;
    state.forget_jobs();
    Ok(())
}
