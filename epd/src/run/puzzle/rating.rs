//! The puzzle rating of an engine by maximum likelihood.
//!
//! A puzzle is a player whom the engine beats or loses to. The expected result is that of Glicko
//! (Mark E. Glickman, "The Glicko system"): `E = 1 / (1 + 10^(-g (R - r) / 400))` with the puzzle's
//! rating r, and `g` below 1 for an uncertain one. The rating R maximises the likelihood of all
//! results; its interval holds every R whose likelihood is not significantly lower.

use std::f64::consts::{LN_10, PI};

use serde::Serialize;

/// Half the 95% quantile of the chi-squared distribution with one degree of freedom: the drop of
/// the log-likelihood at the bounds of the interval.
const DROP: f64 = 3.841_458_820_694_124 / 2.0;

/// Ratings are looked for between these: no puzzle is near them.
const LOWEST: f64 = -5000.0;
const HIGHEST: f64 = 15_000.0;

/// Steps of a bisection: far below a thousandth of a point.
const STEPS: u32 = 60;

/// A puzzle and its result.
#[derive(Clone, Copy, Debug)]
pub(crate) struct PuzzleResult {
    pub(crate) rating: u32,
    /// Rating deviation; 0 if it is not known.
    pub(crate) deviation: u32,
    pub(crate) is_solved: bool,
}

/// A rating with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct PuzzleRating {
    /// `None` if all were solved, or none: then there is no finite maximum.
    pub(crate) rating: Option<f64>,
    /// `None` if none was solved.
    pub(crate) lower: Option<f64>,
    /// `None` if all were solved.
    pub(crate) upper: Option<f64>,
}

/// Estimates the rating; `None` without a result.
pub(crate) fn estimate(results: &[PuzzleResult]) -> Option<PuzzleRating> {
    if results.is_empty() {
        return None;
    }
    let solved = results.iter().filter(|one| one.is_solved).count();
    let rating = match solved {
        0 => LOWEST,
        all if all == results.len() => HIGHEST,
        // The slope of the log-likelihood falls, so it is 0 in one place.
        _ => bisect(LOWEST, HIGHEST, |rating| slope(results, rating) > 0.0),
    };
    let least = log_likelihood(results, rating) - DROP;
    let is_likely = |rating| log_likelihood(results, rating) >= least;
    let lower = bisect(LOWEST, rating, |rating| !is_likely(rating));
    let upper = bisect(rating, HIGHEST, is_likely);
    // A tenth of a point is more than anybody can use, and the same on every machine.
    let rounded = |rating: f64| (rating * 10.0).round() / 10.0;
    let (rating, lower, upper) = (rounded(rating), rounded(lower), rounded(upper));
    Some(PuzzleRating {
        rating: (solved > 0 && solved < results.len()).then_some(rating),
        lower: (solved > 0).then_some(lower),
        upper: (solved < results.len()).then_some(upper),
    })
}

