//! Time-to-solution curves: how many positions are solved for good within a time, or within nodes.

use std::time::Duration;

use serde::Serialize;

use super::ledger::{PositionState, Trial};

/// What the solutions of an engine took, each sorted. After the value at index `i`, `i + 1`
/// positions are solved.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct Curve {
    /// By our clock.
    pub(crate) seconds: Vec<f64>,
    /// As reported by the engine; solutions without a node count are left out.
    pub(crate) nodes: Vec<u64>,
}

/// The times of the text table.
pub(crate) const TIMES: [Duration; 6] = [
    Duration::from_millis(1),
    Duration::from_millis(10),
    Duration::from_millis(100),
    Duration::from_secs(1),
    Duration::from_secs(10),
    Duration::from_secs(100),
];
/// The nodes of the text table.
pub(crate) const NODES: [u64; 6] = [1_000, 10_000, 100_000, 1_000_000, 10_000_000, 100_000_000];

impl Curve {
    /// The curve of an engine; of several searches of a position the median solution counts.
    pub(crate) fn from_trial(trial: &Trial) -> Self {
        let solved = trial
            .searched()
            .filter(|&case| trial.state(case) == PositionState::Solved);
        let mut curve = Self::default();
        for moment in solved.filter_map(|case| trial.median_solution(case)) {
            curve.seconds.push(moment.time.as_secs_f64());
            curve.nodes.extend(moment.nodes);
        }
        curve.seconds.sort_by(f64::total_cmp);
        curve.nodes.sort_unstable();
        curve
    }

    /// Number of positions solved within a time.
    pub(crate) fn within(&self, time: Duration) -> usize {
        let limit = time.as_secs_f64();
        self.seconds.partition_point(|&seconds| seconds <= limit)
    }

    /// Number of positions solved within a number of nodes.
    pub(crate) fn within_nodes(&self, nodes: u64) -> usize {
        self.nodes.partition_point(|&one| one <= nodes)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn solutions_within_a_limit_are_counted() {
        let curve = Curve {
            seconds: vec![0.001, 0.01, 0.0101, 2.0],
            nodes: vec![10, 1000, 1001],
        };
        let within = TIMES.map(|time| curve.within(time));
        assert_eq!(within, [1, 2, 3, 3, 4, 4]);
        assert_eq!(NODES.map(|nodes| curve.within_nodes(nodes))[..2], [2, 3]);
    }
}
