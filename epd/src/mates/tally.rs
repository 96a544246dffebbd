//! Counts of mates found and of issues.

use std::time::Duration;

use serde::Serialize;

use crate::run::claims::{MateClaims, MateIssueKind};
use crate::run::ledger::{PositionState, Trial};
use crate::run::plan::RunCase;

/// Number of announcements with an issue, and of positions with at least one.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct IssueCount {
    pub(crate) announcements: usize,
    pub(crate) positions: usize,
}

/// The results of an engine.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub(crate) struct MateTally {
    /// Positions searched.
    pub(crate) positions: usize,
    /// Searches that ended with a mate for the right side.
    pub(crate) found: usize,
    /// Mates of the known length, or shorter.
    pub(crate) best: usize,
    /// Mates found whose PV is legal and mates as announced.
    pub(crate) proved: usize,
    /// Searches that ended with the score of a won tablebase position, for the right side.
    pub(crate) tablebase_wins: usize,
    pub(crate) wrong_sign: IssueCount,
    pub(crate) better: IssueCount,
    pub(crate) bad_pvs: IssueCount,
    /// Contradicted by endgame tables; 0 without any.
    pub(crate) tables: IssueCount,
    /// Positions in which the engine failed.
    pub(crate) failed: usize,
    pub(crate) needs_chess960: usize,
    pub(crate) open: usize,
    /// Mean depth at which found mates were announced last.
    pub(crate) mean_depth: Option<f64>,
    /// Of all searches, as reported.
    pub(crate) nodes: u64,
    /// Of all searches, by our clock.
    pub(crate) search_seconds: f64,
    /// Only lengths that occur, shortest first.
    pub(crate) lengths: Vec<LengthTally>,
}

/// The results for mates of one length.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub(crate) struct LengthTally {
    /// Known number of moves to mate.
    pub(crate) moves: u32,
    pub(crate) positions: usize,
    pub(crate) found: usize,
    pub(crate) best: usize,
    /// Nodes with which the best ones were announced last, on average; not all engines report them.
    pub(crate) best_mean_nodes: Option<u64>,
}

impl MateTally {
    pub(crate) fn count(&self, kind: MateIssueKind) -> IssueCount {
        match kind {
            MateIssueKind::WrongSign => self.wrong_sign,
            MateIssueKind::Better => self.better,
            MateIssueKind::BadPv => self.bad_pvs,
            MateIssueKind::Tables => self.tables,
        }
    }

    fn count_mut(&mut self, kind: MateIssueKind) -> &mut IssueCount {
        match kind {
            MateIssueKind::WrongSign => &mut self.wrong_sign,
            MateIssueKind::Better => &mut self.better,
            MateIssueKind::BadPv => &mut self.bad_pvs,
            MateIssueKind::Tables => &mut self.tables,
        }
    }

    /// Counts the results of an engine.
    pub(crate) fn new(trial: &Trial, cases: &[RunCase]) -> Self {
        let mut tally = Self::default();
        let (mut depths, mut time) = (Vec::new(), Duration::ZERO);
        let mut lengths = std::collections::BTreeMap::<u32, (LengthTally, Vec<u64>)>::new();
        for (index, case) in cases.iter().enumerate() {
            tally.failed += usize::from(trial.fault(index).is_some());
            match trial.state(index) {
                PositionState::Open => tally.open += 1,
                PositionState::NeedsChess960 => tally.needs_chess960 += 1,
                PositionState::Solved | PositionState::Unsolved => tally.positions += 1,
            }
            let wanted = wanted(case);
            let (length, nodes) = lengths.entry(wanted).or_default();
            length.moves = wanted;
            // Positions without an answer count as well, so that the lengths add up to the whole
            // suite.
            length.positions += 1;
            let Some(answer) = trial.answers(index).next() else {
                continue;
            };
            tally.nodes = tally
                .nodes
                // The counts are the engine's, and a broken one may print 2^64 - 1.
                .saturating_add(answer.end.nodes.unwrap_or_default());
            time += answer.end.time;
            let Some(claims) = &answer.claims else {
                continue;
            };
            tally.tablebase_wins += usize::from(claims.tablebase_win);
            for kind in MateIssueKind::ALL {
                let of_kind = claims.issues.iter().filter(|issue| issue.kind == kind);
                let announcements = of_kind.count();
                let count = tally.count_mut(kind);
                count.announcements += announcements;
                count.positions += usize::from(announcements > 0);
            }
            // Issues are counted before this: a mate for the wrong side is no mate found.
            let Some(found) = &claims.found else { continue };
            depths.extend(found.depth);
            tally.found += 1;
            tally.proved += usize::from(found.proved);
            length.found += 1;
            // A mate that is shorter than the known one counts as best here; whether it is right is
            // an issue.
            if found.moves <= wanted {
                tally.best += 1;
                length.best += 1;
                nodes.extend(found.nodes);
            }
        }
        tally.search_seconds = time.as_secs_f64();
        tally.mean_depth = mean(&depths);
        let lengths = lengths.into_values().map(|(length, nodes)| {
            let sum = nodes.iter().copied().fold(0, u64::saturating_add);
            LengthTally {
                // No engine has to print nodes (UCI), so there may be nothing to divide by.
                best_mean_nodes: sum.checked_div(nodes.len() as u64),
                ..length
            }
        });
        tally.lengths = lengths.collect();
        tally
    }
}

/// The number of moves of the known mate.
pub(crate) fn wanted(case: &RunCase) -> u32 {
    let mate = case.goal.mate.expect("only records with a mate are run");
    mate.moves().get()
}

/// The announcements of the only search of a position, if the engine did not fail.
pub(crate) fn claims(trial: &Trial, index: usize) -> Option<&MateClaims> {
    trial.answers(index).next()?.claims.as_ref()
}

#[expect(clippy::cast_precision_loss, reason = "a mean is rounded anyway")]
fn mean(depths: &[u32]) -> Option<f64> {
    let sum: f64 = depths.iter().copied().map(f64::from).sum();
    (!depths.is_empty()).then(|| sum / depths.len() as f64)
}
