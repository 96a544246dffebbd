//! Requests that come at the same time become one transaction of a database: few connections carry many
//! callers, and a thousand who come together do not wait for each other.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::timeout;

/// Number of requests in a batch.
const MOST: usize = 64;
/// Number of requests that wait to be in a batch; more wait to wait.
const WAITING: usize = 4096;

/// Collects requests and answers them in batches.
#[derive(Debug)]
pub struct Batcher<I, O> {
    sender: mpsc::Sender<(I, oneshot::Sender<O>)>,
}

impl<I, O> Clone for Batcher<I, O> {
    fn clone(&self) -> Self {
        Self {
            sender: self.sender.clone(),
        }
    }
}

/// How requests are collected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Collecting {
    /// Number of batches that are answered at the same time, at least 1.
    pub parallel: usize,
    /// How long the first request of a batch waits for others that have not come yet.
    pub wait: Duration,
    /// How long answering a batch may take; then its requests get none.
    pub patience: Duration,
}

impl<I: Send + 'static, O: Send + 'static> Batcher<I, O> {
    /// Starts a task that ends with the last clone. `answer` returns an answer to each request, in their
    /// order.
    pub fn start<F, A>(collecting: Collecting, answer: F) -> Self
    where
        F: Fn(Vec<I>) -> A + Send + Sync + 'static,
        A: Future<Output = Vec<O>> + Send,
    {
        let (sender, mut receiver) = mpsc::channel::<(I, oneshot::Sender<O>)>(WAITING);
        let answer = Arc::new(answer);
        let free = Arc::new(Semaphore::new(collecting.parallel));
        tokio::spawn(async move {
            loop {
                let Ok(permit) = Arc::clone(&free).acquire_owned().await else {
                    return;
                };
                let Some(first) = receiver.recv().await else {
                    return;
                };
                let mut batch = vec![first];
                // Those that came while all permits were taken are there already.
                let end = tokio::time::sleep(collecting.wait);
                tokio::pin!(end);
                while batch.len() < MOST {
                    tokio::select! {
                        biased;
                        next = receiver.recv() => match next {
                            Some(next) => batch.push(next),
                            None => break,
                        },
                        () = &mut end => break,
                    }
                }
                let answer = Arc::clone(&answer);
                tokio::spawn(async move {
                    let (requests, senders): (Vec<_>, Vec<_>) = batch.into_iter().unzip();
                    let answers = timeout(collecting.patience, answer(requests)).await;
                    drop(permit);
                    // Those who asked have left by then.
                    let Ok(answers) = answers else { return };
                    for (sender, answer) in senders.into_iter().zip(answers) {
                        // A caller that is gone needs no answer.
                        let _ = sender.send(answer);
                    }
                });
            }
        });
        Self { sender }
    }

    /// The answer to a request, which is answered even if the caller stops waiting; `None` if answering
    /// took too long, or the runtime is being shut down.
    pub async fn ask(&self, request: I) -> Option<O> {
        let (sender, receiver) = oneshot::channel();
        self.sender.send((request, sender)).await.ok()?;
        receiver.await.ok()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLLECTING: Collecting = Collecting {
        parallel: 1,
        wait: Duration::ZERO,
        patience: Duration::from_mins(1),
    };

    #[tokio::test]
    async fn requests_that_wait_are_answered_together_and_each_gets_its_answer() {
        let batcher = Batcher::start(COLLECTING, async |requests: Vec<usize>| {
            tokio::task::yield_now().await;
            let size = requests.len();
            requests
                .into_iter()
                .map(|request| (request, size))
                .collect()
        });
        let mut asked = tokio::task::JoinSet::new();
        for request in 0..100 {
            let batcher = batcher.clone();
            asked.spawn(async move { (request, batcher.ask(request).await) });
        }
        let mut largest = 0;
        while let Some(answered) = asked.join_next().await {
            let (request, answer) = answered.expect("no panic");
            let (same, size) = answer.expect("an answer");
            assert_eq!(request, same);
            largest = largest.max(size);
        }
        assert_eq!(largest, MOST);
    }

    #[tokio::test]
    async fn a_batch_that_panics_or_takes_too_long_has_no_answers() {
        let panics: Batcher<(), ()> = Batcher::start(COLLECTING, async |_| panic!("on purpose"));
        assert_eq!(panics.ask(()).await, None);
        let patience = Duration::ZERO;
        let late = Collecting {
            patience,
            ..COLLECTING
        };
        let late: Batcher<(), ()> = Batcher::start(late, async |_| std::future::pending().await);
        for _ in 0..2 {
            assert_eq!(late.ask(()).await, None);
        }
    }
}
