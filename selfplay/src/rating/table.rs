//! The table of games by engines and result.

use std::collections::BTreeMap;

use crate::digits::to_f64;
use crate::games::{Outcome, Record};
use crate::stats::Wdl;

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
    pub fn of<'a>(records: impl IntoIterator<Item = &'a Record>) -> Self {
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
            table.add(white, black, record.outcome);
        }
        table
    }

    fn add(&mut self, white: usize, black: usize, outcome: Outcome) {
        let score = self.scores.entry((white, black)).or_default();
        match outcome {
            Outcome::WhiteWins => {
                score.white_wins += 1.0;
                self.counts[white].wins += 1;
                self.counts[black].losses += 1;
            }
            Outcome::Draw => {
                score.draws += 1.0;
                self.counts[white].draws += 1;
                self.counts[black].draws += 1;
            }
            Outcome::BlackWins => {
                score.black_wins += 1.0;
                self.counts[white].losses += 1;
                self.counts[black].wins += 1;
            }
        }
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
