//! The games of two engines, pair by pair in the order of the schedule.

use std::collections::BTreeMap;

use super::add;
use crate::model::{GameRecord, GameResult, PairNumber};
use crate::play::schedule::Couple;
use crate::report::run::summary::{
    CoupleSummary, CoursePoint, OpeningLine, OpeningsSummary, PairSummary,
};
use crate::stats::duplicates::Identity;
use crate::stats::number::to_f64;
use crate::stats::pair_test::{PairTest, TestedGame};
use crate::stats::spread;
use crate::stats::{SprtDesign, SprtState, Wdl};

/// Two engines; everything is from the view of the first.
#[derive(Clone, Debug)]
pub(super) struct CoupleCollector {
    games: Wdl,
    as_white: Wdl,
    counted: PairSummary,
    all: PairSummary,
    /// The games of pairs beyond the prefix of complete pairs, with doubled points.
    pending: BTreeMap<PairNumber, [Option<(u8, TestedGame)>; 2]>,
    course: Option<Course>,
    test: Option<PairTest>,
    is_paired: bool,
}

impl CoupleCollector {
    /// The state of engines that have not met.
    pub(super) fn new(with_course: bool, design: Option<SprtDesign>, is_paired: bool) -> Self {
        Self {
            is_paired,
            games: Wdl::default(),
            as_white: Wdl::default(),
            counted: PairSummary::default(),
            all: PairSummary::default(),
            pending: BTreeMap::new(),
            course: with_course.then(Course::default),
            test: design.map(PairTest::new),
        }
    }

    /// Adds a game by which the prefix of complete pairs grew by `joined` pairs.
    pub(super) fn record(&mut self, record: &GameRecord, identity: Identity, joined: usize) {
        let plan = &record.plan;
        // The first in the configuration, whoever begins with White.
        let first = plan.pairing.first.min(plan.pairing.second);
        let half_points = record
            .half_points(first)
            .expect("the first engine plays in its pair");
        if plan.white == first {
            add(&mut self.games, record.result);
            add(&mut self.as_white, record.result);
        } else {
            add(&mut self.games, record.result.reversed());
        }
        if !self.is_paired {
            self.all.games = self.games;
            return;
        }
        let games = self.pending.entry(plan.pairing.number).or_default();
        games[usize::from(plan.white != first)] =
            Some((half_points, TestedGame::new(record, identity)));
        if let [Some((one, _)), Some((other, _))] = *games {
            self.all.add([one, other]);
        }
        for _ in 0..joined {
            self.join();
        }
    }

    /// Adds the earliest pending pair to the prefix.
    fn join(&mut self) {
        let earliest = self.pending.pop_first();
        let Some((_, [Some((one, first)), Some((other, second))])) = earliest else {
            unreachable!("the schedule says that the pair is complete");
        };
        if self.has_stopped() {
            return;
        }
        self.counted.add([one, other]);
        let counts = self.counted.counts();
        if let Some(test) = &mut self.test {
            test.look([first, second], counts);
        }
        if let (Some(course), Some(summary)) = (&mut self.course, spread::strength(&counts)) {
            course.push(CoursePoint {
                pairs: counts.samples(),
                elo: summary.elo,
                llr: self.test.as_ref().map(|test| test.sprt().llr()),
            });
        }
    }

    /// Whether there is a test that has stopped.
    fn has_stopped(&self) -> bool {
        let state = self.test.as_ref().map(PairTest::state);
        state.is_some_and(|state| state != SprtState::Running)
    }

    pub(super) fn summary(&self, couple: Couple) -> CoupleSummary {
        let mut summary = CoupleSummary {
            couple,
            games: self.games,
            as_white: self.as_white,
            counted: if self.test.is_some() {
                self.counted
            } else {
                self.all
            },
            all: self.all,
            strength: None,
        };
        summary.strength = spread::strength(&summary.counted.counts());
        summary
    }

    pub(super) fn course(&self) -> Vec<CoursePoint> {
        self.course.as_ref().map(Course::points).unwrap_or_default()
    }
}

impl PairSummary {
    /// Adds the doubled points of both games.
    fn add(&mut self, [one, other]: [u8; 2]) {
        self.pairs.0[usize::from(one + other)] += 1;
        self.drawn_twice += u64::from([one, other] == [1, 1]);
        for half_points in [one, other] {
            match half_points {
                2 => self.games.wins += 1,
                1 => self.games.draws += 1,
                _ => self.games.losses += 1,
            }
        }
    }
}

// A curve of any length in bounded memory.

