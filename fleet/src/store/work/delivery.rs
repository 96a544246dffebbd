//! Results that came at the same time, and what the database has of their chunks.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use queue::UnitResult;
use sha2::{Digest as _, Sha256};
use sqlx::{FromRow, Postgres, Transaction};

use super::able::JobWorker;
use super::error::WorkError;
use super::lease::units_of;
use super::state::{Head, WorkState};
use super::tally::{Part, WorkTally, state};
use super::token::Leased;
use crate::model::{AccountId, JobNumber, WorkerId, WorkerIdentity};
use crate::policy::verify::WorkerRecord;

/// Bytes of a digest: nobody can choose results so that two have the same one by chance, and a
/// worker that could has nothing to win from results that are right.
const DIGEST: usize = 16;

/// Results of a lease, which is this worker's, and whose units it holds.
#[derive(Clone, Debug)]
pub(super) struct Delivered {
    pub(super) worker: WorkerIdentity,
    pub(super) lease: Leased,
    pub(super) results: Vec<UnitResult>,
}

impl Delivered {
    pub(super) fn quarantined(&self, reason: &str) -> WorkError {
        WorkError::Quarantined {
            worker: self.worker.name.clone(),
            reason: reason.to_owned(),
        }
    }
}

/// A chunk, locked.
#[derive(Clone, Debug, FromRow)]
pub(super) struct ChunkRow {
    pub(super) job: JobNumber,
    pub(super) chunk: i64,
    pub(super) first: i64,
    pub(super) units: i32,
    pub(super) bodies: Option<String>,
    pub(super) state: i16,
    pub(super) digest: Option<Vec<u8>>,
}

impl ChunkRow {
    pub(super) fn part(&self) -> Part {
        Part {
            job: self.job,
            chunk: self.chunk,
            units: i64::from(self.units),
            state: self.state,
        }
    }
}

/// Locks chunks, which are in their order; those that are gone are left out.
pub(super) async fn lock_chunks(
    transaction: &mut Transaction<'_, Postgres>,
    jobs: &[JobNumber],
    chunks: &[i64],
) -> Result<Vec<ChunkRow>, WorkError> {
    Ok(sqlx::query_as(
        "select k.job, k.chunk, k.first, k.units, k.bodies, k.state, k.digest
            from unnest($1::integer[], $2::bigint[]) g (j, c) cross join lateral
                (select * from lab.chunks o where o.job = g.j and o.chunk = g.c for update) k",
    )
    .bind(jobs)
    .bind(chunks)
    .fetch_all(&mut **transaction)
    .await?)
}

/// Results of a lease that are possible, with the state of their chunk before.
pub(super) struct DeliveredItem<'a> {
    pub(super) one: &'a Delivered,
    pub(super) head: Arc<Head>,
    pub(super) row: ChunkRow,
    /// By key; the first of those for the same unit.
    pub(super) values: BTreeMap<i64, &'a str>,
    /// Of the units' bodies, if the kind compares.
    bodies: Vec<String>,
}

impl DeliveredItem<'_> {
    pub(super) fn units(&self) -> usize {
        usize::try_from(self.row.units).unwrap_or(0)
    }

    pub(super) fn part(&self) -> Part {
        self.row.part()
    }

    pub(super) fn worker(&self) -> WorkerId {
        self.one.worker.id
    }
}

/// A kept result.
#[derive(Clone, Debug, FromRow)]
pub(super) struct KeptResult {
    pub(super) job: JobNumber,
    pub(super) key: i64,
    pub(super) worker: i32,
    pub(super) value: String,
    pub(super) is_new: bool,
}

/// Who answered a chunk.
#[derive(Clone, Debug, FromRow)]
pub(super) struct AnswerRow {
    pub(super) job: JobNumber,
    pub(super) chunk: i64,
    pub(super) worker: WorkerId,
    pub(super) kept: bool,
    pub(super) digest: Option<Vec<u8>>,
    pub(super) owner: AccountId,
}

/// What was delivered of a chunk before.
#[derive(Clone, Debug, Default)]
pub(super) struct Earlier {
    pub(super) answers: Vec<AnswerRow>,
    pub(super) kept: Vec<KeptResult>,
    /// Results that are not kept, by worker.
    pub(super) set_by: Vec<(WorkerId, i64, String)>,
}

impl Earlier {
    /// All that the worker of these results has delivered of the chunk.
    pub(super) fn with(&self, item: &DeliveredItem<'_>) -> BTreeMap<i64, String> {
        let own = self
            .kept
            .iter()
            .filter(|kept| kept.worker == item.worker().0);
        let mut values: BTreeMap<i64, String> =
            own.map(|kept| (kept.key, kept.value.clone())).collect();
        let set_by = self
            .set_by
            .iter()
            .filter(|(worker, _, _)| *worker == item.worker());
        values.extend(set_by.map(|(_, key, value)| (*key, value.clone())));
        for (key, value) in &item.values {
            values.entry(*key).or_insert_with(|| (*value).to_owned());
        }
        values
    }
}

