//! The squares from which each kind of piece gives check.

use chess::rules::attacks::{self, Sliders};
use chess::rules::{Bitboard, ByPieceType, Move, PieceType, Position};

/// The squares from which a piece of the side to move would give a direct check on the current
/// board, by kind. Discovered checks, and checks by castling rooks and promoted pawns, are not
/// included.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Checks(ByPieceType<Bitboard>);

impl Checks {
    /// Computes the check squares of a position.
    #[inline(always)]
    pub(super) fn of<S: Sliders>(position: &Position, sliders: S) -> Self {
        let opponent = !position.side_to_move();
        let king = position.king(opponent);
        let diagonal = sliders.bishop(king, position.occupied());
        let straight = sliders.rook(king, position.occupied());
        let mut squares = ByPieceType::default();
        squares[PieceType::Pawn] = attacks::pawn(opponent, king);
        squares[PieceType::Knight] = attacks::knight(king);
        squares[PieceType::Bishop] = diagonal;
        squares[PieceType::Rook] = straight;
        squares[PieceType::Queen] = diagonal | straight;
        Self(squares)
    }

    /// Whether a legal move of a piece of this kind gives a direct check.
    #[inline(always)]
    pub(super) fn contain(&self, kind: PieceType, m: Move) -> bool {
        self.0[kind].contains(m.to())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::notation::fen;

    /// All reported checks are checks; all checks are reported but the documented exceptions.
    #[test]
    fn direct_checks_are_seen() {
        for (text, seen, all) in [
            ("4k3/8/8/3N4/8/8/3P4/R3K2Q w - - 0 1", 6, 6),
            // The rook is uncovered, a pawn promotes, and castling gives no direct check.
            ("4k3/1P6/8/8/4N3/8/8/4R1K1 w - - 0 1", 2, 10),
            ("k7/8/1p6/8/2P5/8/8/K6B b - - 0 1", 0, 0),
        ] {
            let position = fen::parse(text).expect("legal");
            let checks = Checks::of(&position, attacks::Subtraction);
            let moves = position.legal_moves();
            let is_check = |m: &&Move| position.play_unchecked(**m).is_check();
            let kind = |m: Move| position.piece_type_at(m.from()).expect("a piece");
            let is_seen = |m: &&Move| checks.contain(kind(**m), **m);
            assert!(moves.iter().filter(is_seen).all(|m| is_check(&m)), "{text}");
            let counts = (
                moves.iter().filter(is_seen).count(),
                moves.iter().filter(is_check).count(),
            );
            assert_eq!(counts, (seen, all), "{text}");
        }
    }
}
