//! A Brownian motion between two bounds: the limit of the log-likelihood ratio in long tests.

use std::f64::consts::PI;

use super::numeric;

/// Maximum number of terms of the series; 60 suffice in practice.
const MAX_TERMS: u32 = 10_000;
/// The series ends at terms smaller than this.
const LEAST_TERM: f64 = 1e-9;

/// A motion from 0 that ends when it leaves the interval from `low` to `high`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Brownian {
    /// The lower bound, below 0.
    pub(super) low: f64,
    /// The upper bound, above 0.
    pub(super) high: f64,
    /// The mean change per unit of time.
    pub(super) drift: f64,
    /// The variance per unit of time.
    pub(super) variance: f64,
}

impl Brownian {
    /// The probability of a worse outcome than `y` at time `t`: of having left at the lower bound
    /// before, of being lower at `t` without having left, or, if `y` is the upper bound, of leaving
    /// there later.
    ///
    /// The series of eigenfunctions converges quickly if there is time to diffuse from bound to
    /// bound. Otherwise the far bound hardly matters, and Siegmund's approximation is used, which
    /// reflects at each bound once. The threshold is that of fishtest, for identical numbers.
    pub(super) fn outcome_cdf(&self, t: f64, y: f64) -> f64 {
        let width = self.high - self.low;
        let spread = self.variance * t / (width * width);
        let slope = self.drift / self.variance * width;
        let chance = if spread < 1e-2 || slope.abs() > 15.0 {
            self.by_reflection(t, y)
        } else {
            self.by_series(t, y)
        };
        chance.clamp(0.0, 1.0)
    }

    fn by_series(&self, t: f64, y: f64) -> f64 {
        let width = self.high - self.low;
        let (start, y) = (-self.low, y - self.low);
        let gamma = self.drift / self.variance;
        let decay = PI * PI * self.variance / (width * width) / 2.0;
        let first = decay + self.drift * gamma / 2.0;
        let scale = libm::exp(-first * t + gamma * (y - start));
        let mut sum = 0.0;
        for n in 1..=MAX_TERMS {
            let n = f64::from(n);
            let angle = n * PI / width;
            let faded = libm::exp(-(n * n - 1.0) * decay * t);
            // The integral of `exp(gamma y) sin(angle y)`, up to a factor.
            let integral = 2.0 / width
                * (gamma * libm::sin(angle * y) - angle * libm::cos(angle * y))
                / (gamma * gamma + angle * angle);
            sum += faded * integral * libm::sin(angle * start);
            if (scale * faded * integral).abs() <= LEAST_TERM {
                break;
            }
        }
        self.leaves_low() + scale * sum
    }

    /// The probability of leaving at the lower bound, at any time.
    pub(super) fn leaves_low(&self) -> f64 {
        let width = self.high - self.low;
        let gamma = 2.0 * self.drift / self.variance;
        // Without drift, the formulas below are 0/0. They are one function: each form is used where
        // its exponentials do not overflow.
        if (gamma * width).abs() < 1e-8 {
            self.high / width
        } else if gamma > 0.0 {
            let rest = libm::expm1(-gamma * self.high) / libm::expm1(-gamma * width);
            libm::exp(gamma * self.low) * rest
        } else {
            libm::expm1(gamma * self.high) / libm::expm1(gamma * width)
        }
    }

    /// The mean time until it leaves, given that it leaves at the lower and at the upper bound.
    ///
    /// From the Laplace transform of the time, `exp(gamma y) sinh(-low theta) / sinh(width theta)`
    /// for the upper bound, by its derivative at 0.
    pub(super) fn mean_times(&self) -> [f64; 2] {
        let width = self.high - self.low;
        let gamma = self.drift.abs() / self.variance;
        [self.high, -self.low].map(|far| {
            // Without drift, the difference below cancels.
            if gamma * width < 1e-4 {
                return (width * width - far * far) / (3.0 * self.variance);
            }
            let height = |x: f64| x / libm::tanh(gamma * x);
            (height(width) - height(far)) / self.drift.abs()
        })
    }

    /// The probability that it has not left by time `t`.
    pub(super) fn is_running(&self, t: f64) -> f64 {
        let chance = self.outcome_cdf(t, self.high) - self.outcome_cdf(t, self.low);
        chance.clamp(0.0, 1.0)
    }

