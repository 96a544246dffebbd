//! What a transaction changes, summed up, so that each table is written once, in the order of locks.

use std::collections::BTreeMap;

use rand::RngExt as _;
use serde_json::{Value, json};
use sqlx::{Postgres, Transaction};

use super::error::WorkError;
use super::token::Leased;
use crate::model::{AccountId, JobNumber, WorkerId};

/// States of chunks.
pub(super) mod state {
    /// Some of its units have no result.
    pub(crate) const OPEN: i16 = 0;
    /// All have one.
    pub(crate) const DONE: i16 = 1;
    /// All have one, and another worker is to do it again.
    pub(crate) const CHECKING: i16 = 2;
    /// Two workers agree, or more decided.
    pub(crate) const VERIFIED: i16 = 3;
}

/// Number of slots of a job's counters: transactions that end together seldom choose the same.
const SLOTS: i16 = 16;

/// A chunk, and its state before the change.
#[derive(Clone, Copy, Debug)]
pub(super) struct Part {
    pub(super) job: JobNumber,
    pub(super) chunk: i64,
    pub(super) units: i64,
    pub(super) state: i16,
}

#[derive(Clone, Copy, Debug, Default)]
struct TallyCounts {
    done: i64,
    checking: i64,
    verified: i64,
}

#[derive(Clone, Debug)]
struct TallyAlarm {
    job: JobNumber,
    unit: i64,
    first: (i32, String),
    second: (WorkerId, String),
}

/// What a worker did more.
#[derive(Clone, Copy, Debug, Default)]
struct RecordChange {
    units: i64,
    chunks: i64,
    confirmed: i64,
    core_ms: i64,
}

type Digest = Option<Vec<u8>>;
/// Messages and attempts.
type Leases = (Vec<i64>, Vec<i32>);

/// Changes that are not written yet.
#[derive(Debug, Default)]
pub(super) struct WorkTally {
    counts: BTreeMap<JobNumber, TallyCounts>,
    parts: BTreeMap<(JobNumber, i64), (i16, Digest)>,
    answers: BTreeMap<(JobNumber, i64, WorkerId), (bool, Digest)>,
    /// Units and verified units.
    shares: BTreeMap<(JobNumber, WorkerId), (i64, i64)>,
    records: BTreeMap<WorkerId, RecordChange>,
    alarms: Vec<TallyAlarm>,
    checks: BTreeMap<JobNumber, Vec<Value>>,
    anew: BTreeMap<JobNumber, Vec<Value>>,
    leases: BTreeMap<(JobNumber, bool), Leases>,
}

impl WorkTally {
    /// Units that have a result now; or have none any more.
    pub(super) fn done(&mut self, job: JobNumber, units: i64) {
        self.counts.entry(job).or_default().done += units;
    }

    /// A chunk changes its state.
    pub(super) fn part(&mut self, part: Part, next: i16, digest: Digest) {
        let counts = self.counts.entry(part.job).or_default();
        for (state, sign) in [(part.state, -part.units), (next, part.units)] {
            match state {
                state::CHECKING => counts.checking += sign,
                state::VERIFIED => counts.verified += sign,
                _ => {}
            }
        }
        self.parts.insert((part.job, part.chunk), (next, digest));
    }

    /// A worker delivered results of a chunk; whether some are kept, and the digest if they are all.
    pub(super) fn answer(&mut self, part: Part, worker: WorkerId, kept: bool, digest: Digest) {
        self.answers
            .insert((part.job, part.chunk, worker), (kept, digest));
    }

    /// Kept results of a worker in a job, and how many of them are verified.
    pub(super) fn share(&mut self, job: JobNumber, worker: WorkerId, units: i64, verified: i64) {
        let share = self.shares.entry((job, worker)).or_default();
        share.0 += units;
        share.1 += verified;
        self.records.entry(worker).or_default().units += units;
    }

    /// Chunks of a worker that can be compared, and how many were confirmed.
    pub(super) fn record(&mut self, worker: WorkerId, chunks: i64, confirmed: i64) {
        let record = self.records.entry(worker).or_default();
        record.chunks += chunks;
        record.confirmed += confirmed;
    }

