//! The losses of one or two evaluations, and whether the new one is better.
//!
//! Every engine gets a scale of its own, fitted on a part of the games that is left out of
//! everything else: an evaluation in other units is no worse, and none is judged by what it was
//! fitted to.

use std::cmp::Ordering;
use std::collections::{BinaryHeap, HashMap, HashSet};
use std::io;

use serde::Serialize;

use super::features::{PositionFeatures, Split};
use super::model::{FittedModel, ModelKind, ResultCounts};
use super::rows::{ScoreRows, ScoredRow};
use super::statistics::{BLOCKS, BlockMean, ScoreAgreement, ScoreInterval, agreement, bootstrap};
use crate::eval::data::{GameResult, mixed};
use crate::run::statistics::to_f64;

/// Number of bins of a calibration curve.
const BINS: usize = 10;
/// Fewest positions for a group to be listed.
const SMALLEST_GROUP: u64 = 30;
/// Fewest blocks of games for an interval: with fewer, the bootstrap knows too little of what others would be.
const FEWEST_BLOCKS: usize = 20;
/// Fewest games for a verdict, and to fit a model on.
pub(crate) const FEWEST_GAMES: u64 = 30;
const FEWEST_FITTED: u64 = 10;
/// Most themes that are listed, the most frequent ones.
const MOST_THEMES: usize = 40;
/// Most themes that are counted, the first ones in the data.
const MOST_COUNTED: usize = 200;
/// Most pairs of scores for the rank agreement: more change no digit.
const MOST_PAIRS: usize = 500_000;

/// How to judge.
#[derive(Clone, Copy, Debug)]
pub(crate) struct JudgeRules {
    pub(crate) model: ModelKind,
    /// A scale that is known, in centipawns, instead of fitted ones.
    pub(crate) scale_cp: Option<f64>,
    /// Share of the games that the models are fitted on.
    pub(crate) fit_share: f64,
    pub(crate) resamples: usize,
    pub(crate) seed: u64,
    /// Number of positions of greatest loss to list.
    pub(crate) worst: usize,
}

/// The sets of themes that rows refer to by index; 0 is the empty set.
#[derive(Debug)]
pub(crate) struct ThemeSets {
    names: Vec<String>,
    indexes: HashMap<String, usize>,
    sets: Vec<Vec<usize>>,
    known: HashMap<Vec<usize>, u16>,
}

impl Default for ThemeSets {
    fn default() -> Self {
        Self {
            names: Vec::new(),
            indexes: HashMap::new(),
            sets: vec![Vec::new()],
            known: HashMap::from([(Vec::new(), 0)]),
        }
    }
}

impl ThemeSets {
    /// The index of a set. When there are more than 65,536 different ones, the rest count as empty.
    pub(crate) fn index(&mut self, themes: &[String]) -> u16 {
        let mut set: Vec<usize> = Vec::with_capacity(themes.len());
        for theme in themes {
            let next = self.names.len();
            let index = *self.indexes.entry(theme.clone()).or_insert(next);
            if index == next {
                self.names.push(theme.clone());
            }
            set.push(index);
        }
        set.sort_unstable();
        set.dedup();
        if let Some(&known) = self.known.get(&set) {
            return known;
        }
        let Ok(index) = u16::try_from(self.sets.len()) else {
            return 0;
        };
        self.sets.push(set.clone());
        self.known.insert(set, index);
        index
    }
}

/// What was found; positions of the fit are in none of the numbers.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Judgement {
    /// Positions that all engines evaluated and whose result is known.
    pub(crate) positions: u64,
    /// The games that these are from, as far as the data name them.
    pub(crate) games: u64,
    /// Positions that the models were fitted on, and their games.
    pub(crate) fitted_on: u64,
    pub(crate) fitted_games: u64,
    pub(crate) without_result: u64,
    /// Positions without an evaluation by one of the engines.
    pub(crate) without_score: u64,
    pub(crate) black_wins: u64,
    pub(crate) draws: u64,
    pub(crate) white_wins: u64,
    /// The loss of predicting the mean of the results, whatever the position.
    pub(crate) constant: Losses<f64>,
    pub(crate) engines: Vec<EngineJudgement>,
    /// Losses of the first engine less those of the second; negative is better.
    pub(crate) difference: Option<Losses<ScoreInterval>>,
    pub(crate) verdict: Option<ScoreVerdict>,
    /// Positions that two engines evaluate differently.
    pub(crate) differing: u64,
    pub(crate) groups: Vec<GroupJudgement>,
    /// Positions of greatest loss of the first engine, the worst first.
    pub(crate) worst: Vec<WorstRow>,
}

