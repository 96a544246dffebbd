//! A line that lacks the castling field, the en passant field, or both.
//!
//! A missing field is supplied only if it must have been `-`: no king and rook are on their
//! standard home squares, and no pawn can be captured en passant.

use chess::notation::fen::{self, FenField};
use chess::rules::{CastlingSide, Color, File, Piece, PieceType, Position, Rank, Square};

use super::notes::Notes;
use super::placed::Placed;
use crate::operation::is_standard_opcode;
use crate::scan::{Token, TokenKind, scan, scan_after};
use crate::style::StyleProblem;
use crate::value::is_known;

/// Whether fields are missing.
pub(super) enum Lost<'a> {
    /// None is missing.
    Nothing,
    /// Some are missing and cannot be inferred; a fault is noted.
    Doubtful,
    /// Some were missing and are supplied.
    Supplied(Box<Placed<'a>>),
}

/// Reads a line that may lack fields.
pub(super) fn read<'a>(line: &'a str, notes: &mut Notes) -> Lost<'a> {
    try_read(line, notes).unwrap_or(Lost::Nothing)
}

fn try_read<'a>(line: &'a str, notes: &mut Notes) -> Option<Lost<'a>> {
    let words = scan(line).fields;
    let after_fields = scan(line).operations;
    let next = after_fields.first().and_then(|operation| operation.first());
    let is_opcode = |index: usize| is_opcode(&words[index], words.get(index + 1).or(next));
    let count = (0..words.len().min(4))
        .find(|&index| is_opcode(index))
        .unwrap_or(words.len().min(4));
    let third = match (count, words.get(2)) {
        (2, _) => None,
        (3, Some(third)) => Some(third.text),
        _ => return None,
    };
    let (castling, ep) = match third {
        None | Some("-") => (None, None),
        Some(text) if text.parse::<Square>().is_ok() => (None, Some(text)),
        Some(text) => (Some(text), None),
    };
    let text = format!(
        "{} {} {} {}",
        words[0].text,
        words[1].text,
        castling.unwrap_or("-"),
        ep.unwrap_or("-")
    );
    let position = fen::parse(&text).ok()?;
    let doubtful = if castling.is_none() && may_castle(&position) {
        Some(FenField::Castling)
    } else if ep.is_none() && may_capture_en_passant(&position) {
        Some(FenField::EpSquare)
    } else {
        None
    };
    let last = words[count - 1];
    let offset = last.offset + last.text.len();
    let field = doubtful.unwrap_or(match castling {
        None => FenField::Castling,
        Some(_) => FenField::EpSquare,
    });
    let problem = StyleProblem::MissingField { field }.into();
    if doubtful.is_some() {
        notes.fault(offset, problem);
        return Some(Lost::Doubtful);
    }
    notes.fix(offset, problem, "", if count == 2 { " - -" } else { " -" });
    let is_field = move |tokens: &[Token<'_>]| count.min(tokens.len());
    let placed = Placed::new(position, text, scan_after(line, is_field));
    Some(Lost::Supplied(Box::new(placed)))
}

/// Whether a word begins the operations. A lone `b` or `c` may be a field and is not an opcode;
/// `c3` and `c6` are comment opcodes before a string, and en passant squares otherwise.
fn is_opcode(word: &Token<'_>, next: Option<&Token<'_>>) -> bool {
    let is_square = word.text.parse::<Square>().is_ok();
    word.kind == TokenKind::Word
        && is_standard_opcode(word.text)
        && is_known(word.text)
        && (!is_square || next.is_some_and(|next| next.kind == TokenKind::Text))
}

/// Whether a king and a rook are on squares where standard castling rights are possible.
fn may_castle(position: &Position) -> bool {
    Color::ALL.into_iter().any(|color| {
        let home = Square::new(File::E, Rank::R1.relative_to(color));
        let has_rook = |side: CastlingSide| {
            position.piece_at(side.standard_rook(color)) == Some(Piece::new(color, PieceType::Rook))
        };
        position.king(color) == home && CastlingSide::ALL.into_iter().any(has_rook)
    })
}

/// Whether a capture would be legal for some en passant square.
fn may_capture_en_passant(position: &Position) -> bool {
    let rank = Rank::R6.relative_to(position.side_to_move());
    File::ALL.into_iter().any(|file| {
        let mut setup = position.to_setup();
        setup.ep_square = Some(Square::new(file, rank));
        Position::from_setup(setup).is_ok_and(|position| position.legal_ep_square().is_some())
    })
}
