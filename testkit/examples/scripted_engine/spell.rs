//! Moves as engines write and read them.

use chess::notation::san;
use chess::rules::{CastlingSide, Color, Move, PieceType, Position};

use crate::bank::{Castling, Spelling};
use crate::template::fill;

/// The text of a move, legal or not.
pub(crate) fn write(m: Move, position: &Position, spelling: &Spelling) -> String {
    let from = m.from().to_string();
    let mut to = m.to().to_string();
    if let Some((side, color)) = castling_side(m, position) {
        match (spelling.castling, side) {
            (Castling::King, _) => to = side.king_target(color).to_string(),
            (Castling::Rook, _) => {}
            (Castling::Letters, CastlingSide::King) => return "O-O".to_owned(),
            (Castling::Letters, CastlingSide::Queen) => return "O-O-O".to_owned(),
            (Castling::Zeros, CastlingSide::King) => return "0-0".to_owned(),
            (Castling::Zeros, CastlingSide::Queen) => return "0-0-0".to_owned(),
            (Castling::SmallLetters, CastlingSide::King) => return "o-o".to_owned(),
            (Castling::SmallLetters, CastlingSide::Queen) => return "o-o-o".to_owned(),
        }
    }
    let piece = position.piece_at(m.from());
    let letter = piece.map_or('?', |piece| piece.piece_type.to_char());
    let letter = letter.to_ascii_uppercase().to_string();
    let ep = position.is_legal(m) && position.is_en_passant(m);
    let takes = ep || position.piece_at(m.to()).is_some() && castling_side(m, position).is_none();
    let value = |key: &str| {
        Some(match key {
            "from" => from.clone(),
            "to" => to.clone(),
            "FROM" => from.to_uppercase(),
            "TO" => to.to_uppercase(),
            "promo" => promotion(m, spelling),
            "small" => letter.to_lowercase(),
            "letter" if letter == "P" => String::new(),
            "piece" | "letter" => letter.clone(),
            "figure" => figure(piece.map(|piece| piece.piece_type)).to_owned(),
            "x" => (if takes { "x" } else { "" }).to_owned(),
            "dash" => (if takes { "x" } else { "-" }).to_owned(),
            "ep" => (if ep { "ep" } else { "" }).to_owned(),
            "san" if position.is_legal(m) => san::write(m, position),
            "san" => m.to_string(),
            "from_index" => m.from().index().to_string(),
            "to_index" => m.to().index().to_string(),
            _ => return None,
        })
    };
    fill(&spelling.text, &value).unwrap_or_else(|key| panic!("a move has no {{{key}}}"))
}

fn promotion(m: Move, spelling: &Spelling) -> String {
    let Some(kind) = m.promotion() else {
        return String::new();
    };
    let letter = kind.to_char().to_ascii_lowercase().to_string();
    let value = |key: &str| match key {
        "p" => Some(letter.clone()),
        "P" => Some(letter.to_uppercase()),
        _ => None,
    };
    fill(&spelling.promotion, &value).unwrap_or_else(|key| panic!("a promotion has no {{{key}}}"))
}

/// The legal move that has this text in one of the spellings.
pub(crate) fn read(text: &str, position: &Position, spellings: &[Spelling]) -> Option<Move> {
    let moves = position.legal_moves();
    let mut moves = moves.iter().copied();
    moves.find(|&m| {
        let mut spellings = spellings.iter();
        spellings.any(|spelling| write(m, position, spelling) == text)
    })
}

/// To which side a move castles, legal or not; the king takes its own rook.
fn castling_side(m: Move, position: &Position) -> Option<(CastlingSide, Color)> {
    let king = position.piece_at(m.from())?;
    let rook = position.piece_at(m.to())?;
    let castles = king.piece_type == PieceType::King
        && rook.piece_type == PieceType::Rook
        && king.color == rook.color;
    castles.then(|| (CastlingSide::new(m.from(), m.to()), king.color))
}

fn figure(kind: Option<PieceType>) -> &'static str {
    match kind {
        Some(PieceType::Knight) => "♘",
        Some(PieceType::Bishop) => "♗",
        Some(PieceType::Rook) => "♖",
        Some(PieceType::Queen) => "♕",
        Some(PieceType::King) => "♔",
        Some(PieceType::Pawn) | None => "",
    }
}
