//! Models that turn centipawns into results, their fit, and the loss of a prediction.
//!
//! - Logistic: White's expected points are 1 / (1 + exp(-cp / scale)). Texel's K is 400 / (scale ln 10).
//! - WDL: White wins with probability 1 / (1 + exp(-(cp - draw) / scale)), Black with that of -cp; the
//!   rest is drawn. An ordered logit model with symmetric thresholds; Stockfish's WDL model has the
//!   same form, with a scale and a draw margin that depend on material.
//!
//! Both log likelihoods are concave, so a fit has one maximum.

use std::collections::BTreeMap;

use serde::Serialize;

use crate::eval::data::GameResult;

/// Predictions are at least this far from certainty: a single lost game that was judged as won
/// must not outweigh thousands of others.
pub(crate) const CERTAINTY: f64 = 0.001;

/// Bounds of 1 / scale, per centipawn; 0 means that the scores say nothing.
const STEEPEST: f64 = 1.0;
/// Most iterations of a fit; it needs about ten.
const MOST_STEPS: usize = 100;

#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, clap::ValueEnum)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ModelKind {
    /// Expected points by a logistic curve; one parameter, its scale
    Logistic,
    /// Wins, draws and losses: a scale and a draw margin
    Wdl,
}

/// A fitted model.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct FittedModel {
    kind: ModelKind,
    /// 1 / scale, per centipawn.
    steepness: f64,
    /// The draw margin, in units of the scale; 0 for the logistic model.
    margin: f64,
}

/// The numbers of games by score and result.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResultCounts(BTreeMap<i16, [u32; GameResult::COUNT]>);

impl ResultCounts {
    pub(crate) fn add(&mut self, cp: i16, result: GameResult) {
        self.0.entry(cp).or_default()[result as usize] += 1;
    }

    /// Score, result, and how often they occur.
    fn all(&self) -> impl Iterator<Item = (f64, GameResult, f64)> + '_ {
        use GameResult::{BlackWins, Draw, WhiteWins};
        let results = [BlackWins, Draw, WhiteWins];
        self.0.iter().flat_map(move |(&cp, counts)| {
            let met = results.into_iter().zip(counts);
            met.map(move |(result, &count)| (f64::from(cp), result, f64::from(count)))
        })
    }

    /// How many games had this result.
    pub(crate) fn games(&self, result: GameResult) -> u64 {
        self.0
            .values()
            .map(|counts| u64::from(counts[result as usize]))
            .sum()
    }
}

impl FittedModel {
    /// The logistic model of a known scale, in centipawns.
    pub(crate) const fn logistic(scale_cp: f64) -> Self {
        Self {
            kind: ModelKind::Logistic,
            steepness: 1.0 / scale_cp,
            margin: 0.0,
        }
    }

    /// The model of greatest likelihood. Scores that do not go with the results get a steepness of
    /// 0: every position is then predicted alike.
    pub(crate) fn fit(kind: ModelKind, counts: &ResultCounts) -> Self {
        let logistic = Self {
            kind: ModelKind::Logistic,
            steepness: fit_logistic(counts),
            margin: 0.0,
        };
        match kind {
            ModelKind::Logistic => logistic,
            ModelKind::Wdl => fit_wdl(counts, logistic.steepness),
        }
    }

    /// Centipawns for a factor e in the odds; `None` if the scores say nothing.
    pub(crate) fn scale_cp(self) -> Option<f64> {
        (self.steepness > 0.0).then(|| 1.0 / self.steepness)
    }

    /// Whether the scores are too few, or not in centipawns, for the scale to have a meaning.
    pub(crate) fn is_at_bound(self) -> bool {
        self.steepness >= STEEPEST
    }

    /// Texel's K: 10 ^ (K cp / 400) are the odds.
    pub(crate) fn k(self) -> f64 {
        self.steepness * 400.0 / std::f64::consts::LN_10
    }

    /// The score from which a win is more likely than not, in centipawns; for the WDL model only.
    pub(crate) fn draw_margin_cp(self) -> Option<f64> {
        let scale = self.scale_cp().filter(|_| self.kind == ModelKind::Wdl);
        scale.map(|scale| self.margin * scale)
    }

    /// The probabilities of a win of Black, a draw, a win of White. Those of the logistic model have
    /// no draws.
    fn probabilities(self, cp: f64) -> [f64; 3] {
        let place = self.steepness * cp;
        let white = logistic(place - self.margin);
        let black = logistic(-place - self.margin);
        [black, (1.0 - white - black).max(0.0), white]
    }

    /// White's expected points.
    pub(crate) fn expectation(self, cp: i16) -> f64 {
        let [_, draw, white] = self.probabilities(f64::from(cp));
        white + draw / 2.0
    }

