//! The subject of a question, and the contents of an answer.

use std::time::Duration;

use chess::rules::{Move, Position};

/// How a position is given to a subject: `position fen ROOT moves …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    root: Position,
    moves: Vec<Move>,
    position: Position,
}

impl Route {
    /// A route without moves.
    pub fn by_fen(position: Position) -> Self {
        Self {
            root: position,
            moves: Vec::new(),
            position,
        }
    }

    /// Extends the route by a legal move.
    ///
    /// # Panics
    ///
    /// When the move is not legal.
    #[must_use]
    pub fn then(&self, m: Move) -> Self {
        let position = self.position.play(m).expect("a route has legal moves");
        let mut moves = self.moves.clone();
        moves.push(m);
        Self {
            root: self.root,
            moves,
            position,
        }
    }

    /// The same position, reached by no more than the last `length` moves.
    #[must_use]
    pub fn by_last_moves(&self, length: usize) -> Self {
        let (before, last) = self.moves.split_at(self.moves.len().saturating_sub(length));
        let play = |position: Position, &m| position.play_unchecked(m);
        let root = before.iter().fold(self.root, play);
        last.iter()
            .fold(Self::by_fen(root), |route, &m| route.then(m))
    }

    /// The position given as a FEN.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// The moves played from the root, in order.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position after all moves, where the count begins.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// A subject's answer to `go perft`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The printed total, if there is one.
    pub total: Option<u64>,
    /// The rows of the divide as printed, with duplicates; `None` if no rows were printed, which
    /// does not mean that the subject found no moves.
    pub rows: Option<Vec<DivideRow>>,
}

impl Answer {
    /// The count: the printed total, or else the sum of the rows.
    pub fn count(&self) -> Option<u64> {
        self.total.or_else(|| self.sum())
    }

    /// The sum of the rows; `None` without rows, or if it overflows.
    pub fn sum(&self) -> Option<u64> {
        let mut rows = self.rows.as_ref()?.iter();
        rows.try_fold(0_u64, |sum, row| sum.checked_add(row.nodes))
    }
}

/// One row of a divide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DivideRow {
    /// The move as printed.
    pub text: String,
    /// The move that the text denotes.
    pub meaning: MoveMeaning,
    /// Leaf nodes below the move.
    pub nodes: u64,
}

/// The interpretation of a printed move in its position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum MoveMeaning {
    /// A legal move; castling is king takes rook.
    Legal(Move),
    /// Two squares and an optional promotion, but not a legal move.
    Illegal(Move),
    /// Not a move.
    Unreadable,
}

/// Why there is no answer. The subject is ready for the next question nevertheless.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum Failure {
    /// The process ended, or closed its output, before it had answered.
    #[error("crashed: {how}")]
    Crashed {
        /// Exit code or signal, and the last line on standard error.
        how: String,
    },
    #[error("gave no answer within {:.1} s", after.as_secs_f64())]
    TimedOut { after: Duration },
    /// The answer does not have the form found in calibration: the counts are not at fault.
    #[error("not understood: {excerpt}")]
    Unreadable { excerpt: String },
    /// The engine prints an error in place of a count.
    #[error("the engine says '{message}'")]
    Refused { message: String },
    /// The engine is asked for lists of moves, and has none here: nothing is known of this position.
    #[error("its moves are not listed: {why}")]
    NotListed { why: String },
    #[error("interrupted")]
    Cancelled,
}

impl Failure {
    /// The output is longer than any answer.
    pub(super) fn endless() -> Self {
        Self::Unreadable {
            excerpt: "more lines than an answer can have".to_owned(),
        }
    }
}
