use std::collections::BTreeSet;

use chess::rules::{Position, mailbox};

use super::Certified;
use crate::model::MoveText;
use crate::universe::{legal_texts, text_of, why};

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

/// A move on which crowd and generators disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    /// The move.
    pub text: MoveText,
    /// Whether the crowd considers it legal; the generators disagree.
    pub crowd_says: bool,
    /// The explanation of the generators' answer.
    pub explanation: String,
}

/// A move on which the two generators disagree.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleSplit {
    /// The move.
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
    let oracle = mailbox::legal_moves(&position.to_setup())
        .into_iter()
        .map(|m| text_of(position, m))
        .collect();
    judge(position, certified.moves(), &legal_texts(position), &oracle)
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

#[cfg(test)]
mod tests {
    use super::*;
    use chess::notation::fen;

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
        let told: Vec<(bool, &str)> = disputes
            .iter()
            .map(|d| (d.crowd_says, d.explanation.as_str()))
            .collect();
        assert_eq!(
            told,
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
    fn two_generators_that_differ_are_told_before_all_else() {
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
}
