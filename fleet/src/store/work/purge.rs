//! Takes back results: those of a worker in a job, and what is not verified of a quarantined one.

use sqlx::{FromRow, Postgres, Transaction};

use super::delivery::{ChunkRow, lock_chunks};
use super::error::WorkError;
use super::state::WorkState;
use super::tally::{Part, WorkTally, state};
use crate::model::{AccountId, JobNumber, WorkerId};

/// Number of chunks in a transaction.
const AT_ONCE: i64 = 200;

/// What of a worker's results is taken back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum PurgeExtent {
    /// All.
    All,
    /// What no worker that is trusted confirms.
    Unverified,
}

#[derive(Clone, Debug, FromRow)]
struct PurgedAnswer {
    worker: WorkerId,
    owner: AccountId,
    kept: bool,
    digest: Option<Vec<u8>>,
    trusted: bool,
}

/// Takes back all results of a worker in a job; returns their number.
pub(super) async fn discard(
    state: &WorkState,
    job: JobNumber,
    worker: WorkerId,
) -> Result<u64, WorkError> {
    let taken = of_job(state, job, worker, PurgeExtent::All).await?;
    state.forget_jobs();
    Ok(taken)
}

/// Takes back what is not verified of all workers that are quarantined, once for each quarantine. A
/// server that ends in between leaves the rest to the next call, of any server.
pub(super) async fn purge_quarantined(state: &WorkState) -> Result<(), WorkError> {
    let sql = "select w.id from lab.workers w left join lab.records r on r.worker = w.id
        where w.quarantined_at is not null
            and (r.purged_at is null or r.purged_at < w.quarantined_at) order by w.id";
    let workers: Vec<WorkerId> = sqlx::query_scalar(sql)
        .fetch_all(&state.database.pool)
        .await?;
    for worker in workers {
        purge(state, worker).await?;
    }
    Ok(())
}

async fn purge(state: &WorkState, worker: WorkerId) -> Result<(), WorkError> {
    release(state, worker).await?;
    let mut after = JobNumber(0);
    loop {
        let mut transaction = state.by_indexes().await?;
        let sql = "select job from lab.answers where worker = $1 and job > $2 order by worker, job limit 1";
        let next: Option<JobNumber> = sqlx::query_scalar(sql)
            .bind(worker)
            .bind(after)
            .fetch_optional(&mut *transaction)
            .await?;
        transaction.commit().await?;
        let Some(job) = next else { break };
        of_job(state, job, worker, PurgeExtent::Unverified).await?;
        after = job;
    }
    state.forget_jobs();
    let mut transaction = state.database.pool.begin().await?;
    sqlx::query(
        "insert into lab.records as r (worker, purged_at) values ($1, clock_timestamp())
            on conflict (worker) do update set purged_at = excluded.purged_at",
    )
    .bind(worker)
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    Ok(())
}

/// Frees what a worker has leased.
async fn release(state: &WorkState, worker: WorkerId) -> Result<(), WorkError> {
    sqlx::query(
        "with free as (update lab.leases set worker = null, until = coalesce(since, clock_timestamp())
            where worker = $1 and until > clock_timestamp() returning job, message)
        select count(*) from (select job, array_agg(message) as messages from free
                where message is not null group by job) f
            cross join lateral pgmq.set_vt('lab_' || f.job, f.messages, clock_timestamp())",
    )
    .bind(worker)
    .execute(&state.database.pool)
    .await?;
    Ok(())
}