#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct Losses<T> {
    pub(crate) log: T,
    pub(crate) squared: T,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct EngineJudgement {
    /// `None` where the scores do not go with the results at all.
    pub(crate) scale_cp: Option<f64>,
    /// Whether it is as steep as is allowed: then it is no model of these scores.
    #[serde(skip)]
    pub(crate) is_at_bound: bool,
    /// The same as Texel's K.
    pub(crate) k: f64,
    pub(crate) draw_margin_cp: Option<f64>,
    pub(crate) losses: Losses<ScoreInterval>,
    /// The bins with enough games for an interval.
    pub(crate) calibration: Vec<CalibrationBin>,
    /// Expected calibration error (Naeini et al. 2015): the mean distance of expected and actual
    /// points in all bins, weighted by their positions.
    pub(crate) calibration_error: f64,
    /// Agreement with the scores in the data.
    pub(crate) agreement: Option<ScoreAgreement>,
}

/// Positions whose expected points lie in one tenth of the range.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct CalibrationBin {
    pub(crate) positions: u64,
    pub(crate) expected: f64,
    pub(crate) actual: ScoreInterval,
}

#[derive(Clone, Debug, Serialize)]
pub(crate) struct GroupJudgement {
    pub(crate) split: Split,
    pub(crate) name: String,
    pub(crate) positions: u64,
    /// The loss that decides, of each engine.
    pub(crate) losses: Vec<ScoreInterval>,
    pub(crate) difference: Option<ScoreInterval>,
}

/// Whether the first engine predicts better than the second, by the 95% interval of the difference.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub(crate) enum ScoreVerdict {
    Better,
    Worse,
    Undecided,
}

impl ScoreVerdict {
    fn from_difference(difference: ScoreInterval) -> Self {
        if difference.high < 0.0 {
            Self::Better
        } else if difference.low > 0.0 {
            Self::Worse
        } else {
            Self::Undecided
        }
    }
}

/// A position of great loss; `row` is its index among all rows.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub(crate) struct WorstRow {
    #[serde(skip)]
    pub(crate) row: usize,
    pub(crate) loss: f64,
    pub(crate) scores_cp: [Option<i16>; 2],
    pub(crate) expected: f64,
}

impl Eq for WorstRow {}

impl Ord for WorstRow {
    /// The least loss is the greatest, so that a heap gives it up first; of equal ones the last.
    fn cmp(&self, other: &Self) -> Ordering {
        other
            .loss
            .total_cmp(&self.loss)
            .then(self.row.cmp(&other.row))
    }
}

impl PartialOrd for WorstRow {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

/// Nothing can be judged.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub(crate) enum NothingToJudge {
    #[error("no position has both a result and an evaluation")]
    NoPosition,
    #[error("all games have the same result: there is nothing to predict")]
    OneResult,
    #[error(
        "the part of the games that a model is fitted on has {games}, expected at least {FEWEST_FITTED}; --scale CP sets a scale instead"
    )]
    NoFit { games: u64 },
}

fn block_of(game: u32) -> usize {
    usize::try_from(mixed(u64::from(game)) % BLOCKS as u64).expect("there are few blocks")
}

/// Whether a game is one that models are fitted on.
fn is_fitted_on(game: u32, share: f64) -> bool {
    // Other bits than those of the block.
    to_f64((mixed(u64::from(game)) >> 32) & 0xffff) < share * 65_536.0
}

/// A row that counts: its scores are known, one per engine.
fn judged(row: &ScoredRow, engines: usize) -> Option<(&[Option<i16>], GameResult)> {
    let scores = &row.scores[..engines];
    let result = row.result?;
    scores
        .iter()
        .all(Option::is_some)
        .then_some((scores, result))
}

