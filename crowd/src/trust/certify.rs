//! What is known of one position, and whether the crowd is certain of every move.

use std::collections::{BTreeMap, BTreeSet};

use crate::aggregate::moves::{Estimate, Reliability};
use crate::candidates::Candidate;
use crate::model::{MoveClass, MoveText};

/// The evidence on one position: every candidate, and the reliabilities of those who answered.
#[derive(Clone, Copy, Debug)]
pub struct Evidence<'a> {
    /// One per candidate, including those without votes.
    pub estimates: &'a [Estimate],
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
    found: &BTreeMap<(i64, MoveText), Estimate>,
) -> Vec<Estimate> {
    let estimate = |candidate: &Candidate| {
        let found = found.get(&(position, candidate.text.clone())).cloned();
        found.unwrap_or_else(|| Estimate::unanswered(candidate.text.clone(), candidate.class))
    };
    candidates.iter().map(estimate).collect()
}

fn voters(estimate: &Estimate) -> impl Iterator<Item = i64> + '_ {
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
pub struct Rule {
    /// Minimum number of lists by contributors who are not excluded.
    pub min_lists: u32,
    /// Minimum reliability: contributors below it in a class that occurs in the position are
    /// excluded there. With few labels in a class, those of the contributor's other classes count
    /// too.
    pub min_reliability: f64,
    /// Required distance of each Dawid-Skene probability: at least this, or at most its complement.
    pub certainty: f64,
}

impl Default for Rule {
    fn default() -> Self {
        Self {
            min_lists: 3,
            min_reliability: 0.7,
            certainty: 0.95,
        }
    }
}

#[derive(Clone, Debug, PartialEq)]
pub enum Verdict {
    Certified(Certified),
    Undecided(Undecided),
}

/// A list that the crowd is certain of; only [`certify`] creates one.
#[derive(Clone, Debug, PartialEq)]
pub struct Certified {
    moves: BTreeSet<MoveText>,
    lists: u32,
}

impl Certified {
    /// The moves that the crowd considers legal; all others are illegal.
    pub fn moves(&self) -> &BTreeSet<MoveText> {
        &self.moves
    }

