//! Checks what a person pastes: a list of moves, or the output of `divide` in any usual form.

use std::collections::BTreeMap;

use chess::notation::fen;
use chess::perft::Counter;
use chess::rules::{Move, Position};
use uci::perft::{Meaning, PastedRow, pasted_move, pasted_rows};

use super::input::{Item, Place, Unreadable, read_list};
use super::listed::{Listed, Named, compare, in_uci};
use crate::model::MoveText;

/// What is missing or wrong in a pasted text.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Pasted {
    pub listed: Listed,
    pub counts: Counts,
}

/// The counts beside the moves of a divide.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Counts {
    /// A plain list, or a divide at depth 1.
    None,
    /// They are of a depth that would take too long to count here.
    TooDeep,
    /// They were compared with our own counts at the depth that fits best.
    Compared { depth: u32, wrong: Vec<WrongCount> },
}

/// A legal move below which other nodes were counted than there are.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrongCount {
    pub named: Named,
    pub squares: MoveText,
    pub given: u64,
    pub right: u64,
    /// The position after the move, where to look on.
    pub after: String,
}

impl Pasted {
    pub fn agrees(&self) -> bool {
        let counts = match &self.counts {
            Counts::None | Counts::TooDeep => true,
            Counts::Compared { wrong, .. } => wrong.is_empty(),
        };
        counts && self.listed.agrees()
    }
}

/// Compares a pasted text with the legal moves of a position, and its counts with ours.
///
/// A text with rows of a divide is read as one, other lines are ignored. Any other text is a list,
/// as [`read_list`] reads it, in which words may also be SAN.
pub fn check_pasted(position: &Position, text: &str) -> Pasted {
    let rows = pasted_rows(text, position);
    let items = if rows.is_empty() {
        list(position, text)
    } else {
        let item = |(line, row): &PastedRow| Item {
            place: Place {
                line: *line,
                column: 1,
            },
            text: row.text.clone(),
            squares: squares(row.meaning, position),
        };
        rows.iter().map(item).collect()
    };
    Pasted {
        listed: compare(position, items),
        counts: counts(position, &rows),
    }
}

fn squares(meaning: Meaning, position: &Position) -> Result<MoveText, Unreadable> {
    match meaning {
        Meaning::Legal(m) => Ok(in_uci(m, position)),
        Meaning::Illegal(m) if m.from() != m.to() => {
            Ok(MoveText::new(m.from(), m.to(), m.promotion()))
        }
        Meaning::Illegal(_) => Err(Unreadable::Nowhere),
        Meaning::Unreadable => Err(Unreadable::San),
    }
}

fn list(position: &Position, text: &str) -> Vec<Item> {
    let items = read_list(text, position.side_to_move());
    let is_san = items.iter().any(|item| item.squares.is_err());
    // Words in the thesis's notation may be joined, SAN never is.
    let words = words(text);
    if !is_san || !words.iter().any(|(_, word)| is_legal(word, position)) {
        return items;
    }
    let read = words.into_iter().map(|(place, text)| Item {
        place,
        squares: squares(pasted_move(text, position), position),
        text: text.to_owned(),
    });
    read.collect()
}

/// The words of a list; a number with a point, as before moves, is none.
fn words(text: &str) -> Vec<(Place, &str)> {
    let lines = (1..).zip(text.lines());
    let words = lines.flat_map(|(line, text)| {
        let words = text.split(|c: char| c.is_whitespace() || matches!(c, ',' | ';'));
        words.map(move |word| {
            let byte = word.as_ptr() as usize - text.as_ptr() as usize;
            let column = text[..byte].chars().count() + 1;
            (Place { line, column }, word)
        })
    });
    let is_number = |word: &str| {
        word.trim_end_matches('.')
            .bytes()
            .all(|b| b.is_ascii_digit())
    };
    words.filter(|(_, word)| !is_number(word)).collect()
}

fn is_legal(word: &str, position: &Position) -> bool {
    matches!(pasted_move(word, position), Meaning::Legal(_))
}

/// At most so many nodes are counted for one text: a moment's work.
const NODES: u64 = 20_000_000;
const DEEPEST: u32 = 8;

