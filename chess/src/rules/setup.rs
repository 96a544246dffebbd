//! All that a FEN can say, unchecked.

use super::{Bitboard, Color, Piece, Square};

/// A board with everything FEN records about it, legal or not.
///
/// [`super::Position::from_setup`] checks it. Squares are indexed by [`Square::index`].
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// What stands where.
    pub board: [Option<Piece>; Square::COUNT],
    /// Who moves.
    pub side_to_move: Color,
    /// The rooks that may still castle. The right is kept even while castling is impossible.
    pub castling_rooks: Bitboard,
    /// The square a pawn has just passed over with a double step, whether or not it can be taken.
    pub ep_square: Option<Square>,
    /// Plies since the last capture or pawn move.
    pub halfmove_clock: u32,
    /// The number of the full move, 1 at the start of a game.
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

    /// The same game with the colours exchanged and the board turned over: a1 becomes a8.
    /// Every count of moves from it is the same.
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
