use chess::rules::{CastlingMode, Color, PieceType, Position, Rank, Square};

/// What candidates are made of: one side's pieces, the en passant field, and how castling is written.
///
/// The opponent's pieces and the right to castle are not in it, so nothing made of it can tell of them.
pub(super) struct Diagram {
    own: [Option<PieceType>; Square::COUNT],
    pub(super) side: Color,
    pub(super) ep_square: Option<Square>,
    pub(super) form: CastlingMode,
}

impl Diagram {
    pub(super) fn of(position: &Position) -> Self {
        let side = position.side_to_move();
        let own = Square::ALL.map(|square| {
            let piece = position.piece_at(square)?;
            (piece.color == side).then_some(piece.piece_type)
        });
        Self {
            own,
            side,
            ep_square: position.ep_square(),
            form: position.castling_mode(),
        }
    }

    pub(super) fn own(&self, square: Square) -> Option<PieceType> {
        self.own[square.index()]
    }

    /// The squares of one kind of piece.
    pub(super) fn squares(&self, piece_type: PieceType) -> impl Iterator<Item = Square> + '_ {
        Square::ALL
            .into_iter()
            .filter(move |&square| self.own(square) == Some(piece_type))
    }

    /// Where a king begins in standard chess.
    pub(super) fn standard_king(&self) -> Square {
        match self.side {
            Color::White => Square::E1,
            Color::Black => Square::E8,
        }
    }

    pub(super) fn first_rank(&self) -> Rank {
        Rank::R1.relative_to(self.side)
    }

    pub(super) fn last_rank(&self) -> Rank {
        Rank::R8.relative_to(self.side)
    }

    /// The king's two squares or king takes rook, whichever castling is written as here, where the move is one.
    pub(super) fn is_castling(&self, from: Square, to: Square) -> bool {
        if self.own(from) != Some(PieceType::King) || from.rank() != self.first_rank() {
            return false;
        }
        match self.form {
            CastlingMode::Standard => {
                from == self.standard_king()
                    && to.rank() == from.rank()
                    && from.index().abs_diff(to.index()) == 2
            }
            CastlingMode::Chess960 => {
                to.rank() == from.rank() && self.own(to) == Some(PieceType::Rook)
            }
        }
    }
}
