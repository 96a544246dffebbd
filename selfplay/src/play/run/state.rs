//! The state of a run: its schedule, its recorded games and its results. Pure.

#[cfg(test)]
mod tests;

use std::collections::BTreeMap;

use crate::model::{
    EngineIndex, FaultKind, GameRecord, Quarantine, RunConfig, Termination, TournamentFormat,
};
use crate::play::event::{RunProgress, TestProgress};
use crate::play::result::{MatchResult, TestResult};
use crate::play::schedule::{PairLedger, Schedule, ScheduleError, champion};
use crate::stats::{
    AfterStop, Counts, PairTest, Pentanomial, SprtDesign, SprtState, TestedGame, Wdl,
    duplicates::{Distinct, Identities, Identity},
    spread,
};

#[derive(Clone, Debug)]
pub struct RunState {
    pub config: RunConfig,
    pub schedule: Schedule,
    pub tally: RunTally,
    /// Quarantined fleet workers, whose games do not count.
    pub quarantined: Vec<Quarantine>,
}

impl RunState {
    /// The state after these games, in any order.
    pub fn new(config: RunConfig, records: &[GameRecord]) -> Result<Self, ScheduleError> {
        let identities = records.iter();
        let identities = identities.map(|record| (record.plan.game, Identity::from_record(record)));
        Self::resumed(config, records, &identities.collect())
    }

    /// The state after these games, whose `identities` stand in for openings and moves.
    ///
    /// # Panics
    ///
    /// If the identity of a game is missing.
    pub fn resumed(
        config: RunConfig,
        records: &[GameRecord],
        identities: &Identities,
    ) -> Result<Self, ScheduleError> {
        let mut state = Self {
            schedule: Schedule::new(&config)?,
            tally: RunTally::new(&config),
            quarantined: Vec::new(),
            config,
        };
        // In schedule order, so that games of later stages follow those they depend on.
        let mut in_order: Vec<&GameRecord> = records.iter().collect();
        in_order.sort_by_key(|record| record.plan.game);
        for record in in_order {
            let identity = identities.get(&record.plan.game);
            state.count(record, *identity.expect("each game has one"))?;
        }
        Ok(state)
    }

    pub fn add(&mut self, record: &GameRecord) -> Result<(), ScheduleError> {
        self.count(record, Identity::from_record(record)).map(drop)
    }

    /// Counts a game; returns by how many pairs the prefix of complete ones grew.
    pub(crate) fn count(
        &mut self,
        record: &GameRecord,
        identity: Identity,
    ) -> Result<usize, ScheduleError> {
        let joined = self.schedule.record(&record.plan, record.result)?;
        self.tally.add(record, identity, &joined);
        Ok(joined.len())
    }

    pub fn verdict(&self) -> Option<SprtState> {
        let test = self.tally.test()?;
        Some(if self.schedule.is_complete() {
            test.final_state()
        } else {
            test.state()
        })
    }

    /// Returns true if no game is left to play, and none is being played.
    pub fn is_over(&self) -> bool {
        self.is_decided() || self.schedule.is_complete()
    }

    /// Returns true if the test has stopped or was found invalid.
    pub fn is_decided(&self) -> bool {
        let state = self.tally.test().map(PairTest::state);
        state.is_some_and(|state| state != SprtState::Running)
    }

    pub fn progress(&self) -> RunProgress {
        let tally = &self.tally;
        let total = self.schedule.total();
        RunProgress {
            games: tally.games,
            distinct: tally.distinct.count(),
            total: total.filter(|_| !self.config.is_unlimited()),
            faults: tally.faults.values().sum(),
            incidents: tally.incidents.values().sum(),
            counts: tally.counts(&self.schedule),
            test: tally.test().map(|test| TestProgress {
                llr: test.sprt().llr(),
                bounds: test.sprt().bounds(),
                progress: test.sprt().progress(),
            }),
        }
    }

