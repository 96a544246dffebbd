use chess::rules::{CastlingMode, Color, PieceType, Position, Rank, Square};

/// The input of candidate generation: one side's pieces, the en passant field, and the castling
/// notation.
///
/// It excludes the opponent's pieces and castling rights, so that candidates cannot reveal anything
/// about them.
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

    /// The squares of one piece type.
    pub(super) fn squares(&self, piece_type: PieceType) -> impl Iterator<Item = Square> + '_ {
        Square::ALL
            .into_iter()
            .filter(move |&square| self.own(square) == Some(piece_type))
    }

    /// The king's home square in standard chess.
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

    /// Whether the move is castling in the notation used here: the king's two squares, or king
    /// takes rook.
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