/// The part of the data that models are fitted on.
#[derive(Default)]
struct FitPart {
    /// Scores and results by engine.
    counts: Vec<ResultCounts>,
    positions: u64,
    games: HashSet<u32>,
    /// Positions that have a result and all scores, in this part or not.
    judgeable: u64,
}

fn fit_part(rows: &mut ScoreRows, engines: usize, share: f64) -> io::Result<FitPart> {
    let mut part = FitPart {
        counts: vec![ResultCounts::default(); engines],
        ..FitPart::default()
    };
    rows.for_each(|row| {
        let Some((scores, result)) = judged(&row, engines) else {
            return;
        };
        part.judgeable += 1;
        if is_fitted_on(row.game, share) {
            part.positions += 1;
            part.games.insert(row.game);
            for (score, counts) in scores.iter().flatten().zip(&mut part.counts) {
                counts.add(*score, result);
            }
        }
    })?;
    Ok(part)
}

/// All sums of one pass over the rows.
struct PassSums {
    /// By engine.
    engines: Vec<EngineSums>,
    difference: Losses<BlockMean>,
    /// By group: the positions' losses by engine, and their difference.
    groups: Vec<(Vec<BlockMean>, BlockMean)>,
    results: [u64; GameResult::COUNT],
    games: HashSet<u32>,
    without_result: u64,
    without_score: u64,
    differing: u64,
    worst: BinaryHeap<WorstRow>,
}

#[derive(Default)]
struct EngineSums {
    losses: LossMeans,
    expected: [BlockMeanPair; BINS],
    pairs: Vec<(i16, i16)>,
}

type LossMeans = [BlockMean; 2];

/// Expected and actual points in a bin.
#[derive(Default)]
struct BlockMeanPair {
    expected: BlockMean,
    actual: BlockMean,
}

/// Judges the first `engines` scores of the rows.
///
/// # Errors
///
/// When the temporary file fails; the inner one when there is nothing to judge.
pub(crate) fn judge(
    rows: &mut ScoreRows,
    engines: usize,
    themes: &ThemeSets,
    rules: &JudgeRules,
) -> io::Result<Result<Judgement, NothingToJudge>> {
    let rules = &JudgeRules {
        // With a known scale nothing is fitted, and all games can be judged.
        fit_share: rules.scale_cp.map_or(rules.fit_share, |_| 0.0),
        ..*rules
    };
    let part = fit_part(rows, engines, rules.fit_share)?;
    let games = part.games.len() as u64;
    if part.judgeable == 0 {
        return Ok(Err(NothingToJudge::NoPosition));
    }
    let models: Vec<FittedModel> = match rules.scale_cp {
        Some(scale) => vec![FittedModel::logistic(scale); engines],
        None if games < FEWEST_FITTED => return Ok(Err(NothingToJudge::NoFit { games })),
        None => {
            let counts = part.counts.iter();
            counts
                .map(|counts| FittedModel::fit(rules.model, counts))
                .collect()
        }
    };
    let sums = sum(rows, &models, themes, rules)?;
    Ok(conclude(sums, &models, themes, rules, &part))
}

fn sum(
    rows: &mut ScoreRows,
    models: &[FittedModel],
    themes: &ThemeSets,
    rules: &JudgeRules,
) -> io::Result<PassSums> {
    let group = || {
        (
            vec![BlockMean::default(); models.len()],
            BlockMean::default(),
        )
    };
    let mut sums = PassSums {
        engines: models.iter().map(|_| EngineSums::default()).collect(),
        difference: Losses {
            log: BlockMean::default(),
            squared: BlockMean::default(),
        },
        groups: Vec::new(),
        results: [0; GameResult::COUNT],
        games: HashSet::new(),
        without_result: 0,
        without_score: 0,
        differing: 0,
        worst: BinaryHeap::new(),
    };
    sums.groups.resize_with(
        PositionFeatures::GROUPS + themes.names.len().min(MOST_COUNTED),
        group,
    );
    let mut index = 0;
    rows.for_each(|row| {
        sums.add(index, &row, models, themes, rules);
        index += 1;
    })?;
    Ok(sums)
}

