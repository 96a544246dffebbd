//! Counts the pairs of a test that many machines play, in any order: the verdict, and which workers
//! to quarantine. Pure: a function of the results, which another server can compute again.

use std::collections::{BTreeMap, BTreeSet};

use super::figures::{interval, residual, score, sprt};
use super::plan::PlanError;
use super::spec::TestSpec;
use super::summary::{
    EngineSummary, FaultCount, FaultSummary, Outcome, Point, ScoreSummary, StandingSummary,
    TestSummary, WorkerSummary,
};
use super::tuning::TuneCount;
use crate::fleet::check;
use crate::fleet::deviation::DeviationWatch;
use crate::fleet::protocol::{PlayedGame, UnitBody, set_worker};
use crate::fleet::worker_stats::StatsByWorker;
use crate::model::{
    FaultKind, GameRecord, Machine, PairOptions, Pairing, Quarantine, RunConfig, TournamentFormat,
};
use crate::play::MatchResult;
use crate::play::run::{RunState, Strikes, StruckOut};
use crate::play::schedule::{Schedule, ScheduleError};
use crate::stats::{Counts, Pentanomial, SprtState, Summary, to_f64, twelve_digits};

/// Number of faults that a summary lists.
const LISTED_FAULTS: usize = 20;
/// How much of an engine's output a summary has, in characters.
const LISTED_OUTPUT: usize = 4000;

/// A test in progress.
#[derive(Clone, Debug)]
pub struct PairConductor {
    state: RunState,
    stats: StatsByWorker,
    watch: DeviationWatch,
    /// Consecutive games lost by faults, by worker.
    strikes: BTreeMap<String, Strikes>,
    max_faults: Option<u64>,
    pairs: BTreeMap<String, u64>,
    /// Pairs of rounds that have not begun, by number.
    early: BTreeMap<u64, Vec<EarlyPair>>,
    /// Pairs that came after the decision.
    compared: BTreeSet<u64>,
    /// The values of a tuning.
    tune: Option<TuneCount>,
    first_faults: Vec<FaultSummary>,
    /// By worker: that of the last comparison.
    warnings: BTreeMap<String, String>,
    broken: Option<String>,
}

/// A result of a round that has not begun: after results before it were taken back, it may be that
/// the pairing is another one then.
#[derive(Clone, Debug)]
struct EarlyPair {
    pairing: Pairing,
    worker: String,
    games: [PlayedGame; 2],
}

/// What came of results.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum LabFinding {
    /// A worker's results of the test are to be discarded and played again by others; the test is
    /// to be counted again from its first result.
    Quarantine {
        /// The worker.
        worker: String,
        /// The reason, with the numbers.
        reason: String,
    },
    /// The test cannot continue: an engine fails everywhere.
    Broken(String),
}

impl PairConductor {
    /// A test without results. The results of quarantined workers are not counted.
    ///
    /// # Errors
    /// The schedule is not possible.
    pub fn new(
        config: RunConfig,
        max_faults: Option<u64>,
        quarantined: Vec<Quarantine>,
    ) -> Result<Self, ScheduleError> {
        let mut state = RunState::new(config, &[])?;
        state.quarantined = quarantined;
        Ok(Self {
            state,
            stats: StatsByWorker::default(),
            watch: DeviationWatch::default(),
            strikes: BTreeMap::new(),
            max_faults,
            pairs: BTreeMap::new(),
            early: BTreeMap::new(),
            compared: BTreeSet::new(),
            tune: None,
            first_faults: Vec::new(),
            warnings: BTreeMap::new(),
            broken: None,
        })
    }

    /// A test without results, with all that its specification says.
    ///
    /// # Errors
    /// The schedule is not possible, or an option cannot be tuned.
    pub fn from_spec(
        spec: &TestSpec,
        config: RunConfig,
        quarantined: Vec<Quarantine>,
    ) -> Result<Self, PlanError> {
        Ok(Self {
            tune: TuneCount::from_spec(spec)?,
            ..Self::new(config, spec.max_faults, quarantined)?
        })
    }

    /// The configuration.
    pub const fn config(&self) -> &RunConfig {
        &self.state.config
    }

    /// The schedule, whose wave has the pairs that can be played now.
    pub(super) const fn schedule(&self) -> &Schedule {
        &self.state.schedule
    }

    /// Whether pairs have options of their own.
    pub(super) const fn is_tuning(&self) -> bool {
        self.tune.is_some()
    }