async fn of_job(
    state: &WorkState,
    job: JobNumber,
    worker: WorkerId,
    extent: PurgeExtent,
) -> Result<u64, WorkError> {
    let mut after = -1_i64;
    let mut all = 0;
    loop {
        let mut transaction = state.by_indexes().await?;
        // Waits for answers of the worker that have begun, and keeps out others.
        sqlx::query("select pg_advisory_xact_lock(1414485836, $1)")
            .bind(worker)
            .execute(&mut *transaction)
            .await?;
        sqlx::query("select pg_advisory_xact_lock_shared(1414485837, $1)")
            .bind(job)
            .execute(&mut *transaction)
            .await?;
        let sql = "select chunk from lab.answers where worker = $1 and job = $2 and chunk > $3
            order by worker, job, chunk limit $4";
        let chunks: Vec<i64> = sqlx::query_scalar(sql)
            .bind(worker)
            .bind(job)
            .bind(after)
            .bind(AT_ONCE)
            .fetch_all(&mut *transaction)
            .await?;
        let Some(last) = chunks.last() else {
            return Ok(all);
        };
        after = *last;
        let rows = lock_chunks(&mut transaction, &vec![job; chunks.len()], &chunks).await?;
        let mut tally = WorkTally::default();
        let (mut taken, mut checks) = (0, false);
        for row in &rows {
            let back = of_chunk(&mut transaction, row, worker, extent, &mut tally).await?;
            taken += back.units;
            checks |= back.is_checked;
        }
        if taken > 0 || checks {
            reopen(&mut transaction, job, worker, taken).await?;
        }
        tally.write(&mut transaction).await?;
        transaction.commit().await?;
        all += taken.cast_unsigned();
    }
}

/// What was taken back of a chunk.
#[derive(Clone, Copy, Debug, Default)]
struct Back {
    units: i64,
    is_checked: bool,
}

async fn of_chunk(
    transaction: &mut Transaction<'_, Postgres>,
    row: &ChunkRow,
    worker: WorkerId,
    extent: PurgeExtent,
    tally: &mut WorkTally,
) -> Result<Back, WorkError> {
    let answers: Vec<PurgedAnswer> = sqlx::query_as(
        "select a.worker, w.owner, a.kept, a.digest, w.quarantined_at is null as trusted
            from lab.answers a join lab.workers w on w.id = a.worker
            where a.job = $1 and a.chunk = $2 order by a.worker",
    )
    .bind(row.job)
    .bind(row.chunk)
    .fetch_all(&mut **transaction)
    .await?;
    let Some(own) = answers.iter().find(|answer| answer.worker == worker) else {
        return Ok(Back::default());
    };
    let part = row.part();
    let agrees = |answer: &&PurgedAnswer| {
        answer.worker != worker
            && answer.trusted
            && answer.digest.is_some()
            && answer.digest == row.digest
    };
    let confirmed = answers.iter().filter(agrees).count();
    if own.kept {
        if extent == PurgeExtent::Unverified && confirmed > 0 {
            return Ok(Back::default());
        }
        // A chunk that can be compared has one author; of others, what this worker did is taken.
        let whole = row.digest.is_some();
        return take_back(
            transaction,
            part,
            row,
            (!whole).then_some(worker),
            worker,
            tally,
        )
        .await;
    }
    forget_answer(transaction, part, Some(worker)).await?;
    // One that has confirmed, and is not believed any more.
    let left = answers
        .iter()
        .filter(|answer| answer.trusted && answer.worker != worker);
    let left: Vec<&PurgedAnswer> = left.filter(|answer| answer.digest.is_some()).collect();
    if row.state != state::VERIFIED || confirmed >= 2 || extent == PurgeExtent::All {
        return Ok(Back::default());
    }
    if let Some(author) = answers.iter().find(|answer| answer.kept) {
        tally.record(author.worker, 0, -1);
        tally.share(row.job, author.worker, 0, -part.units);
    }
    tally.part(part, state::CHECKING, row.digest.clone());
    let of: Vec<_> = left
        .iter()
        .map(|answer| (answer.worker, answer.owner))
        .collect();
    tally.check(row.job, row.chunk, &of);
    Ok(Back {
        units: 0,
        is_checked: true,
    })
}

