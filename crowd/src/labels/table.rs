use std::collections::HashMap;

use super::Names;

/// A label that a worker gave to a task; all three as indices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// Index of the task.
    pub task: usize,
    /// Index of the worker.
    pub worker: usize,
    /// Index of the label.
    pub label: usize,
}

/// A worker gave a task two different labels.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("worker '{worker}' labelled task '{task}' '{first}' before, and now '{second}'")]
pub struct ConflictError {
    /// The task.
    pub task: String,
    /// The worker.
    pub worker: String,
    /// The label that is kept.
    pub first: String,
    /// The label that is rejected.
    pub second: String,
}

/// Labels given to tasks: at most one per worker and task.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    tasks: Names,
    workers: Names,
    names: Names,
    given: Vec<Given>,
    /// The label by task and worker.
    seen: HashMap<(usize, usize), usize>,
}

impl Labels {
    /// Adds a label; repeating one has no effect.
    ///
    /// # Errors
    ///
    /// When the worker gave the task a different label before, which is kept.
    pub fn push(&mut self, task: &str, worker: &str, label: &str) -> Result<(), ConflictError> {
        let given = Given {
            task: self.tasks.intern(task),
            worker: self.workers.intern(worker),
            label: self.names.intern(label),
        };
        match self.seen.get(&(given.task, given.worker)) {
            None => {
                self.seen.insert((given.task, given.worker), given.label);
                self.given.push(given);
                Ok(())
            }
            Some(&first) if first == given.label => Ok(()),
            Some(&first) => Err(ConflictError {
                task: task.to_owned(),
                worker: worker.to_owned(),
                first: self.names.texts()[first].clone(),
                second: label.to_owned(),
            }),
        }
    }

    /// Adds a label to the choices, whether or not anyone has given it.
    pub fn allow(&mut self, label: &str) -> usize {
        self.names.intern(label)
    }

    /// The tasks, in order of first occurrence.
    pub fn tasks(&self) -> &Names {
        &self.tasks
    }

    /// The workers, in order of first occurrence.
    pub fn workers(&self) -> &Names {
        &self.workers
    }

    /// The distinct labels, in order of first occurrence.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// All labels given, in the order in which they were added.
    pub fn given(&self) -> &[Given] {
        &self.given
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_label_counts_once_and_another_is_refused() {
        let mut labels = Labels::default();
        assert_eq!(labels.push("t", "w", "yes"), Ok(()));
        assert_eq!(labels.push("t", "w", "yes"), Ok(()));
        let error = labels.push("t", "w", "no").expect_err("a conflict");
        assert_eq!(
            error.to_string(),
            "worker 'w' labelled task 't' 'yes' before, and now 'no'"
        );
        assert_eq!(labels.given().len(), 1);
    }
}
