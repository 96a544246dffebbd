//! A worker: plays one game at a time with its own players.

use crossbeam_channel::{Receiver, Sender};
use uci::Cancel;

use super::engine_pool::Crew;
use super::pinning;
use crate::model::{Event, FaultKind, GamePlan, RunConfig};
use crate::openings::Openings;
use crate::play::game::{GameError, Rules};
use crate::play::player::{Patience, PlayerError};

/// Shared by all workers.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) config: &'a RunConfig,
    pub(super) openings: &'a Openings,
    pub(super) rules: Rules<'a>,
    pub(super) patience: Patience,
    /// Set to abort games.
    pub(super) cancel: &'a Cancel,
}

pub(super) struct Worker<'a> {
    pub(super) number: usize,
    pub(super) shared: Shared<'a>,
    /// The CPUs it is pinned to.
    pub(super) cpus: Option<Vec<usize>>,
    pub(super) jobs: Receiver<GamePlan>,
    pub(super) events: Sender<Event>,
}

/// Why a worker cannot continue.
struct Failure {
    error: String,
    is_configuration: bool,
}

impl Worker<'_> {
    /// Plays games until there are no more or it is cancelled. All its engines have exited then.
    pub(super) fn work(self) {
        let _alarm = Alarm(&self);
        if let Err(Failure {
            error,
            is_configuration,
        }) = self.play_all()
        {
            self.tell(Event::Failed {
                worker: self.number,
                error,
                is_configuration,
            });
        }
    }

    /// A closed channel is no error: the loop that owns the run stops listening once it ends.
    fn tell(&self, event: Event) {
        let _ = self.events.send(event);
    }

    fn play_all(&self) -> Result<(), Failure> {
        if let Some(cpus) = &self.cpus {
            pinning::pin(cpus).map_err(|error| Failure {
                error: format!("cannot pin a game to CPU {cpus:?}: {error}"),
                is_configuration: false,
            })?;
        }
        let Shared {
            config,
            patience,
            cancel,
            ..
        } = self.shared;
        let mut crew = Crew::new(&config.engines, patience, cancel);
        let (worker, events) = (self.number, self.events.clone());
        crew.on_slow_move(move |slow| {
            // Nobody listens once the run ends.
            let _ = events.send(Event::Slow { worker, slow });
        });
        // One worker is enough to find configuration errors.
        if self.number == 0 {
            self.verify(&mut crew)?;
            let worker = self.number;
            self.tell(Event::Ready { worker });
        }
        for plan in &self.jobs {
            if cancel.is_set() {
                break;
            }
            self.play(plan, &mut crew)?;
        }
        if !cancel.is_set() {
            crew.quit();
        }
        Ok(())
    }

    /// Starts every engine and sets its options.
    fn verify(&self, crew: &mut Crew) -> Result<(), Failure> {
        let chess960 = self.shared.config.openings.is_chess960();
        let verified = crew.verify(chess960, |engine, asked| {
            self.tell(Event::Trying { engine, asked });
        });
        match verified {
            Ok(()) | Err((_, PlayerError::Cancelled)) => Ok(()),
            Err((name, error)) => Err(Failure {
                is_configuration: matches!(error, PlayerError::Setup(_)),
                error: not_started(&name, &error),
            }),
        }
    }

    fn play(&self, plan: GamePlan, crew: &mut Crew) -> Result<(), Failure> {
        let worker = self.number;
        self.tell(Event::Started { worker, plan });
        let opening = self.shared.openings.get(plan.pairing.opening);
        let opening = opening.map_err(|error| Failure {
            error: error.to_string(),
            is_configuration: false,
        })?;
        match crew.play(&plan, &opening, self.shared.rules) {
            Ok(played) => {
                self.tell(Event::Finished {
                    worker,
                    record: Box::new(played.record),
                    transcript: played.transcript,
                });
                Ok(())
            }
            Err(GameError::Cancelled) => {
                self.tell(Event::Abandoned { worker, plan });
                Ok(())
            }
            Err(error) => Err(Failure {
                is_configuration: is_configuration(&error),
                error: error.to_string(),
            }),
        }
    }
}

/// Describes why an engine cannot be used.
pub(crate) fn not_started(name: &str, error: &PlayerError) -> String {
    match error {
        // These messages already contain the name.
        PlayerError::Setup(_) | PlayerError::Disobedient(_) => error.to_string(),
        _ => format!("engine '{name}': {error}{}", hint(error)),
    }
}

/// A remedy to suggest.
const fn hint(error: &PlayerError) -> &'static str {
    match error {
        PlayerError::Fault {
            kind: FaultKind::NoUciok,
            ..
        } => "; is it a UCI engine, and does it need arguments (args=) to be one?",
        _ => "",
    }
}

pub(crate) const fn is_configuration(error: &GameError) -> bool {
    match error {
        GameError::Opening(_) => true,
        GameError::Player { source, .. } => matches!(source, PlayerError::Setup(_)),
        GameError::Cancelled => false,
    }
}

/// Reports a worker that panics, so that the loop does not wait for its game.
struct Alarm<'w, 'a>(&'w Worker<'a>);

impl Drop for Alarm<'_, '_> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            self.0.tell(Event::Failed {
                worker: self.0.number,
                error: "a worker has panicked".to_owned(),
                is_configuration: false,
            });
        }
    }
}
