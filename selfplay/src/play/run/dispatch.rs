//! The loop that owns a run: it hands out the games of a [`GameSource`] and takes their results. The
//! source of a match is its schedule with ledger, tally and reporter; a tuning has one of its own.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, RecvTimeoutError, Sender, bounded, unbounded};
use kit::Interrupt;
use uci::Cancel;

use super::pinning::{self, PinningError};
use super::state::RunState;
use super::strikes::{Strikes, StruckOut};
use super::worker::{GameJob, GameWorker, Gate, SharedRun, Waits, WorkerEvent, WorkerFailure};
use crate::model::{EngineIndex, Fault, GamePlan, GameRecord, PairOptions, Pinning, RunConfig};
use crate::openings::Openings;
use crate::play::{
    event::{Awaited, AwaitedAnswer, Control, GameOver, RunEnd, RunEvent},
    game::GameRules,
    ledger::{Ledger, LedgerError},
    now,
    player::{EngineTimeouts, RunPrograms},
    referee::Endgames,
    schedule::{Next, ScheduleError},
};

pub struct Run<'a> {
    pub state: RunState,
    /// The ledger in which games are recorded.
    pub ledger: Ledger,
    pub openings: &'a Openings,
    pub endgames: Option<&'a dyn Endgames>,
    pub patience: EngineTimeouts,
    /// The programs with which the run began.
    pub programs: RunPrograms,
    /// Maximum number of games lost by faults; one more aborts the run.
    pub max_faults: Option<u64>,
    /// Set when the user interrupts the run.
    pub interrupt: &'a Interrupt,
    /// The next thing that the user asks for, if there is one; called again and again.
    pub control: &'a mut dyn FnMut() -> Option<Control>,
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

impl RunError {
    /// Whether the user is to blame, and not an engine or the environment.
    pub fn is_input(&self) -> bool {
        match self {
            Self::Worker {
                is_configuration, ..
            } => *is_configuration,
            Self::Pinning(error) => matches!(
                error,
                PinningError::TooFewCpus { .. } | PinningError::NotUsable { .. }
            ),
            Self::Ledger(error) => !error.is_environment(),
            _ => false,
        }
    }
}

/// Hands out games and takes their results, in any order.
pub(crate) trait GameSource {
    /// Why a result cannot be taken, or why there are no more; errors of the loop are among them.
    type Error: From<RunError>;

    fn next(&mut self) -> Next;

    /// What the engines are set to before this game, if that differs between games.
    fn options(&self, _plan: &GamePlan) -> Option<PairOptions> {
        None
    }

    /// Stores and counts a game; an error ends the run.
    fn record(
        &mut self,
        record: GameRecord,
        transcript: Option<&str>,
        report: &mut dyn FnMut(RunEvent),
    ) -> Result<(), Self::Error>;

    /// Called while no game ends.
    fn idle(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }

    /// Whether the results allow no more games, whatever is handed out.
    fn is_decided(&self) -> bool {
        false
    }

    fn is_over(&self) -> bool;

    fn standing(&self) -> Option<RunEvent> {
        None
    }
}

/// What all games of a run have in common, and how it is controlled.
pub(crate) struct Ground<'a> {
    pub(crate) config: &'a RunConfig,
    pub(crate) openings: &'a Openings,
    pub(crate) endgames: Option<&'a dyn Endgames>,
    pub(crate) patience: EngineTimeouts,
    pub(crate) programs: &'a RunPrograms,
    pub(crate) is_interrupted: &'a dyn Fn() -> bool,
    pub(crate) control: &'a mut dyn FnMut() -> Option<Control>,
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
        let mut source = ScheduledGames {
            strikes: Strikes::new(run.state.config.engines.len()),
            config: &run.state.config.clone(),
            state: &mut run.state,
            ledger: &mut run.ledger,
            max_faults: run.max_faults,
        };
        let ground = Ground {
            config: source.config,
            openings: run.openings,
            endgames: run.endgames,
            patience: run.patience,
            programs: &run.programs,
            is_interrupted: &|| run.interrupt.has_come(),
            control: &mut *run.control,
        };
        play(ground, &mut source, report)
    };
    // Recorded games are synced even if the run has failed, whose error then comes first.
    let written = run.ledger.finish();
    let end = ended?;
    written?;
    Ok(end)
}

