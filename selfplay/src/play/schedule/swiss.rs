//! Swiss pairing, round by round.
//!
//! After the Dutch system (FIDE handbook C.04.3), as far as it applies when every pair gives both
//! colours to both engines; the last rule is for single games:
//!
//! - Engines are ranked by points, ties broken by a lot drawn once from the seed of the run.
//! - From the top, an engine meets the one half its score group below it, or else the next one
//!   down, or else one further up, or else the best of the groups below.
//! - Rematches and second byes are avoided as long as the round as a whole permits. Once every
//!   engine has met every other, all may meet again, and so on.
//! - With an odd number of engines, the bye goes to the lowest one eligible. It is worth a pair
//!   won.
//! - Who has had a colour more often, or the last time, has the other one ([`ColorHistory`]). Engines
//!   that must both have the same one do not meet, as long as that permits a round without rematches.

use chacha20::ChaCha8Rng;
use chess::rules::Color;
use rand::SeedableRng as _;
use rand::seq::SliceRandom as _;

use super::matching::maximum_matching;
use super::pairs::Couple;
use super::standings::Standings;
use crate::model::EngineIndex;

/// The couples of a round and the engine with the bye. Single games have White first, pairs are in
/// the order of the configuration.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Round {
    pub(super) couples: Vec<Couple>,
    pub(super) bye: Option<EngineIndex>,
}

/// An order of engines, drawn by the seed.
pub(crate) fn draw_lots(engines: usize, seed: u64) -> Vec<EngineIndex> {
    let mut order: Vec<EngineIndex> = (0..engines).map(EngineIndex).collect();
    order.shuffle(&mut ChaCha8Rng::seed_from_u64(seed));
    order
}

/// The colours that engines had, where they play single games; an article is one of C.04.3.
#[derive(Clone, Debug)]
pub(super) struct ColorHistory {
    /// By engine, without byes.
    played: Vec<Vec<Color>>,
    /// The colour of the first engine of the lots in the first round.
    initial: Color,
}

/// The colour that an engine should have next, the stronger preference being the greater (1.7).
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Preference {
    /// It has had both equally often: not the last one again.
    Mild,
    /// It has had the other one once more.
    Strong,
    /// It has had the other one more often by this number, or twice in a row.
    Absolute(usize),
}

impl ColorHistory {
    pub(super) fn new(engines: usize, initial: Color) -> Self {
        Self {
            played: vec![Vec::new(); engines],
            initial,
        }
    }

    /// Notes the colours of a round.
    pub(super) fn add(&mut self, couples: &[Couple]) {
        for couple in couples {
            self.played[couple.first.0].push(Color::White);
            self.played[couple.second.0].push(Color::Black);
        }
    }

    fn preference(&self, engine: EngineIndex) -> Option<(Color, Preference)> {
        let played = &self.played[engine.0];
        let last = *played.last()?;
        let white = played
            .iter()
            .filter(|&&color| color == Color::White)
            .count();
        let difference = white.abs_diff(played.len() - white);
        let repeated = played.iter().rev().take_while(|&&color| color == last);
        let preference = match difference {
            _ if difference > 1 || repeated.count() > 1 => Preference::Absolute(difference),
            0 => Preference::Mild,
            _ => Preference::Strong,
        };
        let color = match difference {
            0 => !last,
            _ if white * 2 > played.len() => Color::Black,
            _ => Color::White,
        };
        Some((color, preference))
    }

    /// Returns true if both must have the same colour.
    fn clash(&self, one: EngineIndex, other: EngineIndex) -> bool {
        let absolute = |engine| match self.preference(engine) {
            Some((color, Preference::Absolute(_))) => Some(color),
            _ => None,
        };
        absolute(one).is_some() && absolute(one) == absolute(other)
    }

