//! How games ended, and their lengths.

use std::collections::BTreeMap;
use std::ops::Range;
use std::time::Duration;

use chess::rules::Color;

use crate::model::time_control::Clock;
use crate::model::{EngineConfig, EngineIndex, GameRecord, MoveRecord};
use crate::report::run::summary::{FaultLine, Lengths, Pace, TimeUse};
use crate::stats::number::to_f64;

/// Maximum number of listed games that ended by a fault; all are counted.
pub const MOST_FAULTS: usize = 200;

/// Maximum number of classes in the histogram of game lengths.
const CLASSES: usize = 24;

#[derive(Clone, Debug, Default)]
pub(super) struct Endings {
    /// The first games that ended by a fault.
    pub(super) faults: Vec<FaultLine>,
    lengths: BTreeMap<usize, u64>,
}

impl Endings {
    pub(super) fn record(&mut self, record: &GameRecord) {
        *self.lengths.entry(record.moves.len()).or_default() += 1;
        let listed = &mut self.faults;
        let Some(fault) = &record.fault else { return };
        let place = listed.partition_point(|line| line.game < record.plan.game);
        let line = FaultLine {
            game: record.plan.game,
            engine: fault.engine,
            opponent: opponent(record, fault.engine),
            kind: fault.kind,
            detail: fault.detail.clone(),
            transcript: fault.transcript.clone(),
        };
        listed.insert(place, line);
        listed.truncate(MOST_FAULTS);
    }

    /// Statistics of game lengths; `None` without games.
    pub(super) fn lengths(&self) -> Option<Lengths> {
        let (&shortest, _) = self.lengths.first_key_value()?;
        let (&longest, _) = self.lengths.last_key_value()?;
        let games: u64 = self.lengths.values().sum();
        let plies = self.lengths.iter();
        let plies: u64 = plies.map(|(&plies, &games)| plies as u64 * games).sum();
        Some(Lengths {
            mean: to_f64(plies) / to_f64(games),
            median: f64::midpoint(self.nth((games - 1) / 2), self.nth(games / 2)),
            shortest,
            longest,
            classes: self.classes(shortest, longest),
        })
    }

    /// The length of the n-th shortest game, from 0.
    fn nth(&self, game: u64) -> f64 {
        let mut seen = 0;
        let mut no_shorter = self.lengths.iter().skip_while(|&(_, &count)| {
            seen += count;
            seen <= game
        });
        let (&plies, _) = no_shorter.next().expect("there are so many games");
        to_f64(plies as u64)
    }

    fn classes(&self, shortest: usize, longest: usize) -> Vec<(Range<usize>, u64)> {
        let width = class_width(longest + 1 - shortest);
        let begin = shortest - shortest % width;
        let class = |start: usize| {
            let games = self.lengths.range(start..start + width);
            let games = games.map(|(_, games)| games).sum();
            (start..start + width, games)
        };
        (begin..=longest).step_by(width).map(class).collect()
    }
}

/// The smallest of 1, 2, 5, 10, 20, … that keeps the number of classes within the limit.
fn class_width(span: usize) -> usize {
    let decades = (0..).map(|exponent| 10_usize.pow(exponent));
    decades
        .flat_map(|ten| [ten, 2 * ten, 5 * ten])
        .find(|width| span.div_ceil(*width) <= CLASSES)
        .expect("a width that is large enough comes soon")
}

fn opponent(record: &GameRecord, engine: EngineIndex) -> EngineIndex {
    if record.plan.white == engine {
        record.plan.black
    } else {
        record.plan.white
    }
}

// Time use of engines.

/// Maximum number of moves of a game with a mean time of their own.
const MOST_MOVES: usize = 120;
/// Minimum number of games for the mean time of a move; the list ends at the first move with fewer.
const FEW: u64 = 3;

#[derive(Clone, Debug)]
pub(super) struct TimeCollector {
    /// The clock at the start of a game; `None` without a clock.
    fresh_clock: Option<Clock>,
    elapsed: RunningSum,
    longest_us: u64,
    left_ms: RunningSum,
    least_left_ms: Option<i64>,
    overstep: Duration,
    /// Nodes, and microseconds of the moves that report nodes.
    nodes: RunningSum,
    nodes_us: u64,
    depth: RunningSum,
    by_move: Vec<RunningSum>,
}

