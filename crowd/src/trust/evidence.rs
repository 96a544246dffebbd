use std::collections::{BTreeMap, BTreeSet};

use crate::model::{MoveClass, MoveText};
use crate::universe::Candidate;

/// What people and Dawid-Skene say of one candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The candidate, in its canonical form.
    pub text: MoveText,
    /// Its class.
    pub class: MoveClass,
    /// Who says that it is legal; each person once, in `yes` or in `no`.
    pub yes: Vec<i64>,
    /// Who says that it is not.
    pub no: Vec<i64>,
    /// The probability of yes after Dawid and Skene.
    pub dawid_skene: f64,
}

/// How often a person is right in one class of moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reliability {
    /// The person.
    pub worker: i64,
    /// The class.
    pub class: MoveClass,
    /// The probability of a right answer, the mean over moves that are legal and moves that are not.
    pub value: f64,
    /// How many answers that is made of.
    pub labels: u32,
}

/// All that is known of one position: every candidate of its universe, and the reliabilities of those who answered.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// One a candidate; those without votes too.
    pub estimates: &'a [Estimate],
    /// Of people who answered here, and perhaps of others, who are passed over.
    pub reliabilities: &'a [Reliability],
}

impl Evidence<'_> {
    /// The classes that occur in the position.
    pub(super) fn classes(&self) -> BTreeSet<MoveClass> {
        self.estimates.iter().map(|e| e.class).collect()
    }

    /// Everybody who answered at least once.
    pub(super) fn workers(&self) -> BTreeSet<i64> {
        self.estimates.iter().flat_map(Estimate::voters).collect()
    }

    /// Who answered for every candidate: a list does, a second look or a list that time cut off does not.
    pub(super) fn listers(&self) -> BTreeSet<i64> {
        let mut estimates = self.estimates.iter();
        let Some(first) = estimates.next() else {
            return BTreeSet::new();
        };
        estimates.fold(first.voters().collect(), |listers: BTreeSet<i64>, e| {
            let voters: BTreeSet<i64> = e.voters().collect();
            &listers & &voters
        })
    }
}

impl Estimate {
    /// The estimates of a whole universe: votes as `(person, candidate, yes)`, of several by one person on one candidate
    /// the last, and the Dawid-Skene probability where there is one. Votes on other moves are passed over.
    pub fn gather(
        universe: &[Candidate],
        votes: &[(i64, MoveText, bool)],
        dawid_skene: impl Fn(&MoveText) -> Option<f64>,
    ) -> Vec<Self> {
        let mut last: BTreeMap<&MoveText, BTreeMap<i64, bool>> = BTreeMap::new();
        for (worker, text, yes) in votes {
            last.entry(text).or_default().insert(*worker, *yes);
        }
        let estimate = |candidate: &Candidate| {
            let votes = last.remove(&candidate.text).unwrap_or_default();
            let (yes, no): (Vec<_>, Vec<_>) = votes.into_iter().partition(|&(_, yes)| yes);
            let [yes, no] = [yes, no].map(|v| v.into_iter().map(|(worker, _)| worker).collect());
            Self {
                text: candidate.text.clone(),
                class: candidate.class,
                yes,
                no,
                dawid_skene: dawid_skene(&candidate.text).unwrap_or(0.5),
            }
        };
        universe.iter().map(estimate).collect()
    }

    fn voters(&self) -> impl Iterator<Item = i64> + '_ {
        self.yes.iter().chain(&self.no).copied()
    }
}

/// The entropy of a yes that has this probability, in bits: 1 at one half, 0 at nought and at one, and 1 for what is
/// no number.
pub(super) fn entropy(probability: f64) -> f64 {
    let part = |p: f64| if p > 0.0 { -p * libm::log2(p) } else { 0.0 };
    if (0.0..=1.0).contains(&probability) {
        part(probability) + part(1.0 - probability)
    } else {
        1.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_last_vote_of_a_person_counts() {
        let text = |text: &str| text.parse::<MoveText>().expect("a move");
        let universe = ["a2a3", "a2a4"].map(|t| Candidate {
            text: text(t),
            class: MoveClass::Ordinary,
        });
        let votes = [
            (1, text("a2a3"), false),
            (2, text("a2a3"), false),
            (1, text("a2a3"), true),
            (1, text("h2h4"), true),
        ];
        let gathered =
            Estimate::gather(&universe, &votes, |t| (t.as_str() == "a2a3").then_some(0.7));
        assert_eq!(
            (&gathered[0].yes[..], &gathered[0].no[..]),
            (&[1][..], &[2][..])
        );
        assert!((gathered[0].dawid_skene - 0.7).abs() < 1e-12);
        assert!(gathered[1].yes.is_empty() && gathered[1].no.is_empty());
        let evidence = Evidence {
            estimates: &gathered,
            reliabilities: &[],
        };
        assert!(evidence.listers().is_empty());
        assert_eq!(evidence.workers(), BTreeSet::from([1, 2]));
    }

    #[test]
    fn entropy_is_greatest_in_the_middle() {
        for (probability, bits) in [(0.0, 0.0), (1.0, 0.0), (0.5, 1.0), (0.25, 0.811_278_124)] {
            assert!((entropy(probability) - bits).abs() < 1e-9, "{probability}");
        }
        assert!((entropy(f64::NAN) - 1.0).abs() < 1e-12);
    }
}
