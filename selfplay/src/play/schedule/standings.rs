//! Scores and ranking of the engines.

use std::collections::BTreeMap;

use crate::model::{EngineIndex, GamePlan, GameResult, GamesPerOpening};
use crate::stats::Wdl;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct StandingsRow {
    /// The rank, from 1; shared by engines that no tie-break separates.
    pub rank: usize,
    pub engine: EngineIndex,
    pub score: Wdl,
    pub byes: u64,
    pub half_points: u64,
    /// Sonneborn-Berger score: the points of each beaten opponent and half the points of each
    /// opponent drawn with, per game; times four, so that it is an integer.
    pub sonneborn_berger_quarters: u64,
}

/// Results by engine and by couple. Its methods panic for an engine that is not in the table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Standings {
    games_of_pairing: GamesPerOpening,
    byes: Vec<u64>,
    scores: Vec<Wdl>,
    /// The games by White and Black, from the point of view of White.
    games: BTreeMap<(EngineIndex, EngineIndex), Wdl>,
}

impl Standings {
    /// Standings before the first game of `engines`.
    pub fn new(engines: usize, games_of_pairing: GamesPerOpening) -> Self {
        Self {
            games_of_pairing,
            byes: vec![0; engines],
            scores: vec![Wdl::default(); engines],
            games: BTreeMap::new(),
        }
    }

    /// Counts a game.
    pub fn record(&mut self, plan: &GamePlan, result: GameResult) {
        let white = result.white_half_points();
        self.scores[plan.white.0].add(white);
        self.scores[plan.black.0].add(2 - white);
        let games = self.games.entry((plan.white, plan.black));
        games.or_default().add(white);
    }

    /// Counts a bye.
    pub fn record_bye(&mut self, engine: EngineIndex) {
        self.byes[engine.0] += 1;
    }

    /// The games by White and Black, from the point of view of White.
    pub const fn games(&self) -> &BTreeMap<(EngineIndex, EngineIndex), Wdl> {
        &self.games
    }

    pub fn against(&self, engine: EngineIndex, opponent: EngineIndex) -> Wdl {
        let games = |white, black| self.games.get(&(white, black)).copied().unwrap_or_default();
        let as_white = games(engine, opponent);
        let as_black = games(opponent, engine).reversed();
        Wdl {
            wins: as_white.wins + as_black.wins,
            draws: as_white.draws + as_black.draws,
            losses: as_white.losses + as_black.losses,
        }
    }

    /// Number of pairings of two engines that were played.
    pub(super) fn meetings(&self, engine: EngineIndex, opponent: EngineIndex) -> u64 {
        self.against(engine, opponent).games() / u64::from(self.games_of_pairing)
    }

    /// Number of rounds in which an engine had a bye.
    pub fn byes(&self, engine: EngineIndex) -> u64 {
        self.byes[engine.0]
    }

    /// Points, doubled; a bye counts as all games of a pairing won.
    pub fn half_points(&self, engine: EngineIndex) -> u64 {
        let of_byes = 2 * u64::from(self.games_of_pairing) * self.byes(engine);
        self.scores[engine.0].half_points() + of_byes
    }

    /// The table, ordered by points, then Sonneborn-Berger, then games won. Engines that are still
    /// equal share a rank, in the order of the configuration.
    pub fn table(&self) -> Vec<StandingsRow> {
        let engines = || (0..self.scores.len()).map(EngineIndex);
        let row = |engine| {
            let against = engines().map(|opponent| {
                // Half points times half points are quarters of a point.
                self.against(engine, opponent).half_points() * self.half_points(opponent)
            });
            StandingsRow {
                rank: 0,
                engine,
                score: self.scores[engine.0],
                byes: self.byes(engine),
                half_points: self.half_points(engine),
                sonneborn_berger_quarters: against.sum(),
            }
        };
        let mut rows: Vec<StandingsRow> = engines().map(row).collect();
        let merit = |row: &StandingsRow| {
            (
                row.half_points,
                row.sonneborn_berger_quarters,
                row.score.wins,
            )
        };
        // A stable sort: tied engines stay in the order of the configuration.
        rows.sort_by_key(|row| std::cmp::Reverse(merit(row)));
        for index in 0..rows.len() {
            let is_tied = index > 0 && merit(&rows[index]) == merit(&rows[index - 1]);
            rows[index].rank = if is_tied {
                rows[index - 1].rank
            } else {
                index + 1
            };
        }
        rows
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::play::schedule::pairs::{Couple, Wave};

    fn standings(engines: usize, games: &[(usize, usize, GameResult)]) -> Standings {
        let mut standings = Standings::new(engines, GamesPerOpening::Two);
        for &(white, black, result) in games {
            let couple = Couple {
                first: EngineIndex(white),
                second: EngineIndex(black),
            };
            let wave = Wave::after(None, vec![couple], 1, None);
            standings.record(&wave.pairing(0).games()[0], result);
        }
        standings
    }

    #[test]
    fn a_table_with_tie_breaks() {
        use GameResult::{BlackWins, Draw, WhiteWins};
        // Points: A 2, B 2, C 1.5, D 0.5; A beat C and D, B beat A and D.
        let games = [
            (0, 1, BlackWins),
            (0, 2, WhiteWins),
            (0, 3, WhiteWins),
            (1, 2, BlackWins),
            (1, 3, WhiteWins),
            (2, 3, Draw),
        ];
        let table = standings(4, &games).table();
        let rows: Vec<_> = table
            .iter()
            .map(|row| {
                (
                    row.rank,
                    row.engine.0,
                    row.half_points,
                    row.sonneborn_berger_quarters,
                )
            })
            .collect();
        // A: 1.5 + 0.5 = 2 points of the beaten; B: 2 + 0.5; C: 2 + 0.25; D: 0.75.
        let expected = [(1, 1, 4, 10), (2, 0, 4, 8), (3, 2, 3, 9), (4, 3, 1, 3)];
        assert_eq!(rows, expected);
    }

    #[test]
    fn equals_share_a_rank_and_byes_are_two_wins() {
        let mut standings = standings(3, &[(0, 1, GameResult::Draw)]);
        let ranks: Vec<_> = standings
            .table()
            .iter()
            .map(|row| (row.rank, row.engine.0))
            .collect();
        assert_eq!(ranks, [(1, 0), (1, 1), (3, 2)]);
        standings.record_bye(EngineIndex(2));
        assert_eq!(standings.half_points(EngineIndex(2)), 4);
        assert_eq!(standings.table()[0].engine, EngineIndex(2));
        assert_eq!(standings.table()[0].score.games(), 0);
    }
}
