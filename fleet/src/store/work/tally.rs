//! What a transaction changes, summed up, so that each table is written once, in the order of locks.

use std::collections::{BTreeMap, BTreeSet};

use rand::RngExt as _;
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
    open_chunks: i64,
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

/// Who may not do a chunk again: workers, and owners.
#[derive(Clone, Debug, Default)]
struct AgainFor {
    workers: Vec<i32>,
    owners: Vec<i32>,
    /// Whether its results were taken back.
    is_anew: bool,
}

type Digest = Option<Vec<u8>>;

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
    again: BTreeMap<(JobNumber, i64), AgainFor>,
    /// Chunks that a worker has done.
    ended: BTreeMap<(JobNumber, i64), WorkerId>,
    /// Chunks of which a part that others delivered is forgotten: they cannot finish them.
    freed: BTreeSet<(JobNumber, i64)>,
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
                state::OPEN => counts.open_chunks += sign.signum(),
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

    /// A chunk, whose state changes, is to be done by a worker that is none of these.
    pub(super) fn check(&mut self, job: JobNumber, chunk: i64, of: &[(WorkerId, AccountId)]) {
        let (workers, owners) = of.iter().map(|(worker, owner)| (worker.0, owner.0)).unzip();
        let again = AgainFor {
            workers,
            owners,
            is_anew: false,
        };
        self.again.insert((job, chunk), again);
    }

    /// A chunk, whose state changes, is to be done anew.
    pub(super) fn anew(&mut self, job: JobNumber, chunk: i64) {
        let again = AgainFor {
            is_anew: true,
            ..AgainFor::default()
        };
        self.again.insert((job, chunk), again);
    }

    /// A worker has done what it was leased.
    pub(super) fn end_lease(&mut self, lease: &Leased) {
        self.ended.insert((lease.job, lease.chunk), lease.worker);
    }

    /// Ends the lease of a chunk whose state changes, whichever worker has it.
    pub(super) fn free(&mut self, job: JobNumber, chunk: i64) {
        self.freed.insert((job, chunk));
    }

    /// Writes all changes.
    pub(super) async fn write(
        self,
        transaction: &mut Transaction<'_, Postgres>,
    ) -> Result<(), WorkError> {
        end_leases(transaction, &self.parts, self.ended, &self.freed).await?;
        write_parts(transaction, self.parts).await?;
        write_answers(transaction, self.answers).await?;
        let raised = write_alarms(transaction, &self.alarms).await?;
        write_again(transaction, self.again).await?;
        // Sums come last: other transactions wait for these rows until this one commits.
        let mut columns = (vec![], vec![], vec![], vec![], vec![], vec![]);
        for (job, counts) in self.counts {
            columns.0.push(job);
            columns.1.push(counts.done);
            columns.2.push(counts.checking);
            columns.3.push(counts.verified);
            columns.4.push(counts.open_chunks);
            columns.5.push(raised.get(&job).copied().unwrap_or(0));
        }
        if !columns.0.is_empty() {
            let slot: i16 = rand::rng().random_range(0..SLOTS);
            sqlx::query(
                "insert into lab.counters as c (job, slot, done, checking, verified, open_chunks, alarms)
                    select j, $1, d, k, v, o, a from unnest($2::integer[], $3::bigint[], $4::bigint[],
                        $5::bigint[], $6::bigint[], $7::bigint[]) g (j, d, k, v, o, a)
                    on conflict (job, slot) do update set done = c.done + excluded.done,
                        checking = c.checking + excluded.checking,
                        verified = c.verified + excluded.verified,
                        open_chunks = c.open_chunks + excluded.open_chunks,
                        alarms = c.alarms + excluded.alarms",
            )
            .bind(slot)
            .bind(columns.0)
            .bind(columns.1)
            .bind(columns.2)
            .bind(columns.3)
            .bind(columns.4)
            .bind(columns.5)
            .execute(&mut **transaction)
            .await?;
        }
        write_credit(transaction, self.shares, self.records).await?;
        Ok(())
    }
}

