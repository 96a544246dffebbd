//! Detects moves that give check, without making them.

use chess::rules::{Bitboard, ByPieceType, Move, PieceType, Position, Square, attacks};

/// Check information about the king of the side not to move.
pub(super) struct CheckInfo {
    king: Square,
    /// The squares from which a piece of each type would give check.
    direct: ByPieceType<Bitboard>,
    /// The attacker's blockers of its own sliders: moving one may give a discovered check.
    screens: Bitboard,
}

impl CheckInfo {
    /// Computes the check information of a position.
    pub(super) fn from_position(position: &Position) -> Self {
        let us = position.side_to_move();
        let king = position.king(!us);
        let occupied = position.occupied();
        let bishop = attacks::bishop(king, occupied);
        let rook = attacks::rook(king, occupied);
        let direct = ByPieceType([
            // Our pawns give check from where a pawn of theirs on the king's square would attack.
            attacks::pawn(!us, king),
            attacks::knight(king),
            bishop,
            rook,
            bishop | rook,
            Bitboard::EMPTY,
        ]);
        Self {
            king,
            direct,
            screens: screens(position, king),
        }
    }

    /// Whether a legal move of `position` gives check.
    pub(super) fn gives_check(&self, position: &Position, m: Move) -> bool {
        if m.promotion().is_some() || position.is_castling(m) || position.is_en_passant(m) {
            // Castling, en passant and promotions change more than one square or the piece type.
            // They are rare, so the move is made.
            return position.play_unchecked(m).is_check();
        }
        let kind = position
            .piece_type_at(m.from())
            .expect("a legal move starts from a piece");
        let uncovers =
            self.screens.contains(m.from()) && !attacks::line(self.king, m.from()).contains(m.to());
        self.direct[kind].contains(m.to()) || uncovers
    }
}

/// The pieces of the side to move that give a discovered check on `king` by leaving the line.
fn screens(position: &Position, king: Square) -> Bitboard {
    let us = position.side_to_move();
    let queens = position.pieces(us, PieceType::Queen);
    let straight = position.pieces(us, PieceType::Rook) | queens;
    let diagonal = position.pieces(us, PieceType::Bishop) | queens;
    let none = Bitboard::EMPTY;
    // On an empty board, since it is the pieces in between that are sought.
    let sliders = attacks::rook(king, none) & straight | attacks::bishop(king, none) & diagonal;
    let occupied = position.occupied();
    sliders
        .into_iter()
        .filter_map(|slider| (attacks::between(king, slider) & occupied).only())
        .filter(|&square| position.by_color(us).contains(square))
        .fold(none, |found, square| found | square.bitboard())
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;
    use chess::rules::mailbox;

    use super::*;
    use crate::mate::tests::visit;

    /// Compares the result for every legal move with the position after it.
    fn check_all(position: &Position) -> usize {
        let setup = position.to_setup();
        let checks = CheckInfo::from_position(position);
        let moves = position.legal_moves();
        let found = moves.iter().filter(|&&m| {
            let next = mailbox::play(&setup, m);
            let expected = mailbox::in_check(&next, next.side_to_move);
            let fen = fen::write(position);
            assert_eq!(checks.gives_check(position, m), expected, "{fen}: {m}");
            expected
        });
        found.count()
    }

    #[test]
    fn checks_agree_with_the_mailbox() {
        let mut found = 0;
        visit(20_000, |position| found += check_all(position));
        assert!(found > 5_000, "{found} checks");
    }

    #[test]
    fn rare_checks_are_seen() {
        let rows = [
            // The castling rook gives check.
            ("5k2/8/8/8/8/8/8/4K2R w K - 0 1", 3),
            // En passant opens the rank between rook and king.
            ("8/8/8/R2pP2k/8/8/8/4K3 w - d6 0 1", 1),
            // Promotions: along the file that the pawn vacates, and to a knight.
            ("8/1P6/8/8/8/1k6/8/4K3 w - - 0 1", 2),
            ("8/k1P5/8/8/8/8/8/4K3 w - - 0 1", 1),
        ];
        for (text, expected) in rows {
            let position = fen::parse(text).expect("legal");
            assert_eq!(check_all(&position), expected, "{text}");
        }
    }
}
