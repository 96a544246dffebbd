//! Results: kept, compared, checked in secret. Those that come at the same time are one transaction,
//! in which results, counters and the ends of leases change together.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use queue::UnitResult;
use sha2::{Digest as _, Sha256};
use sqlx::{FromRow, Postgres, Transaction};

use super::error::WorkError;
use super::lease::units_of;
use super::state::{Head, State, lock};
use super::tally::{Part, Tally, state};
use super::token::Leased;
use crate::model::{JobNumber, WorkerId, WorkerIdentity};
use crate::policy::verify::{self, Answer, Decision, Record};

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

/// What came of a batch.
pub(super) struct Outcome {
    pub(super) answers: Vec<Result<(), WorkError>>,
    /// Workers that were quarantined: their results are to be discarded.
    pub(super) quarantined: bool,
}

/// Records results. A failure of one does not concern the others.
pub(super) async fn answer(state: &State, delivered: Vec<Delivered>) -> Outcome {
    let mut answers: Vec<Option<Result<(), WorkError>>> = delivered.iter().map(|_| None).collect();
    let mut quarantined = false;
    // Two for the same chunk come one after the other.
    let mut left: Vec<usize> = (0..delivered.len()).collect();
    while !left.is_empty() {
        let mut chunks = BTreeSet::new();
        let (now, later): (Vec<usize>, Vec<usize>) = left.iter().partition(|at| {
            chunks.insert((delivered[**at].lease.job, delivered[**at].lease.chunk))
        });
        left = later;
        let mut group: Vec<&Delivered> = now.iter().map(|at| &delivered[*at]).collect();
        // Locked in this order.
        let mut order: Vec<usize> = (0..group.len()).collect();
        order.sort_by_key(|at| (group[*at].lease.job, group[*at].lease.chunk));
        let places: Vec<usize> = order.iter().map(|at| now[*at]).collect();
        group = order.iter().map(|at| group[*at]).collect();
        match together(state, &group).await {
            Ok(done) => {
                quarantined |= done.iter().any(|one| one.quarantines);
                for (place, one) in places.iter().zip(done) {
                    answers[*place] = Some(one.answer);
                }
            }
            Err(error) if error.is_passing() || group.len() == 1 => {
                for place in &places[1..] {
                    answers[*place] = error.again().map(Err);
                }
                answers[places[0]] = Some(Err(error));
            }
            Err(_) => {
                for (place, one) in places.iter().zip(group) {
                    let done = together(state, &[one]).await;
                    answers[*place] = Some(match done {
                        Ok(mut done) => match done.pop() {
                            Some(one) => {
                                quarantined |= one.quarantines;
                                one.answer
                            }
                            None => Ok(()),
                        },
                        Err(error) => Err(error),
                    });
                }
            }
        }
    }
    Outcome {
        answers: answers
            .into_iter()
            .map(|answer| answer.unwrap_or(Ok(())))
            .collect(),
        quarantined,
    }
}

struct Done {
    answer: Result<(), WorkError>,
    quarantines: bool,
}

