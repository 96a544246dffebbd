//! Positions as short keys that are equal exactly if the positions are.

use chess::rules::{Bitboard, Color, PieceType, Position, Rank, Square};

/// A position in 24 bytes. Equal keys mean equal positions in the sense of FIDE 9.2.3: placement, side
/// to move, castling rights, and the en passant square if a capture there is legal. It is no
/// fingerprint: two positions never have the same key.
pub(crate) type PositionKey = [u8; 24];

/// The codes of a nibble. 0 to 11 are the pieces of White, then of Black, in the order of [`PieceType`].
/// A rook that may castle, and a pawn that can be captured en passant, have codes of their own.
const CASTLING_ROOKS: [u8; 2] = [12, 13];
const PASSING_PAWN: u8 = 14;
/// The king of the side to move; the other king has its usual code, which shows the color.
const KING_TO_MOVE: u8 = 15;

/// The key of a position: the occupied squares, then half a byte for each of the at most 32 pieces,
/// which is the maximum of a legal position.
pub(crate) fn position_key(position: &Position) -> PositionKey {
    let mut key = [0; 24];
    let occupied = position.occupied();
    key[..8].copy_from_slice(&occupied.0.to_be_bytes());
    let passing_pawn = passing_pawn(position);
    let mut index = 16;
    for color in Color::ALL {
        // More than 32 pieces would not fit behind the eight bytes of the occupied squares.
        debug_assert!(position.by_color(color).count() <= 16);
    }
    let mut set = |code: u8| {
        key[index / 2] |= code << (4 * (index % 2));
        index += 1;
    };
    // In the order of the squares, which the first eight bytes name, so no square has to be stored.
    for square in occupied {
        let piece = position.piece_at(square).expect("the square is occupied");
        let color = piece.color.index();
        set(match piece.piece_type {
            // The side to move needs no bit of its own: both sides always have a king.
            PieceType::King if piece.color == position.side_to_move() => KING_TO_MOVE,
            PieceType::Rook if position.castling_rooks().contains(square) => CASTLING_ROOKS[color],
            PieceType::Pawn if passing_pawn.contains(square) => PASSING_PAWN,
            kind => u8::try_from(6 * color + kind.index()).expect("at most 11"),
        });
    }
    key
}

/// The pawn that can be captured en passant by a legal move.
fn passing_pawn(position: &Position) -> Bitboard {
    let Some(target) = position.legal_ep_square() else {
        return Bitboard(0);
    };
    // A pawn that advanced two squares stands on the fifth rank of the side that may capture it.
    let rank = Rank::R5.relative_to(position.side_to_move());
    Square::new(target.file(), rank).bitboard()
}

#[cfg(test)]
mod tests {
    use std::collections::HashMap;

    use chess::notation::fen::{self, CastlingText, EnPassantMode, FenStyle};

    use super::*;
    use crate::suites::{ALL, TACTICS};

    /// Keys are equal exactly if the texts of the positions are, over all suites and the positions one
    /// ply later.
    #[test]
    fn keys_are_equal_if_the_texts_are() {
        let style = FenStyle {
            ep: EnPassantMode::Legal,
            castling: CastlingText::Shredder,
        };
        let (mut by_text, mut by_key) = (HashMap::new(), HashMap::new());
        let mut add = |position: &Position| {
            let (text, key) = (fen::write_epd(position, style), position_key(position));
            let known = by_text.entry(text.clone()).or_insert(key);
            assert_eq!(*known, key, "{text}");
            let known = by_key.entry(key).or_insert_with(|| text.clone());
            assert_eq!(*known, text);
        };
        for suite in ALL.iter().chain(&TACTICS) {
            for entry in suite.parse().entries {
                let position = *entry.record.position();
                add(&position);
                for &m in &position.legal_moves() {
                    add(&position.play_unchecked(m));
                }
            }
        }
        assert!(by_text.len() > 10_000, "{}", by_text.len());
    }

    #[test]
    fn same_positions_have_the_same_key() {
        let key = |fen: &str| position_key(&fen::parse(fen).unwrap());
        let start = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq";
        let (e3, none) = (format!("{start} e3 0 1"), format!("{start} - 5 9"));
        assert_eq!(key(&e3), key(&none));
        let capture = "4k3/8/8/8/3pP3/8/8/4K3 b -";
        assert_ne!(key(&format!("{capture} e3")), key(&format!("{capture} -")));
        let rook = "4k3/8/8/8/8/8/8/4K2R w";
        assert_ne!(key(&format!("{rook} K -")), key(&format!("{rook} - -")));
    }
}
