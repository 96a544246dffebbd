//! Dawid and Skene's model of yes and no: how probable each answer of a worker is, given the truth, and how probable
//! each truth is, given the answers, in turn until neither changes (A. P. Dawid and A. M. Skene, "Maximum likelihood
//! estimation of observer error-rates using the EM algorithm", Applied Statistics 28 (1979), 20-28).

use libm::{exp, log};

/// The two answers, and the two truths, as indices.
pub(super) const NO: usize = 0;
pub(super) const YES: usize = 1;

pub(super) type NoYes = [f64; 2];

/// An answer of a worker to a task, each by its index.
#[derive(Clone, Copy, Debug)]
pub(super) struct Given {
    pub(super) task: usize,
    pub(super) worker: usize,
    pub(super) answer: usize,
}

/// All answers. Every task and every worker has one.
pub(super) struct Votes<'a> {
    pub(super) given: &'a [Given],
    pub(super) workers: usize,
    pub(super) known: &'a [Option<usize>],
}

pub(super) struct Fit {
    /// The probability of each truth, by task.
    pub(super) truth: Vec<NoYes>,
    /// By worker, the probability that an answer is right: the mean over both truths, as far as they were met.
    pub(super) reliability: Vec<f64>,
}

/// The iterations, and the growth of the bound for each answer, at which it ends, as in crowd-kit.
const ITERATIONS: u32 = 100;
const TOLERANCE: f64 = 1e-5;
/// The least probability of which a logarithm is taken, as in crowd-kit.
const EPSILON: f64 = 1e-10;
/// A worker who has met less than half a task of one truth is not judged by it.
const LEAST_MET: f64 = 0.5;
/// Answers that each worker is taken to have given before, right and wrong, to one task of each truth: better than
/// chance.
///
/// Without it, a worker who has only answered no in a class is modelled as answering no to possible and impossible moves
/// alike. Such answers carry no information, so a move that nobody lists would keep the base rate forever.
const NEWCOMER: (f64, f64) = (0.8, 0.2);

/// Starts from the shares of votes (equation 3.1) and ends where the bound stops growing.
pub(super) fn fit(votes: &Votes) -> Fit {
    let mut truth = votes.shares();
    let mut workers = votes.workers(&truth);
    let mut bound = f64::NEG_INFINITY;
    for _ in 0..ITERATIONS {
        truth = votes.truth(&workers, &truth);
        workers = votes.workers(&truth);
        let next = votes.bound(&workers, &truth);
        let is_over = next - bound < TOLERANCE;
        bound = next;
        if is_over {
            break;
        }
    }
    Fit {
        truth,
        reliability: workers.iter().map(|worker| worker.reliability).collect(),
    }
}

struct WorkerModel {
    /// The logarithm of the probability of each answer (first index), given the truth (second).
    answers: [NoYes; 2],
    reliability: f64,
}

impl Votes<'_> {
    /// The shares of votes of each task; certainty where the truth is known.
    fn shares(&self) -> Vec<NoYes> {
        let mut counts = vec![[0.0; 2]; self.known.len()];
        for given in self.given {
            counts[given.task][given.answer] += 1.0;
        }
        let share = |[no, yes]: NoYes| [no / (no + yes), yes / (no + yes)];
        self.with_known(counts.into_iter().map(share))
    }

    fn with_known(&self, truth: impl Iterator<Item = NoYes>) -> Vec<NoYes> {
        let known = self.known.iter().zip(truth);
        let known = known.map(|(known, truth)| match *known {
            Some(YES) => [0.0, 1.0],
            Some(_) => [1.0, 0.0],
            None => truth,
        });
        known.collect()
    }

    /// The E step (equation 2.5): the probability of each truth, given how workers answer.
    fn truth(&self, workers: &[WorkerModel], before: &[NoYes]) -> Vec<NoYes> {
        let mut sums = vec![log_priors(before); self.known.len()];
        for given in self.given {
            let answer = workers[given.worker].answers[given.answer];
            for (sum, log) in sums[given.task].iter_mut().zip(answer) {
                *sum += log;
            }
        }
        let probability = |[no, yes]: NoYes| {
            // Products of many probabilities underflow; with the greatest logarithm at 0, the sum is at least 1.
            let greatest = f64::max(no, yes);
            let (no, yes) = (exp(no - greatest), exp(yes - greatest));
            [no / (no + yes), yes / (no + yes)]
        };
        self.with_known(sums.into_iter().map(probability))
    }

    /// The M step (equations 2.3 and 2.4): how each worker answers, given the truths.
    fn workers(&self, truth: &[NoYes]) -> Vec<WorkerModel> {
        let mut counts = vec![[[0.0; 2]; 2]; self.workers];
        let mut right = vec![(0.0, 0.0); self.workers];
        for given in self.given {
            for is in [NO, YES] {
                counts[given.worker][given.answer][is] += truth[given.task][is];
            }
            let (sum, of) = &mut right[given.worker];
            *sum += truth[given.task][given.answer];
            *of += 1.0;
        }
        let workers = counts.into_iter().zip(right);
        workers
            .map(|(counts, right)| WorkerModel::new(counts, right))
            .collect()
    }

    /// crowd-kit's evidence lower bound for each answer, which counts the prior once for each answer and not for each
    /// task. It only decides when to stop.
    fn bound(&self, workers: &[WorkerModel], truth: &[NoYes]) -> f64 {
        let priors = log_priors(truth);
        let mut joint = 0.0;
        for given in self.given {
            let answer = workers[given.worker].answers[given.answer];
            for is in [NO, YES] {
                joint += truth[given.task][is] * (answer[is] + priors[is]);
            }
        }
        let cells = truth.iter().flatten().map(|p| p.max(EPSILON));
        let entropy: f64 = cells.map(|p| -p * log(p)).sum();
        #[expect(clippy::cast_precision_loss, reason = "far fewer answers than 2^53")]
        let answers = self.given.len() as f64;
        (joint + entropy) / answers
    }
}

impl WorkerModel {
    /// From the number of answers (first index) to tasks of each truth (second), and how many were right of how many.
    fn new(counts: [NoYes; 2], (right, of): (f64, f64)) -> Self {
        let mut answers = [[0.0; 2]; 2];
        let (mut sum, mut met) = (0.0, 0.0);
        for is in [NO, YES] {
            let weight = |answer: usize| {
                let before = if answer == is { NEWCOMER.0 } else { NEWCOMER.1 };
                counts[answer][is].max(EPSILON) + before
            };
            let weights = [weight(NO), weight(YES)];
            for answer in [NO, YES] {
                answers[answer][is] = log(weights[answer] / (weights[NO] + weights[YES]));
            }
            if counts[NO][is] + counts[YES][is] >= LEAST_MET {
                sum += weights[is] / (weights[NO] + weights[YES]);
                met += 1.0;
            }
        }
        let reliability = if met > 0.0 { sum / met } else { right / of };
        Self {
            answers,
            reliability,
        }
    }
}

/// The logarithm of the share of each truth among all tasks.
fn log_priors(truth: &[NoYes]) -> NoYes {
    #[expect(clippy::cast_precision_loss, reason = "far fewer tasks than 2^53")]
    let tasks = truth.len() as f64;
    let mean = |is: usize| truth.iter().map(|truth| truth[is]).sum::<f64>() / tasks;
    [NO, YES].map(|is| log(mean(is).max(EPSILON)))
}
