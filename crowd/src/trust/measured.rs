//! What people answer where they do not know that the answer is known: hidden gold.
//!
//! These answers measure people as gold does. A position never measures them for its own
//! certificate: what a generator says of it must not decide who counts there.

use std::collections::{BTreeMap, BTreeSet};

use crate::aggregate::moves::{KnownLabels, KnownStanding, MoveLabel, Reliability};
use crate::model::{MoveClass, MoveText};

/// The labels of hidden gold: by position, then by worker and class.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Measured {
    at: BTreeMap<i64, BTreeMap<(i64, MoveClass), KnownLabels>>,
}

impl Measured {
    /// Counts the labels of moves with hidden answers. A worker answers once for each.
    pub(super) fn new(labels: &[MoveLabel], hidden: &BTreeMap<(i64, MoveText), bool>) -> Self {
        let mut measured = Self::default();
        if hidden.is_empty() {
            return measured;
        }
        for label in labels {
            let key = (label.position, label.candidate.clone());
            let Some(is_possible) = hidden.get(&key) else {
                continue;
            };
            let here = measured.at.entry(label.position).or_default();
            let counts = here.entry((label.worker, label.class)).or_default();
            counts.note(*is_possible, label.yes);
        }
        measured
    }

    /// Adds them to what is known of people in the classes of which there is a reliability.
    pub fn add_to(&self, reliabilities: &mut [Reliability]) {
        let mut sums: BTreeMap<(i64, MoveClass), KnownLabels> = BTreeMap::new();
        for (key, counts) in self.at.values().flatten() {
            let sum = sums.entry(*key).or_default();
            *sum = sum.combined(*counts, u32::saturating_add);
        }
        for one in reliabilities {
            if let Some(sum) = sums.get(&(one.worker, one.class)) {
                one.known = one.known.combined(*sum, u32::saturating_add);
            }
        }
    }

    /// For each of these positions the reliabilities of the people who answered there, by what they
    /// answered elsewhere. The reliabilities are those that [`Self::add_to`] has made.
    pub fn elsewhere(&self, reliabilities: &[Reliability]) -> BTreeMap<i64, Vec<Reliability>> {
        let mut of_worker: BTreeMap<i64, Vec<&Reliability>> = BTreeMap::new();
        for one in reliabilities {
            of_worker.entry(one.worker).or_default().push(one);
        }
        let without = |here: &BTreeMap<(i64, MoveClass), KnownLabels>| {
            let workers: BTreeSet<i64> = here.keys().map(|(worker, _)| *worker).collect();
            let all = workers
                .iter()
                .flat_map(|worker| of_worker.get(worker).into_iter().flatten());
            let elsewhere = all.map(|one| {
                let own = here.get(&(one.worker, one.class)).copied();
                Reliability {
                    known: one
                        .known
                        .combined(own.unwrap_or_default(), u32::saturating_sub),
                    ..**one
                }
            });
            elsewhere.collect()
        };
        let positions = self.at.iter();
        positions
            .map(|(position, here)| (*position, without(here)))
            .collect()
    }
}

/// What is known of people over all classes, by what they answered elsewhere than where they are
/// counted.
#[derive(Clone, Debug)]
pub(super) struct KnownStandings {
    min_reliability: f64,
    everywhere: BTreeMap<i64, KnownLabels>,
    at: BTreeMap<(i64, i64), KnownLabels>,
}

impl KnownStandings {
    pub(super) fn new(
        labels: &[MoveLabel],
        known: &BTreeMap<(i64, MoveText), bool>,
        min_reliability: f64,
    ) -> Self {
        let mut everywhere: BTreeMap<i64, KnownLabels> = BTreeMap::new();
        let mut at: BTreeMap<(i64, i64), KnownLabels> = BTreeMap::new();
        for (position, here) in Measured::new(labels, known).at {
            for ((worker, _), counts) in here {
                for sum in [
                    everywhere.entry(worker).or_default(),
                    at.entry((position, worker)).or_default(),
                ] {
                    *sum = sum.combined(counts, u32::saturating_add);
                }
            }
        }
        Self {
            min_reliability,
            everywhere,
            at,
        }
    }

    pub(super) fn at(&self, position: i64, worker: i64) -> KnownStanding {
        let all = self.everywhere.get(&worker).copied().unwrap_or_default();
        let here = self.at.get(&(position, worker)).copied();
        let elsewhere = all.combined(here.unwrap_or_default(), u32::saturating_sub);
        elsewhere.standing(self.min_reliability)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::aggregate::moves::estimate;

    #[test]
    fn hidden_answers_measure_people_everywhere_but_at_their_own_position() {
        let text: MoveText = "a2a3".parse().expect("a move");
        let label = |position, worker, yes| MoveLabel {
            position,
            candidate: text.clone(),
            class: MoveClass::Ordinary,
            worker,
            yes,
        };
        // Position 1 is gold, 2 and 3 are hidden gold, 4 is open.
        let labels = [
            label(1, 7, true),
            label(2, 7, false),
            label(3, 7, true),
            label(4, 7, true),
            label(2, 8, true),
        ];
        let gold = BTreeMap::from([((1, text.clone()), true)]);
        let hidden = BTreeMap::from([((2, text.clone()), true), ((3, text.clone()), false)]);
        let measured = Measured::new(&labels, &hidden);
        let mut reliabilities: Vec<Reliability> =
            estimate(&labels, &gold).workers.into_values().collect();
        let model: Vec<f64> = reliabilities.iter().map(|one| one.value).collect();
        measured.add_to(&mut reliabilities);
        let counts = |one: &Reliability| {
            let known = one.known;
            let found = [
                known.possible,
                known.found,
                known.impossible,
                known.invented,
            ];
            (one.worker, found)
        };
        let all: Vec<(i64, [u32; 4])> = reliabilities.iter().map(counts).collect();
        assert_eq!(all, [(7, [2, 1, 1, 1]), (8, [1, 1, 0, 0])]);
        let values: Vec<f64> = reliabilities.iter().map(|one| one.value).collect();
        assert_eq!(values, model, "the model that people's draws depend on");
        let elsewhere = measured.elsewhere(&reliabilities);
        let at = |position| elsewhere[&position].iter().map(counts).collect::<Vec<_>>();
        assert_eq!(at(2), [(7, [1, 1, 1, 1]), (8, [0, 0, 0, 0])]);
        assert_eq!(at(3), [(7, [2, 1, 0, 0])]);
        assert_eq!(elsewhere.len(), 2);
    }
}
