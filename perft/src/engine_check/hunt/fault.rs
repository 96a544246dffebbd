//! The faults of a subject and the result of a hunt, as plain data.

use chess::perft::CountError;
use chess::rules::explain::{Rule, explain};
use chess::rules::{CastlingMode, CastlingSide, File, Move, PieceType, Position, Rank, Square};

use super::effect::Cause;
use super::question::CountQuestion;
use crate::count::subject::{Failure, Route};

/// The result of a hunt.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct HuntResult {
    /// The question with which the hunt began.
    pub asked: CountQuestion,
    /// All moves from there to the first position that is wrong by itself.
    pub path: Route,
    /// The shortest question that shows the fault at that position.
    pub found: CountQuestion,
    /// The smallest question that shows the fault.
    pub shown: CountQuestion,
    /// The fault at the position shown.
    pub fault: HuntFault,
    /// The move that leaves something behind wrong, if that explains the fault.
    pub cause: Option<Cause>,
    /// The counts there, ours and the subject's.
    pub counts: CountPair,
    /// Number of questions asked.
    pub questions: u32,
    /// Whether the mailbox generator lists the same moves there as we do. If not, our own
    /// generators are in doubt, not the subject.
    pub oracle_agrees: bool,
    /// Whether the hunt ran to completion.
    pub end: HuntEnd,
}

impl HuntResult {
    /// The rule that the first wrong move concerns, in one word.
    pub fn rule(&self) -> Option<&'static str> {
        let m = self.fault.wrong_moves().first()?.to_move()?;
        let position = self.shown.position();
        let rule = explain(position, as_written(m, position)).rule();
        Some(rule.as_str())
    }

    /// Whether no move at all is listed at a position that has some.
    pub(crate) fn lists_nothing(&self) -> bool {
        let moves = self.fault.wrong_moves();
        let are_missing = moves
            .iter()
            .all(|wrong| matches!(wrong, WrongMove::Missing(_)));
        !moves.is_empty() && are_missing && self.counts.theirs == Some(0)
    }
}

/// An illegal move as UCI writes it: castling in standard chess by the king's two squares, with a rook in
/// the corner or without.
pub(crate) fn as_written(m: Move, position: &Position) -> Move {
    let us = position.side_to_move();
    let (king, home) = (position.king(us), Rank::R1.relative_to(us));
    let is_castling = position.castling_mode() == CastlingMode::Standard
        && m.from() == king
        && king == Square::new(File::E, home)
        && m.to().rank() == home
        && m.to().file().index().abs_diff(king.file().index()) > 1
        && !position.is_legal(m);
    if is_castling {
        return Move::new(king, CastlingSide::new(king, m.to()).king_target(us));
    }
    m
}

/// Whether a move that breaks this rule is pseudo-legal: it leaves the king in check, and nothing else is
/// wrong with it.
pub(crate) const fn leaves_king_in_check(rule: Rule) -> bool {
    matches!(
        rule,
        Rule::EnPassantDiscoversCheck
            | Rule::KingIntoAttack
            | Rule::KingTakesProtected
            | Rule::KingAlongCheckingRay
            | Rule::KingsAdjacent
            | Rule::DoubleCheckKingMustMove
            | Rule::DoesNotAnswerCheck
            | Rule::Pinned
    )
}

/// The correct count and the subject's.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CountPair {
    /// Our count.
    pub ours: u64,
    /// The subject's count; `None` if it gave none.
    pub theirs: Option<u64>,
}

/// Why a hunt ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HuntEnd {
    /// Nothing is left to try.
    Complete,
    /// The limit on questions was reached.
    Questions,
    /// The limit on timeouts was reached.
    Timeouts,
    /// The user ended the run.
    Cancelled,
}

impl HuntEnd {
    /// A stable word for machine-readable output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Complete => "complete",
            Self::Questions => "questions",
            Self::Timeouts => "timeouts",
            Self::Cancelled => "cancelled",
        }
    }
}

