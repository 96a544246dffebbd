//! The cheapest suite that reaches every signature and catches every target that some candidate does.

use super::{Choice, Measured, TargetSet};
use crate::suite::coverage::{Cover, Offer, Signature, cost_of, cover};

/// A suite, what it costs in positions, and the least that any choice among the candidates costs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Reach {
    pub(crate) choices: Vec<Choice>,
    pub(crate) cost: f64,
    pub(crate) lower_bound: f64,
}

/// Chooses from the candidates, in their order.
pub(crate) fn reach(candidates: &[Measured], targets: &TargetSet) -> Reach {
    let mut choices = Vec::new();
    let mut offers = Vec::new();
    for (candidate, measured) in candidates.iter().enumerate() {
        for (depth, level) in (1..).zip(&measured.levels) {
            let signatures = level.reached.iter().map(|one| one.index());
            // Behind the signatures.
            let caught = level.caught.and(targets);
            let caught = caught.iter().map(|one| Signature::COUNT + one.index());
            let number = |one| u32::try_from(one).expect("there are fewer than a million");
            choices.push(Choice { candidate, depth });
            offers.push(Offer {
                cost: cost_of(level.cost),
                elements: signatures.chain(caught).map(number).collect(),
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
