//! The cheapest suite that reaches every signature and catches every target that some candidate does.

use std::collections::BTreeSet;

use super::{Choice, Level, Measured, TargetSet};
use crate::suite::coverage::{Cover, Offer, Signature, cost_of, cover};

/// A suite, what it costs in positions, and the least that any choice among the candidates costs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reach {
    pub(crate) choices: Vec<Choice>,
    pub(crate) cost: f64,
    pub(crate) lower_bound: f64,
}

/// Chooses from the candidates, in their order. Chess960 positions are used only for what no other candidate
/// shows, because many engines do not support Chess960.
pub(crate) fn reach(candidates: &[Measured], targets: &TargetSet) -> Reach {
    let by_others: BTreeSet<u32> = candidates
        .iter()
        .filter(|one| !one.is_chess960())
        .filter_map(|one| one.levels.last())
        .flat_map(|level| elements(level, targets))
        .collect();
    let mut choices = Vec::new();
    let mut offers = Vec::new();
    for (candidate, measured) in candidates.iter().enumerate() {
        for (depth, level) in (1..).zip(&measured.levels) {
            let mut elements = elements(level, targets);
            if measured.is_chess960() {
                elements.retain(|one| !by_others.contains(one));
            }
            choices.push(Choice { candidate, depth });
            offers.push(Offer {
                cost: cost_of(level.cost),
                elements,
            });
        }
    }
    let Cover {
        chosen,
        cost,
        lower_bound,
        ..
    } = cover(&offers);
    Reach {
        choices: chosen.into_iter().map(|index| choices[index]).collect(),
        cost,
        lower_bound,
    }
}

/// The signatures that a count reaches, and behind them the targets that it catches, by number.
fn elements(level: &Level, targets: &TargetSet) -> Vec<u32> {
    let caught = level.caught.and(targets);
    let number = |index| u32::try_from(Signature::COUNT + index).expect("it is below a million");
    let caught = caught.iter().map(|target| number(target.index()));
    let signatures = level.reached.iter().map(|one| one.number());
    signatures.chain(caught).collect()
}
