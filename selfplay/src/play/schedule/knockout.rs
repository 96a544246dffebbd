//! Knockout: the loser of a meeting is out.
//!
//! The engines are seeded in the order of the configuration. The bracket is the usual one: its size
//! is the next power of two, the first seed meets the last, and the two best can only meet in the
//! final. Empty seats are byes for the best seeds. Tied engines play up to [`MAX_EXTRA_PAIRS`]
//! tie-break pairs, one after another; then the higher seed advances.

use std::cmp::Ordering;

use super::pairs::Couple;
use super::standings::Standings;
use crate::model::EngineIndex;

/// Maximum number of tie-break pairs in a meeting.
pub const MAX_EXTRA_PAIRS: u32 = 8;

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Knockout {
    /// The engines still in, in bracket order: neighbours meet. `None` for an empty seat.
    seats: Vec<Option<EngineIndex>>,
    /// Tie-break pairs played in this stage.
    extra: u32,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum BracketStep {
    Stage(Vec<Couple>),
    /// One tie-break pair for each of the tied couples.
    Extra(Vec<Couple>),
}

impl Knockout {
    pub(super) fn new(engines: usize) -> Self {
        let seeds = bracket(engines.next_power_of_two());
        let seats = seeds
            .into_iter()
            .map(|seed| (seed < engines).then_some(EngineIndex(seed)));
        Self {
            seats: seats.collect(),
            extra: 0,
        }
    }

    pub(super) fn couples(&self) -> Vec<Couple> {
        let tables = self.seats.chunks(2);
        tables
            .filter_map(|table| Some(Couple::new(table[0]?, (*table.get(1)?)?)))
            .collect()
    }

    /// Returns true if only one engine is left.
    pub(super) fn is_decided(&self) -> bool {
        self.seats.len() == 1
    }

    /// Advances once all requested pairs are played; returns `None` once the final is decided.
    pub(super) fn advance(&mut self, standings: &Standings) -> Option<BracketStep> {
        let level = self
            .couples()
            .into_iter()
            .filter(|&couple| winner(couple, standings).is_none());
        let level: Vec<Couple> = level.collect();
        if !level.is_empty() && self.extra < MAX_EXTRA_PAIRS {
            self.extra += 1;
            return Some(BracketStep::Extra(level));
        }
        if self.is_decided() {
            return None;
        }
        self.extra = 0;
        self.seats = self
            .seats
            .chunks(2)
            .map(|table| survivor(table, standings))
            .collect();
        (!self.is_decided()).then(|| BracketStep::Stage(self.couples()))
    }
}

/// Two seats of a bracket whose engines meet; an empty seat is a bye.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Meeting {
    pub seats: [Option<EngineIndex>; 2],
    /// The engine that advances, once the stage is over; in the final, the winner.
    pub survivor: Option<EngineIndex>,
}

/// The stages of a knockout that have begun, from the results so far; `is_over` if nothing is left to
/// play.
pub fn stages(engines: usize, standings: &Standings, is_over: bool) -> Vec<Vec<Meeting>> {
    let mut seats = Knockout::new(engines).seats;
    let mut stages: Vec<Vec<Meeting>> = Vec::new();
    loop {
        let tables: Vec<&[Option<EngineIndex>]> = seats.chunks(2).collect();
        let meetings = tables.iter().filter_map(|table| {
            let seats = [*table.first()?, *table.get(1)?];
            let survivor = None;
            Some(Meeting { seats, survivor })
        });
        stages.push(meetings.collect());
        let survivors: Vec<_> = { tables.iter() }
            .map(|table| survivor(table, standings))
            .collect();
        let has_met = |table: &[Option<EngineIndex>]| match *table {
            [Some(one), Some(other)] => standings.against(one, other).games() > 0,
            _ => false,
        };
        // A stage begins once the one before is over.
        let is_last = survivors.len() == 1;
        if is_last && !is_over || !is_last && !survivors.chunks(2).any(has_met) {
            return stages;
        }
        let meetings = stages.last_mut().into_iter().flatten();
        for (meeting, &survivor) in meetings.zip(&survivors) {
            meeting.survivor = survivor;
        }
        if is_last {
            return stages;
        }
        seats = survivors;
    }
}

/// The engine that has won the final.
pub fn champion(engines: usize, standings: &Standings, is_over: bool) -> Option<EngineIndex> {
    let stages = stages(engines, standings, is_over);
    match stages.last()?.as_slice() {
        [last] => last.survivor,
        _ => None,
    }
}

/// The engine that advances: the winner, the higher seed after a tie, or the one with a bye.
fn survivor(table: &[Option<EngineIndex>], standings: &Standings) -> Option<EngineIndex> {
    match *table {
        [Some(one), Some(other)] => {
            let couple = Couple::new(one, other);
            winner(couple, standings).or(Some(couple.first))
        }
        [one, other] => one.or(other),
        _ => table.first().copied().flatten(),
    }
}

