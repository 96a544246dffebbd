//! Homogeneity tests: the probability that a worker deviates this much by chance. Pure.

use std::f64::consts::PI;

use super::Pentanomial;
use super::number::to_f64;

/// The comparison of two rows of counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Homogeneity {
    /// Pearson's chi-squared.
    pub chi2: f64,
    /// Degrees of freedom.
    pub freedom: u32,
    /// The p-value: the probability of a chi-squared at least this large for a common distribution.
    pub p: f64,
}

/// Classes with a smaller expected count in either row are merged with a neighbour. Otherwise the
/// chi-squared distribution is a poor approximation: Cochran's rule (W. G. Cochran, Some methods
/// for strengthening the common chi-squared tests, Biometrics 10, 1954).
const LEAST_EXPECTED: f64 = 5.0;

/// Tests whether the pairs of one worker and those of the others have a common distribution:
/// Pearson's test of two rows, with small classes merged. `None` if there are too few pairs, or all
/// of them are in one class.
pub fn homogeneity(own: Pentanomial, rest: Pentanomial) -> Option<Homogeneity> {
    let columns = own.0.into_iter().zip(rest.0);
    let mut columns: Vec<[f64; 2]> = columns.map(|(a, b)| [to_f64(a), to_f64(b)]).collect();
    let rows = [0, 1].map(|row| columns.iter().map(|column| column[row]).sum::<f64>());
    let total = rows[0] + rows[1];
    if rows[0].min(rows[1]) < LEAST_EXPECTED {
        return None;
    }
    // The shorter row has the smaller expected count in every class.
    let least = |column: &[f64; 2]| (column[0] + column[1]) / total * rows[0].min(rows[1]);
    while let Some(small) =
        smallest(&columns).filter(|&small| least(&columns[small]) < LEAST_EXPECTED)
    {
        join(&mut columns, small)?;
    }
    if columns.len() < 2 {
        return None;
    }
    let parts = columns.iter().map(|column| {
        let both = column[0] + column[1];
        let part = |row: usize| {
            let expected = both * rows[row] / total;
            (column[row] - expected).powi(2) / expected
        };
        part(0) + part(1)
    });
    let chi2 = parts.sum();
    let freedom = u32::try_from(columns.len() - 1).expect("five classes at most");
    Some(Homogeneity {
        chi2,
        freedom,
        p: chi_squared_tail(chi2, freedom),
    })
}

/// The class with the fewest pairs.
fn smallest(columns: &[[f64; 2]]) -> Option<usize> {
    let sum = |index: &usize| columns[*index][0] + columns[*index][1];
    (0..columns.len()).min_by(|one, other| sum(one).total_cmp(&sum(other)))
}

/// Merges a class with the smaller of its neighbours; `None` if it has none.
fn join(columns: &mut Vec<[f64; 2]>, small: usize) -> Option<()> {
    let [own, rest] = columns.remove(small);
    let neighbours = [small.checked_sub(1), Some(small)];
    let neighbours = neighbours
        .into_iter()
        .flatten()
        .filter(|&at| at < columns.len());
    let sum = |index: &usize| columns[*index][0] + columns[*index][1];
    let other = neighbours.min_by(|one, other| sum(one).total_cmp(&sum(other)))?;
    columns[other][0] += own;
    columns[other][1] += rest;
    Some(())
}

/// The probability that chi-squared with 1 to 4 degrees of freedom is at least this large, in
/// closed form (Abramowitz and Stegun, 26.4.4 and 26.4.5).
///
/// # Panics
///
/// For other degrees of freedom.
pub fn chi_squared_tail(chi2: f64, freedom: u32) -> f64 {
    let half = chi2 / 2.0;
    let normal = libm::erfc(half.sqrt());
    match freedom {
        1 => normal,
        2 => libm::exp(-half),
        3 => normal + (2.0 * chi2 / PI).sqrt() * libm::exp(-half),
        4 => libm::exp(-half) * (1.0 + half),
        _ => panic!("{freedom} degrees of freedom, expected 1 to 4"),
    }
}