/// Plays the games of a source until there are no more, its results end the run, or the user does.
///
/// # Panics
///
/// If a worker panics.
pub(crate) fn play<S: GameSource>(
    ground: Ground<'_>,
    source: &mut S,
    report: &mut dyn FnMut(RunEvent),
) -> Result<RunEnd, S::Error> {
    let config = ground.config;
    let places = pinning::assign(&config.pinning, &config.engines, config.concurrency);
    let places = &Arc::new(places.map_err(RunError::from)?);
    let cancel = Cancel::new();
    let shared = SharedRun {
        config,
        openings: ground.openings,
        rules: GameRules {
            adjudication: &config.adjudication,
            endgames: ground.endgames,
        },
        patience: ground.patience,
        programs: ground.programs,
        cancel: &cancel,
    };
    let gate = &Gate::default();
    std::thread::scope(|scope| {
        let games = config.concurrency;
        // `give` sees to it that only as many games are queued as there are workers.
        let (job_sender, jobs) = unbounded();
        // Bounded: a slow disk holds up the workers, instead of filling the memory with games.
        let (event_sender, events) = bounded(4 * games);
        let waits = Waits::default();
        let (own_waits, queued) = (waits.clone(), jobs.clone());
        let hire = move |number: usize| -> Result<(), RunError> {
            // Those of a worker that comes later are chosen for it alone.
            let (places, place) = if number < games {
                (Arc::clone(places), number)
            } else {
                let is_free = places.are_none() && config.pinning == Pinning::Auto;
                let pinning = if is_free {
                    &Pinning::Off
                } else {
                    &config.pinning
                };
                let own = pinning::assign(pinning, &config.engines, 1)?;
                (Arc::new(own), 0)
            };
            let worker = GameWorker {
                number,
                shared,
                gate,
                places,
                place,
                jobs: jobs.clone(),
                events: event_sender.clone(),
                waits: waits.clone(),
            };
            let builder = std::thread::Builder::new().name(format!("game {number}"));
            let started = builder.spawn_scoped(scope, || worker.work());
            started.map(|_| ()).map_err(RunError::Thread)
        };
        let mut crew = Crew {
            gate,
            jobs: job_sender,
            queued,
            hired: 0,
            hire,
        };
        let started = crew.grow(games);
        let mut dispatch = Dispatch {
            ground,
            source,
            report,
            outstanding: 0,
            is_ready: false,
            tried: None,
            waits: own_waits,
            is_waiting: false,
            shown: None,
            is_finishing: false,
        };
        let end = started.map_err(S::Error::from);
        let end = end.and_then(|()| dispatch.dispatch(&mut crew, &events));
        // Games that are still being played would not count any more, and cost time.
        if !matches!(end, Ok(RunEnd::Done)) {
            cancel.set();
        }
        // Workers that wait for their turn end now.
        gate.open_for(0);
        // Only the workers send events from now on.
        drop(crew);
        dispatch.drain(&events, end)
    })
}

/// The workers, and what it takes to have more.
struct Crew<'c, H> {
    gate: &'c Gate,
    jobs: Sender<GameJob>,
    /// Games that no worker has taken yet.
    queued: Receiver<GameJob>,
    hired: usize,
    /// Starts the worker with this number.
    hire: H,
}

impl<H: FnMut(usize) -> Result<(), RunError>> Crew<'_, H> {
    /// Lets so many workers play; starts those that are missing.
    fn grow(&mut self, workers: usize) -> Result<(), RunError> {
        let before = self.gate.width();
        self.gate.open_for(workers);
        while self.hired < workers {
            // No game may be queued for a worker that could not be started.
            (self.hire)(self.hired).inspect_err(|_| self.gate.open_for(before))?;
            self.hired += 1;
        }
        Ok(())
    }
}

struct Dispatch<'d, 'g, S> {
    ground: Ground<'g>,
    source: &'d mut S,
    report: &'d mut dyn FnMut(RunEvent),
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
    /// Whether no more games are to begin.
    is_finishing: bool,
}

