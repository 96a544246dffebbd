//! Bootstrap intervals of means over games, and agreement of two scores.

use chacha20::ChaCha8Rng;
use rand::{RngExt as _, SeedableRng as _};
use serde::Serialize;

use crate::run::statistics::to_f64;

/// Games are put into this many blocks by their number. Results of games are independent, so blocks
/// of games are too, and the intervals stay the same; time and memory stay bounded.
pub(crate) const BLOCKS: usize = 1024;

/// A mean over positions: a sum and a count in each block of games.
#[derive(Clone, Debug)]
pub(crate) struct BlockMean {
    sums: Vec<f64>,
    counts: Vec<u32>,
}

/// A 95% interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct ScoreInterval {
    pub(crate) mean: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Default for BlockMean {
    fn default() -> Self {
        Self {
            sums: vec![0.0; BLOCKS],
            counts: vec![0; BLOCKS],
        }
    }
}

impl BlockMean {
    pub(crate) fn add(&mut self, block: usize, value: f64) {
        self.sums[block] += value;
        self.counts[block] += 1;
    }

    /// Number of blocks that have any position.
    pub(crate) fn blocks(&self) -> usize {
        self.counts.iter().filter(|count| **count > 0).count()
    }

    pub(crate) fn count(&self) -> u64 {
        self.counts.iter().copied().map(u64::from).sum()
    }
}

/// The means and their percentile intervals by the bootstrap: blocks of games are drawn with
/// replacement `resamples` times, the same for all means (Efron 1979; blocks, because positions of
/// one game share its result). A mean of nothing is `None`.
pub(crate) fn bootstrap(
    means: &[&BlockMean],
    resamples: usize,
    seed: u64,
) -> Vec<Option<ScoreInterval>> {
    let used: Vec<usize> = (0..BLOCKS)
        .filter(|&block| means.iter().any(|mean| mean.counts[block] > 0))
        .collect();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut drawn = vec![Vec::with_capacity(resamples); means.len()];
    let mut weights = vec![0_u32; BLOCKS];
    for _ in 0..resamples {
        weights.fill(0);
        for _ in &used {
            weights[used[random.random_range(0..used.len())]] += 1;
        }
        for (mean, drawn) in means.iter().zip(&mut drawn) {
            drawn.extend(weighted(mean, &weights));
        }
    }
    let once = vec![1; BLOCKS];
    let estimate = |(mean, drawn): (&&BlockMean, Vec<f64>)| {
        let value = weighted(mean, &once)?;
        let mut drawn = drawn;
        drawn.sort_by(f64::total_cmp);
        let at = |per_mille: usize| {
            let last = drawn.len().checked_sub(1)?;
            drawn.get((per_mille * last + 500) / 1000).copied()
        };
        Some(ScoreInterval {
            mean: value,
            low: at(25).unwrap_or(value),
            high: at(975).unwrap_or(value),
        })
    };
    means.iter().zip(drawn).map(estimate).collect()
}

fn weighted(mean: &BlockMean, weights: &[u32]) -> Option<f64> {
    let (mut sum, mut count) = (0.0, 0_u64);
    for (block, &weight) in weights.iter().enumerate() {
        sum += mean.sums[block] * f64::from(weight);
        count += u64::from(mean.counts[block]) * u64::from(weight);
    }
    (count > 0).then(|| sum / to_f64(count))
}

/// How far two scores agree.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct ScoreAgreement {
    pub(crate) positions: u64,
    /// Pearson's correlation of the scores, limited to +-1000 centipawns.
    pub(crate) pearson: f64,
    /// Spearman's rank correlation.
    pub(crate) spearman: f64,
    /// Kendall's tau-b: concordant less discordant pairs, corrected for ties.
    pub(crate) kendall: f64,
}

