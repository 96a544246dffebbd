//! Which position a contributor gets next, and the questions of a second look.

use std::collections::BTreeSet;

use chacha20::ChaCha8Rng;
use rand::seq::SliceRandom;
use rand::{RngExt, SeedableRng};

use super::certify::{Ballot, CertificateRule, Evidence};
use crate::model::{MoveText, Purpose};

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
    /// Number of its lists that are open and have not expired.
    pub live_locks: u32,
    /// Whether as many people have listed it lately as count at once ([`crate::trust::Caps`]).
    pub full: bool,
}

/// The history of the contributor who requests a position.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct PersonHistory {
    /// The positions that they have had, in any mode, finished or not.
    pub had: BTreeSet<i64>,
    /// Number of lists they have had in modes that serve gold.
    pub lists: u32,
    /// Their mean reliability over classes; `None` if unknown.
    pub reliability: Option<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct NeedSettings {
    /// Number of lists from which a position is open to second looks.
    pub min_lists: u32,
    /// Number of unanimous lists that certify a position ([`CertificateRule::sufficient_lists`]).
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
            sufficient_lists: CertificateRule::default().sufficient_lists(),
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

/// Draws the next position for a contributor; `None` if none is left for them in this mode.
///
/// A position they have had is never drawn. In calm and timed mode the first list is gold,
/// and later ones are with the gold rate; if one sort is used up, the other is served. Positions
/// that are full come after all others. Among these, chances are proportional to the `need`, but
/// nobody can raise those of one position above eight times those of any other. The seed must
/// differ from call to call, and nobody may know it.
pub fn choose(
    positions: &[PositionNeed],
    person: &PersonHistory,
    purpose: Purpose,
    settings: &NeedSettings,
    seed: u64,
) -> Option<i64> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let new = |p: &&PositionNeed| !person.had.contains(&p.position);
    // Gold teaches and measures contributors who make complete lists on their own.
    let is_alone = matches!(purpose, Purpose::Campaign | Purpose::Timed);
    let gold: Vec<&PositionNeed> = positions
        .iter()
        .filter(new)
        .filter(|p| p.gold && is_alone)
        .collect();
    let open: Vec<&PositionNeed> = positions
        .iter()
        .filter(new)
        .filter(|p| !p.gold && in_pool(p, purpose, settings))
        .collect();
    let wants_gold =
        person.lists == 0 || rng.random::<f64>() < settings.gold_rate_for(person.reliability);
    let (first, second) = if wants_gold {
        (gold, open)
    } else {
        (open, gold)
    };
    draw(&first, settings, &mut rng).or_else(|| draw(&second, settings, &mut rng))
}

fn in_pool(position: &PositionNeed, purpose: Purpose, settings: &NeedSettings) -> bool {
    match purpose {
        Purpose::Campaign | Purpose::Timed | Purpose::Pair => true,
        Purpose::Review => position.lists >= settings.min_lists && position.disputed > 0,
        // Boards of the day and of classes are not drawn.
        Purpose::Daily | Purpose::Class => false,
    }
}

/// How many times as probable as another a position can be in a draw. The higher, the sooner test
/// cases are finished, and the more often colluders meet one that they have made needy.
const MOST_FAVOURED: f64 = 8.0;

/// The value of one more list of a position.
///
/// A position is worth 1, for the test case that it may become, plus 1 per bit of uncertainty in
/// disputed candidates. This is divided by the number of lists still lacking, at least one. So
/// positions in progress are finished before new ones are opened, and among finished ones the most
/// disputed comes first. Lists beyond the minimum matter less and less, so that an endless dispute
/// does not starve all others. Live locks reduce the value: it is divided by one plus their number,
/// and a position with as many locks as lacking lists is worth nothing.
fn need(position: &PositionNeed, settings: &NeedSettings) -> f64 {
    let sufficient = settings.sufficient_lists;
    let lacking = sufficient.saturating_sub(position.lists).max(1);
    if position.live_locks >= lacking {
        return 0.0;
    }
    let uncertainty = if position.uncertainty.is_finite() {
        position.uncertainty.max(0.0)
    } else {
        0.0
    };
    let beyond = position.lists.saturating_sub(sufficient);
    let repeats = 1.0 + f64::from(beyond) / f64::from(sufficient.max(1));
    let worth = (1.0 + uncertainty) / f64::from(lacking) / repeats;
    worth / (1.0 + f64::from(position.live_locks))
}

