use std::collections::BTreeSet;

use chess::rules::{Bitboard, CastlingMode, PieceType, Position, Rank, Square, attacks};

use super::diagram::Diagram;
use crate::model::{MoveClass, MoveText};

/// A candidate move.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Candidate {
    /// The move, in canonical form.
    pub text: MoveText,
    /// Its class.
    pub class: MoveClass,
}

/// All candidate moves of the side to move, sorted by text, each once.
pub fn universe(position: &Position) -> Vec<Candidate> {
    let diagram = Diagram::of(position);
    let candidates: BTreeSet<Candidate> = PieceType::ALL
        .into_iter()
        .flat_map(|piece_type| diagram.squares(piece_type))
        .flat_map(|from| texts_from(&diagram, from))
        .map(|text| Candidate {
            class: class(&diagram, &text),
            text,
        })
        .collect();
    candidates.into_iter().collect()
}

/// The class of a candidate; `None` for a move that is not a candidate or not in canonical form.
pub fn class_of(position: &Position, text: &MoveText) -> Option<MoveClass> {
    let diagram = Diagram::of(position);
    let (from, _, _) = text.parts();
    diagram.own(from)?;
    texts_from(&diagram, from)
        .contains(text)
        .then(|| class(&diagram, text))
}

fn texts_from(diagram: &Diagram, from: Square) -> Vec<MoveText> {
    let Some(piece_type) = diagram.own(from) else {
        return Vec::new();
    };
    let targets = targets(diagram, piece_type, from).into_iter();
    if piece_type == PieceType::Pawn {
        return targets
            .flat_map(|to| pawn_texts(diagram, from, to))
            .collect();
    }
    targets.map(|to| MoveText::new(from, to, None)).collect()
}

fn pawn_texts(diagram: &Diagram, from: Square, to: Square) -> Vec<MoveText> {
    if to.rank() != diagram.last_rank() {
        return vec![MoveText::new(from, to, None)];
    }
    PieceType::PROMOTIONS
        .into_iter()
        .map(|promotion| MoveText::new(from, to, Some(promotion)))
        .collect()
}

/// The squares that a piece reaches on an empty board; for the king, also castling in the notation
/// used here.
fn targets(diagram: &Diagram, piece_type: PieceType, from: Square) -> Bitboard {
    let straight = || attacks::rook(from, Bitboard::EMPTY);
    let aslant = || attacks::bishop(from, Bitboard::EMPTY);
    match piece_type {
        PieceType::Pawn => attacks::pawn(diagram.side, from) | steps_ahead(diagram, from),
        PieceType::Knight => attacks::knight(from),
        PieceType::Bishop => aslant(),
        PieceType::Rook => straight(),
        PieceType::Queen => straight() | aslant(),
        PieceType::King => attacks::king(from) | castling_targets(diagram, from),
    }
}

fn steps_ahead(diagram: &Diagram, from: Square) -> Bitboard {
    let at_start = from.rank() == Rank::R2.relative_to(diagram.side);
    let longest = if at_start { 2 } else { 1 };
    (1..=longest)
        .filter_map(|steps| from.offset(0, steps * diagram.side.forward()))
        .collect()
}

fn castling_targets(diagram: &Diagram, king: Square) -> Bitboard {
    let everywhere: Bitboard = match diagram.form {
        CastlingMode::Standard => [-2, 2]
            .into_iter()
            .filter_map(|files| king.offset(files, 0))
            .collect(),
        CastlingMode::Chess960 => diagram.squares(PieceType::Rook).collect(),
    };
    everywhere
        .into_iter()
        .filter(|&to| diagram.is_castling(king, to))
        .collect()
}

fn class(diagram: &Diagram, text: &MoveText) -> MoveClass {
    let (from, to, promotion) = text.parts();
    match diagram.own(from) {
        Some(PieceType::King) if diagram.is_castling(from, to) => MoveClass::Castling,
        Some(PieceType::King) => MoveClass::King,
        Some(PieceType::Pawn) if promotion.is_some() => MoveClass::Promotion,
        Some(PieceType::Pawn) if diagram.ep_square == Some(to) && from.file() != to.file() => {
            MoveClass::EnPassant
        }
        _ => MoveClass::Ordinary,
    }
}
