//! Certified lists against the generators, and one list against a known answer.

use std::collections::BTreeSet;

use chess::notation::san;
use chess::rules::{Position, mailbox};
use serde::Serialize;

use super::Certified;
use crate::candidates::{canonical, legal_texts, move_of, text_of, why};
use crate::model::MoveText;

/// The result of comparing a certified list with the generators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The crowd and both generators agree: a test case.
    Agreed,
    /// The crowd disagrees with both generators: for a moderator.
    Disputed(Vec<Dispute>),
    /// The two generators disagree with each other: one of them is wrong, whatever the crowd says.
    GeneratorsDiffer(Vec<OracleSplit>),
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    pub text: MoveText,
    /// Whether the crowd considers it legal; the generators disagree.
    pub crowd_says: bool,
    pub explanation: String,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleSplit {
    pub text: MoveText,
    /// Whether the generator for play lists it; the oracle disagrees.
    pub generator_says: bool,
    /// Whether the crowd considers it legal.
    pub crowd_says: bool,
    /// The explanation of the rules, from a third, independent piece of code.
    pub explanation: String,
}

/// Compares a certified list with the generator for play and with the oracle.
///
/// Its type guarantees that the list is certified: the generator has no influence on the crowd's
/// certainty.
pub fn compare(position: &Position, certified: &Certified) -> Comparison {
    judge(
        position,
        certified.moves(),
        &legal_texts(position),
        &oracle(position),
    )
}

/// The legal moves, if both generators find the same.
pub fn agreed_answer(position: &Position) -> Option<BTreeSet<MoveText>> {
    let legal = legal_texts(position);
    (legal == oracle(position)).then_some(legal)
}

fn oracle(position: &Position) -> BTreeSet<MoveText> {
    let moves = mailbox::legal_moves(&position.to_setup()).into_iter();
    moves.map(|m| text_of(position, m)).collect()
}

fn judge(
    position: &Position,
    crowd: &BTreeSet<MoveText>,
    generator: &BTreeSet<MoveText>,
    oracle: &BTreeSet<MoveText>,
) -> Comparison {
    let split = generator.symmetric_difference(oracle);
    let splits: Vec<OracleSplit> = split
        .map(|text| OracleSplit {
            text: text.clone(),
            generator_says: generator.contains(text),
            crowd_says: crowd.contains(text),
            explanation: why(position, text),
        })
        .collect();
    if !splits.is_empty() {
        return Comparison::GeneratorsDiffer(splits);
    }
    let disputes: Vec<Dispute> = crowd
        .symmetric_difference(generator)
        .map(|text| Dispute {
            text: text.clone(),
            crowd_says: crowd.contains(text),
            explanation: why(position, text),
        })
        .collect();
    if disputes.is_empty() {
        Comparison::Agreed
    } else {
        Comparison::Disputed(disputes)
    }
}

/// A list compared with the rules: for gold and closed positions only.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Results {
    /// Legal and listed, in the order of the list.
    pub found: Vec<Shown>,
    /// Legal and not listed, by text.
    pub missed: Vec<Shown>,
    /// Listed and not legal, in the order of the list.
    pub wrong: Vec<Shown>,
}

/// A move in a result, with an explanation.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, utoipa::ToSchema)]
pub struct Shown {
    /// The move, as squares.
    #[serde(rename = "move")]
    pub mv: MoveText,
    /// In SAN, if it is legal; in UCI notation if only the crowd says so.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub san: Option<String>,
    /// Why it is legal or illegal.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<String>,
}

/// Explains which moves of a list were correct, which were missed, and why.
///
/// Moves that are not candidates are wrong too. A move that is given twice, or in two forms, counts
/// once.
///
/// `legal` is the answer: the moves that the rules give, unless a moderator decided for the crowd
/// against them.
pub fn results(position: &Position, legal: &BTreeSet<MoveText>, given: &[MoveText]) -> Results {
    let mut results = Results::default();
    let mut seen = BTreeSet::new();
    for text in given {
        // A move that is not a candidate has no canonical form; it is wrong as it was typed.
        let text = canonical(position, text).unwrap_or_else(|_| text.clone());
        if !seen.insert(text.clone()) {
            continue;
        }
        let is_legal = legal.contains(&text);
        let one = Shown {
            san: is_legal.then(|| san_of(position, &text)),
            why: (!is_legal).then(|| why(position, &text)),
            mv: text,
        };
        if is_legal {
            results.found.push(one);
        } else {
            results.wrong.push(one);
        }
    }
    let missed = legal.difference(&seen).map(|text| Shown {
        mv: text.clone(),
        san: Some(san_of(position, text)),
        why: Some(why(position, text)),
    });
    results.missed.extend(missed);
    results
}

