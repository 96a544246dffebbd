//! One engine over many games.
//!
//! A player starts its engine when a game needs it, sets its options, announces games, has it think
//! and ponder, and measures its time: from our last byte out to the engine's line in. Every wait is
//! bounded ([`Patience`]) and ends when the work is cancelled. It knows no rules of chess.
//!
//! There is one ping for each game: `ucinewgame` and `isready` go out together. A `bestmove` that
//! answers another position than the one on the board never becomes a move: a search is over before
//! the next one begins, or the engine is killed.

mod disobedience;
mod error;
mod extra;
mod insight;
mod obedience;
mod patience;
mod ponder;
mod start;
mod think;
mod watch;

use std::time::{Duration, Instant};

use uci::grammar::EngineOption;
use uci::{Cancel, Client, Exit};

use crate::model::{EngineConfig, EngineIndex, FaultKind, Restart, SlowMove};
pub use disobedience::Disobedience;
pub use error::{PlayerError, SetupError};
use extra::Extra;
pub use insight::Insight;
pub use patience::Patience;
use ponder::Pondering;
pub use think::{Task, Thought};

/// An engine that plays games, one after another.
#[derive(Debug)]
pub struct Player {
    index: EngineIndex,
    config: EngineConfig,
    patience: Patience,
    cancel: Cancel,
    /// The engine, while it runs.
    client: Option<Client>,
    /// Whether the engine has been started with success.
    is_set_up: bool,
    /// Whether the engine has played before.
    has_played: bool,
    /// Whether the engine has been told that castling is written as in Chess960.
    chess960: bool,
    pondering: Option<Pondering>,
    /// The line `go …`, kept for its memory.
    go_line: String,
    /// Its answers in this game, and those that nobody has asked for.
    extra: Extra,
    on_slow_move: Option<OnSlowMove>,
}

/// What is called with moves that take long.
struct OnSlowMove(Box<dyn FnMut(Option<SlowMove>) + Send>);

impl std::fmt::Debug for OnSlowMove {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OnSlowMove")
    }
}

/// A fault that costs nothing, since no game was on: kept for the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    /// Which fault.
    pub kind: FaultKind,
    /// What happened, in one sentence without a full stop.
    pub detail: String,
}

impl Player {
    /// A player whose engine has not been started.
    pub fn new(
        index: EngineIndex,
        config: EngineConfig,
        patience: Patience,
        cancel: Cancel,
    ) -> Self {
        Self {
            index,
            config,
            patience,
            cancel,
            client: None,
            is_set_up: false,
            has_played: false,
            chess960: false,
            pondering: None,
            go_line: String::new(),
            extra: Extra::default(),
            on_slow_move: None,
        }
    }

    /// Has `report` called with a move that takes longer than 5 s, and with `None` when it is over.
    pub fn on_slow_move(&mut self, report: impl FnMut(Option<SlowMove>) + Send + 'static) {
        self.on_slow_move = Some(OnSlowMove(Box::new(report)));
    }

    /// Which engine it is.
    pub fn index(&self) -> EngineIndex {
        self.index
    }

    /// How the engine is set up.
    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// The number of the engine's process, while it runs. It is that of its group too.
    pub fn process_id(&self) -> Option<u32> {
        self.client.as_ref().map(|client| client.process().id())
    }

    /// The name the engine gives itself, while it runs.
    pub fn identity(&self) -> Option<&str> {
        self.client.as_ref()?.id().name.as_deref()
    }

    /// The options the engine has declared, while it runs.
    pub fn options(&self) -> &[EngineOption] {
        self.client.as_ref().map_or(&[], |client| client.options())
    }

    /// Starts the engine, if it does not run, and sets it up, for games of Chess960 if asked for: so
    /// that what is wrong with the configuration comes out before the first game.
    ///
    /// # Errors
    ///
    /// When it cannot be started, is silent, lacks an option, or an option does not take its value.
    pub fn verify(&mut self, chess960: bool) -> Result<(), PlayerError> {
        if !self.is_set_up {
            // What is left of a start that failed is of no use.
            self.kill();
            self.start()?;
            self.is_set_up = true;
        }
        self.set_chess960(chess960)
    }

