use std::collections::{BTreeMap, BTreeSet};

use crate::model::{ListEvent, MoveText, moves_of};
use crate::universe::Candidate;

/// A list compared with a known answer: immediately for gold, otherwise when the position is
/// closed.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Tally {
    /// Legal moves that were listed.
    pub hits: u32,
    /// Listed moves that are not legal, including those that are not candidates.
    pub wrong: u32,
    /// Legal moves that were not listed.
    pub missed: u32,
}

impl Tally {
    /// The bonus for a list with every legal move and no other.
    pub const COMPLETE_BONUS: u32 = 5;

    /// Whether the list has every legal move and no other. False if there was nothing to find.
    pub fn is_complete(&self) -> bool {
        self.hits > 0 && self.wrong == 0 && self.missed == 0
    }

    /// One point per hit, minus one per wrong move, plus the bonus; at least 0.
    ///
    /// Hits and wrong moves have the same weight, so listing a move pays exactly if it is more
    /// likely legal than not, which is the question that the crowd is asked. Listing every
    /// candidate earns nothing, as most are illegal.
    pub fn points(&self) -> u32 {
        let bonus = if self.is_complete() {
            Self::COMPLETE_BONUS
        } else {
            0
        };
        self.points_of_answers() + bonus
    }

    /// The points of a second look: like those of a list, without the bonus, since it never covers
    /// all moves.
    pub fn points_of_answers(&self) -> u32 {
        self.hits.saturating_sub(self.wrong)
    }

    /// Number of correct decisions.
    pub fn right(&self) -> u32 {
        self.hits
    }

    /// Number of decisions: hits, wrong and missed moves. Illegal moves that were not listed do not
    /// count, because they are many and easy.
    pub fn decisions(&self) -> u32 {
        self.hits
            .saturating_add(self.wrong)
            .saturating_add(self.missed)
    }
}

/// Compares a list, in canonical form, with the legal moves (gold) or the crowd's (a closed
/// position).
pub fn tally(legal: &BTreeSet<MoveText>, given: &[MoveText]) -> Tally {
    let given: BTreeSet<&MoveText> = given.iter().collect();
    let hits = given.iter().filter(|text| legal.contains(**text)).count();
    Tally {
        hits: count(hits),
        wrong: count(given.len() - hits),
        missed: count(legal.len() - hits),
    }
}

/// Counts only the candidates that were asked for, in the mode for missing moves; other moves
/// neither gain nor lose points.
pub fn tally_within(
    asked: &BTreeSet<MoveText>,
    legal: &BTreeSet<MoveText>,
    given: &[MoveText],
) -> Tally {
    let given: Vec<MoveText> = given
        .iter()
        .filter(|text| asked.contains(*text))
        .cloned()
        .collect();
    tally(&(asked & legal), &given)
}

/// Counts the answers of a second look: a correct answer is a hit, a false one is wrong, a missing
/// one is neither.
pub fn tally_answers(legal: &BTreeSet<MoveText>, answers: &BTreeMap<MoveText, bool>) -> Tally {
    let right = |(text, yes): &(&MoveText, &bool)| legal.contains(*text) == **yes;
    let hits = answers.iter().filter(right).count();
    Tally {
        hits: count(hits),
        wrong: count(answers.len() - hits),
        missed: 0,
    }
}

/// The list as of the time limit, by the contributor's own clock.
pub fn moves_in_time(events: &[ListEvent], limit_ms: u32) -> Vec<MoveText> {
    let in_time: Vec<ListEvent> = events
        .iter()
        .filter(|event| event.at_ms <= limit_ms)
        .cloned()
        .collect();
    moves_of(&in_time)
}

/// Two contributors' lists of one position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct PairTally {
    /// Number of candidates that both listed.
    pub both: u32,
    /// Number of all other moves on either list.
    pub others: u32,
}

impl PairTally {
    /// The points of each: one per common move, minus half a point per other move, rounded down, at
    /// least 0.
    pub fn points(&self) -> u32 {
        self.both.saturating_sub(self.others.div_ceil(2))
    }
}

/// Compares two lists, in canonical form; the result is symmetric.
///
/// Only candidates count, so that agreeing on nonsense does not pay. Candidates follow from the
/// geometry of the diagram, so this reveals nothing about legality.
pub fn pair_tally(universe: &[Candidate], one: &[MoveText], other: &[MoveText]) -> PairTally {
    let universe: BTreeSet<&MoveText> = universe.iter().map(|c| &c.text).collect();
    let [one, other] = [one, other].map(|list| list.iter().collect::<BTreeSet<_>>());
    let all = &one | &other;
    let both = (&one & &other).intersection(&universe).count();
    PairTally {
        both: count(both),
        others: count(all.len() - both),
    }
}

