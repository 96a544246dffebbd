//! Ratings of many engines from their games.
//!
//! The model is that of Bradley and Terry ("Rank analysis of incomplete block designs", Biometrika
//! 39, 1952) with draws after Rao and Kupper ("Ties in paired-comparison experiments", Journal of
//! the American Statistical Association 62, 1967) and an advantage of White, as in R. Coulom's
//! `BayesElo`. With `z` the rating difference plus the advantage, White wins with probability
//! `1 / (1 + exp(c - z))`, loses with `1 / (1 + exp(c + z))`, and draws otherwise. All ratings, the
//! advantage and the draw parameter `c` are maximum-likelihood estimates.
//!
//! Values that cannot be determined are reported as such. Engines can be compared only within a
//! *group*: each can be reached from every other along games that were not lost. Without that, the
//! most likely ratings are infinitely far apart: an engine that won all its games is a group by
//! itself, and so are two sets of engines that never met. Each group has its own zero, its mean;
//! games between groups contain no information about differences within. Virtual draws
//! ([`Table::with_prior`]) join all engines that have met into one group.
//!
//! The advantage and `c` have a normal prior of 1000 Elo around 0: too wide to matter, except if
//! the games do not determine them at all (one engine always White, every game drawn).

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;
use std::f64::consts::LN_10;

use super::games::FinishedGame;
use super::matrix::Matrix;
use super::number::to_f64;
use super::{Estimate, Wdl, numeric};

// The table of games by engines and result.

/// The games of one engine as White against another; counts may be virtual.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Score {
    /// Games won by White.
    pub white_wins: f64,
    /// Games drawn.
    pub draws: f64,
    /// Games won by Black.
    pub black_wins: f64,
}

impl Score {
    fn games(&self) -> f64 {
        self.white_wins + self.draws + self.black_wins
    }
}

/// Engines and their games.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Table {
    /// The names, in order of appearance.
    pub names: Vec<String>,
    /// The games of each engine, without virtual ones.
    pub counts: Vec<Wdl>,
    /// The games by the indices of White and Black.
    pub scores: BTreeMap<(usize, usize), Score>,
}

impl Table {
    /// Builds the table of these games. Games of an engine against itself are ignored: they contain
    /// no information.
    pub fn from_records<'a>(records: impl IntoIterator<Item = &'a FinishedGame>) -> Self {
        let mut table = Self::default();
        let mut numbers = BTreeMap::new();
        for record in records {
            if record.white == record.black {
                continue;
            }
            let [white, black] = [&record.white, &record.black].map(|name| {
                *numbers.entry(name.clone()).or_insert_with(|| {
                    table.names.push(name.clone());
                    table.counts.push(Wdl::default());
                    table.names.len() - 1
                })
            });
            let mut game = Wdl::default();
            game.add(record.outcome.white_half_points());
            table.add_games(white, black, game);
        }
        table
    }

    /// Adds games between two engines of the table, from White's point of view.
    ///
    /// # Panics
    ///
    /// If one of them is not in the table.
    pub fn add_games(&mut self, white: usize, black: usize, games: Wdl) {
        let score = self.scores.entry((white, black)).or_default();
        score.white_wins += to_f64(games.wins);
        score.draws += to_f64(games.draws);
        score.black_wins += to_f64(games.losses);
        for (engine, games) in [(white, games), (black, games.reversed())] {
            let sum = &mut self.counts[engine];
            sum.wins += games.wins;
            sum.draws += games.draws;
            sum.losses += games.losses;
        }
    }

    /// Adds virtual draws: `draws` for each engine, spread over its opponents in proportion to its
    /// games, half of them with each colour. They pull the ratings together.
    pub fn with_prior(mut self, draws: f64) -> Self {
        if draws <= 0.0 {
            return self;
        }
        let games: Vec<f64> = self.counts.iter().map(|wdl| to_f64(wdl.games())).collect();
        let met: Vec<_> = self
            .scores
            .iter()
            .map(|(&who, score)| (who, score.games()))
            .collect();
        for ((white, black), played) in met {
            let virtual_draws = draws * played * (1.0 / games[white] + 1.0 / games[black]);
            for who in [(white, black), (black, white)] {
                self.scores.entry(who).or_default().draws += virtual_draws / 2.0;
            }
        }
        self
    }
}

