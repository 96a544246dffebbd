//! GLAD (Whitehill, Ruvolo, Wu, Bergsma and Movellan, NIPS 2009): a worker of ability `a` labels a
//! task of ease `e^b` correctly with the probability `1 / (1 + exp(-a e^b))`.
//!
//! Abilities and the logarithms of ease have normal priors of mean 1 and variance 1, and all labels
//! are equally probable beforehand, as in crowd-kit.

use libm::{exp, log, log1p};

use super::em::{EmSettings, Fit, RowMatrix, Votes, majority, normalise};

/// Mean of both priors; their variance is 1.
const PRIOR: f64 = 1.0;
/// Maximum number of steps of the ascent in one M step, as in crowd-kit.
const STEPS: u32 = 25;
/// The ascent ends when a step gains less than this share of the objective.
const FLAT: f64 = 1e-12;
/// How often a step that does not ascend is halved before the ascent ends.
const HALVINGS: u32 = 30;

/// Starts from the priors' means, and iterates until the evidence lower bound per label stops
/// growing, or to the cap.
pub(super) fn fit(votes: &Votes, settings: EmSettings) -> Fit {
    let mut powers = Powers {
        ability: vec![PRIOR; votes.workers],
        ease: vec![PRIOR; votes.tasks],
    };
    // The first E step replaces the shares of votes; they are the result only of 0 iterations.
    let mut posterior = majority(votes);
    let mut bound = f64::NEG_INFINITY;
    let mut iterations = 0;
    let mut converged = votes.given.is_empty();
    #[expect(clippy::cast_precision_loss, reason = "far fewer labels than 2^53")]
    let terms = votes.given.len() as f64;
    while !converged && iterations < settings.iterations {
        posterior = expect(votes, &powers);
        let objective = Objective::new(votes, &posterior);
        powers = objective.ascend(powers);
        let next = (objective.at(&powers) + entropy(&posterior)) / terms;
        iterations += 1;
        converged = next - bound < settings.tolerance;
        bound = next;
    }
    Fit {
        reliability: votes.skills(&posterior),
        posterior,
        iterations,
        converged,
    }
}

/// The entropy of all tasks' probabilities, in nats.
fn entropy(posterior: &RowMatrix) -> f64 {
    // The limit of p log p at 0 is 0, where 0 times the logarithm would be NaN.
    let part = |&p: &f64| if p > 0.0 { -p * log(p) } else { 0.0 };
    posterior.cells().iter().map(part).sum()
}

/// Parameters of the model.
#[derive(Clone, Debug)]
struct Powers {
    /// By worker.
    ability: Vec<f64>,
    /// By task: the logarithm of the inverse of its difficulty.
    ease: Vec<f64>,
}

impl Powers {
    fn logit(&self, worker: usize, task: usize) -> f64 {
        // Ease must be positive, so it is its logarithm that has a normal prior (Whitehill and
        // others 2009).
        self.ability[worker] * exp(self.ease[task])
    }

    /// Adds `step` times a direction to the parameters.
    fn plus(&self, step: f64, other: &Self) -> Self {
        let add = |one: &[f64], other: &[f64]| {
            let sums = one.iter().zip(other);
            sums.map(|(one, other)| one + step * other).collect()
        };
        Self {
            ability: add(&self.ability, &other.ability),
            ease: add(&self.ease, &other.ease),
        }
    }
}

/// The logarithm of the logistic function, without overflow.
fn log_logistic(x: f64) -> f64 {
    if x > 0.0 {
        -log1p(exp(-x))
    } else {
        x - log1p(exp(x))
    }
}

/// The logarithm of the number of wrong labels; with one label in all, none of them is wrong.
fn log_others(votes: &Votes) -> f64 {
    log(f64::from(
        u32::try_from(votes.labels.max(2) - 1).unwrap_or(u32::MAX),
    ))
}