/// Takes back results of a chunk, of one worker or all; the chunk is done anew.
async fn take_back(
    transaction: &mut Transaction<'_, Postgres>,
    part: Part,
    row: &ChunkRow,
    of: Option<WorkerId>,
    worker: WorkerId,
    tally: &mut WorkTally,
) -> Result<Back, WorkError> {
    let gone: Vec<(WorkerId, i64)> = sqlx::query_as(
        "with gone as (delete from lab.results where job = $1 and key >= $2 and key < $2 + $3
                and ($4::integer is null or worker = $4) returning worker)
            select worker, count(*) from gone group by worker",
    )
    .bind(part.job)
    .bind(row.first)
    .bind(part.units)
    .bind(of)
    .fetch_all(&mut **transaction)
    .await?;
    let mut back = Back::default();
    let was_verified = part.state == state::VERIFIED;
    for (author, units) in gone {
        back.units += units;
        tally.share(
            part.job,
            author,
            -units,
            if was_verified { -units } else { 0 },
        );
    }
    if was_verified {
        tally.record(worker, 0, -1);
    }
    tally.done(part.job, -back.units);
    forget_answer(transaction, part, of).await?;
    if part.state != state::OPEN {
        tally.part(part, state::OPEN, None);
        tally.anew(part.job, part.chunk);
    }
    Ok(back)
}

/// Forgets the answer of a worker to a chunk, or all answers.
async fn forget_answer(
    transaction: &mut Transaction<'_, Postgres>,
    part: Part,
    of: Option<WorkerId>,
) -> Result<(), WorkError> {
    for table in ["lab.answers", "lab.seconds"] {
        let sql = format!(
            "delete from {table} where job = $1 and chunk = $2 and ($3 is null or worker = $3)"
        );
        sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(part.job)
            .bind(part.chunk)
            .bind(of)
            .execute(&mut **transaction)
            .await?;
    }
    Ok(())
}

/// A job gets work again. One that was done says why; what was summed up of it is summed up anew.
async fn reopen(
    transaction: &mut Transaction<'_, Postgres>,
    job: JobNumber,
    worker: WorkerId,
    taken: i64,
) -> Result<(), WorkError> {
    sqlx::query("select lab.open_queue($1)")
        .bind(job)
        .execute(&mut **transaction)
        .await?;
    sqlx::query(
        "update lab.jobs set settled_at = null,
            state = case when state = 'done' and $3 then 'running' else state end,
            finished_at = case when state = 'done' and $3 then null else finished_at end,
            reopened = case when state = 'done' and $3 then
                'it was done, but results of the worker ' || (select name from lab.workers where id = $2)
                || ' were wrong or discarded: they are done again' else reopened end,
            -- It has not passed before it is decided again.
            passed = case when $3 then null else passed end,
            decided_at = case when $3 then null else decided_at end,
            enough = case when $3 then '{}' else enough end,
            vouched = vouched and not $3,
            -- A test is counted again by its conductor.
            concluded_at = case when $3 then null else concluded_at end,
            summary = case when $3 and spec is null then null when $3 then summary - 'outcome'
                else summary end,
            summary_cursor = case when $3 then 0 else summary_cursor end
            where number = $1",
    )
    .bind(job)
    .bind(worker)
    .bind(taken > 0)
    .execute(&mut **transaction)
    .await?;
    if taken > 0 {
        // What has begun because it had passed, such as an LTC after it; what waits goes on waiting.
        let sql = "update lab.jobs n set state = 'stopped', finished_at = clock_timestamp(),
                reason = (select id from lab.jobs where number = $1) || ' was decided by wrong results, and is done again'
            where n.follows = $1 and n.state = 'running'";
        let stopped = sqlx::query(sql).bind(job);
        stopped.execute(&mut **transaction).await?;
    }
    Ok(())
}

/// Quarantines workers by their tokens. Their results are discarded later, by themselves.
pub(super) async fn set_quarantined(
    transaction: &mut Transaction<'_, Postgres>,
    workers: &[(WorkerId, String)],
) -> Result<(), WorkError> {
    if workers.is_empty() {
        return Ok(());
    }
    let (ids, reasons): (Vec<i32>, Vec<&str>) =
        workers.iter().map(|(id, reason)| (id.0, &**reason)).unzip();
    sqlx::query(
        "update lab.workers w set quarantined_at = clock_timestamp(), quarantine_reason = g.reason
            from unnest($1::integer[], $2::text[]) g (id, reason)
            where w.id = g.id and w.quarantined_at is null",
    )
    .bind(ids)
    .bind(reasons)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}