    /// The options of both engines in a pair of a tuning; `None` while results are missing on which
    /// they depend.
    pub(super) fn options(&self, pair: u64) -> Option<PairOptions> {
        self.tune.as_ref()?.options(pair)
    }

    /// Number of pairs counted.
    pub fn pairs(&self) -> u64 {
        self.pairs.values().sum()
    }

    /// Workers whose results are counted.
    pub fn workers(&self) -> impl Iterator<Item = &str> {
        self.pairs.keys().map(String::as_str)
    }

    /// Workers whose results are not counted.
    pub fn quarantined(&self) -> &[Quarantine] {
        &self.state.quarantined
    }

    /// Whether the games of a pair are counted.
    pub fn has(&self, pair: u64) -> bool {
        self.state.schedule.has(2 * pair)
    }

    /// Checks the result of a pair by the rules of chess, the schedule and the configuration, and
    /// counts it, if its round has begun; otherwise once it begins. A pair that is counted stays as it
    /// is. Results after a decision change nothing, but show whether workers agree.
    pub fn take(&mut self, asked: &UnitBody, worker: &str, value: &str) -> Option<LabFinding> {
        let pair = asked.pairing.number.0;
        let is_out = self
            .state
            .quarantined
            .iter()
            .any(|one| one.worker == worker);
        if self.has(pair) || is_out || self.broken.is_some() {
            return None;
        }
        let games = match check::pair(&self.state.config, asked, value) {
            Ok(games) => games,
            // Whatever an engine does, a sound worker cannot send such a result.
            Err(fault) => {
                let reason = format!("its result of pair {} is impossible: {fault}", pair + 1);
                return Some(LabFinding::Quarantine {
                    worker: worker.to_owned(),
                    reason,
                });
            }
        };
        if self.state.is_over() {
            if self.compared.insert(pair) {
                self.compare(games, worker);
            }
            return None;
        }
        self.early.entry(pair).or_default().push(EarlyPair {
            pairing: asked.pairing,
            worker: worker.to_owned(),
            games,
        });
        self.count_begun()
    }

    /// Counts the pairs whose round has begun.
    fn count_begun(&mut self) -> Option<LabFinding> {
        while let Some(first) = self.early.first_entry() {
            let (&pair, wave) = (first.key(), self.state.schedule.wave());
            if pair >= wave.end() {
                break;
            }
            let known = first.remove();
            if self.state.schedule.has(2 * pair) {
                continue;
            }
            let pairing = self.state.schedule.pairing(pair);
            // Only results of the pairing to which the counted results lead are of use.
            let found = known.into_iter().find(|one| one.pairing == pairing);
            let Some(EarlyPair { worker, games, .. }) = found else {
                continue;
            };
            *self.pairs.entry(worker.clone()).or_default() += 1;
            let mut found = None;
            for game in games {
                found = found.or(self.count(game, &worker));
            }
            if found.is_some() {
                return found;
            }
        }
        None
    }

    fn count(&mut self, game: PlayedGame, worker: &str) -> Option<LabFinding> {
        let PlayedGame {
            mut record,
            transcript,
        } = game;
        set_worker(&mut record, worker);
        if let Err(error) = self.state.add(&record) {
            return Some(self.broken(error.to_string()));
        }
        if let Some(tune) = &mut self.tune {
            tune.add(&record);
        }
        self.stats.add(&record);
        self.list_fault(&record, worker, transcript);
        let engines = &self.state.config.engines;
        let lost: u64 = self.state.tally.faults().values().sum();
        if let (Some(most), Some(fault)) = (self.max_faults, &record.fault)
            && lost > most
        {
            let (name, kind) = (&engines[fault.engine.0].name, fault.kind.as_str());
            let reason = format!("{lost} games were lost by faults, the last by {name}: {kind}");
            return Some(self.broken(reason));
        }
        // Results of several machines come mixed; consecutive games are those of one of them.
        let strikes = self.strikes.entry(worker.to_owned());
        let strikes = strikes.or_insert_with(|| Strikes::new(engines.len()));
        strikes
            .note(&record)
            .err()
            .map(|out| self.struck_out(worker, &out))
    }

    /// Counts a pair that decides nothing any more for its worker alone.
    fn compare(&mut self, games: [PlayedGame; 2], worker: &str) {
        for PlayedGame { mut record, .. } in games {
            record.machine = Some(Machine {
                worker: worker.to_owned(),
                time_scale: None,
            });
            self.stats.add(&record);
        }
    }

