//! What a question is about, and what an answer says.

use std::time::Duration;

use chess::rules::{Move, Position};

/// How a subject is brought to a position: `position fen ROOT moves …`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Route {
    root: Position,
    moves: Vec<Move>,
    position: Position,
}

impl Route {
    /// By the position's FEN alone.
    pub fn by_fen(position: Position) -> Self {
        Self {
            root: position,
            moves: Vec::new(),
            position,
        }
    }

    /// One move further, which must be legal.
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

    /// The position given as a FEN.
    pub fn root(&self) -> &Position {
        &self.root
    }

    /// The moves played from the root.
    pub fn moves(&self) -> &[Move] {
        &self.moves
    }

    /// The position at the end, where the count begins.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

/// What a subject says to `go perft`.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Answer {
    /// The total it prints, if it prints one.
    pub total: Option<u64>,
    /// The rows of its divide as it prints them, repeated ones too; `None` when it prints none,
    /// which does not mean that it found no moves.
    pub rows: Option<Vec<Row>>,
}

impl Answer {
    /// The count: the total where one is printed, else the sum of the rows.
    pub fn count(&self) -> Option<u64> {
        self.total.or_else(|| self.sum())
    }

    /// The sum of the rows; `None` without rows, or when it does not fit.
    pub fn sum(&self) -> Option<u64> {
        let mut rows = self.rows.as_ref()?.iter();
        rows.try_fold(0_u64, |sum, row| sum.checked_add(row.nodes))
    }
}

/// One row of a divide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// The move as it was written.
    pub text: String,
    /// What it means.
    pub meaning: Meaning,
    /// The leaf nodes below it.
    pub nodes: u64,
}

/// What a move that a subject has written means in the position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Meaning {
    /// A legal move; castling is king takes rook.
    Legal(Move),
    /// Two squares and maybe a promotion, but no legal move.
    Illegal(Move),
    /// No move at all.
    Unreadable,
}

/// Why there is no answer. The subject is ready for the next question all the same.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Failure {
    /// It ended, or closed its output, before it had answered.
    #[error("crashed: {how}")]
    Crashed {
        /// Exit code or signal, and the last it said on standard error.
        how: String,
    },
    /// It did not answer in time.
    #[error("gave no answer within {:.1} s", after.as_secs_f64())]
    TimedOut {
        /// How long was waited.
        after: Duration,
    },
    /// It answered, but not in the form in which it has been seen to answer: no fault of its counts.
    #[error("not understood: {excerpt}")]
    Unreadable {
        /// The last lines of what it printed.
        excerpt: String,
    },
    /// The user ended the run.
    #[error("interrupted")]
    Cancelled,
}

impl Failure {
    /// It says more than an answer can be.
    pub(super) fn endless() -> Self {
        Self::Unreadable {
            excerpt: "more lines than an answer can have".to_owned(),
        }
    }
}
