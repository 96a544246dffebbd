//! Which people do not answer independently: their errors coincide far beyond chance.
//!
//! Correct answers are equal for everybody, so only shared errors are evidence of copying or of one
//! person behind several sessions (Dong, Berti-Equille and Srivastava, VLDB 2009). Errors are known
//! where the answer is: by gold, which may be hidden, and in closed positions.

use std::collections::{BTreeMap, BTreeSet};

use super::coalition::Coalitions;
use super::copying::{REQUIRED, Respondents};
use crate::aggregate::moves::MoveLabel;
use crate::model::MoveText;

/// Groups of people, each of whom has the weight of one.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Clusters {
    /// The lowest number of the group, by worker; people on their own are absent.
    first: BTreeMap<i64, i64>,
}

const SHARED: usize = 3;

impl Clusters {
    /// Compares everybody's errors where the answer is known.
    ///
    /// For each pair and each error of one of them: if they are independent, the other makes it as
    /// often as third people do, so that a move that everybody overlooks proves nothing. If not, the
    /// other repeats it with the probability `COPIED` in addition. Pairs beyond the threshold are
    /// joined, and so are the groups of both. Then larger groups are looked for.
    pub(super) fn new(labels: &[MoveLabel], known: &BTreeMap<(i64, MoveText), bool>) -> Self {
        let mut moves: BTreeMap<(i64, &MoveText), Respondents> = BTreeMap::new();
        for label in labels {
            let key = (label.position, &label.candidate);
            if let Some(truth) = known.get(&(label.position, label.candidate.clone())) {
                let new = || Respondents::from_class(label.class);
                let answered = moves.entry(key).or_insert_with(new);
                answered.everybody.insert(label.worker);
                // Of several answers to a question the last counts, as in the model of all answers.
                if label.yes == *truth {
                    answered.wrong.remove(&label.worker);
                } else {
                    answered.wrong.insert(label.worker);
                }
            }
        }
        let moves: Vec<Respondents> = moves.into_values().collect();
        let mut errors: BTreeMap<i64, Vec<usize>> = BTreeMap::new();
        let mut shared: BTreeMap<(i64, i64), usize> = BTreeMap::new();
        for (number, answered) in moves.iter().enumerate() {
            for &one in &answered.wrong {
                errors.entry(one).or_default().push(number);
                for &other in answered.wrong.range(one + 1..) {
                    *shared.entry((one, other)).or_default() += 1;
                }
            }
        }
        let mut clusters = Self::default();
        for ((one, other), count) in shared {
            if count >= SHARED && clusters.cluster(one) != clusters.cluster(other) {
                let made: BTreeSet<usize> = [one, other]
                    .iter()
                    .flat_map(|worker| errors[worker].iter().copied())
                    .collect();
                let evidence = made.iter().map(|&n| moves[n].evidence(one, other));
                if evidence.sum::<f64>() >= REQUIRED {
                    clusters.join(one, other);
                }
            }
        }
        for group in Coalitions::new(&moves, &errors).proven() {
            // Joining is transitive, so that neighbours in the group suffice.
            for (one, other) in group.iter().zip(group.iter().skip(1)) {
                clusters.join(*one, *other);
            }
        }
        clusters
    }

    /// The number of a person's group: its lowest member, or the person on their own.
    fn cluster(&self, worker: i64) -> i64 {
        self.first.get(&worker).copied().unwrap_or(worker)
    }

    fn join(&mut self, one: i64, other: i64) {
        let (one, other) = (self.cluster(one), self.cluster(other));
        let first = one.min(other);
        for cluster in self.first.values_mut() {
            if *cluster == one || *cluster == other {
                *cluster = first;
            }
        }
        self.first.insert(one, first);
        self.first.insert(other, first);
    }

    /// Keeps one person's labels per group for each position whose answer is not known: those of
    /// the first in the input.
    pub(super) fn keep_one_of_each(
        &self,
        labels: &mut Vec<MoveLabel>,
        known: &BTreeMap<(i64, MoveText), bool>,
    ) {
        let mut speaker: BTreeMap<(i64, i64), i64> = BTreeMap::new();
        labels.retain(|label| {
            let key = (label.position, self.cluster(label.worker));
            let first = *speaker.entry(key).or_insert(label.worker);
            first == label.worker || known.contains_key(&(label.position, label.candidate.clone()))
        });
    }
}

#[cfg(test)]
mod tests {
    use chacha20::ChaCha8Rng;
    use chess::rules::Square;
    use rand::{RngExt, SeedableRng};

    use super::*;
    use crate::model::MoveClass;

    type Known = BTreeMap<(i64, MoveText), bool>;

