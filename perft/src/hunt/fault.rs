//! What can be wrong with a subject, as plain data.

use chess::rules::{Move, PieceType, Square};

use crate::subject::Failure;

/// What is wrong at the position that a hunt ends at.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fault {
    /// The position's own list of moves is wrong. The first is the one that was followed.
    Moves(Vec<WrongMove>),
    /// The number of moves is wrong; the subject does not say which they are. Each of these alone
    /// would explain its counts.
    UnknownMove(Vec<WrongMove>),
    /// Every row of the divide is right, the total is not their sum.
    WrongTotal,
    /// A position without legal moves is counted as one leaf node, though leaf nodes lie deeper.
    CountsMated {
        /// The kind of end.
        end: NoMoves,
        /// The move to it, when it is so counted only below another position.
        after: Option<Move>,
    },
    /// Wrong after the route's moves, right when the same position is given by FEN.
    StateAfterMoves(Box<Fault>),
    /// It answers as if these last moves of the route had not been played.
    IgnoredMoves(Vec<Move>),
    /// A row of the divide is wrong, though the position below it is counted rightly when it is
    /// asked about by itself, by FEN as by moves. Most often taking moves back leaves something
    /// behind; or positions within the tree are counted otherwise than at its root.
    Undo(WrongRow),
    /// There is no answer.
    Failed(Failure),
    /// The same question got different answers: the counts of some, `None` where there was none.
    Flaky(Vec<Option<u64>>),
    /// The count is wrong, and nothing more is known; the rows that differ, if there are rows.
    WrongCount(Vec<WrongRow>),
}

impl Fault {
    /// A stable word for the kind of fault. No answer is that, even if it comes only after moves.
    pub fn kind(&self) -> &'static str {
        match self {
            Self::Moves(moves) => moves.first().map_or("wrong-count", WrongMove::kind),
            Self::UnknownMove(moves) => match moves.as_slice() {
                [only] => only.kind(),
                _ => "wrong-count",
            },
            Self::WrongTotal => "wrong-total",
            Self::CountsMated { .. } => "counts-a-mated-position",
            Self::StateAfterMoves(inner) => match **inner {
                Self::Failed(_) => inner.kind(),
                _ => "state-after-moves",
            },
            Self::IgnoredMoves(_) => "ignored-moves",
            Self::Undo(_) => "undo",
            Self::Failed(failure) => Breakdown::of(failure).as_str(),
            Self::Flaky(_) => "flaky",
            Self::WrongCount(_) => "wrong-count",
        }
    }

    /// The wrong moves of the position's own list, known or supposed.
    pub fn wrong_moves(&self) -> &[WrongMove] {
        match self {
            Self::Moves(moves) | Self::UnknownMove(moves) => moves,
            Self::StateAfterMoves(inner) => inner.wrong_moves(),
            _ => &[],
        }
    }
}

/// One thing that is wrong in a list of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongMove {
    /// A legal move is not listed.
    Missing(Move),
    /// An illegal move is listed.
    Extra {
        /// The move, as far as it is one.
        m: Move,
        /// As the subject wrote it; empty when it wrote only a count.
        text: String,
    },
    /// A legal move is listed more than once.
    Duplicate {
        /// The move.
        m: Move,
        /// How often it is listed.
        times: usize,
    },
    /// A pawn may be promoted, but not to each of the four pieces once.
    Promotions {
        /// Where the pawn comes from.
        from: Square,
        /// Where it is promoted.
        to: Square,
        /// What it is said to become, once for each row; `None` where the row does not say.
        listed: Vec<Option<PieceType>>,
    },
    /// A row that is no move.
    Unreadable {
        /// What it says.
        text: String,
    },
}

impl WrongMove {
    /// A stable word for the kind of fault.
    pub const fn kind(&self) -> &'static str {
        match self {
            Self::Missing(_) => "missing-move",
            Self::Extra { .. } => "extra-move",
            Self::Duplicate { .. } => "duplicate-move",
            Self::Promotions { .. } => "wrong-promotions",
            Self::Unreadable { .. } => "unreadable-move",
        }
    }

    /// The move, without the promotion where that is what is wrong; `None` for what is no move.
    pub fn to_move(&self) -> Option<Move> {
        match *self {
            Self::Missing(m) | Self::Extra { m, .. } | Self::Duplicate { m, .. } => Some(m),
            Self::Promotions { from, to, .. } => Some(Move::new(from, to)),
            Self::Unreadable { .. } => None,
        }
    }
}

/// A row of a divide with a wrong count.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrongRow {
    /// The move of the row, which is legal.
    pub m: Move,
    /// The leaf nodes below it.
    pub ours: u64,
    /// What the subject says.
    pub theirs: u64,
}

/// Why a position has no legal moves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoMoves {
    /// The king is in check.
    Checkmate,
    /// The king is not in check.
    Stalemate,
}

impl NoMoves {
    /// The English word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
        }
    }
}

/// The ways in which a subject gives no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Breakdown {
    /// It ended.
    Crash,
    /// It did not answer in time.
    NoAnswer,
    /// Its answer could not be read.
    Unreadable,
    /// The user ended the run: no fault of the subject.
    Cancelled,
}

impl Breakdown {
    /// What kind of failure it is.
    pub const fn of(failure: &Failure) -> Self {
        match failure {
            Failure::Crashed { .. } => Self::Crash,
            Failure::TimedOut { .. } => Self::NoAnswer,
            Failure::Unreadable { .. } => Self::Unreadable,
            Failure::Cancelled => Self::Cancelled,
        }
    }

    /// A stable word for it.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::NoAnswer => "no-answer",
            Self::Unreadable => "unreadable",
            Self::Cancelled => "cancelled",
        }
    }
}