/// A count out of a total.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountShare {
    /// The count.
    pub some: u64,
    /// The total.
    pub of: u64,
}

/// The probability that `own` gets as many of the marked items or more if all are distributed at
/// random over `own` and `rest`: Fisher's exact test, one-sided.
pub fn more_than_its_share(own: CountShare, rest: CountShare) -> f64 {
    let marked = own.some + rest.some;
    let all = own.of + rest.of;
    let choose = |of: u64, some: u64| {
        let [of, some] = [of, some].map(to_f64);
        // The logarithm of the binomial coefficient, since factorials overflow.
        libm::lgamma(of + 1.0) - libm::lgamma(some + 1.0) - libm::lgamma(of - some + 1.0)
    };
    let ways = choose(all, marked);
    let terms = (own.some..=marked.min(own.of))
        .filter(|some| marked - some <= rest.of)
        .map(|some| libm::exp(choose(own.of, some) + choose(rest.of, marked - some) - ways));
    // Rounding may exceed 1.
    terms.sum::<f64>().min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, expected: f64) -> bool {
        (found / expected - 1.0).abs() < 1e-9
    }

    /// 0.95 quantiles to ten digits; printed tables have three.
    #[test]
    fn tails_of_chi_squared() {
        let rows = [
            (1, 3.841_458_820_694_124),
            (2, 5.991_464_547_107_979),
            (3, 7.814_727_903_251_178),
            (4, 9.487_729_036_781_154),
        ];
        for (freedom, quantile) in rows {
            let found = chi_squared_tail(quantile, freedom);
            assert!(close(found, 0.05), "{freedom}: {found}");
            assert!(close(chi_squared_tail(0.0, freedom), 1.0));
        }
    }

    #[test]
    fn rows_alike_differ_by_nothing() {
        let row = Pentanomial([10, 20, 40, 20, 10]);
        let found = homogeneity(row, row).expect("enough");
        assert_eq!((found.chi2, found.freedom), (0.0, 4));
        assert!(close(found.p, 1.0));
    }

    /// By hand: classes 2 and 3 are merged with 1 and 4; then 12 and 8 against 8 and 12.
    #[test]
    fn small_classes_are_joined() {
        let (own, rest) = (Pentanomial([0, 12, 0, 7, 1]), Pentanomial([1, 7, 0, 9, 3]));
        let found = homogeneity(own, rest).expect("enough");
        assert_eq!(found.freedom, 1);
        assert!(close(found.chi2, 1.6), "{}", found.chi2);
        assert_eq!(homogeneity(own, Pentanomial([0, 0, 4, 0, 0])), None);
        assert_eq!(
            homogeneity(Pentanomial([0, 0, 99, 0, 0]), Pentanomial([0, 0, 99, 0, 0])),
            None
        );
    }

    #[test]
    fn a_worker_that_always_wins_is_far_off() {
        let found = homogeneity(Pentanomial([0, 0, 0, 0, 32]), Pentanomial([2, 9, 30, 9, 2]));
        let found = found.expect("enough");
        assert!(found.p < 1e-12, "{found:?}");
    }

    /// Fisher's tea: 3 of 4 and 4 of 4 guessed right, 17/70 and 1/70 (The Design of Experiments, 1935).
    #[test]
    fn shares_by_chance() {
        let share = |some, of| CountShare { some, of };
        assert!(close(
            more_than_its_share(share(3, 4), share(1, 4)),
            17.0 / 70.0
        ));
        assert!(close(
            more_than_its_share(share(4, 4), share(0, 4)),
            1.0 / 70.0
        ));
        assert!(close(more_than_its_share(share(0, 9), share(5, 9)), 1.0));
        let many = more_than_its_share(share(30, 100), share(5, 100_000));
        assert!(many < 1e-40 && many > 0.0, "{many}");
    }
}
