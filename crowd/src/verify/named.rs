//! Legal moves and their notations.

use std::collections::BTreeMap;

use chess::notation::uci_move::{self, UciMove};
use chess::notation::{move_list, san};
use chess::rules::{Color, Move, Position};

use super::list_file::read_list;
use crate::model::MoveText;
use crate::universe::why;

/// The legal moves of a position by every pair of squares that denotes them: castling is the king's
/// two squares, or the king taking the rook.
pub(super) struct Legal {
    by_squares: BTreeMap<MoveText, Move>,
}

impl Legal {
    pub(super) fn of(position: &Position) -> Self {
        let side = position.side_to_move();
        let mut by_squares = BTreeMap::new();
        for m in position.legal_moves() {
            for squares in [in_uci(m, position), inside(m), in_thesis(m, position, side)] {
                by_squares.insert(squares, m);
            }
        }
        Self { by_squares }
    }

    /// The legal move denoted by these squares.
    pub(super) fn find(&self, squares: &MoveText) -> Option<Move> {
        self.by_squares.get(squares).copied()
    }

    /// Every legal move, once.
    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        let moves: std::collections::BTreeSet<Move> = self.by_squares.values().copied().collect();
        moves.into_iter()
    }
}

fn inside(m: Move) -> MoveText {
    MoveText::new(m.from(), m.to(), m.promotion())
}

/// UCI notation in the castling mode of the position.
pub(super) fn in_uci(m: Move, position: &Position) -> MoveText {
    let UciMove {
        from,
        to,
        promotion,
    } = UciMove::from_move(m, position, position.castling_mode());
    MoveText::new(from, to, promotion)
}

fn in_thesis(m: Move, position: &Position, side: Color) -> MoveText {
    let text = move_list::write_move(m, position);
    let item = read_list(&text, side).pop();
    let squares = item.and_then(|item| item.squares.ok());
    squares.expect("the thesis's form of a legal move is read back")
}

/// A legal move in three notations, and why it is legal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Named {
    /// Four characters, as in the thesis.
    pub thesis: String,
    /// UCI notation.
    pub uci: String,
    /// SAN, as in PGN.
    pub san: String,
    /// The explanation.
    pub why: String,
}

impl Named {
    pub(super) fn of(m: Move, position: &Position) -> Self {
        Self {
            thesis: move_list::write_move(m, position),
            uci: uci_move::write(m, position, position.castling_mode()),
            san: san::write(m, position),
            why: why(position, &in_uci(m, position)),
        }
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;

    #[test]
    fn castling_has_two_names() {
        let position = fen::parse("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").expect("legal");
        let legal = Legal::of(&position);
        let find = |text: &str| legal.find(&text.parse().expect("squares"));
        assert!(find("e1g1").is_some());
        assert_eq!(find("e1g1"), find("e1h1"));
        assert_eq!(find("e1g3"), None);
        assert_eq!(legal.moves().count(), position.legal_moves().len());
        let named = Named::of(find("e1c1").expect("legal"), &position);
        assert_eq!(
            [&*named.thesis, &named.uci, &named.san],
            ["7472", "e1c1", "O-O-O"]
        );
    }
}