impl<S: GameSource> Dispatch<'_, '_, S> {
    fn dispatch<H: FnMut(usize) -> Result<(), RunError>>(
        &mut self,
        crew: &mut Crew<'_, H>,
        events: &Receiver<WorkerEvent>,
    ) -> Result<RunEnd, S::Error> {
        loop {
            if (self.ground.is_interrupted)() {
                return Ok(RunEnd::Interrupted);
            }
            // Before new games are handed out: the user may have asked for none.
            while let Some(control) = (self.ground.control)() {
                self.obey(control, crew);
            }
            if self.is_finishing {
                if self.outstanding == 0 {
                    // The last game may have been the last of the schedule, and then nothing is
                    // left to resume.
                    let is_over = self.source.is_over();
                    return Ok(if is_over {
                        RunEnd::Done
                    } else {
                        RunEnd::Interrupted
                    });
                }
            } else if self.is_ready && self.give(crew) && self.outstanding == 0 {
                return Ok(RunEnd::Done);
            }
            match events.recv_timeout(SLICE) {
                Ok(event) => self.take(event)?,
                Err(RecvTimeoutError::Timeout) => self.source.idle()?,
                // The workers hold the sender, so without one of them nothing can come any more.
                Err(RecvTimeoutError::Disconnected) => {
                    let error = "all workers have ended".to_owned();
                    let is_configuration = false;
                    return Err((RunError::Worker {
                        error,
                        is_configuration,
                    })
                    .into());
                }
            }
            self.report_waiting();
            if self.source.is_decided() {
                return Ok(RunEnd::Decided);
            }
        }
    }

    fn obey<H: FnMut(usize) -> Result<(), RunError>>(
        &mut self,
        control: Control,
        crew: &mut Crew<'_, H>,
    ) {
        let event = match control {
            Control::Standing => match self.source.standing() {
                Some(standing) => standing,
                None => return,
            },
            Control::Unknown => RunEvent::Misunderstood,
            Control::Finish => {
                self.is_finishing = true;
                // Games that no worker has taken are not begun any more.
                while crew.queued.try_recv().is_ok() {
                    self.outstanding -= 1;
                }
                RunEvent::Finishing(self.outstanding)
            }
            Control::Concurrency(games) => {
                let changed = RunConfig {
                    concurrency: games,
                    ..self.ground.config.clone()
                };
                let check = |config| pinning::check(config, pinning::machine());
                // One that is too large as it is was forced.
                let is_more = games > crew.gate.width() && check(self.ground.config).is_ok();
                let checked = match check(&changed) {
                    Err(error) if is_more => Err(error.to_string()),
                    _ => crew.grow(games).map_err(|error| error.to_string()),
                };
                RunEvent::Concurrency(checked.map(|()| games))
            }
        };
        (self.report)(event);
    }

    /// Once a second, reports the engine being checked or else the longest wait.
    fn report_waiting(&mut self) {
        let now = now();
        if self.shown.is_some_and(|shown| now - shown < SHOW_EVERY) {
            return;
        }
        let tried = self.tried.as_ref().map(|(engine, command, since)| {
            let protocol = self.ground.config.engines[engine.0].protocol;
            let greeting = || AwaitedAnswer::greeting(protocol);
            let what = command.clone().map_or_else(greeting, AwaitedAnswer::Trial);
            (*engine, what, *since, false)
        });
        let longest = now
            .checked_sub(SILENT)
            .and_then(|then| self.waits.longest(then));
        let longest = longest.map(|(engine, one)| (engine, one.what, one.since, one.is_timed));
        // A check of an engine comes first: all games wait for it.
        let awaited = tried
            .or(longest)
            .filter(|(_, _, since, _)| now - *since >= SILENT);
        if awaited.is_some() || self.is_waiting {
            self.is_waiting = awaited.is_some();
            self.shown = Some(now);
            let awaited = awaited.map(|(engine, what, since, is_timed)| Awaited {
                engine: self.ground.config.engines[engine.0].name.clone(),
                what,
                elapsed: now - since,
                is_timed,
            });
            (self.report)(RunEvent::Waiting(awaited));
        }
    }

    /// Queues a game for each worker in advance, so that none of them waits for this loop. Returns
    /// true if all games of the schedule have been given.
    fn give<H>(&mut self, crew: &Crew<'_, H>) -> bool {
        while crew.jobs.len() < crew.gate.width() {
            match self.source.next() {
                Next::Game(plan) => {
                    self.outstanding += 1;
                    let options = self.source.options(&plan);
                    let job = GameJob { plan, options };
                    crew.jobs.send(job).expect("the crew has a receiver");
                }
                Next::Wait => return false,
                Next::Done => return true,
            }
        }
        false
    }

