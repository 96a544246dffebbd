//! A rating from the score in a suite, by a linear regression of ratings on scores.
//!
//! The number is as good as the regression: it holds for the suite, the limits and the machine that
//! the regression was made with, and within the range of its scores.

use std::f64::consts::PI;

use serde::Serialize;

use super::ledger::{PositionState, Trial};
use super::plan::RunCase;
use super::statistics::to_f64;

/// Slope and intercept that STS-Rating uses, from its source `sts_rating.py` (Ferdinand Mosca,
/// <https://github.com/fsmosca/STS-Rating>): an estimate of the rating on the list CCRL 40/4.
const STS: [f64; 2] = [44.523, -242.85];
/// Number of positions and of points of `STS1-STS15_LAN_v3.epd`, which STS-Rating rates by.
const STS_SUITE: (usize, u64) = (1500, 15_000);
/// Two-sided normal quantile of 95%.
const NORMAL: f64 = 1.959_964;

/// A linear regression of ratings on scores in percent.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Regression {
    /// That of STS-Rating.
    Sts,
    /// Slope and intercept of the command line.
    Line([f64; 2]),
    /// Fitted to the scores and ratings of a file.
    Fit(LeastSquaresFit),
}

/// A least-squares fit.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct LeastSquaresFit {
    /// The file.
    source: String,
    points: usize,
    slope: f64,
    intercept: f64,
    /// Standard deviation of the ratings about the line.
    residual: f64,
    mean_score: f64,
    /// Sum of the squared deviations of the scores.
    spread: f64,
    /// The smallest and the largest score.
    range: [f64; 2],
    r_squared: f64,
}

/// Why a regression cannot be fitted.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub(crate) enum FitError {
    #[error("{line}:{column}: '{text}' is not a number")]
    Number {
        line: u64,
        column: usize,
        text: String,
    },
    #[error("line {line}: a score of {score} is not a percentage from 0 to 100")]
    Score { line: u64, score: f64 },
    #[error("line 1: expected columns 'score' and 'elo', found '{found}'")]
    Columns { found: String },
    #[error("{points} rows, expected at least 3 with different scores")]
    TooFew { points: usize },
    #[error("{0}")]
    Csv(String),
}

impl LeastSquaresFit {
    /// Fits a line to a CSV file with the columns `score` (percent) and `elo`.
    pub(crate) fn read(source: &str, text: &str) -> Result<Self, FitError> {
        let mut reader = csv::ReaderBuilder::new()
            .trim(csv::Trim::All)
            .from_reader(text.as_bytes());
        let fail = |error: csv::Error| FitError::Csv(error.to_string());
        let head = reader.headers().map_err(fail)?.clone();
        let column = |name: &str| head.iter().position(|one| one.eq_ignore_ascii_case(name));
        let (Some(scores), Some(ratings)) = (column("score"), column("elo")) else {
            let found = head.iter().collect::<Vec<_>>().join(",");
            return Err(FitError::Columns { found });
        };
        let mut points = Vec::new();
        for row in reader.records() {
            let row = row.map_err(fail)?;
            let line = row.position().map_or(0, csv::Position::line);
            let number = |column: usize| {
                let text = &row[column];
                let number = text.trim_end_matches('%').parse::<f64>().ok();
                number
                    .filter(|number| number.is_finite())
                    .ok_or_else(|| FitError::Number {
                        line,
                        column: column + 1,
                        text: text.to_owned(),
                    })
            };
            let (score, elo) = (number(scores)?, number(ratings)?);
            if !(0.0..=100.0).contains(&score) {
                return Err(FitError::Score { line, score });
            }
            points.push((score, elo));
        }
        Self::new(source, &points)
    }

    fn new(source: &str, points: &[(f64, f64)]) -> Result<Self, FitError> {
        let count = to_f64(points.len() as u64);
        let mean = |value: fn(&(f64, f64)) -> f64| points.iter().map(value).sum::<f64>() / count;
        let (mean_score, mean_elo) = (mean(|point| point.0), mean(|point| point.1));
        let sum = |value: &dyn Fn(f64, f64) -> f64| -> f64 {
            let deviations = points.iter();
            let deviations =
                deviations.map(|(score, elo)| value(score - mean_score, elo - mean_elo));
            deviations.sum()
        };
        let spread = sum(&|score, _| score * score);
        if points.len() < 3 || spread < 1e-9 {
            let points = points.len();
            return Err(FitError::TooFew { points });
        }
        let slope = sum(&|score, elo| score * elo) / spread;
        let squares = sum(&|score, elo| (elo - slope * score).powi(2));
        let total = sum(&|_, elo| elo * elo);
        let scores = || points.iter().map(|point| point.0);
        Ok(Self {
            source: source.to_owned(),
            points: points.len(),
            slope,
            intercept: mean_elo - slope * mean_score,
            residual: (squares / (count - 2.0)).sqrt(),
            mean_score,
            spread,
            range: [
                scores().fold(f64::INFINITY, f64::min),
                scores().fold(f64::NEG_INFINITY, f64::max),
            ],
            r_squared: if total > 0.0 {
                1.0 - squares / total
            } else {
                1.0
            },
        })
    }

