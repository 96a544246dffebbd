//! Scores: centipawns for the side to move, and mate scores above them; windows of them.

use crate::eval;

/// The score of checkmate on the board; a mate in `n` plies scores `MATE - n`.
pub const MATE: i32 = 32_000;

/// Depth in plies.
pub(super) type Depth = i32;

pub(super) const INFINITE: i32 = MATE + 1;

/// Scores beyond this are mates: no line is long enough to lower a mate to it.
const MATE_FROM: i32 = -mated_in(super::MAX_PLY);

/// The score of a tablebase win `ply` plies from the root: above any evaluation, below any mate.
pub(super) const fn won_by_tables(ply: usize) -> i32 {
    WON_BY_TABLES - (mated_in(ply) + MATE)
}

const WON_BY_TABLES: i32 = 25_000;

const _: () = assert!(eval::LIMIT < won_by_tables(super::MAX_PLY) && won_by_tables(0) < MATE_FROM);
const _: () = assert!(eval::LIMIT < MATE_FROM && INFINITE < i16::MAX as i32);

/// Converts a mate score to full moves: positive if the side to move mates, zero or negative if it
/// is mated (0 if it already is); `None` for a score in centipawns.
///
/// ```
/// use engine::search::{MATE, mate_distance};
///
/// assert_eq!(mate_distance(MATE - 1), Some(1));
/// assert_eq!(mate_distance(MATE - 3), Some(2));
/// assert_eq!(mate_distance(2 - MATE), Some(-1));
/// assert_eq!(mate_distance(-MATE), Some(0));
/// assert_eq!(mate_distance(120), None);
/// ```
pub const fn mate_distance(value: i32) -> Option<i32> {
    if value >= MATE_FROM {
        Some((MATE - value + 1) / 2)
    } else if value <= -MATE_FROM {
        Some((-MATE - value) / 2)
    } else {
        None
    }
}

/// Whether a score is a mate for either side.
pub(super) const fn is_mate(value: i32) -> bool {
    value.abs() >= MATE_FROM
}

/// Whether a score is a mate or a tablebase result.
pub(super) const fn is_decided(value: i32) -> bool {
    value.abs() >= eval::LIMIT
}

/// Whether a score means that the side to move is mated.
pub(super) const fn is_lost(value: i32) -> bool {
    value <= -MATE_FROM
}

/// The score of being mated `ply` plies from the root.
#[expect(
    clippy::cast_possible_truncation,
    clippy::cast_possible_wrap,
    reason = "plies are at most MAX_PLY"
)]
pub(super) const fn mated_in(ply: usize) -> i32 {
    ply as i32 - MATE
}

/// Converts a score from the root's to the node's perspective: mate distances then count from the
/// node.
pub(super) const fn from_node(value: i32, ply: usize) -> i32 {
    if is_mate(value) {
        value + value.signum() * (mated_in(ply) + MATE)
    } else {
        value
    }
}

/// Converts a score from the node's to the root's perspective.
pub(super) const fn from_root(value: i32, ply: usize) -> i32 {
    if is_mate(value) {
        value - value.signum() * (mated_in(ply) + MATE)
    } else {
        value
    }
}

/// The window of alpha-beta: scores between its bounds are exact.
#[derive(Clone, Copy, Debug)]
pub(super) struct Window {
    pub(super) alpha: i32,
    pub(super) beta: i32,
}

impl Window {
    pub(super) const fn new(alpha: i32, beta: i32) -> Self {
        Self { alpha, beta }
    }

    /// The window from the opponent's point of view.
    pub(super) const fn flipped(self) -> Self {
        Self::new(-self.beta, -self.alpha)
    }

    /// The null window above `alpha`.
    pub(super) const fn scout(alpha: i32) -> Self {
        Self::new(alpha, alpha + 1)
    }

    /// Whether the window is open, that is, the node is a PV node.
    pub(super) const fn is_pv(self) -> bool {
        self.beta - self.alpha > 1
    }
}