    /// The cross-entropy of a prediction and a result, in nats. A draw is half a win and half a loss
    /// to the logistic model.
    pub(crate) fn log_loss(self, cp: i16, result: GameResult) -> f64 {
        let bounded = |p: f64| p.clamp(CERTAINTY, 1.0 - CERTAINTY);
        match self.kind {
            ModelKind::Logistic => {
                let expectation = bounded(self.expectation(cp));
                let points = result.points();
                -(points * expectation.ln() + (1.0 - points) * (1.0 - expectation).ln())
            }
            ModelKind::Wdl => -bounded(self.probabilities(f64::from(cp))[result as usize]).ln(),
        }
    }

    /// The squared difference of expected and actual points.
    pub(crate) fn squared_loss(self, cp: i16, result: GameResult) -> f64 {
        (self.expectation(cp) - result.points()).powi(2)
    }
}

fn logistic(x: f64) -> f64 {
    1.0 / (1.0 + (-x).exp())
}

/// The root of the derivative of the likelihood, which falls with the steepness, by bisection.
fn fit_logistic(counts: &ResultCounts) -> f64 {
    let slope = |steepness: f64| {
        let terms = counts
            .all()
            .map(|(cp, result, count)| count * cp * (result.points() - logistic(steepness * cp)));
        terms.sum::<f64>()
    };
    // A likelihood that falls from 0 on has its maximum there.
    if slope(0.0) <= 0.0 {
        return 0.0;
    }
    let (mut low, mut high) = (0.0, STEEPEST);
    if slope(high) >= 0.0 {
        return high;
    }
    for _ in 0..MOST_STEPS {
        let middle = f64::midpoint(low, high);
        if slope(middle) > 0.0 {
            low = middle;
        } else {
            high = middle;
        }
    }
    f64::midpoint(low, high)
}

/// Fisher scoring with halved steps, from the logistic fit and the share of draws.
fn fit_wdl(counts: &ResultCounts, steepness: f64) -> FittedModel {
    let games: f64 = counts.all().map(|(_, _, count)| count).sum();
    let draws = f64::from(u32::try_from(counts.games(GameResult::Draw)).unwrap_or(u32::MAX));
    // Limited, since without a draw, or with nothing but draws, the margin would be 0 or infinite.
    let decided = ((games - draws) / games / 2.0).clamp(0.01, 0.49);
    let mut model = FittedModel {
        kind: ModelKind::Wdl,
        steepness,
        // At 0 centipawns, each side then wins its share of the games that are not drawn.
        margin: ((1.0 - decided) / decided).ln(),
    };
    let likelihood = |model: FittedModel| {
        let terms = counts.all().map(|(cp, result, count)| {
            count * model.probabilities(cp)[result as usize].max(1e-12).ln()
        });
        terms.sum::<f64>()
    };
    let mut best = likelihood(model);
    for _ in 0..MOST_STEPS {
        let [along, across] = wdl_step(counts, model);
        let mut size = 1.0;
        let improved = loop {
            let tried = FittedModel {
                steepness: (model.steepness + size * along).clamp(0.0, STEEPEST),
                margin: (model.margin + size * across).clamp(1e-3, 50.0),
                ..model
            };
            let found = likelihood(tried);
            if found > best {
                break Some((tried, found));
            }
            size /= 2.0;
            if size < 1e-6 {
                break None;
            }
        };
        let Some((tried, found)) = improved else {
            break;
        };
        let gain = found - best;
        (model, best) = (tried, found);
        if gain < 1e-9 * games {
            break;
        }
    }
    model
}

/// The step of Fisher scoring for steepness and margin.
fn wdl_step(counts: &ResultCounts, model: FittedModel) -> [f64; 2] {
    let (mut gradient, mut information) = ([0.0; 2], [0.0; 3]);
    for (cp, result, count) in counts.all() {
        let probabilities = model.probabilities(cp);
        let [black, _, white] = probabilities;
        // The derivatives of each probability by steepness and margin.
        let of_white = [white * (1.0 - white) * cp, -white * (1.0 - white)];
        let of_black = [-black * (1.0 - black) * cp, -black * (1.0 - black)];
        let of_draw = [0, 1].map(|by| -of_white[by] - of_black[by]);
        let derivatives = [of_black, of_draw, of_white];
        let met = result as usize;
        for by in 0..2 {
            gradient[by] += count * derivatives[met][by] / probabilities[met].max(1e-12);
        }
        for (p, [first, second]) in probabilities.into_iter().zip(derivatives) {
            // The expected information (Fisher scoring) is never negative, unlike the observed one.
            let weight = count / p.max(1e-12);
            information[0] += weight * first * first;
            information[1] += weight * first * second;
            information[2] += weight * second * second;
        }
    }
    // The inverse of a symmetric matrix of two rows, times the gradient.
    let [first, mixed, second] = information;
    let determinant = first * second - mixed * mixed;
    // Without a spread of the scores, the two cannot be distinguished.
    if determinant.abs() < 1e-12 {
        return [0.0; 2];
    }
    let along = (second * gradient[0] - mixed * gradient[1]) / determinant;
    let across = (first * gradient[1] - mixed * gradient[0]) / determinant;
    [along, across]
}