/// One transaction for results of different chunks, in ascending order.
async fn together(state: &State, group: &[&Delivered]) -> Result<Vec<Done>, WorkError> {
    let workers: BTreeSet<i32> = group.iter().map(|one| one.worker.id.0).collect();
    let jobs: BTreeSet<JobNumber> = group.iter().map(|one| one.lease.job).collect();
    let jobs: Vec<JobNumber> = jobs.into_iter().collect();
    let heads = state.heads(&jobs).await?;
    let mut transaction = state.database.pool.begin().await?;
    let mut batch = Batch {
        state,
        heads,
        tally: Tally::default(),
        records: HashMap::new(),
        kept: HashMap::new(),
        earlier: HashMap::new(),
        wrong: BTreeMap::new(),
    };
    let workers: Vec<i32> = workers.into_iter().collect();
    let banned: Vec<(i32, String)> =
        sqlx::query_as("select worker, reason from lab.begin_answers($1, $2)")
            .bind(&workers)
            .bind(&jobs)
            .fetch_all(&mut *transaction)
            .await?;
    let banned: HashMap<i32, String> = banned.into_iter().collect();
    let mut answers: Vec<Result<(), WorkError>> = Vec::new();
    let mut good = Vec::new();
    let parts = batch.lock(&mut transaction, group).await?;
    for one in group {
        let part = parts.get(&(one.lease.job, one.lease.chunk));
        let checked = match (banned.get(&one.worker.id.0), part) {
            (Some(reason), _) => Err(quarantined(one, reason)),
            (None, None) => Err(WorkError::NotLeased("the job is gone".into())),
            (None, Some(part)) => batch.checked(one, part),
        };
        match checked {
            Ok(item) => {
                good.push(item);
                answers.push(Ok(()));
            }
            Err(error) => answers.push(Err(error)),
        }
    }
    batch.read_records(&mut transaction, &workers).await?;
    batch.keep(&mut transaction, &good).await?;
    batch.read_answers(&mut transaction, &good).await?;
    for item in &good {
        batch.take(&mut transaction, item).await?;
    }
    let wrong: Vec<(WorkerId, String)> = std::mem::take(&mut batch.wrong).into_iter().collect();
    batch.tally.write(&mut transaction).await?;
    set_quarantined(&mut transaction, &wrong).await?;
    transaction.commit().await?;
    close_jobs(state, &jobs).await?;
    let now = state.clock_ms();
    let mut schedule = lock(&state.schedule);
    for item in &good {
        let lasted = std::time::Duration::from_millis(now.saturating_sub(item.one.lease.began_ms));
        if item.one.results.len() == item.units() {
            schedule.ended(item.one.lease.job, Some(lasted.as_secs_f64()));
        }
    }
    drop(schedule);
    let any_wrong = !wrong.is_empty();
    let done = |answer| Done {
        answer,
        quarantines: any_wrong,
    };
    Ok(answers.into_iter().map(done).collect())
}

/// Marks jobs that are done: of those that commit at the same time, the last sees all.
async fn close_jobs(state: &State, jobs: &[JobNumber]) -> Result<(), WorkError> {
    let near: Vec<JobNumber> = jobs
        .iter()
        .copied()
        .filter(|job| state.is_near_end(*job))
        .collect();
    if near.is_empty() {
        return Ok(());
    }
    let mut transaction = state.database.pool.begin().await?;
    sqlx::query("select lab.close_jobs($1)")
        .bind(near)
        .execute(&mut *transaction)
        .await?;
    transaction.commit().await?;
    Ok(())
}

fn quarantined(one: &Delivered, reason: &str) -> WorkError {
    WorkError::Quarantined {
        worker: one.worker.name.clone(),
        reason: reason.to_owned(),
    }
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

/// A chunk, locked.
#[derive(Clone, Debug, FromRow)]
struct ChunkRow {
    job: JobNumber,
    chunk: i64,
    first: i64,
    units: i32,
    bodies: Option<String>,
    state: i16,
    digest: Option<Vec<u8>>,
}

/// Results of a lease that are possible, with the state of their chunk before.
struct Item<'a> {
    one: &'a Delivered,
    head: Arc<Head>,
    row: ChunkRow,
    /// By key; the first of those for the same unit.
    values: BTreeMap<i64, &'a str>,
    /// Of the units' bodies, if the kind compares.
    bodies: Vec<String>,
}

impl Item<'_> {
    fn units(&self) -> usize {
        usize::try_from(self.row.units).unwrap_or(0)
    }

    fn part(&self, state: i16) -> Part {
        Part {
            job: self.row.job,
            chunk: self.row.chunk,
            units: i64::from(self.row.units),
            state,
        }
    }

    fn worker(&self) -> WorkerId {
        self.one.worker.id
    }
}

/// A kept result.
#[derive(Clone, Debug, FromRow)]
struct Kept {
    job: JobNumber,
    key: i64,
    worker: i32,
    value: String,
    is_new: bool,
}

/// What was delivered of a chunk before.
#[derive(Clone, Debug, Default)]
struct Earlier {
    answers: Vec<AnswerRow>,
    kept: Vec<Kept>,
    /// Results that are not kept, by worker.
    set_by: Vec<(WorkerId, i64, String)>,
}