    fn take(&mut self, event: WorkerEvent) -> Result<(), S::Error> {
        match event {
            WorkerEvent::Trying { engine, command } => self.tried = Some((engine, command, now())),
            WorkerEvent::Ready => {
                self.is_ready = true;
                (self.tried, self.is_waiting) = (None, false);
                (self.report)(RunEvent::Waiting(None));
                (self.report)(RunEvent::Ready);
            }
            WorkerEvent::Finished { record, transcript } => {
                self.outstanding -= 1;
                (self.source).record(*record, transcript.as_deref(), self.report)?;
            }
            // A game that was cancelled has no result, and is played again when the run is resumed.
            WorkerEvent::Abandoned => self.outstanding -= 1,
            WorkerEvent::Failed(WorkerFailure {
                error,
                is_configuration,
            }) => {
                let failed = RunError::Worker {
                    error,
                    is_configuration,
                };
                return Err(failed.into());
            }
        }
        Ok(())
    }

    /// Waits until all workers have ended. Games that were finished when the user interrupted the
    /// run are recorded; those finished when the test stopped or the run failed are not.
    fn drain(
        &mut self,
        events: &Receiver<WorkerEvent>,
        mut end: Result<RunEnd, S::Error>,
    ) -> Result<RunEnd, S::Error> {
        for event in events {
            if matches!(end, Ok(RunEnd::Interrupted))
                && matches!(event, WorkerEvent::Finished { .. })
                && let Err(error) = self.take(event)
            {
                end = Err(error);
            }
        }
        end
    }
}

/// The games of a schedule, recorded in a ledger.
struct ScheduledGames<'a> {
    config: &'a RunConfig,
    state: &'a mut RunState,
    ledger: &'a mut Ledger,
    max_faults: Option<u64>,
    strikes: Strikes,
}

impl GameSource for ScheduledGames<'_> {
    type Error = RunError;

    fn next(&mut self) -> Next {
        self.state.schedule.next()
    }

    /// Updates the ledger, then the tally, then the reporter.
    fn record(
        &mut self,
        mut record: GameRecord,
        transcript: Option<&str>,
        report: &mut dyn FnMut(RunEvent),
    ) -> Result<(), RunError> {
        // First the disk: what was counted or shown must not be lost in a crash.
        self.ledger.record(&mut record, transcript)?;
        self.ledger.note_incidents(&record)?;
        self.state.add(&record)?;
        report(RunEvent::Game(Box::new(self.over(&record))));
        report(RunEvent::Progress(self.state.progress()));
        // After the record, so that the game that ends the run is in the ledger as well.
        check_faults(self.state, self.max_faults, &record)?;
        self.strikes
            .note(&record)
            .map_err(|out| RunError::StruckOut {
                name: self.config.engines[out.engine.0].name.clone(),
                out,
            })
    }

    fn idle(&mut self) -> Result<(), RunError> {
        Ok(self.ledger.sync_if_due()?)
    }

    fn is_decided(&self) -> bool {
        self.state.is_decided()
    }

    fn is_over(&self) -> bool {
        self.state.is_over()
    }

    fn standing(&self) -> Option<RunEvent> {
        Some(RunEvent::Standing(Box::new(self.state.result())))
    }
}

impl ScheduledGames<'_> {
    fn over(&self, record: &GameRecord) -> GameOver {
        let name = |engine: EngineIndex| self.config.engines[engine.0].name.clone();
        GameOver {
            number: record.plan.game + 1,
            white: name(record.plan.white),
            black: name(record.plan.black),
            result: record.result,
            end: match &record.fault {
                Some(fault) => format!("{} by {}", fault.kind.as_str(), name(fault.engine)),
                None => record.termination.as_str().to_owned(),
            },
            plies: record.moves.len(),
        }
    }
}

/// Fails if more games were lost by faults than the user allows.
fn check_faults(
    state: &RunState,
    max_faults: Option<u64>,
    record: &GameRecord,
) -> Result<(), RunError> {
    // Faults of games before a resumption count too: the limit is one of the whole run.
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
