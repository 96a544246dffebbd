//! What is known of one position, and whether the crowd is certain of every move.

use std::collections::{BTreeMap, BTreeSet};

use crate::aggregate::moves::{KnownLabels, KnownStanding, MoveEstimate, Reliability};
use crate::candidates::Candidate;
use crate::model::{MoveClass, MoveText};

/// The evidence on one position: every candidate, and the reliabilities of those who answered.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// One per candidate, including those without votes.
    pub estimates: &'a [MoveEstimate],
    /// Of workers who answered here; any others are ignored.
    pub reliabilities: &'a [Reliability],
}

impl Evidence<'_> {
    pub(super) fn classes(&self) -> BTreeSet<MoveClass> {
        self.estimates.iter().map(|e| e.class).collect()
    }

    /// The workers who answered at least once.
    pub(super) fn workers(&self) -> BTreeSet<i64> {
        self.estimates.iter().flat_map(voters).collect()
    }

    /// What is known of each worker, over all classes.
    fn known(&self) -> BTreeMap<i64, KnownLabels> {
        let mut known: BTreeMap<i64, KnownLabels> = BTreeMap::new();
        for r in self.reliabilities {
            let sum = known.entry(r.worker).or_default();
            *sum = sum.combined(r.known, u32::saturating_add);
        }
        known
    }

    /// The workers who answered for every candidate: complete lists do, second looks and lists cut
    /// off by the time limit do not.
    pub(super) fn listers(&self) -> BTreeSet<i64> {
        let mut estimates = self.estimates.iter();
        let Some(first) = estimates.next() else {
            return BTreeSet::new();
        };
        estimates.fold(voters(first).collect(), |listers: BTreeSet<i64>, e| {
            let voters: BTreeSet<i64> = voters(e).collect();
            &listers & &voters
        })
    }
}

/// The estimates of all candidates of a position, from those of the moves that have votes.
pub fn gather(
    position: i64,
    candidates: &[Candidate],
    found: &BTreeMap<(i64, MoveText), MoveEstimate>,
) -> Vec<MoveEstimate> {
    let estimate = |candidate: &Candidate| {
        let found = found.get(&(position, candidate.text.clone())).cloned();
        found.unwrap_or_else(|| MoveEstimate::unanswered(candidate.text.clone(), candidate.class))
    };
    candidates.iter().map(estimate).collect()
}

fn voters(estimate: &MoveEstimate) -> impl Iterator<Item = i64> + '_ {
    estimate.yes.iter().chain(&estimate.no).copied()
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

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CertificateRule {
    /// Minimum number of lists by contributors who are not excluded.
    pub min_lists: u32,
    /// Minimum reliability on known answers: contributors below it, or below it in a class that
    /// occurs in the position, are excluded there. With few labels in a class, those of the contributor's other
    /// classes count too.
    pub min_reliability: f64,
    /// Required distance of each Dawid-Skene probability: at least this, or at most its complement.
    pub certainty: f64,
    /// Assumed maximum share of people who are wrong about the same candidate, because they collude
    /// or because it is hard; above 0 and below [`MOST_CARE`].
    pub wrong_share: f64,
    /// Maximum probability that a certified candidate is wrong under that assumption; above 0.
    pub error_bound: f64,
}

/// The highest probability of a correct answer that anybody is credited with. It caps what one
/// person can weigh, and lets a majority survive an honest slip.
pub const MOST_CARE: f64 = 0.95;

impl Default for CertificateRule {
    fn default() -> Self {
        Self {
            min_lists: 3,
            min_reliability: 0.7,
            certainty: 0.95,
            // The certificate holds against half of all people, as in the simulation of sybils; 15
            // unanimous lists suffice.
            wrong_share: 0.5,
            error_bound: 1e-4,
        }
    }
}

impl CertificateRule {
    /// Those for all who count, and for the vouched alone: either may certify, so they share the error
    /// bound. The vouched have a small part, as they are asked only where the others are in the way.
    pub fn of_both(self) -> [Self; 2] {
        [0.9, 0.1].map(|part| Self {
            error_bound: part * self.error_bound,
            ..self
        })
    }