/// The E step: the probability of each label of each task.
fn expect(votes: &Votes, powers: &Powers) -> RowMatrix {
    let mut posterior = RowMatrix::zeros(votes.tasks, votes.labels);
    let others = log_others(votes);
    for given in votes.given {
        let logit = powers.logit(given.worker, given.task);
        // Up to a constant: all labels but this one have the same probability.
        let more = log_logistic(logit) - log_logistic(-logit) + others;
        posterior.row_mut(given.task)[given.label] += more;
    }
    for row in posterior.iter_mut() {
        normalise(row);
    }
    votes.clamp(&mut posterior);
    posterior
}

/// What the M step maximises: the expected logarithm of the likelihood and of the priors.
struct Objective<'a> {
    votes: &'a Votes<'a>,
    /// The probability that each given label is correct.
    right: Vec<f64>,
}

impl<'a> Objective<'a> {
    fn new(votes: &'a Votes<'a>, posterior: &RowMatrix) -> Self {
        let right = votes.given.iter();
        Self {
            votes,
            right: right.map(|g| posterior.row(g.task)[g.label]).collect(),
        }
    }

    fn at(&self, powers: &Powers) -> f64 {
        let others = log_others(self.votes);
        let mut sum = 0.0;
        for (given, right) in self.votes.given.iter().zip(&self.right) {
            let logit = powers.logit(given.worker, given.task);
            sum += right * log_logistic(logit);
            sum += (1.0 - right) * (log_logistic(-logit) - others);
        }
        let all = powers.ability.iter().chain(&powers.ease);
        sum - all.map(|x| (x - PRIOR) * (x - PRIOR) / 2.0).sum::<f64>()
    }

    /// The gradient, and the same divided by the expected curvature in each direction (Fisher's
    /// scoring).
    fn gradient(&self, powers: &Powers) -> (Powers, Powers) {
        // This is the derivative of -(x - 1)^2 / 2, the logarithm of a prior of variance 1.
        let from_prior = |x: &f64| PRIOR - x;
        let mut gradient = Powers {
            ability: powers.ability.iter().map(from_prior).collect(),
            ease: powers.ease.iter().map(from_prior).collect(),
        };
        // The prior's curvature of 1 also keeps the division below from being one by 0.
        let mut curvature = Powers {
            ability: vec![1.0; powers.ability.len()],
            ease: vec![1.0; powers.ease.len()],
        };
        for (given, right) in self.votes.given.iter().zip(&self.right) {
            let (worker, task) = (given.worker, given.task);
            let ease = exp(powers.ease[task]);
            let logit = powers.ability[worker] * ease;
            let chance = exp(log_logistic(logit));
            // Fisher's scoring takes p (1 - p), the expected curvature, which is never negative.
            let (error, spread) = (right - chance, chance * (1.0 - chance));
            gradient.ability[worker] += error * ease;
            gradient.ease[task] += error * logit;
            curvature.ability[worker] += spread * ease * ease;
            curvature.ease[task] += spread * logit * logit;
        }
        let scaled = |gradient: &[f64], curvature: &[f64]| {
            let both = gradient.iter().zip(curvature);
            both.map(|(gradient, curvature)| gradient / curvature)
                .collect()
        };
        let direction = Powers {
            ability: scaled(&gradient.ability, &curvature.ability),
            ease: scaled(&gradient.ease, &curvature.ease),
        };
        (gradient, direction)
    }

    /// The M step: climbs until a step no longer ascends, or to the cap.
    fn ascend(&self, mut powers: Powers) -> Powers {
        let mut here = self.at(&powers);
        for _ in 0..STEPS {
            let (_, direction) = self.gradient(&powers);
            // Abilities and eases are scaled as if they were independent, so a full step may
            // overshoot.
            let mut step = 1.0;
            let higher = (0..HALVINGS).find_map(|_| {
                let next = powers.plus(step, &direction);
                let there = self.at(&next);
                step /= 2.0;
                // A NaN is no ascent either: the comparison is false, and the step is halved.
                (there > here).then_some((next, there))
            });
            let Some((next, there)) = higher else { break };
            let is_flat = there - here < FLAT * here.abs();
            (powers, here) = (next, there);
            if is_flat {
                break;
            }
        }
        powers
    }
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    use super::*;
    use crate::labels::Given;

