//! What people see of jobs and workers.

use std::num::NonZeroU64;

use queue::wire::unseen;
use queue::{Alarm, Job, JobState, Progress, Recorded, Second, Worker, WorkerState};
use sqlx::FromRow;

use super::error::WorkError;
use super::state::WorkState;
use crate::model::{JobNumber, JobStage};

/// How far the results of a job are verified.
#[derive(Clone, Debug, PartialEq)]
pub struct Verification {
    /// Number of units with a result.
    pub done: u64,
    /// Number of units whose result another worker confirmed.
    pub verified: u64,
    /// Number of units that another worker is to do again.
    pub checking: u64,
    /// Whether results of the job can be compared at all.
    pub compares: bool,
    /// Number of units done and of units verified, by worker.
    pub workers: Vec<(String, u64, u64)>,
}

impl Verification {
    /// The share of the units with a result that another worker confirmed, from 0 to 1; 0 if there
    /// are none.
    pub fn verified_share(&self) -> f64 {
        if self.done == 0 {
            return 0.0;
        }
        #[expect(clippy::cast_precision_loss, reason = "counts of units")]
        let share = self.verified as f64 / self.done as f64;
        share
    }

    /// Number of units with a result that nobody confirmed.
    pub fn unverified(&self) -> u64 {
        self.done.saturating_sub(self.verified)
    }

    /// The probability that a worker which lies on the part `lie` (0 to 1) of its units went unseen:
    /// the largest of those of the job's workers, by [`queue::wire::unseen`]. 1 if nothing is verified.
    pub fn unseen(&self, lie: f64) -> f64 {
        let units = self.workers.iter().filter(|(_, units, _)| *units > 0);
        units
            .map(|(_, units, verified)| unseen(*verified, *units, lie))
            .fold(0.0, f64::max)
    }
}

impl From<Verification> for queue::wire::Verification {
    fn from(known: Verification) -> Self {
        Self {
            compares: known.compares,
            done: known.done,
            verified: known.verified,
            checking: known.checking,
            workers: known.workers.len() as u64,
            unseen_1_percent: known.unseen(0.01),
            unseen_10_percent: known.unseen(0.1),
        }
    }
}

#[derive(FromRow)]
struct JobRow {
    number: JobNumber,
    id: String,
    kind: String,
    body: String,
    units: i64,
    compares: bool,
    again_every: Option<i64>,
    state: JobStage,
    reason: Option<String>,
    done: i64,
    checking: i64,
    verified: i64,
    alarms: i64,
    /// Whether results of a quarantined worker are still to be taken back, of this job or another.
    purging: bool,
}

impl JobRow {
    fn progress(&self) -> Progress {
        let reason = self.reason.clone().unwrap_or_default();
        Progress {
            // No job is complete while it may have results of a liar.
            done: (self.done - i64::from(self.purging)).max(0).cast_unsigned(),
            units: self.units.cast_unsigned(),
            compared: self.verified.cast_unsigned(),
            to_compare: (self.verified + self.checking).cast_unsigned(),
            alarms: self.alarms.cast_unsigned(),
            flagged: (self.state == JobStage::Flagged).then(|| reason.clone()),
            stopped: matches!(self.state, JobStage::Stopped | JobStage::Rejected).then_some(reason),
        }
    }
}

/// Bodies of more than 64 KiB are left out: such as networks, of which a list would be hundreds of
/// megabytes.
const JOBS: &str =
    "select j.number, j.id, j.kind, case when octet_length(j.body) <= 65536 then j.body else '' end as body,
    j.units, j.compares,
    j.again_every, j.state, j.reason, c.done, c.checking, c.verified, c.alarms,
    exists (select from lab.workers w left join lab.records r on r.worker = w.id
        where w.quarantined_at is not null
            and (r.purged_at is null or r.purged_at < w.quarantined_at)) as purging
    from lab.jobs j cross join lateral (
        select coalesce(sum(c.done), 0)::bigint as done,
            coalesce(sum(c.checking), 0)::bigint as checking,
            coalesce(sum(c.verified), 0)::bigint as verified,
            coalesce(sum(c.alarms), 0)::bigint as alarms
        from lab.counters c where c.job = j.number) c";

