//! The loop that owns a run: schedule, ledger, tally, reporter.

use std::io;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded};
use kit::Interrupt;
use uci::Cancel;

use super::pinning::{self, PinningError};
use super::state::RunState;
use super::strikes::{Strikes, StruckOut};
use super::worker::{Event, Failure, Shared, Waits, Worker};
use crate::model::{EngineIndex, Fault, GamePlan, GameRecord};
use crate::openings::Openings;
use crate::play::{
    event::{Awaited, AwaitedAnswer, RunEnd, RunEvent},
    game::Rules,
    ledger::{Ledger, LedgerError},
    now,
    player::{Patience, Programs},
    referee::Endgames,
    schedule::{Next, ScheduleError},
};

pub struct Run<'a> {
    pub state: RunState,
    /// The ledger in which games are recorded.
    pub ledger: Ledger,
    pub openings: &'a Openings,
    pub endgames: Option<&'a dyn Endgames>,
    pub patience: Patience,
    /// The programs with which the run began.
    pub programs: Programs,
    /// Maximum number of games lost by faults; one more aborts the run.
    pub max_faults: Option<u64>,
    /// Set when the user interrupts the run.
    pub interrupt: &'a Interrupt,
}

#[derive(Debug, thiserror::Error)]
pub enum RunError {
    #[error(transparent)]
    Ledger(#[from] LedgerError),
    /// An engine loses game after game by faults.
    #[error(
        "engine '{name}' has lost {} games in a row by its own fault, the last by {}: {}{}",
        out.games, out.kind.as_str(), out.detail, see(out.transcript.as_deref())
    )]
    StruckOut { name: String, out: StruckOut },
    /// More games were lost by faults than allowed.
    #[error(
        "{} lost by a fault, the last by engine '{name}', {}: {}{}",
        if *games == 1 { "a game was".to_owned() } else { format!("{games} games were") },
        fault.kind.as_str(), fault.detail, see(fault.transcript.as_deref())
    )]
    TooManyFaults {
        games: u64,
        /// The engine at fault in the last of them.
        name: String,
        fault: Fault,
    },
    #[error("{error}")]
    Worker {
        error: String,
        is_configuration: bool,
    },
    #[error(transparent)]
    Pinning(#[from] PinningError),
    #[error("cannot start a thread: {0}")]
    Thread(#[source] io::Error),
    /// A game that does not fit the schedule.
    #[error(transparent)]
    Schedule(#[from] ScheduleError),
}

/// Waits longer than this are reported, since users wonder what a run waits for.
const SILENT: Duration = Duration::from_secs(2);
/// How often the length of a wait is updated.
const SHOW_EVERY: Duration = Duration::from_secs(1);

/// The part of a message that names the transcript.
fn see(transcript: Option<&str>) -> String {
    transcript.map_or_else(String::new, |name| {
        format!("; see {name} in the run directory")
    })
}

/// The longest time the loop sleeps without an event.
const SLICE: Duration = Duration::from_millis(50);

/// Plays until all games are played, the test stops, or the user interrupts the run. By then all
/// recorded games are on disk and all engines have exited. `report` is called when the run begins,
/// while an engine keeps it waiting, when the engines are ready, and after each game.
///
/// # Panics
///
/// If a worker panics.
pub fn run(run: &mut Run<'_>, report: &mut dyn FnMut(RunEvent)) -> Result<RunEnd, RunError> {
    report(RunEvent::Progress(run.state.progress()));
    let ended = if run.state.is_decided() {
        Ok(RunEnd::Decided)
    } else {
        play(run, report)
    };
    let written = run.ledger.finish();
    let end = ended?;
    written?;
    Ok(end)
}

fn play(run: &mut Run<'_>, report: &mut dyn FnMut(RunEvent)) -> Result<RunEnd, RunError> {
    let config = run.state.config.clone();
    let places = pinning::assign(&config.pinning, &config.engines, config.concurrency)?;
    let cancel = Cancel::new();
    let shared = Shared {
        config: &config,
        openings: run.openings,
        rules: Rules {
            adjudication: &config.adjudication,
            endgames: run.endgames,
        },
        patience: run.patience,
        programs: &run.programs.clone(),
        cancel: &cancel,
    };
    std::thread::scope(|scope| {
        let games = config.concurrency;
        let (job_sender, jobs) = bounded(games);
        let (event_sender, events) = bounded(4 * games);
        let waits = Waits::default();
        let mut started = Ok(());
        for number in 0..games {
            let worker = Worker {
                number,
                shared,
                places: &places,
                jobs: jobs.clone(),
                events: event_sender.clone(),
                waits: waits.clone(),
            };
            let builder = std::thread::Builder::new().name(format!("game {number}"));
            if let Err(error) = builder.spawn_scoped(scope, || worker.work()) {
                started = Err(RunError::Thread(error));
                break;
            }
        }
        drop((jobs, event_sender));
        let mut dispatch = Dispatch {
            strikes: Strikes::new(config.engines.len()),
            run,
            report,
            outstanding: 0,
            is_ready: false,
            tried: None,
            waits,
            is_waiting: false,
            shown: None,
        };
        let end = started.and_then(|()| dispatch.dispatch(&job_sender, &events));
        if !matches!(end, Ok(RunEnd::Done)) {
            cancel.set();
        }
        drop(job_sender);
        dispatch.drain(&events, end)
    })
}

struct Dispatch<'d, 'a> {
    run: &'d mut Run<'a>,
    report: &'d mut dyn FnMut(RunEvent),
    strikes: Strikes,
    /// Number of games given to workers and not over.
    outstanding: usize,
    /// Whether the engines have been checked.
    is_ready: bool,
    /// The engine being checked, the command sent to it, and since when.
    tried: Option<(EngineIndex, Option<String>, Instant)>,
    waits: Waits,
    /// Whether the last wait that was reported is not over.
    is_waiting: bool,
    /// When a wait was last reported.
    shown: Option<Instant>,
}

impl Dispatch<'_, '_> {
    fn dispatch(
        &mut self,
        jobs: &Sender<GamePlan>,
        events: &Receiver<Event>,
    ) -> Result<RunEnd, RunError> {
        loop {
            if self.run.interrupt.has_come() {
                return Ok(RunEnd::Interrupted);
            }
            if self.is_ready && self.give(jobs) && self.outstanding == 0 {
                return Ok(RunEnd::Done);
            }
            match events.recv_timeout(SLICE) {
                Ok(event) => self.take(event)?,
                Err(RecvTimeoutError::Timeout) => self.run.ledger.sync_if_due()?,
                Err(RecvTimeoutError::Disconnected) => {
                    return Err(RunError::Worker {
                        error: "all workers have ended".to_owned(),
                        is_configuration: false,
                    });
                }
            }
            self.report_waiting();
            if self.run.state.is_decided() {
                return Ok(RunEnd::Decided);
            }
        }
    }

    /// Once a second, reports the engine being checked or else the longest wait.
    fn report_waiting(&mut self) {
        let now = now();
        if self.shown.is_some_and(|shown| now - shown < SHOW_EVERY) {
            return;
        }
        let tried = self.tried.as_ref().map(|(engine, command, since)| {
            let protocol = self.run.state.config.engines[engine.0].protocol;
            let greeting = || AwaitedAnswer::greeting(protocol);
            let what = command.clone().map_or_else(greeting, AwaitedAnswer::Trial);
            (*engine, what, *since, false)
        });
        let longest = now
            .checked_sub(SILENT)
            .and_then(|then| self.waits.longest(then));
        let longest = longest.map(|(engine, one)| (engine, one.what, one.since, one.is_timed));
        let awaited = tried
            .or(longest)
            .filter(|(_, _, since, _)| now - *since >= SILENT);
        if awaited.is_some() || self.is_waiting {
            self.is_waiting = awaited.is_some();
            self.shown = Some(now);
            let awaited = awaited.map(|(engine, what, since, is_timed)| Awaited {
                engine: self.run.state.config.engines[engine.0].name.clone(),
                what,
                elapsed: now - since,
                is_timed,
            });
            (self.report)(RunEvent::Waiting(awaited));
        }
    }

    /// Queues a game for each worker in advance, so that none of them waits for this loop. Returns
    /// true if all games of the schedule have been given.
    fn give(&mut self, jobs: &Sender<GamePlan>) -> bool {
        while !jobs.is_full() {
            match self.run.state.schedule.next() {
                Next::Game(plan) => {
                    self.outstanding += 1;
                    // The queue has room, since only this loop fills it. That all workers ended is
                    // an event.
                    if jobs.try_send(plan).is_err() {
                        return false;
                    }
                }
                Next::Wait => return false,
                Next::Done => return true,
            }
        }
        false
    }

    fn take(&mut self, event: Event) -> Result<(), RunError> {
        match event {
            Event::Trying { engine, command } => self.tried = Some((engine, command, now())),
            Event::Ready => {
                self.is_ready = true;
                (self.tried, self.is_waiting) = (None, false);
                (self.report)(RunEvent::Waiting(None));
            }
            Event::Finished { record, transcript } => {
                self.outstanding -= 1;
                self.record(*record, transcript.as_deref())?;
            }
            Event::Abandoned => self.outstanding -= 1,
            Event::Failed(Failure {
                error,
                is_configuration,
            }) => {
                return Err(RunError::Worker {
                    error,
                    is_configuration,
                });
            }
        }
        Ok(())
    }

    /// Updates the ledger, then the tally, then the reporter.
    fn record(&mut self, mut record: GameRecord, transcript: Option<&str>) -> Result<(), RunError> {
        self.run.ledger.record(&mut record, transcript)?;
        self.run.ledger.note_incidents(&record)?;
        self.run.state.add(&record)?;
        (self.report)(RunEvent::Progress(self.run.state.progress()));
        check_faults(&self.run.state, self.run.max_faults, &record)?;
        self.strikes
            .note(&record)
            .map_err(|out| RunError::StruckOut {
                name: self.run.state.config.engines[out.engine.0].name.clone(),
                out,
            })
    }

    /// Waits until all workers have ended. Games that were finished when the user interrupted the
    /// run are recorded; those finished when the test stopped or the run failed are not.
    fn drain(
        &mut self,
        events: &Receiver<Event>,
        mut end: Result<RunEnd, RunError>,
    ) -> Result<RunEnd, RunError> {
        for event in events {
            if matches!(end, Ok(RunEnd::Interrupted))
                && matches!(event, Event::Finished { .. })
                && let Err(error) = self.take(event)
            {
                end = Err(error);
            }
        }
        end
    }
}

/// Fails if more games were lost by faults than the user allows.
fn check_faults(
    state: &RunState,
    max_faults: Option<u64>,
    record: &GameRecord,
) -> Result<(), RunError> {
    let games: u64 = state.tally.faults().values().sum();
    match (max_faults, &record.fault) {
        (Some(max), Some(fault)) if games > max => Err(RunError::TooManyFaults {
            games,
            name: state.config.engines[fault.engine.0].name.clone(),
            fault: fault.clone(),
        }),
        _ => Ok(()),
    }
}
