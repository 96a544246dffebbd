//! Group commit: what comes while one transaction runs is written together by the next.
//!
//! A transaction of `SQLite` costs five journeys to the thread of its connection, whatever it writes.
//! One at a time, a thousand people who arrive together wait for each other; in groups, they do not.

use std::future::Future;

use sea_orm::{DbErr, RuntimeErr};
use tokio::sync::{mpsc, oneshot};

use super::{Result, StoreError};

/// Maximum number of jobs in a group.
const MOST: usize = 64;

/// Maximum number of waiting jobs; others wait until there is room.
const WAITING: usize = 4096;

type Asked<J, T> = (J, oneshot::Sender<Result<T>>);

/// Hands jobs to the task that does them in groups; the task ends with the last clone.
#[derive(Debug)]
pub(super) struct Group<J, T>(mpsc::Sender<Asked<J, T>>);

impl<J, T> Clone for Group<J, T> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<J: Send + 'static, T: Send + 'static> Group<J, T> {
    /// `work` does a group of jobs, at least one, and returns a result for each.
    pub(super) fn start<F>(work: impl Fn(Vec<J>) -> F + Send + 'static) -> Self
    where
        F: Future<Output = Vec<Result<T>>> + Send,
    {
        let (sender, mut asked) = mpsc::channel::<Asked<J, T>>(WAITING);
        tokio::spawn(async move {
            let mut group = Vec::with_capacity(MOST);
            while asked.recv_many(&mut group, MOST).await > 0 {
                let (jobs, waiting): (Vec<J>, Vec<_>) = group.drain(..).unzip();
                for (waiting, done) in waiting.into_iter().zip(work(jobs).await) {
                    // A request that was cancelled needs no result.
                    let _ = waiting.send(done);
                }
            }
        });
        Self(sender)
    }

    /// Has a job done with others; it is done even if the caller stops waiting.
    pub(super) async fn ask(&self, job: J) -> Result<T> {
        let ended = || {
            let reason = "the task that writes has ended".to_owned();
            StoreError::Query(DbErr::Exec(RuntimeErr::Internal(reason)))
        };
        let (answer, answered) = oneshot::channel();
        self.0.send((job, answer)).await.map_err(|_| ended())?;
        answered.await.map_err(|_| ended())?
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn jobs_that_wait_are_done_together_and_each_gets_its_result() {
        let group = Group::start(async |jobs: Vec<usize>| {
            tokio::task::yield_now().await;
            let size = jobs.len();
            jobs.into_iter().map(|job| Ok((job, size))).collect()
        });
        let mut asked = tokio::task::JoinSet::new();
        for job in 0..100 {
            let group = group.clone();
            asked.spawn(async move { (job, group.ask(job).await) });
        }
        let mut largest = 0;
        while let Some(done) = asked.join_next().await {
            let (job, done) = done.expect("no panic");
            let (same, size) = done.expect("a result");
            assert_eq!(job, same);
            largest = largest.max(size);
        }
        assert_eq!(largest, MOST);
    }

    #[tokio::test]
    async fn jobs_fail_once_the_task_has_ended() {
        let group: Group<(), ()> = Group::start(async |_| panic!("on purpose"));
        for _ in 0..2 {
            let error = group.ask(()).await.expect_err("it has ended");
            assert!(error.to_string().contains("has ended"), "{error}");
        }
    }
}