#[derive(Clone, Copy, Debug, Default)]
struct RunningSum {
    sum: u64,
    count: u64,
}

impl RunningSum {
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
    record.opening.next_to_move() == Color::White
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
            elapsed: RunningSum::default(),
            longest_us: 0,
            left_ms: RunningSum::default(),
            least_left_ms: None,
            overstep: Duration::ZERO,
            nodes: RunningSum::default(),
            nodes_us: 0,
            depth: RunningSum::default(),
            by_move: Vec::new(),
        }
    }

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
                self.by_move.push(RunningSum::default());
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

// Measures the time in which games were played.

/// A longer time without any game is a pause: the run was interrupted and resumed.
const PAUSE_MS: u64 = 60_000;

/// Time intervals with a pause between any two, the earliest first.
#[derive(Clone, Debug, Default)]
pub(super) struct BusyIntervals(Vec<[u64; 2]>);

impl BusyIntervals {
    /// Adds the time of a game.
    pub(super) fn record(&mut self, started_ms: u64, duration_ms: u64) {
        let mut joined = [started_ms, started_ms.saturating_add(duration_ms)];
        let is_before = |one: &[u64; 2]| one[1].saturating_add(PAUSE_MS) < joined[0];
        let from = self.0.partition_point(is_before);
        let is_near = |one: &&[u64; 2]| one[0] <= joined[1].saturating_add(PAUSE_MS);
        let to = from + self.0[from..].iter().take_while(is_near).count();
        for one in &self.0[from..to] {
            joined = [joined[0].min(one[0]), joined[1].max(one[1])];
        }
        self.0.splice(from..to, [joined]);
    }

    pub(super) fn pace(&self, games: u64) -> Pace {
        let busy_ms = self.0.iter().map(|[from, to]| to - from).sum();
        let minutes = to_f64(busy_ms) / 60_000.0;
        let span = self.0.first().zip(self.0.last());
        Pace {
            span_ms: span.map(|([from, _], [_, to])| [*from, *to]),
            busy_ms,
            games_per_minute: (busy_ms > 0).then(|| to_f64(games) / minutes),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_round_widths() {
        let rows = [(1, 1), (24, 1), (25, 2), (49, 5), (200, 10), (600, 50)];
        for (span, expected) in rows {
            assert_eq!(class_width(span), expected, "{span}");
        }
    }

    #[test]
    fn lengths_of_games() {
        let mut endings = Endings::default();
        assert_eq!(endings.lengths(), None);
        endings.lengths = BTreeMap::from([(10, 1), (21, 2), (40, 1)]);
        let lengths = endings.lengths().expect("games");
        assert!((lengths.mean - 23.0).abs() < 1e-12);
        assert!((lengths.median - 21.0).abs() < 1e-12);
        assert_eq!((lengths.shortest, lengths.longest), (10, 40));
        let found = lengths.classes.iter().map(|(_, games)| games).sum::<u64>();
        assert_eq!(found, 4);
        assert_eq!(lengths.classes[0], (10..12, 1));
        endings.lengths = BTreeMap::from([(44, 5), (81, 5)]);
        let lengths = endings.lengths().expect("games");
        assert!((lengths.median - 62.5).abs() < 1e-12);
    }

    #[test]
    fn pauses_are_taken_off() {
        let mut busy = BusyIntervals::default();
        assert_eq!(busy.pace(0).games_per_minute, None);
        busy.record(1_000_000, 30_000);
        busy.record(1_010_000, 30_000);
        busy.record(9_000_000, 20_000);
        assert_eq!(busy.pace(3).busy_ms, 60_000);
        assert_eq!(busy.pace(3).games_per_minute, Some(3.0));
        // Out of order, joining two separate intervals.
        busy.record(1_095_000, 5_000);
        assert_eq!(busy.0.len(), 2);
        busy.record(1_000_000, 9_000_000);
        assert_eq!(busy.0, [[1_000_000, 10_000_000]]);
    }
}
