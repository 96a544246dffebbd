//! Significance tests for differences between paired results.
//!
//! Both tests look only at the pairs that differ. If there is no true difference, each of them is
//! equally likely to differ either way, so their number is binomial with probability 1/2. The
//! p-value is the probability of a split at least as uneven in either direction.
//!
//! - For solved against unsolved this is `McNemar`'s test in its exact form: Q. `McNemar`, "Note on
//!   the sampling error of the difference between correlated proportions or percentages",
//!   Psychometrika 12 (1947); exact: A. Agresti, *Categorical Data Analysis*, section on matched
//!   pairs.
//! - For numbers it is the sign test: W. J. Dixon and A. M. Mood, "The statistical sign test",
//!   Journal of the American Statistical Association 41 (1946); first used by J. Arbuthnott,
//!   Philosophical Transactions 27 (1710).

/// The pairs that differ, and how likely such a split is by chance.
#[derive(Clone, Copy, Debug, PartialEq, serde::Serialize)]
pub(crate) struct SignTest {
    pub(crate) worse: u64,
    pub(crate) better: u64,
    /// Two-sided p-value, from 0 to 1.
    pub(crate) p_value: f64,
}

impl Default for SignTest {
    /// No pair differs.
    fn default() -> Self {
        sign_test(0, 0)
    }
}

impl SignTest {
    /// Whether it is significantly worse, at a level such as 0.05.
    pub(crate) fn is_worse(&self, level: f64) -> bool {
        self.worse > self.better && self.p_value <= level
    }
}

/// The exact two-sided test on `worse` and `better` pairs.
pub(crate) fn sign_test(worse: u64, better: u64) -> SignTest {
    let few = worse.min(better);
    let all = worse + better;
    let p_value = if worse == better {
        1.0
    } else {
        (2.0 * lower_tail(all, few)).min(1.0)
    };
    SignTest {
        worse,
        better,
        p_value,
    }
}

/// The probability of at most `few` heads in `all` tosses of a fair coin, for `few` below half.
///
/// The largest term, C(all, few) / 2^all, is computed in logarithms, since 2^-all underflows. Each
/// term below it is less than half the one before; the sum stops when they no longer count.
#[expect(
    clippy::cast_precision_loss,
    reason = "counts of positions are far below 2^53"
)]
fn lower_tail(all: u64, few: u64) -> f64 {
    let choose: f64 = (1..=few)
        .map(|i| ((all - few + i) as f64 / i as f64).ln())
        .sum();
    let largest = (choose - all as f64 * std::f64::consts::LN_2).exp();
    let mut sum = 1.0;
    let mut term = 1.0;
    for heads in (1..=few).rev() {
        term *= heads as f64 / (all - heads + 1) as f64;
        sum += term;
        if term < sum * f64::EPSILON / 16.0 {
            break;
        }
    }
    largest * sum
}

/// A count as a number to compute with.
#[expect(clippy::cast_precision_loss, reason = "counts are far below 2^53")]
pub(crate) const fn to_f64(count: u64) -> f64 {
    count as f64
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The same p-value from Pascal's triangle in integers.
    fn reference(worse: u64, better: u64) -> f64 {
        let (all, few) = (worse + better, worse.min(better));
        let mut row: Vec<u128> = vec![1];
        for _ in 0..all {
            let inner = row.windows(2).map(|pair| pair[0] + pair[1]);
            row = std::iter::once(1).chain(inner).chain([1]).collect();
        }
        let tail: u128 = row.iter().take(usize::try_from(few).unwrap() + 1).sum();
        #[expect(clippy::cast_precision_loss, reason = "a test of 12 digits")]
        let p = 2.0 * tail as f64 / 2f64.powi(i32::try_from(all).unwrap());
        p.min(1.0)
    }

    #[test]
    fn agrees_with_whole_numbers() {
        for all in 0..=100 {
            for worse in 0..=all {
                let found = sign_test(worse, all - worse).p_value;
                let expected = reference(worse, all - worse);
                assert!(
                    (found / expected - 1.0).abs() < 1e-12,
                    "{worse} of {all}: {found}, expected {expected}"
                );
            }
        }
    }

    /// The largest count of the rarer sign that is significant at 5 and at 1 percent (two-sided),
    /// from Dixon and Mood's table of 1946.
    #[test]
    fn agrees_with_the_table_of_dixon_and_mood() {
        let all = [10, 15, 20, 25, 30, 40, 50, 60, 70, 80, 90, 100];
        let at_5 = [1, 3, 5, 7, 9, 13, 17, 21, 26, 30, 35, 39];
        let at_1 = [0, 2, 3, 5, 7, 11, 15, 19, 23, 28, 32, 36];
        for (all, (at_5, at_1)) in all.into_iter().zip(at_5.into_iter().zip(at_1)) {
            for (level, few) in [(0.05, at_5), (0.01, at_1)] {
                let p = |few| sign_test(all - few, few).p_value;
                assert!(p(few) <= level && p(few + 1) > level, "{few} of {all}");
                assert!(sign_test(all - few, few).is_worse(level));
                assert!(!sign_test(few, all - few).is_worse(level), "it is better");
            }
        }
    }

    #[test]
    fn published_examples() {
        let close = |found: f64, expected: f64| (found / expected - 1.0).abs() < 1e-3;
        // Arbuthnott, 1710: more boys than girls christened in each of 82 years, 1 to 2^82 by lot
        // on one side.
        let p = sign_test(82, 0).p_value;
        assert!(close(p, 2.0 / 4.835_703_278_458_517e24), "{p}");
        // Darwin's maize, as in Fisher, The Design of Experiments (1935): 13 of 15 crossed plants
        // are taller; 2 * (1 + 15 + 105) / 2^15.
        assert!(close(sign_test(2, 13).p_value, 0.007_385));
    }

    #[test]
    fn edges() {
        assert!((SignTest::default().p_value - 1.0).abs() < f64::EPSILON);
        assert!((sign_test(7, 7).p_value - 1.0).abs() < f64::EPSILON);
        // 2^-5000 underflows f64; arbitrary-precision integers give 0.04931585810417184.
        let p = sign_test(2570, 2430).p_value;
        assert!((p / 0.049_315_858_104_171_84 - 1.0).abs() < 1e-9, "{p}");
        assert!(sign_test(100_000, 0).p_value < 1e-300);
    }
}
