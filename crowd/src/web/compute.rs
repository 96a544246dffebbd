//! Computations that keep a thread busy for a moment, beside the threads that serve requests.

use std::time::Duration;

use tokio::sync::Semaphore;
use tokio::task::spawn_blocking;
use tokio::time::timeout;
use web::problem::{BUSY, Problem};

/// Two run at a time, so that the rest of the site stays quick.
static ROOM: Semaphore = Semaphore::const_new(2);
/// How long one waits for its turn.
const PATIENCE: Duration = Duration::from_secs(5);

/// Computes something for an answer.
///
/// # Errors
/// Too many wait for their turn, or the computation panicked.
pub(super) async fn compute<T: Send + 'static>(
    work: impl FnOnce() -> T + Send + 'static,
) -> Result<T, Problem> {
    let Ok(permit) = timeout(PATIENCE, ROOM.acquire()).await else {
        let detail = "too much is being computed; try again";
        return Err(Problem::new(BUSY, detail).retry_after(PATIENCE.as_secs()));
    };
    let permit = permit.expect("the semaphore is never closed");
    let computing = spawn_blocking(move || {
        // It goes on when its client has gone, and keeps its place until it ends.
        let _permit = permit;
        work()
    });
    computing.await.map_err(|error| Problem::internal(&error))
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Receiver, channel};

    use super::*;

    #[tokio::test]
    async fn what_is_computed_for_a_client_that_has_gone_keeps_its_place() {
        let (begun, is_begun) = channel();
        let (end, may_end) = channel::<()>();
        let may_end: Receiver<()> = may_end;
        let first = tokio::spawn(compute(move || {
            begun.send(()).expect("the test waits");
            may_end.recv().expect("the test ends it");
        }));
        spawn_blocking(move || is_begun.recv())
            .await
            .expect("no panic")
            .expect("it begins");
        first.abort();
        assert!(first.await.is_err_and(|error| error.is_cancelled()));
        assert_eq!(ROOM.available_permits(), 1);
        end.send(()).expect("it waits");
        let all = timeout(PATIENCE, ROOM.acquire_many(2)).await;
        all.expect("it has ended").expect("never closed").forget();
        ROOM.add_permits(2);
    }
}