    /// Fifty known positions with twenty candidates each, and sixty people who err as `is_wrong` says
    /// of person, position and candidate.
    fn crowd(mut is_wrong: impl FnMut(i64, i64, usize) -> bool) -> (Vec<MoveLabel>, Known) {
        let texts: Vec<MoveText> = Square::ALL[8..28]
            .iter()
            .map(|to| format!("a1{to}").parse().expect("a move"))
            .collect();
        let (mut labels, mut known) = (Vec::new(), Known::new());
        for position in 1..=50 {
            for (number, text) in texts.iter().enumerate() {
                known.insert((position, text.clone()), true);
                for worker in 1..=60 {
                    labels.push(MoveLabel {
                        position,
                        candidate: text.clone(),
                        class: MoveClass::Ordinary,
                        worker,
                        yes: !is_wrong(worker, position, number),
                    });
                }
            }
        }
        (labels, known)
    }

    /// Two lies are enough if thirty people tell them and thirty do not: nobody is wrong with the same
    /// people twice by chance. Two lies of three people prove nothing.
    #[test]
    fn a_large_group_is_joined_by_a_few_lies_and_a_small_one_is_not() {
        for (size, lies, expected) in [(30, 2, 29), (12, 3, 11), (3, 2, 0), (30, 1, 0)] {
            let mut rng = ChaCha8Rng::seed_from_u64(2);
            let (labels, known) = crowd(|worker, position, number| match worker {
                _ if worker <= size => position <= lies && number == 3,
                _ => rng.random::<f64>() < 0.02,
            });
            let found = members(&Clusters::new(&labels, &known));
            assert_eq!(found.len(), expected, "{size}, {lies}: {found:?}");
        }
    }

    /// People who do not know a rule are wrong about the moves of its class together, each on their
    /// own.
    #[test]
    fn people_who_do_not_know_a_rule_are_no_group() {
        let mut rng = ChaCha8Rng::seed_from_u64(3);
        let (mut labels, known) = crowd(|worker, position, number| {
            let is_unknown = position % 5 == 0 && number == 3 && worker <= 15;
            is_unknown || rng.random::<f64>() < 0.02
        });
        for label in &mut labels {
            if label.position % 5 == 0 && label.candidate.as_str() == "a1d2" {
                label.class = MoveClass::EnPassant;
            }
        }
        assert_eq!(Clusters::new(&labels, &known), Clusters::default());
    }

    fn members(clusters: &Clusters) -> Vec<i64> {
        (1..=60).filter(|w| clusters.cluster(*w) != *w).collect()
    }

    #[test]
    fn moves_that_are_hard_for_everybody_join_nobody() {
        for seed in 0..3 {
            let mut rng = ChaCha8Rng::seed_from_u64(seed);
            // One in twenty candidates is overlooked by up to nine in ten people.
            let (labels, known) = crowd(|worker, position, number| {
                let hard = f64::from(u32::try_from((position * 7) % 10).expect("a digit")) / 10.0;
                let careless = if worker % 10 == 0 { 0.2 } else { 0.02 };
                rng.random::<f64>() < if number == 0 { hard } else { careless }
            });
            assert_eq!(
                Clusters::new(&labels, &known),
                Clusters::default(),
                "{seed}"
            );
        }
    }

    #[test]
    fn half_of_all_people_are_joined_by_their_lies_and_two_by_a_few_errors() {
        let mut rng = ChaCha8Rng::seed_from_u64(1);
        let (labels, known) = crowd(|worker, _, number| match worker {
            // The same lie in every position.
            ..=30 => number == 3,
            _ => rng.random::<f64>() < 0.02,
        });
        let found = Clusters::new(&labels, &known);
        assert_eq!(members(&found), (2..=30).collect::<Vec<i64>>());
        let (labels, known) = crowd(|worker, position, number| match worker {
            7 | 8 => position % 8 == 0 && number == 5,
            _ => rng.random::<f64>() < 0.02,
        });
        assert_eq!(members(&Clusters::new(&labels, &known)), [8]);
    }

    #[test]
    fn a_group_has_one_list_of_an_open_position() {
        let mut clusters = Clusters::default();
        clusters.join(4, 9);
        clusters.join(2, 9);
        assert_eq!([2, 4, 9, 5].map(|w| clusters.cluster(w)), [2, 2, 2, 5]);
        let label = |position, worker| MoveLabel {
            position,
            candidate: "a2a3".parse().expect("a move"),
            class: MoveClass::Ordinary,
            worker,
            yes: true,
        };
        let known = Known::from([((1, "a2a3".parse().expect("a move")), true)]);
        let mut labels: Vec<MoveLabel> = [(1, 9), (1, 4), (2, 9), (2, 4), (2, 5), (3, 4), (3, 9)]
            .map(|(position, worker)| label(position, worker))
            .to_vec();
        clusters.keep_one_of_each(&mut labels, &known);
        let kept: Vec<(i64, i64)> = labels.iter().map(|l| (l.position, l.worker)).collect();
        assert_eq!(kept, [(1, 9), (1, 4), (2, 9), (2, 5), (3, 4)]);
    }
}
