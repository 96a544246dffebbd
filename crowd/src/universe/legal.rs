//! The generator's legal moves in the form of candidates: for positions that are closed, gold, or
//! not shown to anybody.

use std::collections::BTreeSet;

use chess::notation::uci_move;
use chess::rules::{CastlingMode, CastlingSide, Move, PieceType, Position, Square};

use crate::model::MoveText;

/// The generator's list, in canonical form.
pub fn legal_texts(position: &Position) -> BTreeSet<MoveText> {
    position
        .legal_moves()
        .iter()
        .map(|&m| text_of(position, m))
        .collect()
}

/// A legal move in the form of a candidate.
pub(crate) fn text_of(position: &Position, m: Move) -> MoveText {
    uci_move::write(m, position, position.castling_mode())
        .parse()
        .expect("UCI writes two squares and a promotion, as a move's text is")
}

/// The engine's representation of a move: castling is the king taking its rook, if there is one in
/// the corner.
///
/// The move may be illegal.
pub fn move_of(position: &Position, text: &MoveText) -> Move {
    castling_move(position, text).unwrap_or_else(|| plain_move(text))
}

/// The squares as they are, castling included.
pub(super) fn plain_move(text: &MoveText) -> Move {
    match text.parts() {
        (from, to, None) => Move::new(from, to),
        (from, to, Some(promotion)) => Move::new_promotion(from, to, promotion),
    }
}

/// Converts the king's two squares of standard castling to king takes rook.
fn castling_move(position: &Position, text: &MoveText) -> Option<Move> {
    let (king, to, promotion) = text.parts();
    let us = position.side_to_move();
    let home = [Square::E1, Square::E8][us.index()];
    let side = CastlingSide::of(king, to);
    let rook = side.standard_rook(us);
    let two_squares = king == home && to == side.king_target(us) && promotion.is_none();
    let stand = position.king(us) == king && position.pieces(us, PieceType::Rook).contains(rook);
    let standard = position.castling_mode() == CastlingMode::Standard;
    (standard && two_squares && stand).then(|| Move::new(king, rook))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::universe::why;
    use chess::notation::{fen, san};

    #[test]
    fn castling_is_found_in_its_inner_form() {
        let position = fen::parse("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").expect("a legal FEN");
        for (text, written) in [("e1g1", "O-O"), ("e1c1", "O-O-O"), ("e1e2", "Ke2")] {
            let m = move_of(&position, &text.parse().expect("a move"));
            assert_eq!(san::write(m, &position), written);
        }
    }

    #[test]
    fn two_squares_without_a_rook_stay_two_squares() {
        let position = fen::parse("4k3/8/8/8/8/8/8/4K3 w - - 0 1").expect("a legal FEN");
        let text: MoveText = "e1g1".parse().expect("a move");
        assert_eq!(move_of(&position, &text).to_string(), "e1g1");
        assert_eq!(
            why(&position, &text),
            "e1g1 is illegal: White has no right to castle on the king's side"
        );
    }

    #[test]
    fn reasons_name_the_squares_that_were_listed() {
        let position = fen::parse("4kr2/8/8/8/8/8/8/R3K2R w KQ - 0 1").expect("a legal FEN");
        let reason = why(&position, &"e1g1".parse().expect("a move"));
        assert_eq!(
            reason,
            "e1g1 is illegal: the king would pass over f1, which the rook on f8 attacks"
        );
        let listed = legal_texts(&position);
        assert!(listed.contains(&"e1c1".parse().expect("a move")));
        assert!(!listed.iter().any(|text| text.as_str() == "e1a1"));
    }
}