impl PassSums {
    fn add(
        &mut self,
        index: usize,
        row: &ScoredRow,
        models: &[FittedModel],
        themes: &ThemeSets,
        rules: &JudgeRules,
    ) {
        let Some((scores, result)) = judged(row, models.len()) else {
            let missing = if row.result.is_none() {
                &mut self.without_result
            } else {
                &mut self.without_score
            };
            *missing += 1;
            return;
        };
        self.differing += u64::from(scores.windows(2).any(|pair| pair[0] != pair[1]));
        if is_fitted_on(row.game, rules.fit_share) {
            return;
        }
        self.results[result as usize] += 1;
        self.games.insert(row.game);
        let block = block_of(row.game);
        let mut losses = Vec::with_capacity(models.len());
        for ((&score, model), sums) in scores.iter().flatten().zip(models).zip(&mut self.engines) {
            let expected = model.expectation(score);
            let own = [
                model.log_loss(score, result),
                model.squared_loss(score, result),
            ];
            for (mean, loss) in sums.losses.iter_mut().zip(own) {
                mean.add(block, loss);
            }
            let bin = bin_of(expected);
            sums.expected[bin].expected.add(block, expected);
            sums.expected[bin].actual.add(block, result.points());
            if let Some(reference) = row.reference
                && sums.pairs.len() < MOST_PAIRS
            {
                sums.pairs.push((score, reference));
            }
            losses.push((own, expected));
        }
        let difference = match losses.as_slice() {
            [(new, _), (old, _)] => {
                self.difference.log.add(block, new[0] - old[0]);
                self.difference.squared.add(block, new[1] - old[1]);
                new[0] - old[0]
            }
            _ => 0.0,
        };
        let of_themes = themes.sets[usize::from(row.themes)].iter();
        let of_themes = of_themes.map(|theme| PositionFeatures::GROUPS + theme);
        let groups = row.groups.into_iter().map(usize::from).chain(of_themes);
        for group in groups {
            // Themes beyond those that are counted have no group.
            let Some((means, paired)) = self.groups.get_mut(group) else {
                continue;
            };
            for (mean, (own, _)) in means.iter_mut().zip(&losses) {
                mean.add(block, own[0]);
            }
            paired.add(block, difference);
        }
        let (own, expected) = losses[0];
        self.worst.push(WorstRow {
            row: index,
            loss: own[0],
            scores_cp: row.scores,
            expected,
        });
        if self.worst.len() > rules.worst {
            self.worst.pop();
        }
    }
}

#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_sign_loss,
    clippy::cast_precision_loss,
    reason = "an expectation is between 0 and 1"
)]
fn bin_of(expectation: f64) -> usize {
    ((expectation * BINS as f64) as usize).min(BINS - 1)
}

