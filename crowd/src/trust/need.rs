//! Which position a contributor gets next, and the questions of a second look.

use std::collections::BTreeSet;

use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use super::certify::{Ballot, Evidence, Rule};
use crate::model::{Mode, MoveText};

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionNeed {
    pub position: i64,
    /// Whether its answer is known beforehand (gold). Any other position passed here must be open:
    /// neither certified nor retired.
    pub gold: bool,
    pub lists: u32,
    /// Number of disputed candidates ([`crate::trust::Undecided::disputed`]).
    pub disputed: u32,
    /// Their total uncertainty, in bits ([`crate::trust::Undecided::uncertainty`]).
    pub uncertainty: f64,
    /// Number of its assignments that are open and have not expired.
    pub live_locks: u32,
}

/// The history of the contributor who requests a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersonHistory {
    /// The positions that they have had, in any mode, finished or not.
    pub had: BTreeSet<i64>,
    /// Number of assignments they have had in modes that serve gold.
    pub assignments: u32,
    /// Their mean reliability over classes; `None` if unknown.
    pub reliability: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeedSettings {
    /// Number of lists from which a position is open to second looks.
    pub min_lists: u32,
    /// Number of unanimous lists that certify a position ([`Rule::sufficient_lists`]).
    pub sufficient_lists: u32,
    /// The share of gold questions for contributors of unknown reliability.
    pub gold_rate: f64,
    /// The share of gold questions for contributors who are always right.
    pub least_gold_rate: f64,
}

impl Default for NeedSettings {
    fn default() -> Self {
        Self {
            min_lists: 3,
            sufficient_lists: Rule::default().sufficient_lists(),
            gold_rate: 0.2,
            least_gold_rate: 0.05,
        }
    }
}

impl NeedSettings {
    /// The share of gold questions for a contributor: the full rate at a reliability of one half or
    /// if unknown, decreasing linearly to the least rate for those who are always right.
    pub fn gold_rate_for(&self, reliability: Option<f64>) -> f64 {
        let above_chance = match reliability {
            Some(r) if r.is_finite() => (2.0 * r - 1.0).clamp(0.0, 1.0),
            _ => 0.0,
        };
        self.gold_rate + (self.least_gold_rate - self.gold_rate) * above_chance
    }
}

/// Chooses the next position for a contributor; `None` if none is left for them in this mode.
///
/// A position they have had is never chosen. In calm and timed mode the first assignment is gold,
/// and later ones are with the gold rate; if one sort is used up, the other is served. Among the
/// others the greatest `need` comes first; ties are broken randomly by the seed, which must differ
/// from call to call.
pub fn choose(
    positions: &[PositionNeed],
    person: &PersonHistory,
    mode: Mode,
    settings: &NeedSettings,
    seed: u64,
) -> Option<i64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let new = |p: &&PositionNeed| !person.had.contains(&p.position);
    // Gold teaches and measures contributors who make complete lists on their own.
    let is_alone = matches!(mode, Mode::Calm | Mode::Timed);
    let gold: Vec<&PositionNeed> = positions
        .iter()
        .filter(new)
        .filter(|p| p.gold && is_alone)
        .collect();
    let open: Vec<&PositionNeed> = positions
        .iter()
        .filter(new)
        .filter(|p| !p.gold && in_pool(p, mode, settings))
        .collect();
    let wants_gold =
        person.assignments == 0 || rng.random::<f64>() < settings.gold_rate_for(person.reliability);
    let (first, second) = if wants_gold {
        (gold, open)
    } else {
        (open, gold)
    };
    neediest(&first, settings, &mut rng).or_else(|| neediest(&second, settings, &mut rng))
}

fn in_pool(position: &PositionNeed, mode: Mode, settings: &NeedSettings) -> bool {
    match mode {
        Mode::Calm | Mode::Timed | Mode::Pair => true,
        Mode::Missing | Mode::Review => {
            position.lists >= settings.min_lists && position.disputed > 0
        }
    }
}

