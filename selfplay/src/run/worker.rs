//! A worker: plays one game at a time, with players of its own.

use std::collections::BTreeMap;

use crossbeam_channel::{Receiver, Sender};
use engine::client::Cancel;

use super::affinity;
use crate::game::{GameError, Players, Rules, play};
use crate::model::{EngineIndex, Event, FaultKind, GamePlan, RunConfig};
use crate::openings::Openings;
use crate::player::{Patience, Player, PlayerError};

/// What all workers share.
#[derive(Clone, Copy)]
pub(super) struct Shared<'a> {
    pub(super) config: &'a RunConfig,
    pub(super) openings: &'a Openings,
    pub(super) rules: Rules<'a>,
    pub(super) patience: Patience,
    /// Set when games are to be broken off.
    pub(super) cancel: &'a Cancel,
}

/// A worker.
pub(super) struct Worker<'a> {
    pub(super) number: usize,
    pub(super) shared: Shared<'a>,
    /// The CPUs that are its own.
    pub(super) cpus: Option<Vec<usize>>,
    pub(super) jobs: Receiver<GamePlan>,
    pub(super) events: Sender<Event>,
}

/// Why a worker cannot go on.
struct Failure {
    error: String,
    is_configuration: bool,
}

impl Worker<'_> {
    /// Plays what it is given, until there is no more or it is called off. Its engines are gone then.
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

    /// The loop that owns the run no longer listens once it ends.
    fn tell(&self, event: Event) {
        let _ = self.events.send(event);
    }

    fn play_all(&self) -> Result<(), Failure> {
        if let Some(cpus) = &self.cpus {
            affinity::pin(cpus).map_err(|error| Failure {
                error: format!("cannot pin a game to CPU {cpus:?}: {error}"),
                is_configuration: false,
            })?;
        }
        let mut players = self.players();
        // One worker is enough to find out what is wrong with a configuration.
        if self.number == 0 {
            self.verify(&mut players)?;
            let worker = self.number;
            self.tell(Event::Ready { worker });
        }
        for plan in &self.jobs {
            if self.shared.cancel.is_set() {
                break;
            }
            self.play(plan, &mut players)?;
        }
        if !self.shared.cancel.is_set() {
            players.values_mut().for_each(Player::quit);
        }
        Ok(())
    }

    fn players(&self) -> BTreeMap<EngineIndex, Player> {
        let engines = self.shared.config.engines.iter().enumerate();
        let players = engines.map(|(index, config)| {
            let index = EngineIndex(index);
            let Shared {
                patience, cancel, ..
            } = self.shared;
            (
                index,
                Player::new(index, config.clone(), patience, cancel.clone()),
            )
        });
        players.collect()
    }

    /// Starts every engine and sets its options.
    fn verify(&self, players: &mut BTreeMap<EngineIndex, Player>) -> Result<(), Failure> {
        let chess960 = self.shared.config.openings.is_chess960();
        for (&engine, player) in players {
            self.tell(Event::Trying { engine });
            match player.verify(chess960) {
                Ok(()) => {}
                Err(PlayerError::Cancelled) => return Ok(()),
                Err(error @ PlayerError::Setup(_)) => {
                    return Err(Failure {
                        error: error.to_string(),
                        is_configuration: true,
                    });
                }
                Err(error) => {
                    let name = &player.config().name;
                    return Err(Failure {
                        error: format!("engine '{name}': {error}{}", hint(&error)),
                        is_configuration: false,
                    });
                }
            }
        }
        Ok(())
    }

    fn play(
        &self,
        plan: GamePlan,
        players: &mut BTreeMap<EngineIndex, Player>,
    ) -> Result<(), Failure> {
        let worker = self.number;
        self.tell(Event::Started { worker, plan });
        let opening = self.shared.openings.get(plan.pairing.opening);
        let opening = opening.map_err(|error| Failure {
            error: error.to_string(),
            is_configuration: false,
        })?;
        let mut take = |index| {
            players
                .remove(&index)
                .expect("there is one for each engine")
        };
        let (mut white, mut black) = (take(plan.white), take(plan.black));
        let both = Players {
            white: &mut white,
            black: &mut black,
        };
        let played = play(&plan, &opening, both, self.shared.rules);
        players.extend([(plan.white, white), (plan.black, black)]);
        match played {
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

/// What may help.
const fn hint(error: &PlayerError) -> &'static str {
    match error {
        PlayerError::Fault {
            kind: FaultKind::NoUciok,
            ..
        } => "; is it a UCI engine, and does it need arguments (args=) to be one?",
        _ => "",
    }
}

const fn is_configuration(error: &GameError) -> bool {
    match error {
        GameError::Opening(_) => true,
        GameError::Player { source, .. } => matches!(source, PlayerError::Setup(_)),
        GameError::Cancelled => false,
    }
}

/// Tells of a worker that panics, so that nobody waits for its game.
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
