use std::collections::{BTreeMap, BTreeSet};

use crate::model::{MoveClass, MoveText};
use crate::universe::Candidate;

/// The votes and the Dawid-Skene estimate for one candidate.
#[derive(Clone, Debug, PartialEq)]
pub struct Estimate {
    /// The candidate, in its canonical form.
    pub text: MoveText,
    /// Its class.
    pub class: MoveClass,
    /// Workers who consider it legal; each worker is in `yes` or `no`, once.
    pub yes: Vec<i64>,
    /// Workers who consider it illegal.
    pub no: Vec<i64>,
    /// The probability of yes by Dawid and Skene's model.
    pub dawid_skene: f64,
}

/// A worker's reliability in one class of moves.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reliability {
    /// The worker.
    pub worker: i64,
    /// The class.
    pub class: MoveClass,
    /// The probability of a correct answer: the mean over legal and illegal moves.
    pub value: f64,
    /// Number of answers it is based on.
    pub labels: u32,
}

/// The evidence on one position: every candidate, and the reliabilities of those who answered.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// One per candidate, including those without votes.
    pub estimates: &'a [Estimate],
    /// Of workers who answered here; any others are ignored.
    pub reliabilities: &'a [Reliability],
}

impl Evidence<'_> {
    /// The classes that occur in the position.
    pub(super) fn classes(&self) -> BTreeSet<MoveClass> {
        self.estimates.iter().map(|e| e.class).collect()
    }

    /// The workers who answered at least once.
    pub(super) fn workers(&self) -> BTreeSet<i64> {
        self.estimates.iter().flat_map(Estimate::voters).collect()
    }

    /// The workers who answered for every candidate: complete lists do, second looks and lists cut
    /// off by the time limit do not.
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
    /// Builds the estimates of all candidates from votes `(worker, candidate, yes)`, of which the
    /// last by a worker on a candidate counts, and from the Dawid-Skene probabilities, where
    /// available. Votes on other moves are ignored.
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

/// The binary entropy of a probability, in bits: 1 at one half, 0 at zero and one, and 1 for NaN.
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
