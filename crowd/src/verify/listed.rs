//! Compares a written list with our move generator.

use std::collections::{BTreeMap, BTreeSet};

use chess::notation::{fen, move_list, san};
use chess::rules::{Move, Position};
use serde::Serialize;

use super::input::{ListItem, TextPlace, Unreadable};
use crate::candidates::{canonical, legal_texts, text_of, why};
use crate::model::MoveText;

/// The legal move that two squares denote, in the form of `legal`: castling is the king's two squares, or the king taking
/// the rook.
pub(super) fn find(
    position: &Position,
    legal: &BTreeSet<MoveText>,
    squares: &MoveText,
) -> Option<MoveText> {
    let squares = canonical(position, squares).ok()?;
    legal.contains(&squares).then_some(squares)
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
            uci: text_of(position, m).to_string(),
            san: san::write(m, position),
            why: why(position, &text_of(position, m)),
        }
    }
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    pub fen: String,
    pub legal: usize,
    pub items: usize,
    pub missing: Vec<Named>,
    pub wrong: Vec<Wrong>,
    pub repeated: Vec<Repeated>,
    pub unreadable: Vec<(TextPlace, String, Unreadable)>,
}

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
    let legal = legal_texts(position);
    let mut listed = Listed {
        fen: fen::write(position),
        legal: legal.len(),
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
        let found = find(position, &legal, &squares);
        let is_legal = found.is_some();
        // Castling has several forms, so it is the move that shows whether an entry repeats
        // another.
        let key = found.unwrap_or_else(|| squares.clone());
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
        if !is_legal {
            listed.wrong.push(Wrong {
                place,
                text,
                why: why(position, &squares),
                squares,
            });
        }
    }
    let mut missing = position.legal_moves().to_vec();
    missing.retain(|&m| !firsts.contains_key(&text_of(position, m)));
    missing.sort_unstable();
    let missing = missing.into_iter().map(|m| Named::new(m, position));
    listed.missing = missing.collect();
    listed
}

#[cfg(test)]
mod tests {
    use chess::notation::{fen, move_list};

    use super::*;
    use crate::candidates::move_of;
    use crate::verify::input::read_list;

    #[test]
    fn castling_has_two_names() {
        let position = fen::parse("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").expect("legal");
        let legal = legal_texts(&position);
        let find = |text: &str| find(&position, &legal, &text.parse().expect("squares"));
        assert!(find("e1g1").is_some());
        assert_eq!(find("e1g1"), find("e1h1"));
        assert_eq!(find("e1g3"), None);
        let named = Named::new(move_of(&position, &find("e1c1").expect("legal")), &position);
        assert_eq!(
            [&*named.thesis, &named.uci, &named.san],
            ["7472", "e1c1", "O-O-O"]
        );
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
        let position = fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("legal");
        let list =
            "7473 7463 7464 7475 e1g1 7476 7363 7363 99 7465 7757 7747 7737 7727 7717 7707 7776";
        let listed = compare(&position, read_list(list, position.side_to_move()));
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
