//! The rule by which values move.
//!
//! SPSA, simultaneous perturbation stochastic approximation: all values are moved at once, each up or
//! down by chance, and the engine with these values plays the one with all moved the other way. Whose
//! games are won says for all values at once which way is better.
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
//! `OpenBench`. What is won and lost is counted over the games of the iteration.
//!
//! Games of several iterations can be played at once: iteration `k` begins from the values as they
//! were after iteration `k - lag`, whether or not later ones are known by then. Results are taken in
//! the order of the iterations. So neither the order in which games end nor their number at once
//! changes anything; with a lag of 1 it is Spall's rule to the letter.

use std::collections::VecDeque;

use rand::{Rng as _, SeedableRng as _};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

use super::parameter::Parameter;
use crate::digits::to_f64;
use crate::stats::Wdl;

/// How quickly values are moved.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Gains {
    /// How many iterations there will be.
    pub iterations: u64,
    /// The constant `A` that keeps the first steps small, as a part of the iterations.
    pub a_ratio: f64,
    /// How quickly the gain falls.
    pub alpha: f64,
    /// How quickly measurements become finer.
    pub gamma: f64,
}

impl Gains {
    /// Spall's recommendation: `A` a tenth of the iterations, alpha 0.602, gamma 0.101.
    pub const fn usual(iterations: u64) -> Self {
        Self {
            iterations,
            a_ratio: 0.1,
            alpha: 0.602,
            gamma: 0.101,
        }
    }

    /// `c_k`: how far a parameter is moved for the measurement; iterations count from 0 here.
    pub fn perturbation(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let progress = to_f64(self.iterations) / to_f64(iteration + 1);
        parameter.c_end * libm::pow(progress, self.gamma)
    }

    /// `a_k / c_k`: by how much a game that was won moves a parameter.
    pub fn step(&self, parameter: &Parameter, iteration: u64) -> f64 {
        let last = to_f64(self.iterations);
        let a = self.a_ratio * last;
        let progress = (a + last) / (a + to_f64(iteration + 1));
        let gain = parameter.r_end * parameter.c_end * parameter.c_end;
        gain * libm::pow(progress, self.alpha) / self.perturbation(parameter, iteration)
    }
}

/// A measurement: two sets of values that play each other.
#[derive(Clone, Debug, PartialEq)]
pub struct Trial {
    /// Which iteration, from 0.
    pub iteration: u64,
    /// What the first engine is told, in the order of the parameters.
    pub plus: Vec<String>,
    /// What the second is told.
    pub minus: Vec<String>,
}

/// The state of a tuning.
#[derive(Clone, Debug)]
pub struct Spsa {
    parameters: Vec<Parameter>,
    gains: Gains,
    seed: u64,
    lag: u64,
    done: u64,
    /// The values after each of the last iterations, the newest last; never empty, at most `lag`.
    history: VecDeque<Vec<f64>>,
}

/// What chance decides of a parameter in an iteration.
struct Chance {
    /// 1 or -1: whether the first engine has more or less.
    direction: f64,
    /// How whole numbers are rounded, from 0 to 1.
    fraction: f64,
}

impl Spsa {
    /// The state before the first iteration.
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

    /// What is tuned.
    pub fn parameters(&self) -> &[Parameter] {
        &self.parameters
    }

    /// How quickly values are moved.
    pub fn gains(&self) -> &Gains {
        &self.gains
    }

    /// How many iterations are done.
    pub fn done(&self) -> u64 {
        self.done
    }

    /// The values now.
    pub fn values(&self) -> &[f64] {
        self.history.back().expect("it is never empty")
    }

    /// The measurement of an iteration, as soon as the values it begins from are known, and until it
    /// is done.
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
                // Both sides are rounded by the same chance: so they are never nearer than meant by
                // more than 1, and less noise is measured.
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

    /// Takes the result of the next iteration, seen from the first engine.
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
        if to_u64(self.history.len()) > self.lag {
            self.history.pop_front();
        }
    }

    /// Chance depends on nothing but the seed and the iteration.
    fn chances(&self, iteration: u64) -> Vec<Chance> {
        let mut dice = ChaCha8Rng::seed_from_u64(self.seed);
        dice.set_stream(iteration);
        let chances = self.parameters.iter().map(|_| {
            let number = dice.next_u64();
            Chance {
                direction: if number & 1 == 0 { 1.0 } else { -1.0 },
                // The 53 upper bits.
                fraction: to_f64(number >> 11) / to_f64(1 << 53),
            }
        });
        chances.collect()
    }
}

fn to_u64(number: usize) -> u64 {
    u64::try_from(number).expect("usize has at most 64 bits")
}

#[cfg(test)]
mod tests;
