//! When a decision is final: once others than those who made it confirm it. Pure.
//!
//! One machine alone can be wrong, or lie, and nobody would see it. Results that compare are confirmed
//! by the checks that the lab planned, and at least [`LEAST_CHECKED`] chunks of them; games in time, of
//! which no two are alike, by two workers whose pairs have one distribution. Where nobody else can do
//! it, a decision becomes final after a while, and says so.

use std::collections::BTreeSet;
use std::time::Duration;

use selfplay::lab::summary::ByOne;
use selfplay::stats::Pentanomial;
use selfplay::stats::homogeneity::homogeneity;

use crate::model::AccountId;

/// Least number of chunks that are checked before a test that compares is decided, or all if it has fewer: a
/// worker that lies on a tenth of its chunks is found with a probability of two in three, and one that
/// lies on half of them is missed once in a thousand times.
pub const LEAST_CHECKED: u64 = 10;
/// Number of pairs that each of two workers has played before their distributions are compared.
pub const AGREEING_PAIRS: u64 = 50;
/// Significance level: two honest workers differ by more once in a thousand tests.
pub const LEAST_P: f64 = 1e-3;

/// How long a decision waits for others.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DecisionPatience {
    /// Time after which a decision of one machine alone is final.
    pub alone: Duration,
    /// Time without another check after which a sum is final; it then says what is not checked.
    pub checks: Duration,
    /// Time after which a decision that others could confirm, and do not, is flagged.
    pub others: Duration,
}

impl Default for DecisionPatience {
    fn default() -> Self {
        Self {
            alone: Duration::from_mins(10),
            checks: Duration::from_mins(10),
            others: Duration::from_hours(2),
        }
    }
}

/// A worker that played in a test, or could.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Participant {
    /// Its name.
    pub name: String,
    /// To whom it belongs.
    pub owner: AccountId,
    /// Whether it is there, and has all that the test needs.
    pub is_able: bool,
    /// Whether the test has results or checks of it.
    pub took_part: bool,
    /// Its pairs, by points of the first engine.
    pub pairs: Pentanomial,
}

/// What would confirm a decision.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RequiredEvidence {
    /// Checks of results that compare: units that are still to be compared.
    Checks {
        /// Number of units.
        missing: u64,
    },
    /// Pairs of two workers.
    Pairs {
        /// Whether pairs are left to play.
        are_left: bool,
    },
}

/// How long a decision waits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Waited {
    /// Since it was made.
    pub since_decision: Duration,
    /// Since a result or a check came last.
    pub since_news: Duration,
}

/// Whether a decision is final.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Finality {
    /// It is final; and whether one machine or one owner answers for it alone.
    Final(Option<ByOne>),
    /// It is not final yet: what it waits for.
    Waits(String),
    /// It cannot be final: why. A maintainer decides.
    Doubtful(String),
}

/// Whether a decision is final.
pub fn confirm(
    evidence: RequiredEvidence,
    participants: &[Participant],
    waited: Waited,
    patience: &DecisionPatience,
) -> Finality {
    let found = match evidence {
        RequiredEvidence::Checks { missing } => of_checks(missing, participants, waited, patience),
        RequiredEvidence::Pairs { are_left } => of_pairs(are_left, participants, waited, patience),
    };
    match found {
        Finality::Waits(what) if waited.since_news >= patience.others => {
            let minutes = patience.others.as_secs() / 60;
            Finality::Doubtful(format!(
                "nobody has confirmed it in {minutes} minutes: {what}"
            ))
        }
        found => found,
    }
}

fn owners<'a>(participants: impl Iterator<Item = &'a Participant>) -> BTreeSet<AccountId> {
    participants.map(|one| one.owner).collect()
}

fn of_checks(
    missing: u64,
    participants: &[Participant],
    waited: Waited,
    patience: &DecisionPatience,
) -> Finality {
    let those = || participants.iter().filter(|one| one.took_part);
    let took_part = those().count();
    if missing == 0 && took_part > 1 {
        let is_one_owner = owners(those()).len() == 1;
        return Finality::Final(is_one_owner.then_some(ByOne::Owner));
    }
    let able = || participants.iter().filter(|one| one.is_able);
    if able().count() > 1 || able().any(|one| !one.took_part) {
        return Finality::Waits("another worker is to confirm results".to_owned());
    }
    // A worker that is left alone can confirm results of those that have gone, but not its own.
    let since = if took_part > 1 {
        waited.since_news
    } else {
        waited.since_decision
    };
    alone(since, patience)
}

