//! Strength from counts: Elo, normalised Elo, LOS and ratios, with 95% intervals.

use serde::Serialize;

use super::counts::{Counts, Distribution};
use super::elo::{self, NELO_PER_DEVIATION};
use super::number::{digits, to_f64};
use super::numeric::{self, Z_95};

/// A number with its 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The estimate itself.
    #[serde(serialize_with = "digits")]
    pub value: f64,
    /// The lower end of the interval.
    #[serde(serialize_with = "digits")]
    pub lower: f64,
    /// The upper end of the interval.
    #[serde(serialize_with = "digits")]
    pub upper: f64,
}

impl Estimate {
    /// An estimate whose interval extends by `error` to both sides.
    pub const fn around(value: f64, error: f64) -> Self {
        Self {
            value,
            lower: value - error,
            upper: value + error,
        }
    }

    /// Half the width of the interval.
    pub fn error(&self) -> f64 {
        (self.upper - self.lower) / 2.0
    }

    /// The proportion of `hits` in `trials` with Wilson's interval (E. B. Wilson, "Probable
    /// inference", Journal of the American Statistical Association 22, 1927). `None` without
    /// trials.
    pub fn of_chance(hits: u64, trials: u64) -> Option<Self> {
        if trials == 0 {
            return None;
        }
        let (hits, trials) = (to_f64(hits), to_f64(trials));
        let chance = hits / trials;
        let z2 = Z_95 * Z_95 / trials;
        let middle = (chance + z2 / 2.0) / (1.0 + z2);
        let within = chance * (1.0 - chance) / trials + z2 / (4.0 * trials);
        let reach = Z_95 * libm::sqrt(within) / (1.0 + z2);
        Some(Self {
            value: chance,
            // Rounding must not leave the estimate outside of its interval.
            lower: (middle - reach).max(0.0).min(chance),
            upper: (middle + reach).min(1.0).max(chance),
        })
    }

    /// Converts probabilities to odds, `p / (1 - p)`; infinite at 1.
    fn to_odds(self) -> Self {
        let odds = |chance: f64| chance / (1.0 - chance);
        Self {
            value: odds(self.value),
            lower: odds(self.lower),
            upper: odds(self.upper),
        }
    }
}

/// The strength of the first engine according to the counts.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Summary {
    /// Number of games.
    pub games: u64,
    /// Points per game.
    pub score: f64,
    /// Logistic Elo.
    pub elo: Estimate,
    /// Normalised Elo.
    pub nelo: Estimate,
    /// LOS, the likelihood of superiority: the probability that the first engine is the stronger
    /// one, given only these counts.
    pub los: f64,
    /// The draw ratio of games; for pairs, the proportion of even pairs.
    pub draw_ratio: Estimate,
    /// The pair ratio: pairs won (more than one point) per pair lost; without pairs, games won per
    /// game lost. Infinite if none is lost; `None` if all are even.
    pub pairs_ratio: Option<Estimate>,
}

impl Summary {
    /// `None` without any game.
    ///
    /// Elo, normalised Elo and LOS are those of fishtest: normal approximations for the mean of the
    /// points, and for their t-value ("Comments on Normalized Elo"). For these, empty cells count
    /// as [`crate::stats::EMPTY_CELL`] and scores are clamped to 0.001 to 0.999. The ratios are computed
    /// from the plain counts, with Wilson's interval.
    pub fn from_counts(counts: &Counts) -> Option<Self> {
        let [lost, nearly_lost, even, nearly_won, won] = counts.cells();
        let (lost, won) = (lost + nearly_lost, nearly_won + won);
        let draw_ratio = Estimate::of_chance(even, counts.samples())?;
        let observed = Distribution::from_counts(counts);
        let (mean, variance) = observed.mean_and_variance();
        // The standard error of the mean, per pair or per game alike.
        let deviation = libm::sqrt(variance / observed.samples);
        Some(Self {
            games: counts.games(),
            score: points(counts) / to_f64(counts.games()),
            elo: Estimate {
                value: elo::from_score(mean),
                lower: elo::from_score(mean - Z_95 * deviation),
                upper: elo::from_score(mean + Z_95 * deviation),
            },
            nelo: nelo(&observed),
            los: numeric::cdf((mean - 0.5) / deviation),
            draw_ratio,
            pairs_ratio: Estimate::of_chance(won, won + lost).map(Estimate::to_odds),
        })
    }
}

fn points(counts: &Counts) -> f64 {
    let quarters = (0..)
        .zip(counts.cells())
        .map(|(points, count): (u64, u64)| points * count);
    to_f64(quarters.sum()) / 4.0 * f64::from(counts.games_per_sample())
}

/// "Comments on Normalized Elo": the variance of a t-value has terms for the mean, for the
/// deviation, and for both.
fn nelo(observed: &Distribution) -> Estimate {
    let (mean, variance) = observed.mean_and_variance();
    let deviation = libm::sqrt(variance);
    let t = (mean - 0.5) / deviation;
    let skewness = observed.central_moment(3) / (variance * deviation);
    let kurtosis = observed.central_moment(4) / (variance * variance);
    // Rounding must not make a variance negative.
    let spread = (1.0 - t * skewness + 0.25 * t * t * (kurtosis - 1.0)).max(0.0);
    let unit = NELO_PER_DEVIATION / libm::sqrt(observed.games_per_sample);
    let error = unit * Z_95 * libm::sqrt(spread / observed.samples);
    Estimate::around(unit * t, error)
}