fn draw(positions: &[&PositionNeed], settings: &NeedSettings, rng: &mut ChaCha8Rng) -> Option<i64> {
    let has_room = |p: &&&PositionNeed| !p.full;
    let with_room: Vec<&PositionNeed> = positions.iter().filter(has_room).copied().collect();
    let drawn_from = if with_room.is_empty() {
        positions
    } else {
        &with_room
    };
    // Gold is never certified, so no list of it is needed more than another.
    let need = |p: &&PositionNeed| if p.gold { 1.0 } else { need(p, settings) };
    let needs: Vec<f64> = drawn_from.iter().map(need).collect();
    let least = needs.iter().copied().fold(0.0, f64::max) / MOST_FAVOURED;
    // If nothing is needed, all are equal.
    let least = if least > 0.0 { least } else { 1.0 };
    let chances: Vec<f64> = needs.into_iter().map(|need| need.max(least)).collect();
    let mut left = rng.random::<f64>() * chances.iter().sum::<f64>();
    let drawn = chances.iter().position(|chance| {
        left -= chance;
        left < 0.0
    });
    // Rounding may leave a rest after the last chance, which is the last position's.
    let last = drawn_from.last()?;
    Some(drawn.map_or(last, |drawn| &drawn_from[drawn]).position)
}

