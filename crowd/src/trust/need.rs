use std::collections::BTreeSet;

use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;

use crate::model::Mode;

/// What a position still wants.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PositionNeed {
    /// The position's number.
    pub position: i64,
    /// Whether its answer is known beforehand. Every other position given is open: neither certified nor retired.
    pub gold: bool,
    /// How many lists count so far.
    pub lists: u32,
    /// How many candidates people dispute ([`super::Undecided::disputed`]).
    pub disputed: u32,
    /// How open these are together, in bits ([`super::Undecided::uncertainty`]).
    pub uncertainty: f64,
    /// How many people hold an assignment of it that has not run out.
    pub live_locks: u32,
}

/// What is known of the person who asks for a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersonHistory {
    /// The positions that they have had, in whatever mode, finished or not.
    pub had: BTreeSet<i64>,
    /// How many assignments they have had in modes in which gold is served.
    pub assignments: u32,
    /// How often they are right, the mean over classes; nothing where it is not known.
    pub reliability: Option<f64>,
}

/// How positions are given out.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeedSettings {
    /// How many lists a position must have.
    pub min_lists: u32,
    /// The share of gold for people who are not known well.
    pub gold_rate: f64,
    /// The share for people who are always right.
    pub least_gold_rate: f64,
}

impl Default for NeedSettings {
    fn default() -> Self {
        Self {
            min_lists: 3,
            gold_rate: 0.2,
            least_gold_rate: 0.05,
        }
    }
}

impl NeedSettings {
    /// The share of gold for a person: whole for those who are as often wrong as right, or not known, and falling
    /// evenly to the least for those who are always right.
    pub fn gold_rate_for(&self, reliability: Option<f64>) -> f64 {
        let above_chance = match reliability {
            Some(r) if r.is_finite() => (2.0 * r - 1.0).clamp(0.0, 1.0),
            _ => 0.0,
        };
        self.gold_rate + (self.least_gold_rate - self.gold_rate) * above_chance
    }
}

/// Chooses the next position for a person; nothing where none is left for them in this mode.
///
/// Never one that they have had. In calm and timed mode the first assignment is gold, and later ones are at the gold
/// rate; where one sort is used up, the other is given. Of the others the one with the greatest `need` comes first;
/// equal ones are drawn by the seed, which must differ from call to call.
pub fn choose(
    positions: &[PositionNeed],
    person: &PersonHistory,
    mode: Mode,
    settings: &NeedSettings,
    seed: u64,
) -> Option<i64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let new = |p: &&PositionNeed| !person.had.contains(&p.position);
    let gold: Vec<&PositionNeed> = positions
        .iter()
        .filter(new)
        .filter(|p| p.gold && serves_gold(mode))
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

/// Gold teaches and measures people who make whole lists by themselves.
fn serves_gold(mode: Mode) -> bool {
    matches!(mode, Mode::Calm | Mode::Timed)
}

fn in_pool(position: &PositionNeed, mode: Mode, settings: &NeedSettings) -> bool {
    match mode {
        Mode::Calm | Mode::Timed | Mode::Pair => true,
        Mode::Missing => position.lists >= settings.min_lists,
        Mode::Review => position.lists >= settings.min_lists && position.disputed > 0,
    }
}

/// How much one more list of a position is worth.
///
/// A position is worth 1, the test case that it may become, and 1 more for each bit that people dispute. That is
/// divided by the number of lists that it takes to earn it: those that it lacks, at least one. So begun positions are
/// finished before new ones are opened, and of finished ones the most disputed comes first. Lists beyond the least
/// number make less and less difference, so a dispute that does not end does not swallow all others. People who are at it
/// already subtract: every live lock halves, thirds… what another list adds, and a position that has as many locks as
/// it lacks lists comes after all that have not.
fn need(position: &PositionNeed, settings: &NeedSettings) -> (bool, f64) {
    let lacking = settings.min_lists.saturating_sub(position.lists).max(1);
    let uncertainty = if position.uncertainty.is_finite() {
        position.uncertainty.max(0.0)
    } else {
        0.0
    };
    let beyond = position.lists.saturating_sub(settings.min_lists);
    let repeats = 1.0 + f64::from(beyond) / f64::from(settings.min_lists.max(1));
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

#[cfg(test)]
mod tests {
    use super::*;

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
            (Mode::Missing, vec![], Some(2)),
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
}