fn conclude(
    sums: PassSums,
    models: &[FittedModel],
    themes: &ThemeSets,
    rules: &JudgeRules,
    part: &FitPart,
) -> Result<Judgement, NothingToJudge> {
    let [black_wins, draws, white_wins] = sums.results;
    let positions = black_wins + draws + white_wins;
    let games = sums.games.len() as u64;
    if positions == 0 {
        return Err(NothingToJudge::NoPosition);
    }
    if sums.results.contains(&positions) {
        return Err(NothingToJudge::OneResult);
    }
    // All means are drawn together, so that all intervals rest on the same games.
    let mut means: Vec<&BlockMean> = vec![&sums.difference.log, &sums.difference.squared];
    for engine in &sums.engines {
        means.extend(&engine.losses);
        means.extend(engine.expected.iter().map(|bin| &bin.actual));
    }
    let groups = listed_groups(&sums, themes);
    for &(group, ..) in &groups {
        let (of_engines, paired) = &sums.groups[group];
        means.extend(of_engines);
        means.push(paired);
    }
    let mut estimates = bootstrap(&means, rules.resamples, rules.seed).into_iter();
    let mut next = || estimates.next().expect("one for each mean");
    let difference = Option::zip(next(), next());
    let difference = difference.map(|(log, squared)| Losses { log, squared });
    let mut engines = Vec::new();
    for (engine, model) in sums.engines.iter().zip(models) {
        let losses = Losses {
            log: next().expect("there are positions"),
            squared: next().expect("there are positions"),
        };
        let mut calibration = Vec::new();
        let mut distances = 0.0;
        for bin in &engine.expected {
            // Only the mean is needed here, so nothing is drawn.
            let expected = bootstrap(&[&bin.expected], 0, 0)[0];
            let Some((expected, actual)) = expected.zip(next()) else {
                continue;
            };
            let positions = bin.actual.count();
            // Of all bins, since those with too few games for an interval have a mean, too.
            distances += to_f64(positions) * (expected.mean - actual.mean).abs();
            if bin.actual.blocks() >= FEWEST_BLOCKS {
                calibration.push(CalibrationBin {
                    positions,
                    expected: expected.mean,
                    actual,
                });
            }
        }
        engines.push(EngineJudgement {
            scale_cp: model.scale_cp(),
            is_at_bound: model.is_at_bound(),
            k: model.k(),
            draw_margin_cp: model.draw_margin_cp(),
            losses,
            calibration_error: distances / to_f64(positions),
            calibration,
            agreement: agreement(&mut engine.pairs.clone()),
        });
    }
    let groups = groups.into_iter().map(|(_, split, name, positions)| {
        let losses = models.iter().filter_map(|_| next()).collect();
        let paired = next();
        GroupJudgement {
            split,
            name,
            positions,
            losses,
            difference: paired.filter(|_| models.len() == 2),
        }
    });
    let groups = groups.collect();
    let mut worst = sums.worst.into_vec();
    worst.sort_by(|a, b| b.loss.total_cmp(&a.loss).then(a.row.cmp(&b.row)));
    Ok(Judgement {
        positions,
        games,
        fitted_on: part.positions,
        fitted_games: part.games.len() as u64,
        without_result: sums.without_result,
        without_score: sums.without_score,
        black_wins,
        draws,
        white_wins,
        constant: constant_losses(sums.results, rules.model),
        engines,
        verdict: difference.map(|difference| {
            // Models at the bound of their scale are no models of these scores.
            let is_sound = games >= FEWEST_GAMES && models.iter().all(|model| !model.is_at_bound());
            if is_sound {
                ScoreVerdict::from_difference(difference.log)
            } else {
                ScoreVerdict::Undecided
            }
        }),
        difference,
        differing: sums.differing,
        groups,
        worst,
    })
}

/// The groups to list: index, split, name, positions.
fn listed_groups(sums: &PassSums, themes: &ThemeSets) -> Vec<(usize, Split, String, u64)> {
    let count = |group: usize| sums.groups[group].1.count();
    let own = PositionFeatures::group_names().into_iter().enumerate();
    let own = own.map(|(group, (split, name))| (group, split, name.to_owned(), count(group)));
    let of_themes = themes
        .names
        .iter()
        .take(sums.groups.len() - PositionFeatures::GROUPS)
        .enumerate();
    let of_themes = of_themes.map(|(index, name)| {
        let group = PositionFeatures::GROUPS + index;
        (group, Split::Theme, name.clone(), count(group))
    });
    let mut of_themes: Vec<_> = of_themes.collect();
    of_themes.sort_by(|a, b| b.3.cmp(&a.3).then_with(|| a.2.cmp(&b.2)));
    of_themes.truncate(MOST_THEMES);
    let all = own.chain(of_themes);
    // Many positions of few games still have no interval.
    let is_large = |group: usize, positions: u64| {
        positions >= SMALLEST_GROUP && sums.groups[group].1.blocks() >= FEWEST_BLOCKS
    };
    all.filter(|&(group, .., positions)| is_large(group, positions))
        .collect()
}