/// The agreement of pairs of scores in centipawns; `None` for fewer than two, or if one of the
/// scores never changes.
pub(crate) fn agreement(pairs: &mut [(i16, i16)]) -> Option<ScoreAgreement> {
    // A few mates would otherwise decide Pearson's correlation.
    let limited = |cp: i16| f64::from(cp.clamp(-1000, 1000));
    let bounded: Vec<_> = pairs
        .iter()
        .map(|&(x, y)| (limited(x), limited(y)))
        .collect();
    let [x_ranks, y_ranks] = [
        mid_ranks(pairs.iter().map(|&(x, _)| x)),
        mid_ranks(pairs.iter().map(|&(_, y)| y)),
    ];
    let rank = |ranks: &[f64], cp: i16| ranks[place(cp)];
    let ranked: Vec<_> = pairs
        .iter()
        .map(|&(x, y)| (rank(&x_ranks, x), rank(&y_ranks, y)))
        .collect();
    Some(ScoreAgreement {
        positions: pairs.len() as u64,
        pearson: correlation(&bounded)?,
        spearman: correlation(&ranked)?,
        kendall: kendall(pairs)?,
    })
}

/// Number of different scores.
const SCORES: usize = 1 << 16;

fn place(cp: i16) -> usize {
    usize::try_from(i32::from(cp) - i32::from(i16::MIN)).expect("it is not negative")
}

/// The mean rank of each score.
fn mid_ranks(scores: impl Iterator<Item = i16>) -> Vec<f64> {
    let mut counts = vec![0_u64; SCORES];
    for score in scores {
        counts[place(score)] += 1;
    }
    let mut below = 0;
    let rank = |count: &u64| {
        let rank = to_f64(below) + f64::midpoint(to_f64(*count), 1.0);
        below += count;
        rank
    };
    counts.iter().map(rank).collect()
}

fn correlation(pairs: &[(f64, f64)]) -> Option<f64> {
    let count = to_f64(pairs.len() as u64);
    let mean = |of: fn(&(f64, f64)) -> f64| pairs.iter().map(of).sum::<f64>() / count;
    let (x_mean, y_mean) = (mean(|pair| pair.0), mean(|pair| pair.1));
    let (mut xx, mut xy, mut yy) = (0.0, 0.0, 0.0);
    for (x, y) in pairs {
        let (x, y) = (x - x_mean, y - y_mean);
        xx += x * x;
        xy += x * y;
        yy += y * y;
    }
    let product = (xx * yy).sqrt();
    (product > 0.0).then(|| xy / product)
}

/// Kendall's tau-b in n log n (Knight 1966, "A Computer Method for Calculating Kendall's Tau with
/// Ungrouped Data"): sorted by the first score, discordant pairs are inversions of the second, which
/// a Fenwick tree counts.
fn kendall(pairs: &mut [(i16, i16)]) -> Option<f64> {
    pairs.sort_unstable();
    let both_tied = pairs.chunk_by(|a, b| a == b);
    let both_tied: u64 = both_tied.map(|run| couples(run.len() as u64)).sum();
    let x_tied = pairs.chunk_by(|a, b| a.0 == b.0);
    let x_tied: u64 = x_tied.map(|run| couples(run.len() as u64)).sum();
    let all = couples(pairs.len() as u64);
    let mut counts = vec![0_u64; SCORES];
    for &(_, y) in &*pairs {
        counts[place(y)] += 1;
    }
    let y_tied: u64 = counts.iter().copied().map(couples).sum();
    // P. M. Fenwick, "A new data structure for cumulative frequency tables", Software: Practice and
    // Experience 24 (1994).
    let mut tree = vec![0_u64; SCORES + 1];
    let (mut discordant, mut seen) = (0, 0);
    for &(_, y) in &*pairs {
        // Those before it that are not greater.
        let mut index = place(y) + 1;
        let mut not_greater = 0;
        while index > 0 {
            not_greater += tree[index];
            index &= index - 1;
        }
        discordant += seen - not_greater;
        seen += 1;
        let mut index = place(y) + 1;
        while index <= SCORES {
            tree[index] += 1;
            index += index & index.wrapping_neg();
        }
    }
    // Pairs that are tied in both are in both counts of ties.
    let untied = all + both_tied - x_tied - y_tied;
    let concordant = untied - discordant;
    let (x_free, y_free) = (to_f64(all - x_tied), to_f64(all - y_tied));
    let product = (x_free * y_free).sqrt();
    (product > 0.0).then(|| (to_f64(concordant) - to_f64(discordant)) / product)
}