// Maximum-likelihood ratings.

/// Maximum number of Newton steps; the likelihood is concave, and 10 are already many.
pub const MAX_ROUNDS: u32 = 200;

/// Elo per unit of the logistic curve.
const ELO: f64 = 400.0 / LN_10;
/// The variance of the prior of White's advantage and the draw parameter: 1000 Elo.
const PRIOR_VARIANCE: f64 = (1000.0 / ELO) * (1000.0 / ELO);

/// The rating of an engine, in Elo that are logistic between engines of nearly equal strength.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rating {
    /// The group of comparable engines, from 0; engines of a lower-numbered group did not lose even
    /// half a point to this group, or did not meet it.
    pub group: usize,
    /// The rating relative to the mean of its group; `None` for a group of one.
    pub elo: Option<Estimate>,
}

/// The ratings of all engines.
#[derive(Clone, Debug, PartialEq)]
pub struct Ratings {
    /// In the order of [`Table::names`].
    pub ratings: Vec<Rating>,
    /// White's advantage in Elo; `None` if no two engines can be compared.
    pub white_advantage: Option<Estimate>,
    /// The draw probability between equal engines; `None` as above.
    pub draw_chance: Option<f64>,
    /// Whether Newton's method converged.
    pub converged: bool,
    covariance: Matrix,
    scale: f64,
}

impl Ratings {
    /// The likelihood that engine `one` is stronger than `other`; `None` if they cannot be
    /// compared.
    pub fn los(&self, one: usize, other: usize) -> Option<f64> {
        let [a, b] = [self.ratings[one], self.ratings[other]];
        let difference = a.elo?.value - b.elo?.value;
        if a.group != b.group {
            return None;
        }
        let cell = |i: usize, j: usize| self.covariance.cells[i * self.covariance.size + j];
        // Both ratings come from the same games, so their errors are correlated.
        let variance = cell(one, one) + cell(other, other) - 2.0 * cell(one, other);
        let deviation = libm::sqrt(variance.max(f64::MIN_POSITIVE)) * self.scale;
        Some(numeric::cdf(difference / deviation))
    }
}

/// Rates the engines of a table.
pub fn rate(table: &Table) -> Ratings {
    let fit = Fit::new(table);
    let (at, converged) = fit.climb();
    let (_, _, curvature) = fit.look(&at);
    let mut covariance = curvature
        .cholesky()
        .map_or_else(|| Matrix::zero(fit.size()), |root| root.inverse());
    fit.remove_gauge(&mut covariance);
    // A small difference changes the score less if games are drawn; `BayesElo` scales alike.
    let draw = at[fit.size() - 1];
    let scale = ELO / (libm::cosh(draw / 2.0) * libm::cosh(draw / 2.0));
    let estimate = |index: usize| {
        let error =
            numeric::Z_95 * libm::sqrt(covariance.cells[index * fit.size() + index].max(0.0));
        Estimate::around(at[index] * scale, error * scale)
    };
    let rated = |group: usize| fit.members[group] > 1;
    let any = fit.members.iter().any(|&members| members > 1);
    Ratings {
        ratings: (0..table.names.len())
            .map(|index| Rating {
                group: fit.groups[index],
                elo: rated(fit.groups[index]).then(|| estimate(index)),
            })
            .collect(),
        white_advantage: any.then(|| estimate(table.names.len())),
        draw_chance: any.then(|| libm::tanh(draw / 2.0)),
        converged,
        covariance,
        scale,
    }
}

/// The log-likelihood, its gradient, and its negated second derivatives.
type Seen = (f64, Vec<f64>, Matrix);

/// The likelihood of the games within groups. Its parameters are the ratings, White's advantage and
/// the draw parameter, all in units of the logistic curve.
struct Fit {
    engines: usize,
    groups: Vec<usize>,
    members: Vec<usize>,
    scores: Vec<((usize, usize), Score)>,
    has_draws: bool,
}

