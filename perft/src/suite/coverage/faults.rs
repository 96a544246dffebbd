//! Generators with a fault that depends on a signature, and whether a suite catches them.
//!
//! A fault is derived from its signature: a legal move of it is not listed, an illegal one is, replies to a
//! check ignore it, a list in that state lacks its last move. Unlike the mutants of
//! [`crate::suite::mutants`], nobody has thought of them one by one.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use chess::rules::{Move, PieceType, Position};
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
use rand_chacha::ChaCha8Rng;
use rayon::iter::{IntoParallelIterator as _, IntoParallelRefIterator as _, ParallelIterator as _};

use super::moves::{each_candidate, each_signature};
use super::signature::{
    CASTLING, EFFECT, LEGALITY, OWN_RIGHTS, PIECES, PLACE, REPETITION, STATE, THEIR_RIGHTS, effect,
    state,
};
use super::{Signature, SignatureSet, reached};
use crate::suite::check::plan::{CheckPlan, SuiteCount};

/// A generator that is wrong where one of a few signatures shows.
pub(crate) type Fault = Vec<Signature>;

/// How many of some faults a suite catches.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Caught {
    pub(crate) faults: usize,
    pub(crate) escaped: Vec<Fault>,
}

/// Faults of each of these signatures alone, in their order.
pub(crate) fn single(signatures: &SignatureSet) -> Vec<Fault> {
    signatures.iter().map(|one| vec![one]).collect()
}

/// So many faults of two of these signatures, in which one may hide the other.
pub(crate) fn pairs(signatures: &SignatureSet, number: usize, seed: u64) -> Vec<Fault> {
    let all: Vec<Signature> = signatures.iter().collect();
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut pair = || all.sample_array::<_, 2>(&mut rng).map(Vec::from);
    (0..number).filter_map(|_| pair()).collect()
}

/// The counts of a suite, and which of them reach each signature.
pub(crate) struct Course {
    records: Vec<Record>,
    /// Indices into the records.
    reaching: BTreeMap<Signature, Vec<usize>>,
}

/// A position with its counts and their depths, rising.
struct Record {
    position: Position,
    counts: Vec<(u32, u64)>,
}

impl Course {
    /// On all threads of the current pool, as what follows.
    pub(crate) fn new(plan: &CheckPlan) -> Self {
        let counts: Vec<SuiteCount<'_>> = plan.counts().collect();
        let place = |one: &SuiteCount<'_>| (one.record.suite(), one.record.line());
        let records: Vec<Record> = counts
            .chunk_by(|one, next| place(one) == place(next))
            .map(|counts| Record {
                position: counts[0].record.position(),
                counts: counts.iter().map(|one| (one.depth, one.expected)).collect(),
            })
            .collect();
        let reached = |one: &Record| {
            let depth = one.counts.last().map_or(0, |&(depth, _)| depth);
            reached(&one.position, depth).iter().collect()
        };
        let reached: Vec<Vec<Signature>> = records.par_iter().map(reached).collect();
        let mut reaching: BTreeMap<Signature, Vec<usize>> = BTreeMap::new();
        for (index, all) in reached.iter().enumerate() {
            for &signature in all {
                reaching.entry(signature).or_default().push(index);
            }
        }
        Self { records, reaching }
    }

    /// Which of these faults no count shows; some are missing if `cancel` was set.
    pub(crate) fn judge(
        &self,
        faults: Vec<Fault>,
        cancel: &AtomicBool,
        observe: impl Fn() + Sync,
    ) -> Caught {
        let escapes = |fault: &Fault| {
            let escapes = !cancel.load(Ordering::Relaxed) && !self.catches(fault);
            observe();
            escapes
        };
        let number = faults.len();
        Caught {
            escaped: faults.into_par_iter().filter(escapes).collect(),
            faults: number,
        }
    }

