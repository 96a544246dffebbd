//! Expectation-maximisation, as in crowd-kit: majority vote, confusion matrices (the probability of each answer given
//! the truth), the E step and the M step.

use libm::{exp, log};

use crate::labels::Given;

/// Stopping criteria of expectation-maximisation. The defaults are those of crowd-kit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct EmSettings {
    /// Maximum number of iterations; 0 gives the vote shares.
    pub iterations: u32,
    /// Stop when the bound per label grows by less than this.
    pub tolerance: f64,
}

impl Default for EmSettings {
    fn default() -> Self {
        Self {
            iterations: 100,
            tolerance: 1e-5,
        }
    }
}

/// Floor of probabilities before their logarithm is taken, as in crowd-kit.
const EPSILON: f64 = 1e-10;

#[derive(Clone, Copy)]
pub(super) enum EmModel {
    OneCoin,
    /// As in crowd-kit: estimated from the worker's labels alone.
    Full,
    /// With a prior on each worker.
    FullFrom(Prior),
}

pub(super) struct Fit {
    /// Probability by task and label.
    pub(super) posterior: RowMatrix,
    /// For each worker, the probability that a label is correct.
    pub(super) reliability: Vec<f64>,
    pub(super) iterations: u32,
    /// Whether it converged before the iteration cap.
    pub(super) converged: bool,
}

/// Starts from the vote shares and iterates until the bound stops growing, or to the cap.
pub(super) fn fit(votes: &Votes, model: EmModel, settings: EmSettings) -> Fit {
    let said = match model {
        EmModel::OneCoin | EmModel::Full => Said::from_votes(votes),
        // A prior gives weight to labels that a worker has never given, so these need a row, too.
        EmModel::FullFrom(_) => Said::whole(votes),
    };
    let maximise = |posterior: &RowMatrix| match model {
        EmModel::OneCoin => one_coin(votes, &said, posterior),
        EmModel::Full => full(votes, &said, posterior, Prior::default()),
        EmModel::FullFrom(prior) => full(votes, &said, posterior, prior),
    };
    // Equation 3.1 of Dawid and Skene (1979), and crowd-kit's start: the shares of votes.
    let mut posterior = majority(votes);
    let mut confusion = maximise(&posterior);
    let mut bound = f64::NEG_INFINITY;
    let mut iterations = 0;
    // Without labels the bound per label would be 0 / 0, and NaN never counts as converged.
    let mut converged = votes.given.is_empty();
    while !converged && iterations < settings.iterations {
        let logs = Logs::new(&confusion, &posterior);
        // The E step is equation 2.5 of Dawid and Skene (1979), the M step 2.3 and 2.4.
        posterior = expect(votes, &said, &logs);
        confusion = maximise(&posterior);
        // The bound is taken after the M step, as in crowd-kit; elsewhere the last iteration would
        // differ.
        let next = lower_bound(votes, &said, &posterior, &Logs::new(&confusion, &posterior));
        iterations += 1;
        converged = next - bound < settings.tolerance;
        bound = next;
    }
    Fit {
        posterior,
        reliability: confusion.reliability,
        iterations,
        converged,
    }
}

struct Logs {
    errors: RowMatrix,
    priors: Vec<f64>,
}

impl Logs {
    fn new(confusion: &Confusion, posterior: &RowMatrix) -> Self {
        let mut logs = confusion.probabilities.clone();
        for row in logs.iter_mut() {
            for number in row {
                *number = log(*number);
            }
        }
        let priors = posterior.mean().into_iter();
        Self {
            errors: logs,
            priors: priors.map(|prior| log(prior.max(EPSILON))).collect(),
        }
    }
}

/// The E step: the probability of each label of each task, given priors and workers.
fn expect(votes: &Votes, said: &Said, logs: &Logs) -> RowMatrix {
    let mut posterior = RowMatrix::zeros(votes.tasks, votes.labels);
    for (given, &row) in votes.given.iter().zip(&said.row_of) {
        add(posterior.row_mut(given.task), logs.errors.row(row));
    }
    for row in posterior.iter_mut() {
        add(row, &logs.priors);
        normalise(row);
    }
    votes.clamp(&mut posterior);
    posterior
}

/// Converts logarithms, known up to a constant, to probabilities.
pub(super) fn normalise(row: &mut [f64]) {
    // Products of many labels underflow; with the greatest logarithm at 0, the sum is at least 1.
    let greatest = row.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    for number in row.iter_mut() {
        *number = exp(*number - greatest);
    }
    let sum: f64 = row.iter().sum();
    for number in row {
        *number /= sum;
    }
}

/// crowd-kit's evidence lower bound, per label. It counts the prior once per label, not per task;
/// it is used for the stopping criterion only.
fn lower_bound(votes: &Votes, said: &Said, posterior: &RowMatrix, logs: &Logs) -> f64 {
    let mut joint = 0.0;
    for (given, &row) in votes.given.iter().zip(&said.row_of) {
        let terms = logs.errors.row(row).iter().zip(&logs.priors);
        for (probability, (error, prior)) in posterior.row(given.task).iter().zip(terms) {
            joint += probability * (error + prior);
        }
    }
    let mut entropy = 0.0;
    for probability in posterior.cells() {
        let probability = probability.max(EPSILON);
        entropy -= probability * log(probability);
    }
    #[expect(clippy::cast_precision_loss, reason = "far fewer labels than 2^53")]
    let labels = votes.given.len() as f64;
    (joint + entropy) / labels
}

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
    pub(super) fn from_votes(votes: &Votes) -> Self {
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
    pub(super) right: f64,
    /// Pseudo-count of each incorrect label.
    pub(super) wrong: f64,
}