    /// A worker was at work: the time from lease to answer, times cores, in milliseconds.
    pub(super) fn busy(&mut self, worker: WorkerId, core_ms: i64) {
        self.records.entry(worker).or_default().core_ms += core_ms;
    }

    /// Two results differ.
    pub(super) fn alarm(
        &mut self,
        job: JobNumber,
        unit: i64,
        first: (i32, &str),
        second: (WorkerId, &str),
    ) {
        self.alarms.push(TallyAlarm {
            job,
            unit,
            first: (first.0, first.1.to_owned()),
            second: (second.0, second.1.to_owned()),
        });
    }

    /// A chunk is to be done by a worker that is none of these.
    pub(super) fn check(&mut self, job: JobNumber, chunk: i64, of: &[(WorkerId, AccountId)]) {
        let (workers, owners): (Vec<i32>, Vec<i32>) =
            of.iter().map(|(worker, owner)| (worker.0, owner.0)).unzip();
        let message = json!({ "chunk": chunk, "workers": workers, "owners": owners });
        self.checks.entry(job).or_default().push(message);
    }

    /// A chunk is to be done anew.
    pub(super) fn anew(&mut self, job: JobNumber, chunk: i64) {
        let message = json!({ "chunk": chunk });
        self.anew.entry(job).or_default().push(message);
    }

    /// A lease ends.
    pub(super) fn end_lease(&mut self, lease: &Leased) {
        let (messages, attempts) = self.leases.entry((lease.job, lease.is_check)).or_default();
        messages.push(lease.message);
        attempts.push(lease.attempt);
    }

    /// Writes all changes.
    pub(super) async fn write(
        self,
        transaction: &mut Transaction<'_, Postgres>,
    ) -> Result<(), WorkError> {
        write_parts(transaction, self.parts).await?;
        write_answers(transaction, self.answers).await?;
        let raised = write_alarms(transaction, &self.alarms).await?;
        send(transaction, true, self.checks).await?;
        send(transaction, false, self.anew).await?;
        close(transaction, self.leases).await?;
        // Sums come last: other transactions wait for these rows until this one commits.
        let mut columns = (vec![], vec![], vec![], vec![], vec![]);
        for (job, counts) in self.counts {
            columns.0.push(job);
            columns.1.push(counts.done);
            columns.2.push(counts.checking);
            columns.3.push(counts.verified);
            columns.4.push(raised.get(&job).copied().unwrap_or(0));
        }
        if !columns.0.is_empty() {
            let slot: i16 = rand::rng().random_range(0..SLOTS);
            sqlx::query("select lab.count($1, $2, $3, $4, $5, $6)")
                .bind(slot)
                .bind(columns.0)
                .bind(columns.1)
                .bind(columns.2)
                .bind(columns.3)
                .bind(columns.4)
                .execute(&mut **transaction)
                .await?;
        }
        write_credit(transaction, self.shares, self.records).await?;
        Ok(())
    }
}

/// Sends messages to the queues of jobs.
async fn send(
    transaction: &mut Transaction<'_, Postgres>,
    is_check: bool,
    messages: BTreeMap<JobNumber, Vec<Value>>,
) -> Result<(), WorkError> {
    let mut columns = (vec![], vec![]);
    for (job, messages) in messages {
        for message in messages {
            columns.0.push(job);
            columns.1.push(message);
        }
    }
    if columns.0.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "select lab.send(job, $1, array_agg(message))
            from unnest($2::integer[], $3::jsonb[]) g (job, message) group by job order by job",
    )
    .bind(is_check)
    .bind(columns.0)
    .bind(columns.1)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Ends leases.
