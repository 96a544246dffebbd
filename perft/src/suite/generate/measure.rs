//! The targets a position catches, and the cost in nodes.

use std::sync::atomic::{AtomicBool, Ordering};

use chess::perft::{CountError, Counter};
use chess::rules::{CastlingMode, Position};
use kit::{Interrupt, Progress};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

use super::target::{Target, TargetSet};
use crate::suite::coverage::{Signature, SignatureSet, reached};
use crate::suite::mutants::{Budget, Mutant};

/// Limits on the counts of a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct CountLimits {
    pub(crate) depth: u32,
    /// Maximum leaf nodes of one count.
    pub(crate) max_nodes: u64,
}

/// One count of a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Level {
    /// Leaf nodes at this depth.
    pub(crate) nodes: u64,
    /// Leaf nodes of this count and all shallower ones.
    pub(crate) cost: u64,
    /// Targets caught by this count or a shallower one.
    pub(crate) caught: TargetSet,
    /// Wanted signatures that it reaches.
    pub(crate) reached: Vec<Signature>,
}

/// A position with its counts.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Measured {
    pub(crate) position: Position,
    /// The counts from depth 1 on.
    pub(crate) levels: Vec<Level>,
}

impl Measured {
    /// Whether an engine needs Chess960 support to count this position.
    pub(crate) fn is_chess960(&self) -> bool {
        self.position.castling_mode() == CastlingMode::Chess960
    }
}

/// The mutants for a set of targets, and the signatures that a suite should reach.
#[derive(Clone)]
pub(crate) struct Bank {
    breaks: Vec<Break>,
    targets: u32,
    signatures: SignatureSet,
}

/// A mutation for both sides at once, and for each side that is a target. The combined mutant is
/// counted first: if its count is right, one-sided ones are hardly ever wrong.
#[derive(Clone)]
struct Break {
    whole: Mutant,
    sides: Vec<(Target, Mutant)>,
}

impl Bank {
    /// A bank with the mutants of these targets, which looks for these signatures too.
    pub(crate) fn new(wanted: &TargetSet, signatures: SignatureSet) -> Self {
        let mut breaks: Vec<Break> = Vec::new();
        for target in wanted.iter() {
            let side = (target, target.mutant());
            match breaks.last_mut() {
                Some(last) if last.whole.mutation() == Some(target.mutation) => {
                    last.sides.push(side);
                }
                _ => breaks.push(Break {
                    whole: Mutant::new(Some(target.mutation)),
                    sides: vec![side],
                }),
            }
        }
        Self {
            breaks,
            targets: wanted.count(),
            signatures,
        }
    }

    /// Counts a position and finds the mutants that disagree. Stops at the limits, and when a
    /// deeper count cannot catch more; `None` once `cancel` was set.
    pub(crate) fn measure(
        &mut self,
        position: Position,
        limits: CountLimits,
        cancel: &AtomicBool,
    ) -> Option<Measured> {
        let mut levels = Vec::new();
        let mut caught = TargetSet::default();
        let mut cost: u64 = 0;
        for depth in 1..=limits.depth {
            let nodes = match Counter::new().cancel(cancel).count(&position, depth) {
                Ok(nodes) => nodes,
                Err(CountError::Cancelled) => return None,
                // A count beyond 64 bits is beyond the limit.
                Err(_) => break,
            };
            let is_done = caught.count() == self.targets && self.signatures.is_empty();
            if nodes > limits.max_nodes || is_done {
                break;
            }
            for Break { whole, sides } in &mut self.breaks {
                if cancel.load(Ordering::Relaxed) {
                    return None;
                }
                let is_open = |(target, _): &(Target, Mutant)| !caught.contains(*target);
                if !sides.iter().any(is_open) || !differs(whole, &position, depth, nodes) {
                    continue;
                }
                for (target, mutant) in sides {
                    if !caught.contains(*target) && differs(mutant, &position, depth, nodes) {
                        caught.insert(*target);
                    }
                }
            }
            cost = cost.saturating_add(nodes);
            let reached = if self.signatures.is_empty() {
                Vec::new()
            } else {
                let reached = reached(&position, depth).intersection(&self.signatures);
                reached.iter().collect()
            };
            levels.push(Level {
                nodes,
                cost,
                caught,
                reached,
            });
            if nodes == 0 {
                break;
            }
        }
        Some(Measured { position, levels })
    }
}