fn count(number: usize) -> u32 {
    u32::try_from(number).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{MoveClass, Op};
    use proptest::prelude::*;

    fn moves(list: &str) -> Vec<MoveText> {
        list.split_whitespace()
            .map(|text| text.parse().expect("a move"))
            .collect()
    }

    fn set(list: &str) -> BTreeSet<MoveText> {
        moves(list).into_iter().collect()
    }

    #[test]
    fn hits_pay_and_wrong_moves_cost() {
        for (legal, given, points) in [
            ("a2a3 a2a4 b2b3", "a2a3 a2a4 b2b3", 3 + 5),
            ("a2a3 a2a4 b2b3", "a2a3 a2a4", 2),
            ("a2a3 a2a4 b2b3", "a2a3 a2a4 b2b3 b2b4", 2),
            ("a2a3 a2a4 b2b3", "b2b4 c2c4 a2a3", 0),
            ("a2a3 a2a4 b2b3", "a2a3 a2a3 a2a3", 1),
            ("a2a3", "", 0),
            ("", "", 0),
        ] {
            let found = tally(&set(legal), &moves(given));
            assert_eq!(found.points(), points, "{given} of {legal}: {found:?}");
        }
    }

    #[test]
    fn only_what_was_asked_for_counts() {
        let (asked, legal) = (set("a2a3 a2a4 b2b3"), set("a2a3 a2a4 c2c3"));
        let found = tally_within(&asked, &legal, &moves("a2a3 c2c3 b2b3 h2h4"));
        let expected = Tally {
            hits: 1,
            wrong: 1,
            missed: 1,
        };
        assert_eq!(found, expected);
        let answers = BTreeMap::from([
            (moves("a2a3")[0].clone(), true),
            (moves("b2b3")[0].clone(), true),
        ]);
        let found = tally_answers(&legal, &answers);
        assert_eq!((found.hits, found.wrong, found.missed), (1, 1, 0));
    }

    #[test]
    fn a_second_look_has_no_bonus() {
        for (answers, points) in [
            (vec![("a2a3", true), ("b2b3", false)], 2),
            (vec![("a2a3", true), ("b2b3", true)], 0),
            (vec![("a2a3", true)], 1),
            (vec![("a2a3", false), ("b2b3", true)], 0),
            (vec![], 0),
        ] {
            let told = answers.iter().map(|&(mv, yes)| (moves(mv)[0].clone(), yes));
            let found = tally_answers(&set("a2a3 a2a4"), &told.collect());
            assert_eq!(found.points_of_answers(), points, "{answers:?}");
        }
    }

    #[test]
    fn what_came_too_late_does_not_count() {
        let event = |seq, op, text: &str, at_ms| ListEvent {
            seq,
            op,
            mv: text.parse().expect("a move"),
            at_ms,
        };
        let events = [
            event(1, Op::Add, "a2a3", 10),
            event(2, Op::Add, "a2a4", 90_000),
            event(3, Op::Remove, "a2a3", 90_001),
            event(4, Op::Add, "b2b3", 90_001),
        ];
        assert_eq!(moves_in_time(&events, 90_000), moves("a2a3 a2a4"));
    }

    #[test]
    fn pairs_are_paid_for_agreement() {
        for (one, other, points) in [
            ("a2a3 a2a4 b2b3", "a2a3 a2a4 b2b3", 3),
            ("a2a3 a2a4 b2b3", "a2a3 a2a4", 1),
            ("a2a3 a2a4 b2b3", "a2a3 a2a4 c2c3", 1),
            ("a2a3", "", 0),
            ("", "", 0),
            // Agreed nonsense does not pay, and costs half a point per move.
            ("a2h8 a2h7 a2h6", "a2h8 a2h7 a2h6", 0),
            ("a2a3 a2a4 b2b3 a2h8", "a2a3 a2a4 b2b3 a2h8", 2),
            ("a2a3 a2a4 b2b3 a2h8", "a2a3 a2a4 b2b3 a2h7", 2),
        ] {
            let candidate = |text| Candidate {
                text,
                class: MoveClass::Ordinary,
            };
            let universe = moves("a2a3 a2a4 b2b3 b2b4 c2c3");
            let universe: Vec<Candidate> = universe.into_iter().map(candidate).collect();
            let found = pair_tally(&universe, &moves(one), &moves(other));
            assert_eq!(found.points(), points, "{one} and {other}");
            let swapped = pair_tally(&universe, &moves(other), &moves(one));
            assert_eq!(swapped, found);
        }
    }

    fn some_moves() -> impl Strategy<Value = Vec<MoveText>> {
        let texts = moves("a2a3 a2a4 b2b3 b2b4 c2c3 c2c4 d2d3 d2d4");
        proptest::collection::vec(proptest::sample::select(texts), 0..12)
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        #[test]
        fn a_move_more_changes_points_in_the_right_direction(
            legal in some_moves(), given in some_moves(), more in some_moves(),
        ) {
            let legal: BTreeSet<MoveText> = legal.into_iter().collect();
            let before = tally(&legal, &given);
            prop_assert!(before.right() <= before.decisions());
            prop_assert_eq!(before.hits + before.missed, u32::try_from(legal.len()).expect("few"));
            for text in more.iter().filter(|text| !given.contains(text)) {
                let longer: Vec<MoveText> = given.iter().chain([text]).cloned().collect();
                let after = tally(&legal, &longer).points();
                if legal.contains(text) {
                    prop_assert!(after >= before.points());
                } else {
                    prop_assert!(after <= before.points());
                }
            }
        }
    }
}
