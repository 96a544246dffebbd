//! Labels with names, aggregated.

use std::collections::BTreeMap;

use super::em::{Fit, Model, fit};
use super::majority::majority;
use super::rows::Rows;
use super::votes::Votes;
use super::{Method, Settings};
use crate::labels::Labels;

/// What labels come to.
#[derive(Clone, Debug)]
pub struct Aggregated {
    /// The labels, and those that only gold has.
    pub labels: Labels,
    /// By task and label, both as numbered in `labels`, the probability that the label is right.
    pub probability: Rows,
    /// What is known of each worker, as numbered in `labels`.
    pub workers: Vec<WorkerQuality>,
    /// How many tasks had their answer given.
    pub gold: usize,
    /// How many iterations it took; the share of votes takes none.
    pub iterations: u32,
    /// Whether it ended of itself and not at the cap.
    pub converged: bool,
}

/// How well a worker knows the answers.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct WorkerQuality {
    /// How many labels he gave.
    pub labels: usize,
    /// How probably a label of his is right: by the full model the mean over what can be true, otherwise over
    /// what he said.
    pub reliability: f64,
}

/// The tables would be too large.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error(
    "{tasks} tasks, {labels} different labels and {given} labels given need a table of more than {MOST_CELLS} numbers"
)]
pub struct TooLargeError {
    /// How many tasks.
    pub tasks: usize,
    /// How many labels to choose from.
    pub labels: usize,
    /// How many labels were given.
    pub given: usize,
}

/// A table has as many numbers at most: 400 MB.
const MOST_CELLS: usize = 50_000_000;

/// Makes labels into probabilities. `gold` has the answer of tasks for which it is known: their probabilities stay
/// at 0 and 1, and workers are judged by them. Gold of tasks without labels is passed over.
///
/// # Errors
///
/// When there are too many different labels for as many tasks or workers.
pub fn aggregate(
    mut labels: Labels,
    method: Method,
    gold: &BTreeMap<String, String>,
    settings: Settings,
) -> Result<Aggregated, TooLargeError> {
    let gold = clamped(&mut labels, gold);
    let (tasks, kinds) = (labels.tasks().len(), labels.names().len());
    let given = labels.given();
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
        Method::Majority => by_majority(&votes),
        Method::OneCoin => fit(&votes, Model::OneCoin, settings),
        Method::DawidSkene => fit(&votes, Model::Full, settings),
    };
    Ok(Aggregated {
        workers: qualities(&votes, &fit.reliability),
        probability: fit.posterior,
        gold: gold.iter().flatten().count(),
        iterations: fit.iterations,
        converged: fit.converged,
        labels,
    })
}

/// The known answer of each task, by number.
fn clamped(labels: &mut Labels, gold: &BTreeMap<String, String>) -> Vec<Option<usize>> {
    let mut clamped = vec![None; labels.tasks().len()];
    for (task, label) in gold {
        if let Some(task) = labels.tasks().find(task) {
            clamped[task] = Some(labels.allow(label));
        }
    }
    clamped
}

fn by_majority(votes: &Votes) -> Fit {
    let posterior = majority(votes);
    Fit {
        reliability: votes.skills(&posterior),
        posterior,
        iterations: 0,
        converged: true,
    }
}

fn qualities(votes: &Votes, reliability: &[f64]) -> Vec<WorkerQuality> {
    let quality = |&reliability| WorkerQuality {
        labels: 0,
        reliability,
    };
    let mut qualities: Vec<WorkerQuality> = reliability.iter().map(quality).collect();
    for given in votes.given {
        qualities[given.worker].labels += 1;
    }
    qualities
}
