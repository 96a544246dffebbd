//! Making moves (copy-make).

use super::{
    Bitboard, CastlingSide, Color, Move, Piece, PieceType, Position, Rank, Square, zobrist,
};

/// An illegal move; move and position are returned.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{m} is not a legal move here")]
pub struct IllegalMoveError {
    /// The illegal move.
    pub m: Move,
    /// The position, unchanged.
    pub position: Box<Position>,
}

impl Position {
    /// The position after a move.
    ///
    /// # Errors
    ///
    /// If the move is illegal; the error returns the move and the unchanged position.
    pub fn play(&self, m: Move) -> Result<Self, IllegalMoveError> {
        if self.is_legal(m) {
            Ok(self.play_unchecked(m))
        } else {
            Err(IllegalMoveError {
                m,
                position: Box::new(*self),
            })
        }
    }

    /// Whether a legal move is castling: king takes own rook.
    #[inline(always)]
    pub fn is_castling(&self, m: Move) -> bool {
        self.by_color[self.side_to_move].contains(m.to())
    }

    /// Whether a legal move is an en passant capture.
    #[inline(always)]
    pub fn is_en_passant(&self, m: Move) -> bool {
        self.ep_square == Some(m.to())
            && self.by_type[PieceType::Pawn].contains(m.from())
            && m.from().file() != m.to().file()
    }

    /// Whether a legal move is a capture, including en passant.
    #[inline(always)]
    pub fn is_capture(&self, m: Move) -> bool {
        self.by_color[!self.side_to_move].contains(m.to()) || self.is_en_passant(m)
    }

    /// The square of the pawn captured en passant on `ep_square`.
    #[inline(always)]
    pub(crate) fn ep_victim(ep_square: Square) -> Square {
        // One rank towards the middle of the board: from 3 to 4 or from 6 to 5.
        Square::from_low_bits(ep_square as u32 ^ 8)
    }

    /// Makes a move that the caller knows to be legal.
    ///
    /// # Panics
    ///
    /// May panic if the move is illegal; otherwise the result is then meaningless.
    #[must_use]
    #[inline]
    pub fn play_unchecked(&self, m: Move) -> Self {
        let us = self.side_to_move;
        let (from, to) = (m.from(), m.to());
        let piece_type = self
            .piece_type_at(from)
            .expect("a legal move starts from a piece");
        let mut next = *self;
        next.key ^= self.ep_key() ^ zobrist::black_to_move();
        next.ep_square = None;
        next.side_to_move = !us;
        // A FEN may give the largest number there is.
        next.halfmove_clock = self.halfmove_clock.saturating_add(1);
        next.fullmove_number = self
            .fullmove_number
            .saturating_add(u32::from(us == Color::Black));

        if self.is_castling(m) {
            next.castle(us, from, to);
            return next;
        }
        if let Some(taken) = self.piece_type_at(to) {
            next.toggle(Piece::new(!us, taken), to);
            next.halfmove_clock = 0;
        }
        next.toggle(Piece::new(us, piece_type), from);
        next.toggle(Piece::new(us, m.promotion().unwrap_or(piece_type)), to);
        match piece_type {
            PieceType::Pawn => next.finish_pawn_move(us, from, to, self.ep_square),
            PieceType::King => next.drop_castling_rights(Rank::R1.relative_to(us).bitboard()),
            _ => {}
        }
        // A rook loses its right by leaving its square or by being captured there.
        next.drop_castling_rights(from.bitboard() | to.bitboard());
        next
    }

    /// The position after a null move: the clocks advance and the en passant square is cleared. The
    /// side to move must not be in check, otherwise its king could be captured.
    #[must_use]
    #[inline]
    pub fn play_null(&self) -> Self {
        let us = self.side_to_move;
        Self {
            key: self.key ^ self.ep_key() ^ zobrist::black_to_move(),
            ep_square: None,
            side_to_move: !us,
            halfmove_clock: self.halfmove_clock.saturating_add(1),
            fullmove_number: self
                .fullmove_number
                .saturating_add(u32::from(us == Color::Black)),
            ..*self
        }
    }

    /// The key after a legal move, computed without making it, for prefetching.
    ///
    /// It differs from the key of [`Position::play_unchecked`] if the move castles, captures en
    /// passant, loses a castling right, or enables an en passant capture.
    #[inline(always)]
    pub fn key_after(&self, m: Move) -> u64 {
        let us = self.side_to_move;
        let mut key = self.key ^ self.ep_key() ^ zobrist::black_to_move();
        if let Some(mover) = self.piece_type_at(m.from()) {
            let arriving = m.promotion().unwrap_or(mover);
            key ^= zobrist::piece(Piece::new(us, mover), m.from())
                ^ zobrist::piece(Piece::new(us, arriving), m.to());
        }
        match self.piece_type_at(m.to()) {
            Some(taken) => key ^ zobrist::piece(Piece::new(!us, taken), m.to()),
            None => key,
        }
    }

    #[inline(always)]
    fn finish_pawn_move(&mut self, us: Color, from: Square, to: Square, ep: Option<Square>) {
        self.halfmove_clock = 0;
        if ep == Some(to) {
            self.toggle(Piece::new(!us, PieceType::Pawn), Self::ep_victim(to));
        } else if from as u8 ^ to as u8 == 16 {
            // Of all pawn moves, only a double step changes nothing but this bit of the index.
            self.ep_square = Some(Square::from_low_bits(u32::midpoint(from as u32, to as u32)));
            self.key ^= self.ep_key();
        }
    }

    fn castle(&mut self, us: Color, king: Square, rook: Square) {
        let side = CastlingSide::new(king, rook);
        self.toggle(Piece::new(us, PieceType::King), king);
        self.toggle(Piece::new(us, PieceType::Rook), rook);
        self.toggle(Piece::new(us, PieceType::King), side.king_target(us));
        self.toggle(Piece::new(us, PieceType::Rook), side.rook_target(us));
        self.drop_castling_rights(Rank::R1.relative_to(us).bitboard());
    }

    /// Puts a piece on an empty square, or removes it from its square.
    #[inline(always)]
    fn toggle(&mut self, piece: Piece, square: Square) {
        self.by_type[piece.piece_type] ^= square.bitboard();
        self.by_color[piece.color] ^= square.bitboard();
        self.key ^= zobrist::piece(piece, square);
    }

    /// Removes the castling rights of the rooks on these squares.
    #[inline(always)]
    fn drop_castling_rights(&mut self, squares: Bitboard) {
        for rook in self.castling_rooks & squares {
            self.key ^= zobrist::castling_rook(rook);
        }
        self.castling_rooks &= !squares;
    }
}