struct Batch<'a> {
    state: &'a State,
    heads: HashMap<JobNumber, Arc<Head>>,
    tally: Tally,
    records: HashMap<WorkerId, Record>,
    /// What is kept for the units of this batch; nothing, if all results are new.
    kept: HashMap<(JobNumber, i64), Kept>,
    /// What was there of chunks that are done, or that only a part of the results is kept of.
    earlier: HashMap<(JobNumber, i64), Earlier>,
    wrong: BTreeMap<WorkerId, String>,
}

impl Batch<'_> {
    async fn lock(
        &self,
        transaction: &mut Transaction<'_, Postgres>,
        group: &[&Delivered],
    ) -> Result<HashMap<(JobNumber, i64), ChunkRow>, WorkError> {
        let (jobs, chunks): (Vec<JobNumber>, Vec<i64>) = (group.iter())
            .map(|one| (one.lease.job, one.lease.chunk))
            .unzip();
        let rows: Vec<ChunkRow> = sqlx::query_as(
            "select job, chunk, first, units, bodies, state, digest from lab.lock_chunks($1, $2)",
        )
        .bind(jobs)
        .bind(chunks)
        .fetch_all(&mut **transaction)
        .await?;
        let by_name = |row: ChunkRow| ((row.job, row.chunk), row);
        Ok(rows.into_iter().map(by_name).collect())
    }

    /// Checks that results are possible; a worker whose are not is quarantined.
    fn checked<'b>(&mut self, one: &'b Delivered, row: &ChunkRow) -> Result<Item<'b>, WorkError> {
        let gone = || WorkError::NotLeased("the job is gone".into());
        let head = Arc::clone(self.heads.get(&one.lease.job).ok_or_else(gone)?);
        let mut values = BTreeMap::new();
        for result in &one.results {
            let key = result.key.cast_signed();
            values.entry(key).or_insert(result.value.as_str());
        }
        let mut item = Item {
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
                    let error = quarantined(one, &reason);
                    self.wrong.insert(one.worker.id, reason);
                    return Err(error);
                }
            }
        }
        Ok(item)
    }

    fn fingerprint(
        &self,
        item: &Item<'_>,
        key: i64,
        value: &str,
    ) -> Result<Option<String>, String> {
        let nth = usize::try_from(key - item.row.first).unwrap_or(usize::MAX);
        let unit = item.bodies.get(nth).map_or("", String::as_str);
        (self.state.tuning.check)(&item.head.kind, &item.head.body, unit, value)
    }

    /// The digest of all results of a chunk; `None` if they cannot be compared.
    fn digest(&self, item: &Item<'_>, values: &BTreeMap<i64, String>) -> Option<Vec<u8>> {
        let mut digest = Sha256::new();
        for (key, value) in values {
            let print = self.fingerprint(item, *key, value).ok()??;
            digest.update((print.len() as u64).to_le_bytes());
            digest.update(print);
        }
        Some(digest.finalize()[..DIGEST].to_vec())
    }

    async fn read_records(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        workers: &[i32],
    ) -> Result<(), WorkError> {
        let rows: Vec<(WorkerId, i64, i64)> =
            sqlx::query_as("select worker, chunks, confirmed from lab.records_of($1)")
                .bind(workers)
                .fetch_all(&mut **transaction)
                .await?;
        for (worker, chunks, confirmed) in rows {
            let record = Record {
                chunks: chunks.cast_unsigned(),
                confirmed: confirmed.cast_unsigned(),
            };
            self.records.insert(worker, record);
        }
        Ok(())
    }

    /// Keeps the results of units that have none.
    async fn keep(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        items: &[Item<'_>],
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
        let kept: Vec<Kept> = sqlx::query_as(
            "select job, key, worker, value, is_new from lab.keep_results($1, $2, $3, $4)",
        )
        .bind(columns.0)
        .bind(columns.1)
        .bind(columns.2)
        .bind(columns.3)
        .fetch_all(&mut **transaction)
        .await?;
        let by_unit = |kept: Kept| ((kept.job, kept.key), kept);
        self.kept = kept.into_iter().map(by_unit).collect();
        Ok(())
    }

    /// Reads what was delivered before of chunks that are not new, for all of them at once.
    async fn read_answers(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        items: &[Item<'_>],
    ) -> Result<(), WorkError> {
        let is_read = |item: &&Item<'_>| {
            let is_new = item.row.state == state::OPEN
                && self.new_results(item) == i64::from(item.row.units);
            item.head.compares && !is_new
        };
        let read: Vec<&Item<'_>> = items.iter().filter(is_read).collect();
        if read.is_empty() {
            return Ok(());
        }
        let jobs: Vec<JobNumber> = read.iter().map(|item| item.row.job).collect();
        let chunks: Vec<i64> = read.iter().map(|item| item.row.chunk).collect();
        let firsts: Vec<i64> = read.iter().map(|item| item.row.first).collect();
        let units: Vec<i32> = read.iter().map(|item| item.row.units).collect();
        let name = |item: &&Item<'_>| ((item.row.job, item.row.chunk), Earlier::default());
        self.earlier = read.iter().map(name).collect();
        let answers: Vec<AnswerRow> = sqlx::query_as(
            "select job, chunk, worker, kept, digest, owner from lab.answers_of($1, $2)",
        )
        .bind(&jobs)
        .bind(&chunks)
        .fetch_all(&mut **transaction)
        .await?;
        for row in answers {
            self.earlier
                .entry((row.job, row.chunk))
                .or_default()
                .answers
                .push(row);
        }
        let kept: Vec<(i64, JobNumber, i64, i32, String)> = sqlx::query_as(
            "select chunk, job, key, worker, value from lab.kept_of($1, $2, $3, $4)",
        )
        .bind(&jobs)
        .bind(&chunks)
        .bind(firsts)
        .bind(units)
        .fetch_all(&mut **transaction)
        .await?;
        for (chunk, job, key, worker, value) in kept {
            let row = Kept {
                job,
                key,
                worker,
                value,
                is_new: false,
            };
            self.earlier.entry((job, chunk)).or_default().kept.push(row);
        }
        let set_by: Vec<(JobNumber, i64, WorkerId, i64, String)> =
            sqlx::query_as("select job, chunk, worker, key, value from lab.seconds_of($1, $2)")
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

    fn earlier(&self, item: &Item<'_>) -> Earlier {
        let found = self.earlier.get(&(item.row.job, item.row.chunk));
        found.cloned().unwrap_or_default()
    }

    async fn take(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        item: &Item<'_>,
    ) -> Result<(), WorkError> {
        match (item.row.state, item.head.compares) {
            (state::OPEN, false) => self.take_incomparable(transaction, item).await,
            (state::OPEN, true) => self.take_first(transaction, item).await,
            (_, false) => {
                self.tally.end_lease(&item.one.lease);
                Ok(())
            }
            (_, true) => self.take_second(transaction, item).await,
        }
    }

    /// Number of results of this call that are kept.
    fn new_results(&self, item: &Item<'_>) -> i64 {
        let is_new = |key: &&i64| {
            let kept = self.kept.get(&(item.row.job, **key));
            kept.is_none_or(|kept| kept.is_new)
        };
        let count = item.values.keys().filter(is_new).count();
        i64::try_from(count).unwrap_or(i64::MAX)
    }

    /// Notes results that were kept.
    fn credit(&mut self, item: &Item<'_>, new: i64) {
        self.tally.done(item.row.job, new);
        self.tally.share(item.row.job, item.worker(), new, 0);
    }

    /// No two results of the kind are alike: the chunk is done when each unit has one.
    async fn take_incomparable(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        item: &Item<'_>,
    ) -> Result<(), WorkError> {
        let new = self.new_results(item);
        if new > 0 {
            self.credit(item, new);
            self.tally
                .answer(item.part(state::OPEN), item.worker(), true, None);
        }
        let units = i64::from(item.row.units);
        let mut count = new;
        if count < units {
            let counts: Vec<i64> = sqlx::query_scalar("select lab.count_kept($1, $2, $3)")
                .bind(vec![item.row.job])
                .bind(vec![item.row.first])
                .bind(vec![item.row.units])
                .fetch_one(&mut **transaction)
                .await?;
            count = counts.first().copied().unwrap_or(0);
        }
        if count >= units {
            self.tally.part(item.part(state::OPEN), state::DONE, None);
            self.tally.end_lease(&item.one.lease);
        }
        Ok(())
    }

    /// Results of a chunk that nobody has done.
    async fn take_first(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        item: &Item<'_>,
    ) -> Result<(), WorkError> {
        let new = self.new_results(item);
        if new == i64::from(item.row.units) {
            let own = |(key, value): (&i64, &&str)| (*key, (*value).to_owned());
            let values = item.values.iter().map(own).collect();
            self.credit(item, new);
            self.first_answer(item, &values, false);
            return Ok(());
        }
        let earlier = self.earlier(item);
        let kept = &earlier.kept;
        let values = all_values(item, &earlier);
        if values.len() < item.units() {
            self.credit(item, new);
            let has_kept = kept.iter().any(|kept| kept.worker == item.worker().0);
            self.tally
                .answer(item.part(state::OPEN), item.worker(), has_kept, None);
            return set_by(transaction, item, kept).await;
        }
        // It has done the whole chunk, others a part at most: what they did does not count.
        let others: Vec<&Kept> = (kept.iter())
            .filter(|kept| kept.worker != item.worker().0)
            .collect();
        let mut differs = false;
        for kept in &others {
            let Some(value) = values.get(&kept.key) else {
                continue;
            };
            if self.differ(item, kept.key, &kept.value, value) {
                differs = true;
                let first = (kept.worker, &*kept.value);
                self.tally
                    .alarm(item.row.job, kept.key, first, (item.worker(), value));
            }
            self.tally.share(item.row.job, WorkerId(kept.worker), -1, 0);
            self.tally.share(item.row.job, item.worker(), 1, 0);
        }
        self.credit(item, new);
        replace(transaction, item, &others, &values).await?;
        forget_partial(transaction, item, true).await?;
        self.first_answer(item, &values, differs);
        Ok(())
    }

    fn differ(&self, item: &Item<'_>, key: i64, one: &str, other: &str) -> bool {
        one != other && self.fingerprint(item, key, one) != self.fingerprint(item, key, other)
    }

    /// A chunk is done: whether it is checked is decided now.
    fn first_answer(&mut self, item: &Item<'_>, values: &BTreeMap<i64, String>, must_check: bool) {
        let digest = self.digest(item, values);
        let worker = item.worker();
        let record = self.records.entry(worker).or_default();
        let again_every = item.head.again_every.map(i64::cast_unsigned);
        let share = verify::share(*record, again_every);
        let checks = digest.is_some() && (must_check || self.state.draw() < share);
        let next = if checks { state::CHECKING } else { state::DONE };
        if digest.is_some() {
            record.chunks += 1;
            self.tally.record(worker, 1, 0);
        }
        self.tally
            .answer(item.part(state::OPEN), worker, true, digest.clone());
        self.tally.part(item.part(state::OPEN), next, digest);
        if checks {
            let owner = item.one.worker.owner;
            self.tally
                .check(item.row.job, item.row.chunk, &[(worker, owner)]);
        }
        self.tally.end_lease(&item.one.lease);
    }

    /// Results of a chunk that was done before.
    async fn take_second(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        item: &Item<'_>,
    ) -> Result<(), WorkError> {
        let earlier = self.earlier(item);
        let mut answers = earlier.answers.clone();
        let worker = item.worker();
        // A call whose answer was lost is made again.
        if answers
            .iter()
            .any(|answer| answer.worker == worker && answer.digest.is_some())
        {
            self.tally.end_lease(&item.one.lease);
            return Ok(());
        }
        let kept = &earlier.kept;
        let values = all_values(item, &earlier);
        if values.len() < item.units() {
            return set_by(transaction, item, kept).await;
        }
        self.tally.end_lease(&item.one.lease);
        if earlier.set_by.iter().any(|(by, _, _)| *by == worker) {
            forget_partial(transaction, item, false).await?;
        }
        let (Some(digest), Some(kept_digest)) = (self.digest(item, &values), &item.row.digest)
        else {
            return Ok(());
        };
        if digest != *kept_digest {
            for kept in kept {
                let Some(value) = values.get(&kept.key) else {
                    continue;
                };
                if self.differ(item, kept.key, &kept.value, value) {
                    let first = (kept.worker, &*kept.value);
                    self.tally
                        .alarm(item.row.job, kept.key, first, (worker, value));
                }
            }
        }
        self.tally.answer(
            item.part(item.row.state),
            worker,
            false,
            Some(digest.clone()),
        );
        let owner = Some(item.one.worker.owner.0);
        answers.push(AnswerRow {
            job: item.row.job,
            chunk: item.row.chunk,
            worker,
            kept: false,
            digest: Some(digest),
            owner,
        });
        self.settle(transaction, item, kept, &values, &answers)
            .await
    }

    async fn settle(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        item: &Item<'_>,
        kept: &[Kept],
        values: &BTreeMap<i64, String>,
        answers: &[AnswerRow],
    ) -> Result<(), WorkError> {
        let (part, job) = (item.part(item.row.state), item.row.job);
        let compared = answers.iter().filter_map(|answer| {
            let digest = answer.digest.clone()?;
            let worker = answer.worker;
            Some(Answer { worker, digest })
        });
        let compared: Vec<Answer> = compared.collect();
        let agree = compared
            .iter()
            .all(|answer| answer.digest == compared[0].digest);
        let others = agree || has_others(transaction, &compared).await?;
        let kept_digest = item.row.digest.clone().unwrap_or_default();
        let Decision::Settled { digest, wrong } = verify::decide(&compared, others) else {
            if item.row.state == state::VERIFIED {
                // One that differs came later: nothing is sure any more.
                if let Some(author) = answers.iter().find(|answer| answer.kept) {
                    self.tally.record(author.worker, 0, -1);
                    self.tally.share(job, author.worker, 0, -part.units);
                }
            }
            self.tally
                .part(part, state::CHECKING, item.row.digest.clone());
            self.send_again(item, answers);
            return Ok(());
        };
        for worker in wrong {
            let id = &item.head.id;
            let reason = format!("wrong results in chunk {} of job {id}", item.row.chunk);
            self.wrong.entry(worker).or_insert(reason);
        }
        if item.row.state == state::VERIFIED {
            return Ok(());
        }
        let author = answers
            .iter()
            .find(|answer| answer.kept)
            .map(|answer| answer.worker);
        let is_new = self.digest(item, values).as_ref() == Some(&digest);
        if digest == kept_digest {
            let agree = agree && compared.len() == 2;
            if agree && self.state.draw() < self.state.tuning.third_share {
                self.tally.part(part, state::CHECKING, Some(digest));
                self.send_again(item, answers);
                return Ok(());
            }
            if let Some(author) = author {
                self.tally.record(author, 0, 1);
                self.tally.share(job, author, 0, part.units);
            }
            self.tally.part(part, state::VERIFIED, Some(digest));
        } else if is_new {
            // What was kept is wrong, and this worker's results are right: they take its place.
            let all: Vec<&Kept> = kept.iter().collect();
            replace(transaction, item, &all, values).await?;
            for kept in kept {
                self.tally.share(job, WorkerId(kept.worker), -1, 0);
            }
            self.tally.share(job, item.worker(), part.units, part.units);
            self.tally.record(item.worker(), 1, 1);
            let fresh = Some(digest.clone());
            if let Some(author) = author {
                let old = Some(kept_digest);
                self.tally.answer(part, author, false, old);
            }
            self.tally.answer(part, item.worker(), true, fresh.clone());
            self.tally.part(part, state::VERIFIED, fresh);
        } else {
            // What was kept is wrong, and what is right is not at hand: one more does it.
            self.tally.part(part, state::CHECKING, Some(kept_digest));
            self.send_again(item, answers);
        }
        Ok(())
    }

    /// Gives a chunk to a worker that has not answered.
    fn send_again(&mut self, item: &Item<'_>, answers: &[AnswerRow]) {
        let known = answers
            .iter()
            .filter(|answer| answer.digest.is_some() || answer.kept);
        let of: Vec<_> = known
            .map(|answer| {
                (
                    answer.worker,
                    crate::model::AccountId(answer.owner.unwrap_or(-1)),
                )
            })
            .collect();
        self.tally.check(item.row.job, item.row.chunk, &of);
    }
}

#[derive(Clone, Debug, FromRow)]
struct AnswerRow {
    job: JobNumber,
    chunk: i64,
    worker: WorkerId,
    kept: bool,
    digest: Option<Vec<u8>>,
    owner: Option<i32>,
}

/// All that the worker has delivered of the chunk.
fn all_values(item: &Item<'_>, earlier: &Earlier) -> BTreeMap<i64, String> {
    let own = earlier
        .kept
        .iter()
        .filter(|kept| kept.worker == item.worker().0);
    let mut values: BTreeMap<i64, String> =
        own.map(|kept| (kept.key, kept.value.clone())).collect();
    let set_by = earlier
        .set_by
        .iter()
        .filter(|(worker, _, _)| *worker == item.worker());
    values.extend(set_by.map(|(_, key, value)| (*key, value.clone())));
    for (key, value) in &item.values {
        values.entry(*key).or_insert_with(|| (*value).to_owned());
    }
    values
}

/// Sets results by that are not kept, until the worker has delivered the whole chunk.
async fn set_by(
    transaction: &mut Transaction<'_, Postgres>,
    item: &Item<'_>,
    kept: &[Kept],
) -> Result<(), WorkError> {
    let own = kept.iter().filter(|kept| kept.worker == item.worker().0);
    let own: BTreeSet<i64> = own.map(|kept| kept.key).collect();
    let by = item.values.iter().filter(|(key, _)| !own.contains(key));
    let (keys, values): (Vec<i64>, Vec<&str>) = by.map(|(key, value)| (*key, *value)).unzip();
    if keys.is_empty() {
        return Ok(());
    }
    sqlx::query(
        "insert into lab.seconds (job, chunk, worker, key, value)
            select $1, $2, $3, k, v from unnest($4::bigint[], $5::text[]) g (k, v)
            on conflict do nothing",
    )
    .bind(item.row.job)
    .bind(item.row.chunk)
    .bind(item.worker())
    .bind(keys)
    .bind(values)
    .execute(&mut **transaction)
    .await?;
    Ok(())
}

/// Whether a worker that was seen lately has not answered.
async fn has_others(
    transaction: &mut Transaction<'_, Postgres>,
    answers: &[Answer],
) -> Result<bool, WorkError> {
    let known: Vec<i32> = answers.iter().map(|answer| answer.worker.0).collect();
    Ok(sqlx::query_scalar(
        "select exists (select from lab.workers where id <> all ($1) and quarantined_at is null
            and revoked_at is null and seen_at > clock_timestamp() - interval '10 minutes')",
    )
    .bind(known)
    .fetch_one(&mut **transaction)
    .await?)
}

/// Puts results in the place of others, under new numbers.
async fn replace(
    transaction: &mut Transaction<'_, Postgres>,
    item: &Item<'_>,
    old: &[&Kept],
    values: &BTreeMap<i64, String>,
) -> Result<(), WorkError> {
    let keys: Vec<i64> = old.iter().map(|kept| kept.key).collect();
    let none = String::new();
    let texts: Vec<&str> = keys
        .iter()
        .map(|key| &**values.get(key).unwrap_or(&none))
        .collect();
    sqlx::query("select lab.replace_results($1, $2, $3, $4)")
        .bind(item.row.job)
        .bind(item.worker())
        .bind(keys)
        .bind(texts)
        .execute(&mut **transaction)
        .await?;
    Ok(())
}

/// Forgets what this worker, or all, delivered of a part of the chunk.
async fn forget_partial(
    transaction: &mut Transaction<'_, Postgres>,
    item: &Item<'_>,
    of_all: bool,
) -> Result<(), WorkError> {
    sqlx::query("select lab.forget_partial($1, $2, $3)")
        .bind(item.row.job)
        .bind(item.row.chunk)
        .bind((!of_all).then_some(item.worker()))
        .execute(&mut **transaction)
        .await?;
    Ok(())
}
