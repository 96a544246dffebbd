//! Groups of people who are wrong together, again and again.
//!
//! A pair of people proves little where half of the crowd is wrong with them. The whole group does:
//! that the same thirty of sixty people are wrong a second time has a probability of 1 in 10^17 if
//! they are independent.

use std::collections::{BTreeMap, BTreeSet};

use super::copying::{COPIED, REQUIRED, Respondents};
use crate::model::MoveClass;

/// The errors of people, by the numbers of moves, in which groups are looked for.
pub(super) struct Coalitions<'a> {
    moves: &'a [Respondents],
    errors: &'a BTreeMap<i64, Vec<usize>>,
    /// How many times as great as the crowd's are the odds that a person is wrong in a class.
    careless: BTreeMap<(i64, MoveClass), f64>,
    people: usize,
}

/// Maximum number of groups whose evidence is computed; the largest ones come first.
const GROUPS: usize = 200;
/// The prior weight of a person's error rate in a class, in labels, as that of the crowd.
const LABELS: f64 = 2.0;

impl<'a> Coalitions<'a> {
    pub(super) fn new(moves: &'a [Respondents], errors: &'a BTreeMap<i64, Vec<usize>>) -> Self {
        let mut people = BTreeSet::new();
        let mut of_class: BTreeMap<MoveClass, [f64; 2]> = BTreeMap::new();
        let mut of_person: BTreeMap<(i64, MoveClass), [f64; 2]> = BTreeMap::new();
        for answered in moves {
            for &worker in &answered.everybody {
                let is_wrong = f64::from(u8::from(answered.wrong.contains(&worker)));
                for [wrong, all] in [
                    of_class.entry(answered.class).or_default(),
                    of_person.entry((worker, answered.class)).or_default(),
                ] {
                    *wrong += is_wrong;
                    *all += 1.0;
                }
                people.insert(worker);
            }
        }
        let careless = of_person.into_iter().map(|(key, [wrong, all])| {
            let [of_all, of] = of_class[&key.1];
            let usual = (of_all + 0.5) / (of + 1.0);
            let own = (wrong + LABELS * usual) / (all + LABELS);
            // Nobody is taken for more careful than the crowd: a low rate would make each error
            // strong evidence.
            (key, (odds(own) / odds(usual)).max(1.0))
        });
        Self {
            moves,
            errors,
            careless: careless.collect(),
            people: people.len(),
        }
    }

    /// The groups of three and more people whose common errors exclude that they are independent.
    ///
    /// The evidence must exceed [`REQUIRED`] by the logarithm of the number of groups of that size,
    /// so that it does not matter that a group was looked for.
    pub(super) fn proven(&self) -> Vec<BTreeSet<i64>> {
        let mut groups: BTreeSet<BTreeSet<i64>> = BTreeSet::new();
        for &one in self.errors.keys() {
            let group = self.around(one);
            if group.len() >= 3 {
                groups.insert(group);
            }
        }
        let is_proven = |group: &BTreeSet<i64>| {
            let choices = ln_choices(self.people, group.len());
            self.evidence(group) >= REQUIRED + choices
        };
        let mut groups: Vec<BTreeSet<i64>> = groups.into_iter().collect();
        groups.sort_by_key(|group| std::cmp::Reverse(group.len()));
        groups.into_iter().take(GROUPS).filter(is_proven).collect()
    }

    /// A person with those who share an error with them, and three quarters of the errors of either
    /// where both have answered.
    fn around(&self, one: i64) -> BTreeSet<i64> {
        let mut shared: BTreeMap<i64, usize> = BTreeMap::new();
        for &number in &self.errors[&one] {
            for &other in &self.moves[number].wrong {
                *shared.entry(other).or_default() += 1;
            }
        }
        let answered_by = |worker: i64, errors_of: i64| {
            let errors = self.errors[&errors_of].iter();
            let answered = errors.filter(|&&n| self.moves[n].everybody.contains(&worker));
            answered.count()
        };
        let near = shared.into_iter().filter(|&(other, count)| {
            let most = || answered_by(other, one).max(answered_by(one, other));
            other == one || 4 * count >= 3 * most()
        });
        near.map(|(worker, _)| worker).collect()
    }

