//! The Polyglot key of a position.

use super::random::RANDOM;
use crate::rules::{CastlingSide, Color, PieceType, Position, Rank, Square};

/// Offsets of each kind of feature in [`RANDOM`].
const CASTLING: usize = 768;
const EN_PASSANT: usize = 772;
const WHITE_TO_MOVE: usize = 780;

/// The Polyglot key: pieces, castling rights by side, side to move, and the file of the en passant
/// square if a pawn could capture there (pseudo-legally).
///
/// ```
/// use chess::rules::Position;
/// use chess::notation::polyglot;
///
/// assert_eq!(polyglot::key(&Position::startpos()), 0x463b_9618_1691_fc9c);
/// ```
pub fn key(position: &Position) -> u64 {
    let squares = position.occupied().into_iter();
    let pieces = squares.filter_map(|square| {
        // Kinds are numbered black pawn, white pawn, black knight, and so on.
        let piece = position.piece_at(square)?;
        let is_white = usize::from(piece.color == Color::White);
        let kind = 2 * piece.piece_type.index() + is_white;
        Some(RANDOM[Square::COUNT * kind + square.index()])
    });
    let mut key = pieces.fold(0, |key, number| key ^ number);
    for (color, side) in castling_rights(position) {
        key ^= RANDOM[CASTLING + 2 * color.index() + side.index()];
    }
    if let Some(square) = position.ep_square()
        && !position.ep_capturers(square).is_empty()
    {
        key ^= RANDOM[EN_PASSANT + square.file().index()];
    }
    if position.side_to_move() == Color::White {
        key ^= RANDOM[WHITE_TO_MOVE];
    }
    key
}

/// Whether the format can represent the castling rights: no castling rook has another rook further
/// out.
pub(super) fn is_representable(position: &Position) -> bool {
    let rooks = position.by_type(PieceType::Rook);
    position.castling_rooks().into_iter().all(|rook| {
        let color = color_of(rook);
        let king = position.king(color);
        let on_rank = rooks & position.by_color(color) & rook.rank().bitboard();
        on_rank.into_iter().all(|other| {
            CastlingSide::new(king, other) != CastlingSide::new(king, rook)
                || match CastlingSide::new(king, rook) {
                    CastlingSide::King => other <= rook,
                    CastlingSide::Queen => other >= rook,
                }
        })
    })
}

/// Each castling right once, by side.
fn castling_rights(position: &Position) -> impl Iterator<Item = (Color, CastlingSide)> {
    let rooks = position.castling_rooks().into_iter();
    let mut rights = [[false; CastlingSide::COUNT]; Color::COUNT];
    for rook in rooks {
        let color = color_of(rook);
        let side = CastlingSide::new(position.king(color), rook);
        rights[color.index()][side.index()] = true;
    }
    let sides = |color: Color| CastlingSide::ALL.map(|side| (color, side));
    let all = Color::ALL.into_iter().flat_map(sides);
    all.filter(move |(color, side)| rights[color.index()][side.index()])
}

/// The owner of a rook with castling rights, which stands on its own first rank.
fn color_of(rook: Square) -> Color {
    if rook.rank() == Rank::R1 {
        Color::White
    } else {
        Color::Black
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::notation::{fen, uci_move};
    use crate::rules::CastlingMode;

    fn after(moves: &str) -> Position {
        moves
            .split_whitespace()
            .fold(Position::startpos(), |position, text| {
                let m = uci_move::parse(text, &position, CastlingMode::Standard).expect("legal");
                position.play_unchecked(m)
            })
    }

    /// The test data of the format description.
    #[test]
    fn the_published_keys() {
        let rows = [
            ("", 0x463b_9618_1691_fc9c),
            ("e2e4", 0x823c_9b50_fd11_4196),
            ("e2e4 d7d5", 0x0756_b944_61c5_0fb0),
            ("e2e4 d7d5 e4e5", 0x662f_afb9_65db_29d4),
            ("e2e4 d7d5 e4e5 f7f5", 0x22a4_8b5a_8e47_ff78),
            ("e2e4 d7d5 e4e5 f7f5 e1e2", 0x652a_607c_a3f2_42c1),
            ("e2e4 d7d5 e4e5 f7f5 e1e2 e8f7", 0x00fd_d303_c946_bdd9),
            ("a2a4 b7b5 h2h4 b5b4 c2c4", 0x3c81_23ea_7b06_7637),
            ("a2a4 b7b5 h2h4 b5b4 c2c4 b4c3 a1a3", 0x5c3f_9b82_9b27_9560),
        ];
        for (moves, expected) in rows {
            assert_eq!(key(&after(moves)), expected, "{moves}");
        }
    }

    #[test]
    fn all_numbers_differ() {
        let mut numbers = RANDOM.to_vec();
        numbers.sort_unstable();
        numbers.dedup();
        assert_eq!(numbers.len(), RANDOM.len());
    }

    #[test]
    fn inner_rooks_are_not_representable() {
        let rows = [
            (
                "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
                true,
            ),
            ("4k3/8/8/8/8/8/8/RR2K1RR w KQ - 0 1", true),
            ("4k3/8/8/8/8/8/8/RR2K1RR w HB - 0 1", false),
            ("4k3/8/8/8/8/8/8/RR2K1RR w GA - 0 1", false),
            ("1rr1k3/8/8/8/8/8/8/4K3 w c - 0 1", false),
            ("1rr1k3/8/8/8/8/8/8/4K3 w b - 0 1", true),
            ("r2k3r/8/8/8/8/8/8/R1K1R3 w EAha - 0 1", true),
        ];
        for (text, expected) in rows {
            let position = fen::parse(text).expect("legal");
            assert_eq!(is_representable(&position), expected, "{text}");
        }
    }
}
