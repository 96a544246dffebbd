//! Synchronisation between the input thread and the worker thread for one job.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Condvar, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use engine::search::SearchSignals;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum JobEnd {
    Itself,
    /// It may run until `stop`, but answers as soon as it is done: `go` without limits.
    MayNeedStop,
    /// It answers only after `stop`: `go infinite`.
    Stop,
}

/// The progress of a job, in chronological order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum JobPhase {
    Working,
    /// The answer is being printed: a reader of it may already send the next command.
    Answering,
    Done,
}

#[derive(Debug)]
struct ControlState {
    phase: JobPhase,
    /// Whether the answer must wait for `stop` or `ponderhit`.
    held: bool,
}

/// The state of one job, shared by both threads.
#[derive(Debug)]
pub(crate) struct JobControl {
    signals: SearchSignals,
    cancel: AtomicBool,
    end: JobEnd,
    /// Whether the job must end with a `bestmove`.
    owes_move: bool,
    failed: AtomicBool,
    state: Mutex<ControlState>,
    changed: Condvar,
}

impl JobControl {
    /// A search that has not started. While `pondering` it answers only after `ponderhit` or
    /// `stop`.
    pub(crate) fn of_search(end: JobEnd, pondering: bool) -> Self {
        Self::new(end, pondering, true)
    }

    /// Any other job that has not started: perft, bench, resizing the table.
    pub(crate) fn of_chore() -> Self {
        Self::new(JobEnd::Itself, false, false)
    }

    fn new(end: JobEnd, pondering: bool, owes_move: bool) -> Self {
        Self {
            signals: SearchSignals::new(pondering),
            cancel: AtomicBool::new(false),
            end,
            owes_move,
            failed: AtomicBool::new(false),
            state: Mutex::new(ControlState {
                phase: JobPhase::Working,
                held: pondering || end == JobEnd::Stop,
            }),
            changed: Condvar::new(),
        }
    }

    /// Whether the job must end with a `bestmove`.
    pub(crate) fn owes_move(&self) -> bool {
        self.owes_move
    }

    /// Marks the job as failed.
    pub(crate) fn fail(&self) {
        self.failed.store(true, Ordering::Release);
    }

    pub(crate) fn has_failed(&self) -> bool {
        self.failed.load(Ordering::Acquire)
    }

    /// The signals polled by the search.
    pub(crate) fn signals(&self) -> &SearchSignals {
        &self.signals
    }

    /// True once the job is to stop; polled by perft.
    pub(crate) fn cancel(&self) -> &AtomicBool {
        &self.cancel
    }

    /// Whether the job is to stop.
    pub(crate) fn is_stopped(&self) -> bool {
        self.cancel.load(Ordering::Acquire)
    }

    /// Whether the job will end without intervention.
    pub(crate) fn ends_by_itself(&self) -> bool {
        self.end == JobEnd::Itself && !self.signals.is_pondering()
    }

    /// Stops the job and releases its answer.
    pub(crate) fn stop(&self) {
        self.cancel.store(true, Ordering::Release);
        self.signals.stop();
        self.change(|state| state.held = false);
    }

    /// The ponder move was played. Returns false if the job is not pondering.
    pub(crate) fn ponderhit(&self) -> bool {
        let pondering = self.is_working() && self.signals.is_pondering();
        if pondering {
            self.signals.ponderhit();
            // `go ponder infinite` still waits for `stop` after the hit.
            self.change(|state| state.held = self.end == JobEnd::Stop && !self.is_stopped());
        }
        pondering
    }

    /// Whether the answer is still pending.
    pub(crate) fn is_working(&self) -> bool {
        self.lock().phase == JobPhase::Working
    }

    /// Whether the answer has been printed.
    pub(crate) fn is_done(&self) -> bool {
        self.lock().phase == JobPhase::Done
    }

    /// Waits until the answer may be printed.
    pub(crate) fn wait_until_free(&self) {
        let state = self.lock();
        drop(
            self.changed
                .wait_while(state, |state| state.held)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    /// Marks the job as done, with its answer about to be printed.
    pub(crate) fn begin_to_answer(&self) {
        self.change(|state| state.phase = JobPhase::Answering);
    }

    /// Marks the answer as printed.
    pub(crate) fn finish(&self) {
        self.change(|state| state.phase = JobPhase::Done);
    }

    /// Waits until the answer is printed.
    pub(crate) fn wait(&self) {
        let state = self.lock();
        drop(
            self.changed
                .wait_while(state, |state| state.phase != JobPhase::Done)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    /// As [`JobControl::wait`], but at most for `timeout`.
    pub(crate) fn wait_at_most(&self, timeout: Duration) {
        let state = self.lock();
        drop(
            self.changed
                .wait_timeout_while(state, timeout, |state| state.phase != JobPhase::Done)
                .unwrap_or_else(PoisonError::into_inner),
        );
    }

    fn change(&self, change: impl FnOnce(&mut ControlState)) {
        change(&mut self.lock());
        self.changed.notify_all();
    }

    fn lock(&self) -> MutexGuard<'_, ControlState> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