/// Probabilities by row (see [`Said`]) and true label, and the reliability of workers.
pub(super) struct Confusion {
    pub(super) probabilities: RowMatrix,
    /// For each worker, the probability that a label is correct.
    pub(super) reliability: Vec<f64>,
}

/// Labels with evidence of less than half a task are left out of a worker's reliability.
const LEAST_EVIDENCE: f64 = 0.5;

/// The full model: a probability for each given label and each true label, per worker.
pub(super) fn full(votes: &Votes, said: &Said, posterior: &RowMatrix, prior: Prior) -> Confusion {
    let mut counts = RowMatrix::zeros(said.rows.len(), votes.labels);
    for (given, &row) in votes.given.iter().zip(&said.row_of) {
        add(counts.row_mut(row), posterior.row(given.task));
    }
    // The prior must not count as evidence: with it, every label would seem to have been met.
    let evidence = sums_by_worker(votes, said, &counts);
    for (row, &(_, label)) in counts.iter_mut().zip(&said.rows) {
        for (is, count) in row.iter_mut().enumerate() {
            let before = if is == label {
                prior.right
            } else {
                prior.wrong
            };
            // crowd-kit clips counts and not probabilities, so the floor comes before the division.
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
        // With three labels, one task can be spread so thinly that no label reaches the least
        // evidence.
        .map(|(mean, skill)| mean.unwrap_or(skill))
        .collect();
    Confusion {
        probabilities: counts,
        reliability,
    }
}

fn sums_by_worker(votes: &Votes, said: &Said, counts: &RowMatrix) -> RowMatrix {
    let mut sums = RowMatrix::zeros(votes.workers, votes.labels);
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
    probabilities: &RowMatrix,
    evidence: &RowMatrix,
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
pub(super) fn one_coin(votes: &Votes, said: &Said, posterior: &RowMatrix) -> Confusion {
    let skills = votes.skills(posterior);
    let mut probabilities = RowMatrix::zeros(said.rows.len(), votes.labels);
    // Nothing can be wrong if there is only one label; this avoids a division by 0.
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

/// The vote share of each label of a task; known answers have probability 1.
pub(super) fn majority(votes: &Votes) -> RowMatrix {
    let mut shares = RowMatrix::zeros(votes.tasks, votes.labels);
    for given in votes.given {
        shares.row_mut(given.task)[given.label] += 1.0;
    }
    for row in shares.iter_mut() {
        let sum: f64 = row.iter().sum();
        for share in row {
            *share /= sum;
        }
    }
    votes.clamp(&mut shares);
    shares
}

/// A matrix of numbers, stored row by row.
#[derive(Clone, Debug, PartialEq)]
pub struct RowMatrix {
    width: usize,
    cells: Vec<f64>,
}

impl RowMatrix {
    pub(super) fn zeros(height: usize, width: usize) -> Self {
        Self {
            width,
            cells: vec![0.0; height * width],
        }
    }

    /// One row.
    pub fn row(&self, index: usize) -> &[f64] {
        &self.cells[index * self.width..(index + 1) * self.width]
    }

    pub(super) fn row_mut(&mut self, index: usize) -> &mut [f64] {
        &mut self.cells[index * self.width..(index + 1) * self.width]
    }

    /// The rows in order; none if their width is 0.
    pub fn iter(&self) -> impl Iterator<Item = &[f64]> {
        self.cells.chunks_exact(self.width.max(1))
    }

    pub(super) fn iter_mut(&mut self) -> impl Iterator<Item = &mut [f64]> {
        self.cells.chunks_exact_mut(self.width.max(1))
    }

    pub(super) fn cells(&self) -> &[f64] {
        &self.cells
    }

    pub(super) fn mean(&self) -> Vec<f64> {
        let mut sums = vec![0.0; self.width];
        let mut height = 0.0;
        for row in self.iter() {
            add(&mut sums, row);
            height += 1.0;
        }
        for sum in &mut sums {
            *sum /= height;
        }
        sums
    }
}

/// Adds a row to another of the same width.
pub(super) fn add(sums: &mut [f64], row: &[f64]) {
    for (sum, number) in sums.iter_mut().zip(row) {
        *sum += number;
    }
}

/// Input of the models: indices instead of names. Every task has a label.
pub(super) struct Votes<'a> {
    pub(super) tasks: usize,
    pub(super) workers: usize,
    pub(super) labels: usize,
    pub(super) given: &'a [Given],
    /// The known answer of each task, if any.
    pub(super) gold: &'a [Option<usize>],
}

impl Votes<'_> {
    /// Sets the tasks with known answers to certainty.
    pub(super) fn clamp(&self, posterior: &mut RowMatrix) {
        for (task, gold) in self.gold.iter().enumerate() {
            if let Some(label) = *gold {
                let row = posterior.row_mut(task);
                row.fill(0.0);
                row[label] = 1.0;
            }
        }
    }

    /// For each worker, the mean probability of the labels given.
    pub(super) fn skills(&self, posterior: &RowMatrix) -> Vec<f64> {
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
