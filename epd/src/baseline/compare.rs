//! Comparison of an engine's results with a saved baseline.

use std::collections::{HashMap, VecDeque};

use super::statistics::{self, SignTest};
use super::{EngineResults, PositionResult};

/// Solutions below this many nodes count as equal: ratios of tiny node counts are noise.
const LEAST_NODES: u64 = 1000;

/// A position in the baseline and in the current run.
#[derive(Clone, Copy, Debug)]
pub struct Change<'a> {
    /// The result in the baseline.
    pub then: &'a PositionResult,
    /// The current result.
    pub now: &'a PositionResult,
    /// Its index among the current results.
    pub index: usize,
}

/// Results compared with a baseline. Positions match if they are the same question: the same four
/// fields and the same goal. Duplicates are matched in file order.
#[derive(Clone, Debug, Default)]
pub struct Comparison<'a> {
    /// Positions in both.
    pub common: usize,
    /// Number of them solved in the baseline.
    pub solved_then: usize,
    /// Number of them solved now.
    pub solved_now: usize,
    /// Solved in the baseline, but not now.
    pub newly_failed: Vec<Change<'a>>,
    /// Solved now, but not in the baseline.
    pub newly_solved: Vec<Change<'a>>,
    /// Solved in neither: known failures.
    pub still_unsolved: Vec<Change<'a>>,
    /// Solved in both, now with at least `factor` times the nodes.
    pub slower: Vec<Change<'a>>,
    /// Solved in both; the baseline took at least `factor` times the nodes.
    pub faster: Vec<Change<'a>>,
    /// In the baseline, but not run now.
    pub missing: Vec<&'a PositionResult>,
    /// Run now, but not in the baseline.
    pub new: Vec<&'a PositionResult>,
    /// `McNemar`'s test on newly failed against newly solved positions.
    pub solved: SignTest,
    /// Sign test on the positions solved in both: the solution takes more nodes (`worse`) or fewer
    /// (`better`).
    pub nodes: SignTest,
}

/// Compares results with a baseline. A solution is slower if it takes at least `factor` times the
/// nodes; anything below 1000 nodes counts as 1000.
pub fn compare<'a>(then: &'a EngineResults, now: &'a EngineResults, factor: f64) -> Comparison<'a> {
    let mut kept: HashMap<(&str, &str), VecDeque<(usize, &PositionResult)>> = HashMap::new();
    for (index, position) in then.positions.iter().enumerate() {
        kept.entry(question(position))
            .or_default()
            .push_back((index, position));
    }
    let mut comparison = Comparison::default();
    for (index, now) in now.positions.iter().enumerate() {
        match kept.get_mut(&question(now)).and_then(VecDeque::pop_front) {
            Some((_, then)) => comparison.add(Change { then, now, index }, factor),
            None => comparison.new.push(now),
        }
    }
    let mut missing: Vec<_> = kept.into_values().flatten().collect();
    missing.sort_by_key(|&(index, _)| index);
    comparison.missing = missing.into_iter().map(|(_, position)| position).collect();
    comparison.solved = statistics::sign_test(
        comparison.newly_failed.len() as u64,
        comparison.newly_solved.len() as u64,
    );
    comparison.nodes = statistics::sign_test(comparison.nodes.worse, comparison.nodes.better);
    comparison
}

fn question(position: &PositionResult) -> (&str, &str) {
    (&position.position, &position.asked)
}

impl<'a> Comparison<'a> {
    fn add(&mut self, change: Change<'a>, factor: f64) {
        self.common += 1;
        self.solved_then += usize::from(change.then.solved);
        self.solved_now += usize::from(change.now.solved);
        match (change.then.solved, change.now.solved) {
            (true, false) => self.newly_failed.push(change),
            (false, true) => self.newly_solved.push(change),
            (true, true) => self.add_nodes(change, factor),
            (false, false) => self.still_unsolved.push(change),
        }
    }

    fn add_nodes(&mut self, change: Change<'a>, factor: f64) {
        let (Some(then), Some(now)) = (change.then.nodes, change.now.nodes) else {
            return;
        };
        self.nodes.worse += u64::from(now > then);
        self.nodes.better += u64::from(now < then);
        if is_larger(now, then, factor) {
            self.slower.push(change);
        } else if is_larger(then, now, factor) {
            self.faster.push(change);
        }
    }
}

#[expect(clippy::cast_precision_loss, reason = "a ratio is rounded anyway")]
fn is_larger(nodes: u64, than: u64, factor: f64) -> bool {
    let (nodes, than) = (nodes.max(LEAST_NODES), than.max(LEAST_NODES));
    nodes > than && nodes as f64 >= factor * than as f64
}