/// Why a hunt found nothing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum HuntError {
    /// We cannot count that far ourselves.
    #[error("cannot tell what is right: {0}")]
    Uncountable(#[from] CountError),
    /// Asking ended before the first answer.
    #[error("the hunt ended before the first answer ({})", .0.as_str())]
    Unanswered(HuntEnd),
}

/// The fault at the position where a hunt ends.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum HuntFault {
    /// The position's own move list is wrong. The first entry is the one that was traced.
    Moves(Vec<WrongMove>),
    /// The number of moves is wrong, but the subject does not list them. Each of these alone would
    /// explain its counts.
    UnknownMove(Vec<WrongMove>),
    /// Every row of the divide is right, but the total is not their sum.
    WrongTotal,
    /// A position without legal moves is counted as one leaf node above the leaves.
    CountsMated {
        /// Checkmate or stalemate.
        end: NoMoves,
        /// The move that leads there, if the fault shows only below another position.
        after: Option<Move>,
    },
    /// Wrong after the route's moves, right when the same position is given by FEN.
    StateAfterMoves(Box<HuntFault>),
    /// The answer is that of the position before these last moves of the route.
    IgnoredMoves(Vec<Move>),
    /// A row of the divide is wrong, although the position below it is counted correctly when asked
    /// about directly, by FEN and, where the engine takes them, by moves. The usual cause is an
    /// incomplete unmake, or a make that an engine asked by FEN alone is never seen to do; another is
    /// that inner nodes are counted differently from the root.
    Undo(WrongRow),
    /// There is no answer.
    Failed(Failure),
    /// The same question got different answers: some of the counts, `None` for no answer.
    Flaky(Vec<Option<u64>>),
    /// The count is wrong for unknown reasons; the differing rows, if there are rows.
    WrongCount(Vec<WrongRow>),
}

impl HuntFault {
    /// A stable word for the kind of fault. A missing answer stays one even if it occurs only after
    /// moves.
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
            Self::Failed(failure) => NoReply::from_failure(failure).as_str(),
            Self::Flaky(_) => "flaky",
            Self::WrongCount(_) => "wrong-count",
        }
    }

    /// The wrong moves of the position's own list, proven or inferred.
    pub fn wrong_moves(&self) -> &[WrongMove] {
        match self {
            Self::Moves(moves) | Self::UnknownMove(moves) => moves,
            Self::StateAfterMoves(inner) => inner.wrong_moves(),
            _ => &[],
        }
    }
}

/// A single fault in a list of moves.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum WrongMove {
    /// A legal move is not listed.
    Missing(Move),
    /// An illegal move is listed.
    Extra {
        /// The move.
        m: Move,
        /// As the subject printed it; empty if it printed only a count.
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
        /// The promotion piece of each row; `None` if the row names none.
        listed: Vec<Option<PieceType>>,
    },
    /// A row that is not a move.
    Unreadable {
        /// The text of the row.
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

    /// The move, without its promotion if that is wrong; `None` for unreadable rows.
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
    /// The correct count below it.
    pub ours: u64,
    /// The subject's count.
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
    /// `checkmate` or `stalemate`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
        }
    }
}

/// The ways in which a subject gives no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NoReply {
    /// The process ended.
    Crash,
    /// No answer within the time limit.
    NoAnswer,
    /// Its answer could not be read.
    Unreadable,
    /// Its search lists no moves here, which is no fault.
    NotListed,
    /// The user ended the run, which is no fault of the subject.
    Cancelled,
}

impl NoReply {
    /// The kind of a failure.
    pub const fn from_failure(failure: &Failure) -> Self {
        match failure {
            Failure::Crashed { .. } => Self::Crash,
            Failure::TimedOut { .. } => Self::NoAnswer,
            Failure::Unreadable { .. } | Failure::Refused { .. } => Self::Unreadable,
            Failure::NotListed { .. } => Self::NotListed,
            Failure::Cancelled => Self::Cancelled,
        }
    }

    /// A stable word for machine-readable output.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Crash => "crash",
            Self::NoAnswer => "no-answer",
            Self::Unreadable => "unreadable",
            Self::NotListed => "not-listed",
            Self::Cancelled => "cancelled",
        }
    }
}
