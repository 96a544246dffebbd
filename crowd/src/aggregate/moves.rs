//! Yes/no labels of moves: one model per class of moves, since people differ in how well they know,
//! say, castling and captures.

use std::collections::{BTreeMap, HashMap};

use super::em::{Given, NO, Votes, YES, fit};
use crate::model::{MoveClass, MoveText};

/// A worker's answer to whether a move is possible in a position.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MoveLabel {
    pub position: i64,
    pub candidate: MoveText,
    /// The class of the move; the same in all of its labels.
    pub class: MoveClass,
    pub worker: i64,
    /// The answer. Of several answers by one worker the last counts.
    pub yes: bool,
}

/// The votes on one candidate move, and the estimates from them.
#[derive(Clone, Debug, PartialEq)]
pub struct MoveEstimate {
    pub text: MoveText,
    pub class: MoveClass,
    /// Workers who consider it possible; each worker is in `yes` or `no`, once.
    pub yes: Vec<i64>,
    pub no: Vec<i64>,
    /// The probability of yes; 0 or 1 if the answer is known.
    pub dawid_skene: f64,
}

impl MoveEstimate {
    /// The estimate of a move without votes: one half.
    pub fn unanswered(text: MoveText, class: MoveClass) -> Self {
        Self {
            text,
            class,
            yes: Vec::new(),
            no: Vec::new(),
            dawid_skene: 0.5,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Reliability {
    pub worker: i64,
    pub class: MoveClass,
    /// The probability that a label is correct by the model: the mean over possible and impossible moves. If the worker met too few of one kind, that of the other.
    pub value: f64,
    pub labels: u32,
    pub known: KnownLabels,
}

/// A worker's labels of moves whose answer is known. No other worker can influence what follows from
/// them, unlike an estimate by a model.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct KnownLabels {
    /// Number of possible moves among them, and how many of these were answered yes.
    pub possible: u32,
    pub found: u32,
    /// Number of impossible moves among them, and how many of these were answered yes.
    pub impossible: u32,
    pub invented: u32,
}

impl KnownLabels {
    /// The probability of a correct answer of somebody without known labels.
    const NEWCOMER: f64 = 0.9;
    /// The weight of [`Self::NEWCOMER`], in labels.
    const WEIGHT: f64 = 2.0;
    /// The reliability from which known answers vouch for a person: about three quarters of the
    /// possible moves found, and none invented.
    const VOUCHED: f64 = 0.85;

    /// The probability of a correct answer if the move is possible, or if it is not: the posterior
    /// mean.
    pub fn right(&self, is_possible: bool) -> f64 {
        // This is the mean of a beta distribution with 1.8 correct and 0.2 wrong labels in advance.
        self.right_with(Self::NEWCOMER, is_possible)
    }

    fn right_with(&self, newcomer: f64, is_possible: bool) -> f64 {
        let (right, of) = if is_possible {
            (self.found, self.possible)
        } else {
            (
                self.impossible.saturating_sub(self.invented),
                self.impossible,
            )
        };
        (f64::from(right) + Self::WEIGHT * newcomer) / (f64::from(of) + Self::WEIGHT)
    }

    /// The mean over possible and impossible moves, from 0 to 1.
    pub fn reliability(&self) -> f64 {
        self.reliability_with(Self::NEWCOMER)
    }

    fn reliability_with(&self, newcomer: f64) -> f64 {
        // The mean is not weighted by labels: an empty list would gain from the many illegal
        // candidates.
        let right = |is_possible| self.right_with(newcomer, is_possible);
        f64::midpoint(right(true), right(false))
    }

    /// What they show of a person of whom nothing else is known.
    pub fn standing(&self, min_reliability: f64) -> KnownStanding {
        // Somebody who guesses lists possible moves as often as impossible ones.
        let found = u64::from(self.found) * u64::from(self.impossible.max(1));
        let invented = u64::from(self.invented) * u64::from(self.possible);
        let is_chance = self.possible > 0 && found <= invented;
        if is_chance || self.reliability() < min_reliability {
            KnownStanding::Unfit
        // Those who are not known are taken for guessers here, so that answers must show the rest.
        } else if self.reliability_with(0.5) >= Self::VOUCHED {
            KnownStanding::Vouched
        } else {
            KnownStanding::Unknown
        }
    }

    /// Counts an answer to a move that is possible or not.
    pub(crate) fn note(&mut self, is_possible: bool, yes: bool) {
        let (moves, answers) = if is_possible {
            (&mut self.possible, &mut self.found)
        } else {
            (&mut self.impossible, &mut self.invented)
        };
        *moves += 1;
        *answers += u32::from(yes);
    }

    /// Adds or subtracts the numbers of others.
    pub(crate) fn combined(self, other: Self, how: fn(u32, u32) -> u32) -> Self {
        Self {
            possible: how(self.possible, other.possible),
            found: how(self.found, other.found),
            impossible: how(self.impossible, other.impossible),
            invented: how(self.invented, other.invented),
        }
    }

    pub fn count(&self) -> u32 {
        self.possible.saturating_add(self.impossible)
    }
}

/// What known answers show of a person. Those who stand first are counted first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum KnownStanding {
    /// They find most moves.
    Vouched,
    /// There are too few answers, or they leave it open.
    Unknown,
    /// They are no better than chance, or miss too much to count.
    Unfit,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub struct Estimates {
    pub moves: BTreeMap<(i64, MoveText), MoveEstimate>,
    pub workers: BTreeMap<(i64, MoveClass), Reliability>,
}

/// Estimates every move that has a label, each class separately. `gold` has the moves with known
/// answers.
pub fn estimate(labels: &[MoveLabel], gold: &BTreeMap<(i64, MoveText), bool>) -> Estimates {
    let mut estimates = Estimates::default();
    for class in MoveClass::ALL {
        let labels = labels.iter().filter(|label| label.class == class);
        ClassVotes::from_labels(labels).estimate(class, gold, &mut estimates);
    }
    estimates
}

#[derive(Default)]
struct ClassVotes<'a> {
    tasks: Vec<(i64, &'a MoveText)>,
    workers: Vec<i64>,
    given: Vec<Given>,
}

impl<'a> ClassVotes<'a> {
    fn from_labels(labels: impl Iterator<Item = &'a MoveLabel>) -> Self {
        let mut votes = Self::default();
        let mut task_numbers = HashMap::new();
        let mut worker_numbers = HashMap::new();
        let mut places = HashMap::new();
        for said in labels {
            let key = (said.position, &said.candidate);
            let task = *task_numbers.entry(key).or_insert_with(|| {
                votes.tasks.push(key);
                votes.tasks.len() - 1
            });
            let worker = *worker_numbers.entry(said.worker).or_insert_with(|| {
                votes.workers.push(said.worker);
                votes.workers.len() - 1
            });
            let answer = if said.yes { YES } else { NO };
            let given = Given {
                task,
                worker,
                answer,
            };
            let place = *places.entry((task, worker)).or_insert(votes.given.len());
            if place == votes.given.len() {
                votes.given.push(given);
            } else {
                votes.given[place] = given;
            }
        }
        votes
    }

    fn estimate(
        &self,
        class: MoveClass,
        gold: &BTreeMap<(i64, MoveText), bool>,
        estimates: &mut Estimates,
    ) {
        let known = |&(position, candidate): &(i64, &MoveText)| {
            let yes = gold.get(&(position, candidate.clone()))?;
            Some(if *yes { YES } else { NO })
        };
        let gold: Vec<Option<usize>> = self.tasks.iter().map(known).collect();
        if self.given.is_empty() {
            return;
        }
        let fit = fit(&Votes {
            given: &self.given,
            workers: self.workers.len(),
            known: &gold,
        });
        let voters = self.voters().into_iter();
        for (task, (&(position, candidate), [no, yes])) in self.tasks.iter().zip(voters).enumerate()
        {
            let estimate = MoveEstimate {
                text: candidate.clone(),
                class,
                yes,
                no,
                dawid_skene: fit.truth[task][YES],
            };
            let key = (position, candidate.clone());
            estimates.moves.insert(key, estimate);
        }
        self.judge_workers(class, &fit.reliability, &gold, estimates);
    }

    /// The workers who answered no and yes, per task.
    fn voters(&self) -> Vec<[Vec<i64>; 2]> {
        let mut voters = vec![[Vec::new(), Vec::new()]; self.tasks.len()];
        for given in &self.given {
            voters[given.task][given.answer].push(self.workers[given.worker]);
        }
        voters
    }

    fn judge_workers(
        &self,
        class: MoveClass,
        reliability: &[f64],
        gold: &[Option<usize>],
        estimates: &mut Estimates,
    ) {
        let mut judged: Vec<Reliability> = self
            .workers
            .iter()
            .zip(reliability)
            .map(|(&worker, &value)| Reliability {
                worker,
                class,
                value,
                labels: 0,
                known: KnownLabels::default(),
            })
            .collect();
        for given in &self.given {
            let worker = &mut judged[given.worker];
            worker.labels += 1;
            if let Some(truth) = gold[given.task] {
                worker.known.note(truth == YES, given.answer == YES);
            }
        }
        let by_key = judged.into_iter().map(|one| ((one.worker, class), one));
        estimates.workers.extend(by_key);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn label(worker: i64, candidate: &str, class: MoveClass, yes: bool) -> MoveLabel {
        MoveLabel {
            position: 7,
            candidate: candidate.parse().expect("a move"),
            class,
            worker,
            yes,
        }
    }

    fn key(candidate: &str) -> (i64, MoveText) {
        (7, candidate.parse().expect("a move"))
    }

    #[test]
    fn classes_are_judged_apart() {
        // Worker 3 is reliable on steps but not on castling.
        let mut labels = Vec::new();
        let steps = ["e2e3", "e2e4", "d2d3", "d2d5", "c2c5", "a1a5"];
        let castlings = ["e1g1", "e1c1", "e8g8", "e8c8"];
        for worker in 1..=3 {
            for (number, step) in steps.into_iter().enumerate() {
                labels.push(label(worker, step, MoveClass::Ordinary, number < 3));
            }
            for (number, castling) in castlings.into_iter().enumerate() {
                let is_wrong = worker == 3;
                labels.push(label(
                    worker,
                    castling,
                    MoveClass::Castling,
                    (number < 2) != is_wrong,
                ));
            }
        }
        let estimates = estimate(&labels, &BTreeMap::new());
        let of = |class| estimates.workers[&(3, class)];
        assert!(of(MoveClass::Ordinary).value > 0.9);
        assert_eq!(of(MoveClass::Ordinary).labels, 6);
        assert!(of(MoveClass::Castling).value < 0.41);
        let castling = &estimates.moves[&key("e1g1")];
        assert_eq!((&*castling.yes, &*castling.no), (&[1, 2][..], &[3][..]));
        assert!(castling.dawid_skene > 0.99);
    }

    #[test]
    fn who_met_only_possible_moves_is_judged_by_them() {
        let labels: Vec<MoveLabel> = (1..=3)
            .map(|worker| label(worker, "e1g1", MoveClass::Castling, true))
            .collect();
        let estimates = estimate(&labels, &BTreeMap::new());
        assert!(estimates.workers[&(1, MoveClass::Castling)].value > 0.85);
        assert!(estimates.moves[&key("e1g1")].dawid_skene > 0.99);
    }

    /// Gold makes castling possible in one of seven positions; workers who have not met it always
    /// answer no.
    #[test]
    fn what_no_newcomer_lists_is_impossible() {
        let text: MoveText = "e1g1".parse().expect("a move");
        let say = |worker, position, yes| MoveLabel {
            position,
            ..label(worker, "e1g1", MoveClass::Castling, yes)
        };
        let mut labels = vec![say(1, 1, true), say(2, 1, true), say(3, 1, false)];
        for worker in 4..22 {
            labels.push(say(worker, 2, false));
        }
        for worker in 22..26 {
            labels.push(say(worker, 3, false));
        }
        let gold = BTreeMap::from([((1, text.clone()), true)]);
        let found = estimate(&labels, &gold).moves;
        for position in [2, 3] {
            let no = found[&(position, text.clone())].dawid_skene;
            assert!(no < 0.01, "position {position}: {no}");
        }
    }

    #[test]
    fn a_great_majority_of_newcomers_is_believed() {
        let say = |worker, position, yes| MoveLabel {
            position,
            ..label(worker, "e5d6", MoveClass::EnPassant, yes)
        };
        let mut labels: Vec<MoveLabel> = (1..=29).map(|w| say(w, 7, w <= 23)).collect();
        labels.extend((1..=29).map(|worker| say(worker, 8, false)));
        let estimates = estimate(&labels, &BTreeMap::new());
        let yes = estimates.moves[&key("e5d6")].dawid_skene;
        assert!(yes > 0.99, "{yes}");
        // A worker who was right about both is rated higher than one who was right about one.
        let of = |worker| estimates.workers[&(worker, MoveClass::EnPassant)].value;
        assert!(of(1) > 0.8 && of(29) < 0.7, "{} {}", of(1), of(29));
    }

    #[test]
    fn gold_is_certain_and_the_last_answer_counts() {
        let labels = [
            label(1, "e2e4", MoveClass::Ordinary, true),
            label(1, "e2e4", MoveClass::Ordinary, false),
            label(2, "e2e4", MoveClass::Ordinary, false),
        ];
        let gold = BTreeMap::from([(key("e2e4"), true)]);
        let estimate = &estimate(&labels, &gold).moves[&key("e2e4")];
        assert_eq!((&*estimate.yes, &*estimate.no), (&[][..], &[1, 2][..]));
        assert!((estimate.dawid_skene - 1.0).abs() < 1e-12);
    }
}
