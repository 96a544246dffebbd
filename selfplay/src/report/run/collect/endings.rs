//! How games ended, and their lengths.

use std::collections::BTreeMap;
use std::ops::Range;

use crate::digits::to_f64;
use crate::model::{EngineIndex, FaultKind, GameRecord, Termination};
use crate::report::run::summary::{FaultLine, FaultSummary, Lengths};

/// Maximum number of listed games that ended by a fault; all are counted.
pub const MOST_FAULTS: usize = 200;

/// Maximum number of classes in the histogram of game lengths.
const CLASSES: usize = 24;

#[derive(Clone, Debug, Default)]
pub(super) struct Endings {
    terminations: BTreeMap<Termination, u64>,
    faults: FaultSummary,
    /// Number of games by plies.
    lengths: BTreeMap<usize, u64>,
}

impl Endings {
    pub(super) fn record(&mut self, record: &GameRecord) {
        *self.terminations.entry(record.termination).or_default() += 1;
        *self.lengths.entry(record.moves.len()).or_default() += 1;
        for one in &record.incidents {
            *self
                .faults
                .incidents
                .entry((one.engine, one.kind))
                .or_default() += 1;
        }
        let Some(fault) = &record.fault else { return };
        *self
            .faults
            .counts
            .entry((fault.engine, fault.kind))
            .or_default() += 1;
        let listed = &mut self.faults.listed;
        let place = listed.partition_point(|line| line.game < record.plan.game);
        let line = FaultLine {
            game: record.plan.game,
            engine: fault.engine,
            opponent: opponent(record, fault.engine),
            kind: fault.kind,
            detail: fault.detail.clone(),
            transcript: fault.transcript.clone(),
        };
        listed.insert(place, line);
        listed.truncate(MOST_FAULTS);
    }

    pub(super) fn terminations(&self) -> Vec<(Termination, u64)> {
        let count = |one| self.terminations.get(one).map(|&count| (*one, count));
        Termination::ALL.iter().filter_map(count).collect()
    }

    pub(super) fn faults(&self) -> FaultSummary {
        self.faults.clone()
    }

    /// Statistics of game lengths; `None` without games.
    pub(super) fn lengths(&self) -> Option<Lengths> {
        let (&shortest, _) = self.lengths.first_key_value()?;
        let (&longest, _) = self.lengths.last_key_value()?;
        let games: u64 = self.lengths.values().sum();
        let plies: u64 = self
            .lengths
            .iter()
            .map(|(&plies, &games)| plies as u64 * games)
            .sum();
        Some(Lengths {
            mean: to_f64(plies) / to_f64(games),
            median: f64::midpoint(self.nth((games - 1) / 2), self.nth(games / 2)),
            shortest,
            longest,
            classes: self.classes(shortest, longest),
        })
    }

    /// The length of the n-th shortest game, from 0.
    fn nth(&self, game: u64) -> f64 {
        let mut seen = 0;
        let mut no_shorter = self.lengths.iter().skip_while(|&(_, &count)| {
            seen += count;
            seen <= game
        });
        let (&plies, _) = no_shorter.next().expect("there are so many games");
        to_f64(plies as u64)
    }

    fn classes(&self, shortest: usize, longest: usize) -> Vec<(Range<usize>, u64)> {
        let width = class_width(longest + 1 - shortest);
        let begin = shortest - shortest % width;
        let class = |start: usize| {
            let games = self
                .lengths
                .range(start..start + width)
                .map(|(_, games)| games);
            (start..start + width, games.sum())
        };
        (begin..=longest).step_by(width).map(class).collect()
    }
}

/// The smallest of 1, 2, 5, 10, 20, … that keeps the number of classes within the limit.
fn class_width(span: usize) -> usize {
    let decades = (0..).map(|exponent| 10_usize.pow(exponent));
    decades
        .flat_map(|ten| [ten, 2 * ten, 5 * ten])
        .find(|width| span.div_ceil(*width) <= CLASSES)
        .expect("a width that is large enough comes soon")
}

fn opponent(record: &GameRecord, engine: EngineIndex) -> EngineIndex {
    if record.plan.white == engine {
        record.plan.black
    } else {
        record.plan.white
    }
}

impl FaultSummary {
    /// Number of faults of this kind by an engine.
    pub fn count(&self, engine: EngineIndex, kind: FaultKind) -> u64 {
        self.counts.get(&(engine, kind)).copied().unwrap_or(0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn classes_have_round_widths() {
        let rows = [(1, 1), (24, 1), (25, 2), (49, 5), (200, 10), (600, 50)];
        for (span, expected) in rows {
            assert_eq!(class_width(span), expected, "{span}");
        }
    }

    #[test]
    fn lengths_of_games() {
        let mut endings = Endings::default();
        assert_eq!(endings.lengths(), None);
        endings.lengths = BTreeMap::from([(10, 1), (21, 2), (40, 1)]);
        let lengths = endings.lengths().expect("games");
        assert!((lengths.mean - 23.0).abs() < 1e-12);
        assert!((lengths.median - 21.0).abs() < 1e-12);
        assert_eq!((lengths.shortest, lengths.longest), (10, 40));
        assert_eq!(
            lengths.classes.iter().map(|(_, games)| games).sum::<u64>(),
            4
        );
        assert_eq!(lengths.classes[0], (10..12, 1));
        endings.lengths = BTreeMap::from([(44, 5), (81, 5)]);
        let lengths = endings.lengths().expect("games");
        assert!((lengths.median - 62.5).abs() < 1e-12);
    }
}
