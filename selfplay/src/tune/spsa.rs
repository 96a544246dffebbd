//! The SPSA update rule.
//!
//! SPSA (simultaneous perturbation stochastic approximation) perturbs all values at once, each
//! randomly up or down. The engine with these values plays the engine with all perturbations
//! reversed, and the result shows for all values at once which direction is better.
//! Sources: J. C. Spall, "Multivariate stochastic approximation using a simultaneous perturbation
//! gradient approximation", IEEE Transactions on Automatic Control 37 (1992); J. C. Spall,
//! "Implementation of the simultaneous perturbation algorithm for stochastic optimization", IEEE
//! Transactions on Aerospace and Electronic Systems 34 (1998); for engines J. Kiiski (2011), in the
//! Chess Programming Wiki under "SPSA".
//!
//! With `k` the iteration from 1, `N` their number, `A = a_ratio * N`, for each parameter:
//!
//! ```text
//! c_k = c_end * (N / k)^gamma                        how far it is moved for the measurement
//! a_k = r_end * c_end^2 * ((A + N) / (A + k))^alpha  the gain
//! value += a_k * (games won - games lost) / (c_k * direction), within its range
//! ```
//!
//! so that `c_end` and `r_end = a_N / c_N^2` are those of the last iteration, as in fishtest and
//! `OpenBench`. Wins and losses are summed over the games of the iteration.
//!
//! Games of several iterations can be played at once: iteration `k` starts from the values after
//! iteration `k - lag`, whether or not later ones are known by then. Results are applied in the
//! order of the iterations. Therefore neither the number of games at once nor the order in which
//! they end changes anything; with a lag of 1 it is exactly Spall's rule.

#[cfg(test)]
mod tests;

use std::collections::VecDeque;

use chacha20::ChaCha8Rng;
use rand::{Rng as _, SeedableRng as _};
use serde::{Deserialize, Serialize};

use super::parameter::Parameter;
use crate::model::PairOptions;
use crate::stats::{Wdl, to_f64};

/// Gains: how far values move in each iteration.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gains {
    pub iterations: u64,
    /// The constant `A` that keeps the first steps small, as a fraction of the iterations.
    pub a_ratio: f64,
    pub alpha: f64,
    pub gamma: f64,
}

impl Gains {
    /// Spall's recommendation: `A` is a tenth of the iterations, alpha 0.602, gamma 0.101.
    pub const fn usual(iterations: u64) -> Self {
        Self {
            iterations,
            a_ratio: 0.1,
            alpha: 0.602,
            gamma: 0.101,
        }
    }

    /// `c_k`: the perturbation of a parameter; iterations count from 0 here.
    pub fn perturbation(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let progress = to_f64(self.iterations) / to_f64(iteration + 1);
        parameter.c_end * libm::pow(progress, self.gamma)
    }

    /// `a_k / c_k`: the step of a parameter for one game won.
    pub fn step(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let last = to_f64(self.iterations);
        let a = self.a_ratio * last;
        let progress = (a + last) / (a + to_f64(iteration + 1));
        let gain = parameter.r_end * parameter.c_end * parameter.c_end;
        gain * libm::pow(progress, self.alpha) / self.perturbation(parameter, iteration)
    }
}

/// A pair of perturbed settings that play each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Number of the iteration, from 0.
    pub iteration: u64,
    /// Option values of the first engine, in the order of the parameters.
    pub plus: Vec<String>,
    /// Option values of the second engine, in the same order.
    pub minus: Vec<String>,
}

#[derive(Clone, Debug)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    gains: Gains,
    seed: u64,
    lag: u64,
    done: u64,
    /// Values after each of the last iterations, the newest last; never empty, at most `lag`.
    history: VecDeque<Vec<f64>>,
}

/// The random numbers of a parameter in an iteration.
struct Chance {
    /// 1 or -1: sign of the perturbation of the first engine.
    direction: f64,
    /// How integers are rounded, from 0 to 1.
    fraction: f64,
}

impl Spsa {
    /// State before the first iteration.
    ///
    /// # Panics
    ///
    /// If the lag is 0.
    pub fn new(parameters: Vec<Parameter>, gains: Gains, seed: u64, lag: u64) -> Self {
        assert!(lag > 0, "an iteration cannot begin from its own result");
        let start = parameters.iter().map(|parameter| parameter.start);
        let history = VecDeque::from([start.collect()]);
        Self {
            parameters,
            gains,
            seed,
            lag,
            done: 0,
            history,
        }
    }

    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    pub fn gains(&self) -> &Gains {
        &self.gains
    }

    pub fn done(&self) -> u64 {
        self.done
    }

    pub fn values(&self) -> &[f64] {
        self.history.back().expect("it is never empty")
    }

    /// The trial of an iteration, available once its start values are known, and until it is done.
    pub fn trial(&self, iteration: u64) -> Option<Trial> {
        if iteration < self.done || iteration >= self.gains.iterations {
            return None;
        }
        let from = (iteration + 1).saturating_sub(self.lag);
        let age = self.done.checked_sub(from)?;
        let newest = self.history.len() - 1;
        let age = usize::try_from(age).expect("the history is in memory");
        let values = &self.history[newest - age];
        let chances = self.chances(iteration);
        let sides = |side: f64| {
            let values = self.parameters.iter().zip(values).zip(&chances);
            let settings = values.map(|((parameter, value), chance)| {
                let moved = self.gains.perturbation(parameter, iteration) * chance.direction;
                let moved = (value + side * moved).clamp(parameter.min, parameter.max);
                // Both sides use the same random fraction: their distance is then never more than 1
                // below the intended one, and there is less noise.
                parameter.setting(moved, chance.fraction)
            });
            settings.collect()
        };
        Some(Trial {
            iteration,
            plus: sides(1.0),
            minus: sides(-1.0),
        })
    }

    /// The options of both engines in a trial, by name.
    pub fn options(&self, trial: &Trial) -> PairOptions {
        let names = self.parameters.iter().map(|one| one.name.clone());
        [&trial.plus, &trial.minus]
            .map(|values| names.clone().zip(values.iter().cloned()).collect())
    }

    /// Applies the result of the next iteration, from the first engine's view.
    ///
    /// # Panics
    ///
    /// If all iterations are done.
    pub fn apply(&mut self, games: Wdl) {
        let iteration = self.done;
        assert!(iteration < self.gains.iterations, "all are done");
        let won = to_f64(games.wins) - to_f64(games.losses);
        let chances = self.chances(iteration);
        let values = self.parameters.iter().zip(self.values()).zip(&chances);
        let moved = values.map(|((parameter, value), chance)| {
            let step = self.gains.step(parameter, iteration);
            (value + step * won * chance.direction).clamp(parameter.min, parameter.max)
        });
        let moved = moved.collect();
        self.history.push_back(moved);
        self.done += 1;
        if self.history.len() as u64 > self.lag {
            self.history.pop_front();
        }
    }

    /// Random numbers, which depend only on the seed and the iteration.
    fn chances(&self, iteration: u64) -> Vec<Chance> {
        let mut rng = ChaCha8Rng::seed_from_u64(self.seed);
        rng.set_stream(iteration);
        let chances = self.parameters.iter().map(|_| {
            let number = rng.next_u64();
            Chance {
                direction: if number & 1 == 0 { 1.0 } else { -1.0 },
                // The upper 53 bits, which a double holds exactly; the direction has a bit of its
                // own.
                fraction: to_f64(number >> 11) / to_f64(1 << 53),
            }
        });
        chances.collect()
    }
}
