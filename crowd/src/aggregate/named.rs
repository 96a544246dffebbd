//! Aggregation of labels with names.

use std::collections::BTreeMap;

use super::em::{EmModel, EmSettings, Fit, RowMatrix, Votes, fit, majority};
use crate::labels::Labels;

/// The result of an aggregation.
#[derive(Clone, Debug)]
pub struct Aggregated {
    /// The labels given, and those that occur only in gold.
    pub labels: Labels,
    /// The probability of each label of each task, by their indices in `labels`.
    pub probability: RowMatrix,
    /// For each worker, by index in `labels`, the probability that a label is correct: the mean over possible truths in
    /// the full model, otherwise over the labels given.
    pub reliability: Vec<f64>,
    /// Number of tasks with a known answer.
    pub gold: usize,
    /// Number of iterations; 0 for vote shares.
    pub iterations: u32,
    /// Whether it converged before the iteration cap.
    pub converged: bool,
}

/// The tables would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{tasks} tasks, {labels} different labels and {given} labels given need a table of more than {MOST_CELLS} numbers"
)]
pub struct TooLargeError {
    /// Number of tasks.
    pub tasks: usize,
    /// Number of distinct labels.
    pub labels: usize,
    /// Number of labels given.
    pub given: usize,
}

/// Maximum number of table cells: 400 MB.
const MOST_CELLS: usize = 50_000_000;

/// Aggregates labels to probabilities. `gold` has the known answers: their probabilities stay 0 and
/// 1, and workers are measured by them. Gold for tasks without labels is ignored.
///
/// # Errors
///
/// When there are too many different labels for the number of tasks or workers.
pub fn aggregate(
    mut labels: Labels,
    method: Method,
    gold: &BTreeMap<String, String>,
    settings: EmSettings,
) -> Result<Aggregated, TooLargeError> {
    let gold = clamped(&mut labels, gold);
    let (tasks, kinds) = (labels.tasks().len(), labels.names().len());
    let given = labels.given();
    // Confusion matrices have a row per pair of worker and label, of which `given` is an upper
    // bound.
    let height = tasks.max(given.len()).max(labels.workers().len());
    if height.saturating_mul(kinds) > MOST_CELLS {
        return Err(TooLargeError {
            tasks,
            labels: kinds,
            given: given.len(),
        });
    }
    let votes = Votes {
        tasks,
        workers: labels.workers().len(),
        labels: kinds,
        given,
        gold: &gold,
    };
    let fit = match method {
        Method::Majority => {
            let posterior = majority(&votes);
            Fit {
                reliability: votes.skills(&posterior),
                posterior,
                iterations: 0,
                converged: true,
            }
        }
        Method::OneCoin => fit(&votes, EmModel::OneCoin, settings),
        Method::DawidSkene => fit(&votes, EmModel::Full, settings),
    };
    Ok(Aggregated {
        reliability: fit.reliability,
        probability: fit.posterior,
        gold: gold.iter().flatten().count(),
        iterations: fit.iterations,
        converged: fit.converged,
        labels,
    })
}

/// The known answer of each task, as an index.
fn clamped(labels: &mut Labels, gold: &BTreeMap<String, String>) -> Vec<Option<usize>> {
    let mut clamped = vec![None; labels.tasks().len()];
    for (task, label) in gold {
        if let Some(task) = labels.tasks().find(task) {
            // A label that nobody gave may still be the true one, so that it needs a column.
            clamped[task] = Some(labels.allow(label));
        }
    }
    clamped
}

/// How labels are aggregated to probabilities.
#[derive(Clone, Copy, Debug, PartialEq, Eq, clap::ValueEnum)]
pub enum Method {
    /// Vote shares.
    Majority,
    /// One probability of being correct per worker; all wrong labels are equally likely.
    OneCoin,
    /// Dawid and Skene's model: a confusion matrix per worker.
    DawidSkene,
}
