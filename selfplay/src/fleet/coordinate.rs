//! The loop that owns a run whose pairs are played on other machines.
//!
//! The broker holds the results, the run directory the games made of them. Each result is checked,
//! recorded, counted and reported, in this order; a game already recorded is skipped. So a
//! coordinator that was killed reads all results again and continues as if it had never stopped.

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use kit::Interrupt;
use queue::{Broker, BrokerError, Chunk, Job, Recorded, Second, Unit};

use super::check;
use super::deviation::DeviationWatch;
use super::protocol::{JobBody, KIND, Message, PlayedGame, UnitBody};
use super::retry::{ask, now, pause};
use super::worker_stats::StatsByWorker;
use crate::model::{EngineIndex, GameRecord, Machine, PairNumber, Pairing, Quarantine};
use crate::openings::Openings;
use crate::play::event::{RunEnd, RunEvent};
use crate::play::ledger::{FleetJob, Ledger, LedgerError, Remaining};
use crate::play::run::{RunError, RunState, Strikes, StruckOut, check_faults};
use crate::stats::SprtState;

/// Maximum number of pairs of a test without a limit: the broker must receive all pairs before the
/// first is played.
pub const MOST_PAIRS: u64 = 100_000;
/// Maximum number of results per request.
const PAGE: u32 = 64;
/// The interval between requests for results.
const LOOK: Duration = Duration::from_millis(200);
/// After this time without results, all results are counted again and the user is informed about
/// the workers.
const QUIET: Duration = Duration::from_secs(30);

/// A run played on other machines.
pub struct Coordinator<'a> {
    pub broker: &'a dyn Broker,
    pub fleet: FleetJob,
    pub body: JobBody,
    pub state: RunState,
    /// The games already recorded; their openings and moves are not needed.
    pub recorded: Vec<GameRecord>,
    /// The ledger in which games are recorded.
    pub ledger: Ledger,
    pub openings: &'a Openings,
    /// Maximum number of games lost by faults; one more aborts the run.
    pub max_faults: Option<u64>,
    /// Set when the user interrupts the run.
    pub interrupt: &'a Interrupt,
    pub say: &'a (dyn Fn(&str) + Sync),
}