/// Maximum number of points of a curve; more than a page is wide.
const MOST_POINTS: usize = 512;

/// Every n-th point, and the last.
#[derive(Clone, Debug)]
pub(super) struct Course {
    stride: u64,
    points: Vec<CoursePoint>,
    last: Option<CoursePoint>,
}

impl Default for Course {
    fn default() -> Self {
        Self {
            stride: 1,
            points: Vec::new(),
            last: None,
        }
    }
}

impl Course {
    pub(super) fn push(&mut self, point: CoursePoint) {
        self.last = Some(point);
        if !point.pairs.is_multiple_of(self.stride) {
            return;
        }
        self.points.push(point);
        if self.points.len() >= MOST_POINTS {
            self.stride *= 2;
            let stride = self.stride;
            self.points
                .retain(|point| point.pairs.is_multiple_of(stride));
        }
    }

    pub(super) fn points(&self) -> Vec<CoursePoint> {
        let mut points = self.points.clone();
        points.extend(self.last.filter(|last| points.last() != Some(last)));
        points
    }
}

// Results by opening.

/// Openings with fewer games are not reported: a pair in which White wins twice is not rare.
pub const FEWEST_OPENING_GAMES: u64 = 4;

/// Maximum number of openings in the list.
const LISTED: usize = 10;

/// Results of each opening, with a short text as its name.
#[derive(Clone, Debug, Default)]
pub(super) struct OpeningsCollector {
    is_paired: bool,
    games: BTreeMap<Box<str>, (Box<str>, Wdl)>,
    halves: BTreeMap<PairNumber, GameResult>,
    white_twice: u64,
    black_twice: u64,
}

impl OpeningsCollector {
    pub(super) fn new(is_paired: bool) -> Self {
        Self {
            is_paired,
            ..Self::default()
        }
    }

    pub(super) fn record(&mut self, record: &GameRecord) {
        let opening = &record.opening;
        let key = format!("{} {}", opening.fen, opening.moves.join(" "));
        let entry = self.games.entry(key.into());
        let (_, wdl) = entry.or_insert_with(|| (opening.label.as_str().into(), Wdl::default()));
        add(wdl, record.result);
        if !self.is_paired {
            return;
        }
        let pair = record.plan.pairing.number;
        let Some(other) = self.halves.remove(&pair) else {
            self.halves.insert(pair, record.result);
            return;
        };
        match (record.result, other) {
            (GameResult::WhiteWins, GameResult::WhiteWins) => self.white_twice += 1,
            (GameResult::BlackWins, GameResult::BlackWins) => self.black_twice += 1,
            _ => {}
        }
    }

    pub(super) fn summary(&self) -> OpeningsSummary {
        let mut lines: Vec<&(Box<str>, Wdl)> = self
            .games
            .values()
            .filter(|(_, wdl)| wdl.games() >= FEWEST_OPENING_GAMES && wdl.wins != wdl.losses)
            .collect();
        lines.sort_by(|(_, one), (_, other)| surprise(*other).total_cmp(&surprise(*one)));
        let listed = lines.into_iter().take(LISTED);
        OpeningsSummary {
            played: self.games.len() as u64,
            white_twice: self.white_twice,
            black_twice: self.black_twice,
            one_sided: listed
                .map(|(label, white)| OpeningLine {
                    label: label.to_string(),
                    white: *white,
                })
                .collect(),
        }
    }
}

/// Deviation of the score from even, in standard deviations under pure chance: wins and losses are
/// coin tosses.
fn surprise(wdl: Wdl) -> f64 {
    to_f64(wdl.wins.abs_diff(wdl.losses)) / to_f64(wdl.wins + wdl.losses).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::stats::Estimate;

    #[test]
    fn long_curves_are_thinned_evenly_to_the_end() {
        let mut course = Course::default();
        for pairs in 1..=100_001 {
            let elo = Estimate {
                value: 0.0,
                lower: -1.0,
                upper: 1.0,
            };
            let llr = None;
            course.push(CoursePoint { pairs, elo, llr });
            if pairs == 300 {
                assert_eq!(course.points().len(), 300, "short curves are kept whole");
            }
        }
        let points = course.points();
        assert!((MOST_POINTS / 2..=MOST_POINTS).contains(&points.len()));
        assert_eq!(points.last().map(|point| point.pairs), Some(100_001));
        let steps: Vec<u64> = points
            .windows(2)
            .map(|two| two[1].pairs - two[0].pairs)
            .collect();
        assert!(
            steps[..steps.len() - 1]
                .iter()
                .all(|&step| step == steps[0])
        );
    }
}
