//! A question to a subject, and its reply.

use std::num::NonZeroU32;

use chess::rules::{Move, Position};

use crate::count::subject::{Answer, Failure, Route};

/// Asks for the leaf nodes at some depth below a position, which is reached in some way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct CountQuestion {
    /// How the position is given: a FEN, optionally with moves.
    pub route: Route,
    /// Depth in plies.
    pub depth: NonZeroU32,
}

impl CountQuestion {
    /// Asks by the position's FEN alone.
    pub fn by_fen(position: Position, depth: NonZeroU32) -> Self {
        Self {
            route: Route::by_fen(position),
            depth,
        }
    }

    /// The position whose leaf nodes are counted.
    pub fn position(&self) -> &Position {
        self.route.position()
    }

    /// The same position at another depth.
    #[must_use]
    pub fn at_depth(&self, depth: NonZeroU32) -> Self {
        Self {
            route: self.route.clone(),
            depth,
        }
    }

    /// The same position reached by no more than the last `length` moves.
    #[must_use]
    pub fn by_last_moves(&self, length: usize) -> Self {
        Self {
            route: self.route.by_last_moves(length),
            depth: self.depth,
        }
    }

    /// The question one ply down, after a legal move; `None` if nothing is left to count.
    pub fn child(&self, m: Move) -> Option<Self> {
        Some(Self {
            route: self.route.then(m),
            depth: NonZeroU32::new(self.depth.get() - 1)?,
        })
    }

    /// All smaller depths, from 1.
    pub(super) fn smaller_depths(&self) -> impl Iterator<Item = NonZeroU32> + use<> {
        (1..self.depth.get()).filter_map(NonZeroU32::new)
    }
}

/// The reply to a question.
pub(super) type CountReply = Result<Answer, Failure>;
