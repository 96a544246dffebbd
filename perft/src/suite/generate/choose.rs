//! The choice of positions: a cheap cover of all faults that some candidate shows, or the best part of one.

use std::collections::BTreeSet;

use super::Measured;
use crate::suite::faults::{Cover, Fault, Offer, cover};

/// A candidate, counted up to a depth.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Choice {
    /// Index of the candidate.
    pub(crate) candidate: usize,
    pub(crate) depth: usize,
}

/// A suite, what it costs in leaf nodes and positions, and the least that any choice that shows as much
/// costs.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Chosen {
    pub(crate) choices: Vec<Choice>,
    pub(crate) cost: f64,
    pub(crate) lower_bound: f64,
}

/// The leaf nodes that cost an engine about as much as setting up one more position.
pub(crate) const NODES_OF_A_POSITION: u64 = 100;

/// Chooses from the candidates, in their order, at most so many. Chess960 positions are used only for what
/// no other candidate shows, because many engines do not support Chess960.
pub(crate) fn choose(candidates: &[Measured], most: usize) -> Chosen {
    let by_others: BTreeSet<Fault> = candidates
        .iter()
        .filter(|one| !one.is_chess960())
        .flat_map(|one| one.faults(one.levels.len()))
        .collect();
    let mut choices = Vec::new();
    let mut offers = Vec::new();
    for (candidate, measured) in candidates.iter().enumerate() {
        for (depth, level) in (1..).zip(&measured.levels) {
            // A deeper count shows all that shallower ones do: a cover has one depth of a position.
            let faults = measured.faults(depth);
            let faults =
                faults.filter(|fault| !measured.is_chess960() || !by_others.contains(fault));
            choices.push(Choice { candidate, depth });
            offers.push(Offer {
                cost: cost_of(level.cost),
                elements: faults.map(number).collect(),
            });
        }
    }
    let Cover {
        chosen,
        mut cost,
        mut lower_bound,
        ..
    } = cover(&offers);
    let mut chosen = chosen;
    if chosen.len() > most {
        chosen = best(&offers, chosen, most);
        cost = chosen.iter().map(|&index| offers[index].cost).sum();
        // A part of a cover does not show all, so that no bound holds for it.
        lower_bound = 0.0;
    }
    Chosen {
        choices: chosen.into_iter().map(|index| choices[index]).collect(),
        cost,
        lower_bound,
    }
}

#[expect(clippy::cast_precision_loss, reason = "an estimate")]
fn cost_of(nodes: u64) -> f64 {
    (nodes + NODES_OF_A_POSITION) as f64
}

fn number(fault: Fault) -> u32 {
    u32::try_from(fault.index()).expect("they are fewer than a million")
}

/// So many of the chosen sets, again and again the one that adds the most for its cost.
fn best(offers: &[Offer], mut chosen: Vec<usize>, most: usize) -> Vec<usize> {
    let mut seen = BTreeSet::new();
    let mut kept = Vec::new();
    while kept.len() < most {
        let gain = |&index: &usize| {
            let news = offers[index]
                .elements
                .iter()
                .filter(|one| !seen.contains(*one));
            f64::from(u32::try_from(news.count()).unwrap_or(u32::MAX)) / offers[index].cost
        };
        let gains = chosen.iter().map(gain).enumerate();
        // Of equals, the first is taken: `max_by` returns the last, so they come in reverse.
        let Some((place, _)) = gains.rev().max_by(|a, b| a.1.total_cmp(&b.1)) else {
            break;
        };
        let index = chosen.remove(place);
        seen.extend(offers[index].elements.iter().copied());
        kept.push(index);
    }
    kept.sort_unstable();
    kept
}

#[cfg(test)]
mod tests {
    use chess::rules::Position;

    use super::*;
    use crate::suite::generate::measure::Level;

    fn fault(index: usize) -> Fault {
        Fault::from_index(index).expect("there are more")
    }

    /// A candidate from its counts, each with the faults that shallower counts do not show.
    fn measured(counts: &[(u64, &[usize])]) -> Measured {
        let mut cost = 0;
        let level = |&(nodes, news): &(u64, &[usize])| {
            cost += nodes;
            Level {
                nodes,
                cost,
                faults: news.iter().map(|&index| fault(index)).collect(),
            }
        };
        Measured {
            position: Position::startpos(),
            levels: counts.iter().map(level).collect(),
        }
    }

    fn chosen(candidates: &[Measured], most: usize) -> Vec<(usize, usize)> {
        let choices = choose(candidates, most).choices;
        choices
            .iter()
            .map(|one| (one.candidate, one.depth))
            .collect()
    }

    #[test]
    fn the_most_for_each_node() {
        let candidates = [
            measured(&[(20, &[]), (400, &[0, 1, 2])]),
            measured(&[(5, &[0, 1])]),
            measured(&[(6, &[2]), (30, &[])]),
        ];
        assert_eq!(chosen(&candidates, 9), [(1, 1), (2, 1)]);
        assert_eq!(chosen(&candidates, 1), [(1, 1)]);
        assert_eq!(chosen(&[], 9), []);
    }

    #[test]
    fn chess960_only_for_what_no_other_position_shows() {
        let mut chess960 = measured(&[(1, &[0, 1, 2])]);
        let setup = "1r2k3/8/8/8/8/8/8/4K3 b b - 0 1";
        chess960.position = chess::notation::fen::parse(setup).expect("legal");
        let candidates = [chess960, measured(&[(90, &[0])]), measured(&[(80, &[1])])];
        assert_eq!(chosen(&candidates, 9), [(0, 1), (1, 1), (2, 1)]);
    }
}