    /// Decides who has White (5.2); `higher` is ranked above `other`.
    fn couple(&self, [higher, other]: [EngineIndex; 2], lots: &[EngineIndex]) -> Couple {
        let color = match (self.preference(higher), self.preference(other)) {
            (Some((color, mine)), Some((others, theirs))) if color == others => {
                let history = |engine: EngineIndex| self.played[engine.0].iter().rev();
                let differed = history(higher).zip(history(other)).find(|(a, b)| a != b);
                match (mine.cmp(&theirs), differed) {
                    (std::cmp::Ordering::Less, _) => !color,
                    (std::cmp::Ordering::Equal, Some((&before, _))) => !before,
                    _ => color,
                }
            }
            (Some((color, _)), _) => color,
            (None, Some((color, _))) => !color,
            (None, None) => {
                // Of numbers from 1, the odd ones have the initial colour.
                let number = lots.iter().position(|&engine| engine == higher);
                if number.is_some_and(|number| number.is_multiple_of(2)) {
                    self.initial
                } else {
                    !self.initial
                }
            }
        };
        let [first, second] = match color {
            Color::White => [higher, other],
            Color::Black => [other, higher],
        };
        Couple { first, second }
    }
}

/// A seat in the round: an engine, or the empty seat that makes their number even.
type Seat = Option<EngineIndex>;

/// Pairs the next round. `lots` is the order before the first; `colors` are those of single games.
pub(super) fn pair(
    standings: &Standings,
    lots: &[EngineIndex],
    colors: Option<&ColorHistory>,
) -> Round {
    let mut seats: Vec<Seat> = lots.iter().copied().map(Some).collect();
    // A stable sort: among equal points, the order is that of the lots.
    seats.sort_by_key(|&seat| std::cmp::Reverse(points(standings, seat)));
    if seats.len() % 2 == 1 {
        seats.push(None);
    }
    let all: Vec<usize> = (0..seats.len()).collect();
    let of_colors = Meetings::new(standings, &seats, colors);
    // That nobody meets again comes before the colours.
    let meetings = if of_colors.most_fresh(&all) * 2 == all.len() {
        of_colors
    } else {
        Meetings::new(standings, &seats, None)
    };
    let mut round = Round {
        couples: Vec::with_capacity(seats.len() / 2),
        bye: None,
    };
    for (one, other) in meetings.form_couples() {
        match (seats[one], seats[other]) {
            (Some(one), Some(other)) => round.couples.push(match colors {
                Some(colors) => colors.couple([one, other], lots),
                None => Couple::new(one, other),
            }),
            (engine, None) | (None, engine) => round.bye = engine,
        }
    }
    round
}

/// Points, doubled; the empty seat ranks last.
fn points(standings: &Standings, seat: Seat) -> Option<u64> {
    seat.map(|engine| standings.half_points(engine))
}

/// Which seats may meet, by rank.
struct Meetings {
    points: Vec<Option<u64>>,
    /// Whether two have met as rarely as any two, where a bye is a meeting with the empty seat, and
    /// can have different colours.
    is_fresh: Vec<Vec<bool>>,
}

impl Meetings {
    fn new(standings: &Standings, seats: &[Seat], colors: Option<&ColorHistory>) -> Self {
        let times = |one: Seat, other: Seat| match (one, other) {
            (Some(one), Some(other)) => standings.meetings(one, other),
            (Some(one), None) | (None, Some(one)) => standings.byes(one),
            (None, None) => u64::MAX,
        };
        let others = |index: usize| seats.iter().skip(index + 1);
        let couples = (0..seats.len())
            .flat_map(|index| others(index).map(move |&other| (seats[index], other)));
        let least = couples
            .map(|(one, other)| times(one, other))
            .min()
            .unwrap_or(0);
        let clash = |one: Seat, other: Seat| {
            let known = colors.zip(one.zip(other));
            known.is_some_and(|(colors, (one, other))| colors.clash(one, other))
        };
        let row = |&one: &Seat| {
            let is_fresh = |&other: &Seat| times(one, other) == least && !clash(one, other);
            seats.iter().map(is_fresh).collect()
        };
        Self {
            points: seats.iter().map(|&seat| points(standings, seat)).collect(),
            is_fresh: seats.iter().map(row).collect(),
        }
    }

