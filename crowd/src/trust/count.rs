//! Whose answers count, and where.

use std::collections::{BTreeMap, BTreeSet};

use super::caps::{Arrival, Caps};
use super::independence::Clusters;
use super::measured::{KnownStandings, Measured};
use crate::aggregate::moves::{Estimates, KnownStanding, MoveLabel, estimate};
use crate::model::MoveText;

/// The answers to moves, by position and move.
pub type Answers = BTreeMap<(i64, MoveText), bool>;

/// Answers of people, and what is known besides.
#[derive(Clone, Debug, Default)]
pub struct CrowdAnswers {
    /// In order of arrival.
    pub labels: Vec<MoveLabel>,
    pub arrivals: BTreeMap<(i64, i64), Arrival>,
    /// The answers of gold and closed positions.
    pub known: Answers,
    /// Those of open positions that measure people without their knowledge.
    pub hidden: Answers,
}

#[derive(Clone, Debug)]
pub struct CountedAnswers {
    /// The labels from which estimates are made.
    pub labels: Vec<MoveLabel>,
    /// The positions whose answers are not known, and the people who count there.
    pub people: BTreeSet<(i64, i64)>,
    /// Those of them for whom known answers vouch.
    pub vouched: BTreeSet<(i64, i64)>,
    pub measured: Measured,
    pub known: Answers,
}

impl CountedAnswers {
    /// The estimates from the answers of all who count, and from those of the vouched alone.
    pub fn estimates(&self) -> [Estimates; 2] {
        let mut labels = self.labels.clone();
        labels.retain(|label| {
            self.vouched.contains(&(label.position, label.worker))
                || self
                    .known
                    .contains_key(&(label.position, label.candidate.clone()))
        });
        let all = estimate(&self.labels, &self.known);
        let vouched = if labels.len() == self.labels.len() {
            all.clone()
        } else {
            estimate(&labels, &self.known)
        };
        [all, vouched]
    }
}

impl CrowdAnswers {
    /// Drops the answers that do not count where the answer is not known: of people whom known answers
    /// show to be unfit, of all but one of a group, and of those beyond the caps.
    pub fn count(self, caps: Caps, min_reliability: f64) -> CountedAnswers {
        let Self {
            mut labels,
            arrivals,
            known,
            hidden,
        } = self;
        let measured = Measured::new(&labels, &hidden);
        let by_known = KnownStandings::new(&labels, &known, min_reliability);
        let both: Answers = known.clone().into_iter().chain(hidden).collect();
        let by_both = KnownStandings::new(&labels, &both, min_reliability);
        let clusters = Clusters::new(&labels, &both);
        // Hidden answers must not show in the model of all answers, so those whom they alone show to
        // be unfit stay in it. They take no place, and no certificate counts them.
        labels.retain(|label| {
            known.contains_key(&(label.position, label.candidate.clone()))
                || by_known.at(label.position, label.worker) != KnownStanding::Unfit
        });
        // Groups come before the caps: all members of one group could fill the places of a day.
        clusters.keep_one_of_each(&mut labels, &known);
        let standing = |position, worker| by_both.at(position, worker);
        let people = caps.keep(&mut labels, &arrivals, &known, standing);
        let is_vouched = |&&(position, worker): &&(i64, i64)| {
            standing(position, worker) == KnownStanding::Vouched
        };
        let vouched = people.iter().filter(is_vouched).copied().collect();
        CountedAnswers {
            labels,
            people,
            vouched,
            measured,
            known,
        }
    }
}