    pub fn lists(&self) -> u32 {
        self.lists
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
    /// There are too few lists, but no other doubt.
    TooFewLists,
}

impl Doubt {
    /// Whether the answers themselves leave it open, not just their number.
    pub fn is_dispute(self) -> bool {
        self != Self::TooFewLists
    }
}

/// A contributor whose answers to a position are not counted.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Excluded {
    worker: i64,
    /// The class in which they are least reliable, among those that occur here.
    class: MoveClass,
    /// Their reliability in that class, shrunk towards their overall reliability if labels are few.
    reliability: f64,
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
/// It is if there are enough lists, the majority and Dawid-Skene agree on each candidate, and
/// Dawid-Skene is certain of each. Contributors who are unreliable in a class that occurs here are
/// excluded first: their lists do not count and they have no vote in the majority, so that a few of
/// them cannot hold up a position forever. (Dawid-Skene weights everybody by itself.)
pub fn certify(evidence: &Evidence, rule: &Rule) -> Verdict {
    let excluded = excluded(evidence, rule);
    let excluded: BTreeSet<i64> = excluded.iter().map(|person| person.worker).collect();
    let counted = (&evidence.listers() - &excluded).len();
    let lists = u32::try_from(counted).unwrap_or(u32::MAX);
    let lacking = rule.min_lists.saturating_sub(lists);
    let ballots = evidence
        .estimates
        .iter()
        .map(|e| Ballot::count(e, &excluded));
    let unsettled: Vec<Unsettled> = ballots
        .clone()
        .filter_map(|ballot| ballot.unsettled(rule, lacking))
        .collect();
    if lacking == 0 && unsettled.is_empty() && !evidence.estimates.is_empty() {
        let yes = ballots.filter(Ballot::says_yes);
        return Verdict::Certified(Certified {
            moves: yes.map(|ballot| ballot.estimate.text.clone()).collect(),
            lists,
        });
    }
    Verdict::Undecided(Undecided {
        unsettled,
        lists,
        lacking,
    })
}

/// The contributors who answered here and are unreliable in a class that occurs here.
fn excluded(evidence: &Evidence, rule: &Rule) -> Vec<Excluded> {
    let (classes, workers) = (evidence.classes(), evidence.workers());
    let overall = overall(evidence.reliabilities);
    let mut worst: BTreeMap<i64, Excluded> = BTreeMap::new();
    for r in evidence.reliabilities {
        let person = Excluded {
            worker: r.worker,
            class: r.class,
            reliability: shrunk(r, overall[&r.worker]),
        };
        let counts = workers.contains(&r.worker) && classes.contains(&r.class);
        let known = worst.get(&r.worker);
        let lower = known.is_none_or(|w| person.reliability < w.reliability);
        if counts && lower && person.reliability < rule.min_reliability {
            worst.insert(r.worker, person);
        }
    }
    worst.into_values().collect()
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
    let labels = f64::from(r.labels);
    (labels * r.value + SHRINKAGE * overall) / (labels + SHRINKAGE)
}

/// Each contributor's reliability over all classes, weighted by labels.
fn overall(reliabilities: &[Reliability]) -> BTreeMap<i64, f64> {
    let mut sums: BTreeMap<i64, (f64, f64)> = BTreeMap::new();
    for r in reliabilities {
        // One more, so that a class without labels does not divide by zero.
        let weight = f64::from(r.labels) + 1.0;
        let (sum, weights) = sums.entry(r.worker).or_default();
        *sum += weight * r.value;
        *weights += weight;
    }
    let mean = |(worker, (sum, weights))| (worker, sum / weights);
    sums.into_iter().map(mean).collect()
}

/// A candidate with the votes that count.
pub(super) struct Ballot<'a> {
    pub(super) estimate: &'a Estimate,
    pub(super) yes: usize,
    pub(super) no: usize,
}

impl<'a> Ballot<'a> {
    fn count(estimate: &'a Estimate, excluded: &BTreeSet<i64>) -> Self {
        let votes = |workers: &[i64]| workers.iter().filter(|w| !excluded.contains(w)).count();
        Self {
            estimate,
            yes: votes(&estimate.yes),
            no: votes(&estimate.no),
        }
    }

    /// All candidates of a position, with the votes of contributors who are not excluded.
    pub(super) fn all(evidence: &Evidence<'a>, rule: &Rule) -> Vec<Self> {
        let excluded = excluded(evidence, rule).iter().map(|p| p.worker).collect();
        let estimates = evidence.estimates.iter();
        estimates.map(|e| Self::count(e, &excluded)).collect()
    }

    /// The majority's answer; no in a tie.
    pub(super) fn says_yes(&self) -> bool {
        self.yes > self.no
    }

    fn unsettled(&self, rule: &Rule, lacking: u32) -> Option<Unsettled> {
        let too_few = (lacking > 0).then_some(Doubt::TooFewLists);
        let doubt = self.dispute(rule).or(too_few)?;
        Some(Unsettled {
            text: self.estimate.text.clone(),
            doubt,
            bits: self.bits(),
        })
    }