    /// The pairs of each worker, by points of the first engine.
    pub fn pairs_by_worker(&self) -> impl Iterator<Item = (&str, Pentanomial)> {
        let workers = self.stats.workers().iter();
        workers.map(|(name, stats)| (&**name, stats.pairs))
    }

    /// Consecutive losses by faults on one machine: the machine is to blame if the others have
    /// games without such faults, otherwise the engine is.
    fn struck_out(&mut self, worker: &str, out: &StruckOut) -> LabFinding {
        let rest = self.stats.rest(worker);
        let name = self.state.config.engines[out.engine.0].name.clone();
        let (games, kind, detail) = (out.games, out.kind.as_str(), &out.detail);
        let fault = format!(
            "engine '{name}' has lost {games} games in a row by its own fault, the last by {kind}: {detail}"
        );
        // Without any other game, too, nothing speaks for the engine.
        if rest.games == rest.faults {
            return self.broken(fault);
        }
        let (faults, games) = (rest.faults, rest.games);
        LabFinding::Quarantine {
            worker: worker.to_owned(),
            reason: format!(
                "on its machine {fault}; the others have lost {faults} of {games} games by such faults"
            ),
        }
    }

    fn broken(&mut self, reason: String) -> LabFinding {
        self.broken.get_or_insert_with(|| reason.clone());
        LabFinding::Broken(reason)
    }

    fn list_fault(&mut self, record: &GameRecord, worker: &str, transcript: Option<String>) {
        let Some(fault) = record.fault.as_ref() else {
            return;
        };
        if self.first_faults.len() >= LISTED_FAULTS {
            return;
        }
        let output = transcript.map(|text| {
            // The end of the output is nearest to the fault.
            let skipped = text.chars().count().saturating_sub(LISTED_OUTPUT);
            text.chars().skip(skipped).collect()
        });
        self.first_faults.push(FaultSummary {
            game: record.plan.game + 1,
            engine: self.state.config.engines[fault.engine.0].name.clone(),
            kind: fault.kind.as_str().to_owned(),
            detail: fault.detail.clone(),
            worker: worker.to_owned(),
            output,
        });
    }

    /// Whether there is nothing left to count: the test is decided, or all pairs are counted.
    pub fn is_over(&self) -> bool {
        self.broken.is_some() || self.state.is_over()
    }

    /// Compares workers whose turn it is; all of them before a decision. A decision stands only if
    /// nobody is to be quarantined.
    pub fn look(&mut self) -> Option<LabFinding> {
        let is_last = self.is_over();
        let found = self.watch.look(&self.stats, is_last)?;
        if found.is_certain() {
            return Some(LabFinding::Quarantine {
                worker: found.worker.clone(),
                reason: found.to_string(),
            });
        }
        let worker = &found.worker;
        let warning = format!(
            "worker '{worker}' and the others disagree, and with so few nobody knows who is right: {found}"
        );
        self.warnings.insert(worker.clone(), warning);
        None
    }

    /// The final result; `None` while pairs are missing.
    pub fn outcome(&self) -> Option<Outcome> {
        if self.broken.is_some() {
            return Some(Outcome::Broken);
        }
        if !self.state.is_over() {
            return None;
        }
        let results = self.state.result();
        // Games that were all lost by faults have compared nothing, whatever the ratio says.
        if results.is_void() {
            return Some(Outcome::Invalid);
        }
        Some(match results.test.map(|test| test.state) {
            None => Outcome::Complete,
            Some(SprtState::AcceptedH1) => Outcome::Passed,
            Some(SprtState::AcceptedH0) => Outcome::Failed,
            Some(SprtState::Invalid) => Outcome::Invalid,
            Some(SprtState::Running) => Outcome::Undecided,
        })
    }

    /// The point of the graph at this moment: of a sequential test, of the pairs that its ratio is of, which are those
    /// before the first that is missing.
    pub fn point(&self) -> Point {
        let progress = self.state.progress();
        let tested = progress.test.is_some();
        let tested = progress.counts.as_ref().filter(|_| tested);
        let games = tested.map_or(progress.games, Counts::games);
        let elo = progress.counts.as_ref().and_then(Summary::from_counts);
        Point {
            done: tested.map_or_else(|| self.pairs(), |_| games / 2),
            games,
            llr: progress.test.and_then(|test| twelve_digits(test.llr)),
            // Both engines of a tuning change all the time.
            elo: elo
                .filter(|_| self.tune.is_none())
                .and_then(|strength| interval(strength.elo)),
            values: self
                .tune
                .as_ref()
                .map(TuneCount::values)
                .unwrap_or_default(),
        }
    }

