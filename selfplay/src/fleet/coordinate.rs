//! The one loop that owns a run whose pairs are played elsewhere.
//!
//! The broker has the results, the run directory what was made of them. Each result is checked, recorded,
//! counted, told, in this order; a game that is recorded already is passed over. So a coordinator that was killed
//! reads all results again and goes on as if it had never stopped.

mod suspects;

use std::collections::{BTreeMap, BTreeSet};
use std::time::{Duration, Instant};

use ::fleet::{Broker, BrokerError, Chunk, Job, Recorded, Second, Unit};
use kit::Interrupt;

use super::check;
use super::conduct::Roll;
use super::deviation::Watch;
use super::patient::{ask, now, pause};
use super::words::{JobBody, KIND, PlayedGame, UnitBody, Words};
use crate::ledger::{FleetJob, Ledger, LedgerError};
use crate::model::{EngineIndex, GameRecord, Machine, PairNumber, Pairing};
use crate::openings::Openings;
use crate::run::{End, RunError, State, Strikes, check_faults};
use crate::stats::SprtState;

/// The most pairs of a test that is given no number of them: all must be told to the broker before the first is
/// played.
pub const MOST_PAIRS: u64 = 100_000;
/// Results that are asked for at a time.
const PAGE: u32 = 64;
/// Between two looks for results.
const LOOK: Duration = Duration::from_millis(200);
/// Without news for so long, all results are counted again, and the user told who works.
const QUIET: Duration = Duration::from_secs(30);

/// A run that is played elsewhere.
pub struct Coordinator<'a> {
    /// Where workers are met.
    pub broker: &'a dyn Broker,
    /// How the run is known there.
    pub fleet: FleetJob,
    /// What every worker must know.
    pub body: JobBody,
    /// What is known of it.
    pub state: State,
    /// The games that are recorded already; openings and moves are not needed.
    pub recorded: Vec<GameRecord>,
    /// Where games are recorded.
    pub ledger: Ledger,
    /// Where games begin.
    pub openings: &'a Openings,
    /// It ends once more games than this were lost by faults.
    pub max_faults: Option<u64>,
    /// Whether the user wants it to end.
    pub interrupt: &'a Interrupt,
    /// Where notes for the user go.
    pub say: &'a (dyn Fn(&str) + Sync),
}

