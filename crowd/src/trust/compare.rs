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

    fn texts(list: &str) -> BTreeSet<MoveText> {
        let texts = list.split_whitespace();
        texts.map(|text| text.parse().expect("a move")).collect()
    }

    /// Each move in question, as the crowd has it: a king in the corner, whose one legal move is a1b1.
    fn judged(crowd: &str, oracle: &str) -> Vec<String> {
        let position = fen::parse("7k/8/8/8/8/8/6r1/K7 w - - 0 1").expect("a legal FEN");
        let legal = legal_texts(&position);
        assert_eq!(legal, texts("a1b1"));
        match judge(&position, &texts(crowd), &legal, &texts(oracle)) {
            Comparison::Agreed => Vec::new(),
            Comparison::Disputed(moves) => moves
                .iter()
                .map(|one| format!("{} {}: {}", one.mv, one.crowd_says, one.explanation))
                .collect(),
        }
    }

    #[test]
    fn every_difference_is_reported_those_of_the_generators_before_all_else() {
        assert_eq!(judged("a1b1", "a1b1"), Vec::<String>::new());
        let disputes = [
            "a1a2 true: a1a2 is illegal: the king would step to a2, which the rook on g2 attacks",
            "a1b1 false: a1b1 is legal: the king steps to b1, which is not attacked",
        ];
        assert_eq!(judged("a1a2", "a1b1"), disputes);
        let splits = judged("a1a2 a1b1", "a1b1 a1b2");
        assert_eq!(splits.len(), 1);
        let split = "a1b2 false: the two generators differ: a1b2 is illegal: ";
        assert!(splits[0].starts_with(split), "{splits:?}");
    }
}