#[cfg(test)]
mod tests {
    use super::*;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    /// Games played by a WDL model.
    fn games(scale: f64, draw: f64, count: usize) -> ResultCounts {
        let model = FittedModel {
            kind: ModelKind::Wdl,
            steepness: 1.0 / scale,
            margin: draw / scale,
        };
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let mut counts = ResultCounts::default();
        for _ in 0..count {
            let cp = random.random_range(-600..=600_i16);
            let [black, draw, _] = model.probabilities(f64::from(cp));
            let chance: f64 = random.random();
            let result = if chance < black {
                GameResult::BlackWins
            } else if chance < black + draw {
                GameResult::Draw
            } else {
                GameResult::WhiteWins
            };
            counts.add(cp, result);
        }
        counts
    }

    #[test]
    fn parameters_are_found_again() {
        let counts = games(120.0, 90.0, 200_000);
        let fitted = FittedModel::fit(ModelKind::Wdl, &counts);
        let (scale, margin) = (fitted.scale_cp().unwrap(), fitted.draw_margin_cp().unwrap());
        assert!((scale - 120.0).abs() < 2.0, "{scale}");
        assert!((margin - 90.0).abs() < 2.0, "{margin}");

        // Without draws both models are the same.
        let counts = games(150.0, 0.001, 200_000);
        let fitted = FittedModel::fit(ModelKind::Logistic, &counts);
        let scale = fitted.scale_cp().unwrap();
        assert!((scale - 150.0).abs() < 2.5, "{scale}");
        let odds_of_ten = 10_f64.powf(fitted.k() / 400.0 * 100.0);
        assert!((odds_of_ten - (100.0 / scale).exp()).abs() < 1e-9);
    }

    #[test]
    fn a_fit_is_the_least_loss() {
        let counts = games(120.0, 90.0, 20_000);
        let loss = |model: FittedModel| {
            let terms = counts.0.iter().flat_map(|(&cp, met)| {
                use GameResult::{BlackWins, Draw, WhiteWins};
                let results = [BlackWins, Draw, WhiteWins];
                let met = results.into_iter().zip(met);
                met.map(move |(result, &n)| f64::from(n) * model.log_loss(cp, result))
            });
            terms.sum::<f64>()
        };
        for kind in [ModelKind::Logistic, ModelKind::Wdl] {
            let fitted = FittedModel::fit(kind, &counts);
            for factor in [0.9, 0.97, 1.03, 1.1] {
                let steeper = FittedModel {
                    steepness: fitted.steepness * factor,
                    ..fitted
                };
                assert!(loss(steeper) > loss(fitted), "{kind:?} {factor}");
                if kind == ModelKind::Wdl {
                    let wider = FittedModel {
                        margin: fitted.margin * factor,
                        ..fitted
                    };
                    assert!(loss(wider) > loss(fitted), "{kind:?} {factor}");
                }
            }
        }
    }

    #[test]
    fn the_ends() {
        // Wrong sign: the scores say nothing, and every position is even.
        let mut wrong = ResultCounts::default();
        wrong.add(300, GameResult::BlackWins);
        wrong.add(-300, GameResult::WhiteWins);
        for kind in [ModelKind::Logistic, ModelKind::Wdl] {
            let model = FittedModel::fit(kind, &wrong);
            assert_eq!(model.scale_cp(), None, "{kind:?}");
            assert!((model.expectation(300) - 0.5).abs() < 1e-9);
        }
        // Perfect scores: as steep as is allowed, and no loss below that of the bound.
        let mut perfect = ResultCounts::default();
        perfect.add(300, GameResult::WhiteWins);
        perfect.add(-300, GameResult::BlackWins);
        let model = FittedModel::fit(ModelKind::Logistic, &perfect);
        assert_eq!(model.scale_cp(), Some(1.0));
        let loss = model.log_loss(300, GameResult::WhiteWins);
        assert!((loss + (1.0 - CERTAINTY).ln()).abs() < 1e-12, "{loss}");
        let loss = model.log_loss(300, GameResult::BlackWins);
        assert!((loss + CERTAINTY.ln()).abs() < 1e-12, "{loss}");
    }

    /// By hand: scale 200, +200 cp: E = 1 / (1 + 1/e) = 0.731059.
    #[test]
    fn losses_by_hand() {
        let model = FittedModel::logistic(200.0);
        let expected = [
            (GameResult::WhiteWins, 0.313_262, 0.072_329),
            (GameResult::Draw, 0.813_262, 0.053_388),
            (GameResult::BlackWins, 1.313_262, 0.534_447),
        ];
        for (result, log, squared) in expected {
            assert!((model.log_loss(200, result) - log).abs() < 1e-6);
            assert!((model.squared_loss(200, result) - squared).abs() < 1e-6);
        }
    }
}
