//! Sixty people, half of them one attacker's sessions, which answer gold right: what the certificate alone lets
//! through when no generator stands behind it, and how many lists it takes.
//!
//! `CROWD_SYBIL_POSITIONS=1000` runs the full size; `docs/log/crowd-trust.md` has its figures.

use std::collections::BTreeSet;

use chess::rules::Position;
use crowd::aggregate::moves::estimate;
use crowd::model::Timestamp;
use crowd::trust::{Arrival, Caps, Clusters};
use rand::seq::SliceRandom;

use super::*;

const SYBILS: i64 = 30;
const EVERYBODY: i64 = 60;
/// Positions that are open at the same time.
const CAMPAIGN: usize = 40;
/// A contested position goes to a moderator, as in the service.
const UNSETTLED_LISTS: u32 = 24;

/// In one of so many positions the sybils tell the same lie.
#[derive(Clone, Copy, Debug)]
struct Attack {
    one_in: i64,
    /// Whether they come in a night before anybody else, each for so many lists.
    alone: u32,
    /// How many people count at once.
    caps: Caps,
}

const HOUR: i64 = 3_600_000;

/// What became of positions, and at what cost.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    lists: u32,
    right: u32,
    wrong: u32,
    /// Sent to a moderator.
    contested: u32,
    open: u32,
}

/// The end of a random game: few enough pieces to keep the simulation short.
pub(super) fn random_position(rng: &mut ChaCha8Rng) -> Position {
    loop {
        let mut position = Position::startpos();
        for _ in 0..rng.random_range(40..160) {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            position = position.play_unchecked(moves[rng.random_range(0..moves.len())]);
        }
        if position.legal_move_count() > 4 {
            return position;
        }
    }
}

/// The move about which the sybils lie, if they attack the position: one that people overlook or believe in anyway,
/// where there is one.
fn lie(task: &Task, attack: Attack) -> Option<MoveText> {
    if task.gold || task.number % attack.one_in != 0 {
        return None;
    }
    let rare = |c: &&Candidate| !matches!(c.class, MoveClass::Ordinary | MoveClass::King);
    let rare = task.candidates.iter().find(rare);
    let any = || {
        &task.candidates
            [usize::try_from(task.number * 7).expect("positive") % task.candidates.len()]
    };
    Some(rare.unwrap_or_else(any).text.clone())
}

fn sybil_list(person: &Person, task: &Task, attack: Attack) -> Vec<MoveLabel> {
    let lie = lie(task, attack);
    let label = |candidate: &Candidate| MoveLabel {
        position: task.number,
        candidate: candidate.text.clone(),
        class: candidate.class,
        worker: person.number,
        yes: task.legal.contains(&candidate.text) != (lie.as_ref() == Some(&candidate.text)),
    };
    task.candidates.iter().map(label).collect()
}