/// The value of one more list of a position.
///
/// A position is worth 1, for the test case that it may become, plus 1 per bit of uncertainty in
/// disputed candidates. This is divided by the number of lists still lacking, at least one. So
/// positions in progress are finished before new ones are opened, and among finished ones the most
/// disputed comes first. Lists beyond the minimum matter less and less, so that an endless dispute
/// does not starve all others. Live locks reduce the value: it is divided by one plus their number,
/// and a position with as many locks as lacking lists comes after all that have fewer.
fn need(position: &PositionNeed, settings: &NeedSettings) -> (bool, f64) {
    let sufficient = settings.sufficient_lists;
    let lacking = sufficient.saturating_sub(position.lists).max(1);
    let uncertainty = if position.uncertainty.is_finite() {
        position.uncertainty.max(0.0)
    } else {
        0.0
    };
    let beyond = position.lists.saturating_sub(sufficient);
    let repeats = 1.0 + f64::from(beyond) / f64::from(sufficient.max(1));
    let worth = (1.0 + uncertainty) / f64::from(lacking) / repeats;
    let is_served = position.live_locks >= lacking;
    (!is_served, worth / (1.0 + f64::from(position.live_locks)))
}

fn neediest(
    positions: &[&PositionNeed],
    settings: &NeedSettings,
    rng: &mut ChaCha8Rng,
) -> Option<i64> {
    let drawn = positions.iter().map(|position| {
        let (has_room, worth) = if position.gold {
            (true, 0.0)
        } else {
            need(position, settings)
        };
        (position.position, has_room, worth, rng.random::<u64>())
    });
    drawn
        .max_by(|a, b| a.1.cmp(&b.1).then(a.2.total_cmp(&b.2)).then(a.3.cmp(&b.3)))
        .map(|(position, ..)| position)
}

/// Selects the questions of a second look: up to `limit` disputed candidates, mixed with as many
/// undisputed ones, half of them settled as legal and half as illegal.
///
/// The most disputed candidates are preferred and, among settled ones, those with some dissent: an
/// obvious filler would show which questions are open. The order is random, by the seed. Everything
/// derives from the contributors' answers; without a position the function cannot query a
/// generator. Empty if nothing is disputed.
pub fn questions(evidence: &Evidence, rule: &Rule, seed: u64, limit: usize) -> Vec<MoveText> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut ballots = Ballot::all(evidence, rule);
    ballots.shuffle(&mut rng);
    let (mut disputed, settled): (Vec<Ballot>, Vec<Ballot>) = ballots
        .into_iter()
        .filter(|ballot| ballot.yes + ballot.no > 0)
        .partition(|ballot| ballot.dispute(rule).is_some());
    disputed.sort_by(|a, b| b.bits().total_cmp(&a.bits()));
    disputed.truncate(limit);
    let (yes, no): (Vec<Ballot>, Vec<Ballot>) = settled.into_iter().partition(Ballot::says_yes);
    let of_yes = disputed.len().div_ceil(2);
    let of_no = disputed.len() - of_yes;
    let mut asked = disputed;
    asked.extend(fillers(yes, of_yes));
    asked.extend(fillers(no, of_no));
    asked.shuffle(&mut rng);
    asked
        .into_iter()
        .map(|ballot| ballot.estimate.text.clone())
        .collect()
}