async fn close(
    transaction: &mut Transaction<'_, Postgres>,
    leases: BTreeMap<(JobNumber, bool), Leases>,
) -> Result<(), WorkError> {
    let mut columns = (vec![], vec![], vec![], vec![]);
    for ((job, is_check), (messages, attempts)) in leases {
        for (message, attempt) in messages.into_iter().zip(attempts) {
            columns.0.push(job);
            columns.1.push(is_check);
            columns.2.push(message);
            columns.3.push(attempt);
        }
    }
    if columns.0.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "select lab.close_leases(job, is_check, array_agg(message), array_agg(attempt))
            from unnest($1::integer[], $2::boolean[], $3::bigint[], $4::integer[])
                g (job, is_check, message, attempt)
            group by job, is_check order by job, is_check",
    )
    .bind(columns.0)
    .bind(columns.1)
    .bind(columns.2)
    .bind(columns.3)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

async fn write_parts(
    transaction: &mut Transaction<'_, Postgres>,
    parts: BTreeMap<(JobNumber, i64), (i16, Digest)>,
) -> Result<(), WorkError> {
    if parts.is_empty() {
        return Ok(());
    }
    let mut columns = (vec![], vec![], vec![], vec![]);
    for ((job, chunk), (state, digest)) in parts {
        columns.0.push(job);
        columns.1.push(chunk);
        columns.2.push(state);
        columns.3.push(digest);
    }
    sqlx::query("select lab.set_chunks($1, $2, $3, $4)")
        .bind(columns.0)
        .bind(columns.1)
        .bind(columns.2)
        .bind(columns.3)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

async fn write_answers(
    transaction: &mut Transaction<'_, Postgres>,
    answers: BTreeMap<(JobNumber, i64, WorkerId), (bool, Digest)>,
) -> Result<(), WorkError> {
    if answers.is_empty() {
        return Ok(());
    }
    let mut columns = (vec![], vec![], vec![], vec![], vec![]);
    for ((job, chunk, worker), (kept, digest)) in answers {
        columns.0.push(job);
        columns.1.push(chunk);
        columns.2.push(worker.0);
        columns.3.push(kept);
        columns.4.push(digest);
    }
    sqlx::query("select lab.note_answers($1, $2, $3, $4, $5)")
        .bind(columns.0)
        .bind(columns.1)
        .bind(columns.2)
        .bind(columns.3)
        .bind(columns.4)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

/// Returns the number of new alarms by job.
async fn write_alarms(
    transaction: &mut Transaction<'_, Postgres>,
    alarms: &[TallyAlarm],
) -> Result<BTreeMap<JobNumber, i64>, WorkError> {
    let mut raised = BTreeMap::new();
    for alarm in alarms {
        let written = sqlx::query(
            "insert into lab.alarms (job, unit, first_worker, first_value, second_worker, second_value)
                values ($1, $2, $3, $4, $5, $6) on conflict do nothing",
        )
        .bind(alarm.job)
        .bind(alarm.unit)
        .bind(alarm.first.0)
        .bind(&alarm.first.1)
        .bind(alarm.second.0)
        .bind(&alarm.second.1)
        .execute(&mut **transaction)
        .await?;
        *raised.entry(alarm.job).or_default() += written.rows_affected().cast_signed();
    }
    Ok(raised)
}

async fn write_credit(
    transaction: &mut Transaction<'_, Postgres>,
    shares: BTreeMap<(JobNumber, WorkerId), (i64, i64)>,
    records: BTreeMap<WorkerId, RecordChange>,
) -> Result<(), WorkError> {
    if shares.is_empty() && records.is_empty() {
        return Ok(());
    }
    let mut share = (vec![], vec![], vec![], vec![]);
    for ((job, worker), (units, verified)) in shares {
        share.0.push(job);
        share.1.push(worker.0);
        share.2.push(units);
        share.3.push(verified);
    }
    let mut record = (vec![], vec![], vec![], vec![], vec![]);
    for (worker, change) in records {
        record.0.push(worker.0);
        record.1.push(change.units);
        record.2.push(change.chunks);
        record.3.push(change.confirmed);
        record.4.push(change.core_ms);
    }
    sqlx::query("select lab.credit($1, $2, $3, $4, $5, $6, $7, $8, $9)")
        .bind(share.0)
        .bind(share.1)
        .bind(share.2)
        .bind(share.3)
        .bind(record.0)
        .bind(record.1)
        .bind(record.2)
        .bind(record.3)
        .bind(record.4)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}