fn of_pairs(
    are_left: bool,
    participants: &[Participant],
    waited: Waited,
    patience: &DecisionPatience,
) -> Finality {
    let has_enough = |one: &&Participant| one.pairs.pairs() >= AGREEING_PAIRS;
    // The pairs of a worker that has gone count if they are enough to be compared.
    let counts = |one: &&Participant| one.is_able || has_enough(one);
    let is_one_owner = owners(participants.iter().filter(counts)).len() <= 1;
    let mut enough: Vec<&Participant> = participants.iter().filter(has_enough).collect();
    enough.sort_by_key(|one| std::cmp::Reverse(one.pairs.pairs()));
    let second = enough
        .iter()
        .skip(1)
        .find(|other| is_one_owner || other.owner != enough[0].owner);
    if let Some(second) = second {
        return compare(enough[0], second, is_one_owner);
    }
    let machines = participants.iter().filter(counts).count();
    if !are_left {
        let is_one = participants.iter().filter(|one| one.took_part).count() <= 1;
        return Finality::Final(is_one.then_some(ByOne::Machine));
    }
    if machines <= 1 {
        return alone(waited.since_decision, patience);
    }
    let whose = if is_one_owner {
        ""
    } else {
        " of different owners"
    };
    let played = participants.iter().filter(|one| one.pairs.pairs() > 0);
    let played: Vec<String> = played
        .map(|one| format!("{} has played {}", one.name, one.pairs.pairs()))
        .collect();
    Finality::Waits(format!(
        "two workers{whose} are to play {AGREEING_PAIRS} pairs each: {}",
        played.join(", ")
    ))
}

fn compare(one: &Participant, other: &Participant, is_one_owner: bool) -> Finality {
    // There is no test if all pairs of both have the same points: then they agree.
    match homogeneity(one.pairs, other.pairs) {
        Some(test) if test.p <= LEAST_P => Finality::Doubtful(format!(
            "workers {} and {} disagree: pairs [{}] and [{}], chi-squared {:.1}, p {:.1e}",
            one.name, other.name, one.pairs, other.pairs, test.chi2, test.p
        )),
        _ => Finality::Final(is_one_owner.then_some(ByOne::Owner)),
    }
}

fn alone(since: Duration, patience: &DecisionPatience) -> Finality {
    if since >= patience.alone {
        return Finality::Final(Some(ByOne::Machine));
    }
    let minutes = patience.alone.as_secs() / 60;
    Finality::Waits(format!(
        "no second machine can confirm it; without one it is final {minutes} minutes after it was reached"
    ))
}

#[cfg(test)]
mod tests {
    use super::*;

    const ANN: AccountId = AccountId(1);
    const BOB: AccountId = AccountId(2);

    fn worker(name: &str, owner: AccountId, pairs: u64) -> Participant {
        Participant {
            name: name.to_owned(),
            owner,
            is_able: true,
            took_part: pairs > 0,
            // These are the points of equal engines.
            pairs: Pentanomial([pairs / 20, pairs / 4, 0, pairs / 4, pairs / 20]),
        }
        .with_draws(pairs)
    }

    impl Participant {
        fn with_draws(mut self, pairs: u64) -> Self {
            self.pairs.0[2] = pairs - self.pairs.pairs();
            self
        }

        fn gone(self) -> Self {
            Self {
                is_able: false,
                ..self
            }
        }

        /// The first engine wins all.
        fn lying(mut self) -> Self {
            self.pairs = Pentanomial([0, 0, 0, 0, self.pairs.pairs()]);
            self
        }
    }

    fn minutes(count: u64) -> Waited {
        let time = Duration::from_mins(count);
        Waited {
            since_decision: time,
            since_news: time,
        }
    }

    fn pairs(participants: &[Participant], waited: u64) -> Finality {
        let left = RequiredEvidence::Pairs { are_left: true };
        confirm(
            left,
            participants,
            minutes(waited),
            &DecisionPatience::default(),
        )
    }

    fn checks(missing: u64, participants: &[Participant], waited: u64) -> Finality {
        let evidence = RequiredEvidence::Checks { missing };
        confirm(
            evidence,
            participants,
            minutes(waited),
            &DecisionPatience::default(),
        )
    }

    fn waits(found: &Finality) -> bool {
        matches!(found, Finality::Waits(_))
    }

