//! Perft broken down by kind of move: captures, castles, checks and so on.
#![expect(
    clippy::missing_errors_doc,
    reason = "both functions fail in the same way"
)]

use std::ops::AddAssign;
use std::sync::atomic::{AtomicBool, Ordering};

use rayon::iter::{IntoParallelIterator, ParallelIterator};

use super::{CountError, check_depth};
use crate::rules::{CastlingSide, Move, Position};

/// Number of moves of the last ply by kind. A move counts in every column that applies. Published
/// tables differ in whether mating checks count as checks; here they do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Breakdown {
    /// Leaf nodes: all moves of the last ply.
    pub nodes: u64,
    /// Captures, en passant included.
    pub captures: u64,
    /// En passant captures.
    pub en_passant: u64,
    /// Castlings.
    pub castles: u64,
    /// Promotions; each promotion piece counts separately.
    pub promotions: u64,
    /// Moves that give check, mates included.
    pub checks: u64,
    /// Checks given only by a piece that did not move. In castling, the rook counts as moved.
    pub discovered_checks: u64,
    /// Checks by two pieces.
    pub double_checks: u64,
    /// Moves that mate.
    pub mates: u64,
    /// Moves that stalemate.
    pub stalemates: u64,
}

impl Breakdown {
    /// The names of the columns, in the order of [`Breakdown::columns`].
    pub const NAMES: [&'static str; 10] = [
        "nodes",
        "captures",
        "en passant",
        "castles",
        "promotions",
        "checks",
        "discovered",
        "double",
        "mates",
        "stalemates",
    ];

    /// The counts, in the order of [`Breakdown::NAMES`].
    pub const fn columns(&self) -> [u64; 10] {
        [
            self.nodes,
            self.captures,
            self.en_passant,
            self.castles,
            self.promotions,
            self.checks,
            self.discovered_checks,
            self.double_checks,
            self.mates,
            self.stalemates,
        ]
    }

    fn add_move(&mut self, position: &Position, m: Move) {
        let castles = position.is_castling(m);
        self.nodes += 1;
        self.captures += u64::from(position.is_capture(m));
        self.en_passant += u64::from(position.is_en_passant(m));
        self.castles += u64::from(castles);
        self.promotions += u64::from(m.promotion().is_some());
        let next = position.play_unchecked(m);
        let ends = next.legal_move_count() == 0;
        let checkers = next.checkers();
        if checkers.is_empty() {
            self.stalemates += u64::from(ends);
            return;
        }
        let moved = if castles {
            CastlingSide::new(m.from(), m.to()).rook_target(position.side_to_move())
        } else {
            m.to()
        };
        self.checks += 1;
        self.double_checks += u64::from(checkers.has_several());
        self.discovered_checks += u64::from(checkers.only().is_some_and(|only| only != moved));
        self.mates += u64::from(ends);
    }
}

impl AddAssign for Breakdown {
    // Every node has been visited individually, so no count can overflow 64 bits.
    fn add_assign(&mut self, other: Self) {
        self.nodes += other.nodes;
        self.captures += other.captures;
        self.en_passant += other.en_passant;
        self.castles += other.castles;
        self.promotions += other.promotions;
        self.checks += other.checks;
        self.discovered_checks += other.discovered_checks;
        self.double_checks += other.double_checks;
        self.mates += other.mates;
        self.stalemates += other.stalemates;
    }
}

/// Counts the leaf nodes `depth` plies below `position` by kind. At depth 0 this is one node of no
/// kind.
///
/// # Errors
///
/// If the depth exceeds [`super::MAX_DEPTH`], or counting is cancelled.
pub fn breakdown(
    position: &Position,
    depth: u32,
    cancel: &AtomicBool,
) -> Result<Breakdown, CountError> {
    check_depth(depth)?;
    let mut sum = Breakdown::default();
    match depth {
        0 => sum.nodes = 1,
        1 => position
            .legal_moves()
            .into_iter()
            .for_each(|m| sum.add_move(position, m)),
        _ if cancel.load(Ordering::Relaxed) => return Err(CountError::Cancelled),
        _ => {
            for m in position.legal_moves() {
                sum += breakdown(&position.play_unchecked(m), depth - 1, cancel)?;
            }
        }
    }
    Ok(sum)
}

/// [`breakdown`] on all threads of the current rayon pool, with the same result.
pub fn breakdown_parallel(
    position: &Position,
    depth: u32,
    cancel: &AtomicBool,
) -> Result<Breakdown, CountError> {
    check_depth(depth)?;
    // Smaller tasks cost more than they save.
    if depth <= 2 {
        return breakdown(position, depth, cancel);
    }
    let add = |mut a: Breakdown, b: Breakdown| {
        a += b;
        Ok(a)
    };
    let moves: Vec<Move> = position.legal_moves().to_vec();
    moves
        .into_par_iter()
        .map(|m| breakdown_parallel(&position.play_unchecked(m), depth - 1, cancel))
        .try_reduce(Breakdown::default, add)
}
