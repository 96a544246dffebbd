use super::rows::Rows;
use crate::labels::Given;

/// Input of the models: indices instead of names. Every task has a label.
pub(super) struct Votes<'a> {
    pub(super) tasks: usize,
    pub(super) workers: usize,
    /// Number of distinct labels.
    pub(super) labels: usize,
    pub(super) given: &'a [Given],
    /// The known answer of each task, if any.
    pub(super) gold: &'a [Option<usize>],
}

impl Votes<'_> {
    /// Sets the tasks with known answers to certainty.
    pub(super) fn clamp(&self, posterior: &mut Rows) {
        for (task, gold) in self.gold.iter().enumerate() {
            if let Some(label) = *gold {
                let row = posterior.row_mut(task);
                row.fill(0.0);
                row[label] = 1.0;
            }
        }
    }

    /// For each worker, the mean probability of the labels given.
    pub(super) fn skills(&self, posterior: &Rows) -> Vec<f64> {
        let mut skills = vec![0.0; self.workers];
        let mut counts = vec![0.0; self.workers];
        for given in self.given {
            skills[given.worker] += posterior.row(given.task)[given.label];
            counts[given.worker] += 1.0;
        }
        for (skill, count) in skills.iter_mut().zip(counts) {
            *skill /= count;
        }
        skills
    }
}