    /// Announces a game; [`Player::wait_until_ready`] must follow. An engine that is to be started
    /// anew for each game is; so is one that has ended since the last, which is returned.
    ///
    /// # Errors
    ///
    /// As for [`Player::verify`].
    pub fn announce(&mut self, chess960: bool) -> Result<Option<Incident>, PlayerError> {
        if self.has_played && self.config.restart == Restart::On {
            self.quit();
        }
        // What came after the end of the last game is of no game.
        let drained = self.drain();
        self.extra = Extra::default();
        let is_old = self.has_played;
        let announced = drained.and_then(|()| self.announce_once(chess960));
        match announced {
            Err(error) if is_old => self.announce_anew(chess960, error).map(Some),
            other => other.map(|()| None),
        }
    }

    /// Waits until the engine is ready for the game that was announced. One that ends meanwhile,
    /// after it has played before, is started anew once: it may have been about to end since its
    /// last move.
    ///
    /// # Errors
    ///
    /// When it ends, or is silent.
    pub fn wait_until_ready(&mut self, chess960: bool) -> Result<Option<Incident>, PlayerError> {
        let is_old = self.has_played;
        let ready = self.wait_once();
        let incident = match ready {
            Err(error) if is_old => {
                let incident = self.announce_anew(chess960, error)?;
                self.wait_once()?;
                Some(incident)
            }
            other => {
                other?;
                None
            }
        };
        self.has_played = true;
        Ok(incident)
    }

    fn announce_once(&mut self, chess960: bool) -> Result<(), PlayerError> {
        self.verify(chess960)?;
        let timeout = self.patience.readyok;
        let client = self.running()?;
        Ok(client.announce_game(timeout)?)
    }

    fn wait_once(&mut self) -> Result<(), PlayerError> {
        Ok(self.running()?.wait_until_ready()?)
    }

    /// Starts a new engine in place of one that has ended between two games.
    fn announce_anew(
        &mut self,
        chess960: bool,
        error: PlayerError,
    ) -> Result<Incident, PlayerError> {
        match error {
            PlayerError::Fault { kind, detail } if kind == FaultKind::Crash => {
                self.kill();
                self.announce_once(chess960)?;
                let detail = format!("{detail}, between two games");
                Ok(Incident { kind, detail })
            }
            error => Err(error),
        }
    }

    /// Ends the game for the engine: what it ponders on is cancelled. An engine that does not obey
    /// is killed, which is returned.
    ///
    /// # Errors
    ///
    /// When the work is cancelled.
    pub fn end_game(&mut self) -> Result<Option<Incident>, PlayerError> {
        let Some(pondering) = self.pondering.take() else {
            // One that has ended is found out by the next game.
            let _ = self.drain();
            return Ok(None);
        };
        match self.call_off(pondering, None) {
            Ok(_) => Ok(None),
            Err(PlayerError::Fault { kind, detail }) => {
                self.kill();
                let detail = format!("{detail}, after the end of the game");
                Ok(Some(Incident { kind, detail }))
            }
            Err(error) => Err(error),
        }
    }

    /// What was said between us and the engine, in bounded room.
    pub fn transcript(&self) -> String {
        let name = &self.config.name;
        match &self.client {
            Some(client) => format!("== {name}\n{}", client.transcript()),
            None => format!("== {name}\nnot running\n"),
        }
    }

    /// Kills the engine with all its children, if it runs. The next game starts it anew.
    pub fn kill(&mut self) -> Option<Exit> {
        self.pondering = None;
        self.is_set_up = false;
        self.has_played = false;
        self.chess960 = false;
        // Dropping it reaps it as well.
        self.client.take().map(|mut client| client.kill())
    }

    /// Asks the engine to quit, and kills it with all its children if it does not.
    pub fn quit(&mut self) {
        if let Some(client) = self.client.take() {
            client.quit(self.patience.quit);
        }
        self.kill();
    }

    fn running(&mut self) -> Result<&mut Client, PlayerError> {
        self.client.as_mut().ok_or(PlayerError::NotRunning)
    }
}

#[expect(clippy::disallowed_methods, reason = "time is measured here")]
fn now() -> Instant {
    Instant::now()
}

/// How often a wait looks around.
const SLICE: Duration = Duration::from_millis(100);
