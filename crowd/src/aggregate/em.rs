//! Expectation-maximisation, as in crowd-kit.

use libm::{exp, log};

use super::confusion::{self, Confusion, Prior, Said};
use super::majority::majority;
use super::rows::Rows;
use super::votes::Votes;
use super::{EPSILON, Settings};

/// The model of the workers.
#[derive(Clone, Copy)]
pub(super) enum Model {
    OneCoin,
    /// As in crowd-kit: estimated from the worker's labels alone.
    Full,
    /// With a prior on each worker.
    FullFrom(Prior),
}

/// The result of a fit.
pub(super) struct Fit {
    /// Probability by task and label.
    pub(super) posterior: Rows,
    /// For each worker, the probability that a label is correct.
    pub(super) reliability: Vec<f64>,
    pub(super) iterations: u32,
    /// Whether it converged before the iteration cap.
    pub(super) converged: bool,
}

/// Starts from the vote shares and iterates until the bound stops growing, or to the cap.
pub(super) fn fit(votes: &Votes, model: Model, settings: Settings) -> Fit {
    let said = match model {
        Model::OneCoin | Model::Full => Said::of(votes),
        Model::FullFrom(_) => Said::whole(votes),
    };
    let maximise = |posterior: &Rows| match model {
        Model::OneCoin => confusion::one_coin(votes, &said, posterior),
        Model::Full => confusion::full(votes, &said, posterior, Prior::default()),
        Model::FullFrom(prior) => confusion::full(votes, &said, posterior, prior),
    };
    let mut posterior = majority(votes);
    let mut confusion = maximise(&posterior);
    let mut bound = f64::NEG_INFINITY;
    let mut iterations = 0;
    let mut converged = votes.given.is_empty();
    while !converged && iterations < settings.iterations {
        let logs = Logs::of(&confusion, &posterior);
        posterior = expect(votes, &said, &logs);
        confusion = maximise(&posterior);
        let next = lower_bound(votes, &said, &posterior, &Logs::of(&confusion, &posterior));
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

/// The logarithms of the model's parameters.
struct Logs {
    errors: Rows,
    priors: Vec<f64>,
}

impl Logs {
    fn of(confusion: &Confusion, posterior: &Rows) -> Self {
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
fn expect(votes: &Votes, said: &Said, logs: &Logs) -> Rows {
    let mut posterior = Rows::zeros(votes.tasks, votes.labels);
    for (given, &row) in votes.given.iter().zip(&said.row_of) {
        super::rows::add(posterior.row_mut(given.task), logs.errors.row(row));
    }
    for row in posterior.iter_mut() {
        super::rows::add(row, &logs.priors);
        normalise(row);
    }
    votes.clamp(&mut posterior);
    posterior
}

/// Converts logarithms, known up to a constant, to probabilities.
fn normalise(row: &mut [f64]) {
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
fn lower_bound(votes: &Votes, said: &Said, posterior: &Rows, logs: &Logs) -> f64 {
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