fn san_of(position: &Position, text: &MoveText) -> String {
    let m = move_of(position, text);
    // A moderator may have decided for the crowd against the rules; SAN exists for legal moves
    // only.
    if position.is_legal(m) {
        san::write(m, position)
    } else {
        text.to_string()
    }
}

#[cfg(test)]
mod tests {
    use chess::notation::fen;

    use super::*;
    use crate::candidates::legal_texts;

    fn texts(list: &str) -> BTreeSet<MoveText> {
        list.split_whitespace()
            .map(|text| text.parse().expect("a move"))
            .collect()
    }

    fn position() -> Position {
        fen::parse("7k/8/8/8/8/8/6r1/K7 w - - 0 1").expect("a legal FEN")
    }

    #[test]
    fn agreement_is_about_every_move() {
        let legal = legal_texts(&position());
        assert_eq!(legal, texts("a1b1"));
        let agreed = judge(&position(), &legal, &legal, &legal);
        assert_eq!(agreed, Comparison::Agreed);
    }

    #[test]
    fn disputes_say_why() {
        let legal = legal_texts(&position());
        let Comparison::Disputed(disputes) = judge(&position(), &texts("a1a2"), &legal, &legal)
        else {
            panic!("people and generators differ");
        };
        let found: Vec<(bool, &str)> = disputes
            .iter()
            .map(|d| (d.crowd_says, d.explanation.as_str()))
            .collect();
        assert_eq!(
            found,
            [
                (
                    true,
                    "a1a2 is illegal: the king would step to a2, which the rook on g2 attacks"
                ),
                (
                    false,
                    "a1b1 is legal: the king steps to b1, which is not attacked"
                ),
            ]
        );
    }

    #[test]
    fn two_generators_that_differ_are_reported_before_all_else() {
        let legal = legal_texts(&position());
        let crowd = texts("a1a2 a1b1");
        let found = judge(&position(), &crowd, &legal, &texts("a1b1 a1b2"));
        let Comparison::GeneratorsDiffer(splits) = found else {
            panic!("the generators differ: {found:?}");
        };
        assert_eq!(splits.len(), 1);
        assert_eq!(splits[0].text.as_str(), "a1b2");
        assert!(!splits[0].generator_says && !splits[0].crowd_says);
    }

    fn moves(list: &str) -> Vec<MoveText> {
        list.split_whitespace()
            .map(|text| text.parse().expect("a move"))
            .collect()
    }

    fn says(moves: &[Shown], part: &str) -> bool {
        let mut whys = moves.iter().map(|one| one.why.as_deref());
        whys.all(|why| why.is_some_and(|why| why.contains(part)))
    }

    #[test]
    fn everything_is_found_missed_or_wrong() {
        let position = fen::parse("4k3/8/8/8/8/8/8/4K2R w K - 0 1").expect("a legal FEN");
        let given = moves("e1h1 e1g1 e1e3 h1h8 e1e2 e8e7 a1a2");
        let results = results(&position, &legal_texts(&position), &given);
        let found: Vec<&str> = results
            .found
            .iter()
            .filter_map(|f| f.san.as_deref())
            .collect();
        assert_eq!(found, ["O-O", "Rh8+", "Ke2"]);
        let wrong: Vec<&str> = results.wrong.iter().map(|w| w.mv.as_str()).collect();
        assert_eq!(wrong, ["e1e3", "e8e7", "a1a2"]);
        assert!(says(&results.wrong, "is illegal: "));
        let all = legal_texts(&position).len();
        assert_eq!(results.found.len() + results.missed.len(), all);
        assert!(says(&results.missed, " is legal"));
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