const fn couples(count: u64) -> u64 {
    count * count.saturating_sub(1) / 2
}

#[cfg(test)]
mod tests {
    use super::*;

    /// From the definition, pair by pair.
    fn kendall_slowly(pairs: &[(i16, i16)]) -> f64 {
        let (mut balance, mut x_free, mut y_free) = (0_i64, 0_i64, 0_i64);
        for (index, a) in pairs.iter().enumerate() {
            for b in &pairs[..index] {
                let (x, y) = (a.0.cmp(&b.0) as i64, a.1.cmp(&b.1) as i64);
                balance += x * y;
                x_free += x.abs();
                y_free += y.abs();
            }
        }
        #[expect(clippy::cast_precision_loss, reason = "small counts")]
        let [balance, x_free, y_free] = [balance, x_free, y_free].map(|count| count as f64);
        balance / (x_free * y_free).sqrt()
    }

    #[test]
    fn agreement_by_definition() {
        let mut random = ChaCha8Rng::seed_from_u64(7);
        for spread in [3_i16, 40, 2000] {
            let pair = |_| {
                let x = random.random_range(-spread..=spread);
                (x, x / 2 + random.random_range(-spread..=spread))
            };
            let mut pairs: Vec<(i16, i16)> = (0..300).map(pair).collect();
            let slow = kendall_slowly(&pairs);
            let found = agreement(&mut pairs).unwrap();
            let off = (found.kendall - slow).abs();
            assert!(off < 1e-12, "{spread}: {found:?} {slow}");
        }
        // scipy's pearsonr, spearmanr and kendalltau.
        let mut pairs = [(1, 1), (2, 3), (2, 2), (3, 2), (4, 5), (5, 4)];
        pairs.rotate_left(2);
        let found = agreement(&mut pairs).unwrap();
        for (found, expected) in [
            (found.pearson, 0.815_384_615_384_615_2),
            (found.spearman, 0.808_823_529_411_764_7),
            (found.kendall, 0.642_857_142_857_142_9),
        ] {
            assert!((found - expected).abs() < 1e-12, "{found} {expected}");
        }
        assert_eq!(agreement(&mut [(1, 2), (1, 3)]), None);
        assert_eq!(agreement(&mut [(1, 2)]), None);
    }

    #[test]
    fn intervals_cover_the_mean_as_often_as_they_claim() {
        let (mut random, mut covered) = (ChaCha8Rng::seed_from_u64(3), 0);
        let rounds = 100;
        for round in 0..rounds {
            // 400 games of 10 positions that share a result: the effective sample is 400.
            let mut mean = BlockMean::default();
            for game in 0..400 {
                let result = f64::from(u8::from(random.random_bool(0.3)));
                for _ in 0..10 {
                    mean.add(game, result);
                }
            }
            let found = bootstrap(&[&mean], 200, round)[0].unwrap();
            covered += usize::from((found.low..=found.high).contains(&0.3));
        }
        // 95% of 100, with a standard deviation of 2.2; blocks of positions would cover 60.
        assert!((88..=100).contains(&covered), "{covered}");
    }

    #[test]
    fn a_mean_of_nothing_and_of_one() {
        let (none, mut one) = (BlockMean::default(), BlockMean::default());
        one.add(5, 2.0);
        let found = bootstrap(&[&none, &one], 50, 1);
        assert_eq!(found[0], None);
        let only = found[1].unwrap();
        assert_eq!((only.mean, only.low, only.high), (2.0, 2.0, 2.0));
    }
}