    /// Twenty workers of three abilities and 60 tasks of three eases; the true label is the task's
    /// number modulo 3.
    fn crowd(seed: u64) -> Vec<Given> {
        let mut rng = ChaCha8Rng::seed_from_u64(seed);
        let mut given = Vec::new();
        for task in 0..60 {
            for worker in 0..20 {
                let ability = [3.0, 1.5, 0.5][worker % 3];
                let ease = [1.0, 0.0, -1.5][task / 20];
                let is_right = rng.random::<f64>() < exp(log_logistic(ability * exp(ease)));
                let label = (task + if is_right { 0 } else { rng.random_range(1..3) }) % 3;
                given.push(Given {
                    task,
                    worker,
                    label,
                });
            }
        }
        given
    }

    fn votes<'a>(given: &'a [Given], gold: &'a [Option<usize>]) -> Votes<'a> {
        Votes {
            tasks: 60,
            workers: 20,
            labels: 3,
            given,
            gold,
        }
    }

    #[test]
    fn the_m_step_ends_where_the_objective_is_flat() {
        let given = crowd(1);
        let votes = votes(&given, &[None; 60]);
        let mut powers = Powers {
            ability: vec![PRIOR; 20],
            ease: vec![PRIOR; 60],
        };
        let posterior = expect(&votes, &powers);
        let objective = Objective::new(&votes, &posterior);
        // The gradient is that of the objective, by differences.
        let (gradient, _) = objective.gradient(&powers);
        let moved = |change: f64| {
            let mut moved = powers.clone();
            moved.ability[4] += change;
            moved.ease[7] += 2.0 * change;
            objective.at(&moved)
        };
        let slope = (moved(1e-5) - moved(-1e-5)) / 2e-5;
        let expected = gradient.ability[4] + 2.0 * gradient.ease[7];
        assert!((slope - expected).abs() < 1e-6, "{slope} {expected}");
        for _ in 0..20 {
            powers = objective.ascend(powers);
        }
        let (gradient, _) = objective.gradient(&powers);
        let all = gradient.ability.iter().chain(&gradient.ease);
        let steepest = all.fold(0.0_f64, |most, slope| most.max(slope.abs()));
        assert!(steepest < 1e-4, "{steepest}");
    }

    #[test]
    fn hard_tasks_are_found_and_able_workers_decide_them() {
        for seed in 0..3 {
            let given = crowd(seed);
            let votes = votes(&given, &[None; 60]);
            let fit = fit(&votes, EmSettings::default());
            assert!(fit.converged, "{} iterations", fit.iterations);
            let right = |tasks: std::ops::Range<usize>| {
                let is_right = |task: &usize| {
                    let row = fit.posterior.row(*task);
                    row.iter().all(|p| *p <= row[task % 3])
                };
                tasks.filter(is_right).count()
            };
            assert_eq!(right(0..40), 40, "seed {seed}");
            assert!(right(40..60) >= 9, "seed {seed}: {}", right(40..60));
            for rows in fit.posterior.iter() {
                assert!((rows.iter().sum::<f64>() - 1.0).abs() < 1e-12);
            }
            let mean = |kind: usize| {
                let of_kind = (kind..18).step_by(3).map(|worker| fit.reliability[worker]);
                of_kind.sum::<f64>() / 6.0
            };
            assert!(mean(0) > mean(1) && mean(1) > mean(2), "seed {seed}");
        }
    }

    #[test]
    fn known_answers_stay_and_the_cap_ends_it() {
        let given = crowd(1);
        let mut gold = [None; 60];
        gold[5] = Some(0);
        let votes = votes(&given, &gold);
        let fit = fit(
            &votes,
            EmSettings {
                iterations: 3,
                tolerance: 0.0,
            },
        );
        assert_eq!((fit.iterations, fit.converged), (3, false));
        assert_eq!(fit.posterior.row(5), [1.0, 0.0, 0.0]);
    }
}