    /// From the top, pairs each with its most preferred opponent among those that leave as many
    /// fresh couples as possible for the others.
    fn form_couples(&self) -> Vec<(usize, usize)> {
        let mut free: Vec<usize> = (0..self.points.len()).collect();
        let mut possible = self.most_fresh(&free);
        let mut couples = Vec::with_capacity(free.len() / 2);
        while !free.is_empty() {
            let one = free.remove(0);
            let partner = self
                .by_preference(one, &free)
                .into_iter()
                .find_map(|other| {
                    let rest: Vec<usize> =
                        free.iter().copied().filter(|&seat| seat != other).collect();
                    let left = self.most_fresh(&rest);
                    // The others can then still form as many fresh couples, so no choice need be
                    // taken back.
                    let is_greatest = left + usize::from(self.is_fresh[one][other]) == possible;
                    is_greatest.then_some((other, rest, left))
                });
            let (other, rest, left) =
                partner.expect("some partner belongs to a greatest set of fresh couples");
            (free, possible) = (rest, left);
            couples.push((one, other));
        }
        couples
    }

    fn most_fresh(&self, seats: &[usize]) -> usize {
        maximum_matching(seats.len(), |one, other| {
            self.is_fresh[seats[one]][seats[other]]
        })
    }

    /// The opponents of the best unpaired seat, in order of preference.
    fn by_preference(&self, one: usize, free: &[usize]) -> Vec<usize> {
        let group = free
            .iter()
            .take_while(|&&other| self.points[other] == self.points[one])
            .count();
        let (group, below) = free.split_at(group);
        // The group with `one`, halved: the first of the lower half.
        let half = group.len().div_ceil(2).saturating_sub(1).min(group.len());
        let (upper, lower) = group.split_at(half);
        let preferred = lower.iter().chain(upper.iter().rev()).chain(below);
        preferred.copied().collect()
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use proptest::prelude::*;

    use super::*;
    use crate::model::{GameResult, GamesPerOpening};
    use crate::play::schedule::pairs::Wave;

    fn in_order(engines: usize) -> Vec<EngineIndex> {
        (0..engines).map(EngineIndex).collect()
    }

    fn couples(round: &Round) -> Vec<(usize, usize)> {
        round
            .couples
            .iter()
            .map(|couple| (couple.first.0, couple.second.0))
            .collect()
    }

    /// Plays a round: `winner` gives the winner of both games, `None` for two draws.
    fn play(
        standings: &mut Standings,
        round: &Round,
        winner: impl Fn(Couple) -> Option<EngineIndex>,
    ) {
        let wave = Wave::after(None, round.couples.clone(), 1, None);
        for pair in 0..wave.end() {
            let pairing = wave.pairing(pair);
            let couple = Couple::new(pairing.first, pairing.second);
            for game in pairing.games() {
                let result = match winner(couple) {
                    None => GameResult::Draw,
                    Some(engine) if engine == game.white => GameResult::WhiteWins,
                    Some(_) => GameResult::BlackWins,
                };
                standings.record(&game, result);
            }
        }
        if let Some(bye) = round.bye {
            standings.record_bye(bye);
        }
    }

    #[test]
    fn the_upper_half_meets_the_lower() {
        let mut standings = Standings::new(8, GamesPerOpening::Two);
        let lots = in_order(8);
        let first = pair(&standings, &lots, None);
        assert_eq!(couples(&first), [(0, 4), (1, 5), (2, 6), (3, 7)]);
        play(&mut standings, &first, |couple| Some(couple.first));
        let second = pair(&standings, &lots, None);
        assert_eq!(couples(&second), [(0, 2), (1, 3), (4, 6), (5, 7)]);
        // 0 and 1 have all, 2, 3, 4, 5 half of the points.
        play(&mut standings, &second, |couple| Some(couple.first));
        let expected = [(0, 1), (2, 4), (3, 5), (6, 7)];
        assert_eq!(couples(&pair(&standings, &lots, None)), expected);
    }

    #[test]
    fn the_odd_one_of_a_group_goes_down_and_the_last_has_the_bye() {
        let mut standings = Standings::new(7, GamesPerOpening::Two);
        let lots = in_order(7);
        let first = pair(&standings, &lots, None);
        assert_eq!(couples(&first), [(0, 3), (1, 4), (2, 5)]);
        assert_eq!(first.bye, Some(EngineIndex(6)));
        play(&mut standings, &first, |couple| Some(couple.first));
        // 0, 1, 2, 6 have won; one of 3, 4, 5 has the bye.
        let second = pair(&standings, &lots, None);
        assert_eq!(couples(&second), [(0, 2), (1, 6), (3, 4)]);
        assert_eq!(second.bye, Some(EngineIndex(5)));
    }

    #[test]
    fn lots_are_those_of_the_seed() {
        assert_eq!(draw_lots(9, 4), draw_lots(9, 4));
        let orders: BTreeSet<_> = (0..20).map(|seed| draw_lots(9, seed)).collect();
        assert!(orders.len() > 15);
        let mut sorted = draw_lots(9, 4);
        sorted.sort();
        assert_eq!(sorted, in_order(9));
    }

    /// The reference: returns true if all can be paired without a rematch.
    fn can_avoid(free: &[Seat], met: &impl Fn(Seat, Seat) -> bool) -> bool {
        let Some((&first, rest)) = free.split_first() else {
            return true;
        };
        (0..rest.len()).any(|index| {
            let mut left = rest.to_vec();
            let other = left.remove(index);
            !met(first, other) && can_avoid(&left, met)
        })
    }

    proptest! {
        #[test]
        fn nobody_meets_again_while_it_can_be_avoided(
            engines in 2..9_usize,
            rounds in 1..12_u32,
            seed in any::<u64>(),
            outcomes in prop::collection::vec(0..3_u8, 64),
        ) {
            let lots = draw_lots(engines, seed);
            let mut standings = Standings::new(engines, GamesPerOpening::Two);
            let mut seats: Vec<Seat> = lots.iter().copied().map(Some).collect();
            if engines % 2 == 1 {
                seats.push(None);
            }
            let mut met: BTreeMap<(Seat, Seat), u32> = BTreeMap::new();
            for played in 0..rounds {
                let round = pair(&standings, &lots, None);
                let mut these: Vec<(Seat, Seat)> =
                    round.couples.iter().map(|couple| (Some(couple.first), Some(couple.second))).collect();
                these.extend(round.bye.map(|bye| (None, Some(bye))));
                prop_assert_eq!(these.len() * 2, seats.len());
                let all: BTreeSet<Seat> = these.iter().flat_map(|&(one, other)| [one, other]).collect();
                prop_assert_eq!(all.len(), seats.len());
                let key = |one: Seat, other: Seat| (one.min(other), one.max(other));
                let times = |one, other| met.get(&key(one, other)).copied().unwrap_or(0);
                let repeats = these.iter().any(|&(one, other)| times(one, other) > 0);
                if repeats {
                    prop_assert!(!can_avoid(&seats, &|one, other| times(one, other) > 0));
                }
                for (one, other) in these {
                    *met.entry(key(one, other)).or_default() += 1;
                }
                play(&mut standings, &round, |couple| {
                    let outcome = outcomes[(couple.first.0 * 7 + couple.second.0 + played as usize) % 64];
                    [None, Some(couple.first), Some(couple.second)][usize::from(outcome)]
                });
            }
        }
    }
}
