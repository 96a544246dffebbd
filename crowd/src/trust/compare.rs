//! Certified lists against the generators.

use std::collections::BTreeSet;

use chess::rules::{Position, mailbox};
use serde::{Deserialize, Serialize};

use super::Certified;
use crate::candidates::{legal_texts, text_of, why};
use crate::model::MoveText;

/// The result of comparing a certified list with the generators.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// The crowd and both generators agree: a test case.
    Agreed,
    /// The moves on which the crowd disagrees with both generators, for a moderator; or those on which the two
    /// generators disagree with each other: one of them is wrong, whatever the crowd says.
    Disputed(Vec<QueueMove>),
}

/// A move on which the crowd and the generator disagree, or that many lists did not settle.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct QueueMove {
    #[serde(rename = "move")]
    pub mv: MoveText,
    /// Whether the crowd considers it possible; for an unsettled move, which way it leans.
    pub crowd_says: bool,
    /// What the rules imply, and why.
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
    let question = |mv: &MoveText, before: &str| QueueMove {
        mv: mv.clone(),
        crowd_says: crowd.contains(mv),
        explanation: format!("{before}{}", why(position, mv)),
    };
    let splits = generator.symmetric_difference(oracle);
    let splits = splits.map(|mv| question(mv, "the two generators differ: "));
    let disputes = crowd.symmetric_difference(generator);
    let disputes = disputes.map(|mv| question(mv, ""));
    for differing in [splits.collect::<Vec<_>>(), disputes.collect()] {
        if !differing.is_empty() {
            return Comparison::Disputed(differing);
        }
    }
    Comparison::Agreed
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
        let Comparison::Disputed(splits) = found else {
            panic!("the generators differ: {found:?}");
        };
        assert_eq!(splits.len(), 1);
        assert_eq!(splits[0].mv.as_str(), "a1b2");
        assert!(!splits[0].crowd_says);
        let explanation = splits[0].explanation.as_str();
        assert!(explanation.starts_with("the two generators differ: a1b2 is illegal: "));
    }
}