    #[test]
    fn games_of_one_machine_wait_ten_minutes() {
        let one = [worker("a", ANN, 500)];
        assert!(waits(&pairs(&one, 9)));
        assert_eq!(pairs(&one, 10), Finality::Final(Some(ByOne::Machine)));
        // The machine has gone since, and no other one has come.
        let gone = [worker("a", ANN, 500).gone()];
        assert_eq!(pairs(&gone, 10), Finality::Final(Some(ByOne::Machine)));
    }

    #[test]
    fn a_second_machine_plays_before_games_are_final() {
        for (second, is_final) in [(0, false), (49, false), (50, true)] {
            let two = [worker("a", ANN, 500), worker("b", ANN, second)];
            let found = pairs(&two, 11);
            assert_eq!(waits(&found), !is_final, "{second}: {found:?}");
            if is_final {
                assert_eq!(found, Finality::Final(Some(ByOne::Owner)));
            }
        }
        let two = [worker("a", ANN, 500), worker("b", ANN, 0)];
        let Finality::Doubtful(why) = pairs(&two, 120) else {
            panic!("it waits forever");
        };
        assert_eq!(
            why,
            "nobody has confirmed it in 120 minutes: two workers are to play 50 pairs each: a has played 500"
        );
    }

    #[test]
    fn the_second_machine_is_another_owners_where_there_is_one() {
        let three = |third| {
            [
                worker("a", ANN, 500),
                worker("b", ANN, 400),
                worker("c", BOB, third),
            ]
        };
        let Finality::Waits(what) = pairs(&three(7), 11) else {
            panic!("final");
        };
        let expected = "two workers of different owners are to play 50 pairs each: a has played 500, b has played 400, \
                        c has played 7";
        assert_eq!(what, expected);
        assert_eq!(pairs(&three(50), 0), Finality::Final(None));
        // Nobody waits for a worker that cannot do the test.
        let [a, b, c] = three(7);
        let found = pairs(&[a, b, c.gone()], 0);
        assert_eq!(found, Finality::Final(Some(ByOne::Owner)));
    }

    #[test]
    fn workers_that_disagree_decide_nothing() {
        let two = [worker("a", ANN, 300).lying(), worker("b", BOB, 60)];
        let Finality::Doubtful(why) = pairs(&two, 0) else {
            panic!("final");
        };
        assert!(
            why.starts_with(
                "workers a and b disagree: pairs [0,0,0,0,300] and [3,15,24,15,3], chi-squared "
            ),
            "{why}"
        );
        // All pairs of both are in one class: there is nothing to compare.
        let same = [worker("a", ANN, 300).lying(), worker("b", BOB, 60).lying()];
        assert_eq!(pairs(&same, 0), Finality::Final(None));
    }

    #[test]
    fn without_pairs_to_play_nobody_is_waited_for() {
        let two = [worker("a", ANN, 30), worker("b", BOB, 0)];
        let over = RequiredEvidence::Pairs { are_left: false };
        let found = confirm(over, &two, minutes(0), &DecisionPatience::default());
        assert_eq!(found, Finality::Final(Some(ByOne::Machine)));
    }

    #[test]
    fn checks_confirm_what_compares() {
        let both = [worker("a", ANN, 500), worker("b", BOB, 1)];
        assert_eq!(checks(0, &both, 0), Finality::Final(None));
        assert!(waits(&checks(16, &both, 11)));
        let own = [worker("a", ANN, 500), worker("b", ANN, 1)];
        let by_owner = Finality::Final(Some(ByOne::Owner));
        assert_eq!(checks(0, &own, 0), by_owner);
        // Nobody can check the results of the only machine, whatever was planned.
        let one = [worker("a", ANN, 500)];
        assert!(waits(&checks(0, &one, 9)));
        let by_machine = Finality::Final(Some(ByOne::Machine));
        assert_eq!(checks(0, &one, 10), by_machine);
        assert_eq!(checks(80, &one, 10), by_machine);
        // The worker that is left does not confirm its own results.
        let left = [worker("a", ANN, 500).gone(), worker("b", BOB, 1)];
        assert!(waits(&checks(8, &left, 9)));
        assert_eq!(checks(8, &left, 10), by_machine);
        // The other worker could confirm them.
        let two = [worker("a", ANN, 500), worker("b", BOB, 0)];
        assert!(waits(&checks(0, &two, 11)));
        assert!(matches!(checks(80, &two, 120), Finality::Doubtful(_)));
    }
}
