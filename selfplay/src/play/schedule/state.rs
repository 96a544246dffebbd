//! The schedule of one run: the next game, and the games recorded.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use chess::rules::Color;

use super::error::ScheduleError;
use super::knockout::{BracketStep, Knockout};
use super::pairs::{Couple, GameSet, MAX_ROUNDS, PairLedger, Wave, circle, gauntlet};
use super::standings::Standings;
use super::swiss::{self, ColorHistory};
use crate::model::{
    EngineIndex, GamePlan, GameRecord, GameResult, GamesPerOpening, PairNumber, Pairing,
    PairingRules, RunConfig, TournamentFormat,
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Next {
    /// Play this game; it is returned only once.
    Game(GamePlan),
    /// Wait: the next game depends on games that are not recorded yet.
    Wait,
    /// All games have been returned; some may not be recorded yet.
    Done,
}

/// Returns the games of a run in order, and accepts their results in any order.
#[derive(Clone, Debug)]
pub struct Schedule {
    draw: Draw,
    rules: PairingRules,
    rounds: u64,
    wave: Wave,
    /// Number of pairs that each couple had played before the wave.
    pairs_before: Vec<u64>,
    /// The first game that may not have been returned yet.
    cursor: u64,
    recorded: GameSet,
    /// Records of waves that are not known yet, while a run is being resumed.
    early: BTreeMap<u64, (GamePlan, GameResult)>,
    standings: Standings,
    pairs: BTreeMap<Couple, PairLedger>,
}

/// What determines the waves after the first.
#[derive(Clone, Debug)]
enum Draw {
    Fixed,
    Swiss {
        lots: Vec<EngineIndex>,
        rounds_left: u64,
        /// The colours so far, if they are to be balanced between single games.
        colors: Option<ColorHistory>,
    },
    Knockout(Knockout),
}

impl Schedule {
    /// The schedule of a new run.
    ///
    /// # Errors
    ///
    /// If there are too few engines, more than two in a match, no rounds, or no engine left for the
    /// seeds of a gauntlet to play.
    pub fn new(config: &RunConfig) -> Result<Self, ScheduleError> {
        let engines = config.engines.len();
        let number = |found, what, expected: &str| ScheduleError::Number {
            found,
            what,
            expected: expected.to_owned(),
        };
        if engines < 2 {
            return Err(number(engines as u64, "engines", "two or more"));
        }
        if config.format == TournamentFormat::Match && engines != 2 {
            return Err(number(engines as u64, "engines in a match", "two"));
        }
        if !(1..=MAX_ROUNDS).contains(&config.rounds) {
            return Err(number(
                config.rounds,
                "rounds",
                &format!("1 to {MAX_ROUNDS}"),
            ));
        }
        let rules = config.pairing;
        if config.format == TournamentFormat::Gauntlet && !(1..engines).contains(&rules.seeds) {
            let most = format!("1 to {}, fewer than engines", engines - 1);
            return Err(number(rules.seeds as u64, "seeds", &most));
        }
        let standings = Standings::new(engines, rules.games);
        let (draw, couples, rounds, bye) = match config.format {
            TournamentFormat::Match | TournamentFormat::RoundRobin => {
                (Draw::Fixed, circle(engines), config.rounds, None)
            }
            TournamentFormat::Gauntlet => (
                Draw::Fixed,
                gauntlet(engines, rules.seeds),
                config.rounds,
                None,
            ),
            TournamentFormat::Swiss => {
                let lots = swiss::draw_lots(engines, config.seed);
                let is_single = rules.games == GamesPerOpening::One && !rules.no_swap;
                let initial = [Color::White, Color::Black][usize::from(rules.reverse)];
                let colors = is_single.then(|| ColorHistory::new(engines, initial));
                let first = swiss::pair(&standings, &lots, colors.as_ref());
                let rounds_left = config.rounds - 1;
                (
                    Draw::Swiss {
                        lots,
                        rounds_left,
                        colors,
                    },
                    first.couples,
                    1,
                    first.bye,
                )
            }
            TournamentFormat::Knockout => {
                let knockout = Knockout::new(engines);
                let couples = knockout.couples();
                (Draw::Knockout(knockout), couples, config.rounds, None)
            }
        };
        let mut schedule = Self {
            draw,
            rules,
            rounds: config.rounds,
            wave: Wave::after(None, couples, rounds, bye),
            pairs_before: Vec::new(),
            cursor: 0,
            recorded: GameSet::default(),
            early: BTreeMap::new(),
            standings,
            pairs: BTreeMap::new(),
        };
        schedule.begin_wave();
        Ok(schedule)
    }

    /// The schedule of an interrupted run, from the records of its games in any order. Recorded
    /// games are not returned again; all others are, in order.
    pub fn resume<'a>(
        config: &RunConfig,
        records: impl IntoIterator<Item = &'a GameRecord>,
    ) -> Result<Self, ScheduleError> {
        let mut schedule = Self::new(config)?;
        for &GameRecord { plan, result, .. } in records {
            // Records come in the order in which games ended; those of later waves wait until these
            // are known.
            if plan.game < schedule.end() || schedule.is_last_wave() {
                schedule.record(&plan, result)?;
            } else if schedule.early.insert(plan.game, (plan, result)).is_some() {
                return Err(ScheduleError::Repeated { game: plan.game });
            }
        }
        match schedule.early.keys().next() {
            Some(&game) if schedule.is_last_wave() => Err(schedule.beyond(game)),
            Some(&game) => Err(ScheduleError::TooEarly { game }),
            None => Ok(schedule),
        }
    }

    /// The next game, or the reason why there is none.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator cannot say that it waits"
    )]
    pub fn next(&mut self) -> Next {
        // After a resumption, recorded games may lie before and behind the ones that are missing.
        while self.recorded.contains(self.cursor) && self.cursor < self.end() {
            self.cursor += 1;
        }
        if self.cursor < self.end() {
            let plan = self.plan(self.cursor);
            self.cursor += 1;
            Next::Game(plan)
        } else if self.is_last_wave() {
            Next::Done
        } else {
            Next::Wait
        }
    }

    /// Returns true if every game of the run is recorded: one that was handed out may be cancelled.
    pub fn is_complete(&self) -> bool {
        self.is_last_wave() && self.recorded.prefix() == self.end()
    }

    /// Records the result of a game. Returns the pairs by which the completed prefix of its couple
    /// grew, in schedule order, as doubled points of its first engine: see [`PairLedger::record`].
    /// None if games are not played in pairs.
    ///
    /// # Errors
    ///
    /// If the game was recorded before, or differs from the scheduled one; the schedule is
    /// unchanged.
    pub fn record(
        &mut self,
        plan: &GamePlan,
        result: GameResult,
    ) -> Result<Vec<u8>, ScheduleError> {
        let joined = self.take(plan, result)?;
        // Begins the next wave once this one is complete, and counts its early records.
        while self.recorded.prefix() == self.end() {
            let Some(next) = self.next_wave() else { break };
            self.wave = next;
            self.begin_wave();
            // Those behind the new wave stay until theirs is known.
            let later = self.early.split_off(&self.end());
            for (_, (plan, result)) in std::mem::replace(&mut self.early, later) {
                self.take(&plan, result)?;
            }
        }
        Ok(joined)
    }

    /// Returns true if a game is recorded.
    pub fn has(&self, game: u64) -> bool {
        self.recorded.contains(game)
    }

    /// The number of games, unless it depends on results: a knockout has tie-break pairs.
    pub fn total(&self) -> Option<u64> {
        match &self.draw {
            Draw::Fixed => Some(self.end()),
            Draw::Swiss { rounds_left, .. } => {
                // Every round of a Swiss has as many couples.
                let a_round = self.wave.couples.len() as u64 * self.games_of_pairing();
                Some(self.end() + rounds_left * a_round)
            }
            Draw::Knockout(_) => None,
        }
    }

    pub fn wave(&self) -> &Wave {
        &self.wave
    }

    /// The standings; byes of the current round are included.
    pub fn standings(&self) -> &Standings {
        &self.standings
    }

    /// The pairs of two engines, from the point of view of the one that comes first in the
    /// configuration; `None` if they have not played yet, or not in pairs.
    pub fn pairs(&self, one: EngineIndex, other: EngineIndex) -> Option<&PairLedger> {
        self.pairs.get(&Couple::new(one, other))
    }

    /// The number of the first game after the wave.
    fn end(&self) -> u64 {
        self.wave.end() * self.games_of_pairing()
    }

    fn games_of_pairing(&self) -> u64 {
        self.rules.games.into()
    }

    /// The pairing with this number, which is of the current wave; its first engine has White.
    pub fn pairing(&self, pair: u64) -> Pairing {
        let pairing = self.wave.pairing(pair);
        match self.draw {
            Draw::Swiss {
                colors: Some(_), ..
            } => pairing,
            _ => self.rules.colored(pairing),
        }
    }

    fn plan(&self, game: u64) -> GamePlan {
        let mut pairing = self.pairing(game / self.games_of_pairing());
        // So many rounds in a row have one opening.
        pairing.opening /= self.rules.repeat;
        self.rules.plan(pairing, game)
    }

    fn beyond(&self, game: u64) -> ScheduleError {
        ScheduleError::Beyond {
            game,
            last: self.end() - 1,
        }
    }

    /// Records a game of this wave.
    fn take(&mut self, plan: &GamePlan, result: GameResult) -> Result<Vec<u8>, ScheduleError> {
        let game = plan.game;
        if self.recorded.contains(game) {
            return Err(ScheduleError::Repeated { game });
        }
        if game >= self.end() {
            return Err(self.beyond(game));
        }
        let expected = self.plan(game);
        // A ledger of another configuration would otherwise be counted as one of this run.
        if *plan != expected {
            return Err(ScheduleError::Different {
                found: Box::new(*plan),
                expected: Box::new(expected),
            });
        }
        self.recorded.insert(plan.game);
        self.standings.record(plan, result);
        if !self.rules.is_paired() {
            return Ok(Vec::new());
        }
        let PairNumber(pair) = plan.pairing.number;
        let (round, couple) = self.wave.place(pair);
        // Two engines may meet in several waves; their pairs are numbered on.
        let ordinal = self.pairs_before[couple] + round;
        let is_second_game = !plan.game.is_multiple_of(2);
        let couple = self.wave.couples[couple];
        let white = result.white_half_points();
        let is_white = plan.white == couple.first;
        let half_points = if is_white { white } else { 2 - white };
        let ledger = self.pairs.entry(couple).or_default();
        Ok(ledger.record(ordinal, is_second_game, half_points))
    }

    fn next_wave(&mut self) -> Option<Wave> {
        let before = Some(&self.wave);
        match &mut self.draw {
            Draw::Fixed => None,
            Draw::Swiss {
                lots,
                rounds_left,
                colors,
            } => {
                // `None` at 0: the last round has no next one.
                *rounds_left = rounds_left.checked_sub(1)?;
                if let Some(colors) = colors {
                    colors.add(&self.wave.couples);
                }
                let round = swiss::pair(&self.standings, lots, colors.as_ref());
                Some(Wave::after(before, round.couples, 1, round.bye))
            }
            Draw::Knockout(knockout) => match knockout.advance(&self.standings)? {
                BracketStep::Stage(couples) => {
                    Some(Wave::after(before, couples, self.rounds, None))
                }
                BracketStep::Extra(couples) => Some(Wave::after(before, couples, 1, None)),
            },
        }
    }

    fn begin_wave(&mut self) {
        let played = |couple| self.pairs.get(couple).map_or(0, PairLedger::prefix_len);
        self.pairs_before = self.wave.couples.iter().map(played).collect();
        if let Some(bye) = self.wave.bye {
            // At the beginning of the wave, since no game of it will record the bye.
            self.standings.record_bye(bye);
        }
    }

    /// Returns true if no wave follows, whatever the results of unrecorded games.
    fn is_last_wave(&self) -> bool {
        match &self.draw {
            Draw::Fixed => true,
            Draw::Swiss { rounds_left, .. } => *rounds_left == 0,
            Draw::Knockout(knockout) => knockout.is_decided(),
        }
    }
}
