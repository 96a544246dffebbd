use std::collections::HashMap;

use super::Names;

/// A worker said of a task that a label is right; each as its number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Given {
    /// Which task.
    pub task: usize,
    /// Which worker.
    pub worker: usize,
    /// Which label.
    pub label: usize,
}

/// Two labels by one worker for one task.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("worker '{worker}' labelled task '{task}' '{first}' before, and now '{second}'")]
pub struct ConflictError {
    /// The task.
    pub task: String,
    /// The worker.
    pub worker: String,
    /// The label that stands.
    pub first: String,
    /// The label that is refused.
    pub second: String,
}

/// What workers said of tasks: at most one label by each worker for each task.
#[derive(Clone, Debug, Default)]
pub struct Labels {
    tasks: Names,
    workers: Names,
    names: Names,
    given: Vec<Given>,
    /// By task and worker, the label.
    seen: HashMap<(usize, usize), usize>,
}

impl Labels {
    /// Adds a label; the same once more is harmless and counts once.
    ///
    /// # Errors
    ///
    /// When the worker gave the task another label before, which then stands.
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

    /// Names a label that nobody need have given.
    pub fn allow(&mut self, label: &str) -> usize {
        self.names.intern(label)
    }

    /// The tasks, in order of first sight.
    pub fn tasks(&self) -> &Names {
        &self.tasks
    }

    /// The workers, in order of first sight.
    pub fn workers(&self) -> &Names {
        &self.workers
    }

    /// What tasks are labelled with, in order of first sight.
    pub fn names(&self) -> &Names {
        &self.names
    }

    /// Every label that was given, in the order in which it was.
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
