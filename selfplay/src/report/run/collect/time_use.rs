//! Time use of engines.

use std::time::Duration;

use crate::digits::to_f64;
use crate::model::{EngineConfig, GameRecord, MoveRecord};
use crate::report::run::summary::TimeUse;
use crate::time_control::Clock;

/// Maximum number of moves of a game with a mean time of their own.
const MOST_MOVES: usize = 120;
/// Minimum number of games for the mean time of a move; the list ends at the first move with fewer.
const FEW: u64 = 3;

/// The time use of one engine.
#[derive(Clone, Debug)]
pub(super) struct TimeCollector {
    /// The clock at the start of a game; `None` without a clock.
    fresh_clock: Option<Clock>,
    elapsed: Sum,
    longest_us: u64,
    left_ms: Sum,
    least_left_ms: Option<i64>,
    overstep: Duration,
    /// Nodes, and microseconds of the moves that report nodes.
    nodes: Sum,
    nodes_us: u64,
    depth: Sum,
    by_move: Vec<Sum>,
}

#[derive(Clone, Copy, Debug, Default)]
struct Sum {
    sum: u64,
    count: u64,
}

impl Sum {
    const fn add(&mut self, value: u64) {
        self.sum = self.sum.saturating_add(value);
        self.count += 1;
    }

    fn mean(self) -> Option<f64> {
        (self.count > 0).then(|| to_f64(self.sum) / to_f64(self.count))
    }
}

/// Adds the moves of a game to the engines that made them.
pub(super) fn record(engines: &mut [TimeCollector], record: &GameRecord) {
    let plan = &record.plan;
    let mut turns = if white_begins(record) {
        [plan.white, plan.black]
    } else {
        [plan.black, plan.white]
    };
    for first in [0, 1] {
        engines[turns[0].0].game(record.moves.iter().skip(first).step_by(2));
        turns.swap(0, 1);
    }
}

/// Whether White makes the first move out of book.
fn white_begins(record: &GameRecord) -> bool {
    let opening = &record.opening;
    let is_white = opening.fen.split_whitespace().nth(1) != Some("b");
    is_white == opening.moves.len().is_multiple_of(2)
}

impl TimeCollector {
    pub(super) fn new(engine: &EngineConfig) -> Self {
        let limits = &engine.limits;
        let margin = Duration::from_millis(limits.margin_ms);
        Self {
            fresh_clock: limits
                .clock
                .as_ref()
                .map(|control| Clock::new(control, margin)),
            elapsed: Sum::default(),
            longest_us: 0,
            left_ms: Sum::default(),
            least_left_ms: None,
            overstep: Duration::ZERO,
            nodes: Sum::default(),
            nodes_us: 0,
            depth: Sum::default(),
            by_move: Vec::new(),
        }
    }

    /// Adds the moves of one game.
    fn game<'a>(&mut self, moves: impl Iterator<Item = &'a MoveRecord>) {
        let mut clock = self.fresh_clock.clone();
        let mut left = None;
        for (index, one) in moves.enumerate() {
            self.count_move(index, one);
            self.spend(&mut clock, Duration::from_micros(one.elapsed_us));
            left = one.clock_ms;
        }
        if let Some(left) = left {
            self.left_ms.add(u64::try_from(left).unwrap_or(0));
            self.least_left_ms = Some(self.least_left_ms.map_or(left, |least| least.min(left)));
        }
    }

    fn count_move(&mut self, index: usize, one: &MoveRecord) {
        self.elapsed.add(one.elapsed_us);
        self.longest_us = self.longest_us.max(one.elapsed_us);
        if let Some(nodes) = one.nodes {
            self.nodes.add(nodes);
            self.nodes_us = self.nodes_us.saturating_add(one.elapsed_us);
        }
        if let Some(depth) = one.depth {
            self.depth.add(depth.into());
        }
        if index < MOST_MOVES {
            if index == self.by_move.len() {
                self.by_move.push(Sum::default());
            }
            self.by_move[index].add(one.elapsed_us);
        }
    }

    /// Spends the time of a move. The ledger stores the time left after the increment, so the clock
    /// is run again to find the excess within the time margin.
    fn spend(&mut self, clock: &mut Option<Clock>, elapsed: Duration) {
        let Some(running) = clock else { return };
        let overstep = elapsed.saturating_sub(running.left());
        self.overstep = self.overstep.max(overstep);
        if running.spend(elapsed).is_err() {
            *clock = None;
        }
    }

    pub(super) fn summary(&self) -> TimeUse {
        let ms = |us: f64| us / 1000.0;
        let shown = self
            .by_move
            .iter()
            .take_while(|sum| sum.count >= FEW.min(self.by_move[0].count));
        TimeUse {
            moves: self.elapsed.count,
            mean_ms: self.elapsed.mean().map(ms),
            longest_ms: ms(to_f64(self.longest_us)),
            mean_left_ms: self.left_ms.mean(),
            least_left_ms: self.least_left_ms,
            overstep_ms: self
                .fresh_clock
                .is_some()
                .then_some(self.overstep.as_secs_f64() * 1000.0),
            nodes_per_second: (self.nodes_us > 0)
                .then(|| to_f64(self.nodes.sum) / to_f64(self.nodes_us) * 1e6),
            mean_nodes: self.nodes.mean(),
            mean_depth: self.depth.mean(),
            by_move_ms: shown.filter_map(|sum| sum.mean().map(ms)).collect(),
        }
    }
}
