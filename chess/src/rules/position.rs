//! A legal position, as bitboards.

use super::attacks::{self, Sliders};
use super::{
    Bitboard, ByColor, ByPieceType, CastlingMode, Color, Piece, PieceType, Setup, Square, zobrist,
};
use crate::rules::cpu::{self, Multiversioned};

/// A legal position: one king per side, the side that has just moved not in check, castling rights
/// and en passant square consistent with the board.
///
/// Equality compares every field, including the clocks. Making a move copies the position
/// ([`Position::play`], [`Position::play_unchecked`]). The default is the start position. It parses
/// from and displays as FEN: `"8/8/8/8/8/4k3/8/4K2R w K - 0 1".parse::<Position>()`,
/// `position.to_string()`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    pub(super) by_type: ByPieceType<Bitboard>,
    pub(super) by_color: ByColor<Bitboard>,
    pub(super) key: u64,
    pub(super) castling_rooks: Bitboard,
    pub(super) halfmove_clock: u32,
    pub(super) fullmove_number: u32,
    pub(super) side_to_move: Color,
    pub(super) ep_square: Option<Square>,
}

impl Default for Position {
    fn default() -> Self {
        Self::startpos()
    }
}

impl Position {
    /// The start position of standard chess (FIDE 2.3).
    pub fn startpos() -> Self {
        // Scharnagl's number of the start position of standard chess.
        Self::chess960_start(518, 518).expect("it is number 518 of Chess960")
    }

    /// Copies the setup unchecked: any number of kings, and no key.
    pub(super) fn without_key(setup: &Setup) -> Self {
        let mut position = Self {
            by_type: ByPieceType::default(),
            by_color: ByColor::default(),
            key: 0,
            castling_rooks: setup.castling_rooks,
            halfmove_clock: setup.halfmove_clock,
            fullmove_number: setup.fullmove_number,
            side_to_move: setup.side_to_move,
            ep_square: setup.ep_square,
        };
        for square in Square::ALL {
            if let Some(piece) = setup.piece_at(square) {
                position.by_type[piece.piece_type] |= square.bitboard();
                position.by_color[piece.color] |= square.bitboard();
            }
        }
        position
    }

    /// The position as a setup; [`Position::from_setup`] converts it back unchanged.
    pub fn to_setup(&self) -> Setup {
        Setup {
            board: Square::ALL.map(|square| self.piece_at(square)),
            side_to_move: self.side_to_move,
            castling_rooks: self.castling_rooks,
            ep_square: self.ep_square,
            halfmove_clock: self.halfmove_clock,
            fullmove_number: self.fullmove_number,
        }
    }

    /// Who moves.
    #[inline(always)]
    pub const fn side_to_move(&self) -> Color {
        self.side_to_move
    }

    /// The square that a pawn has just passed in a double step, whether or not a capture is
    /// possible.
    #[inline(always)]
    pub const fn ep_square(&self) -> Option<Square> {
        self.ep_square
    }

    /// The rooks of both sides with castling rights.
    #[inline(always)]
    pub const fn castling_rooks(&self) -> Bitboard {
        self.castling_rooks
    }

    /// How to write castling: the Chess960 form if a king or rook with castling rights is not on
    /// its standard home square.
    pub fn castling_mode(&self) -> CastlingMode {
        let kings_at_home = Color::ALL.into_iter().all(|color| {
            let may_castle = self.castling_rooks.intersects(self.by_color[color]);
            !may_castle || self.king(color) == [Square::E1, Square::E8][color.index()]
        });
        if kings_at_home && (self.castling_rooks & !Bitboard::CORNERS).is_empty() {
            CastlingMode::Standard
        } else {
            CastlingMode::Chess960
        }
    }

    /// Plies since the last capture or pawn move.
    #[inline(always)]
    pub const fn halfmove_clock(&self) -> u32 {
        self.halfmove_clock
    }

    /// The fullmove number, 1 at the start of a game.
    pub const fn fullmove_number(&self) -> u32 {
        self.fullmove_number
    }

    /// The occupied squares.
    #[inline(always)]
    pub fn occupied(&self) -> Bitboard {
        self.by_color[Color::White] | self.by_color[Color::Black]
    }

    /// The squares of one side's pieces.
    #[inline(always)]
    pub fn by_color(&self, color: Color) -> Bitboard {
        self.by_color[color]
    }

    /// The squares of one kind of piece, of both sides.
    #[inline(always)]
    pub fn by_type(&self, piece_type: PieceType) -> Bitboard {
        self.by_type[piece_type]
    }

    /// The squares of one kind of piece of one side.
    #[inline(always)]
    pub fn pieces(&self, color: Color, piece_type: PieceType) -> Bitboard {
        self.by_type[piece_type] & self.by_color[color]
    }

    /// The square of one side's king.
    #[inline(always)]
    pub fn king(&self, color: Color) -> Square {
        self.pieces(color, PieceType::King)
            .first()
            .expect("a position has a king of each side")
    }

