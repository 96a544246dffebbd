//! Test cases for engines: positions with their correct counts.

use std::num::NonZeroU32;

use crate::check::{Ledger, Plan, State, Unit};
use crate::event::UnitResult;
use crate::subject::Route;

/// One position of a suite, with all its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Case {
    /// Index of the suite in the plan.
    pub suite: usize,
    /// The line in the suite, from 1.
    pub line: usize,
    /// The record's id, where it has one.
    pub id: Option<String>,
    /// The record's tags.
    pub tags: Vec<String>,
    /// The position, as a FEN with optional moves.
    pub route: Route,
    /// Depths and the counts of our generator, shallow ones first.
    pub counts: Vec<(NonZeroU32, u64)>,
}

impl Case {
    /// The id, or the line if there is none.
    pub fn name(&self) -> String {
        let line = || format!("line {}", self.line);
        self.id.clone().unwrap_or_else(line)
    }

    /// The leaf nodes of all its counts.
    pub fn nodes(&self) -> u64 {
        let nodes = self.counts.iter().map(|&(_, nodes)| nodes);
        nodes.fold(0, u64::saturating_add)
    }
}

/// The cases of a plan that our generator has counted. Where the suite disagrees, our generator is
/// taken as right, and the ledger reports the suite. Depth 0 is never asked.
pub fn cases(plan: &Plan, ledger: &Ledger) -> Vec<Case> {
    let mut cases: Vec<Case> = Vec::new();
    for (unit, state) in plan.units.iter().zip(ledger.states()) {
        let (Some(depth), Some(nodes)) = (NonZeroU32::new(unit.depth), counted(unit, state)) else {
            continue;
        };
        match cases.last_mut() {
            Some(case) if (case.suite, case.line) == (unit.suite, unit.line) => {
                case.counts.push((depth, nodes));
            }
            _ => cases.push(Case {
                suite: unit.suite,
                line: unit.line,
                id: unit.id.clone(),
                tags: unit.tags.clone(),
                route: Route::by_fen(unit.position),
                counts: vec![(depth, nodes)],
            }),
        }
    }
    for case in &mut cases {
        case.counts.sort_unstable();
    }
    cases
}

fn counted(unit: &Unit, state: &State) -> Option<u64> {
    match state {
        State::Done {
            result: UnitResult::Agrees,
            ..
        } => Some(unit.expected),
        State::Done {
            result: UnitResult::Differs { counted, .. },
            ..
        } => Some(*counted),
        _ => None,
    }
}