impl Fit {
    fn new(table: &Table) -> Self {
        let groups = groups(table);
        let mut members = vec![0; groups.iter().max().map_or(0, |most| most + 1)];
        for &group in &groups {
            members[group] += 1;
        }
        let within =
            |&(&(white, black), _): &(&(usize, usize), &Score)| groups[white] == groups[black];
        let scores: Vec<_> = table
            .scores
            .iter()
            .filter(within)
            .map(|(&k, &v)| (k, v))
            .collect();
        Self {
            engines: table.names.len(),
            has_draws: scores.iter().any(|(_, score)| score.draws > 0.0),
            members,
            scores,
            groups,
        }
    }

    fn size(&self) -> usize {
        self.engines + 2
    }

    /// Newton's method with step halving. Returns true if it reached the maximum.
    fn climb(&self) -> (Vec<f64>, bool) {
        let mut at = vec![0.0; self.size()];
        // Without draws the draw parameter stays 0, which is its most likely value.
        at[self.size() - 1] = if self.has_draws { 1.0 } else { 0.0 };
        let (mut height, mut gradient, mut curvature) = self.look(&at);
        for _ in 0..MAX_ROUNDS {
            let Some(root) = curvature.cholesky() else {
                return (at, false);
            };
            let step = root.solve(&gradient);
            let gain: f64 = step.iter().zip(&gradient).map(|(s, g)| s * g).sum();
            // The Newton decrement: twice the height that is left to climb.
            if gain < 1e-20 * (1.0 + height.abs()) {
                return (at, true);
            }
            let Some((next, seen)) = self.step(&at, &step, height) else {
                return (at, true);
            };
            at = next;
            (height, gradient, curvature) = seen;
        }
        (at, false)
    }

    /// The first of the full step, its half and so on that climbs, up to rounding, with the
    /// derivatives there. `None` if none does.
    fn step(&self, at: &[f64], step: &[f64], height: f64) -> Option<(Vec<f64>, Seen)> {
        let least = height - 1e-12 * (1.0 + height.abs());
        let parts = std::iter::successors(Some(1.0), |part| Some(part / 2.0));
        let mut tries = parts.take(40).map(|part| {
            let next: Vec<f64> = at.iter().zip(step).map(|(x, s)| x + part * s).collect();
            let seen = self.look(&next);
            (next, seen)
        });
        tries.find(|(_, seen)| seen.0 >= least)
    }

    /// The log-likelihood, its gradient, and its negated second derivatives.
    fn look(&self, at: &[f64]) -> Seen {
        let (advantage, draw) = (self.engines, self.engines + 1);
        let mut gradient = vec![0.0; self.size()];
        let mut curvature = Matrix::zero(self.size());
        let mut height = 0.0;
        // At 0 or less, the games drawn would be impossible.
        if self.has_draws && at[draw] <= 0.0 {
            return (f64::NEG_INFINITY, gradient, curvature);
        }
        for &((white, black), score) in &self.scores {
            let z = at[white] - at[black] + at[advantage];
            for (weight, sign) in [
                (score.white_wins + score.draws, 1.0),
                (score.black_wins + score.draws, -1.0),
            ] {
                // A draw is as likely as both a win and a loss, up to a factor that depends only on
                // `c`.
                let u = sign * z - at[draw];
                let miss = 1.0 / (1.0 + libm::exp(u));
                height -= weight * softplus(-u);
                let row = [
                    (white, sign),
                    (black, -sign),
                    (advantage, sign),
                    (draw, -1.0),
                ];
                for (index, by) in row {
                    gradient[index] += weight * miss * by;
                }
                curvature.add_outer(&row, weight * miss * (1.0 - miss));
            }
            if score.draws > 0.0 {
                let c = at[draw];
                height += score.draws * libm::log(libm::expm1(2.0 * c));
                // The derivative of `ln(exp(2 c) - 1)`.
                let slope = 2.0 / -libm::expm1(-2.0 * c);
                gradient[draw] += score.draws * slope;
                curvature.add_outer(&[(draw, 1.0)], score.draws * slope * (slope - 2.0));
            }
        }
        // The priors of White's advantage and the draw parameter.
        for index in [advantage, draw] {
            height -= at[index] * at[index] / (2.0 * PRIOR_VARIANCE);
            gradient[index] -= at[index] / PRIOR_VARIANCE;
            curvature.add_outer(&[(index, 1.0)], 1.0 / PRIOR_VARIANCE);
        }
        if !self.has_draws {
            // The draw parameter cannot become negative, so it is fixed.
            gradient[draw] = 0.0;
            for other in 0..draw {
                curvature.cells[other * self.size() + draw] = 0.0;
                curvature.cells[draw * self.size() + other] = 0.0;
            }
        }
        // The zero of each group.
        for group in 0..self.members.len() {
            let row = self.gauge(group);
            let sum: f64 = row.iter().map(|&(index, part)| part * at[index]).sum();
            height -= sum * sum / 2.0;
            for &(index, part) in &row {
                gradient[index] -= sum * part;
            }
            curvature.add_outer(&row, 1.0);
        }
        (height, gradient, curvature)
    }