    /// Half the width of the 95% interval of prediction: where the rating of another engine lies,
    /// whose score in the suite has a standard error.
    fn prediction(&self, score: f64, standard_error: f64) -> f64 {
        let count = to_f64(self.points as u64);
        let leverage = 1.0 + 1.0 / count + (score - self.mean_score).powi(2) / self.spread;
        let regression = student_t(self.points - 2) * self.residual * leverage.sqrt();
        // The score rests on many positions: its error is normal, that of few engines is not.
        regression.hypot(NORMAL * self.slope * standard_error)
    }
}

/// The estimated rating of an engine.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub(crate) struct Rating {
    pub(crate) elo: f64,
    /// Half the width of the 95% interval.
    pub(crate) error: f64,
    /// Points as a percentage of the maximum; without points, the positions solved.
    pub(crate) score_percent: f64,
    pub(crate) slope: f64,
    pub(crate) intercept: f64,
    /// What the number rests on.
    pub(crate) rests_on: String,
    /// What the interval covers.
    pub(crate) covers: &'static str,
    /// Reasons not to trust it.
    pub(crate) warnings: Vec<String>,
}

/// The score of an engine, and its standard error if the positions are a sample of their kind.
struct RatingSample {
    percent: f64,
    standard_error: f64,
    positions: usize,
    most_points: u64,
}

impl RatingSample {
    /// `None` if nothing was searched.
    fn new(trial: &Trial, cases: &[RunCase]) -> Option<Self> {
        let has_points = cases.iter().any(|case| case.goal.points.is_some());
        let searched: Vec<usize> = trial.searched().collect();
        let results = searched.iter().filter_map(|&case| {
            if has_points {
                return trial.points(cases, case);
            }
            let is_solved = trial.state(case) == PositionState::Solved;
            Some((u64::from(is_solved), 1))
        });
        let results: Vec<(f64, f64)> = results
            .map(|(points, most)| (to_f64(points), to_f64(most)))
            .collect();
        let count = to_f64(results.len() as u64);
        let [points, most] = results
            .iter()
            .fold([0.0, 0.0], |[sum, all], (points, most)| {
                [sum + points, all + most]
            });
        if most <= 0.0 {
            return None;
        }
        // The standard error of a ratio of sums over a sample of positions.
        let share = points / most;
        let squares: f64 = results
            .iter()
            .map(|(points, most)| (points - share * most).powi(2))
            .sum();
        let standard_error = if results.len() > 1 {
            let scatter = (squares * count / (count - 1.0)).sqrt() / most;
            // If all or none are solved, the sample has no scatter. The rule of three bounds the share
            // of the others by 3 / n with a confidence of 95%.
            if scatter > 0.0 {
                scatter
            } else {
                3.0 / count / 1.96
            }
        } else {
            f64::INFINITY
        };
        #[expect(
            clippy::cast_possible_truncation,
            clippy::cast_sign_loss,
            reason = "a sum of small counts"
        )]
        let most_points = if has_points { most as u64 } else { 0 };
        Some(Self {
            percent: 100.0 * share,
            standard_error: 100.0 * standard_error,
            positions: results.len(),
            most_points,
        })
    }
}

impl Regression {
    /// Estimates the rating of an engine; `None` if nothing was searched. `repeat` is the number of
    /// searches of each position.
    pub(crate) fn rate(&self, trial: &Trial, cases: &[RunCase], repeat: usize) -> Option<Rating> {
        let sample = RatingSample::new(trial, cases)?;
        let score = sample.percent;
        let mut warnings = Vec::new();
        if sample.positions < cases.len() {
            let missing = cases.len() - sample.positions;
            warnings.push(format!(
                "{missing} positions were not searched or have no points"
            ));
        }
        let (line, rests_on, covers) = match self {
            Self::Sts => {
                let points = sample.most_points / repeat.max(1) as u64;
                let (positions, most) = STS_SUITE;
                if (sample.positions, points) != STS_SUITE {
                    warnings.push(format!(
                        "the regression is for {positions} positions with {most} points, these \
                         are {} with {points}",
                        sample.positions
                    ));
                }
                let rests_on = "STS-Rating by Ferdinand Mosca, an estimate for CCRL 40/4: suite \
                                STS1-STS15_LAN_v3.epd, one thread, 200 ms per position on an Intel \
                                i7-2600K, other machines in proportion. Its engines, range and \
                                scatter are not published";
                (STS, rests_on.to_owned(), SAMPLING)
            }
            Self::Line(line) => {
                let rests_on = "slope and intercept of the command line".to_owned();
                (*line, rests_on, SAMPLING)
            }
            Self::Fit(fit) => {
                let [least, most] = fit.range;
                if !(least..=most).contains(&score) {
                    warnings.push(format!(
                        "extrapolated: the scores of the regression are {least:.1}% to {most:.1}%"
                    ));
                }
                let rests_on = format!(
                    "least squares over {} engines of {}: R² = {:.3}, scatter {:.0} Elo",
                    fit.points, fit.source, fit.r_squared, fit.residual
                );
                ([fit.slope, fit.intercept], rests_on, PREDICTION)
            }
        };
        let [slope, intercept] = line;
        if slope <= 0.0 {
            warnings.push("a better score gives a lower rating".to_owned());
        }
        let error = match self {
            Self::Fit(fit) => fit.prediction(score, sample.standard_error),
            _ => NORMAL * slope.abs() * sample.standard_error,
        };
        if !error.is_finite() {
            return None;
        }
        Some(Rating {
            elo: slope * score + intercept,
            error,
            score_percent: score,
            slope,
            intercept,
            rests_on,
            covers,
            warnings,
        })
    }
}

