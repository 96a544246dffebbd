//! FEN output.

use std::fmt::Write as _;

use crate::rules::{CastlingSide, Color, File, PieceType, Position, Rank, Square};

/// When to write the en passant square.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum EnPassantMode {
    /// After every double step, as the FEN standard requires.
    #[default]
    Always,
    /// Only if an enemy pawn stands beside the pawn, pinned or not (X-FEN).
    PseudoLegal,
    /// Only if an en passant capture is legal (Stockfish, lichess).
    Legal,
}

/// How to write castling rights.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum CastlingText {
    /// `KQkq`, with the file for a rook that is not the outermost: identical to standard FEN for
    /// positions of standard chess.
    #[default]
    XFen,
    /// The rooks' files: `HAha`.
    Shredder,
}

/// Options for writing a FEN.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct FenStyle {
    /// When to write the en passant square.
    pub ep: EnPassantMode,
    /// How to write castling rights.
    pub castling: CastlingText,
}

/// Writes the six fields in the default style; [`super::parse`] reads the same position back.
pub fn write(position: &Position) -> String {
    write_with(position, FenStyle::default())
}

/// Writes the six fields in the given style.
pub fn write_with(position: &Position, style: FenStyle) -> String {
    let fields = write_epd(position, style);
    format!(
        "{fields} {} {}",
        position.halfmove_clock(),
        position.fullmove_number()
    )
}

/// Writes the first four fields, as at the start of an EPD record.
pub fn write_epd(position: &Position, style: FenStyle) -> String {
    let mut text = placement(position);
    let castling = castling(position, style.castling);
    let ep = match style.ep {
        EnPassantMode::Always => position.ep_square(),
        EnPassantMode::PseudoLegal => position
            .ep_square()
            .filter(|&square| !position.ep_capturers(square).is_empty()),
        EnPassantMode::Legal => position.legal_ep_square(),
    };
    let ep = ep.map_or_else(|| "-".to_owned(), |square| square.to_string());
    let side = position.side_to_move().to_char();
    write!(text, " {side} {castling} {ep}").expect("a string can be written to");
    text
}

fn placement(position: &Position) -> String {
    let mut text = String::with_capacity(80);
    for rank in Rank::ALL.into_iter().rev() {
        let mut empty = 0;
        for file in File::ALL {
            match position.piece_at(Square::new(file, rank)) {
                None => empty += 1,
                Some(piece) => {
                    flush(&mut text, &mut empty);
                    text.push(piece.to_char());
                }
            }
        }
        flush(&mut text, &mut empty);
        if rank != Rank::R1 {
            text.push('/');
        }
    }
    text
}

fn flush(text: &mut String, empty: &mut u8) {
    if *empty > 0 {
        text.push((b'0' + *empty) as char);
        *empty = 0;
    }
}

fn castling(position: &Position, style: CastlingText) -> String {
    let mut text = String::new();
    for color in Color::ALL {
        let king = position.king(color);
        let rooks = position.castling_rooks() & position.by_color(color);
        for side in CastlingSide::ALL {
            let is_on_side = |rook: &Square| CastlingSide::new(king, *rook) == side;
            for rook in rooks.into_iter().filter(is_on_side) {
                let letter = castling_letter(position, rook, side, style);
                text.push(match color {
                    Color::White => letter,
                    Color::Black => letter.to_ascii_lowercase(),
                });
            }
        }
    }
    if text.is_empty() {
        "-".to_owned()
    } else {
        text
    }
}

fn castling_letter(
    position: &Position,
    rook: Square,
    side: CastlingSide,
    style: CastlingText,
) -> char {
    let beyond = |other: Square| match side {
        CastlingSide::King => other > rook,
        CastlingSide::Queen => other < rook,
    };
    let color = match rook.rank() {
        Rank::R1 => Color::White,
        _ => Color::Black,
    };
    let rooks = position.pieces(color, PieceType::Rook) & rook.rank().bitboard();
    let outermost = !rooks.into_iter().any(beyond);
    // X-FEN's `K` and `Q` mean the outermost rook, so an inner one is written by its file.
    match (style, side) {
        (CastlingText::XFen, CastlingSide::King) if outermost => 'K',
        (CastlingText::XFen, CastlingSide::Queen) if outermost => 'Q',
        _ => rook.file().to_char().to_ascii_uppercase(),
    }
}
