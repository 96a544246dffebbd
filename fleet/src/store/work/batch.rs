//! Requests that come at the same time become one transaction, so that few connections carry many
//! workers.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use tokio::sync::{Semaphore, mpsc, oneshot};
use tokio::time::timeout;

use crate::store::IN_BACKGROUND;

/// How long the first request of a batch waits for others.
const COLLECT: Duration = Duration::from_millis(2);
/// Number of requests in a batch.
pub(super) const MOST: usize = 64;
/// Number of requests that wait to be in a batch; more wait to wait.
const WAITING: usize = 4096;

/// Collects requests and answers them in batches.
#[derive(Debug)]
pub(super) struct Batcher<I, O> {
    sender: mpsc::Sender<(I, oneshot::Sender<O>)>,
}

impl<I, O> Clone for Batcher<I, O> {
    fn clone(&self) -> Self {
        Self {
            sender: self.sender.clone(),
        }
    }
}

impl<I: Send + 'static, O: Send + 'static> Batcher<I, O> {
    /// Starts a task that ends with the last clone; at most `parallel` batches are answered at the
    /// same time. `answer` returns an answer to each request, in their order.
    pub(super) fn start<F, A>(parallel: usize, answer: F) -> Self
    where
        F: Fn(Vec<I>) -> A + Send + Sync + 'static,
        A: Future<Output = Vec<O>> + Send,
    {
        let (sender, mut receiver) = mpsc::channel::<(I, oneshot::Sender<O>)>(WAITING);
        let answer = Arc::new(answer);
        let free = Arc::new(Semaphore::new(parallel));
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
                let end = tokio::time::sleep(COLLECT);
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
                    let answers = timeout(IN_BACKGROUND, answer(requests)).await;
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

    /// The answer to a request; `None` if the runtime is being shut down.
    pub(super) async fn ask(&self, request: I) -> Option<O> {
        let (sender, receiver) = oneshot::channel();
        self.sender.send((request, sender)).await.ok()?;
        receiver.await.ok()
    }
}