/// One campaign: everybody lists, in random order, until nothing is open or nobody has anything left.
fn campaign(seed: u64, size: i64, attack: Attack, rule: &Rule) -> Counts {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut all = tasks();
    all.retain(|task| task.gold);
    for number in 0..size {
        let position = random_position(&mut rng);
        all.push(Task {
            number: 1000 + number,
            ..of(position)
        });
    }
    let mut people: Vec<Person> = (1..=EVERYBODY)
        .map(|n| person(2 * SYBILS + n, &mut rng))
        .collect();
    people.shuffle(&mut rng);
    let sybils: BTreeSet<i64> = people.iter().take(30).map(|p| p.number).collect();
    let mut known = gold(&all);
    let settings = NeedSettings {
        sufficient_lists: rule.sufficient_lists(),
        ..NeedSettings::default()
    };
    let mut labels: Vec<MoveLabel> = Vec::new();
    let mut counts = Counts::default();
    let mut moderated: BTreeSet<i64> = BTreeSet::new();
    let mut arrivals = BTreeMap::new();
    for round in 0.. {
        people.shuffle(&mut rng);
        // A list a day, but the lists of the first night are of one hour.
        let is_night = round < attack.alone;
        let day = i64::from(round.saturating_sub(attack.alone)) + 1;
        let at = Timestamp(if is_night { 0 } else { 24 * HOUR * day });
        let is_open =
            |t: &&Task| t.gold || (certified(t).is_none() && !moderated.contains(&t.number));
        if !all.iter().any(|t| !t.gold && is_open(&t)) {
            break;
        }
        let before = counts.lists;
        let here = people
            .iter_mut()
            .filter(|p| !is_night || sybils.contains(&p.number));
        for person in here {
            let needs: Vec<PositionNeed> = all.iter().filter(is_open).map(need).collect();
            let chosen = choose(&needs, &person.history, Mode::Calm, &settings, rng.random());
            let Some(number) = chosen else { continue };
            let task = all.iter_mut().find(|t| t.number == number).expect("given");
            task.pending += 1;
            labels.extend(if sybils.contains(&person.number) {
                sybil_list(person, task, attack)
            } else {
                list(person, task, &mut rng)
            });
            let network = None;
            arrivals.insert((number, person.number), Arrival { at, network });
            counts.lists += u32::from(!task.gold);
            person.history.had.insert(number);
            person.history.assignments += 1;
        }
        // The first list is gold, in the night and on the first day.
        if counts.lists == before && round > attack.alone {
            break;
        }
        let mut counted = labels.clone();
        Clusters::of(&labels, &known).keep_one_of_each(&mut counted, &known);
        attack.caps.keep(&mut counted, &arrivals, &known);
        let estimates = estimate(&counted, &known);
        for task in all.iter_mut().filter(|t| !t.gold && certified(t).is_none()) {
            if moderated.contains(&task.number) {
                continue;
            }
            let verdict = decide(task, &estimates, rule);
            if let Verdict::Undecided(open) = &verdict
                && open.lists >= UNSETTLED_LISTS
                && open.disputed().next().is_some()
            {
                moderated.insert(task.number);
            }
            task.verdict = Some(verdict);
            task.pending = 0;
            if certified(task).is_some() || moderated.contains(&task.number) {
                known.extend(answers(task));
            }
        }
    }
    for task in all.iter().filter(|t| !t.gold) {
        match certified(task) {
            Some(list) if list.moves() == &task.legal => counts.right += 1,
            Some(_) => counts.wrong += 1,
            None if moderated.contains(&task.number) => counts.contested += 1,
            None => counts.open += 1,
        }
    }
    counts
}

fn attacked(attack: Attack, rule: &Rule, positions: i64) -> Counts {
    let mut sum = Counts::default();
    for (seed, first) in (0..).zip((0..positions).step_by(CAMPAIGN)) {
        let size = i64::try_from(CAMPAIGN).expect("few");
        let found = campaign(seed, size.min(positions - first), attack, rule);
        sum.lists += found.lists;
        sum.right += found.right;
        sum.wrong += found.wrong;
        sum.contested += found.contested;
        sum.open += found.open;
    }
    println!(
        "{attack:?}, {} assumed wrong together: {sum:?}, {:.1} lists a position",
        rule.wrong_share,
        f64::from(sum.lists) / f64::from(sum.right + sum.wrong + sum.contested + sum.open)
    );
    sum
}

/// The defaults of the service.
const CAPS: Caps = Caps {
    per_day: 8,
    per_network: 3,
};

#[test]
fn half_of_all_people_cannot_get_a_lie_certified() {
    #[expect(clippy::disallowed_methods, reason = "the size of the simulation")]
    let asked = std::env::var("CROWD_SYBIL_POSITIONS").ok();
    let asked: Option<i64> = asked.and_then(|number| number.parse().ok());
    let by_day = |one_in| Attack {
        one_in,
        alone: 0,
        caps: CAPS,
    };
    for one_in in [1, 10] {
        let found = attacked(by_day(one_in), &Rule::default(), asked.unwrap_or(12));
        assert_eq!(found.wrong, 0, "one in {one_in}: a lie was certified");
        assert!(one_in == 1 || found.right > 0, "nothing is certified");
    }
    // What the same crowd certifies if it is trusted.
    for one_in in [1, 10] {
        if let Some(positions) = asked {
            attacked(by_day(one_in), &TRUSTING, positions);
        }
    }
}

/// Thirty sessions alone for a night could certify what they like, if all of them counted.
#[test]
fn a_night_without_other_people_certifies_no_lie() {
    for (caps, is_safe) in [(CAPS, true), (Caps::default(), false)] {
        let attack = Attack {
            one_in: 2,
            // As many as there are positions, and gold.
            alone: 11,
            caps,
        };
        let found = attacked(attack, &Rule::default(), 8);
        assert_eq!(found.wrong == 0, is_safe, "{caps:?}: {found:?}");
        assert!(found.right > 0, "{caps:?}: {found:?}");
    }
}