    /// The logarithm of the likelihood ratio that every candidate needs.
    fn required(&self) -> f64 {
        -libm::log(self.error_bound)
    }

    /// Number of unanimous lists of careful people that suffices.
    pub fn sufficient_lists(&self) -> u32 {
        self.min_lists.max(self.lists_for(self.required()))
    }

    /// Minimum number of unanimous lists that raise the logarithm of a likelihood ratio by this.
    #[expect(
        clippy::cast_possible_truncation,
        clippy::cast_sign_loss,
        reason = "the conversion saturates, and a negative number of lists is none"
    )]
    fn lists_for(&self, amount: f64) -> u32 {
        libm::ceil(amount / libm::log(MOST_CARE / self.wrong_share)) as u32
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum CertificateVerdict {
    Certified(Certified),
    Undecided(Undecided),
}

/// A list that the crowd is certain of; only [`certify`] creates one.
#[derive(Clone, Debug, PartialEq)]
pub struct Certified {
    moves: BTreeSet<MoveText>,
    lists: u32,
    wrong_share: f64,
    error_bound: f64,
}

impl Certified {
    /// The moves that the crowd considers legal; all others are illegal.
    pub fn moves(&self) -> &BTreeSet<MoveText> {
        &self.moves
    }

    pub fn lists(&self) -> u32 {
        self.lists
    }

    /// The assumed maximum share of people who are wrong together ([`CertificateRule::wrong_share`]).
    pub fn wrong_share(&self) -> f64 {
        self.wrong_share
    }

    /// The error bound that the votes on the least certain candidate support; at most the rule's.
    pub fn error_bound(&self) -> f64 {
        self.error_bound
    }
}

#[derive(Clone, Debug, PartialEq)]
pub struct Undecided {
    /// The unsettled candidates, in input order. Empty only for a position without candidates.
    pub unsettled: Vec<Unsettled>,
    pub lists: u32,
    /// Minimum number of further lists.
    pub lacking: u32,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Unsettled {
    pub text: MoveText,
    pub doubt: Doubt,
    /// Its uncertainty in bits: the greater of the entropies of the Dawid-Skene probability and of
    /// the share of yes.
    pub bits: f64,
}

/// Why a candidate is unsettled; if several reasons apply, the first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Doubt {
    Tie,
    /// The majority and Dawid-Skene disagree.
    MethodsDiffer,
    Uncertain,
    /// The minority is too large to be honest slips: people may be wrong together.
    Contested,
    /// The answers agree, but are too few: the people who gave them may be wrong together.
    TooFewLists,
}

impl Doubt {
    /// Whether the answers themselves leave it open, not just their number.
    pub fn is_dispute(self) -> bool {
        self != Self::TooFewLists
    }
}

impl Undecided {
    pub fn disputed(&self) -> impl Iterator<Item = &Unsettled> {
        self.unsettled.iter().filter(|u| u.doubt.is_dispute())
    }

    /// The total uncertainty of the disputed candidates, in bits.
    pub fn uncertainty(&self) -> f64 {
        self.disputed().map(|u| u.bits).sum()
    }
}

/// Decides whether the crowd is certain about every candidate of a position.
///
/// It is if there are enough lists, the majority and Dawid-Skene agree on each candidate,
/// Dawid-Skene is certain of each, and the votes on each exclude that the majority is wrong
/// together ([`CertificateRule::error_bound`]). Contributors who are unreliable in a class that occurs here are
/// excluded first: their lists do not count and they have no vote in the majority, so that a few of
/// them cannot hold up a position forever. (Dawid-Skene weights everybody by itself.)
pub fn certify(evidence: &Evidence, rule: &CertificateRule) -> CertificateVerdict {
    let excluded = excluded(evidence, rule);
    let counted = (&evidence.listers() - &excluded).len();
    let lists = u32::try_from(counted).unwrap_or(u32::MAX);
    let ballots = Ballot::all(evidence, rule);
    let odds = ballots.iter().map(|ballot| ballot.odds);
    let least = odds.fold(f64::INFINITY, f64::min);
    let lacking_votes = rule.lists_for(rule.required() - least);
    let lacking_lists = rule.min_lists.saturating_sub(lists);
    let open = ballots.iter();
    let unsettled: Vec<Unsettled> = open
        .filter_map(|ballot| ballot.unsettled(rule, lacking_lists))
        .collect();
    // The least odds of no candidates are infinite, which would certify an empty answer.
    if lacking_lists == 0 && unsettled.is_empty() && !evidence.estimates.is_empty() {
        let yes = ballots.iter().filter(|ballot| ballot.says_yes());
        return CertificateVerdict::Certified(Certified {
            moves: yes.map(|ballot| ballot.estimate.text.clone()).collect(),
            lists,
            wrong_share: rule.wrong_share,
            error_bound: libm::exp(-least),
        });
    }
    CertificateVerdict::Undecided(Undecided {
        unsettled,
        lists,
        lacking: lacking_lists.max(lacking_votes),
    })
}

/// The contributors who answered here and are unreliable, over all classes or in one that occurs here.
///
/// Only known answers count: by a model of all answers, colluders who are as many as the others
/// would have these excluded.
fn excluded(evidence: &Evidence, rule: &CertificateRule) -> BTreeSet<i64> {
    let (classes, workers) = (evidence.classes(), evidence.workers());
    let overall = overall(evidence.reliabilities);
    let known = evidence.known();
    let is_unfit = |r: &&Reliability| {
        let is_low = || shrunk(r, overall[&r.worker]) < rule.min_reliability;
        classes.contains(&r.class) && is_low()
            || known[&r.worker].standing(rule.min_reliability) == KnownStanding::Unfit
    };
    let here = evidence.reliabilities.iter();
    let here = here.filter(|r| workers.contains(&r.worker));
    here.filter(is_unfit).map(|r| r.worker).collect()
}

/// The weight of the overall reliability, in labels, when it is combined with that of a class.
const SHRINKAGE: f64 = 20.0;

/// A class's reliability, shrunk towards the contributor's overall reliability; the fewer labels,
/// the more.
///
/// Rare classes have few labels, and a model's estimate from them may be far off: without
/// shrinkage, one overlooked en passant capture would exclude a good contributor, and the others
/// would decide (empirical Bayes, as in Efron and Morris's 1975 estimates of batting averages).
fn shrunk(r: &Reliability, overall: f64) -> f64 {
    let labels = f64::from(r.known.count());
    (labels * r.known.reliability() + SHRINKAGE * overall) / (labels + SHRINKAGE)
}

/// Each contributor's reliability over all classes, weighted by labels.
fn overall(reliabilities: &[Reliability]) -> BTreeMap<i64, f64> {
    let mut sums: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
    for r in reliabilities {
        // One more, so that a class without labels does not divide by zero.
        let weight = f64::from(r.known.count()) + 1.0;
        let (sum, weights) = sums.entry(r.worker).or_default();
        *sum += weight * r.known.reliability();
        *weights += weight;
    }
    let mean = |(worker, (sum, weights))| (worker, sum / weights);
    sums.into_iter().map(mean).collect()
}

/// A candidate with the votes that count.
pub(super) struct Ballot<'a> {
    pub(super) estimate: &'a MoveEstimate,
    pub(super) yes: usize,
    pub(super) no: usize,
    /// The logarithm of the likelihood ratio of "the majority is right" to "it is wrong".
    odds: f64,
}