    pub fn result(&self) -> MatchResult {
        let tally = &self.tally;
        let pairs = self.schedule.pairs(EngineIndex(0), EngineIndex(1));
        let complete: u64 = pairs.map_or(0, |pairs| pairs.all().iter().sum());
        let engines = self.config.engines.iter();
        MatchResult {
            games: tally.games,
            distinct: tally.distinct.count(),
            // The number of rounds "until decided" is no number to show.
            scheduled: { self.schedule.total() }.filter(|_| !self.config.is_unlimited()),
            engines: engines.map(|one| one.name.clone()).collect(),
            counts: tally.counts(&self.schedule),
            in_incomplete_pairs: tally.in_pairs().then(|| tally.games - 2 * complete),
            test: tally.test().map(|test| self.test_result(test)),
            standings: self.schedule.standings().clone(),
            champion: (self.config.format == TournamentFormat::Knockout)
                .then(|| {
                    let engines = self.config.engines.len();
                    champion(engines, self.schedule.standings(), self.is_over())
                })
                .flatten(),
            terminations: tally.terminations.clone(),
            faults: tally.faults.clone(),
            incidents: tally.incidents.clone(),
            quarantined: self.quarantined.clone(),
            is_complete: self.is_over(),
        }
    }

    fn test_result(&self, test: &PairTest) -> TestResult {
        let sprt = test.sprt();
        let state = self.verdict().expect("there is a test");
        let is_invalid = state == SprtState::Invalid;
        let counts = self.tally.counts(&self.schedule);
        let counts = counts.expect("a test is of two engines");
        let after_stop = AfterStop::new(&counts, sprt.design());
        let after_stop = after_stop.expect("the games of all pairs are known");
        TestResult {
            design: *sprt.design(),
            state,
            pairs: counts.samples(),
            invalid: test.why_invalid().filter(|_| is_invalid),
            llr: sprt.llr(),
            bounds: sprt.bounds(),
            after_stop: spread::after_stop(&counts, after_stop).filter(|_| !is_invalid),
        }
    }
}

// The results of the recorded games: a pure function of configuration and records.

/// Totals over the games so far.
#[derive(Clone, Debug)]
pub struct RunTally {
    games: u64,
    terminations: BTreeMap<Termination, u64>,
    faults: BTreeMap<(EngineIndex, FaultKind), u64>,
    incidents: BTreeMap<(EngineIndex, FaultKind), u64>,
    distinct: Distinct,
    of_two: Option<OfTwo>,
}

/// The results of a run of two engines, from the point of view of the first in the configuration.
#[derive(Clone, Debug)]
enum OfTwo {
    Pairs(Box<Pairs>),
    /// Games that are not played in pairs.
    Games(Wdl),
}

#[derive(Clone, Debug)]
struct Pairs {
    /// Games that are not in the completed prefix yet, with the doubled points of the first engine.
    beyond: BTreeMap<u64, (u8, TestedGame)>,
    prefix: Pentanomial,
    games: Wdl,
    test: Option<PairTest>,
}

impl RunTally {
    pub fn new(config: &RunConfig) -> Self {
        let of_two = || {
            if !config.pairing.is_paired() {
                return OfTwo::Games(Wdl::default());
            }
            OfTwo::Pairs(Box::new(Pairs {
                beyond: BTreeMap::new(),
                prefix: Pentanomial::default(),
                games: Wdl::default(),
                test: config.sprt.as_ref().map(|sprt| {
                    let design = SprtDesign::try_from(sprt);
                    PairTest::new(design.expect("the bounds were checked"))
                }),
            }))
        };
        Self {
            games: 0,
            terminations: BTreeMap::new(),
            faults: BTreeMap::new(),
            incidents: BTreeMap::new(),
            distinct: Distinct::default(),
            of_two: (config.format == TournamentFormat::Match).then(of_two),
        }
    }

