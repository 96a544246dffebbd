//! The figures of a summary. Pure.

use super::summary::{Interval, ScoreSummary, SprtSummary};
use crate::fleet::deviation::FEWEST_PAIRS;
use crate::fleet::worker_stats::WorkerStats;
use crate::play::MatchResult;
use crate::report::{elo_interval, nelo_interval, strength_as_printed};
use crate::stats::{Counts, Estimate, Pentanomial, Summary, to_f64, twelve_digits};

pub(super) fn interval(estimate: Estimate) -> Option<Interval> {
    Some(Interval {
        value: twelve_digits(estimate.value)?,
        lower: twelve_digits(estimate.lower)?,
        upper: twelve_digits(estimate.upper)?,
    })
}

pub(super) fn score(results: &MatchResult) -> Option<ScoreSummary> {
    let counts = results.counts.as_ref()?;
    let strength = Summary::from_counts(counts);
    // As it is printed: what is not known is a dash.
    let printed = strength_as_printed(counts);
    let wdl = counts.wdl().unwrap_or_default();
    let pentanomial = match counts {
        Counts::Pairs { pairs, .. } => pairs.0,
        Counts::Games(_) => [0; 5],
    };
    Some(ScoreSummary {
        games: counts.games(),
        wins: wdl.wins,
        draws: wdl.draws,
        losses: wdl.losses,
        pentanomial,
        elo: strength.and_then(|strength| interval(strength.elo)),
        nelo: strength.and_then(|strength| interval(strength.nelo)),
        elo_text: printed.map_or_else(String::new, |one| elo_interval(&one.elo, 2)),
        nelo_text: printed.map_or_else(String::new, |one| nelo_interval(&one.nelo)),
        los: strength.and_then(|strength| twelve_digits(strength.los)),
        distinct: results.distinct,
    })
}

pub(super) fn sprt(results: &MatchResult) -> Option<SprtSummary> {
    let test = results.test.as_ref()?;
    let hypotheses = test.design.hypotheses();
    let [lower, upper] = test.bounds;
    Some(SprtSummary {
        elo0: hypotheses.elo0,
        elo1: hypotheses.elo1,
        model: hypotheses.model.name().to_owned(),
        llr: twelve_digits(test.llr)?,
        lower: twelve_digits(lower)?,
        upper: twelve_digits(upper)?,
        state: test.state.name().to_owned(),
        invalid: test.invalid.clone(),
    })
}

/// How far the mean of a worker's pairs is from that of the others', in standard errors of the
/// difference: fishtest's residual.
pub(super) fn residual(own: &WorkerStats, rest: &WorkerStats) -> Option<f64> {
    let moments = |pairs: Pentanomial| {
        let count = to_f64(pairs.pairs());
        let sum = |power: i32| {
            let points = (0..).zip(pairs.0);
            let parts = points.map(|(points, count)| f64::from(points).powi(power) * to_f64(count));
            parts.sum::<f64>() / count
        };
        let mean = sum(1);
        (mean, sum(2) - mean * mean, count)
    };
    if own.pairs.pairs().min(rest.pairs.pairs()) < FEWEST_PAIRS {
        return None;
    }
    let (own_mean, _, own_count) = moments(own.pairs);
    let (rest_mean, _, rest_count) = moments(rest.pairs);
    // The hypothesis is that both have the same distribution, so the variance is that of all pairs.
    let (_, variance, _) = moments(own.plus(rest).pairs);
    let error = libm::sqrt(variance * (1.0 / own_count + 1.0 / rest_count));
    twelve_digits((own_mean - rest_mean) / error)
}