    /// Source: Siegmund, *Sequential Analysis*, section III.3; also the appendix of Van den
    /// Bergh's note on the SPRT.
    fn by_reflection(&self, t: f64, y: f64) -> f64 {
        let deviation = libm::sqrt(self.variance * t);
        let way = self.drift * t;
        let gamma = self.drift / self.variance;
        let direct = numeric::cdf((y - way) / deviation);
        let low = scaled_tail(
            2.0 * gamma * self.low,
            (way - y + 2.0 * self.low) / deviation,
        );
        let high = scaled_tail(
            2.0 * gamma * self.high,
            (y - way - 2.0 * self.high) / deviation,
        );
        direct + low - high
    }
}

/// `exp(exponent) * cdf(z)`, by the asymptotic series of the tail where one factor is huge and the
/// other tiny.
fn scaled_tail(exponent: f64, z: f64) -> f64 {
    if exponent < 10.0 {
        return libm::exp(exponent) * numeric::cdf(z);
    }
    let density = libm::exp(exponent - z * z / 2.0) / libm::sqrt(2.0 * PI);
    -density * (1.0 / z - 1.0 / (z * z * z))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[expect(
        clippy::cast_precision_loss,
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "cells and steps are few"
    )]
    /// Probabilities after many steps of a random walk on a grid.
    fn by_walk(motion: &Brownian, t: f64, y: f64) -> f64 {
        const CELLS: usize = 400;
        let step = (motion.high - motion.low) / CELLS as f64;
        let duration = step * step / motion.variance;
        let up = 0.5 * (1.0 + motion.drift * duration / step);
        let start = (-motion.low / step).round() as usize;
        let mut cells = vec![0.0; CELLS + 1];
        cells[start] = 1.0;
        let mut left_low = 0.0;
        for _ in 0..(t / duration).round() as usize {
            let mut next = vec![0.0; CELLS + 1];
            for (cell, &chance) in cells.iter().enumerate().take(CELLS).skip(1) {
                next[cell + 1] += up * chance;
                next[cell - 1] += (1.0 - up) * chance;
            }
            left_low += next[0];
            next[0] = 0.0;
            next[CELLS] = 0.0;
            cells = next;
        }
        let place = ((y - motion.low) / step).round() as usize;
        left_low + cells[..place].iter().sum::<f64>() + cells[place] / 2.0
    }

    #[test]
    fn agrees_with_a_walk() {
        for (low, high) in [(-2.94, 2.94), (-2.25, 2.89)] {
            for drift in [-1.0, -0.2, 0.0, 0.3, 1.2] {
                let motion = Brownian {
                    low,
                    high,
                    drift,
                    variance: 1.0,
                };
                let places = vec![(0.3, 0.2), (2.0, -1.0), (8.0, 0.0), (30.0, 1.5)];
                for (t, y) in testkit::some(places, 1) {
                    let (found, expected) = (motion.outcome_cdf(t, y), by_walk(&motion, t, y));
                    let what = format!("{motion:?} at {t}, {y}: {found}, walk {expected}");
                    assert!((found - expected).abs() < 6e-3, "{what}");
                }
            }
        }
    }

    #[test]
    fn series_and_reflection_agree_where_both_hold() {
        let motion = Brownian {
            low: -2.94,
            high: 2.94,
            drift: 0.3,
            variance: 1.0,
        };
        for y in [-2.0, 0.1, 0.3, 2.9] {
            let (series, reflection) = (motion.by_series(1.0, y), motion.by_reflection(1.0, y));
            assert!(
                (series - reflection).abs() < 1e-9,
                "{y}: {series}, {reflection}"
            );
        }
    }

    /// The mean over both exits must satisfy Wald's identities.
    #[test]
    fn mean_times_are_wald_s() {
        for drift in [-3.0, -0.1, -1e-7, 0.0, 1e-4, 0.5, 100.0] {
            let motion = Brownian {
                low: -2.2,
                high: 2.9,
                drift,
                variance: 1.3,
            };
            let low = motion.leaves_low();
            let [fail, pass] = motion.mean_times();
            let mean = low * fail + (1.0 - low) * pass;
            let expected = if drift.abs() < 1e-6 {
                2.2 * 2.9 / 1.3
            } else {
                (low * -2.2 + (1.0 - low) * 2.9) / drift
            };
            assert!(
                (mean / expected - 1.0).abs() < 1e-6,
                "{drift}: {mean}, {expected}"
            );
        }
    }
}