    /// Counts a game. `joined` are the pairs by which the prefix grew, as returned by
    /// [`Schedule::record`].
    pub fn add(&mut self, record: &GameRecord, identity: Identity, joined: &[u8]) {
        self.games += 1;
        *self.terminations.entry(record.termination).or_default() += 1;
        if let Some(fault) = &record.fault {
            *self.faults.entry((fault.engine, fault.kind)).or_default() += 1;
        }
        for one in &record.incidents {
            *self.incidents.entry((one.engine, one.kind)).or_default() += 1;
        }
        self.distinct.add(identity);
        match &mut self.of_two {
            Some(OfTwo::Pairs(pairs)) => pairs.add(record, identity, joined),
            Some(OfTwo::Games(games)) => games.add(points_of_first(record)),
            None => {}
        }
    }

    pub const fn games(&self) -> u64 {
        self.games
    }

    pub const fn faults(&self) -> &BTreeMap<(EngineIndex, FaultKind), u64> {
        &self.faults
    }

    pub fn test(&self) -> Option<&PairTest> {
        match &self.of_two {
            Some(OfTwo::Pairs(pairs)) => pairs.test.as_ref(),
            _ => None,
        }
    }

    /// Whether this is a run of two engines that play pairs.
    const fn in_pairs(&self) -> bool {
        matches!(self.of_two, Some(OfTwo::Pairs(_)))
    }

    /// The counts of a run of two engines, from the point of view of the first. With a test, these
    /// are the pairs before the first incomplete one in schedule order, or those at which the test
    /// stopped; otherwise all complete pairs, or all games if they are not played in pairs. `None`
    /// with more than two engines.
    pub fn counts(&self, schedule: &Schedule) -> Option<Counts> {
        let pairs = match self.of_two.as_ref()? {
            OfTwo::Pairs(pairs) => pairs,
            OfTwo::Games(games) => return Some(Counts::Games(*games)),
        };
        match &pairs.test {
            Some(test) => Some(test.ended_by().unwrap_or_else(|| pairs.counts())),
            None => Some(pairs.all_counts(schedule)),
        }
    }
}

impl Pairs {
    fn add(&mut self, record: &GameRecord, identity: Identity, joined: &[u8]) {
        self.beyond.insert(
            record.plan.game,
            (points_of_first(record), TestedGame::new(record, identity)),
        );
        for &points in joined {
            let pair = self.join(points);
            let counts = self.counts();
            if let Some(test) = &mut self.test {
                test.look(pair, counts);
            }
        }
    }

    /// Moves the next pair of the schedule, which is complete, into the prefix; returns its games.
    fn join(&mut self, points: u8) -> [TestedGame; 2] {
        let pair = self.prefix.pairs();
        self.prefix.0[usize::from(points)] += 1;
        [2 * pair, 2 * pair + 1].map(|game| {
            let known = self.beyond.remove(&game);
            let (half_points, game) = known.expect("both games of a complete pair are known");
            self.games.add(half_points);
            game
        })
    }

    const fn counts(&self) -> Counts {
        Counts::Pairs {
            pairs: self.prefix,
            games: Some(self.games),
        }
    }

    /// Includes complete pairs beyond the first incomplete one.
    fn all_counts(&self, schedule: &Schedule) -> Counts {
        let mut games = self.games;
        for (&game, &(half_points, _)) in &self.beyond {
            // The games of a pair differ in the last bit.
            if self.beyond.contains_key(&(game ^ 1)) {
                games.add(half_points);
            }
        }
        let all = schedule.pairs(EngineIndex(0), EngineIndex(1));
        let all = all.map_or([0; 5], PairLedger::all);
        Counts::Pairs {
            pairs: Pentanomial(all),
            games: Some(games),
        }
    }
}

/// The doubled points of the first engine of a match.
fn points_of_first(record: &GameRecord) -> u8 {
    let half_points = record.half_points(EngineIndex(0));
    half_points.expect("the first of two engines plays every game")
}