/// Results that came together, of different chunks, and what is known of these.
pub(super) struct Batch<'a> {
    pub(super) state: &'a WorkState,
    heads: HashMap<JobNumber, Arc<Head>>,
    pub(super) tally: WorkTally,
    pub(super) records: HashMap<WorkerId, WorkerRecord>,
    /// What is kept for the units of this batch; nothing, if all results are new.
    kept: HashMap<(JobNumber, i64), KeptResult>,
    /// What was there of chunks that are done, or that only a part of the results is kept of.
    earlier: HashMap<(JobNumber, i64), Earlier>,
    pub(super) wrong: BTreeMap<WorkerId, String>,
    /// Who is there, of jobs for which it was asked.
    pub(super) workers: HashMap<JobNumber, Vec<JobWorker>>,
}

impl<'a> Batch<'a> {
    pub(super) fn new(state: &'a WorkState, heads: HashMap<JobNumber, Arc<Head>>) -> Self {
        Self {
            state,
            heads,
            tally: WorkTally::default(),
            records: HashMap::new(),
            kept: HashMap::new(),
            earlier: HashMap::new(),
            wrong: BTreeMap::new(),
            workers: HashMap::new(),
        }
    }

    pub(super) async fn lock(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        group: &[&Delivered],
    ) -> Result<HashMap<(JobNumber, i64), ChunkRow>, WorkError> {
        let (jobs, chunks): (Vec<JobNumber>, Vec<i64>) = (group.iter())
            .map(|one| (one.lease.job, one.lease.chunk))
            .unzip();
        let rows = lock_chunks(transaction, &jobs, &chunks).await?;
        let by_name = |row: ChunkRow| ((row.job, row.chunk), row);
        Ok(rows.into_iter().map(by_name).collect())
    }

