//! The contents of a FEN, unchecked.

use super::{Bitboard, Color, Piece, Square};

/// A board with everything FEN records about it, legal or not.
///
/// [`super::Position::from_setup`] checks it. Squares are indexed by [`Square::index`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each square.
    pub board: [Option<Piece>; Square::COUNT],
    /// The side to move.
    pub side_to_move: Color,
    /// The rooks with castling rights. A right persists while castling is temporarily impossible.
    pub castling_rooks: Bitboard,
    /// The square that a pawn has just passed in a double step, whether or not a capture is
    /// possible.
    pub ep_square: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The fullmove number, 1 at the start of a game.
    pub fullmove_number: u32,
}

impl Setup {
    /// An empty board, White to move.
    pub const fn empty() -> Self {
        Self {
            board: [None; Square::COUNT],
            side_to_move: Color::White,
            castling_rooks: Bitboard::EMPTY,
            ep_square: None,
            halfmove_clock: 0,
            fullmove_number: 1,
        }
    }

    /// The piece on `square`.
    pub const fn piece_at(&self, square: Square) -> Option<Piece> {
        self.board[square.index()]
    }

    /// The squares of the pieces equal to `piece`.
    pub fn squares_of(&self, piece: Piece) -> Bitboard {
        Square::ALL
            .into_iter()
            .filter(|&square| self.piece_at(square) == Some(piece))
            .collect()
    }

    /// The colour-mirrored setup: colours exchanged and the board flipped, so that a1 becomes a8.
    /// All perft counts are the same.
    #[must_use]
    pub fn mirrored(&self) -> Self {
        let mut mirror = Self {
            side_to_move: !self.side_to_move,
            ..self.clone()
        };
        for square in Square::ALL {
            mirror.board[square.flip_rank().index()] = self
                .piece_at(square)
                .map(|piece| Piece::new(!piece.color, piece.piece_type));
        }
        mirror.castling_rooks = Bitboard(self.castling_rooks.0.swap_bytes());
        mirror.ep_square = self.ep_square.map(Square::flip_rank);
        mirror
    }
}
