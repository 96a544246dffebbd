//! What becomes of results: kept, compared, checked in secret by another worker.

use std::collections::hash_map::Entry;
use std::collections::{BTreeMap, BTreeSet};

use sqlx::{Postgres, Transaction};

use super::able::workers_of;
use super::delivery::{AnswerRow, Batch, DeliveredItem, KeptResult};
use super::error::WorkError;
use super::tally::state;
use crate::model::{JobNumber, WorkerId};
use crate::policy::verify::{self, AnswerVerdict, ChunkAnswer};

impl Batch<'_> {
    pub(super) async fn take(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        item: &DeliveredItem<'_>,
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

    /// Notes results that were kept.
    fn credit(&mut self, item: &DeliveredItem<'_>, new: i64) {
        self.tally.done(item.row.job, new);
        self.tally.share(item.row.job, item.worker(), new, 0);
    }

    /// No two results of the kind are alike: the chunk is done when each unit has one.
    async fn take_incomparable(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        item: &DeliveredItem<'_>,
    ) -> Result<(), WorkError> {
        let new = self.new_results(item);
        if new > 0 {
            self.credit(item, new);
            self.tally.answer(item.part(), item.worker(), true, None);
        }
        let units = i64::from(item.row.units);
        let mut count = new;
        if count < units {
            let sql =
                "select count(*) from lab.results where job = $1 and key >= $2 and key < $2 + $3";
            count = sqlx::query_scalar(sql)
                .bind(item.row.job)
                .bind(item.row.first)
                .bind(units)
                .fetch_one(&mut **transaction)
                .await?;
        }
        if count >= units {
            self.tally.part(item.part(), state::DONE, None);
            self.end(item);
        }
        Ok(())
    }

    /// Ends the lease of a chunk that its worker has done, and counts the time that it took.
    fn end(&mut self, item: &DeliveredItem<'_>) {
        let lease = &item.one.lease;
        self.tally.end_lease(lease);
        let lasted = self.state.clock_ms().saturating_sub(lease.began_ms);
        let core_ms = i64::try_from(lasted).unwrap_or(i64::MAX);
        let core_ms = core_ms.saturating_mul(item.head.cores.into());
        self.tally.busy(item.worker(), core_ms);
    }

    /// Results of a chunk that nobody has done.
    async fn take_first(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        item: &DeliveredItem<'_>,
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
        let values = earlier.with(item);
        if values.len() < item.units() {
            self.credit(item, new);
            let has_kept = kept.iter().any(|kept| kept.worker == item.worker().0);
            self.tally
                .answer(item.part(), item.worker(), has_kept, None);
            return set_by(transaction, item, kept).await;
        }
        // It has done the whole chunk, others a part at most: what they did does not count.
        let others: Vec<&KeptResult> = (kept.iter())
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
        let by_another = |by: WorkerId| by != item.worker();
        if !others.is_empty() || earlier.set_by.iter().any(|(by, _, _)| by_another(*by)) {
            self.tally.free(item.row.job, item.row.chunk);
        }
        self.first_answer(item, &values, differs);
        Ok(())
    }

    fn differ(&self, item: &DeliveredItem<'_>, key: i64, one: &str, other: &str) -> bool {
        one != other && self.fingerprint(item, key, one) != self.fingerprint(item, key, other)
    }

    /// A chunk is done: whether it is checked is decided now.
    fn first_answer(
        &mut self,
        item: &DeliveredItem<'_>,
        values: &BTreeMap<i64, String>,
        must_check: bool,
    ) {
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
        self.tally.answer(item.part(), worker, true, digest.clone());
        self.tally.part(item.part(), next, digest);
        if checks {
            let owner = item.one.worker.owner;
            self.tally
                .check(item.row.job, item.row.chunk, &[(worker, owner)]);
        }
        self.end(item);
    }

    /// Results of a chunk that was done before.
    async fn take_second(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        item: &DeliveredItem<'_>,
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
        let values = earlier.with(item);
        if values.len() < item.units() {
            return set_by(transaction, item, kept).await;
        }
        self.end(item);
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
        self.tally
            .answer(item.part(), worker, false, Some(digest.clone()));
        let owner = item.one.worker.owner;
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
        item: &DeliveredItem<'_>,
        kept: &[KeptResult],
        values: &BTreeMap<i64, String>,
        answers: &[AnswerRow],
    ) -> Result<(), WorkError> {
        let (part, job) = (item.part(), item.row.job);
        let compared = answers.iter().filter_map(|answer| {
            let digest = answer.digest.clone()?;
            let worker = answer.worker;
            Some(ChunkAnswer { worker, digest })
        });
        let compared: Vec<ChunkAnswer> = compared.collect();
        let agree = compared
            .iter()
            .all(|answer| answer.digest == compared[0].digest);
        // Of the chunks on which two agree, a part goes to a third.
        let takes_third =
            agree && compared.len() == 2 && self.state.draw() < self.state.tuning.third_share;
        let others =
            (!agree || takes_third) && self.has_others(transaction, job, &compared).await?;
        let kept_digest = item.row.digest.clone().unwrap_or_default();
        let AnswerVerdict::Settled { digest, wrong } = verify::decide(&compared, agree || others)
        else {
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
            if takes_third && others {
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
            let all: Vec<&KeptResult> = kept.iter().collect();
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

    /// Whether a worker that is there, and can do the job, has not answered.
    async fn has_others(
        &mut self,
        transaction: &mut Transaction<'_, Postgres>,
        job: JobNumber,
        answers: &[ChunkAnswer],
    ) -> Result<bool, WorkError> {
        let workers = match self.workers.entry(job) {
            Entry::Occupied(known) => known.into_mut(),
            Entry::Vacant(unknown) => {
                unknown.insert(workers_of(&mut **transaction, job, false).await?)
            }
        };
        let has_answered = |worker| answers.iter().any(|answer| answer.worker == worker);
        Ok(workers
            .iter()
            .any(|one| one.is_able && !has_answered(one.id)))
    }

    /// Gives a chunk to a worker that has not answered.
    fn send_again(&mut self, item: &DeliveredItem<'_>, answers: &[AnswerRow]) {
        let known = answers
            .iter()
            .filter(|answer| answer.digest.is_some() || answer.kept);
        let of: Vec<_> = known.map(|answer| (answer.worker, answer.owner)).collect();
        self.tally.check(item.row.job, item.row.chunk, &of);
    }
}

/// Sets results by that are not kept, until the worker has delivered the whole chunk.
async fn set_by(
    transaction: &mut Transaction<'_, Postgres>,
    item: &DeliveredItem<'_>,
    kept: &[KeptResult],
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

/// Puts results in the place of others: those that are the same keep their numbers, so that nobody reads them twice.
async fn replace(
    transaction: &mut Transaction<'_, Postgres>,
    item: &DeliveredItem<'_>,
    old: &[&KeptResult],
    values: &BTreeMap<i64, String>,
) -> Result<(), WorkError> {
    let none = String::new();
    let fresh = |kept: &KeptResult| &**values.get(&kept.key).unwrap_or(&none);
    let (same, other): (Vec<&KeptResult>, Vec<&KeptResult>) =
        (old.iter().copied()).partition(|kept| fresh(kept) == kept.value);
    let same: Vec<i64> = same.iter().map(|kept| kept.key).collect();
    let (keys, texts): (Vec<i64>, Vec<&str>) = other
        .into_iter()
        .map(|kept| (kept.key, fresh(kept)))
        .unzip();
    sqlx::query("update lab.results set worker = $2 where job = $1 and key = any ($3)")
        .bind(item.row.job)
        .bind(item.worker())
        .bind(same)
        .execute(&mut **transaction)
        .await?;
    sqlx::query("delete from lab.results where job = $1 and key = any ($2)")
        .bind(item.row.job)
        .bind(&keys)
        .execute(&mut **transaction)
        .await?;
    let sql = "insert into lab.results (job, key, worker, value)
        select $1, k, $2, v from unnest($3::bigint[], $4::text[]) g (k, v)";
    sqlx::query(sql)
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
    item: &DeliveredItem<'_>,
    of_all: bool,
) -> Result<(), WorkError> {
    let sql = "delete from lab.seconds where job = $1 and chunk = $2 and ($3 or worker = $4)";
    sqlx::query(sql)
        .bind(item.row.job)
        .bind(item.row.chunk)
        .bind(of_all)
        .bind(item.worker())
        .execute(&mut **transaction)
        .await?;
    if of_all {
        let sql = "delete from lab.answers where job = $1 and chunk = $2 and digest is null";
        sqlx::query(sql)
            .bind(item.row.job)
            .bind(item.row.chunk)
            .execute(&mut **transaction)
            .await?;
    }
    Ok(())
}