#[derive(Debug, thiserror::Error)]
pub enum CoordinateError {
    /// An error that can also occur on one machine.
    #[error(transparent)]
    Run(#[from] RunError),
    #[error("{}", crate::fleet::retry::chain(.0))]
    Broker(#[from] BrokerError),
    /// Another program has stopped the job.
    #[error("job {job} was stopped: {reason}")]
    Stopped { job: String, reason: String },
}

impl From<LedgerError> for CoordinateError {
    fn from(error: LedgerError) -> Self {
        Self::Run(error.into())
    }
}

type Result<T> = std::result::Result<T, CoordinateError>;

/// Submits the job and processes results until all are in, the test stops, or the user interrupts
/// the run. The job is stopped once the test has stopped; after an interrupt it continues. `report`
/// is called when the run begins and after each pair.
pub fn coordinate(run: &mut Coordinator<'_>, report: &mut dyn FnMut(RunEvent)) -> Result<RunEnd> {
    let mut desk = Desk {
        run,
        roll: StatsByWorker::default(),
        watch: DeviationWatch::default(),
        strikes: BTreeMap::new(),
        quarantined: BTreeSet::new(),
        cursor: 0,
        last_news: now(),
    };
    let ended = desk.run_all(report);
    let written = desk.run.ledger.finish();
    let end = match ended {
        // If the user interrupts, a broker that is gone does not matter.
        Err(CoordinateError::Broker(_)) if desk.run.interrupt.has_come() => RunEnd::Interrupted,
        ended => ended?,
    };
    written?;
    Ok(end)
}

struct Desk<'d, 'a> {
    run: &'d mut Coordinator<'a>,
    roll: StatsByWorker,
    watch: DeviationWatch,
    /// Consecutive games lost by faults, by worker.
    strikes: BTreeMap<String, Strikes>,
    quarantined: BTreeSet<String>,
    /// The number of the last result read.
    cursor: u64,
    /// When the last result arrived, or its absence was reported.
    last_news: Instant,
}

impl Desk<'_, '_> {
    fn run_all(&mut self, report: &mut dyn FnMut(RunEvent)) -> Result<RunEnd> {
        self.put()?;
        self.begin()?;
        report(RunEvent::Progress(self.run.state.progress()));
        loop {
            if self.run.interrupt.has_come() {
                return Ok(RunEnd::Interrupted);
            }
            let page = self.call(|broker, job| broker.results(job, self.cursor, PAGE))?;
            for result in &page {
                if self.run.state.is_decided() || self.run.interrupt.has_come() {
                    break;
                }
                self.cursor = result.number;
                self.take(result, report)?;
            }
            if let Some(end) = self.end(report)? {
                return Ok(end);
            }
            if page.is_empty() {
                self.run.ledger.sync_if_due()?;
                self.quiet()?;
                pause(LOOK, self.run.interrupt);
            }
        }
    }

    /// Checks whether the run is over. A decision stands only if no worker is to be quarantined.
    fn end(&mut self, report: &mut dyn FnMut(RunEvent)) -> Result<Option<RunEnd>> {
        let is_decided = self.run.state.is_decided();
        let is_all = self.run.state.tally.games() == 2 * self.run.state.config.rounds;
        if self.look_at_workers(is_decided || is_all)? {
            report(RunEvent::Progress(self.run.state.progress()));
            return Ok(None);
        }
        if is_decided {
            let reason = match self.run.state.verdict() {
                Some(SprtState::AcceptedH1) => "the test is decided: H1 is accepted",
                Some(SprtState::Invalid) => {
                    "the test is invalid: its pairs are copies of each other"
                }
                _ => "the test is decided: H0 is accepted",
            };
            self.call(|broker, job| broker.stop(job, reason))?;
            return Ok(Some(RunEnd::Decided));
        }
        Ok(is_all.then_some(RunEnd::Done))
    }

    /// Makes a call, and repeats it while the broker cannot be reached.
    fn call<T>(
        &self,
        mut call: impl FnMut(&dyn Broker, &str) -> std::result::Result<T, BrokerError>,
    ) -> Result<T> {
        let run = &*self.run;
        let answer = ask(run.interrupt, run.say, || call(run.broker, &run.fleet.job));
        Ok(answer?)
    }

    /// Submits the job; has no effect if the broker already has it.
    fn put(&self) -> Result<()> {
        let run = &*self.run;
        let job = Job {
            id: run.fleet.job.clone(),
            kind: KIND.to_owned(),
            body: run.body.to_text(),
            units: run.state.config.rounds,
            second: Second::Ignore,
            again_every: None,
        };
        // If an opening cannot be read, the chunks end early and the broker rejects them: ours is
        // the actual reason.
        let mut broken = None;
        let put = self.call(|broker, _| {
            let (mut next, step, end) = (0, run.fleet.lease_pairs.get(), job.units);
            let mut chunks = std::iter::from_fn(|| {
                let keys = next..(next + step).min(end);
                next = keys.end;
                let unit = |key| {
                    let body = self.asked(key)?.to_text();
                    Ok(Unit { key, body })
                };
                match keys.map(unit).collect::<Result<Vec<Unit>>>() {
                    Ok(units) if units.is_empty() => None,
                    Ok(units) => Some(Chunk { units }),
                    Err(error) => {
                        broken = Some(error);
                        None
                    }
                }
            });
            broker.put(&job, &mut chunks)
        });
        match broken {
            Some(error) => Err(error),
            None => put.map(|_| ()),
        }
    }

    fn asked(&self, pair: u64) -> Result<UnitBody> {
        let opening = self.run.openings.get(pair);
        let opening = opening.map_err(|error| LedgerError::Opening {
            reason: error.to_string(),
        })?;
        let round = u32::try_from(pair).expect("rounds are checked to be few enough");
        let pairing = Pairing {
            number: PairNumber(pair),
            round,
            first: EngineIndex(0),
            second: EngineIndex(1),
            opening: pair,
        };
        let rules = self.run.state.config.pairing;
        let pairing = rules.colored(pairing);
        Ok(UnitBody {
            pairing,
            opening,
            options: None,
        })
    }

    /// Checks, records, counts and reports a pair.
    fn take(&mut self, result: &Recorded, report: &mut dyn FnMut(RunEvent)) -> Result<()> {
        let Recorded {
            key, worker, value, ..
        } = result;
        let schedule = &self.run.state.schedule;
        let is_known = [2 * key, 2 * key + 1]
            .iter()
            .all(|&game| schedule.has(game));
        // The results of a quarantined worker are about to be discarded.
        if is_known || self.quarantined.contains(worker) {
            return Ok(());
        }
        let asked = self.asked(*key)?;
        let games = match check::pair(&self.run.state.config, &asked, value) {
            Ok(games) => games,
            Err(fault) => {
                let reason = format!("its result of pair {} is none: {fault}", key + 1);
                return self.quarantine(worker, &reason);
            }
        };
        for game in games {
            if !self.run.state.schedule.has(game.record.plan.game) {
                self.record(game, worker)?;
            }
            if self.quarantined.contains(worker) {
                break;
            }
        }
        self.last_news = now();
        report(RunEvent::Progress(self.run.state.progress()));
        Ok(())
    }

    fn record(&mut self, game: PlayedGame, worker: &str) -> Result<()> {
        let PlayedGame {
            mut record,
            transcript,
        } = game;
        let scale = record.machine.take().and_then(|machine| machine.time_scale);
        // The broker, not the worker, decides which worker played the game.
        record.machine = Some(Machine {
            worker: worker.to_owned(),
            time_scale: scale,
        });
        let run = &mut *self.run;
        run.ledger.record(&mut record, transcript.as_deref())?;
        run.ledger.note_incidents(&record)?;
        run.state.add(&record).map_err(RunError::from)?;
        self.roll.add(&record);
        check_faults(&self.run.state, self.run.max_faults, &record)?;
        let engines = self.run.state.config.engines.len();
        let strikes = self.strikes.entry(worker.to_owned());
        let strikes = strikes.or_insert_with(|| Strikes::new(engines));
        match strikes.note(&record) {
            Ok(()) => Ok(()),
            Err(out) => self.struck_out(worker, out),
        }
    }

    /// While no results arrive: looks for missed results, checks whether the job was stopped, and
    /// reports the workers.
    fn quiet(&mut self) -> Result<()> {
        if now() - self.last_news < QUIET {
            return Ok(());
        }
        self.last_news = now();
        let progress = self.call(|broker, job| broker.progress(job))?;
        if let Some(reason) = progress.stopped {
            let job = self.run.fleet.job.clone();
            return Err(CoordinateError::Stopped { job, reason });
        }
        if 2 * progress.done != self.run.state.tally.games() {
            self.cursor = 0;
            return Ok(());
        }
        let workers = self.call(|broker, _| broker.workers())?;
        let quiet_ms = u64::try_from(QUIET.as_millis()).unwrap_or(u64::MAX);
        let is_there =
            |one: &&queue::WorkerState| one.quarantined.is_none() && one.silent_ms < 2 * quiet_ms;
        let there = workers.iter().filter(is_there).count();
        (self.run.say)(&format!(
            "no result for {} s; workers heard of lately: {there}",
            QUIET.as_secs()
        ));
        Ok(())
    }
}

// Quarantine: the games of a worker are discarded, and played again by others.

impl Desk<'_, '_> {
    /// Counts the recorded games, and completes the quarantine of workers noted earlier.
    fn begin(&mut self) -> Result<()> {
        let all = self.run.ledger.quarantined()?;
        self.quarantined = all
            .iter()
            .map(|one| one.worker.clone())
            .collect::<BTreeSet<_>>();
        for entry in &all {
            self.discard(entry)?;
        }
        // Otherwise `take_out` counts the remaining games.
        if let Some(last) = all.last() {
            self.take_out(last)?;
        } else {
            let records = std::mem::take(&mut self.run.recorded);
            self.roll = StatsByWorker::new(&records);
        }
        self.run.state.quarantined = all;
        Ok(())
    }

    /// Returns true if a worker was quarantined because of its results.
    fn look_at_workers(&mut self, is_last: bool) -> Result<bool> {
        let Some(found) = self.watch.look(&self.roll, is_last) else {
            return Ok(false);
        };
        if found.is_certain() {
            self.quarantine(&found.worker, &found.to_string())?;
            return Ok(true);
        }
        (self.run.say)(&format!(
            "WARNING: worker '{}' and the others disagree, and with so few nobody knows who is right: {found}",
            found.worker
        ));
        Ok(false)
    }

    /// Consecutive losses by faults on one machine: the machine is to blame if the others have
    /// games without such faults, otherwise the engine is.
    fn struck_out(&mut self, worker: &str, out: StruckOut) -> Result<()> {
        let rest = self.roll.rest(worker);
        let name = self.run.state.config.engines[out.engine.0].name.clone();
        if rest.games == rest.faults {
            return Err(RunError::StruckOut { name, out }.into());
        }
        let reason = format!(
            "on its machine engine '{name}' has lost {} games in a row by its own fault, the last by {}: {}; the \
             others have lost {} of {} games by such faults",
            out.games,
            out.kind.as_str(),
            out.detail,
            rest.faults,
            rest.games
        );
        self.quarantine(worker, &reason)
    }

    /// Quarantines a worker and has its games played again. The ledger notes this first, so that a
    /// resumed run can complete it if this program is killed.
    fn quarantine(&mut self, worker: &str, reason: &str) -> Result<()> {
        let games = self.roll.of(worker).games;
        let entry = self.run.ledger.note_quarantined(worker, reason, games)?;
        self.quarantined.insert(worker.to_owned());
        (self.run.say)(&format!(
            "worker '{worker}' is quarantined: {reason}; {} removed and replayed by others",
            match games {
                0 => "no game is".to_owned(),
                1 => "its game is".to_owned(),
                games => format!("its {games} games are"),
            }
        ));
        self.discard(&entry)?;
        self.take_out(&entry)?;
        self.run.state.quarantined.push(entry);
        Ok(())
    }

    fn discard(&self, entry: &Quarantine) -> Result<()> {
        let quarantined = self.call(|broker, _| broker.quarantine(&entry.worker, &entry.reason));
        match quarantined {
            // A new broker may not know this worker.
            Ok(()) | Err(CoordinateError::Broker(BrokerError::NoWorker(_))) => {}
            Err(error) => return Err(error),
        }
        self.call(|broker, job| broker.discard(job, &entry.worker))?;
        Ok(())
    }

    fn take_out(&mut self, entry: &Quarantine) -> Result<()> {
        let run = &mut *self.run;
        let Remaining {
            records,
            identities,
        } = run.ledger.take_out(entry)?;
        let quarantined = std::mem::take(&mut run.state.quarantined);
        let config = run.state.config.clone();
        let mut state = RunState::resumed(config, &records, &identities).map_err(RunError::from)?;
        state.quarantined = quarantined;
        run.state = state;
        self.roll = StatsByWorker::new(&records);
        self.strikes.remove(&entry.worker);
        Ok(())
    }
}