/// Why a run cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum CoordinateError {
    /// As on one machine.
    #[error(transparent)]
    Run(#[from] RunError),
    /// The broker fails.
    #[error("{}", super::patient::chain(.0))]
    Broker(#[from] BrokerError),
    /// Somebody has stopped the job.
    #[error("job {job} was stopped: {reason}")]
    Stopped {
        /// Its name.
        job: String,
        /// Why.
        reason: String,
    },
}

impl From<LedgerError> for CoordinateError {
    fn from(error: LedgerError) -> Self {
        Self::Run(error.into())
    }
}

type Result<T> = std::result::Result<T, CoordinateError>;

/// Puts the job and takes results until all are in, the test is decided, or the user wants no more. The job is
/// stopped once the test is decided; it goes on where the user ends this program. `watch` is shown the
/// run as it begins and after each pair.
///
/// # Errors
///
/// When it cannot go on. What was recorded stays recorded, and the job stays.
pub fn coordinate(run: &mut Coordinator<'_>, watch: &mut dyn FnMut(&State)) -> Result<End> {
    let roll = Roll::default();
    let mut desk = Desk {
        run,
        roll,
        watch: Watch::default(),
        strikes: BTreeMap::new(),
        aside: BTreeSet::new(),
        cursor: 0,
        last_news: now(),
    };
    let ended = desk.run_all(watch);
    let written = desk.run.ledger.finish();
    let end = match ended {
        // A broker that is gone when the user wants to end is no matter.
        Err(CoordinateError::Broker(_)) if desk.run.interrupt.has_come() => End::Interrupted,
        ended => ended?,
    };
    written?;
    Ok(end)
}

struct Desk<'d, 'a> {
    run: &'d mut Coordinator<'a>,
    roll: Roll,
    watch: Watch,
    /// Games in a row that were lost by faults, by worker.
    strikes: BTreeMap<String, Strikes>,
    /// Workers whose results do not count.
    aside: BTreeSet<String>,
    /// The number of the last result that was read.
    cursor: u64,
    /// When the last result came, or its absence was told.
    last_news: Instant,
}

impl Desk<'_, '_> {
    fn run_all(&mut self, watch: &mut dyn FnMut(&State)) -> Result<End> {
        self.put()?;
        self.begin()?;
        watch(&self.run.state);
        loop {
            if self.run.interrupt.has_come() {
                return Ok(End::Interrupted);
            }
            let page = self.page()?;
            for result in &page {
                if self.run.state.is_decided() || self.run.interrupt.has_come() {
                    break;
                }
                self.cursor = result.number;
                self.take(result, watch)?;
            }
            if let Some(end) = self.end(watch)? {
                return Ok(end);
            }
            if page.is_empty() {
                self.run.ledger.sync_if_due()?;
                self.quiet()?;
                pause(LOOK, self.run.interrupt);
            }
        }
    }

    /// Whether it is over: only when nobody is to be set aside does a decision stand.
    fn end(&mut self, watch: &mut dyn FnMut(&State)) -> Result<Option<End>> {
        let is_decided = self.run.state.is_decided();
        let is_all = self.run.state.tally.games() == 2 * self.run.state.config.rounds;
        if self.look_at_workers(is_decided || is_all)? {
            watch(&self.run.state);
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
            return Ok(Some(End::Decided));
        }
        Ok(is_all.then_some(End::Done))
    }

    /// One call, made again while the broker cannot be reached.
    fn call<T>(
        &self,
        mut call: impl FnMut(&dyn Broker, &str) -> std::result::Result<T, BrokerError>,
    ) -> Result<T> {
        let run = &*self.run;
        let answer = ask(run.interrupt, run.say, || call(run.broker, &run.fleet.job));
        Ok(answer?)
    }

    /// Tells the broker of the job; if it knows it, nothing happens.
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
        // An opening that cannot be had ends the chunks early, and then the broker refuses them: ours is the reason.
        let mut broken = None;
        let put = self.call(|broker, _| {
            let (mut next, step, end) = (0, run.fleet.lease_pairs.get(), job.units);
            let mut chunks = std::iter::from_fn(|| {
                let keys = next..(next + step).min(end);
                next = keys.end;
                let units: std::result::Result<Vec<Unit>, _> =
                    keys.map(|key| self.unit(key)).collect();
                match units {
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

    fn unit(&self, key: u64) -> Result<Unit> {
        let body = self.asked(key)?.to_text();
        Ok(Unit { key, body })
    }

    /// What is asked for by the unit of a pair.
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
        Ok(UnitBody { pairing, opening })
    }

    fn page(&self) -> Result<Vec<Recorded>> {
        self.call(|broker, job| broker.results(job, self.cursor, PAGE))
    }

    /// Checks, records, counts and tells a pair.
    fn take(&mut self, result: &Recorded, watch: &mut dyn FnMut(&State)) -> Result<()> {
        let Recorded {
            key, worker, value, ..
        } = result;
        let schedule = &self.run.state.schedule;
        let is_known = [2 * key, 2 * key + 1]
            .iter()
            .all(|&game| schedule.has(game));
        // What a worker brought before it was set aside is about to be forgotten.
        if is_known || self.aside.contains(worker) {
            return Ok(());
        }
        let asked = self.asked(*key)?;
        let games = match check::pair(&self.run.state.config, &asked, value) {
            Ok(games) => games,
            Err(fault) => {
                let reason = format!("its result of pair {} is none: {fault}", key + 1);
                return self.set_aside(worker, &reason);
            }
        };
        for game in games {
            if !self.run.state.schedule.has(game.record.plan.game) {
                self.record(game, worker)?;
            }
            if self.aside.contains(worker) {
                break;
            }
        }
        self.last_news = now();
        watch(&self.run.state);
        Ok(())
    }

    fn record(&mut self, game: PlayedGame, worker: &str) -> Result<()> {
        let PlayedGame {
            mut record,
            transcript,
        } = game;
        let scale = record.machine.take().and_then(|machine| machine.time_scale);
        // Who it was, the broker knows better.
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

    /// When nothing comes: whether something was missed, whether the job was stopped, who works.
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
            |one: &&::fleet::WorkerState| one.set_aside.is_none() && one.silent_ms < 2 * quiet_ms;
        let there = workers.iter().filter(is_there).count();
        (self.run.say)(&format!(
            "no result for {} s; workers heard of lately: {there}",
            QUIET.as_secs()
        ));
        Ok(())
    }
}
