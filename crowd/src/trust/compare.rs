use std::collections::BTreeSet;

use chess::rules::{Position, mailbox};

use super::Certified;
use crate::model::MoveText;
use crate::universe::{legal_texts, text_of, why};

/// What becomes of a certified list when the generator is asked.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Comparison {
    /// All three say the same: a test case.
    Agreed,
    /// People say one thing and both generators another: for a moderator.
    Disputed(Vec<Dispute>),
    /// The two generators do not agree with each other: one of them is wrong, whatever people say.
    GeneratorsDiffer(Vec<OracleSplit>),
}

/// A move that people and generators judge differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Dispute {
    /// The move.
    pub text: MoveText,
    /// Whether people say that it is legal; the generators say the opposite.
    pub crowd_says: bool,
    /// Why the generators say so.
    pub explanation: String,
}

/// A move that the two generators judge differently.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct OracleSplit {
    /// The move.
    pub text: MoveText,
    /// Whether the generator for play lists it; the oracle does the opposite.
    pub generator_says: bool,
    /// Whether people say that it is legal.
    pub crowd_says: bool,
    /// What the explanation says, which is a third piece of code.
    pub explanation: String,
}

/// Holds a certified list against the generator for play and against the oracle.
///
/// That the list is certified is in its type: the generator has no say in what people are sure of.
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
