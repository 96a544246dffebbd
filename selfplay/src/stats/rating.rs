//! Ratings of many engines from their games.
//!
//! The model is that of A. Elo: in a game, the expected score of an engine is the logistic function
//! of the rating difference, whatever the result consists of. The ratings are those with which
//! every engine expects as many points as it has scored, as in M. Ballicora's Ordo; with draws as
//! half a win, they maximise the likelihood of Bradley and Terry ("Rank analysis of incomplete block
//! designs", Biometrika 39, 1952). Two engines are as far apart as the logistic Elo of their score.
//! `BayesElo`'s ratings are not: its draw model shrinks differences where many games are drawn.
//!
//! A draw varies less than a win and a loss, so the errors come from how the results spread around
//! the expected scores (P. J. Huber's sandwich, "The behavior of maximum likelihood estimates under
//! nonstandard conditions", Fifth Berkeley Symposium, 1967).
//!
//! White's advantage is no part of the ratings, as by default in Ordo: each engine should have both
//! colours equally often. It is estimated afterwards, as the draw chance is.
//!
//! Values that cannot be determined are reported as such. Engines can be compared only within a
//! *group*: each can be reached from every other along games that were not lost. Without that, the
//! most likely ratings are infinitely far apart: an engine that won all its games is a group by
//! itself, and so are two sets of engines that never met. Each group has its own zero, its mean;
//! games between groups contain no information about differences within. Virtual draws
//! ([`Table::with_prior`]) join all engines that have met into one group.

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

    fn white_points(&self) -> f64 {
        self.white_wins + self.draws / 2.0
    }

    /// The sum of the squared differences between White's points in a game and the expected ones.
    fn squared_errors(&self, expected: f64) -> f64 {
        let square = |points: f64| (points - expected) * (points - expected);
        self.white_wins * square(1.0) + self.draws * square(0.5) + self.black_wins * square(0.0)
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

/// Beyond these differences, in units of the logistic curve, an expected score is 0 or 1.
const FAR: f64 = 40.0;

/// The rating of an engine, in logistic Elo.
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
    /// White's advantage in Elo, given the ratings; `None` if no two engines can be compared, or if
    /// one colour has scored nothing.
    pub white_advantage: Option<Estimate>,
    /// The draw probability between equal engines; `None` if no two engines can be compared.
    pub draw_chance: Option<f64>,
    /// Whether Newton's method converged.
    pub converged: bool,
    covariance: Matrix,
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
        let deviation = libm::sqrt(variance.max(f64::MIN_POSITIVE)) * ELO;
        Some(numeric::cdf(difference / deviation))
    }
}

/// Rates the engines of a table.
pub fn rate(table: &Table) -> Ratings {
    let fit = Fit::new(table);
    let (at, converged) = fit.climb();
    let covariance = fit.covariance(&at);
    let estimate = |index: usize| {
        let variance = covariance.cells[index * covariance.size + index].max(0.0);
        in_elo(at[index], variance)
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
        white_advantage: fit.white_advantage(&at),
        draw_chance: any.then(|| fit.draw_chance(&at)),
        converged,
        covariance,
    }
}

/// A value and its variance in units of the logistic curve.
fn in_elo(value: f64, variance: f64) -> Estimate {
    Estimate::around(value * ELO, numeric::Z_95 * libm::sqrt(variance) * ELO)
}

/// The expected score at this difference.
fn expected(difference: f64) -> f64 {
    1.0 / (1.0 + libm::exp(-difference))
}

/// The probability of a draw where the expected score is `score` and equal engines draw with
/// probability `equal`: its square is in proportion to the probabilities of a win and a loss (R. R.
/// Davidson, "On extending the Bradley-Terry model to accommodate ties in paired comparison
/// experiments", Journal of the American Statistical Association 65, 1970).
fn draw_probability(score: f64, equal: f64) -> f64 {
    let q = score * (1.0 - score);
    let root = libm::sqrt((equal * equal + 4.0 * (1.0 - 2.0 * equal) * q).max(0.0));
    4.0 * equal * q / (equal + root).max(f64::MIN_POSITIVE)
}

/// The log-likelihood, its gradient, and its negated second derivatives.
type Seen = (f64, Vec<f64>, Matrix);

/// The likelihood of the games within groups. Its parameters are the ratings, in units of the
/// logistic curve.
struct Fit {
    groups: Vec<usize>,
    members: Vec<usize>,
    scores: Vec<((usize, usize), Score)>,
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
            groups,
            members,
            scores,
        }
    }

    /// Newton's method with step halving. Returns true if it reached the maximum.
    fn climb(&self) -> (Vec<f64>, bool) {
        let mut at = vec![0.0; self.groups.len()];
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
        let mut gradient = vec![0.0; at.len()];
        let mut curvature = Matrix::zero(at.len());
        let mut height = 0.0;
        for &((white, black), score) in &self.scores {
            let difference = at[white] - at[black];
            let (games, points) = (score.games(), score.white_points());
            height -= points * softplus(-difference) + (games - points) * softplus(difference);
            let chance = expected(difference);
            let surplus = points - games * chance;
            gradient[white] += surplus;
            gradient[black] -= surplus;
            let row = [(white, 1.0), (black, -1.0)];
            curvature.add_outer(&row, games * chance * (1.0 - chance));
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

    /// The covariance of the ratings: the spread of the points between the inverses of the
    /// curvature. The zero of a group has no part in it, because no game changes it.
    fn covariance(&self, at: &[f64]) -> Matrix {
        let (_, _, curvature) = self.look(at);
        let mut spread = Matrix::zero(at.len());
        for &((white, black), score) in &self.scores {
            let chance = expected(at[white] - at[black]);
            spread.add_outer(&[(white, 1.0), (black, -1.0)], score.squared_errors(chance));
        }
        match curvature.cholesky() {
            Some(root) => root.sandwich(&spread),
            None => Matrix::zero(at.len()),
        }
    }

    /// The advantage with which White expects as many points as it has scored.
    fn white_advantage(&self, at: &[f64]) -> Option<Estimate> {
        let sum = |of: &dyn Fn(f64, Score) -> f64, advantage: f64| -> f64 {
            let terms = self.scores.iter().map(|&((white, black), score)| {
                of(expected(at[white] - at[black] + advantage), score)
            });
            terms.sum()
        };
        let games: f64 = self.scores.iter().map(|(_, score)| score.games()).sum();
        let points: f64 = self
            .scores
            .iter()
            .map(|(_, score)| score.white_points())
            .sum();
        if points <= 0.0 || points >= games {
            return None;
        }
        let missing = |advantage| sum(&|chance, score| score.games() * chance, advantage) - points;
        let advantage = numeric::find_root(missing, -FAR, FAR)?;
        let slope = sum(
            &|chance, score| score.games() * chance * (1.0 - chance),
            advantage,
        );
        let spread = sum(&|chance, score| score.squared_errors(chance), advantage);
        Some(in_elo(advantage, spread / (slope * slope)))
    }

    /// The draw probability of equal engines with which as many draws are expected as there are.
    fn draw_chance(&self, at: &[f64]) -> f64 {
        let missing = |equal: f64| -> f64 {
            let draws = self.scores.iter().map(|&((white, black), score)| {
                let chance = expected(at[white] - at[black]);
                score.games() * draw_probability(chance, equal) - score.draws
            });
            draws.sum()
        };
        // There may be more draws than these ratings allow at all.
        numeric::find_root(missing, 0.0, 1.0).unwrap_or(1.0)
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
