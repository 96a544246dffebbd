//! Explains in one sentence why a move is legal or not: for positions that are closed, gold, or not
//! shown to anybody.

use chess::rules::explain::{Rule, explain};
use chess::rules::{Move, PieceType, Position, Square};

use super::legal::plain_move;
use crate::model::MoveText;

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
    let to = m.to();
    if let Some(taken) = position.piece_type_at(to) {
        let unattacked = if mover == PieceType::King {
            ", which is not protected"
        } else {
            ""
        };
        return format!(
            "the {} on {} takes the {} on {to}{unattacked}",
            name(mover),
            m.from(),
            name(taken)
        );
    }
    match mover {
        PieceType::King => format!("the king steps to {to}, which is not attacked"),
        PieceType::Knight => format!("the knight on {} jumps to {to}", m.from()),
        PieceType::Pawn if is_double_step(m) => {
            format!(
                "the pawn on {} has not moved and goes two squares ahead, both empty",
                m.from()
            )
        }
        PieceType::Pawn => format!("the pawn on {} goes one square ahead", m.from()),
        PieceType::Bishop | PieceType::Rook | PieceType::Queen => {
            format!(
                "the {} on {} goes {}, and nothing stands in its way",
                name(mover),
                m.from(),
                line(m.from(), to)
            )
        }
    }
}

fn is_double_step(m: Move) -> bool {
    m.from().rank().index().abs_diff(m.to().rank().index()) == 2
}

fn line(from: Square, to: Square) -> String {
    if from.file() == to.file() {
        format!("along the file to {to}")
    } else if from.rank() == to.rank() {
        format!("along the rank to {to}")
    } else {
        format!("along the diagonal to {to}")
    }
}

fn name(piece_type: PieceType) -> &'static str {
    match piece_type {
        PieceType::Pawn => "pawn",
        PieceType::Knight => "knight",
        PieceType::Bishop => "bishop",
        PieceType::Rook => "rook",
        PieceType::Queen => "queen",
        PieceType::King => "king",
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use chess::notation::fen;

    fn check(position: &str, text: &str, expected: &str) {
        let position = fen::parse(position).expect("a legal FEN");
        let text = text.parse().expect("a move");
        assert_eq!(why(&position, &text), expected);
    }

    #[test]
    fn an_ordinary_move_is_told_by_how_the_piece_moves() {
        let place = "4k3/8/8/3p4/8/1n6/PP5R/R3K1N1 w Q - 0 1";
        check(
            place,
            "e1d1",
            "e1d1 is legal: the king steps to d1, which is not attacked",
        );
        check(place, "g1f3", "g1f3 is legal: the knight on g1 jumps to f3");
        check(
            place,
            "a2a4",
            "a2a4 is legal: the pawn on a2 has not moved and goes two squares ahead, both empty",
        );
        check(
            place,
            "a2a3",
            "a2a3 is legal: the pawn on a2 goes one square ahead",
        );
        check(
            place,
            "a2b3",
            "a2b3 is legal: the pawn on a2 takes the knight on b3",
        );
        check(
            place,
            "h2c2",
            "h2c2 is legal: the rook on h2 goes along the rank to c2, and nothing stands in its way",
        );
        check(
            place,
            "h2h8",
            "h2h8 is legal: the rook on h2 goes along the file to h8, and nothing stands in its way",
        );
    }

    #[test]
    fn what_is_special_is_told_by_its_rule() {
        let place = "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1";
        check(
            place,
            "e5d6",
            "e5d6 is legal: it takes the pawn on d5 en passant, which has just made a double step",
        );
    }
}