/// The losses of the best prediction that does not look at the position.
fn constant_losses(results: [u64; GameResult::COUNT], model: ModelKind) -> Losses<f64> {
    let [black, draws, white] = results.map(to_f64);
    let all = black + draws + white;
    let mean = (white + draws / 2.0) / all;
    let entropy = |shares: &[f64]| {
        // The limit of x ln x at 0 is 0.
        let terms = shares.iter().filter(|share| **share > 0.0);
        -terms.map(|share| share * share.ln()).sum::<f64>()
    };
    Losses {
        log: match model {
            ModelKind::Logistic => entropy(&[mean, 1.0 - mean]),
            ModelKind::Wdl => entropy(&[black / all, draws / all, white / all]),
        },
        squared: (white * (1.0 - mean).powi(2)
            + draws * (0.5 - mean).powi(2)
            + black * mean.powi(2))
            / all,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::eval::score::rows::RowWriter;
    use chacha20::ChaCha8Rng;
    use rand::{RngExt as _, SeedableRng as _};

    const RULES: JudgeRules = JudgeRules {
        model: ModelKind::Logistic,
        scale_cp: None,
        fit_share: 0.2,
        resamples: 300,
        seed: 1,
        worst: 5,
    };

    fn row(game: u32, scores: [Option<i16>; 2], result: GameResult) -> ScoredRow {
        ScoredRow {
            scores,
            result: Some(result),
            reference: scores[1],
            groups: [0, 3, 8],
            themes: 0,
            game,
        }
    }

    fn written(rows: impl IntoIterator<Item = ScoredRow>) -> ScoreRows {
        let mut writer = RowWriter::new().unwrap();
        for row in rows {
            writer.push(row).unwrap();
        }
        writer.finish().unwrap()
    }

    /// Games of four positions; each engine sees the true advantage with its own noise.
    fn rows_of(seed: u64, games: u32, noise: [f64; 2]) -> Vec<ScoredRow> {
        let mut random = ChaCha8Rng::seed_from_u64(seed);
        let positions = (0..games).flat_map(|game| [game; 4]);
        let rows = positions.map(|game| {
            let truth: f64 = random.random_range(-400.0..400.0);
            let chance = 1.0 / (1.0 + (-truth / 150.0).exp());
            let result = if random.random_bool(chance) {
                GameResult::WhiteWins
            } else {
                GameResult::BlackWins
            };
            let scores = noise.map(|noise| {
                let off = random.random_range(-1.0..=1.0) * noise;
                #[expect(clippy::cast_possible_truncation, reason = "small")]
                Some((truth + off).round() as i16)
            });
            row(game, scores, result)
        });
        rows.collect()
    }

    fn rows(games: u32, noise: [f64; 2]) -> Vec<ScoredRow> {
        rows_of(5, games, noise)
    }

    fn judged(rows: Vec<ScoredRow>, rules: &JudgeRules) -> Judgement {
        let judged = judge(&mut written(rows), 2, &ThemeSets::default(), rules);
        judged.unwrap().unwrap()
    }

    #[test]
    fn the_better_evaluation_is_found() {
        for (noise, expected) in [
            ([50.0, 400.0], ScoreVerdict::Better),
            ([400.0, 50.0], ScoreVerdict::Worse),
        ] {
            for model in [ModelKind::Logistic, ModelKind::Wdl] {
                let rules = JudgeRules { model, ..RULES };
                let found = judged(rows(2000, noise), &rules);
                assert_eq!(found.verdict, Some(expected), "{noise:?} {model:?}");
            }
        }
    }

    /// What the report states of false alarms.
    #[test]
    fn equally_good_evaluations_are_seldom_told_apart() {
        let trials = testkit::scale(20, 40);
        let mut alarms = 0;
        for seed in 0..trials {
            let rows = rows_of(seed, 400, [100.0, 100.0]);
            let rules = JudgeRules {
                resamples: 200,
                ..RULES
            };
            let found = judged(rows, &rules);
            alarms += u64::from(found.verdict != Some(ScoreVerdict::Undecided));
            assert!(found.differing > 1500, "{}", found.differing);
        }
        assert!(alarms <= trials / 5, "{alarms} of {trials}");
    }

    #[test]
    fn the_unit_of_an_evaluation_makes_no_difference() {
        let tripled = rows(1500, [100.0, 0.0]).into_iter().map(|row| {
            let score = row.scores[0];
            let scores = [score.map(|cp| cp * 3), score];
            ScoredRow { scores, ..row }
        });
        let found = judged(tripled.collect(), &RULES);
        assert_eq!(found.verdict, Some(ScoreVerdict::Undecided));
        let difference = found.difference.unwrap();
        assert!(difference.log.mean.abs() < 1e-9, "{difference:?}");
        let [new, old] = [0, 1].map(|engine: usize| found.engines[engine].scale_cp.unwrap());
        assert!((new / old - 3.0).abs() < 1e-6, "{new} {old}");
    }

    #[test]
    fn numbers_of_a_good_evaluation() {
        let found = judged(rows(3000, [0.0, 0.0]), &RULES);
        assert_eq!(found.positions + found.fitted_on, 12_000);
        let fitted_on = found.fitted_on;
        assert!((2000..2800).contains(&fitted_on), "{fitted_on}");
        let first = &found.engines[0];
        let scale = first.scale_cp.unwrap();
        assert!((scale - 150.0).abs() < 20.0, "{scale}");
        let error = first.calibration_error;
        assert!(error < 0.02, "{error}");
        assert!(first.losses.log.mean < found.constant.log);
        let wrong =
            |bin: &&CalibrationBin| !(bin.actual.low..=bin.actual.high).contains(&bin.expected);
        let bins = &first.calibration;
        assert!(bins.iter().filter(wrong).count() <= 2, "{bins:?}");
        let group = &found.groups[0];
        let group = (group.name.as_str(), group.positions);
        assert_eq!(group, ("opening", found.positions));
        let agreement = first.agreement.unwrap();
        assert!(agreement.kendall > 0.999, "{agreement:?}");
        // The worst are sorted, and have lost with a good score.
        assert_eq!(found.worst.len(), 5);
        assert!(found.worst.is_sorted_by(|a, b| a.loss >= b.loss));
        assert!((found.worst[0].expected - 0.5).abs() > 0.3);
    }

    /// Too few games for an interval are enough for a mean.
    #[test]
    fn bins_that_are_not_listed_count_for_the_calibration_error() {
        // The model expects 10 of 11 points where 1 of 2 is scored.
        let rows = (0..10).map(|game| {
            let result = [GameResult::WhiteWins, GameResult::BlackWins][game as usize % 2];
            row(game, [Some(400), None], result)
        });
        let rules = JudgeRules {
            scale_cp: Some(400.0 / std::f64::consts::LN_10),
            ..RULES
        };
        let found = judge(&mut written(rows), 1, &ThemeSets::default(), &rules);
        let engine = &found.unwrap().unwrap().engines[0];
        assert!(engine.calibration.is_empty());
        let expected = 10.0 / 11.0 - 0.5;
        let error = engine.calibration_error;
        assert!((error - expected).abs() < 1e-9, "{error}");
    }

    #[test]
    fn nothing_to_judge() {
        let themes = ThemeSets::default();
        let judge = |rows: &mut ScoreRows, engines, rules| {
            judge(rows, engines, &themes, rules).unwrap().unwrap_err()
        };
        let found = judge(&mut written([]), 1, &RULES);
        assert_eq!(found, NothingToJudge::NoPosition);
        let draws = (0..100).map(|game| row(game, [Some(10), None], GameResult::Draw));
        let mut draws = written(draws);
        let found = judge(&mut draws, 1, &RULES);
        assert_eq!(found, NothingToJudge::OneResult);
        let few = JudgeRules {
            fit_share: 0.01,
            ..RULES
        };
        let found = judge(&mut draws, 1, &few);
        assert!(matches!(found, NothingToJudge::NoFit { .. }), "{found:?}");
        let rules = JudgeRules {
            scale_cp: Some(200.0),
            ..RULES
        };
        let found = judge(&mut draws, 2, &rules);
        assert_eq!(found, NothingToJudge::NoPosition);
    }

    #[test]
    fn themes_are_listed_by_frequency() {
        let mut themes = ThemeSets::default();
        let pin = themes.index(&["pin".to_owned()]);
        let both = themes.index(&["fork".to_owned(), "pin".to_owned()]);
        assert_eq!(themes.index(&["pin".to_owned(), "fork".to_owned()]), both);
        let sets = [0, pin, both].into_iter().cycle();
        let rows = rows(200, [0.0, 0.0]).into_iter().zip(sets);
        let rows = rows.map(|(row, themes)| ScoredRow { themes, ..row });
        let found = judge(&mut written(rows), 2, &themes, &RULES);
        let found = found.unwrap().unwrap();
        let of_themes = found.groups.iter();
        let of_themes = of_themes.filter(|group| group.split == Split::Theme);
        let names: Vec<&str> = of_themes.map(|group| group.name.as_str()).collect();
        assert_eq!(names, ["pin", "fork"]);
    }
}