/// The settled candidates with the most dissent, or else any.
fn fillers(mut settled: Vec<Ballot>, count: usize) -> Vec<Ballot> {
    settled.sort_by(|a, b| b.bits().total_cmp(&a.bits()));
    settled.truncate(count);
    settled
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;
    use crate::model::MoveClass;
    use crate::trust::Estimate;

    /// One that three lists satisfy, and one dissenter of four does not dispute.
    const LENIENT: Rule = Rule {
        min_lists: 3,
        min_reliability: 0.7,
        certainty: 0.95,
        wrong_share: 0.04,
        error_bound: 0.05,
    };

    fn open(position: i64, lists: u32, uncertainty: f64, live_locks: u32) -> PositionNeed {
        PositionNeed {
            position,
            gold: false,
            lists,
            disputed: u32::from(uncertainty > 0.0),
            uncertainty,
            live_locks,
        }
    }

    fn gold(position: i64) -> PositionNeed {
        PositionNeed {
            gold: true,
            ..open(position, 0, 0.0, 0)
        }
    }

    fn known(had: &[i64]) -> PersonHistory {
        PersonHistory {
            had: had.iter().copied().collect(),
            assignments: 1,
            reliability: Some(1.0),
        }
    }

    fn chosen(positions: &[PositionNeed], person: &PersonHistory, mode: Mode) -> Option<i64> {
        let settings = NeedSettings {
            gold_rate: 0.0,
            least_gold_rate: 0.0,
            sufficient_lists: 3,
            ..NeedSettings::default()
        };
        let of_seed = |seed| choose(positions, person, mode, &settings, seed);
        let first = of_seed(0);
        assert!((1..20).all(|seed| of_seed(seed) == first), "{positions:?}");
        first
    }

    #[test]
    fn the_neediest_position_comes_first() {
        for (positions, expected) in [
            (
                vec![open(1, 0, 0.0, 0), open(2, 1, 0.0, 0), open(3, 2, 0.0, 0)],
                3,
            ),
            (vec![open(1, 2, 0.0, 0), open(2, 3, 0.5, 0)], 2),
            (vec![open(1, 4, 3.0, 0), open(2, 3, 0.5, 0)], 1),
            (vec![open(1, 0, 0.0, 0), open(2, 2, 0.0, 1)], 1),
            (vec![open(1, 1, 0.0, 1), open(2, 0, 0.0, 0)], 2),
            (vec![open(1, 2, 0.0, 5), open(2, 2, 0.0, 1)], 2),
            (vec![open(1, 2, f64::NAN, 0), open(2, 0, 0.0, 0)], 1),
            (vec![open(1, 25, 1.0, 0), open(2, 0, 0.0, 0)], 2),
        ] {
            assert_eq!(
                chosen(&positions, &known(&[]), Mode::Calm),
                Some(expected),
                "{positions:?}"
            );
        }
    }

    #[test]
    fn nobody_gets_a_position_twice_and_modes_have_their_pools() {
        let positions = [
            open(1, 2, 1.0, 0),
            open(2, 3, 0.0, 0),
            open(3, 3, 2.0, 9),
            gold(4),
        ];
        for (mode, had, expected) in [
            (Mode::Calm, vec![], Some(1)),
            (Mode::Calm, vec![1], Some(2)),
            (Mode::Timed, vec![1, 2, 3], Some(4)),
            (Mode::Timed, vec![1, 2, 3, 4], None),
            (Mode::Pair, vec![1, 2, 3], None),
            (Mode::Missing, vec![], Some(3)),
            (Mode::Missing, vec![3], None),
            (Mode::Review, vec![], Some(3)),
            (Mode::Review, vec![3], None),
        ] {
            assert_eq!(
                chosen(&positions, &known(&had), mode),
                expected,
                "{mode} {had:?}"
            );
        }
    }

    #[test]
    fn ties_are_drawn() {
        let positions = [open(1, 0, 0.0, 0), open(2, 0, 0.0, 0), open(3, 0, 0.0, 0)];
        let drawn: BTreeSet<Option<i64>> = (0..50)
            .map(|seed| {
                choose(
                    &positions,
                    &known(&[]),
                    Mode::Pair,
                    &NeedSettings::default(),
                    seed,
                )
            })
            .collect();
        assert_eq!(drawn, BTreeSet::from([Some(1), Some(2), Some(3)]));
    }

    #[test]
    fn the_first_is_gold_and_later_ones_as_often_as_is_needed() {
        let positions = [open(1, 2, 9.0, 0), gold(2)];
        let settings = NeedSettings::default();
        let golds = |person: &PersonHistory| {
            (0..2000)
                .filter(|&seed| choose(&positions, person, Mode::Calm, &settings, seed) == Some(2))
                .count()
        };
        assert_eq!(golds(&PersonHistory::default()), 2000);
        for (reliability, least, most) in [
            (None, 340, 460),
            (Some(0.5), 340, 460),
            (Some(0.0), 340, 460),
            (Some(f64::NAN), 340, 460),
            (Some(1.0), 60, 140),
        ] {
            let person = PersonHistory {
                reliability,
                ..known(&[])
            };
            let found = golds(&person);
            assert!((least..most).contains(&found), "{reliability:?}: {found}");
        }
    }

    fn estimates() -> Vec<Estimate> {
        let row = |(file, rank): (char, u8), yes: &[i64], no: &[i64], dawid_skene| {
            let text = format!("a1{file}{rank}").parse().expect("a move");
            Estimate {
                yes: yes.to_vec(),
                no: no.to_vec(),
                dawid_skene,
                ..Estimate::unanswered(text, MoveClass::Ordinary)
            }
        };
        let mut all = Vec::new();
        for rank in 1..=8 {
            all.push(row(('b', rank), &[1, 2], &[3, 4], 0.5));
            all.push(row(('c', rank), &[1, 2, 3, 4], &[], 0.99));
            all.push(row(('d', rank), &[], &[1, 2, 3, 4], 0.01));
            all.push(row(('e', rank), &[], &[], 0.5));
        }
        all.push(row(('f', 1), &[1, 2, 3], &[4], 0.99));
        all.push(row(('f', 2), &[4], &[1, 2, 3], 0.01));
        all
    }

    fn asked(seed: u64, limit: usize) -> Vec<String> {
        let estimates = estimates();
        let evidence = Evidence {
            estimates: &estimates,
            reliabilities: &[],
        };
        let texts = questions(&evidence, &LENIENT, seed, limit);
        texts.iter().map(MoveText::to_string).collect()
    }

    fn of_file(texts: &[String], file: char) -> usize {
        texts
            .iter()
            .filter(|text| text.chars().nth(2) == Some(file))
            .count()
    }

    #[test]
    fn half_are_disputed_and_the_others_half_yes_half_no() {
        for (limit, sizes) in [
            (0, [0, 0, 0, 0]),
            (1, [1, 0, 0, 1]),
            (4, [4, 1, 1, 2]),
            (5, [5, 2, 1, 2]),
        ] {
            let texts = asked(7, limit);
            let found = ['b', 'c', 'd', 'f'].map(|file| of_file(&texts, file));
            assert_eq!(found, sizes, "{limit}: {texts:?}");
            assert_eq!(of_file(&texts, 'e'), 0, "nobody has answered there");
        }
    }

    #[test]
    fn order_and_choice_follow_the_seed() {
        let orders: BTreeSet<Vec<String>> = (0..20).map(|seed| asked(seed, 4)).collect();
        assert!(orders.len() > 15);
        assert_eq!(asked(3, 4), asked(3, 4));
        let first: BTreeSet<char> = (0..50)
            .filter_map(|seed| asked(seed, 4)[0].chars().nth(2))
            .collect();
        assert!(
            first.len() > 2,
            "disputed ones do not come first: {first:?}"
        );
    }

    #[test]
    fn nothing_is_asked_where_nothing_is_disputed() {
        let mut estimates = estimates();
        estimates.retain(|e| e.yes.len() != e.no.len() || e.yes.is_empty());
        let evidence = Evidence {
            estimates: &estimates,
            reliabilities: &[],
        };
        assert!(questions(&evidence, &LENIENT, 1, 4).is_empty());
    }
}
