//! Generators with a fault that depends on a signature, and whether a suite catches them.
//!
//! A fault is derived from its signature: a legal move of it is not listed, an illegal one is, replies to a
//! check ignore it, a list after it or in its state is one move too short or too long. Unlike the mutants of
//! [`crate::suite::mutants`], nobody has thought of them one by one.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, Ordering};

use chacha20::ChaCha8Rng;
use chess::rules::{Move, Position};
use rand::SeedableRng as _;
use rand::seq::IndexedRandom as _;
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
    /// All but the last.
    OneLess,
    /// Those that ignore whether the king is attacked; all but the last if these are the same.
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
            Replies::OneLess => {
                moves.pop();
            }
            Replies::Pseudolegal => {
                each_candidate(position, |is_allowed, m| {
                    extra += u64::from(is_allowed && !position.is_legal(m));
                });
                if extra == 0 {
                    moves.pop();
                }
            }
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
                effect::NO_CHECK => Replies::OneLess,
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

#[cfg(test)]
mod tests {
    use chess::rules::CastlingMode;
    use epd::Suite;

    use super::*;
    use crate::suite::check::plan::{CountFilter, plan};
    use crate::suite::coverage::possible;

    static NEVER: AtomicBool = AtomicBool::new(false);

    fn course(text: &str) -> Course {
        let suite = Suite::parse("test", text.as_bytes());
        assert!(suite.diagnostics.is_empty(), "{:?}", suite.diagnostics);
        Course::new(&plan(vec![suite], &CountFilter::default()))
    }

    const SUITE: &str = "\
        r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - D1 48; D2 2039;\n\
        8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - D1 14; D2 191; D3 2812;\n\
        8/8/8/8/8/1k6/8/K7 b - - D1 6; D2 13; D3 71; D4 336; D5 2178;\n";

    /// A fault of one signature is caught if and only if the suite reaches it.
    #[test]
    fn what_is_reached_is_caught() {
        let course = course(SUITE);
        let possible = possible(CastlingMode::Standard);
        let caught = course.judge(single(possible), &NEVER, || ());
        let escaped: SignatureSet = caught.escaped.into_iter().flatten().collect();
        let reached: SignatureSet = course.reaching.keys().copied().collect();
        let reached = reached.intersection(possible);
        assert!(reached.count() > 300, "{}", reached.count());
        assert_eq!(escaped, possible.clone().without(&reached));
    }

    #[test]
    fn no_fault_no_difference() {
        for Record { position, counts } in course(SUITE).records {
            for (depth, expected) in counts {
                assert_eq!(count(&position, depth, &Vec::new()), expected);
            }
        }
    }

    /// One move too few and one too many give the right count.
    #[test]
    fn a_fault_can_hide_another() {
        let course = course("4k3/8/8/8/1b6/2P5/8/4K3 w - - D1 6;");
        let named = |words: &str| {
            let mut all = course.reaching.keys().copied();
            all.find(|one| one.to_string() == words).expect(words)
        };
        let legal = named(
            "white pawn x bishop, not in check, along its pin on a diagonal like h1-a8, legal",
        );
        let illegal = named(
            "white pawn push, not in check, off its pin on a diagonal like h1-a8, illegal: leaves its king in check",
        );
        for (fault, is_caught) in [
            (vec![legal], true),
            (vec![illegal], true),
            (vec![legal, illegal], false),
        ] {
            let caught = course.judge(vec![fault.clone()], &NEVER, || ());
            assert_eq!(caught.escaped.is_empty(), is_caught, "{fault:?}");
        }
    }

    #[test]
    fn pairs_are_random_and_differ() {
        let possible = possible(CastlingMode::Standard);
        let some = pairs(possible, 100, 1);
        assert_eq!(some.len(), 100);
        assert!(
            some.iter()
                .all(|pair| pair.len() == 2 && pair[0] != pair[1])
        );
        assert_eq!(some, pairs(possible, 100, 1));
        assert_ne!(some, pairs(possible, 100, 2));
    }
}
