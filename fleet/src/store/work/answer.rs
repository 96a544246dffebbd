//! Results come in. Those that come at the same time are one transaction, in which results, counters
//! and the ends of leases change together.

use std::collections::{BTreeSet, HashMap};

use super::delivery::{Batch, Delivered};
use super::error::WorkError;
use super::purge::set_quarantined;
use super::state::{WorkState, lock};
use crate::model::{JobNumber, WorkerId};

/// What came of a batch.
pub(super) struct BatchOutcome {
    pub(super) answers: Vec<Result<(), WorkError>>,
    /// Workers that were quarantined: their results are to be discarded.
    pub(super) quarantined: bool,
}

/// Records results. A failure of one does not concern the others.
pub(super) async fn answer(state: &WorkState, delivered: Vec<Delivered>) -> BatchOutcome {
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
    BatchOutcome {
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
async fn together(state: &WorkState, group: &[&Delivered]) -> Result<Vec<Done>, WorkError> {
    let workers: BTreeSet<i32> = group.iter().map(|one| one.worker.id.0).collect();
    let jobs: BTreeSet<JobNumber> = group.iter().map(|one| one.lease.job).collect();
    let jobs: Vec<JobNumber> = jobs.into_iter().collect();
    let heads = state.heads(&jobs).await?;
    let mut transaction = state.database.pool.begin().await?;
    let mut batch = Batch::new(state, heads);
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
            (Some(reason), _) => Err(one.quarantined(reason)),
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
async fn close_jobs(state: &WorkState, jobs: &[JobNumber]) -> Result<(), WorkError> {
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
