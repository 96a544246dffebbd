//! The games of two engines, pair by pair in the order of the schedule.

use std::collections::BTreeMap;

use super::add;
use super::course::Course;
use crate::distinct::Identity;
use crate::model::{GameRecord, PairNumber};
use crate::pair_test::{PairTest, TestedGame};
use crate::report::run::summary::{CoupleSummary, CoursePoint, PairTally, TestSummary};
use crate::report::spread;
use crate::schedule::Couple;
use crate::stats::{AfterStop, SprtDesign, SprtState, Wdl};

/// Two engines; everything is from the view of the first.
#[derive(Clone, Debug)]
pub(super) struct CoupleCollector {
    games: Wdl,
    as_white: Wdl,
    counted: PairTally,
    all: PairTally,
    /// The games of pairs beyond the prefix of complete pairs, with doubled points.
    pending: BTreeMap<PairNumber, [Option<(u8, TestedGame)>; 2]>,
    course: Option<Course>,
    test: Option<PairTest>,
}

impl CoupleCollector {
    /// The state of engines that have not met.
    pub(super) fn new(with_course: bool, design: Option<SprtDesign>) -> Self {
        Self {
            games: Wdl::default(),
            as_white: Wdl::default(),
            counted: PairTally::default(),
            all: PairTally::default(),
            pending: BTreeMap::new(),
            course: with_course.then(Course::default),
            test: design.map(PairTest::new),
        }
    }

    /// Adds a game by which the prefix of complete pairs grew by `joined` pairs.
    pub(super) fn record(&mut self, record: &GameRecord, identity: Identity, joined: usize) {
        let plan = &record.plan;
        let first = plan.pairing.first;
        let half_points = record
            .half_points(first)
            .expect("the first engine plays in its pair");
        if plan.white == first {
            add(&mut self.games, record.result);
            add(&mut self.as_white, record.result);
        } else {
            add(&mut self.games, record.result.reversed());
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
    pub(super) fn has_stopped(&self) -> bool {
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
        summary.strength = spread::strength(&summary.counts());
        summary
    }

    pub(super) fn course(&self) -> Vec<CoursePoint> {
        self.course.as_ref().map(Course::points).unwrap_or_default()
    }

    /// Summary of the test; `is_over` means that no pair is left to be played.
    pub(super) fn test_summary(&self, is_over: bool) -> Option<TestSummary> {
        let test = self.test.as_ref()?;
        let sprt = test.sprt();
        let counts = self.counted.counts();
        let after_stop = AfterStop::of(&counts, sprt.design());
        let after_stop = after_stop.expect("the games of all pairs are known");
        let state = if is_over {
            test.final_state()
        } else {
            test.state()
        };
        let is_invalid = state == SprtState::Invalid;
        Some(TestSummary {
            design: *sprt.design(),
            state,
            pairs: self.counted.pairs.pairs(),
            invalid: test.why_invalid().filter(|_| is_invalid),
            llr: sprt.llr(),
            bounds: sprt.bounds(),
            after_stop: spread::after_stop(&counts, after_stop).filter(|_| !is_invalid),
        })
    }
}

impl PairTally {
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
