//! What workers say given what is true: the step of maximisation.

use super::EPSILON;
use super::rows::{Rows, add};
use super::votes::Votes;

/// Which labels of a worker have a row.
pub(super) struct Said {
    /// By place among the given labels, the row.
    pub(super) row_of: Vec<usize>,
    /// By row, worker and label.
    rows: Vec<(usize, usize)>,
}

impl Said {
    /// Each label of each worker, given or not: a prior is about all of them.
    pub(super) fn whole(votes: &Votes) -> Self {
        let labels = votes.labels;
        let rows = (0..votes.workers).flat_map(|worker| (0..labels).map(move |l| (worker, l)));
        let row_of = votes.given.iter().map(|g| g.worker * labels + g.label);
        Self {
            row_of: row_of.collect(),
            rows: rows.collect(),
        }
    }

    /// Only those that were ever given by him.
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

/// Labels that a worker is thought to have given before his first one, for each label that can be true.
#[derive(Clone, Copy, Default)]
pub(super) struct Prior {
    /// How many of them were right.
    pub(super) right: f64,
    /// How many of them were each of the other labels.
    pub(super) wrong: f64,
}

/// By what is said (a row of [`Said`]) and what is true, the probability; and how good workers are.
pub(super) struct Confusion {
    pub(super) probabilities: Rows,
    /// Of each worker, how probably a label of his is right.
    pub(super) reliability: Vec<f64>,
}

/// A label with less than half a task for it tells nothing of how well a worker knows it.
const LEAST_EVIDENCE: f64 = 0.5;

/// The full model: a share for each label that a worker says and each that is true.
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

/// Of each worker, the mean probability to name a label that is true, over the labels of which there is evidence.
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

/// The one-coin model: a worker is right with one probability, and any other label is as likely as any other.
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
