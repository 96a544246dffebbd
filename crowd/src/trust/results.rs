use std::collections::BTreeSet;

use chess::notation::san;
use chess::rules::Position;
use serde::{Deserialize, Serialize};

use crate::model::MoveText;
use crate::universe::{canonical, move_of, why};

/// A list compared with the rules: for gold and closed positions only.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Results {
    /// Legal and listed, in the order of the list.
    pub found: Vec<Found>,
    /// Legal and not listed, by text.
    pub missed: Vec<Missed>,
    /// Listed and not legal, in the order of the list.
    pub wrong: Vec<Wrong>,
}

/// A legal move that was listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Found {
    /// The move.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// The move in SAN; in UCI notation if the rules do not allow it.
    pub san: String,
}

/// A legal move that was not listed.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Missed {
    /// The move.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// The move in SAN; in UCI notation if the rules do not allow it.
    pub san: String,
    /// Why it is legal.
    pub why: String,
}

/// A listed move that is not legal.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize, utoipa::ToSchema)]
pub struct Wrong {
    /// The move.
    #[serde(rename = "move")]
    pub text: MoveText,
    /// Why it is not legal.
    pub why: String,
}

/// Explains which moves of a list were correct, which were missed, and why.
///
/// Moves that are not candidates are wrong too. A move that is given twice, or in two forms, counts
/// once.
///
/// `legal` is the answer: the moves that the rules give, unless a moderator decided for the crowd
/// against them.
pub fn results(position: &Position, legal: &BTreeSet<MoveText>, given: &[MoveText]) -> Results {
    let mut results = Results {
        found: Vec::new(),
        missed: Vec::new(),
        wrong: Vec::new(),
    };
    let mut seen = BTreeSet::new();
    for text in given {
        let text = canonical(position, text).unwrap_or_else(|_| text.clone());
        if !seen.insert(text.clone()) {
            continue;
        }
        if legal.contains(&text) {
            let san = san_of(position, &text);
            results.found.push(Found { text, san });
        } else {
            let why = why(position, &text);
            results.wrong.push(Wrong { text, why });
        }
    }
    let missed = legal.difference(&seen).map(|text| Missed {
        text: text.clone(),
        san: san_of(position, text),
        why: why(position, text),
    });
    results.missed.extend(missed);
    results
}

fn san_of(position: &Position, text: &MoveText) -> String {
    let m = move_of(position, text);
    if position.is_legal(m) {
        san::write(m, position)
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::universe::legal_texts;
    use chess::notation::fen;

    fn moves(list: &str) -> Vec<MoveText> {
        list.split_whitespace()
            .map(|text| text.parse().expect("a move"))
            .collect()
    }

    #[test]
    fn everything_is_found_missed_or_wrong() {
        let position = fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a legal FEN");
        let given = moves("e1h1 e1g1 e1e3 h1h8 e1e2 e8e7 a1a2");
        let results = results(&position, &legal_texts(&position), &given);
        let found: Vec<&str> = results.found.iter().map(|f| f.san.as_str()).collect();
        assert_eq!(found, ["O-O", "Rh8+", "Ke2"]);
        let wrong: Vec<&str> = results.wrong.iter().map(|w| w.text.as_str()).collect();
        assert_eq!(wrong, ["e1e3", "e8e7", "a1a2"]);
        assert!(results.wrong.iter().all(|w| w.why.contains("is illegal: ")));
        let all = legal_texts(&position).len();
        assert_eq!(results.found.len() + results.missed.len(), all);
        assert!(results.missed.iter().all(|m| m.why.contains(" is legal")));
    }

    #[test]
    fn they_are_written_as_the_interface_has_them() {
        let position = fen::parse("7k/8/8/8/8/8/6r1/K7 w - - 0 1").expect("a legal FEN");
        let results = results(&position, &legal_texts(&position), &moves("a1a2"));
        let json = serde_json::to_string(&results).expect("plain values");
        assert_eq!(
            json,
            r#"{"found":[],"missed":[{"move":"a1b1","san":"Kb1","why":"a1b1 is legal: the king steps to b1, which is not attacked"}],"wrong":[{"move":"a1a2","why":"a1a2 is illegal: the king would step to a2, which the rook on g2 attacks"}]}"#
        );
    }
}