impl<'a> Ballot<'a> {
    /// All candidates of a position, with the votes of contributors who are not excluded.
    ///
    /// If the majority is right, each person has answered as well as known answers of the class
    /// predict. If it is wrong, each is wrong with the probability `wrong_share`. The product of the
    /// ratios of these probabilities is a martingale if the majority is wrong, so it ever exceeds
    /// 1 / `error_bound` with a probability of at most `error_bound` (Ville's inequality), however
    /// often the crowd is looked at in the meantime (Wald's sequential test, 1945). Nobody weighs
    /// more than the logarithm of `MOST_CARE` / `wrong_share` (censoring as in Huber, 1965).
    pub(super) fn all(evidence: &Evidence<'a>, rule: &CertificateRule) -> Vec<Self> {
        let excluded = excluded(evidence, rule);
        let skills: BTreeMap<(i64, MoveClass), &Reliability> = {
            let counted = &evidence.workers() - &excluded;
            let here = evidence.reliabilities.iter();
            let here = here.filter(|r| counted.contains(&r.worker));
            here.map(|r| ((r.worker, r.class), r)).collect()
        };
        let ballot = |estimate: &'a MoveEstimate| {
            let counted = |workers: &[i64]| -> Vec<i64> {
                let counted = workers.iter().filter(|w| !excluded.contains(w));
                counted.copied().collect()
            };
            let (yes, no) = (counted(&estimate.yes), counted(&estimate.no));
            let is_yes = yes.len() > no.len();
            let right = |worker: &i64| {
                let skill = skills.get(&(*worker, estimate.class));
                let right = skill.map_or(MOST_CARE, |skill| skill.known.right(is_yes));
                // `min` and `max` drop a NaN. Somebody worse than assumed has no weight, rather
                // than a vote for the other side.
                right.min(MOST_CARE).max(rule.wrong_share)
            };
            let (with, against) = if is_yes { (&yes, &no) } else { (&no, &yes) };
            let with = with.iter().map(|w| right(w) / rule.wrong_share);
            // A dissenter costs ln(0.05 / 0.5) by default, which nearly four careful people
            // outweigh.
            let against = against
                .iter()
                .map(|w| (1.0 - right(w)) / (1.0 - rule.wrong_share));
            Self {
                estimate,
                odds: with.chain(against).map(libm::log).sum(),
                yes: yes.len(),
                no: no.len(),
            }
        };
        evidence.estimates.iter().map(ballot).collect()
    }

    /// The majority's answer; no in a tie.
    pub(super) fn says_yes(&self) -> bool {
        self.yes > self.no
    }

    fn unsettled(&self, rule: &CertificateRule, lacking_lists: u32) -> Option<Unsettled> {
        let are_few = lacking_lists > 0 || self.odds < rule.required();
        let too_few = are_few.then_some(Doubt::TooFewLists);
        let doubt = self.dispute(rule).or(too_few)?;
        Some(Unsettled {
            text: self.estimate.text.clone(),
            doubt,
            bits: self.bits(),
        })
    }

    /// Why the answers leave the candidate open, if they do. Without answers nothing is disputed.
    pub(super) fn dispute(&self, rule: &CertificateRule) -> Option<Doubt> {
        let probability = self.estimate.dawid_skene;
        if self.yes + self.no == 0 {
            None
        } else if self.yes == self.no {
            Some(Doubt::Tie)
        } else if self.says_yes() != (probability > 0.5) {
            Some(Doubt::MethodsDiffer)
        // No range contains NaN, which must not pass as certain.
        } else if (1.0 - rule.certainty..rule.certainty).contains(&probability)
            || probability.is_nan()
        {
            Some(Doubt::Uncertain)
        } else {
            (self.odds < 0.0).then_some(Doubt::Contested)
        }
    }

    #[expect(
        clippy::cast_precision_loss,
        reason = "votes are far fewer than 2 to the 52nd"
    )]
    pub(super) fn bits(&self) -> f64 {
        let votes = self.yes + self.no;
        if votes == 0 {
            return 1.0;
        }
        let share = self.yes as f64 / votes as f64;
        entropy(self.estimate.dawid_skene).max(entropy(share))
    }
}

/// One that three lists satisfy, and one dissenter of four does not dispute.
#[cfg(test)]
pub(super) const LENIENT: CertificateRule = CertificateRule {
    min_lists: 3,
    min_reliability: 0.7,
    certainty: 0.95,
    wrong_share: 0.04,
    error_bound: 0.05,
};

#[cfg(test)]
mod tests;
