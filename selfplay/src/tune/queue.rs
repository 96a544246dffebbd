//! Schedules the games of a tuning and applies their results. Pure.

use std::collections::BTreeMap;

use super::config::{MINUS, PLUS, TuneConfig};
use super::journal::IterationRecord;
use super::spsa::{Spsa, Trial};
use crate::model::{GamePlan, GameRecord, PairNumber, PairOptions, Pairing};
use crate::play::Next;
use crate::stats::Wdl;

/// The games of a tuning, handed out in order, and finished in any order.
#[derive(Clone, Debug)]
pub struct TuningQueue {
    spsa: Spsa,
    games_per_iteration: u64,
    next: u64,
    /// Iterations that have begun and have not been applied.
    open: BTreeMap<u64, OpenIteration>,
}

#[derive(Clone, Debug)]
struct OpenIteration {
    trial: Trial,
    games: Wdl,
    faults: u64,
}

impl TuningQueue {
    /// The games that follow a state.
    pub fn new(config: &TuneConfig, spsa: Spsa) -> Self {
        let games_per_iteration = config.games_per_iteration;
        Self {
            // Games of an iteration that was not complete are played again: only iterations are
            // stored.
            next: spsa.done() * games_per_iteration,
            spsa,
            games_per_iteration,
            open: BTreeMap::new(),
        }
    }

    pub fn spsa(&self) -> &Spsa {
        &self.spsa
    }

    /// The next game to play.
    pub fn next_game(&mut self) -> Next {
        let iteration = self.next / self.games_per_iteration;
        if !self.open.contains_key(&iteration) {
            let Some(trial) = self.spsa.trial(iteration) else {
                let are_given = iteration >= self.spsa.gains().iterations;
                return if are_given { Next::Done } else { Next::Wait };
            };
            let open = OpenIteration {
                trial,
                games: Wdl::default(),
                faults: 0,
            };
            self.open.insert(iteration, open);
        }
        self.next += 1;
        Next::Game(plan(self.next - 1))
    }

    /// The values of both engines in a game that was handed out.
    pub fn options(&self, plan: &GamePlan) -> Option<PairOptions> {
        let trial = &self
            .open
            .get(&(plan.game / self.games_per_iteration))?
            .trial;
        Some(self.spsa.options(trial))
    }

    /// Records the result of a finished game; returns the iterations that it completes, in order.
    ///
    /// # Panics
    ///
    /// If the game was not handed out.
    pub fn finish(&mut self, record: &GameRecord) -> Vec<IterationRecord> {
        let iteration = record.plan.game / self.games_per_iteration;
        let open = self.open.get_mut(&iteration).expect("it was handed out");
        let points = record.half_points(PLUS);
        open.games.add(points.expect("it plays in every game"));
        open.faults += u64::from(record.fault.is_some());
        let mut done = Vec::new();
        while let Some(first) = self.open.first_entry() {
            // A later iteration may be complete, but is applied after this one.
            if first.get().games.games() < self.games_per_iteration {
                break;
            }
            let OpenIteration {
                trial,
                games,
                faults,
            } = first.remove();
            self.spsa.apply(games);
            done.push(IterationRecord::new(
                trial,
                games,
                faults,
                self.spsa.values(),
            ));
        }
        done
    }
}

/// Games are pairs, each with its own opening.
fn plan(game: u64) -> GamePlan {
    let pair = game / 2;
    let pairing = Pairing {
        number: PairNumber(pair),
        round: 0,
        first: PLUS,
        second: MINUS,
        opening: pair,
    };
    pairing.games()[usize::from(!game.is_multiple_of(2))]
}

#[cfg(test)]
mod tests {
    use kit::journal::to_line;
    use proptest::prelude::*;

    use super::*;
    use crate::model::GameResult;
    use crate::play::samples::record;
    use crate::tune::config::tests::config;
    use crate::tune::journal::Replay;

