//! How long each of millions of tasks took, in eight bytes each.

use std::time::Duration;

/// The wall-clock times of tasks, by their index.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct TaskTimes {
    /// In nanoseconds, or [`OPEN`].
    nanoseconds: Vec<u64>,
}

/// Not done; as a time, 584 years.
const OPEN: u64 = u64::MAX;

impl TaskTimes {
    /// No task is done.
    pub(crate) fn open(tasks: usize) -> Self {
        Self {
            nanoseconds: vec![OPEN; tasks],
        }
    }

    pub(crate) fn set(&mut self, task: usize, time: Duration) {
        let nanoseconds = u64::try_from(time.as_nanos()).unwrap_or(OPEN);
        // No time may look like the mark of an open task.
        self.nanoseconds[task] = nanoseconds.min(OPEN - 1);
    }

    /// Adds tasks that took no time, up to this number of all tasks.
    pub(crate) fn extend_done(&mut self, tasks: usize) {
        self.nanoseconds.resize(tasks, 0);
    }

    /// The time of a task, `None` until it is done.
    pub(crate) fn get(&self, task: usize) -> Option<Duration> {
        let nanoseconds = self.nanoseconds[task];
        (nanoseconds != OPEN).then(|| Duration::from_nanos(nanoseconds))
    }
}
