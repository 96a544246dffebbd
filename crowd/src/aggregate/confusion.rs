//! Confusion matrices: the probability of each answer given the truth. The M step of
//! expectation-maximisation.

use super::EPSILON;
use super::rows::{Rows, add};
use super::votes::Votes;

/// Assigns a row of the confusion matrices to each (worker, label) pair.
pub(super) struct Said {
    /// The row of each given label, by index.
    pub(super) row_of: Vec<usize>,
    /// Worker and label of each row.
    rows: Vec<(usize, usize)>,
}

impl Said {
    /// A row for every label of every worker, given or not, as a prior needs.
    pub(super) fn whole(votes: &Votes) -> Self {
        let labels = votes.labels;
        let rows = (0..votes.workers).flat_map(|worker| (0..labels).map(move |l| (worker, l)));
        let row_of = votes.given.iter().map(|g| g.worker * labels + g.label);
        Self {
            row_of: row_of.collect(),
            rows: rows.collect(),
        }
    }

    /// Rows only for the labels that a worker has given at least once.
    pub(super) fn of(votes: &Votes) -> Self {
        let key = |place: &usize| {
            let given = votes.given[*place];
            (given.worker, given.label)
        };
        let mut order: Vec<usize> = (0..votes.given.len()).collect();
        order.sort_by_key(key);
        let mut row_of = vec![0; order.len()];
        let mut rows: Vec<(usize, usize)> = Vec::new();
        for place in order {
            if rows.last() != Some(&key(&place)) {
                rows.push(key(&place));
            }
            row_of[place] = rows.len() - 1;
        }
        Self { row_of, rows }
    }
}

/// Pseudo-counts: labels that each worker is assumed to have given beforehand, per true label.
#[derive(Clone, Copy, Default)]
pub(super) struct Prior {
    /// Number of correct ones.
    pub(super) right: f64,
    /// Number of each of the incorrect ones.
    pub(super) wrong: f64,
}

/// Probabilities by row (see [`Said`]) and true label, and the reliability of workers.
pub(super) struct Confusion {
    pub(super) probabilities: Rows,
    /// For each worker, the probability that a label is correct.
    pub(super) reliability: Vec<f64>,
}

/// Labels with evidence of less than half a task are left out of a worker's reliability.
const LEAST_EVIDENCE: f64 = 0.5;

/// The full model: a probability for each given label and each true label, per worker.
pub(super) fn full(votes: &Votes, said: &Said, posterior: &Rows, prior: Prior) -> Confusion {
    let mut counts = Rows::zeros(said.rows.len(), votes.labels);
    for (given, &row) in votes.given.iter().zip(&said.row_of) {
        add(counts.row_mut(row), posterior.row(given.task));
    }
    let evidence = sums_by_worker(votes, said, &counts);
    for (row, &(_, label)) in counts.iter_mut().zip(&said.rows) {
        for (is, count) in row.iter_mut().enumerate() {
            let before = if is == label {
                prior.right
            } else {
                prior.wrong
            };
            *count = count.max(EPSILON) + before;
        }
    }
    let sums = sums_by_worker(votes, said, &counts);
    for (row, &(worker, _)) in counts.iter_mut().zip(&said.rows) {
        for (count, sum) in row.iter_mut().zip(sums.row(worker)) {
            *count /= sum;
        }
    }
    let reliability = mean_of_rows(votes, said, &counts, &evidence)
        .into_iter()
        .zip(votes.skills(posterior))
        .map(|(mean, skill)| mean.unwrap_or(skill))
        .collect();
    Confusion {
        probabilities: counts,
        reliability,
    }
}

fn sums_by_worker(votes: &Votes, said: &Said, counts: &Rows) -> Rows {
    let mut sums = Rows::zeros(votes.workers, votes.labels);
    for (row, &(worker, _)) in counts.iter().zip(&said.rows) {
        add(sums.row_mut(worker), row);
    }
    sums
}

/// The mean of each worker's diagonal of the confusion matrix, over the labels with enough
/// evidence.
fn mean_of_rows(
    votes: &Votes,
    said: &Said,
    probabilities: &Rows,
    evidence: &Rows,
) -> Vec<Option<f64>> {
    let mut right = vec![0.0; votes.workers];
    for (row, &(worker, label)) in probabilities.iter().zip(&said.rows) {
        if evidence.row(worker)[label] >= LEAST_EVIDENCE {
            right[worker] += row[label];
        }
    }
    let known = |worker| {
        let row: &[f64] = evidence.row(worker);
        row.iter().fold(0.0, |known, &tasks| {
            known + f64::from(u8::from(tasks >= LEAST_EVIDENCE))
        })
    };
    right
        .into_iter()
        .enumerate()
        .map(|(worker, right)| {
            let known = known(worker);
            (known > 0.0).then(|| right / known)
        })
        .collect()
}

/// The one-coin model: each worker has one probability of being correct; all wrong labels are
/// equally likely.
pub(super) fn one_coin(votes: &Votes, said: &Said, posterior: &Rows) -> Confusion {
    let skills = votes.skills(posterior);
    let mut probabilities = Rows::zeros(said.rows.len(), votes.labels);
    let others = f64::from(u32::try_from(votes.labels.max(2) - 1).unwrap_or(u32::MAX));
    for (row, &(worker, label)) in probabilities.iter_mut().zip(&said.rows) {
        let skill = skills[worker];
        row.fill(((1.0 - skill) / others).clamp(EPSILON, 1.0 - EPSILON));
        row[label] = skill.clamp(EPSILON, 1.0 - EPSILON);
    }
    Confusion {
        probabilities,
        reliability: skills,
    }
}