    /// Checks that results are possible; a worker whose are not is quarantined.
    pub(super) fn checked<'b>(
        &mut self,
        one: &'b Delivered,
        row: &ChunkRow,
    ) -> Result<DeliveredItem<'b>, WorkError> {
        let gone = || WorkError::NotLeased("the job is gone".into());
        let head = Arc::clone(self.heads.get(&one.lease.job).ok_or_else(gone)?);
        let mut values = BTreeMap::new();
        for result in &one.results {
            let key = result.key.cast_signed();
            values.entry(key).or_insert(result.value.as_str());
        }
        let mut item = DeliveredItem {
            one,
            head,
            row: row.clone(),
            values,
            bodies: Vec::new(),
        };
        if item.head.compares {
            let units = units_of(row.first, row.units, row.bodies.as_deref())?;
            item.bodies = units.into_iter().map(|unit| unit.body).collect();
            for (key, value) in &item.values {
                if let Err(why) = self.fingerprint(&item, *key, value) {
                    let reason = format!("job {}, unit {key}: {why}", item.head.id);
                    let error = one.quarantined(&reason);
                    self.wrong.insert(one.worker.id, reason);
                    return Err(error);
                }
            }
        }
        Ok(item)
    }

    pub(super) fn fingerprint(
        &self,
        item: &DeliveredItem<'_>,
        key: i64,
        value: &str,
    ) -> Result<Option<String>, String> {
        let nth = usize::try_from(key - item.row.first).unwrap_or(usize::MAX);
        let unit = item.bodies.get(nth).map_or("", String::as_str);
        (self.state.tuning.check)(&item.head.kind, &item.head.body, unit, value)
    }

    /// The digest of all results of a chunk; `None` if they cannot be compared.
    pub(super) fn digest(
        &self,
        item: &DeliveredItem<'_>,
        values: &BTreeMap<i64, String>,
    ) -> Option<Vec<u8>> {
        let mut digest = Sha256::new();
        for (key, value) in values {
            let print = self.fingerprint(item, *key, value).ok()??;
            digest.update((print.len() as u64).to_le_bytes());
            digest.update(print);
        }
        Some(digest.finalize()[..DIGEST].to_vec())
    }

    pub(super) async fn read_records(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        workers: &[i32],
    ) -> Result<(), WorkError> {
        let rows: Vec<(WorkerId, i64, i64)> = sqlx::query_as(
            "select worker, chunks, confirmed from lab.records where worker = any ($1)",
        )
        .bind(workers)
        .fetch_all(&mut **transaction)
        .await?;
        for (worker, chunks, confirmed) in rows {
            let record = WorkerRecord {
                chunks: chunks.cast_unsigned(),
                confirmed: confirmed.cast_unsigned(),
            };
            self.records.insert(worker, record);
        }
        Ok(())
    }

    /// Keeps the results of units that have none.
    pub(super) async fn keep(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        items: &[DeliveredItem<'_>],
    ) -> Result<(), WorkError> {
        let mut columns = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
        for item in items.iter().filter(|item| item.row.state == state::OPEN) {
            for (key, value) in &item.values {
                columns.0.push(item.row.job);
                columns.1.push(*key);
                columns.2.push(item.worker().0);
                columns.3.push(*value);
            }
        }
        if columns.0.is_empty() {
            return Ok(());
        }
        let new = sqlx::query(
            "insert into lab.results (job, key, worker, value)
                select * from unnest($1::integer[], $2::bigint[], $3::integer[], $4::text[])
                on conflict do nothing",
        )
        .bind(&columns.0)
        .bind(&columns.1)
        .bind(columns.2)
        .bind(columns.3)
        .execute(&mut **transaction)
        .await?;
        if new.rows_affected() == columns.0.len() as u64 {
            return Ok(());
        }
        let kept: Vec<KeptResult> = sqlx::query_as(
            "select r.job, r.key, r.worker, r.value, r.xmin = pg_current_xact_id()::xid as is_new
                from unnest($1::integer[], $2::bigint[]) g (j, k)
                join lab.results r on r.job = g.j and r.key = g.k",
        )
        .bind(columns.0)
        .bind(columns.1)
        .fetch_all(&mut **transaction)
        .await?;
        let by_unit = |kept: KeptResult| ((kept.job, kept.key), kept);
        self.kept = kept.into_iter().map(by_unit).collect();
        Ok(())
    }

    /// Reads what was delivered before of chunks that are not new, for all of them at once.
    pub(super) async fn read_answers(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        items: &[DeliveredItem<'_>],
    ) -> Result<(), WorkError> {
        let is_read = |item: &&DeliveredItem<'_>| {
            let is_new = item.row.state == state::OPEN
                && self.new_results(item) == i64::from(item.row.units);
            item.head.compares && !is_new
        };
        let read: Vec<&DeliveredItem<'_>> = items.iter().filter(is_read).collect();
        if read.is_empty() {
            return Ok(());
        }
        let jobs: Vec<JobNumber> = read.iter().map(|item| item.row.job).collect();
        let chunks: Vec<i64> = read.iter().map(|item| item.row.chunk).collect();
        let firsts: Vec<i64> = read.iter().map(|item| item.row.first).collect();
        let units: Vec<i32> = read.iter().map(|item| item.row.units).collect();
        let name = |item: &&DeliveredItem<'_>| ((item.row.job, item.row.chunk), Earlier::default());
        self.earlier = read.iter().map(name).collect();
        let mut answers: Vec<AnswerRow> = sqlx::query_as(
            // Of workers that are quarantined, only what is kept counts.
            "select a.job, a.chunk, a.worker, a.kept, a.digest, w.owner
                from unnest($1::integer[], $2::bigint[]) g (j, c)
                join lab.answers a on a.job = g.j and a.chunk = g.c
                join lab.workers w on w.id = a.worker
                where a.kept or w.quarantined_at is null",
        )
        .bind(&jobs)
        .bind(&chunks)
        .fetch_all(&mut **transaction)
        .await?;
        answers.sort_by_key(|answer| answer.worker);
        for row in answers {
            self.earlier
                .entry((row.job, row.chunk))
                .or_default()
                .answers
                .push(row);
        }
        let kept: Vec<(i64, JobNumber, i64, i32, String)> = sqlx::query_as(
            "select g.c, r.job, r.key, r.worker, r.value
                from unnest($1::integer[], $2::bigint[], $3::bigint[], $4::integer[]) g (j, c, f, u)
                join lab.results r on r.job = g.j and r.key >= g.f and r.key < g.f + g.u",
        )
        .bind(&jobs)
        .bind(&chunks)
        .bind(firsts)
        .bind(units)
        .fetch_all(&mut **transaction)
        .await?;
        for (chunk, job, key, worker, value) in kept {
            let row = KeptResult {
                job,
                key,
                worker,
                value,
                is_new: false,
            };
            self.earlier.entry((job, chunk)).or_default().kept.push(row);
        }
        let set_by: Vec<(JobNumber, i64, WorkerId, i64, String)> = sqlx::query_as(
            "select s.job, s.chunk, s.worker, s.key, s.value from unnest($1::integer[], $2::bigint[]) g (j, c)
                join lab.seconds s on s.job = g.j and s.chunk = g.c",
        )
        .bind(jobs)
        .bind(chunks)
        .fetch_all(&mut **transaction)
        .await?;
        for (job, chunk, worker, key, value) in set_by {
            let earlier = self.earlier.entry((job, chunk)).or_default();
            earlier.set_by.push((worker, key, value));
        }
        Ok(())
    }

    /// Number of results of this call that are kept.
    pub(super) fn new_results(&self, item: &DeliveredItem<'_>) -> i64 {
        let is_new = |key: &&i64| {
            let kept = self.kept.get(&(item.row.job, **key));
            kept.is_none_or(|kept| kept.is_new)
        };
        let count = item.values.keys().filter(is_new).count();
        i64::try_from(count).unwrap_or(i64::MAX)
    }

    pub(super) fn earlier(&self, item: &DeliveredItem<'_>) -> Earlier {
        let found = self.earlier.get(&(item.row.job, item.row.chunk));
        found.cloned().unwrap_or_default()
    }
}
