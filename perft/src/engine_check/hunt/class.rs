//! Classes of wrong moves, which keep shrinking from drifting from one fault to another.

use chess::rules::explain::{Rule, explain};
use chess::rules::{Move, PieceType, Position, Rank, Square};

use super::fault::WrongMove;

/// The kinds of moves for which generators have separate code.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum MoveKind {
    Plain,
    DoubleStep,
    EnPassant,
    Castling,
    Promotion,
}

/// The properties that a move shares with others that break the same rule.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct MoveClass {
    piece: Option<PieceType>,
    kind: MoveKind,
    /// The rule that an illegal move breaks.
    broken: Option<Rule>,
}

/// The invariant of a wrong move: what is wrong with it, and the class of the move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct WrongMoveClass {
    kind: &'static str,
    class: Option<MoveClass>,
}

impl WrongMoveClass {
    pub(super) fn of(wrong: &WrongMove, position: &Position) -> Self {
        Self {
            kind: wrong.kind(),
            class: wrong.to_move().map(|m| MoveClass::of(m, position)),
        }
    }
}

impl MoveClass {
    /// The class of any move, legal or not.
    pub(super) fn of(m: Move, position: &Position) -> Self {
        let piece = position.piece_type_at(m.from());
        let explained = explain(position, m);
        Self {
            piece,
            kind: kind_of(m, piece, position),
            broken: (!explained.is_legal()).then(|| explained.rule()),
        }
    }

    pub(super) const fn kind(self) -> MoveKind {
        self.kind
    }
}

fn kind_of(m: Move, piece: Option<PieceType>, position: &Position) -> MoveKind {
    let files = files_apart(m.from(), m.to());
    let ranks = m.from().rank().index().abs_diff(m.to().rank().index());
    match piece {
        Some(PieceType::Pawn) if is_last_rank(m.to()) || m.promotion().is_some() => {
            MoveKind::Promotion
        }
        Some(PieceType::Pawn) if ranks == 2 && files == 0 => MoveKind::DoubleStep,
        Some(PieceType::Pawn) if files == 1 && position.piece_at(m.to()).is_none() => {
            MoveKind::EnPassant
        }
        Some(PieceType::King) if is_castling(m, position) => MoveKind::Castling,
        _ => MoveKind::Plain,
    }
}

/// The king takes its own rook, or moves two files or more along its rank.
fn is_castling(m: Move, position: &Position) -> bool {
    let own = position.by_color(position.side_to_move());
    let own_rook = (own & position.by_type(PieceType::Rook)).contains(m.to());
    own_rook || (files_apart(m.from(), m.to()) > 1 && m.from().rank() == m.to().rank())
}

fn is_last_rank(square: Square) -> bool {
    matches!(square.rank(), Rank::R1 | Rank::R8)
}

fn files_apart(a: Square, b: Square) -> usize {
    a.file().index().abs_diff(b.file().index())
}
