//! Boards of days that are over, with their answers, as they are shown to anyone.

use std::num::NonZeroUsize;

use lru::LruCache;

use crate::daily::Day;
use crate::model::{MoveText, Side, Timestamp};

/// Boards of days that are over, each with the time when it was read.
pub(super) type PastBoards = LruCache<i64, (Timestamp, PastBoard)>;

/// Number of cached boards: those of the archive, and two for the moment around midnight.
pub(super) const KEPT_BOARDS: NonZeroUsize = NonZeroUsize::new(32).expect("it is not 0");

/// A legal move of a board of a day that is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct AnsweredMove {
    pub mv: MoveText,
    pub san: String,
    /// Number of lists without it.
    pub missed: usize,
}

/// A board of a day that is over, with its answer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PastBoard {
    pub day: Day,
    pub fen: String,
    pub side_to_move: Side,
    /// Number of lists that `missed` was counted from.
    pub lists: usize,
    /// The legal moves, those that most people overlooked first.
    pub moves: Vec<AnsweredMove>,
}