/// The place between two numbers up to which a condition holds.
fn bisect(mut low: f64, mut high: f64, holds: impl Fn(f64) -> bool) -> f64 {
    for _ in 0..STEPS {
        let middle = f64::midpoint(low, high);
        if holds(middle) {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Glicko's factor for an uncertain rating, and the steepness of the expected result.
fn steepness(one: &PuzzleResult) -> f64 {
    let q = LN_10 / 400.0;
    let deviation = f64::from(one.deviation);
    let g = 1.0 / (1.0 + 3.0 * (q * deviation / PI).powi(2)).sqrt();
    g * q
}

/// The derivative of the log-likelihood.
fn slope(results: &[PuzzleResult], rating: f64) -> f64 {
    let of_one = |one: &PuzzleResult| {
        let steepness = steepness(one);
        let expected = 1.0 / (1.0 + (-steepness * (rating - f64::from(one.rating))).exp());
        steepness * (f64::from(u8::from(one.is_solved)) - expected)
    };
    results.iter().map(of_one).sum()
}

fn log_likelihood(results: &[PuzzleResult], rating: f64) -> f64 {
    let of_one = |one: &PuzzleResult| {
        let lead = steepness(one) * (rating - f64::from(one.rating));
        let lead = if one.is_solved { lead } else { -lead };
        // ln(1 / (1 + e^-x)), without overflow.
        if lead > 0.0 {
            -(-lead).exp().ln_1p()
        } else {
            lead - lead.exp().ln_1p()
        }
    };
    results.iter().map(of_one).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn results(rows: &[(u32, u32, usize, usize)]) -> Vec<PuzzleResult> {
        let rows = rows.iter().flat_map(|&(rating, deviation, solved, of)| {
            (0..of).map(move |index| PuzzleResult {
                rating,
                deviation,
                is_solved: index < solved,
            })
        });
        rows.collect()
    }

    fn rounded(rows: &[(u32, u32, usize, usize)]) -> [Option<i64>; 3] {
        #[expect(clippy::cast_possible_truncation, reason = "ratings are small")]
        let round = |value: Option<f64>| value.map(|value| value.round() as i64);
        let found = estimate(&results(rows)).expect("there are results");
        [found.rating, found.lower, found.upper].map(round)
    }

    /// With puzzles of one rating, 400 log10(solved / failed) is the lead, as of any Elo rating.
    #[test]
    fn equal_puzzles_give_the_elo_formula() {
        for (solved, of, lead) in [(50, 100, 0), (75, 100, 191), (10, 11, 400), (1, 11, -400)] {
            assert_eq!(rounded(&[(1500, 0, solved, of)])[0], Some(1500 + lead));
        }
        // An uncertain puzzle says less: g(200) = 0.8442 (an example of Glickman has 0.9955 for 30).
        assert_eq!(rounded(&[(1500, 200, 75, 100)])[0], Some(1726));
        let g = steepness(&results(&[(0, 30, 0, 1)])[0]) * 400.0 / LN_10;
        assert!((g - 0.9955).abs() < 5e-5, "{g}");
    }

    #[test]
    fn intervals_are_those_of_the_likelihood_ratio() {
        // A binomial proportion of 75 in 100 has the likelihood interval 0.6597 to 0.8279.
        let odds = |p: f64| 400.0 * (p / (1.0 - p)).log10();
        let [_, lower, upper] = rounded(&[(0, 0, 75, 100)]);
        for (found, p) in [(lower, 0.6597), (upper, 0.8279)] {
            let found = found.expect("it has one");
            #[expect(clippy::cast_precision_loss, reason = "it is small")]
            let difference = found as f64 - odds(p);
            assert!(difference.abs() < 1.0, "{found} {}", odds(p));
        }
    }

    #[test]
    fn all_or_none_bound_the_rating_on_one_side() {
        // 0.5 to the tenth is far below the bound; e^-1.92 = 0.1465 = p^10 gives p = 0.8252.
        assert_eq!(rounded(&[(1500, 0, 10, 10)]), [None, Some(1770), None]);
        assert_eq!(rounded(&[(1500, 0, 0, 10)]), [None, None, Some(1230)]);
        assert_eq!(estimate(&[]), None);
    }

    #[test]
    fn ratings_of_simulated_engines_are_found() {
        // Of each rating as many as expected of an engine of 1800.
        let rows: Vec<_> = (10..28)
            .map(|hundred| {
                let rating = hundred * 100;
                let expected = 1.0 / (1.0 + 10_f64.powf((f64::from(rating) - 1800.0) / 400.0));
                #[expect(
                    clippy::cast_possible_truncation,
                    clippy::cast_sign_loss,
                    reason = "it is from 0 to 1000"
                )]
                let solved = (expected * 1000.0).round() as usize;
                (rating, 0, solved, 1000)
            })
            .collect();
        let [rating, lower, upper] = rounded(&rows);
        assert_eq!(rating, Some(1800));
        assert!(
            lower > Some(1790) && upper < Some(1810),
            "{lower:?} {upper:?}"
        );
    }
}