const SAMPLING: &str = "the choice of positions alone, not the error of the regression";
const PREDICTION: &str =
    "the choice of positions, the regression, and the scatter of engines about it";

/// The quantile of Student's t distribution that leaves 5% on both sides together.
fn student_t(freedom: usize) -> f64 {
    // Bisection: the quantile falls from 12.71 with one degree of freedom to 1.96.
    let (mut low, mut high) = (1.9, 13.0);
    for _ in 0..60 {
        let middle = f64::midpoint(low, high);
        if student_within(middle, freedom) < 0.95 {
            low = middle;
        } else {
            high = middle;
        }
    }
    low
}

/// Probability that |T| < t, by the finite series of Abramowitz and Stegun, 26.7.3 and 26.7.4.
fn student_within(t: f64, freedom: usize) -> f64 {
    let angle = (t / to_f64(freedom as u64).sqrt()).atan();
    let (sine, cosine) = angle.sin_cos();
    let is_odd = freedom % 2 == 1;
    let (mut term, mut power) = (1.0, if is_odd { cosine } else { 1.0 });
    let mut sum = 0.0;
    let first = if is_odd { 3 } else { 2 };
    // One term for every second degree of freedom below this one.
    for degree in (first..=freedom).step_by(2) {
        sum += term * power;
        term *= to_f64(degree as u64 - 1) / to_f64(degree as u64);
        power *= cosine * cosine;
    }
    if is_odd {
        2.0 / PI * (angle + sine * sum)
    } else {
        sine * sum
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Student's table, 95% two-sided, as printed in every textbook.
    #[test]
    fn quantiles_are_those_of_the_table() {
        let freedoms = [1, 2, 3, 4, 5, 10, 29, 30, 120];
        let quantiles = [
            12.706, 4.303, 3.182, 2.776, 2.571, 2.228, 2.045, 2.042, 1.980,
        ];
        for (freedom, expected) in freedoms.into_iter().zip(quantiles) {
            let found = student_t(freedom);
            assert!((found - expected).abs() < 6e-4, "{freedom}: {found}");
        }
    }

    /// Anscombe's first data set (1973): slope 0.500, intercept 3.00, R² 0.667.
    #[test]
    fn fits_agree_with_anscombe() {
        let x = [10.0, 8.0, 13.0, 9.0, 11.0, 14.0, 6.0, 4.0, 12.0, 7.0, 5.0];
        let y = [
            8.04, 6.95, 7.58, 8.81, 8.33, 9.96, 7.24, 4.26, 10.84, 4.82, 5.68,
        ];
        let rows = x.iter().zip(&y).map(|(x, y)| format!("{x},{y}\n"));
        let text = "score,elo\n".to_owned() + &rows.collect::<String>();
        let fit = LeastSquaresFit::read("a.csv", &text).expect("a fit");
        // At the mean of the scores, and with an exact score: t(9) * s * sqrt(1 + 1/11).
        let at_mean = 2.262 * 1.2366 * 1.04447;
        for (found, expected) in [
            (fit.slope, 0.500),
            (fit.intercept, 3.000),
            (fit.r_squared, 0.667),
            (fit.residual, 1.237),
            (fit.range[0], 4.0),
            (fit.range[1], 14.0),
            (fit.prediction(9.0, 0.0), at_mean),
        ] {
            assert!((found - expected).abs() < 0.001, "{expected}: {fit:?}");
        }
        assert!(fit.prediction(14.0, 0.0) > fit.prediction(9.0, 0.0));
        assert!(fit.prediction(9.0, 1.0) > fit.prediction(9.0, 0.0));
    }

    #[test]
    fn files_that_give_no_regression() {
        let few = "rows, expected at least 3 with different scores";
        for (text, expected) in [
            (
                "a,b\n1,2\n",
                "line 1: expected columns 'score' and 'elo', found 'a,b'",
            ),
            ("score,elo\n50,x\n", "2:2: 'x' is not a number"),
            (
                "elo,score\n2000,150\n",
                "line 2: a score of 150 is not a percentage from 0 to 100",
            ),
            (
                "score,elo\n50,2000\n50,2100\n50,2200\n",
                &format!("3 {few}"),
            ),
            ("score,elo\n50,2000\n", &format!("1 {few}")),
        ] {
            let error = LeastSquaresFit::read("a.csv", text).unwrap_err();
            assert_eq!(error.to_string(), expected);
        }
    }
}