    /// The kind of piece on `square`.
    #[inline(always)]
    pub fn piece_type_at(&self, square: Square) -> Option<PieceType> {
        // Builds the three bits of the kind's index, each from the kinds that have it set, so that
        // no branch depends on the kind.
        let [_, knights, bishops, rooks, queens, kings] = self.by_type.0;
        let bit = |set: Bitboard| (set.0 >> square as u32 & 1) as usize;
        let index =
            bit(knights | rooks | kings) | bit(bishops | rooks) << 1 | bit(queens | kings) << 2;
        if self.occupied().contains(square) {
            PieceType::try_from_index(index)
        } else {
            None
        }
    }

    /// The piece on `square`.
    #[inline(always)]
    pub fn piece_at(&self, square: Square) -> Option<Piece> {
        let piece_type = self.piece_type_at(square)?;
        let black = self.by_color[Color::Black].contains(square);
        Some(Piece::new(
            if black { Color::Black } else { Color::White },
            piece_type,
        ))
    }

    /// The pieces of both sides that attack `square`, given the occupied squares.
    #[inline(always)]
    pub(crate) fn attackers_to<S: Sliders>(
        &self,
        square: Square,
        occupied: Bitboard,
        sliders: S,
    ) -> Bitboard {
        let kinds = &self.by_type;
        let straight = kinds[PieceType::Rook] | kinds[PieceType::Queen];
        let diagonal = kinds[PieceType::Bishop] | kinds[PieceType::Queen];
        let pawns = attacks::pawn(Color::Black, square) & self.by_color[Color::White]
            | attacks::pawn(Color::White, square) & self.by_color[Color::Black];
        attacks::knight(square) & kinds[PieceType::Knight]
            | attacks::king(square) & kinds[PieceType::King]
            | pawns & kinds[PieceType::Pawn]
            | sliders.rook(square, occupied) & straight
            | sliders.bishop(square, occupied) & diagonal
    }

    /// The pieces that give check to the side to move.
    #[inline]
    pub fn checkers(&self) -> Bitboard {
        struct Checkers<'a>(&'a Position);
        impl Multiversioned for Checkers<'_> {
            type Output = Bitboard;
            #[inline(always)]
            fn run<S: Sliders>(self, sliders: S) -> Bitboard {
                self.0.checkers_with(sliders)
            }
        }
        cpu::with_sliders(Checkers(self))
    }

    /// [`Position::checkers`], for callers that have already chosen their sliders.
    #[inline(always)]
    pub fn checkers_with<S: Sliders>(&self, sliders: S) -> Bitboard {
        let us = self.side_to_move;
        let (king, occupied) = (self.king(us), self.occupied());
        // A king never gives check.
        let [pawns, knights, bishops, rooks, queens, _] = self.by_type.0;
        let found = attacks::pawn(us, king) & pawns
            | attacks::knight(king) & knights
            | sliders.rook(king, occupied) & (rooks | queens)
            | sliders.bishop(king, occupied) & (bishops | queens);
        found & self.by_color[!us]
    }

    /// Whether the side to move is in check.
    #[inline]
    pub fn is_check(&self) -> bool {
        !self.checkers().is_empty()
    }

    /// The Zobrist key, updated incrementally: pieces, side to move, castling rights, and the file
    /// of the en passant square if a pawn of the side to move could capture there (pseudo-legally).
    #[inline(always)]
    pub const fn key(&self) -> u64 {
        self.key
    }

    /// The Zobrist key computed from scratch: the reference for [`Position::key`].
    pub fn key_from_scratch(&self) -> u64 {
        let mut key = self.state_key();
        for square in self.occupied() {
            let piece = self.piece_at(square).expect("the square is occupied");
            key ^= zobrist::piece(piece, square);
        }
        if self.side_to_move == Color::Black {
            key ^= zobrist::black_to_move();
        }
        key
    }

    /// The part of the key due to castling rights and the en passant square.
    pub(super) fn state_key(&self) -> u64 {
        let rooks = self.castling_rooks.into_iter().map(zobrist::castling_rook);
        rooks.fold(self.ep_key(), |key, rook| key ^ rook)
    }

    /// The part of the key due to the en passant square.
    #[inline(always)]
    pub(super) fn ep_key(&self) -> u64 {
        match self.ep_square {
            Some(square) if !self.ep_capturers(square).is_empty() => {
                zobrist::ep_file(square.file())
            }
            _ => 0,
        }
    }

    /// The pawns of the side to move that stand beside the pawn just moved, pinned or not.
    #[inline(always)]
    pub fn ep_capturers(&self, ep_square: Square) -> Bitboard {
        attacks::pawn(!self.side_to_move, ep_square)
            & self.pieces(self.side_to_move, PieceType::Pawn)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn startpos_is_what_it_should_be() {
        let position = Position::startpos();
        assert_eq!(position.occupied().count(), 32);
        assert_eq!(position.king(Color::White), Square::E1);
        assert_eq!(position.king(Color::Black), Square::E8);
        assert_eq!(
            position.piece_at(Square::D8),
            Some(Piece::new(Color::Black, PieceType::Queen))
        );
        assert!(!position.is_check());
    }

    #[test]
    fn setup_round_trips() {
        let position = Position::startpos();
        assert_eq!(Position::from_setup(position.to_setup()), Ok(position));
    }
}
