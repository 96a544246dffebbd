//! The generator's legal moves in the form of candidates, and why a move is legal or not: for positions that are
//! closed, gold, or not shown to anybody.

use std::collections::BTreeSet;

use chess::notation::{san, uci_move};
use chess::rules::explain::{Rule, explain};
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

/// A move in SAN, if it is legal, and else its squares.
pub fn san_of(position: &Position, text: &MoveText) -> String {
    let m = move_of(position, text);
    // A moderator may have decided for the crowd against the rules; SAN exists for legal moves
    // only.
    if position.is_legal(m) {
        san::write(m, position)
    } else {
        text.to_string()
    }
}

/// The squares as they are, castling included.
pub(crate) fn plain_move(text: &MoveText) -> Move {
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
    let side = CastlingSide::new(king, to);
    let rook = side.standard_rook(us);
    let two_squares = king == home && to == side.king_target(us) && promotion.is_none();
    let stand = position.king(us) == king && position.pieces(us, PieceType::Rook).contains(rook);
    let standard = position.castling_mode() == CastlingMode::Standard;
    (standard && two_squares && stand).then(|| Move::new(king, rook))
}

/// Explains why a move is legal or not, with its squares as written: by [`explain`] or, for a legal move
/// without a special rule, by how the piece moves.
pub fn why(position: &Position, text: &MoveText) -> String {
    let m = plain_move(text);
    let explanation = explain(position, m);
    match position.piece_type_at(m.from()) {
        Some(mover) if explanation.rule() == Rule::Legal => {
            format!("{text} is legal: {}", how(position, m, mover))
        }
        _ => explanation.to_string(),
    }
}

fn how(position: &Position, m: Move, mover: PieceType) -> String {
    let (from, to) = (m.from(), m.to());
    if let Some(taken) = position.piece_type_at(to) {
        let unattacked = if mover == PieceType::King {
            ", which is not protected"
        } else {
            ""
        };
        return format!("the {mover} on {from} takes the {taken} on {to}{unattacked}");
    }
    match mover {
        PieceType::King => format!("the king steps to {to}, which is not attacked"),
        PieceType::Knight => format!("the knight on {from} jumps to {to}"),
        PieceType::Pawn if from.rank().index().abs_diff(to.rank().index()) == 2 => {
            format!("the pawn on {from} has not moved and goes two squares ahead, both empty")
        }
        PieceType::Pawn => format!("the pawn on {from} goes one square ahead"),
        PieceType::Bishop | PieceType::Rook | PieceType::Queen => {
            let line = if from.file() == to.file() {
                "file"
            } else if from.rank() == to.rank() {
                "rank"
            } else {
                "diagonal"
            };
            format!(
                "the {mover} on {from} goes along the {line} to {to}, and nothing stands in its way"
            )
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::{fen, san};

    use super::*;
    use crate::candidates::why;

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