    /// Why the answers leave the candidate open, if they do. Without answers nothing is disputed.
    pub(super) fn dispute(&self, rule: &Rule) -> Option<Doubt> {
        let probability = self.estimate.dawid_skene;
        if self.yes + self.no == 0 {
            None
        } else if self.yes == self.no {
            Some(Doubt::Tie)
        } else if self.says_yes() != (probability > 0.5) {
            Some(Doubt::MethodsDiffer)
        } else if probability >= rule.certainty || probability <= 1.0 - rule.certainty {
            None
        } else {
            Some(Doubt::Uncertain)
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

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    #[test]
    fn only_answers_to_every_candidate_are_a_list() {
        let text = |text: &str| text.parse::<MoveText>().expect("a move");
        let candidates = ["a2a3", "a2a4"].map(|t| Candidate {
            text: text(t),
            class: MoveClass::Ordinary,
        });
        let found = estimate(("a2a3", "yn", 0.7));
        let elsewhere = estimate(("h2h4", "y", 0.9));
        let found = [found, elsewhere].map(|one| ((7, one.text.clone()), one));
        let gathered = gather(7, &candidates, &BTreeMap::from(found));
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

    /// A candidate: its text, the votes of workers 1, 2, 3… as `y`, `n` or `-` for none, and
    /// Dawid-Skene's probability.
    fn estimate((text, votes, dawid_skene): (&str, &str, f64)) -> Estimate {
        let who = |answer: char| {
            let votes = (1..).zip(votes.chars());
            let voters = votes.filter(move |&(_, vote)| vote == answer);
            voters.map(|(worker, _)| worker).collect()
        };
        let text = text.parse().expect("a move");
        Estimate {
            yes: who('y'),
            no: who('n'),
            dawid_skene,
            ..Estimate::unanswered(text, MoveClass::Ordinary)
        }
    }

    fn verdict_on(rows: &[(&str, &str, f64)], reliabilities: &[Reliability]) -> String {
        let estimates: Vec<Estimate> = rows.iter().copied().map(estimate).collect();
        let evidence = Evidence {
            estimates: &estimates,
            reliabilities,
        };
        match certify(&evidence, &Rule::default()) {
            Verdict::Certified(certified) => {
                let moves: Vec<&str> = certified.moves().iter().map(MoveText::as_str).collect();
                format!("{} lists: {}", certified.lists(), moves.join(" "))
            }
            Verdict::Undecided(undecided) => {
                let open = undecided.unsettled.iter();
                let open: Vec<String> = open.map(|u| format!("{} {:?}", u.text, u.doubt)).collect();
                format!("lacks {}: {}", undecided.lacking, open.join(", "))
            }
        }
    }

    fn reliability(worker: i64, class: MoveClass, value: f64) -> Reliability {
        Reliability {
            worker,
            class,
            value,
            labels: 1000,
        }
    }

    #[test]
    fn a_few_labels_of_a_rare_class_exclude_nobody() {
        let estimates = [("a2a3", "yyyy", 0.99), ("a2a4", "nnnn", 0.01)].map(estimate);
        for (labels, value, is_excluded) in [
            (2, 0.0, false),
            (8, 0.5, false),
            (40, 0.5, true),
            (2, f64::NAN, false),
        ] {
            let rare = Reliability {
                labels,
                ..reliability(1, MoveClass::Ordinary, value)
            };
            let reliabilities = [rare, reliability(1, MoveClass::King, 0.98)];
            let evidence = Evidence {
                estimates: &estimates,
                reliabilities: &reliabilities,
            };
            let excluded = excluded(&evidence, &Rule::default());
            assert_eq!(excluded.len(), usize::from(is_excluded), "{labels} {value}");
        }
    }

    #[test]
    fn each_way_to_stay_undecided_is_reported() {
        for (rows, expected) in [
            (
                vec![("a2a3", "yyy", 0.99), ("a2a4", "nnn", 0.01)],
                "3 lists: a2a3",
            ),
            (
                vec![("a2a3", "yyyn", 0.95), ("a2a4", "nnnn", 0.05)],
                "4 lists: a2a3",
            ),
            (
                vec![("a2a3", "yy", 0.99), ("a2a4", "yn", 0.99)],
                "lacks 1: a2a3 TooFewLists, a2a4 Tie",
            ),
            (
                vec![("a2a3", "yyy", 0.94), ("a2a4", "nnn", 0.06)],
                "lacks 0: a2a3 Uncertain, a2a4 Uncertain",
            ),
            (
                vec![("a2a3", "yyn", 0.01), ("a2a4", "nny", 0.99)],
                "lacks 0: a2a3 MethodsDiffer, a2a4 MethodsDiffer",
            ),
            (
                vec![("a2a3", "yyy", f64::NAN)],
                "lacks 0: a2a3 MethodsDiffer",
            ),
            (vec![("a2a3", "nnn", f64::NAN)], "lacks 0: a2a3 Uncertain"),
            (vec![("a2a3", "", 0.5)], "lacks 3: a2a3 TooFewLists"),
            (vec![], "lacks 3: "),
        ] {
            assert_eq!(verdict_on(&rows, &[]), expected, "{rows:?}");
        }
    }

    #[test]
    fn a_second_look_is_no_list() {
        let rows = [("a2a3", "yyyy", 0.99), ("a2a4", "nn--", 0.01)];
        assert_eq!(
            verdict_on(&rows, &[]),
            "lacks 1: a2a3 TooFewLists, a2a4 TooFewLists"
        );
    }

    #[test]
    fn the_unreliable_are_excluded_and_named() {
        let rows = [("a2a3", "yyyn", 0.99), ("a2a4", "nnyy", 0.01)];
        assert_eq!(verdict_on(&rows, &[]), "lacks 0: a2a4 Tie");
        let bad = [reliability(4, MoveClass::Ordinary, 0.69)];
        assert_eq!(verdict_on(&rows, &bad), "3 lists: a2a3");
        let two = [bad[0], reliability(3, MoveClass::Ordinary, 0.1)];
        assert_eq!(
            verdict_on(&rows, &two),
            "lacks 1: a2a3 TooFewLists, a2a4 TooFewLists"
        );
        // Classes that do not occur here and contributors who did not answer are irrelevant.
        let elsewhere = [
            bad[0],
            reliability(1, MoveClass::Castling, 0.1),
            reliability(9, MoveClass::Ordinary, 0.1),
            reliability(2, MoveClass::Ordinary, 0.7),
        ];
        assert_eq!(verdict_on(&rows, &elsewhere), "3 lists: a2a3");
        let estimates: Vec<Estimate> = rows.into_iter().map(estimate).collect();
        let evidence = Evidence {
            estimates: &estimates,
            reliabilities: &elsewhere,
        };
        let named = Excluded {
            worker: 4,
            class: MoveClass::Ordinary,
            reliability: 0.69,
        };
        assert_eq!(excluded(&evidence, &Rule::default()), [named]);
    }

    proptest! {
        #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::with_cases(500) })]

        /// A laxer rule certifies every position that a stricter one does, with the same moves.
        #[test]
        fn a_laxer_rule_keeps_what_a_stricter_one_certified(
            votes in proptest::collection::vec((proptest::collection::vec(any::<bool>(), 5), 0.0..1.0_f64), 1..4),
            sure in any::<bool>(),
            (strict, lax) in (0.8..0.999_f64, 0.5..0.8_f64),
            (more, fewer) in (3_u32..6, 0_u32..3),
        ) {
            let texts = ["a2a3", "a2a4", "b2b3", "b2b4"];
            let estimates: Vec<Estimate> = texts.iter().zip(&votes).map(|(text, (votes, probability))| {
                let yes = votes.iter().filter(|&&vote| vote).count() > 2;
                let probability = if sure { f64::from(u8::from(yes)) } else { *probability };
                let votes: String = votes.iter().map(|&vote| if vote { 'y' } else { 'n' }).collect();
                estimate((text, &votes, probability))
            }).collect();
            let evidence = Evidence { estimates: &estimates, reliabilities: &[] };
            let rule = |min_lists, certainty| Rule { min_lists, certainty, ..Rule::default() };
            if let Verdict::Certified(by_strict) = certify(&evidence, &rule(more, strict)) {
                let Verdict::Certified(by_lax) = certify(&evidence, &rule(fewer, lax)) else {
                    return Err(TestCaseError::fail("the laxer rule does not certify"));
                };
                prop_assert_eq!(by_strict.moves(), by_lax.moves());
            }
        }
    }
}