/// Selects the questions of a second look: up to `limit` disputed candidates, mixed with as many
/// undisputed ones, half of them settled as legal and half as illegal.
///
/// The most disputed candidates are preferred and, among settled ones, those with some dissent: an
/// obvious filler would show which questions are open. The order is random, by the seed. Everything
/// derives from the contributors' answers; without a position the function cannot query a
/// generator. Empty if nothing is disputed.
pub fn questions(
    evidence: &Evidence,
    rule: &CertificateRule,
    seed: u64,
    limit: usize,
) -> Vec<MoveText> {
    let mut rng = ChaCha8Rng::seed_from_u64(seed);
    let mut ballots = Ballot::all(evidence, rule);
    // The sorts below are stable, so that the shuffle decides among equals.
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
    use std::collections::BTreeMap;

    use super::*;
    use crate::model::MoveClass;
    use crate::trust::MoveEstimate;
    use crate::trust::certify::LENIENT;

    fn open(position: i64, lists: u32, uncertainty: f64, live_locks: u32) -> PositionNeed {
        PositionNeed {
            position,
            gold: false,
            lists,
            disputed: u32::from(uncertainty > 0.0),
            uncertainty,
            live_locks,
            full: false,
        }
    }

    fn gold(position: i64) -> PositionNeed {
        let gold = true;
        PositionNeed {
            gold,
            ..open(position, 0, 0.0, 0)
        }
    }

    fn known(had: &[i64]) -> PersonHistory {
        PersonHistory {
            had: had.iter().copied().collect(),
            lists: 1,
            reliability: Some(1.0),
        }
    }

    fn without_gold(sufficient_lists: u32) -> NeedSettings {
        NeedSettings {
            gold_rate: 0.0,
            least_gold_rate: 0.0,
            sufficient_lists,
            ..NeedSettings::default()
        }
    }

    /// How often each position is drawn in a thousand draws.
    fn drawn(positions: &[PositionNeed], had: &[i64], purpose: Purpose) -> BTreeMap<i64, u32> {
        let mut drawn = BTreeMap::new();
        let of_seed = |seed| choose(positions, &known(had), purpose, &without_gold(3), seed);
        for position in (0..1000).filter_map(of_seed) {
            *drawn.entry(position).or_default() += 1;
        }
        drawn
    }

    #[test]
    fn the_neediest_position_is_drawn_most_and_no_more_than_eight_times_as_often() {
        let row = |one: (u32, f64, u32), two: (u32, f64, u32), expected: i64, odds: f64| {
            let positions = [open(1, one.0, one.1, one.2), open(2, two.0, two.1, two.2)];
            let drawn = drawn(&positions, &[], Purpose::Campaign);
            let found = f64::from(drawn[&expected]) / f64::from(drawn[&(3 - expected)]);
            let is_near = (odds / 1.4..odds * 1.4).contains(&found);
            assert!(is_near, "{positions:?}: {drawn:?}");
        };
        row((0, 0.0, 0), (2, 0.0, 0), 2, 3.0);
        row((2, 0.0, 0), (3, 0.5, 0), 2, 1.5);
        row((4, 3.0, 0), (3, 0.5, 0), 1, 2.0);
        row((0, 0.0, 0), (2, 0.0, 1), 1, 8.0);
        row((1, 0.0, 1), (0, 0.0, 0), 2, 4.0 / 3.0);
        row((2, f64::NAN, 0), (0, 0.0, 0), 1, 3.0);
        row((25, 1.0, 0), (0, 0.0, 0), 2, 25.0 / 18.0);
        row((3, 900.0, 0), (0, 0.0, 0), 1, 8.0);
        row((2, 0.0, 5), (2, 0.0, 1), 1, 1.0);
    }

    #[test]
    fn full_positions_come_last() {
        let full = |number| PositionNeed {
            full: true,
            ..open(number, 2, 9.0, 0)
        };
        let positions = [full(1), open(2, 0, 0.0, 0), full(3)];
        let of = |had: &[i64]| {
            drawn(&positions, had, Purpose::Campaign)
                .into_keys()
                .collect()
        };
        let found: [Vec<i64>; 2] = [of(&[]), of(&[2])];
        assert_eq!(found, [vec![2], vec![1, 3]]);
    }

    /// Colluders skip until they meet the position that they want, or their allowance is used up.
    #[test]
    fn skipping_reaches_a_position_no_more_often_than_chance_and_allowance() {
        let reached = |skips: u64, disputed: f64| {
            // The colluders have made one of forty positions needy: it lacks one list, and is disputed.
            let needs = (1..=40).map(|n| {
                if n == 7 {
                    open(7, 14, disputed, 0)
                } else {
                    open(n, 0, 0.0, 0)
                }
            });
            let needs: Vec<PositionNeed> = needs.collect();
            let met = (0..2000_u64).filter(|person| {
                let mut history = known(&[]);
                (0..=skips).any(|draw| {
                    let seed = person * 64 + draw;
                    let settings = without_gold(NeedSettings::default().sufficient_lists);
                    let given = choose(&needs, &history, Purpose::Campaign, &settings, seed);
                    history.had.extend(given);
                    given == Some(7)
                })
            });
            f64::from(u32::try_from(met.count()).expect("few")) / 2000.0
        };
        let chance = MOST_FAVOURED / (MOST_FAVOURED + 39.0);
        for disputed in [0.0, 50.0] {
            let (once, skipping) = (reached(0, disputed), reached(5, disputed));
            let most = 1.0 - (1.0 - chance).powi(6);
            assert!((chance - once).abs() < 0.03, "{once}");
            // Positions that are skipped are not drawn again, which adds a little.
            assert!(skipping < most + 0.06, "{skipping} of {most}");
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
        let check = |purpose, had: &[i64], expected: &[i64]| {
            let drawn: Vec<i64> = drawn(&positions, had, purpose).into_keys().collect();
            assert_eq!(drawn, expected, "{purpose} {had:?}");
        };
        check(Purpose::Campaign, &[], &[1, 2, 3]);
        check(Purpose::Campaign, &[1], &[2, 3]);
        check(Purpose::Timed, &[1, 2, 3], &[4]);
        check(Purpose::Timed, &[1, 2, 3, 4], &[]);
        check(Purpose::Pair, &[1, 2, 3], &[]);
        check(Purpose::Review, &[], &[3]);
        check(Purpose::Review, &[3], &[]);
    }

    #[test]
    fn the_first_is_gold_and_later_ones_as_often_as_is_needed() {
        let positions = [open(1, 2, 9.0, 0), gold(2)];
        let settings = NeedSettings::default();
        let golds = |person: &PersonHistory| {
            let draw = |seed| choose(&positions, person, Purpose::Campaign, &settings, seed);
            (0..2000).filter(|&seed| draw(seed) == Some(2)).count()
        };
        assert_eq!(golds(&PersonHistory::default()), 2000);
        for reliability in [None, Some(0.5), Some(0.0), Some(f64::NAN), Some(1.0)] {
            let found = golds(&PersonHistory {
                reliability,
                ..known(&[])
            });
            let expected = if reliability == Some(1.0) {
                60..140
            } else {
                340..460
            };
            assert!(expected.contains(&found), "{reliability:?}: {found}");
        }
    }

    fn estimates() -> Vec<MoveEstimate> {
        let row = |(file, rank): (char, u8), yes: &[i64], no: &[i64], dawid_skene| {
            let text = format!("a1{file}{rank}").parse().expect("a move");
            MoveEstimate {
                yes: yes.to_vec(),
                no: no.to_vec(),
                dawid_skene,
                ..MoveEstimate::unanswered(text, MoveClass::Ordinary)
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

    /// The files of the squares to which the moves go that are asked.
    fn asked(estimates: &[MoveEstimate], seed: u64, limit: usize) -> String {
        let evidence = Evidence {
            estimates,
            reliabilities: &[],
        };
        let texts = questions(&evidence, &LENIENT, seed, limit).into_iter();
        texts.map(|text| text.parts().1.file().to_char()).collect()
    }

    #[test]
    fn half_are_disputed_and_the_others_half_yes_half_no_in_an_order_by_the_seed() {
        for (limit, sizes) in [
            (0, [0; 5]),
            (1, [1, 0, 0, 0, 1]),
            (4, [4, 1, 1, 0, 2]),
            (5, [5, 2, 1, 0, 2]),
        ] {
            let files = asked(&estimates(), 7, limit);
            // Nobody has answered for the moves to the file e.
            let found = ['b', 'c', 'd', 'e', 'f'].map(|file| files.matches(file).count());
            assert_eq!(found, sizes, "{limit}: {files}");
        }
        let orders: BTreeSet<String> = (0..50).map(|seed| asked(&estimates(), seed, 4)).collect();
        assert!(orders.len() > 15, "{orders:?}");
        let first: BTreeSet<&str> = orders.iter().map(|order| &order[..1]).collect();
        assert!(
            first.len() > 2,
            "disputed ones do not come first: {first:?}"
        );
        assert_eq!(asked(&estimates(), 3, 4), asked(&estimates(), 3, 4));
        let mut undisputed = estimates();
        undisputed.retain(|e| e.yes.len() != e.no.len() || e.yes.is_empty());
        assert_eq!(asked(&undisputed, 1, 4), "");
    }
}
