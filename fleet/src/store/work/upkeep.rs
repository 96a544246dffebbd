//! What is left over: results of liars, queues of finished jobs, what is older than the lab keeps.

use std::sync::Weak;
use std::time::Duration;

use sqlx::PgConnection;

use super::error::WorkError;
use super::purge;
use super::state::WorkState;
use crate::model::JobNumber;

/// How often it is done.
const EVERY: Duration = Duration::from_secs(15);
/// Number of jobs that are archived, and of entries of the audit log that are deleted, at a time.
const ARCHIVED_AT_ONCE: i64 = 10;
const DELETED_AT_ONCE: i64 = 10_000;

/// Does it from time to time, as long as the queue is open.
pub(super) async fn keep(state: Weak<WorkState>) {
    loop {
        tokio::time::sleep(EVERY).await;
        let Some(state) = state.upgrade() else { return };
        if let Err(error) = once(&state).await {
            tracing::warn!("upkeep of the queue: {error}");
        }
    }
}

/// Does it once. A server that ends in between leaves the rest to the next call, of any server.
pub(super) async fn once(state: &WorkState) -> Result<(), WorkError> {
    state.refresh().await?;
    purge::purge_quarantined(state).await?;
    drop_queues(state).await?;
    let retention = state.tuning.retention;
    if retention.archive_after_days > 0 {
        archive_older_than(state, retention.archive_after_days).await?;
    }
    if retention.audit_days > 0 {
        shorten_audit(state, retention.audit_days).await?;
    }
    Ok(())
}

/// Drops the queues of jobs that ended some time ago: no lease is held any more. Checks that nobody
/// did for a week are given up, as in a lab with one machine; the job still says what is unverified.
async fn drop_queues(state: &WorkState) -> Result<(), WorkError> {
    let mut transaction = state.database.pool.begin().await?;
    sqlx::query(
        "update lab.jobs set settled_at = clock_timestamp() where state = 'done'
            and settled_at is null and finished_at < clock_timestamp() - interval '7 days'",
    )
    .execute(&mut *transaction)
    .await?;
    transaction.commit().await?;
    let sql = "select number from lab.jobs where has_queue
        and (state = 'done' and settled_at < clock_timestamp() - interval '10 minutes'
            or state in ('stopped', 'rejected')
            and finished_at < clock_timestamp() - interval '10 minutes')
        order by number limit 100";
    let over: Vec<i32> = sqlx::query_scalar(sql)
        .fetch_all(&state.database.pool)
        .await?;
    for job in over {
        let mut transaction = state.database.pool.begin().await?;
        sqlx::query("select lab.drop_queue($1)")
            .bind(job)
            .execute(&mut *transaction)
            .await?;
        transaction.commit().await?;
    }
    Ok(())
}

/// Moves the results of a job to its archive; returns false if it is not finished, or was archived
/// before.
pub(super) async fn archive(state: &WorkState, job: JobNumber) -> Result<bool, WorkError> {
    let mut transaction = state.database.pool.begin().await?;
    let sql = "select exists (select from lab.jobs where number = $1 and archived_at is null
        and state in ('done', 'stopped', 'rejected'))";
    let is_over: bool = sqlx::query_scalar(sql)
        .bind(job)
        .fetch_one(&mut *transaction)
        .await?;
    if is_over {
        lock_job(&mut transaction, job).await?;
        sqlx::query(
            "insert into lab.archives (job, last_number, results)
                select $1, max(number),
                    jsonb_agg(jsonb_build_array(number, key, worker, value) order by number)::text
                from (select r.*, (row_number() over (order by r.number) - 1) / 10000 as part
                    from lab.results r where r.job = $1) p
                group by part",
        )
        .bind(job)
        .execute(&mut *transaction)
        .await?;
        delete_of(&mut transaction, job, &OF_WORK).await?;
        sqlx::query(
            "update lab.jobs set archived_at = clock_timestamp(),
                settled_at = coalesce(settled_at, clock_timestamp()) where number = $1",
        )
        .bind(job)
        .execute(&mut *transaction)
        .await?;
    }
    transaction.commit().await?;
    Ok(is_over)
}

/// Removes a job and all that is known of it.
pub(super) async fn remove(state: &WorkState, job: JobNumber) -> Result<(), WorkError> {
    let mut transaction = state.database.pool.begin().await?;
    lock_job(&mut transaction, job).await?;
    delete_of(&mut transaction, job, &OF_WORK).await?;
    delete_of(&mut transaction, job, &OF_JOB).await?;
    for sql in [
        "update lab.jobs set follows = null where follows = $1",
        "delete from lab.jobs where number = $1",
    ] {
        sqlx::query(sql)
            .bind(job)
            .execute(&mut *transaction)
            .await?;
    }
    transaction.commit().await?;
    Ok(())
}

/// The tables of what a job needs to be done, and the others that know it.
const OF_WORK: [&str; 4] = ["results", "chunks", "answers", "seconds"];
const OF_JOB: [&str; 6] = [
    "archives",
    "alarms",
    "counters",
    "shares",
    "samples",
    "inabilities",
];

/// Waits for answers that have begun, and keeps out others.
async fn lock_job(connection: &mut PgConnection, job: JobNumber) -> Result<(), WorkError> {
    sqlx::query("select pg_advisory_xact_lock(1414485837, $1)")
        .bind(job)
        .execute(connection)
        .await?;
    Ok(())
}

/// Deletes what tables have of a job, and its queue.
async fn delete_of(
    connection: &mut PgConnection,
    job: JobNumber,
    tables: &[&str],
) -> Result<(), WorkError> {
    sqlx::query("select lab.drop_queue($1)")
        .bind(job)
        .execute(&mut *connection)
        .await?;
    for table in tables {
        let sql = format!("delete from lab.{table} where job = $1");
        sqlx::query(sqlx::AssertSqlSafe(sql))
            .bind(job)
            .execute(&mut *connection)
            .await?;
    }
    Ok(())
}

async fn archive_older_than(state: &WorkState, days: u32) -> Result<(), WorkError> {
    let sql = "select number from lab.jobs where archived_at is null
        and state in ('done', 'stopped', 'rejected')
        and finished_at < clock_timestamp() - $1 * interval '1 day' order by finished_at limit $2";
    let jobs: Vec<JobNumber> = sqlx::query_scalar(sql)
        .bind(f64::from(days))
        .bind(ARCHIVED_AT_ONCE)
        .fetch_all(&state.database.pool)
        .await?;
    for job in jobs {
        archive(state, job).await?;
    }
    Ok(())
}

/// Deletes entries of the audit log, the oldest first. Their numbers ascend with their times.
async fn shorten_audit(state: &WorkState, days: u32) -> Result<(), WorkError> {
    sqlx::query(
        "delete from lab.audit where id in (select id from lab.audit order by id limit $2)
            and at < clock_timestamp() - $1 * interval '1 day'",
    )
    .bind(f64::from(days))
    .bind(DELETED_AT_ONCE)
    .execute(&state.database.pool)
    .await?;
    Ok(())
}