    /// The direction in which all ratings of a group rise equally, normalised.
    fn gauge(&self, group: usize) -> Vec<(usize, f64)> {
        #[expect(
            clippy::cast_precision_loss,
            reason = "there are not that many engines"
        )]
        let part = 1.0 / libm::sqrt(self.members[group] as f64);
        let members = self
            .groups
            .iter()
            .enumerate()
            .filter(|&(_, &of)| of == group);
        members.map(|(index, _)| (index, part)).collect()
    }

    /// Removes the uncertainty of each group's zero, which [`Fit::look`] set to 1.
    fn remove_gauge(&self, covariance: &mut Matrix) {
        for group in 0..self.members.len() {
            covariance.add_outer(&self.gauge(group), -1.0);
        }
    }
}

/// `ln(1 + exp(x))`
fn softplus(x: f64) -> f64 {
    x.max(0.0) + libm::log1p(libm::exp(-x.abs()))
}

// Groups of engines that can be compared with one another.

/// Strongly connected components, by engine: from each engine of a group, every other of it can be
/// reached along "did not lose all games against". They are numbered from the top: no engine scored
/// against one of a group with a lower number.
///
/// S. R. Kosaraju's algorithm, in M. Sharir, "A strong-connectivity algorithm", Computers and
/// Mathematics with Applications 7 (1981), without recursion. Ratings are finite exactly within
/// these groups: L. R. Ford, "Solution of a ranking problem from binary comparisons", American
/// Mathematical Monthly 64 (1957).
fn groups(table: &Table) -> Vec<usize> {
    let count = table.names.len();
    let mut scored_against = vec![Vec::new(); count];
    let mut conceded_to = vec![Vec::new(); count];
    for (&(white, black), score) in &table.scores {
        let mut edge = |from: usize, to: usize| {
            scored_against[from].push(to);
            conceded_to[to].push(from);
        };
        if score.white_wins + score.draws > 0.0 {
            edge(white, black);
        }
        if score.black_wins + score.draws > 0.0 {
            edge(black, white);
        }
    }
    let mut finished = Vec::with_capacity(count);
    let mut seen = vec![false; count];
    for start in 0..count {
        walk(start, &scored_against, &mut seen, &mut finished);
    }
    let mut groups = vec![0; count];
    let mut seen = vec![false; count];
    let mut number = 0;
    for &start in finished.iter().rev() {
        let mut members = Vec::new();
        walk(start, &conceded_to, &mut seen, &mut members);
        for &member in &members {
            groups[member] = number;
        }
        number += usize::from(!members.is_empty());
    }
    groups
}

/// Appends all unseen vertices reachable from `start`, in postorder.
fn walk(start: usize, edges: &[Vec<usize>], seen: &mut [bool], finished: &mut Vec<usize>) {
    if seen[start] {
        return;
    }
    seen[start] = true;
    let mut path = vec![(start, 0)];
    while let Some((node, next)) = path.pop() {
        match edges[node].get(next) {
            Some(&to) => {
                path.push((node, next + 1));
                if !seen[to] {
                    seen[to] = true;
                    path.push((to, 0));
                }
            }
            None => finished.push(node),
        }
    }
}
