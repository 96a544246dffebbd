//! What the recorded games come to: a pure function of configuration and records.

use std::collections::BTreeMap;
use std::num::NonZeroU64;

use crate::distinct::Distinct;
use crate::model::{
    EngineIndex, FaultKind, Format, GameRecord, GameResult, RunConfig, Termination,
};
use crate::schedule::Schedule;
use crate::stats::{Counts, Pentanomial, Sprt, SprtDesign, SprtState, Wdl};

/// Sums of the games so far.
#[derive(Clone, Debug)]
pub struct Tally {
    games: u64,
    terminations: BTreeMap<Termination, u64>,
    faults: BTreeMap<(EngineIndex, FaultKind), u64>,
    mishaps: BTreeMap<(EngineIndex, FaultKind), u64>,
    distinct: Distinct,
    pairs: Option<Pairs>,
}

/// The pairs of a run of two engines, by the view of the first of the configuration.
#[derive(Clone, Debug)]
struct Pairs {
    /// Results of games that are not in the prefix yet.
    beyond: BTreeMap<u64, GameResult>,
    prefix: Pentanomial,
    games: Wdl,
    test: Option<Test>,
}

/// A sequential test as it runs. It looks at the pairs in the order of the schedule, up to the first
/// that is not complete, after each of them.
#[derive(Clone, Debug)]
pub struct Test {
    sprt: Sprt,
    /// Once it is decided: the counts by which it was.
    decided: Option<(SprtState, Counts)>,
}

impl Test {
    /// Of a run, if it has one.
    fn of(config: &RunConfig) -> Option<Self> {
        let design = SprtDesign::try_from(config.sprt.as_ref()?);
        let design = design.expect("the bounds were checked");
        Some(Self {
            sprt: Sprt::new(design, NonZeroU64::MIN),
            decided: None,
        })
    }

    fn look(&mut self, counts: Counts) {
        if self.decided.is_some() {
            return;
        }
        let state = self.sprt.update(&counts);
        let state = state.expect("the games are known by result");
        if state != SprtState::Running {
            self.decided = Some((state, counts));
        }
    }

    /// What it has come to. Pairs after the decision change nothing.
    pub fn state(&self) -> SprtState {
        self.decided.map_or(SprtState::Running, |(state, _)| state)
    }

    /// The test itself, with its ratio and bounds.
    pub const fn sprt(&self) -> &Sprt {
        &self.sprt
    }
}

impl Tally {
    /// No game has been played.
    pub fn new(config: &RunConfig) -> Self {
        let pairs = (config.format == Format::Match).then(|| Pairs {
            beyond: BTreeMap::new(),
            prefix: Pentanomial::default(),
            games: Wdl::default(),
            test: Test::of(config),
        });
        Self {
            games: 0,
            terminations: BTreeMap::new(),
            faults: BTreeMap::new(),
            mishaps: BTreeMap::new(),
            distinct: Distinct::default(),
            pairs,
        }
    }

    /// Counts a game. `joined` are the pairs by which the prefix grew, as
    /// [`Schedule::record`] gives them.
    pub fn add(&mut self, record: &GameRecord, joined: &[u8]) {
        self.games += 1;
        *self.terminations.entry(record.termination).or_default() += 1;
        if let Some(fault) = &record.fault {
            *self.faults.entry((fault.engine, fault.kind)).or_default() += 1;
        }
        for one in &record.mishaps {
            *self.mishaps.entry((one.engine, one.kind)).or_default() += 1;
        }
        self.distinct.add(record);
        if let Some(pairs) = &mut self.pairs {
            pairs.add(record, joined);
        }
    }

    /// How many games were recorded.
    pub const fn games(&self) -> u64 {
        self.games
    }

    /// How games ended, and how often.
    pub const fn terminations(&self) -> &BTreeMap<Termination, u64> {
        &self.terminations
    }

    /// Faults by engine and kind, and how often.
    pub const fn faults(&self) -> &BTreeMap<(EngineIndex, FaultKind), u64> {
        &self.faults
    }

    /// Faults that cost no game by engine and kind, and how often.
    pub const fn mishaps(&self) -> &BTreeMap<(EngineIndex, FaultKind), u64> {
        &self.mishaps
    }

    /// Takes which games there were, where the records that were added had no moves.
    pub fn resume_distinct(&mut self, distinct: Distinct) {
        self.distinct = distinct;
    }

    /// How many games differ from each other.
    pub fn distinct(&self) -> u64 {
        self.distinct.count()
    }

    /// The test, if there is one.
    pub fn test(&self) -> Option<&Test> {
        self.pairs.as_ref()?.test.as_ref()
    }

    /// What counts between two engines, by the view of the first: with a test, the pairs in the order of
    /// the schedule up to the first that is not complete, or those by which it was decided; else all complete
    /// pairs. `None` with more engines.
    pub fn counts(&self, schedule: &Schedule) -> Option<Counts> {
        let pairs = self.pairs.as_ref()?;
        match &pairs.test {
            Some(test) => Some(
                test.decided
                    .map_or_else(|| pairs.counts(), |(_, counts)| counts),
            ),
            None => Some(pairs.all_counts(schedule)),
        }
    }
}

impl Pairs {
    fn add(&mut self, record: &GameRecord, joined: &[u8]) {
        self.beyond.insert(record.plan.game, record.result);
        for &points in joined {
            self.join(points);
            let counts = self.counts();
            if let Some(test) = &mut self.test {
                test.look(counts);
            }
        }
    }

    /// The next pair of the schedule is complete.
    fn join(&mut self, points: u8) {
        let pair = self.prefix.pairs();
        self.prefix.0[usize::from(points)] += 1;
        for (game, first_is_white) in [(2 * pair, true), (2 * pair + 1, false)] {
            let result = self.beyond.remove(&game);
            let result = result.expect("both games of a complete pair are known");
            count(&mut self.games, result, first_is_white);
        }
    }

    const fn counts(&self) -> Counts {
        Counts::Pairs {
            pairs: self.prefix,
            games: Some(self.games),
        }
    }

    /// With the complete pairs behind a gap.
    fn all_counts(&self, schedule: &Schedule) -> Counts {
        let mut games = self.games;
        for (&game, &result) in &self.beyond {
            let is_first = game.is_multiple_of(2);
            let other = if is_first { game + 1 } else { game - 1 };
            if self.beyond.contains_key(&other) {
                count(&mut games, result, is_first);
            }
        }
        let all = schedule.pairs(EngineIndex(0), EngineIndex(1));
        let all = all.map_or([0; 5], crate::schedule::PairLedger::all);
        Counts::Pairs {
            pairs: Pentanomial(all),
            games: Some(games),
        }
    }
}

/// Counts a game by the view of the first engine.
fn count(games: &mut Wdl, result: GameResult, first_is_white: bool) {
    match (result, first_is_white) {
        (GameResult::Draw, _) => games.draws += 1,
        (GameResult::WhiteWins, true) | (GameResult::BlackWins, false) => games.wins += 1,
        _ => games.losses += 1,
    }
}