    /// All that is known; `units` is the number of pairs of the test, `engines` how they are built.
    pub fn summary(&self, units: u64, engines: Vec<EngineSummary>) -> TestSummary {
        let results = self.state.result();
        let outcome = self.outcome();
        TestSummary {
            schema: super::summary::SCHEMA.to_owned(),
            done: self.pairs(),
            units,
            outcome,
            headline: self.headline(&results, outcome),
            engines,
            // Both engines of a tuning change all the time.
            score: score(&results).filter(|_| self.tune.is_none()),
            sprt: sprt(&results),
            tune: self.tune.as_ref().map(TuneCount::summary),
            standings: self.standings(&results),
            workers: self.worker_summaries(),
            quarantined: results.quarantined.clone(),
            faults: self.fault_counts(&results),
            first_faults: self.first_faults.clone(),
            warnings: self.warnings.values().cloned().collect(),
            ..TestSummary::default()
        }
    }

    fn headline(&self, results: &MatchResult, outcome: Option<Outcome>) -> String {
        let games = results.games;
        let score = score(results).filter(|_| self.tune.is_none());
        let wdl = score.as_ref().map_or_else(String::new, |score| {
            let ScoreSummary {
                wins,
                draws,
                losses,
                ..
            } = score;
            format!(", +{wins} ={draws} -{losses}")
        });
        let llr = results.test.as_ref().map_or_else(String::new, |test| {
            let [lower, upper] = test.bounds;
            format!(", LLR {:.2} ({lower:.2}, {upper:.2})", test.llr)
        });
        let what = match outcome {
            None => "running",
            Some(Outcome::Passed) => "H1 is accepted",
            Some(Outcome::Failed) => "H0 is accepted",
            Some(Outcome::Undecided) => "not decided",
            Some(Outcome::Invalid) => "invalid",
            Some(Outcome::Complete) => "complete",
            Some(Outcome::Inexact) => "inexact",
            Some(Outcome::Broken) => {
                let reason = self.broken.as_deref().unwrap_or_default();
                return format!("stopped: {reason}");
            }
        };
        let tuned = self.tune.as_ref().map_or_else(String::new, |tune| {
            let tuned = tune.summary();
            format!("{} of {} iterations, ", tuned.iterations, tuned.of)
        });
        let champion = results.champion.map_or_else(String::new, |engine| {
            format!(", won by {}", self.state.config.engines[engine.0].name)
        });
        format!("{what}: {tuned}{games} games{wdl}{llr}{champion}")
    }

    fn standings(&self, results: &MatchResult) -> Vec<StandingSummary> {
        if self.state.config.format == TournamentFormat::Match {
            return Vec::new();
        }
        let rows = results.standings.table().into_iter();
        let rows = rows.map(|row| StandingSummary {
            rank: row.rank,
            engine: self.state.config.engines[row.engine.0].name.clone(),
            points: to_f64(row.half_points) / 2.0,
            games: row.score.games(),
        });
        rows.collect()
    }

    fn worker_summaries(&self) -> BTreeMap<String, WorkerSummary> {
        let workers = self.stats.workers().iter();
        let workers = workers.map(|(name, stats)| {
            let summary = WorkerSummary {
                units: self.pairs.get(name).copied().unwrap_or(0),
                games: stats.games,
                pentanomial: stats.pairs.0,
                faults: stats.faults,
                residual: residual(stats, &self.stats.rest(name)),
            };
            (name.clone(), summary)
        });
        workers.collect()
    }

    fn fault_counts(&self, results: &MatchResult) -> Vec<FaultCount> {
        let name = |engine: crate::model::EngineIndex, kind: FaultKind, count: u64, lost: bool| {
            FaultCount {
                engine: self.state.config.engines[engine.0].name.clone(),
                kind: kind.as_str().to_owned(),
                count,
                lost,
            }
        };
        let lost = results.faults.iter();
        let lost = lost.map(|(&(engine, kind), &count)| name(engine, kind, count, true));
        let others = results.incidents.iter();
        let others = others.map(|(&(engine, kind), &count)| name(engine, kind, count, false));
        lost.chain(others).collect()
    }
}

#[cfg(test)]
mod tests;