    /// The logarithm of the likelihood ratio of a common source of a group's answers to independence,
    /// over the moves about which a member is wrong.
    ///
    /// If they are independent, each is wrong as often as everybody who answered, and more often if
    /// they are careless in the class. If not, half of these errors come from the source, and
    /// members repeat such a one with the probability [`COPIED`] in addition; then other people are
    /// wrong as often as they are. Both are given that one member is wrong.
    fn evidence(&self, group: &BTreeSet<i64>) -> f64 {
        let wrong = group.iter().flat_map(|worker| &self.errors[worker]);
        let numbers: BTreeSet<usize> = wrong.copied().collect();
        let of_move = |number: usize| {
            let answered = &self.moves[number];
            let members: Vec<i64> = group.intersection(&answered.everybody).copied().collect();
            // A move that only one member answered cannot show that members agree.
            if members.len() < 2 {
                return 0.0;
            }
            let (mut together, mut apart, mut none_together, mut none_apart) = (0.0, 0.0, 0.0, 0.0);
            for member in members {
                let chance = self.chance(answered, member);
                let right = [(1.0 - COPIED) * (1.0 - chance), 1.0 - chance].map(libm::log);
                none_together += right[0];
                none_apart += right[1];
                if answered.wrong.contains(&member) {
                    together += libm::log(COPIED + (1.0 - COPIED) * chance);
                    apart += libm::log(chance);
                } else {
                    together += right[0];
                    apart += right[1];
                }
            }
            let (outside, outside_wrong) = (
                answered.everybody.difference(group).count(),
                answered.wrong.difference(group).count(),
            );
            let all = share(answered.wrong.len(), answered.everybody.len());
            let of_others = share(outside_wrong, outside);
            let others = count(outside_wrong) * libm::log(of_others / all)
                + count(outside - outside_wrong) * libm::log((1.0 - of_others) / (1.0 - all));
            // Only moves with a wrong member count, so both likelihoods are given that there is
            // one. `expm1` keeps the digits of small probabilities.
            let some = |none: f64| libm::log(-libm::expm1(none));
            let ratio = together - some(none_together) - apart + some(none_apart) + others;
            // As half of the errors come from the source, this is the logarithm of the mean of 1
            // and the ratio. The ratio itself may be too large for an exponential.
            let greater = ratio.max(0.0);
            greater
                + libm::log(f64::midpoint(
                    libm::exp(-greater),
                    libm::exp(ratio - greater),
                ))
        };
        numbers.into_iter().map(of_move).sum()
    }

    /// The probability that somebody independent is wrong about a move.
    fn chance(&self, answered: &Respondents, worker: i64) -> f64 {
        let share = share(answered.wrong.len(), answered.everybody.len());
        let careless = self.careless.get(&(worker, answered.class));
        let odds = odds(share) * careless.copied().unwrap_or(1.0);
        odds / (1.0 + odds)
    }
}

/// The share of those who are wrong, never 0 or 1.
fn share(wrong: usize, all: usize) -> f64 {
    // Half a person of either kind is added (Jeffreys' prior), so that no logarithm is infinite.
    (count(wrong) + 0.5) / (count(all) + 1.0)
}

#[expect(clippy::cast_precision_loss, reason = "far fewer people than 2^53")]
fn count(number: usize) -> f64 {
    number as f64
}

/// The odds of an event of a probability below 1.
fn odds(probability: f64) -> f64 {
    probability / (1.0 - probability)
}

/// The logarithm of the number of ways to choose so many of them.
fn ln_choices(of: usize, chosen: usize) -> f64 {
    // The factorial of 171 overflows, and crowds are larger; logarithms of factorials do not.
    let ln_factorial = |n: usize| libm::lgamma(count(n) + 1.0);
    ln_factorial(of) - ln_factorial(chosen) - ln_factorial(of - chosen)
}
