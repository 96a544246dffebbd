//! Compares a written list with our move generator.

use std::collections::BTreeMap;

use chess::notation::fen;
use chess::rules::Position;

use super::list_file::{Item, Place, Unreadable};
use super::named::{Legal, Named};
use crate::model::MoveText;
use crate::universe::why;

/// The result of comparing a written list.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Listed {
    /// The position, as FEN.
    pub fen: String,
    /// Number of legal moves.
    pub legal: usize,
    /// Number of entries on the list.
    pub items: usize,
    /// Legal moves that are not on the list.
    pub missing: Vec<Named>,
    /// Entries that are not legal moves.
    pub wrong: Vec<Wrong>,
    /// Entries that repeat an earlier one.
    pub repeated: Vec<Repeated>,
    /// Entries that cannot be read.
    pub unreadable: Vec<(Place, String, Unreadable)>,
}

/// An entry that is not a legal move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Wrong {
    /// Where it stands.
    pub place: Place,
    /// As it was written.
    pub text: String,
    /// Its squares.
    pub squares: MoveText,
    /// Why it is illegal.
    pub why: String,
}

/// An entry that repeats an earlier one.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Repeated {
    /// Where it stands.
    pub place: Place,
    /// As it was written.
    pub text: String,
    /// Its squares.
    pub squares: MoveText,
    /// The place of the first one.
    pub first: Place,
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

/// Compares a list with the legal moves.
pub fn compare(position: &Position, items: Vec<Item>) -> Listed {
    let legal = Legal::of(position);
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
    for Item {
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
        .map(|m| Named::of(m, position))
        .collect();
    listed
}

#[cfg(test)]
mod tests {
    use chess::notation::move_list;

    use super::super::list_file::read_list;
    use super::*;

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
                let uci = moves.iter().map(|&m| Named::of(m, position).uci);
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
