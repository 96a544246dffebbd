//! Time-to-solution curves: how many positions are solved for good within a time, or within nodes.

use super::ledger::{PositionState, Trial};

/// What the solutions of an engine took, each sorted. After the value at index `i`, `i + 1`
/// positions are solved.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    /// By our clock.
    pub(crate) seconds: Vec<f64>,
    /// As reported by the engine; solutions without a node count are left out.
    pub(crate) nodes: Vec<u64>,
}

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
}