fn winner(couple: Couple, standings: &Standings) -> Option<EngineIndex> {
    let score = standings.against(couple.first, couple.second);
    // Two engines meet in one stage only, so these are the games of it and of its tie-break.
    match score.wins.cmp(&score.losses) {
        Ordering::Greater => Some(couple.first),
        Ordering::Less => Some(couple.second),
        Ordering::Equal => None,
    }
}

/// Seeds, from 0, in the order of a bracket of `size`, a power of two: the seeds of neighbours add
/// up to `size - 1`, in this stage and, if the better always wins, correspondingly in every later
/// one.
fn bracket(size: usize) -> Vec<usize> {
    let mut seeds = vec![0];
    while seeds.len() < size {
        let last = seeds.len() * 2 - 1;
        seeds = seeds
            .into_iter()
            .flat_map(|seed| [seed, last - seed])
            .collect();
    }
    seeds
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::{GameResult, GamesPerOpening};
    use crate::play::schedule::pairs::Wave;

    fn pairs(couples: &[Couple]) -> Vec<(usize, usize)> {
        couples
            .iter()
            .map(|couple| (couple.first.0, couple.second.0))
            .collect()
    }

    fn stage(step: Option<BracketStep>) -> Vec<Couple> {
        match step {
            Some(BracketStep::Stage(couples)) => couples,
            other => panic!("{other:?}"),
        }
    }

    fn play(standings: &mut Standings, couples: &[Couple], result: GameResult) {
        let wave = Wave::after(None, couples.to_vec(), 1, None);
        for pair in 0..wave.end() {
            standings.record(&wave.pairing(pair).games()[0], result);
        }
    }

    #[test]
    fn the_bracket() {
        assert_eq!(bracket(1), [0]);
        assert_eq!(bracket(8), [0, 7, 3, 4, 1, 6, 2, 5]);
        let expected = [(0, 7), (3, 4), (1, 6), (2, 5)];
        assert_eq!(pairs(&Knockout::new(8).couples()), expected);
        // Byes for the best three of five.
        assert_eq!(pairs(&Knockout::new(5).couples()), [(3, 4)]);
        assert_eq!(pairs(&Knockout::new(6).couples()), [(3, 4), (2, 5)]);
        for engines in 2..70 {
            let first = Knockout::new(engines).couples().len();
            assert_eq!(first, engines - engines.next_power_of_two() / 2);
        }
    }

    #[test]
    fn winners_meet_until_one_is_left() {
        let mut standings = Standings::new(6, GamesPerOpening::Two);
        let mut knockout = Knockout::new(6);
        play(&mut standings, &knockout.couples(), GameResult::BlackWins);
        let semifinals = stage(knockout.advance(&standings));
        assert_eq!(pairs(&semifinals), [(0, 4), (1, 5)]);
        play(&mut standings, &semifinals, GameResult::WhiteWins);
        let [first, begun] = stages(6, &standings, false).try_into().expect("two");
        let through = |stage: &[Meeting]| -> Vec<_> {
            let all = stage.iter().map(|meeting| meeting.survivor);
            all.map(|one| one.map(|engine| engine.0)).collect()
        };
        assert_eq!(through(&first), [Some(0), Some(4), Some(1), Some(5)]);
        assert_eq!(first[0].seats, [Some(EngineIndex(0)), None], "a bye");
        assert_eq!(through(&begun), [None, None]);
        let last = stage(knockout.advance(&standings));
        assert_eq!(pairs(&last), [(0, 1)]);
        assert_eq!(stages(6, &standings, false).len(), 2, "not begun");
        play(&mut standings, &last, GameResult::WhiteWins);
        assert_eq!(knockout.advance(&standings), None);
        let all = stages(6, &standings, true);
        assert_eq!(through(&all[2]), [Some(0)]);
        assert_eq!(champion(6, &standings, true), Some(EngineIndex(0)));
        assert_eq!(champion(6, &standings, false), None);
    }

    #[test]
    fn tied_engines_play_extra_pairs_then_the_higher_seed_wins() {
        let mut standings = Standings::new(4, GamesPerOpening::Two);
        let mut knockout = Knockout::new(4);
        let all = knockout.couples();
        play(&mut standings, &all[..1], GameResult::Draw);
        play(&mut standings, &all[1..], GameResult::BlackWins);
        for _ in 0..MAX_EXTRA_PAIRS {
            let expected = Some(BracketStep::Extra(all[..1].to_vec()));
            assert_eq!(knockout.advance(&standings), expected);
            play(&mut standings, &all[..1], GameResult::Draw);
        }
        let last = stage(knockout.advance(&standings));
        assert_eq!(pairs(&last), [(0, 2)]);
    }
}
