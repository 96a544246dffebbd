//! What a position catches, and what that costs.

use std::sync::atomic::{AtomicBool, Ordering};

use engine::perft::{CountError, Counter};
use engine::rules::{CastlingMode, Position};

use super::MutationSet;
use crate::mutants::{Budget, Mutant, Mutation};

/// How far a position is counted.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// Plies at most.
    pub depth: u32,
    /// Leaf nodes of one count at most.
    pub max_nodes: u64,
}

/// One count of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Level {
    /// The leaf nodes at this depth.
    pub nodes: u64,
    /// The nodes of this count and all shallower ones.
    pub cost: u64,
    /// The mutations that this count or a shallower one catches.
    pub caught: MutationSet,
}

/// A position with its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Measured {
    /// The position.
    pub position: Position,
    /// Its counts from depth 1 on.
    pub levels: Vec<Level>,
}

impl Measured {
    /// Whether an engine must play Chess960 to be asked about it.
    pub fn is_chess960(&self) -> bool {
        self.position.castling_mode() == CastlingMode::Chess960
    }
}

/// One mutant of every wanted mutation.
#[derive(Clone)]
pub struct Bank {
    mutants: Vec<(Mutation, Mutant)>,
}

impl Bank {
    /// A bank of these mutations.
    pub fn new(wanted: &MutationSet) -> Self {
        let mutant = |mutation| (mutation, Mutant::new(Some(mutation)));
        Self {
            mutants: wanted.iter().map(mutant).collect(),
        }
    }

    /// Counts a position, and sees which mutants count otherwise. It ends at the limits, and where
    /// a deeper count can catch no more; `None` once `cancel` was set.
    pub fn measure(
        &mut self,
        position: Position,
        limits: Limits,
        cancel: &AtomicBool,
    ) -> Option<Measured> {
        let mut levels = Vec::new();
        let mut caught = MutationSet::default();
        let mut cost: u64 = 0;
        for depth in 1..=limits.depth {
            let nodes = match Counter::new().cancel(cancel).count(&position, depth) {
                Ok(nodes) => nodes,
                Err(CountError::Cancelled) => return None,
                // Beyond 64 bits is beyond the limit.
                Err(_) => break,
            };
            if nodes > limits.max_nodes || caught.count() as usize == self.mutants.len() {
                break;
            }
            for (mutation, mutant) in &mut self.mutants {
                if cancel.load(Ordering::Relaxed) {
                    return None;
                }
                if !caught.contains(*mutation) && differs(mutant, &position, depth, nodes) {
                    caught.insert(*mutation);
                }
            }
            cost = cost.saturating_add(nodes);
            levels.push(Level {
                nodes,
                cost,
                caught,
            });
            if nodes == 0 {
                break;
            }
        }
        Some(Measured { position, levels })
    }
}

/// Whether a mutant's count is another one. A mutant that makes moves without end and comes to no
/// leaves is not waited for.
fn differs(mutant: &mut Mutant, position: &Position, depth: u32, nodes: u64) -> bool {
    let budget = Budget {
        leaves: nodes,
        made: nodes.saturating_mul(16).saturating_add(1 << 16),
    };
    let counted = mutant.perft_within(position, depth, budget);
    counted.is_some_and(|counted| counted != nodes)
}

#[cfg(test)]
mod tests {
    use engine::notation::fen;

    use super::*;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn measure(bank: &mut Bank, position: Position, limits: Limits) -> Measured {
        let measured = bank.measure(position, limits, &NEVER);
        measured.expect("never called off")
    }

    #[test]
    fn what_is_caught_at_which_depth() {
        let mutations = [Mutation::CastlingMissing, Mutation::MateCountsOne];
        let mut bank = Bank::new(&mutations.into_iter().collect());
        let limits = Limits {
            depth: 3,
            max_nodes: 10_000,
        };
        let position = fen::parse("r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1").expect("legal");
        let measured = measure(&mut bank, position, limits);
        assert_eq!(measured.position, position);
        assert!(measured.levels[0].caught.is_empty());
        assert!(
            measured.levels[1]
                .caught
                .contains(Mutation::CastlingMissing)
        );
        let costs = measured.levels.iter().map(|level| level.cost);
        let sums = measured.levels.iter().scan(0, |sum, level| {
            *sum += level.nodes;
            Some(*sum)
        });
        assert!(costs.eq(sums));
        let few = Limits {
            max_nodes: measured.levels[1].nodes,
            ..limits
        };
        assert_eq!(
            measure(&mut bank, position, few).levels,
            measured.levels[..2]
        );
    }

    #[test]
    fn it_can_be_called_off() {
        let mut bank = Bank::new(&Mutation::ALL.into_iter().collect());
        let limits = Limits {
            depth: 9,
            max_nodes: u64::MAX,
        };
        let cancel = AtomicBool::new(true);
        assert_eq!(bank.measure(Position::startpos(), limits, &cancel), None);
    }

    #[test]
    fn it_ends_where_there_is_no_more_to_catch() {
        let limits = Limits {
            depth: 5,
            max_nodes: u64::MAX,
        };
        let mut bank = Bank::new(&[Mutation::CastlingMissing].into_iter().collect());
        let castling = fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("legal");
        assert_eq!(measure(&mut bank, castling, limits).levels.len(), 1);
        let mate = fen::parse("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").expect("legal");
        assert_eq!(measure(&mut bank, mate, limits).levels.len(), 1);
    }
}
