//! Compares an engine's move list with a trusted one.

use std::collections::BTreeSet;

use chess::rules::{Move, Position};
use uci::perft::{Meaning, Row};

use super::named::Named;
use crate::model::MoveText;
use crate::universe::why;

/// The differences between an engine's list and a trusted one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Against {
    /// Trusted moves that the engine's list lacks.
    pub missing: Vec<Named>,
    /// Entries that are not trusted moves, as the engine wrote them.
    pub superfluous: Vec<Superfluous>,
}

/// An entry of an engine's list that is not a trusted move.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Superfluous {
    /// As the engine wrote it.
    pub text: String,
    /// Why it is wrong.
    pub why: String,
}

impl Against {
    /// Compares the rows of an engine's answer with a list.
    pub fn of(position: &Position, trusted: &BTreeSet<Move>, rows: &[Row]) -> Self {
        let mut seen = BTreeSet::new();
        let mut against = Self::default();
        for row in rows {
            if let Err(why) = take(row, position, trusted, &mut seen) {
                let text = row.text.clone();
                against.superfluous.push(Superfluous { text, why });
            }
        }
        let missing = trusted.difference(&seen);
        against.missing = missing.map(|&m| Named::of(m, position)).collect();
        against
    }

    /// Whether both lists are the same.
    pub fn agrees(&self) -> bool {
        self.missing.is_empty() && self.superfluous.is_empty()
    }
}

/// Ticks off a row, or explains why it is wrong.
fn take(
    row: &Row,
    position: &Position,
    trusted: &BTreeSet<Move>,
    seen: &mut BTreeSet<Move>,
) -> Result<(), String> {
    let m = match row.meaning {
        Meaning::Legal(m) => m,
        Meaning::Illegal(m) => {
            let squares = MoveText::new(m.from(), m.to(), m.promotion());
            return Err(why(position, &squares));
        }
        Meaning::Unreadable => return Err("it is not a move".to_owned()),
    };
    if !trusted.contains(&m) {
        return Err("it is not on the trusted list".to_owned());
    }
    if !seen.insert(m) {
        return Err("it was listed before".to_owned());
    }
    if row.nodes != 1 {
        return Err(format!("it is counted {} times", row.nodes));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;
    use chess::rules::Square;

    use super::*;

    #[test]
    fn every_difference_is_named() {
        let position = fen::parse("7k/8/8/8/8/8/8/K7 w - - 0 1").expect("legal");
        let trusted = position.legal_moves().into_iter().collect();
        let row = |text: &str, meaning, nodes| Row {
            text: text.to_owned(),
            meaning,
            nodes,
        };
        let legal = |to| Meaning::Legal(Move::new(Square::A1, to));
        let rows = [
            row("a1a2", legal(Square::A2), 1),
            row("a1a2", legal(Square::A2), 1),
            row(
                "a1a3",
                Meaning::Illegal(Move::new(Square::A1, Square::A3)),
                1,
            ),
            row("a1b1", legal(Square::B1), 2),
            row("a1i1", Meaning::Unreadable, 1),
        ];
        let against = Against::of(&position, &trusted, &rows);
        let missing: Vec<&str> = against.missing.iter().map(|m| &*m.uci).collect();
        assert_eq!(missing, ["a1b2"]);
        let superfluous: Vec<String> = against
            .superfluous
            .iter()
            .map(|row| format!("{}: {}", row.text, row.why))
            .collect();
        assert_eq!(superfluous[0], "a1a2: it was listed before");
        assert!(superfluous[1].starts_with("a1a3: a1a3 is illegal"));
        assert_eq!(superfluous[2], "a1b1: it is counted 2 times");
        assert_eq!(superfluous[3], "a1i1: it is not a move");
    }
}
