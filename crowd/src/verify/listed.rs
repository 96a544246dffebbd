//! Compares a written list with our move generator.

use std::collections::BTreeMap;

use chess::notation::uci_move::{self, UciMove};
use chess::notation::{fen, move_list, san};
use chess::rules::{Color, Move, Position};
use serde::Serialize;

use super::input::{ListItem, TextPlace, Unreadable, read_list};
use crate::candidates::why;
use crate::model::MoveText;

/// The legal moves of a position by every pair of squares that denotes them: castling is the king's
/// two squares, or the king taking the rook.
pub(super) struct Legal {
    by_squares: BTreeMap<MoveText, Move>,
}

impl Legal {
    pub(super) fn from_position(position: &Position) -> Self {
        let side = position.side_to_move();
        let mut by_squares = BTreeMap::new();
        for m in position.legal_moves() {
            let inside = MoveText::new(m.from(), m.to(), m.promotion());
            // Castling is king takes rook in Chess960 and in our own moves; in UCI and in the
            // thesis it is the king's two squares.
            for squares in [in_uci(m, position), inside, in_thesis(m, position, side)] {
                by_squares.insert(squares, m);
            }
        }
        Self { by_squares }
    }

    pub(super) fn find(&self, squares: &MoveText) -> Option<Move> {
        self.by_squares.get(squares).copied()
    }

    pub(super) fn moves(&self) -> impl Iterator<Item = Move> {
        let moves: std::collections::BTreeSet<Move> = self.by_squares.values().copied().collect();
        moves.into_iter()
    }
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
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Named {
    /// Four characters, as in the thesis.
    pub thesis: String,
    #[serde(rename = "move")]
    pub uci: String,
    pub san: String,
    pub why: String,
}

impl Named {
    pub(super) fn new(m: Move, position: &Position) -> Self {
        Self {
            thesis: move_list::write_move(m, position),
            uci: uci_move::write(m, position, position.castling_mode()),
            san: san::write(m, position),
            why: why(position, &in_uci(m, position)),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub fen: String,
    pub legal: usize,
    /// Number of entries on the list.
    pub items: usize,
    pub missing: Vec<Named>,
    pub wrong: Vec<Wrong>,
    pub repeated: Vec<Repeated>,
    pub unreadable: Vec<(TextPlace, String, Unreadable)>,
}

/// An entry that is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Wrong {
    #[serde(flatten)]
    pub place: TextPlace,
    pub text: String,
    #[serde(rename = "move")]
    pub squares: MoveText,
    pub why: String,
}

#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Repeated {
    #[serde(flatten)]
    pub place: TextPlace,
    pub text: String,
    #[serde(rename = "move")]
    pub squares: MoveText,
    /// The place of the first one.
    pub first: TextPlace,
}

impl Listed {
    /// Whether the list has every legal move once and nothing else.
    pub fn agrees(&self) -> bool {
        self.missing.is_empty()
            && self.wrong.is_empty()
            && self.repeated.is_empty()
            && self.unreadable.is_empty()
    }
}

pub fn compare(position: &Position, items: Vec<ListItem>) -> Listed {
    let legal = Legal::from_position(position);
    let mut listed = Listed {
        fen: fen::write(position),
        legal: legal.moves().count(),
        items: items.len(),
        missing: Vec::new(),
        wrong: Vec::new(),
        repeated: Vec::new(),
        unreadable: Vec::new(),
    };
    let mut firsts = BTreeMap::new();
    for ListItem {
        place,
        text,
        squares,
    } in items
    {
        let squares = match squares {
            Ok(squares) => squares,
            Err(reason) => {
                listed.unreadable.push((place, text, reason));
                continue;
            }
        };
        let found = legal.find(&squares);
        // Castling has several forms, so it is the move that shows whether an entry repeats
        // another.
        let key = found.ok_or_else(|| squares.clone());
        if let Some(&first) = firsts.get(&key) {
            listed.repeated.push(Repeated {
                place,
                text,
                squares,
                first,
            });
            continue;
        }
        firsts.insert(key, place);
        if found.is_none() {
            listed.wrong.push(Wrong {
                place,
                text,
                why: why(position, &squares),
                squares,
            });
        }
    }
    listed.missing = legal
        .moves()
        .filter(|&m| !firsts.contains_key(&Ok(m)))
        .map(|m| Named::new(m, position))
        .collect();
    listed
}

#[cfg(test)]
mod tests {
    use chess::notation::{fen, move_list};

    use super::*;
    use crate::verify::input::read_list;

    #[test]
    fn castling_has_two_names() {
        let position = fen::parse("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").expect("legal");
        let legal = Legal::from_position(&position);
        let find = |text: &str| legal.find(&text.parse().expect("squares"));
        assert!(find("e1g1").is_some());
        assert_eq!(find("e1g1"), find("e1h1"));
        assert_eq!(find("e1g3"), None);
        assert_eq!(legal.moves().count(), position.legal_moves().len());
        let named = Named::new(find("e1c1").expect("legal"), &position);
        assert_eq!(
            [&*named.thesis, &named.uci, &named.san],
            ["7472", "e1c1", "O-O-O"]
        );
    }

    fn check(fen: &str, list: &str) -> Listed {
        let position = fen::parse(fen).expect("legal");
        compare(&position, read_list(list, position.side_to_move()))
    }

    #[test]
    fn a_complete_list_agrees_in_either_form() {
        for suite in epd::suites::ALL {
            for entry in suite.parse().entries {
                let position = entry.record.position();
                let moves = position.legal_moves();
                let thesis = move_list::write(&moves, position);
                let uci = moves.iter().map(|&m| Named::new(m, position).uci);
                let uci = uci.collect::<Vec<_>>().join("\n");
                for list in [thesis, uci] {
                    let items = read_list(&list, position.side_to_move());
                    let listed = compare(position, items);
                    assert!(listed.agrees(), "{listed:?}");
                }
            }
        }
    }

    #[test]
    fn every_difference_is_named() {
        let listed = check(
            "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
            "7473 7463 7464 7475 e1g1 7476 7363 7363 99 7465 7757 7747 7737 7727 7717 7707 7776",
        );
        assert!(!listed.agrees());
        let names = |names: &[Named]| names.iter().map(|n| n.uci.clone()).collect::<Vec<_>>();
        assert_eq!(names(&listed.missing), ["h1f1", "h1h2"]);
        assert_eq!(listed.wrong.len(), 1);
        assert_eq!(listed.wrong[0].squares.as_str(), "d1d2");
        assert_eq!(listed.wrong[0].why, "d1d2 is illegal: d1 is empty");
        let repeated: Vec<String> = listed
            .repeated
            .iter()
            .map(|item| format!("{} {} {}", item.text, item.place, item.first))
            .collect();
        assert_eq!(repeated, ["7476 1:26 1:21", "7363 1:36 1:31"]);
        assert_eq!(listed.unreadable.len(), 1);
        assert_eq!((listed.legal, listed.items), (15, 17));
    }
}