/// Whether a mutant's count differs. The budget bounds mutants that make moves without end and
/// never reach a leaf.
fn differs(mutant: &mut Mutant, position: &Position, depth: u32, nodes: u64) -> bool {
    let budget = Budget {
        leaves: nodes,
        made: nodes.saturating_mul(16).saturating_add(1 << 16),
    };
    let counted = mutant.perft_within(position, depth, budget);
    counted.is_some_and(|counted| counted != nodes)
}

/// Number of positions that one thread measures with one copy of the bank.
const POSITIONS_FOR_A_BANK: usize = 16;

/// Measures positions against a bank of mutants, in their order; `None` if interrupted. An edge: it
/// runs on all threads of the pool.
pub(crate) fn measure(
    positions: &[Position],
    bank: &Bank,
    limits: CountLimits,
    pool: &rayon::ThreadPool,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Option<Vec<Measured>> {
    let measure = |bank: &mut Bank, &position: &Position| {
        let measured = bank.measure(position, limits, interrupt.flag());
        progress.advance(1);
        measured
    };
    pool.install(|| {
        positions
            .par_iter()
            .with_min_len(POSITIONS_FOR_A_BANK)
            .map_init(|| bank.clone(), measure)
            .collect()
    })
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;
    use chess::rules::Color;

    use super::*;
    use crate::suite::mutants::Mutation;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn bank<const N: usize>(mutations: [Mutation; N]) -> Bank {
        let targets = mutations.into_iter().flat_map(Target::both);
        Bank::new(&targets.collect(), SignatureSet::default())
    }

    fn measure_one(bank: &mut Bank, position: Position, limits: CountLimits) -> Measured {
        let measured = bank.measure(position, limits, &NEVER);
        measured.expect("never cancelled")
    }

    #[test]
    fn what_is_caught_at_which_depth() {
        let mut bank = bank([Mutation::CastlingMissing, Mutation::MateCountsOne]);
        let limits = CountLimits {
            depth: 3,
            max_nodes: 10_000,
        };
        let position = fen::parse("r3k2r/8/8/8/8/8/8/4K3 w kq - 0 1").expect("legal");
        let measured = measure_one(&mut bank, position, limits);
        assert_eq!(measured.position, position);
        assert_eq!(measured.levels[0].caught.count(), 0);
        let black_castling = Target {
            mutation: Mutation::CastlingMissing,
            side: Color::Black,
        };
        assert!(measured.levels[1].caught.contains(black_castling));
        let costs = measured.levels.iter().map(|level| level.cost);
        let sums = measured.levels.iter().scan(0, |sum, level| {
            *sum += level.nodes;
            Some(*sum)
        });
        assert!(costs.eq(sums));
        let few = CountLimits {
            max_nodes: measured.levels[1].nodes,
            ..limits
        };
        assert_eq!(
            measure_one(&mut bank, position, few).levels,
            measured.levels[..2]
        );
    }

    #[test]
    fn measuring_can_be_cancelled() {
        let mut bank = bank(Mutation::ALL);
        let limits = CountLimits {
            depth: 9,
            max_nodes: u64::MAX,
        };
        let cancel = AtomicBool::new(true);
        assert_eq!(bank.measure(Position::startpos(), limits, &cancel), None);
    }

    #[test]
    fn measuring_ends_when_all_is_caught() {
        let limits = CountLimits {
            depth: 5,
            max_nodes: u64::MAX,
        };
        let white_castling = Target {
            mutation: Mutation::CastlingMissing,
            side: Color::White,
        };
        let mut bank = Bank::new(
            &[white_castling].into_iter().collect(),
            SignatureSet::default(),
        );
        let castling = fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("legal");
        assert_eq!(measure_one(&mut bank, castling, limits).levels.len(), 1);
        let mate = fen::parse("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").expect("legal");
        assert_eq!(measure_one(&mut bank, mate, limits).levels.len(), 1);
    }
}
