//! How many people weigh on one position who come at the same time, or from one network.
//!
//! The certificate assumes that at most a share of the people is wrong together. One attacker with
//! many sessions is most of the people while few others are there, so that no burst counts whole.

use std::collections::{BTreeMap, BTreeSet};
use std::time::Duration;

use crate::aggregate::moves::{KnownStanding, MoveLabel};
use crate::model::{MoveText, Timestamp};

/// When a person answered for a position, and from where.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Arrival {
    pub at: Timestamp,
    /// A keyed hash of the network's address; `None` if it is not known.
    pub network: Option<i64>,
}

/// Maximum numbers of people whose answers count at one position; 0 is no limit.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Caps {
    /// In any 24 hours.
    pub per_day: u32,
    /// From one network.
    pub per_network: u32,
}

const DAY: Duration = Duration::from_hours(24);

impl Caps {
    /// Whether another person would be one too many, given those who count.
    fn is_reached(self, counted: &[Arrival], new: Arrival) -> bool {
        let reached = |cap: u32, count: usize| cap > 0 && count >= cap as usize;
        // Who is counted later may have come earlier.
        let apart = |one: &Arrival| new.at.since(one.at).max(one.at.since(new.at));
        let lately = counted.iter().filter(|one| apart(one) < DAY);
        let near = counted
            .iter()
            .filter(|one| one.network.is_some() && one.network == new.network);
        reached(self.per_day, lately.count()) || reached(self.per_network, near.count())
    }

    /// Whether people who come now are too many at a position with lists of these times.
    pub fn is_full(self, lists: &[Timestamp], now: Timestamp) -> bool {
        let at = |at: Timestamp| Arrival { at, network: None };
        let lists: Vec<Arrival> = lists.iter().copied().map(at).collect();
        self.is_reached(&lists, at(now))
    }

    /// Drops the labels of people beyond the caps, at positions whose answers are not known, and
    /// returns the positions and people that count. Among people of one standing the first count, as
    /// the labels are in order of arrival. The unfit take nobody's place.
    ///
    /// Who counts depends on times, networks and answers elsewhere, never on what is answered here, so
    /// the error bound of the certificate holds for those who do.
    pub(super) fn keep(
        self,
        labels: &mut Vec<MoveLabel>,
        arrivals: &BTreeMap<(i64, i64), Arrival>,
        known: &BTreeMap<(i64, MoveText), bool>,
        standing: impl Fn(i64, i64) -> KnownStanding,
    ) -> BTreeSet<(i64, i64)> {
        // A known answer is not decided by votes, so no cap is needed and everybody is measured.
        let is_known =
            |label: &MoveLabel| known.contains_key(&(label.position, label.candidate.clone()));
        let mut seen = BTreeSet::new();
        let mut people: Vec<(KnownStanding, (i64, i64))> = Vec::new();
        for label in labels.iter() {
            let key = (label.position, label.worker);
            if !seen.contains(&key) && !is_known(label) {
                seen.insert(key);
                people.push((standing(label.position, label.worker), key));
            }
        }
        // The sort is stable, so that it keeps the order of arrival.
        people.sort_by_key(|(standing, _)| *standing);
        let mut counted: BTreeMap<i64, Vec<Arrival>> = BTreeMap::new();
        let (mut count, mut unfit) = (BTreeSet::new(), BTreeSet::new());
        for (standing, key) in people {
            let before = counted.entry(key.0).or_default();
            let new = arrivals.get(&key);
            if standing == KnownStanding::Unfit {
                unfit.insert(key);
            } else if new.is_none_or(|new| !self.is_reached(before, *new)) {
                before.extend(new);
                count.insert(key);
            }
        }
        labels.retain(|label| {
            let key = (label.position, label.worker);
            count.contains(&key) || unfit.contains(&key) || is_known(label)
        });
        count
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::MoveClass;

    const HOUR: i64 = 3_600_000;

    fn caps(per_day: u32, per_network: u32) -> Caps {
        Caps {
            per_day,
            per_network,
        }
    }

    /// The people whose labels stay, of those who came after so many hours, each from a network.
    fn counted(
        caps: Caps,
        came: &[(i64, Option<i64>)],
        standing: fn(i64) -> KnownStanding,
    ) -> Vec<i64> {
        let candidate: MoveText = "a2a3".parse().expect("a move");
        let label = |position, worker| MoveLabel {
            position,
            candidate: candidate.clone(),
            class: MoveClass::Ordinary,
            worker,
            yes: true,
        };
        let (mut labels, mut arrivals) = (Vec::new(), BTreeMap::new());
        for (worker, &(hour, network)) in (1..).zip(came) {
            for position in [1, 2] {
                labels.push(label(position, worker));
                let at = Timestamp(hour * HOUR);
                arrivals.insert((position, worker), Arrival { at, network });
            }
        }
        let known = BTreeMap::from([((2, candidate.clone()), true)]);
        caps.keep(&mut labels, &arrivals, &known, |_, worker| standing(worker));
        let of_known = labels.iter().filter(|label| label.position == 2);
        assert_eq!(of_known.count(), came.len(), "known answers measure people");
        labels.retain(|label| label.position == 1);
        labels.iter().map(|label| label.worker).collect()
    }

    fn unknown(_: i64) -> KnownStanding {
        KnownStanding::Unknown
    }

    #[test]
    fn the_unfit_fill_no_place_and_those_for_whom_gold_vouches_come_first() {
        let standing = |worker| match worker {
            ..=3 => KnownStanding::Unfit,
            4..=6 => KnownStanding::Unknown,
            _ => KnownStanding::Vouched,
        };
        // The model of all answers keeps the unfit, whom no certificate counts.
        let found = counted(caps(2, 0), &[(0, None); 7], standing);
        assert_eq!(found, [1, 2, 3, 4, 7]);
    }

    #[test]
    fn a_burst_and_a_network_count_up_to_their_caps() {
        let burst = [(23, None); 15];
        assert_eq!(
            counted(caps(8, 3), &burst, unknown),
            [1, 2, 3, 4, 5, 6, 7, 8]
        );
        assert_eq!(counted(Caps::default(), &burst, unknown).len(), 15);
        // Midnight is no boundary: the next count a day after the first.
        let days = [0, 1, 24, 25, 26].map(|hour| (hour, None));
        assert_eq!(counted(caps(2, 0), &days, unknown), [1, 2, 3, 4]);
        let times = [0, HOUR].map(Timestamp);
        assert!(caps(2, 0).is_full(&times, Timestamp(23 * HOUR)));
        assert!(!caps(2, 0).is_full(&times, Timestamp(24 * HOUR)));
        assert!(!Caps::default().is_full(&times, Timestamp(HOUR)));
        let came = [5, 6, 5, 5, 6, 5].map(|network| (0, Some(network)));
        assert_eq!(counted(caps(0, 2), &came, unknown), [1, 2, 3, 5]);
        // People of unknown networks are not one network.
        assert_eq!(counted(caps(0, 2), &[(0, None); 4], unknown).len(), 4);
    }
}