/// The number of a job.
pub(super) async fn number(state: &WorkState, job: &str) -> Result<JobNumber, WorkError> {
    let sql = "select number from lab.jobs where id = $1";
    let found = sqlx::query_scalar(sql)
        .bind(job)
        .fetch_optional(&state.database.pool)
        .await?;
    found.ok_or_else(|| WorkError::NoJob(job.to_owned()))
}

async fn row(state: &WorkState, job: &str) -> Result<JobRow, WorkError> {
    let sql = sqlx::AssertSqlSafe(format!("{JOBS} where j.id = $1"));
    let mut transaction = state.by_indexes().await?;
    let found = sqlx::query_as(sql)
        .bind(job)
        .fetch_optional(&mut *transaction)
        .await?;
    transaction.commit().await?;
    found.ok_or_else(|| WorkError::NoJob(job.to_owned()))
}

pub(super) async fn progress(state: &WorkState, job: &str) -> Result<Progress, WorkError> {
    Ok(row(state, job).await?.progress())
}

pub(super) async fn jobs(state: &WorkState) -> Result<Vec<JobState>, WorkError> {
    let sql = sqlx::AssertSqlSafe(format!("{JOBS} order by j.number"));
    let rows: Vec<JobRow> = sqlx::query_as(sql).fetch_all(&state.database.pool).await?;
    let sql = "select job, count(*) from lab.leases
        where until > clock_timestamp() and until < 'infinity' group by job";
    let leased: Vec<(JobNumber, i64)> = sqlx::query_as(sql).fetch_all(&state.database.pool).await?;
    let job = |row: JobRow| {
        let leased = leased.iter().find(|(number, _)| *number == row.number);
        JobState {
            progress: row.progress(),
            leased: leased.map_or(0, |(_, leased)| leased.cast_unsigned()),
            job: Job {
                id: row.id,
                kind: row.kind,
                body: row.body,
                units: row.units.cast_unsigned(),
                second: if row.compares {
                    Second::Compare
                } else {
                    Second::Ignore
                },
                again_every: row
                    .again_every
                    .and_then(|every| NonZeroU64::new(every.cast_unsigned())),
            },
        }
    };
    Ok(rows.into_iter().map(job).collect())
}

#[derive(FromRow)]
struct ResultRow {
    number: i64,
    key: i64,
    worker: String,
    value: String,
}

/// Results after a number, in their order. Numbers up to the last one given are committed, or never will be, once
/// all who hold the job's lock have: a reader that is at the end never misses a lower number that comes in later.
pub(super) async fn results(
    state: &WorkState,
    job: &str,
    after: u64,
    limit: u32,
) -> Result<Vec<Recorded>, WorkError> {
    let number = number(state, job).await?;
    let Ok(after) = i64::try_from(after) else {
        return Ok(Vec::new());
    };
    let mut transaction = state.by_indexes().await?;
    sqlx::query("select pg_advisory_xact_lock(1414485837, $1)")
        .bind(number)
        .execute(&mut *transaction)
        .await?;
    let mut rows: Vec<ResultRow> = sqlx::query_as(
        "select r.number, r.key, (select name from lab.workers where id = r.worker) as worker, r.value
            from lab.results r where r.job = $1 and r.number > $2 order by r.job, r.number limit $3",
    )
    .bind(number)
    .bind(after)
    .bind(i64::from(limit))
    .fetch_all(&mut *transaction)
    .await?;
    if rows.is_empty() {
        rows = sqlx::query_as(
            "select (e ->> 0)::bigint as number, (e ->> 1)::bigint as key,
                (select name from lab.workers where id = (e ->> 2)::integer) as worker,
                e ->> 3 as value
            from (select results from lab.archives where job = $1 and last_number > $2
                order by last_number limit 1 + $3 / 5000) a
            cross join lateral jsonb_array_elements(a.results::jsonb) e
            where (e ->> 0)::bigint > $2 order by 1 limit $3",
        )
        .bind(number)
        .bind(after)
        .bind(i64::from(limit))
        .fetch_all(&mut *transaction)
        .await?;
    }
    transaction.commit().await?;
    let recorded = |row: ResultRow| Recorded {
        number: row.number.cast_unsigned(),
        key: row.key.cast_unsigned(),
        worker: row.worker,
        value: row.value,
    };
    Ok(rows.into_iter().map(recorded).collect())
}

