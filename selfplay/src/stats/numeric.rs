//! Root finding.

use std::f64::consts::FRAC_1_SQRT_2;

/// Maximum number of steps; bisection alone needs 64 for a double.
const MAX_STEPS: u32 = 200;

/// The point between `low` and `high` where `f`, which is continuous, changes its sign; `None` if
/// it has the same sign at both.
///
/// Chandrupatla's method ("A new hybrid quadratic/bisection algorithm for finding the zero of a
/// nonlinear function", Advances in Engineering Software 28, 1997): the root stays bracketed, and
/// the bracket is halved wherever interpolation cannot be trusted. Returns the better end after 200
/// steps, or when the bracket is as small as floating-point precision at the root or at the
/// original width.
#[expect(
    clippy::many_single_char_names,
    reason = "as in the paper; the function has no other name"
)]
pub fn find_root(f: impl Fn(f64) -> f64, low: f64, high: f64) -> Option<f64> {
    let (mut a, mut fa) = (high, f(high));
    let (mut b, mut fb) = (low, f(low));
    // NaN has no sign either.
    if (fa > 0.0 && fb > 0.0) || (fa < 0.0 && fb < 0.0) || fa.is_nan() || fb.is_nan() {
        return None;
    }
    let least_width = f64::EPSILON * (high - low).abs();
    let mut fraction: f64 = 0.5;
    for _ in 0..MAX_STEPS {
        let (best, f_best) = if fa.abs() < fb.abs() {
            (a, fa)
        } else {
            (b, fb)
        };
        let tolerance = 2.0 * f64::EPSILON * best.abs() + least_width;
        let least = tolerance / (b - a).abs();
        if f_best == 0.0 || least > 0.5 {
            return Some(best);
        }
        let x = a + fraction.clamp(least, 1.0 - least) * (b - a);
        let fx = f(x);
        // The last three points: `x` replaces `a`, and `b` is the end across the root.
        let (c, fc) = if (fx > 0.0) == (fa > 0.0) {
            (a, fa)
        } else {
            let old = (b, fb);
            (b, fb) = (a, fa);
            old
        };
        (a, fa) = (x, fx);
        fraction = interpolate([a, b, c], [fa, fb, fc]);
    }
    Some(if fa.abs() < fb.abs() { a } else { b })
}

/// The relative position between `a` and `b` to try next: by inverse quadratic interpolation
/// through all three points where that is monotone, else the middle.
fn interpolate([a, b, c]: [f64; 3], [fa, fb, fc]: [f64; 3]) -> f64 {
    let xi = (a - b) / (c - b);
    let phi = (fa - fb) / (fc - fb);
    let is_monotone = phi * phi < xi && (1.0 - phi) * (1.0 - phi) < 1.0 - xi;
    if !is_monotone {
        return 0.5;
    }
    fa / (fb - fa) * fc / (fb - fc) + (c - a) / (b - a) * fa / (fc - fa) * fb / (fc - fb)
}

// The normal distribution.

/// The 97.5% quantile: half the width of a 95% interval, in standard deviations.
pub(crate) const Z_95: f64 = 1.959_963_984_540_054;

/// The probability of a standard normal value below `x`, exact to a few units in the last place in
/// both tails.
pub(crate) fn cdf(x: f64) -> f64 {
    0.5 * libm::erfc(-x * FRAC_1_SQRT_2)
}

#[cfg(test)]
mod tests {
    use std::cell::Cell;

    use super::*;

    #[test]
    fn roots_are_found() {
        let check = |f: fn(f64) -> f64, low, high, expected: f64| {
            let steps = Cell::new(0);
            let counted = |x| {
                steps.set(steps.get() + 1);
                f(x)
            };
            let root = find_root(counted, low, high).expect("a change of sign");
            assert!((root - expected).abs() < 1e-12, "{root} is not {expected}");
            assert!(steps.get() < 120, "{} steps", steps.get());
        };
        check(|x| x * x - 2.0, 0.0, 2.0, std::f64::consts::SQRT_2);
        check(|x| 2.0 - x * x, 0.0, 2.0, std::f64::consts::SQRT_2);
        check(|x| libm::exp(x) - 1.0, -700.0, 700.0, 0.0);
        check(|x| x * x * x, -1.0, 2.0, 0.0);
        check(|x| if x < 0.3 { -1.0 } else { 1.0 }, 0.0, 1.0, 0.3);
        check(|x| x - 1.0, 0.0, 1.0, 1.0);
    }

    #[test]
    fn no_change_of_sign_is_no_root() {
        assert_eq!(find_root(|x| x * x + 1.0, -1.0, 1.0), None);
        assert_eq!(find_root(|_| f64::NAN, -1.0, 1.0), None);
    }

    /// Values of mpmath 1.4.1, `ncdf` at 30 digits.
    #[test]
    fn agrees_with_high_precision() {
        let rows = [
            (0.0, 0.5),
            (Z_95, 0.975),
            (1.0, 0.841_344_746_068_542_9),
            (-3.0, 1.349_898_031_630_094_6e-3),
            (-10.0, 7.619_853_024_160_527e-24),
            (5.5, 0.999_999_981_010_437_5),
        ];
        for (x, expected) in rows {
            assert!((cdf(x) / expected - 1.0).abs() < 1e-13, "{x}: {}", cdf(x));
        }
    }
}