/// Ends leases, with their messages, of workers that have done their chunks; of chunks whose state changes, also
/// those that nobody has, and all if they are to be done anew. Who is at one that a late worker has done goes on.
async fn end_leases(
    transaction: &mut Transaction<'_, Postgres>,
    parts: &BTreeMap<(JobNumber, i64), (i16, Digest)>,
    ended: BTreeMap<(JobNumber, i64), WorkerId>,
    freed: &BTreeSet<(JobNumber, i64)>,
) -> Result<(), WorkError> {
    let all: BTreeSet<(JobNumber, i64)> = parts.keys().chain(ended.keys()).copied().collect();
    if all.is_empty() {
        return Ok(());
    }
    let mut columns = (vec![], vec![], vec![], vec![], vec![]);
    for of in all {
        let next = parts.get(&of).map(|(next, _)| *next);
        columns.0.push(of.0);
        columns.1.push(of.1);
        columns.2.push(ended.get(&of).map(|worker| worker.0));
        columns.3.push(next.is_some());
        columns
            .4
            .push(next == Some(state::OPEN) || freed.contains(&of));
    }
    sqlx::query(
        "with over as (delete from lab.leases l
            using unnest($1::integer[], $2::bigint[], $3::integer[], $4::boolean[], $5::boolean[]) g (j, c, w, n, f)
            where l.job = g.j and l.chunk = g.c and (g.f or l.worker = g.w
                or g.n and (l.worker is null or l.until <= clock_timestamp()))
            returning l.job, l.message)
        select count(*) from (select job, array_agg(message) as messages from over
                where message is not null group by job) o
            cross join lateral pgmq.delete('lab_' || o.job, o.messages)",
    )
    .bind(columns.0)
    .bind(columns.1)
    .bind(columns.2)
    .bind(columns.3)
    .bind(columns.4)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Has chunks done again.
async fn write_again(
    transaction: &mut Transaction<'_, Postgres>,
    again: BTreeMap<(JobNumber, i64), AgainFor>,
) -> Result<(), WorkError> {
    if again.is_empty() {
        return Ok(());
    }
    // A list of lists, as text: PostgreSQL's arrays of arrays are rectangles.
    let text = |ids: Vec<i32>| {
        let ids: Vec<String> = ids.iter().map(i32::to_string).collect();
        format!("{{{}}}", ids.join(","))
    };
    let mut columns = (vec![], vec![], vec![], vec![], vec![]);
    for ((job, chunk), again) in again {
        columns.0.push(job);
        columns.1.push(chunk);
        columns.2.push(again.is_anew);
        columns.3.push(text(again.workers));
        columns.4.push(text(again.owners));
    }
    sqlx::query(
        "insert into lab.leases (job, chunk, since, until, workers, owners)
            select g.j, g.c, s.since, s.since, g.w::integer[], g.o::integer[]
                from unnest($1::integer[], $2::bigint[], $3::boolean[], $4::text[], $5::text[]) g (j, c, a, w, o)
                cross join lateral (select case when g.a then '-infinity' else clock_timestamp() end as since) s
            -- Somebody is at it already.
            on conflict (job, chunk) do update set since = excluded.since, workers = excluded.workers,
                owners = excluded.owners",
    )
    .bind(columns.0)
    .bind(columns.1)
    .bind(columns.2)
    .bind(columns.3)
    .bind(columns.4)
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
    sqlx::query(
        "update lab.chunks k set state = g.s, digest = g.d
            from unnest($1::integer[], $2::bigint[], $3::smallint[], $4::bytea[]) g (j, c, s, d)
            where k.job = g.j and k.chunk = g.c",
    )
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
    sqlx::query(
        "insert into lab.answers as a (job, chunk, worker, kept, digest)
            select * from unnest($1::integer[], $2::bigint[], $3::integer[], $4::boolean[], $5::bytea[])
            on conflict (job, chunk, worker) do update set kept = excluded.kept,
                digest = coalesce(excluded.digest, a.digest)",
    )
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
    sqlx::query(
        "with shared as (insert into lab.shares as s (job, worker, units, verified)
                select * from unnest($1::integer[], $2::integer[], $3::bigint[], $4::bigint[])
                on conflict (job, worker) do update set units = s.units + excluded.units,
                    verified = s.verified + excluded.verified)
        insert into lab.records as r (worker, units, chunks, confirmed, core_ms)
            select * from unnest($5::integer[], $6::bigint[], $7::bigint[], $8::bigint[], $9::bigint[])
            on conflict (worker) do update set units = r.units + excluded.units,
                chunks = r.chunks + excluded.chunks, confirmed = r.confirmed + excluded.confirmed,
                core_ms = r.core_ms + excluded.core_ms",
    )
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