/// Compares at the depth at which most counts agree; among those, at which the totals are nearest.
fn counts(position: &Position, rows: &[PastedRow]) -> Counts {
    let given: BTreeMap<Move, u64> = rows
        .iter()
        .filter_map(|(_, row)| match row.meaning {
            Meaning::Legal(m) => Some((m, row.nodes)),
            Meaning::Illegal(_) | Meaning::Unreadable => None,
        })
        .collect();
    if given.values().all(|&nodes| nodes == 1) {
        return Counts::None;
    }
    let sum = given.values().fold(0, |sum: u64, &n| sum.saturating_add(n));
    let mut best: Option<(usize, u64, Counts)> = None;
    let (mut before, mut last) = (1, given.len() as u64);
    for depth in 2..=DEEPEST {
        // Each ply has about as many moves as the one before it, if not half as many more.
        let expected = last.saturating_mul(last / before.max(1) * 3 / 2 + 1);
        let fits = best.as_ref().is_some_and(|(agreeing, _, _)| *agreeing > 0);
        if expected > NODES {
            if !fits && sum / 2 > last {
                return Counts::TooDeep;
            }
            break;
        }
        let (wrong, total) = wrong_counts(position, depth, &given);
        let agreeing = given.len() - wrong.len();
        let distance = total.abs_diff(sum);
        let is_better = best.as_ref().is_none_or(|(most, nearest, _)| {
            agreeing > *most || agreeing == *most && distance < *nearest
        });
        if is_better {
            best = Some((agreeing, distance, Counts::Compared { depth, wrong }));
        }
        if total / 2 > sum {
            break;
        }
        (before, last) = (last, total);
    }
    best.map_or(Counts::TooDeep, |(_, _, counts)| counts)
}

/// The moves whose counts differ at a depth, and the sum of the right ones.
fn wrong_counts(
    position: &Position,
    depth: u32,
    given: &BTreeMap<Move, u64>,
) -> (Vec<WrongCount>, u64) {
    let counter = Counter::new();
    let mut total: u64 = 0;
    let wrong = given.iter().filter_map(|(&m, &given)| {
        let after = position.play_unchecked(m);
        let right = counter.count(&after, depth - 1);
        let right = right.expect("a few million nodes are within all limits");
        total += right;
        (right != given).then(|| WrongCount {
            named: Named::of(m, position),
            squares: in_uci(m, position),
            given,
            right,
            after: fen::write(&after),
        })
    });
    (wrong.collect(), total)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Kiwipete, known for its castlings, pins and en passant captures.
    const FEN: &str = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1";

    fn position() -> Position {
        fen::parse(FEN).expect("legal")
    }

    /// A divide as many engines print it.
    fn divide(depth: u32) -> String {
        let position = position();
        let rows = Counter::new().divide(&position, depth).expect("small");
        let rows = rows
            .iter()
            .map(|(m, n)| format!("{}: {n}", in_uci(*m, &position)));
        let mut text = rows.collect::<Vec<_>>().join("\n");
        text += "\n\nNodes searched: 97862\n";
        text
    }

    #[test]
    fn a_right_divide_agrees_at_its_depth() {
        for depth in 1..=3 {
            let pasted = check_pasted(&position(), &divide(depth));
            assert!(pasted.agrees(), "{pasted:?}");
            match pasted.counts {
                Counts::Compared { depth: found, .. } => assert_eq!(found, depth),
                other => assert_eq!((other, depth), (Counts::None, 1)),
            }
        }
    }

    #[test]
    fn what_is_wrong_in_a_divide_is_named() {
        let text = divide(3)
            .replace("e1g1: 2059\n", "")
            .replace("a2a3: 2186", "a2a3: 2185")
            + "e1e3: 7\n";
        let pasted = check_pasted(&position(), &text);
        assert!(!pasted.agrees());
        let Counts::Compared { depth: 3, wrong } = &pasted.counts else {
            panic!("{pasted:?}")
        };
        assert_eq!(wrong.len(), 1);
        let one = &wrong[0];
        assert_eq!(
            (one.squares.as_str(), one.given, one.right),
            ("a2a3", 2185, 2186)
        );
        assert!(one.after.contains(" b KQkq - "), "{}", one.after);
        assert_eq!(pasted.listed.missing[0].uci, "e1g1");
        assert_eq!(pasted.listed.wrong[0].squares.as_str(), "e1e3");
        assert_eq!(pasted.listed.wrong[0].place.line, 50);
    }

    #[test]
    fn lists_may_be_in_san() {
        let position = position();
        let moves = position.legal_moves();
        let sans = moves
            .iter()
            .map(|&m| chess::notation::san::write(m, &position));
        let text = sans.collect::<Vec<_>>().join(", ");
        assert!(check_pasted(&position, &text).agrees());
        let pasted = check_pasted(&position, "O-O Kd8 zz");
        assert_eq!(pasted.listed.unreadable.len(), 2, "{pasted:?}");
        assert_eq!(pasted.listed.unreadable[0].0.to_string(), "1:5");
    }

    #[test]
    fn counts_beyond_our_patience_are_not_compared() {
        let text = divide(1).replace(": 1\n", ": 123456789012\n");
        assert_eq!(check_pasted(&position(), &text).counts, Counts::TooDeep);
    }
}
