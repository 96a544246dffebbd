//! Collects records one by one into a [`RunSummary`]; keeps sums, not games.

mod games;
mod pairs;

use std::collections::BTreeMap;

use games::{Busy, Endings, TimeCollector};
use pairs::{CoupleCollector, OpeningsCollector};

use super::summary::{EngineSummary, RunSummary};
use crate::fleet::worker_stats::StatsByWorker;
use crate::model::{
    EngineId, GamePlan, GameRecord, GameResult, Quarantine, RunConfig, TournamentFormat,
};
use crate::play::schedule::{Couple, Next, Schedule, ScheduleError};
use crate::report::tournament;
use crate::stats::duplicates::{Distinct, Identity};
use crate::stats::{DesignError, SprtDesign, Wdl};
pub use games::MOST_FAULTS;
pub use pairs::FEWEST_OPENING_GAMES;

/// Names of an engine that are listed: more than one that was replaced now and then.
const MOST_IDS: usize = 10;

/// Why no summary can be made.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum CollectError {
    /// The run has no valid schedule, or a game is not part of it.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
    /// The parameters of the sequential test are invalid.
    #[error(transparent)]
    Design(#[from] DesignError),
}

/// Collects the records of a run in the order of its ledger.
#[derive(Clone, Debug)]
pub struct Collector {
    schedule: Schedule,
    /// Whether the run continues until a test is decided.
    is_unlimited: bool,
    games: u64,
    couples: BTreeMap<Couple, CoupleCollector>,
    fresh_couple: CoupleCollector,
    colors: Vec<[Wdl; 2]>,
    times: Vec<TimeCollector>,
    ids: Vec<Vec<EngineId>>,
    endings: Endings,
    openings: OpeningsCollector,
    busy: Busy,
    /// Whether rounds differ in who meets whom, so that each is reported.
    has_rounds: bool,
    rounds: BTreeMap<u32, BTreeMap<Couple, Wdl>>,
    distinct: Distinct,
    workers: StatsByWorker,
    /// Workers whose games do not count; the ledger has no others.
    pub quarantined: Vec<Quarantine>,
}

impl Collector {
    pub fn new(config: &RunConfig) -> Result<Self, CollectError> {
        let design = config.sprt.as_ref().map(SprtDesign::try_from).transpose()?;
        let is_match = config.engines.len() == 2;
        let is_paired = config.pairing.is_paired();
        Ok(Self {
            schedule: Schedule::new(config)?,
            is_unlimited: config.is_unlimited(),
            games: 0,
            couples: BTreeMap::new(),
            fresh_couple: CoupleCollector::new(
                is_match && is_paired,
                design.filter(|_| is_match),
                is_paired,
            ),
            colors: vec![[Wdl::default(); 2]; config.engines.len()],
            times: config.engines.iter().map(TimeCollector::new).collect(),
            ids: vec![Vec::new(); config.engines.len()],
            endings: Endings::default(),
            openings: OpeningsCollector::new(is_paired),
            busy: Busy::default(),
            has_rounds: config.format == TournamentFormat::Swiss,
            rounds: BTreeMap::new(),
            distinct: Distinct::default(),
            workers: StatsByWorker::default(),
            quarantined: Vec::new(),
        })
    }

    /// Adds the record of a game.
    ///
    /// # Errors
    ///
    /// When it is not part of this run, or was added before; nothing changes then.
    pub fn record(&mut self, record: &GameRecord) -> Result<(), CollectError> {
        let joined = self.schedule.record(&record.plan, record.result)?;
        self.games += 1;
        let GamePlan {
            pairing,
            white,
            black,
            ..
        } = record.plan;
        let couple = Couple::new(pairing.first, pairing.second);
        let fresh = &self.fresh_couple;
        let collector = self.couples.entry(couple).or_insert_with(|| fresh.clone());
        let identity = Identity::of(record);
        collector.record(record, identity, joined.len());
        add(&mut self.colors[white.0][0], record.result);
        add(&mut self.colors[black.0][1], record.result.reversed());
        if self.has_rounds {
            let round = self.rounds.entry(pairing.round).or_default();
            let games = round.entry(couple).or_default();
            games.add({ record.half_points(couple.first) }.expect("it plays"));
        }
        games::record(&mut self.times, record);
        for (engine, id) in [white, black].into_iter().zip(&record.ids) {
            let known = &mut self.ids[engine.0];
            if known.len() < MOST_IDS && *id != EngineId::default() && !known.contains(id) {
                known.push(id.clone());
            }
        }
        self.endings.record(record);
        self.openings.record(record);
        self.distinct.add(identity);
        self.workers.add(record);
        self.busy.record(record.started_ms, record.duration_ms);
        Ok(())
    }

    pub const fn games(&self) -> u64 {
        self.games
    }

    pub fn summary(&self) -> RunSummary {
        let standings = self.schedule.standings();
        let (ratings, white_advantage) = tournament::ratings(standings);
        let couples = self.couples.iter();
        let only = self.couples.values().next();
        RunSummary {
            games: self.games,
            scheduled: self.schedule.total().filter(|_| !self.is_unlimited),
            engines: self.engines(),
            standings: standings.clone(),
            ratings,
            couples: couples.map(|(&who, one)| one.summary(who)).collect(),
            test: only
                .unwrap_or(&self.fresh_couple)
                .test_summary(self.is_complete()),
            course: only.map(CoupleCollector::course).unwrap_or_default(),
            white: self
                .colors
                .iter()
                .fold(Wdl::default(), |sum, [white, _]| Wdl {
                    wins: sum.wins + white.wins,
                    draws: sum.draws + white.draws,
                    losses: sum.losses + white.losses,
                }),
            white_advantage,
            terminations: self.endings.terminations(),
            faults: self.endings.faults.clone(),
            lengths: self.endings.lengths(),
            openings: self.openings.summary(),
            rounds: self.rounds.clone(),
            pace: self.busy.pace(self.games),
            distinct: self.distinct.count(),
            workers: self.workers.workers().clone(),
            quarantined: self.quarantined.clone(),
            is_complete: self.is_complete(),
        }
    }

    fn is_complete(&self) -> bool {
        let all_played = self.schedule.clone().next() == Next::Done;
        all_played || self.couples.values().any(CoupleCollector::has_stopped)
    }

    fn engines(&self) -> Vec<EngineSummary> {
        let engines = self.colors.iter().zip(&self.times).zip(&self.ids);
        let engines = engines.map(|((&[as_white, as_black], time), ids)| EngineSummary {
            as_white,
            as_black,
            time: time.summary(),
            ids: ids.clone(),
        });
        engines.collect()
    }
}

fn add(wdl: &mut Wdl, result: GameResult) {
    match result {
        GameResult::WhiteWins => wdl.wins += 1,
        GameResult::Draw => wdl.draws += 1,
        GameResult::BlackWins => wdl.losses += 1,
    }
}
