//! A thread that plays games, with two engines of its own.

use std::sync::mpsc::{Receiver, Sender};
use std::thread;

use uci::Cancel;

use super::config::TuneConfig;
use super::error::RunError;
use super::queue::{MINUS, PLUS, Task};
use crate::model::{EngineConfig, EngineIndex};
use crate::openings::Openings;
use crate::play::game::{self, Played, Players, Rules};
use crate::play::player::{Patience, Player, PlayerError};

/// Messages of a worker to the loop that owns the run.
pub(super) enum Event {
    Played {
        worker: usize,
        played: Box<Played>,
    },
    /// A game could not be completed.
    Stopped {
        worker: usize,
        error: RunError,
    },
    Dead,
}

/// What all games of a run have in common.
#[derive(Clone, Copy)]
pub(super) struct Ground<'a> {
    pub(super) config: &'a TuneConfig,
    pub(super) openings: &'a Openings,
    pub(super) rules: Rules<'a>,
}

/// Plays games as they arrive, until the channel closes.
pub(super) fn work(
    worker: usize,
    ground: Ground<'_>,
    tasks: Receiver<Task>,
    events: &Sender<Event>,
    cancel: &Cancel,
) {
    let last_word = LastWord(events);
    let mut players = Pair::new(ground.config, cancel);
    for task in tasks {
        let event = match players.play(&task, ground) {
            Ok(played) => Event::Played {
                worker,
                played: Box::new(played),
            },
            Err(error) => Event::Stopped { worker, error },
        };
        // The receiver is gone, so no work is left.
        if events.send(event).is_err() {
            break;
        }
    }
    players.quit();
    drop(last_word);
}

/// One of the two players of a tuning. Options are in the order of the configuration: first the
/// fixed ones, then the tuned ones.
pub(super) fn player(config: &TuneConfig, index: EngineIndex, cancel: &Cancel) -> Player {
    let name = if index == PLUS { "plus" } else { "minus" };
    let parameters = config.parameters.iter();
    let tuned = parameters.map(|one| (one.name.clone(), one.nearest(one.start)));
    let engine = EngineConfig {
        name: format!("{} ({name})", config.engine.name),
        options: config.engine.options.iter().cloned().chain(tuned).collect(),
        ..config.engine.clone()
    };
    Player::new(index, engine, Patience::default(), cancel.clone())
}

struct Pair {
    plus: Player,
    minus: Player,
}

impl Pair {
    fn new(config: &TuneConfig, cancel: &Cancel) -> Self {
        Self {
            plus: player(config, PLUS, cancel),
            minus: player(config, MINUS, cancel),
        }
    }

    fn play(&mut self, task: &Task, ground: Ground<'_>) -> Result<Played, RunError> {
        let opening = ground.openings.get(task.plan.pairing.opening)?;
        let plus = set(&mut self.plus, &task.plus)?;
        let minus = set(&mut self.minus, &task.minus)?;
        let (white, black) = if task.plan.white == PLUS {
            (&mut self.plus, &mut self.minus)
        } else {
            (&mut self.minus, &mut self.plus)
        };
        let players = Players { white, black };
        let mut played = game::play(&task.plan, &opening, players, ground.rules)?;
        played.record.incidents.extend(plus);
        played.record.incidents.extend(minus);
        Ok(played)
    }

    fn quit(&mut self) {
        self.plus.quit();
        self.minus.quit();
    }
}

fn set(
    player: &mut Player,
    options: &[(String, String)],
) -> Result<Option<crate::model::Fault>, PlayerError> {
    let incident = player.reconfigure(options)?;
    Ok(incident.map(|incident| crate::model::Fault {
        engine: player.index(),
        kind: incident.kind,
        detail: incident.detail,
        transcript: None,
    }))
}

/// Reports a panic of its thread, so that the receiver does not wait forever.
struct LastWord<'a>(&'a Sender<Event>);

impl Drop for LastWord<'_> {
    fn drop(&mut self) {
        if thread::panicking() {
            // If the receiver is gone, nothing waits for the event.
            let _ = self.0.send(Event::Dead);
        }
    }
}