    /// Whether some count of the suite differs.
    fn catches(&self, fault: &Fault) -> bool {
        let reaching = fault.iter().filter_map(|one| self.reaching.get(one));
        let mut records: Vec<usize> = reaching.flatten().copied().collect();
        records.sort_by_key(|&index| (self.records[index].counts.last().copied(), index));
        records.dedup();
        let differs = |&index: &usize| {
            let Record { position, counts } = &self.records[index];
            counts
                .iter()
                .any(|&(depth, expected)| count(position, depth, fault) != expected)
        };
        records.iter().any(differs)
    }
}

/// What a faulty generator counts.
fn count(position: &Position, depth: u32, fault: &Fault) -> u64 {
    Walk {
        fault,
        path: Vec::new(),
    }
    .count(position, depth, Replies::Legal)
}

/// Which replies the generator lists after a move whose effect it takes for another.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Replies {
    Legal,
    /// Those of the king, as if it stood in check.
    OfKing,
    /// Those that ignore whether the king is attacked.
    Pseudolegal,
    /// One where there is none.
    OneMore,
}

struct Walk<'a> {
    fault: &'a Fault,
    /// The keys of the positions above.
    path: Vec<u64>,
}

impl Walk<'_> {
    fn count(&mut self, position: &Position, depth: u32, replies: Replies) -> u64 {
        if depth == 0 {
            return 1;
        }
        let mut list = Listed::new(position, replies);
        let mut replies_to = Vec::new();
        each_signature(position, depth, |signature, m| {
            if self.fault.contains(&signature) {
                apply(signature, m, &mut list, &mut replies_to);
            }
        });
        if self.repeats(position) {
            list.moves.clear();
        }
        if depth == 1 {
            return list.moves.len() as u64 + list.extra;
        }
        self.path.push(position.key());
        let mut sum = 0;
        for m in list.moves {
            let wrong = replies_to.iter().find(|(one, _)| *one == m);
            let replies = wrong.map_or(Replies::Legal, |&(_, replies)| replies);
            sum += self.count(&position.play_unchecked(m), depth - 1, replies);
        }
        self.path.pop();
        sum
    }

    fn repeats(&self, position: &Position) -> bool {
        let side = position.side_to_move().index();
        let is_fault = || self.fault.contains(&Signature::new(REPETITION, &[side, 0]));
        let ago = self.path.len().checked_sub(4).map(|index| self.path[index]);
        ago == Some(position.key()) && is_fault()
    }
}

/// The moves that a faulty generator lists: legal ones, with what follows, and others, as leaves.
struct Listed {
    moves: Vec<Move>,
    extra: u64,
}

impl Listed {
    fn new(position: &Position, replies: Replies) -> Self {
        let mut moves = position.legal_moves().to_vec();
        let mut extra = 0;
        match replies {
            Replies::Legal => {}
            Replies::OfKing => {
                moves.retain(|m| position.piece_type_at(m.from()) == Some(PieceType::King));
            }
            Replies::Pseudolegal => each_candidate(position, |is_allowed, m| {
                extra += u64::from(is_allowed && !position.is_legal(m));
            }),
            Replies::OneMore => extra += 1,
        }
        Self { moves, extra }
    }
}

/// Lists what is wrong with a move or position of this signature.
fn apply(
    signature: Signature,
    m: Option<Move>,
    list: &mut Listed,
    replies_to: &mut Vec<(Move, Replies)>,
) {
    match (signature.view(), m) {
        (LEGALITY | PLACE | CASTLING | THEIR_RIGHTS | OWN_RIGHTS, Some(m)) => {
            list.moves.retain(|&one| one != m);
            list.extra += u64::from(signature.is_illegal());
        }
        (EFFECT, Some(m)) => {
            let replies = match signature.value(2) {
                effect::NO_CHECK => Replies::OfKing,
                effect::MATE | effect::STALEMATE => Replies::OneMore,
                _ => Replies::Pseudolegal,
            };
            replies_to.push((m, replies));
        }
        (STATE, _) if signature.value(1) >= state::CLOCK => {
            list.moves.clear();
        }
        (STATE | PIECES, _) if list.moves.pop().is_none() => list.extra += 1,
        _ => {}
    }
}
