//! Piece and move lists that are too short, and false ends of the game.

use chess::rules::{PieceType, Square};

use super::super::Mutation;
use super::super::board::Mutant;

impl Mutant {
    /// Whether the piece list of a kind ends before the piece with this number, from 1.
    pub(super) fn is_beyond_list(&self, kind: PieceType, number: u32) -> bool {
        let (short, length) = match self.broken() {
            Some(Mutation::KnightListOfTwo) => (PieceType::Knight, 2),
            Some(Mutation::KnightListOfNine) => (PieceType::Knight, 9),
            Some(Mutation::BishopListOfTwo) => (PieceType::Bishop, 2),
            Some(Mutation::BishopListOfNine) => (PieceType::Bishop, 9),
            Some(Mutation::RookListOfTwo) => (PieceType::Rook, 2),
            Some(Mutation::RookListOfNine) => (PieceType::Rook, 9),
            Some(Mutation::QueenListOfOne) => (PieceType::Queen, 1),
            Some(Mutation::QueenListOfFour) => (PieceType::Queen, 4),
            Some(Mutation::QueenListOfEight) => (PieceType::Queen, 8),
            _ => return false,
        };
        kind == short && number > length
    }

    /// Drops the moves, from `start` on, that exceed a list's capacity.
    pub(super) fn cut_list(&mut self, start: usize) {
        let length = match self.broken() {
            Some(Mutation::MoveListOf64) => 64,
            Some(Mutation::MoveListOf100) => 100,
            Some(Mutation::MoveListOf128) => 128,
            Some(Mutation::MoveListOf192) => 192,
            Some(Mutation::MoveListOf200) => 200,
            Some(Mutation::MoveListOf217) => 217,
            Some(Mutation::CaptureListOf32) => return self.cut_captures(start, 32),
            _ => return,
        };
        self.moves.truncate(start + length);
    }

    fn cut_captures(&mut self, start: usize, length: usize) {
        let them = self.them();
        let mut captures = 0;
        for step in self.moves.split_off(start) {
            captures += usize::from(self.is_of(step.to, them));
            if captures <= length || !self.is_of(step.to, them) {
                self.moves.push(step);
            }
        }
    }

    /// Whether the mutant considers the game over, so that there are no moves.
    pub(super) fn is_over(&self) -> bool {
        let clock = self.state.halfmove_clock;
        match self.broken() {
            Some(Mutation::LoneMinorEndsGame) => self.only_minors_are_left(1),
            Some(Mutation::TwoMinorsEndGame) => self.only_minors_are_left(2),
            Some(Mutation::FiftyPliesEndGame) => clock >= 50,
            Some(Mutation::FiftyMovesEndGame) => clock >= 100,
            Some(Mutation::FiftyMovesEndGameLate) => clock > 100,
            Some(Mutation::SeventyFiveMovesEndGame) => clock >= 150,
            Some(Mutation::SeventyFiveMovesEndGameLate) => clock > 150,
            _ => false,
        }
    }

    /// Whether only the kings and exactly this many minor pieces are left.
    fn only_minors_are_left(&self, count: usize) -> bool {
        let pieces = Square::ALL.into_iter().filter_map(|square| self.at(square));
        let mut others = pieces.filter(|piece| piece.piece_type != PieceType::King);
        let mut minors = 0;
        others.all(|piece| {
            minors += 1;
            matches!(piece.piece_type, PieceType::Knight | PieceType::Bishop)
        }) && minors == count
    }
}
