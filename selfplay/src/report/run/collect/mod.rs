//! Collects records one by one into a [`RunSummary`]; keeps sums, not games.

mod games;
mod pairs;

use std::collections::BTreeMap;

use games::{BusyIntervals, Endings, TimeCollector};
use pairs::{CoupleCollector, OpeningsCollector};

use super::summary::{EngineSummary, RunSummary};
use crate::fleet::worker_stats::StatsByWorker;
use crate::model::{
    EngineId, GamePlan, GameRecord, GameResult, Quarantine, RunConfig, TournamentFormat,
};
use crate::play::RunState;
use crate::play::schedule::{Couple, ScheduleError};
use crate::report::tournament;
use crate::stats::duplicates::Identity;
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
    /// What the run itself counts: its schedule, its test, faults.
    state: RunState,
    couples: BTreeMap<Couple, CoupleCollector>,
    fresh_couple: CoupleCollector,
    colors: Vec<[Wdl; 2]>,
    times: Vec<TimeCollector>,
    ids: Vec<Vec<EngineId>>,
    endings: Endings,
    openings: OpeningsCollector,
    busy: BusyIntervals,
    /// Whether rounds differ in who meets whom, so that each is reported.
    has_rounds: bool,
    rounds: BTreeMap<u32, BTreeMap<Couple, Wdl>>,
    workers: StatsByWorker,
}

impl Collector {
    pub fn new(config: &RunConfig) -> Result<Self, CollectError> {
        let design = config.sprt.as_ref().map(SprtDesign::try_from).transpose()?;
        let is_match = config.engines.len() == 2;
        let is_paired = config.pairing.is_paired();
        Ok(Self {
            state: RunState::new(config.clone(), &[])?,
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
            busy: BusyIntervals::default(),
            has_rounds: config.format == TournamentFormat::Swiss,
            rounds: BTreeMap::new(),
            workers: StatsByWorker::default(),
        })
    }

    /// Adds the record of a game.
    ///
    /// # Errors
    ///
    /// When it is not part of this run, or was added before; nothing changes then.
    pub fn record(&mut self, record: &GameRecord) -> Result<(), CollectError> {
        let identity = Identity::from_record(record);
        let joined = self.state.count(record, identity)?;
        let GamePlan {
            pairing,
            white,
            black,
            ..
        } = record.plan;
        let couple = Couple::new(pairing.first, pairing.second);
        let fresh = &self.fresh_couple;
        let collector = self.couples.entry(couple).or_insert_with(|| fresh.clone());
        collector.record(record, identity, joined);
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
        self.workers.add(record);
        self.busy.record(record.started_ms, record.duration_ms);
        Ok(())
    }

    pub const fn games(&self) -> u64 {
        self.state.tally.games()
    }

    /// Sets the workers whose games do not count; the ledger has none of them.
    pub fn set_quarantined(&mut self, quarantined: Vec<Quarantine>) {
        self.state.quarantined = quarantined;
    }

    pub fn summary(&self) -> RunSummary {
        let result = self.state.result();
        let (ratings, white_advantage) = tournament::ratings(&result.standings);
        let couples = self.couples.iter();
        let only = self.couples.values().next();
        let white = self
            .colors
            .iter()
            .fold(Wdl::default(), |sum, [white, _]| Wdl {
                wins: sum.wins + white.wins,
                draws: sum.draws + white.draws,
                losses: sum.losses + white.losses,
            });
        RunSummary {
            engines: self.engines(),
            ratings,
            couples: couples.map(|(&who, one)| one.summary(who)).collect(),
            course: only.map(CoupleCollector::course).unwrap_or_default(),
            white,
            white_advantage,
            faults: self.endings.faults.clone(),
            lengths: self.endings.lengths(),
            openings: self.openings.summary(),
            rounds: self.rounds.clone(),
            pace: self.busy.pace(result.games),
            workers: self.workers.workers().clone(),
            result,
        }
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