#[derive(FromRow)]
struct AlarmRow {
    unit: i64,
    first: String,
    first_value: String,
    second: String,
    second_value: String,
}

pub(super) async fn alarms(state: &WorkState, job: &str) -> Result<Vec<Alarm>, WorkError> {
    let number = number(state, job).await?;
    let rows: Vec<AlarmRow> = sqlx::query_as(
        "select a.unit, f.name as first, a.first_value, s.name as second, a.second_value
            from lab.alarms a join lab.workers f on f.id = a.first_worker
            join lab.workers s on s.id = a.second_worker
            where a.job = $1 order by a.number",
    )
    .bind(number)
    .fetch_all(&state.database.pool)
    .await?;
    let alarm = |row: AlarmRow| Alarm {
        job: job.to_owned(),
        unit: row.unit.cast_unsigned(),
        first_worker: row.first,
        first_value: row.first_value,
        second_worker: row.second,
        second_value: row.second_value,
    };
    Ok(rows.into_iter().map(alarm).collect())
}

#[derive(FromRow)]
struct WorkerRow {
    name: String,
    about: String,
    units: i64,
    silent_ms: i64,
    quarantined: Option<String>,
}

pub(super) async fn workers(state: &WorkState) -> Result<Vec<WorkerState>, WorkError> {
    let rows: Vec<WorkerRow> = sqlx::query_as(
        "select w.name, w.about, coalesce(r.units, 0) as units,
            (1000 * extract(epoch from clock_timestamp() - coalesce(w.seen_at, w.created_at)))::bigint
                as silent_ms,
            case when w.quarantined_at is not null then coalesce(w.quarantine_reason, '') end
                as quarantined
            from lab.workers w left join lab.records r on r.worker = w.id
            order by w.name collate \"C\"",
    )
    .fetch_all(&state.database.pool)
    .await?;
    let worker = |row: WorkerRow| WorkerState {
        worker: Worker {
            name: row.name,
            about: row.about,
        },
        units: row.units.cast_unsigned(),
        silent_ms: u64::try_from(row.silent_ms).unwrap_or(0),
        quarantined: row.quarantined,
    };
    Ok(rows.into_iter().map(worker).collect())
}

pub(super) async fn verification(state: &WorkState, job: &str) -> Result<Verification, WorkError> {
    let row = row(state, job).await?;
    let workers: Vec<(String, i64, i64)> = sqlx::query_as(
        "select w.name, s.units, s.verified from lab.shares s join lab.workers w on w.id = s.worker
            where s.job = $1 and s.units > 0 order by w.name collate \"C\"",
    )
    .bind(row.number)
    .fetch_all(&state.database.pool)
    .await?;
    let worker = |(name, units, verified): (String, i64, i64)| {
        (name, units.cast_unsigned(), verified.cast_unsigned())
    };
    Ok(Verification {
        done: row.done.cast_unsigned(),
        verified: row.verified.cast_unsigned(),
        checking: row.checking.cast_unsigned(),
        compares: row.compares,
        workers: workers.into_iter().map(worker).collect(),
    })
}