    /// A result that depends only on the settings and the number of the game.
    fn play(queue: &TuningQueue, plan: GamePlan) -> GameRecord {
        let options = queue.options(&plan).expect("it was handed out");
        let [plus, minus] = options.map(|one| one[0].1.parse::<f64>().expect("a number"));
        let luck = [0.0, 9.0, -9.0][usize::try_from(plan.game % 3).expect("small")];
        let advantage = plus - minus + luck;
        let is_white = plan.white == PLUS;
        GameRecord {
            plan,
            result: match (advantage > 0.0, is_white) {
                _ if advantage.abs() < 2.0 => GameResult::Draw,
                (true, true) | (false, false) => GameResult::WhiteWins,
                _ => GameResult::BlackWins,
            },
            ..record(0, 0)
        }
    }

    /// Plays all games, `at_once` at a time; `order` chooses which of them ends next.
    fn run(config: &TuneConfig, at_once: usize, mut order: impl FnMut(usize) -> usize) -> String {
        let mut queue = TuningQueue::new(config, config.begin());
        let mut under_way = Vec::new();
        let mut text = String::new();
        loop {
            while under_way.len() < at_once {
                let Next::Game(plan) = queue.next_game() else {
                    break;
                };
                under_way.push(plan);
            }
            if under_way.is_empty() {
                return text;
            }
            let plan = under_way.remove(order(under_way.len()));
            for record in queue.finish(&play(&queue, plan)) {
                text += &to_line(&record);
            }
        }
    }

    #[test]
    fn every_pair_has_its_opening_and_both_colours() {
        let mut config = config();
        config.games_per_iteration = 4;
        config.lag = 2;
        let mut queue = TuningQueue::new(&config, config.begin());
        let mut games = Vec::new();
        while let Next::Game(plan) = queue.next_game() {
            games.push(plan);
        }
        assert_eq!(queue.next_game(), Next::Wait);
        assert_eq!(games.len(), 8, "two iterations can begin");
        for (index, plan) in (0..).zip(&games) {
            assert_eq!(plan.game, index);
            assert_eq!(plan.pairing.opening, index / 2);
            assert_eq!(plan.white == PLUS, index % 2 == 0);
        }
        let options = |game: usize| queue.options(&games[game]).expect("it was handed out");
        assert_eq!(options(0), options(3));
        assert_ne!(options(3), options(4));
        let [_, minus] = options(0);
        let names: Vec<&str> = minus.iter().map(|(name, _)| &**name).collect();
        assert_eq!(names, ["Margin", "Scale"]);
    }

    proptest! {
        #[test]
        fn neither_order_nor_number_at_once_changes_anything(
            at_once in 1..12_usize,
            lag in 1..6_u64,
            games in 1..4_u64,
            picks in prop::collection::vec(any::<prop::sample::Index>(), 1..40),
            cut in any::<prop::sample::Index>(),
        ) {
            let mut config = config();
            config.lag = lag;
            config.games_per_iteration = 2 * games;
            let one = run(&config, 1, |_| 0);
            prop_assert_eq!(one.lines().count(), 10);
            let mut picks = picks.iter().cycle();
            let other = run(&config, at_once, |len| picks.next().expect("a cycle").index(len));
            prop_assert_eq!(&one, &other);
            // Then the same run, resumed after any line.
            let lines: Vec<&str> = one.split_inclusive('\n').collect();
            let begun = &lines[..cut.index(lines.len() + 1)];
            let mut state = Replay::new(&config);
            for line in begun {
                let record = serde_json::from_str(line).expect("a record");
                state.take(record).expect("what follows");
            }
            let mut queue = TuningQueue::new(&config, state.spsa);
            let mut text = begun.concat();
            while let Next::Game(plan) = queue.next_game() {
                for record in queue.finish(&play(&queue, plan)) {
                    text += &to_line(&record);
                }
            }
            prop_assert_eq!(one, text);
        }
    }
}
