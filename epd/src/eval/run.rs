//! Concurrent queries: workers send answers down one channel to one loop.

use std::sync::atomic::{AtomicUsize, Ordering};

use chess::rules::Position;
use kit::Progress;

use super::ask::{Evaluator, Failure, Start, Way};
use super::score::Evaluation;

/// The evaluation of a position; `None` if it was not queried because the run was cancelled.
pub(crate) type Answer = Option<Result<Evaluation, Failure>>;

/// Distributes positions to `jobs` processes of an engine. The answers are in the order of the
/// positions, whatever the number of processes.
pub(crate) fn evaluate_all(
    start: &Start,
    way: &Way,
    positions: &[Position],
    jobs: usize,
    progress: &Progress,
) -> Vec<Answer> {
    let mut answers = vec![None; positions.len()];
    let next = AtomicUsize::new(0);
    let (events, inbox) = crossbeam_channel::unbounded();
    std::thread::scope(|scope| {
        for _ in 0..jobs.min(positions.len()) {
            let (events, next) = (events.clone(), &next);
            scope.spawn(move || {
                let mut evaluator = Evaluator::new(start, way);
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    let Some(position) = positions.get(index) else {
                        break;
                    };
                    let Some(answer) = evaluator.evaluate(position) else {
                        break;
                    };
                    let sent = events.send((index, answer));
                    sent.expect("the loop listens until the last worker has gone");
                }
            });
        }
        drop(events);
        for (index, answer) in inbox {
            answers[index] = Some(answer);
            progress.advance(1);
        }
    });
    answers
}
