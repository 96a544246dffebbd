//! One engine over many games.
//!
//! A player starts its engine when a game needs it, sets its options, announces games, runs its
//! searches and pondering, and measures its time: from our last byte sent to the engine's line
//! received. Every wait is bounded ([`EngineTimeouts`]) and ends when the work is cancelled. The player
//! does not know the rules of chess.
//!
//! Each game needs only one ping: `ucinewgame` and `isready` are sent together. A `bestmove` for
//! another position than the one on the board never becomes a move: one search is over before the
//! next begins, or the engine is killed.

mod error;
mod extra;
mod info;
mod ponder;
mod programs;
mod start;
mod think;

use std::time::{Duration, Instant};

use chess::rules::Color;
use extra::Extra;
use ponder::Pondering;
use uci::grammar::EngineOption;
use uci::{Cancel, Client, ProcessExit};

use super::event::AwaitedAnswer;
use super::now;
use crate::model::{
    EngineConfig, EngineId, EngineIndex, Fault, FaultKind, PgnField, Restart, RunConfig,
};
pub use error::{DisobedientEngine, EngineTimeouts, PlayerError, SetupError};
pub use info::SearchInfo;
pub use programs::{ChangedProgram, RunPrograms, fingerprint};
pub use think::{MoveResult, ThinkTask};

/// An engine that plays games, one after another.
#[derive(Debug)]
pub struct Player {
    index: EngineIndex,
    config: EngineConfig,
    patience: EngineTimeouts,
    cancel: Cancel,
    /// The engine process, while it runs.
    engine: Option<Client>,
    /// Whether the engine has been set up successfully.
    is_set_up: bool,
    /// The default of its option `Threads`, once it has been started.
    default_threads: Option<usize>,
    /// Whether the engine has played a game since its start.
    has_played: bool,
    pondering: Option<Pondering>,
    /// Answers in this game, and extra `bestmove` lines.
    extra: Extra,
    on_wait: Option<OnWait>,
    pv_use: PvUse,
    programs: RunPrograms,
    /// The fingerprint of the program of its last process.
    program: Option<String>,
    /// What its last process has said of itself.
    id: Option<EngineId>,
    /// Changes of the engine that no game has as incidents yet.
    changes: Vec<Incident>,
}

/// An answer that a game waits for.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PendingAnswer {
    pub what: AwaitedAnswer,
    pub since: Instant,
    /// Whether only a clock or a time per move limits it, so that long moves are normal and end.
    pub is_timed: bool,
}

/// What the principal variations of an engine are for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PvUse {
    Ignored,
    /// They are recorded with the moves.
    Kept,
    /// Those of mate scores are checked, too.
    Checked,
}

impl PvUse {
    /// What a run needs them for.
    pub fn from_config(config: &RunConfig) -> Self {
        if config.check_mate_pvs {
            Self::Checked
        } else if config.output.pgn.has(PgnField::Pv) {
            Self::Kept
        } else {
            Self::Ignored
        }
    }
}

/// The callback for waits.
struct OnWait(Box<dyn FnMut(EngineIndex, Option<PendingAnswer>) + Send>);

impl std::fmt::Debug for OnWait {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("OnWait")
    }
}

/// An incident: a fault that does not end a game, kept for the record.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Incident {
    pub kind: FaultKind,
    /// What happened, in one sentence without a full stop.
    pub detail: String,
}

impl Incident {
    /// As recorded, the fault of this engine.
    pub fn by(self, engine: EngineIndex) -> Fault {
        let Self { kind, detail } = self;
        Fault {
            engine,
            kind,
            detail,
            transcript: None,
        }
    }
}

impl Player {
    /// Creates a player whose engine is not started yet.
    pub fn new(
        index: EngineIndex,
        config: EngineConfig,
        patience: EngineTimeouts,
        cancel: Cancel,
    ) -> Self {
        Self {
            index,
            config,
            patience,
            cancel,
            engine: None,
            is_set_up: false,
            default_threads: None,
            has_played: false,
            pondering: None,
            extra: Extra::default(),
            on_wait: None,
            pv_use: PvUse::Ignored,
            programs: RunPrograms::default(),
            program: None,
            id: None,
            changes: Vec::new(),
        }
    }

    /// Calls `report` when a wait for the engine begins, and with `None` when it is over; a wait for a
    /// move only if it takes long.
    pub fn on_wait(
        &mut self,
        report: impl FnMut(EngineIndex, Option<PendingAnswer>) + Send + 'static,
    ) {
        self.on_wait = Some(OnWait(Box::new(report)));
    }

    /// Sets how long its waits may last from now on.
    pub const fn set_patience(&mut self, patience: EngineTimeouts) {
        self.patience = patience;
    }

    /// Sets what principal variations are for.
    pub const fn use_pvs(&mut self, pv_use: PvUse) {
        self.pv_use = pv_use;
    }

    /// Sets the programs with which the run began.
    pub fn compare_with(&mut self, programs: RunPrograms) {
        self.programs = programs;
    }

    /// What its last process has said of itself; nothing before the first.
    pub fn id(&self) -> EngineId {
        self.id.clone().unwrap_or_default()
    }

    /// The changes of the engine since the last call.
    pub fn take_changes(&mut self) -> Vec<Incident> {
        std::mem::take(&mut self.changes)
    }

    /// Whether the principal variations of mate scores are to be checked.
    pub fn checks_mate_pvs(&self) -> bool {
        self.pv_use == PvUse::Checked
    }

    pub fn index(&self) -> EngineIndex {
        self.index
    }

    pub fn config(&self) -> &EngineConfig {
        &self.config
    }

    /// Notes in the log which game begins, and on which side.
    pub fn remark_game(&self, game: u64, side: Color) {
        if let Some(engine) = &self.engine {
            let side = if side == Color::White {
                "White"
            } else {
                "Black"
            };
            engine.remark(&format!("game {}, {side}: {}", game + 1, self.config.name));
        }
    }

    /// The id of the engine's process and of its process group, while it runs.
    pub fn process_id(&self) -> Option<u32> {
        self.engine.as_ref().map(|engine| engine.process().id())
    }

    /// The threads that the engine uses by default, if its configuration leaves that open; `None` if it has
    /// not been started yet, or does not declare them.
    pub fn default_threads(&self) -> Option<usize> {
        let mut options = self.config.options.iter();
        let is_set = options.any(|(name, _)| name.eq_ignore_ascii_case("Threads"));
        self.default_threads.filter(|_| !is_set)
    }

    /// The options that the engine declares, while it runs.
    pub fn options(&self) -> &[EngineOption] {
        self.engine.as_ref().map_or(&[], |engine| engine.options())
    }

    /// Starts the engine if it is not running, and sets it up, for Chess960 games if requested, so
    /// that configuration errors show before the first game.
    ///
    /// # Errors
    ///
    /// If it cannot be started, is silent, lacks an option, or rejects an option's value.
    pub fn verify(&mut self, chess960: bool) -> Result<(), PlayerError> {
        if !self.is_set_up {
            // An engine whose setup failed is of no use.
            self.kill();
            self.start()?;
            self.is_set_up = true;
        }
        self.set_chess960(chess960)
    }

    /// Announces a game; [`Player::wait_until_ready`] must follow. An engine that is to be
    /// restarted for each game is restarted; so is one that has exited since the last game, which
    /// is returned as an incident.
    pub fn announce(&mut self, chess960: bool) -> Result<Option<Incident>, PlayerError> {
        // XBoard's `feature reuse=0`: the engine wants a process for each game.
        let plays_once = self
            .engine
            .as_ref()
            .is_some_and(|engine| !engine.can_be_reused());
        if self.has_played && (plays_once || self.config.restart == Restart::On) {
            self.quit();
        }
        // Output after the end of the last game belongs to no game.
        let drained = self.drain();
        self.extra = Extra::default();
        let is_old = self.has_played;
        let announced = drained.and_then(|()| self.announce_once(chess960));
        match announced {
            Err(error) if is_old => self.announce_anew(chess960, error).map(Some),
            other => other.map(|()| None),
        }
    }

    /// Waits until the engine is ready for the announced game. An engine that exits meanwhile, and
    /// has played before, is restarted once: it may already have been exiting after its last move.
    pub fn wait_until_ready(&mut self, chess960: bool) -> Result<Option<Incident>, PlayerError> {
        let is_old = self.has_played;
        let mut incident = None;
        if let Err(error) = self.wait_once() {
            if !is_old {
                return Err(error);
            }
            incident = Some(self.announce_anew(chess960, error)?);
            self.wait_once()?;
        }
        self.has_played = true;
        Ok(incident)
    }

    fn announce_once(&mut self, chess960: bool) -> Result<(), PlayerError> {
        self.verify(chess960)?;
        let timeout = self.patience.new_game;
        Ok(self.running()?.announce_game(timeout)?)
    }

    fn wait_once(&mut self) -> Result<(), PlayerError> {
        self.begin_wait(AwaitedAnswer::ready(self.config.protocol));
        let ready = self.running()?.wait_until_ready();
        self.end_wait();
        Ok(ready?)
    }

    /// Reports that the game waits for this engine from now on, for an answer that is no move.
    fn begin_wait(&mut self, what: AwaitedAnswer) {
        let since = now();
        self.report_wait(Some(PendingAnswer {
            what,
            since,
            is_timed: false,
        }));
    }

    fn end_wait(&mut self) {
        self.report_wait(None);
    }

    fn report_wait(&mut self, waiting: Option<PendingAnswer>) {
        if let Some(OnWait(report)) = &mut self.on_wait {
            report(self.index, waiting);
        }
    }

    /// Starts a new engine in place of one that has exited between two games.
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

    /// Ends the game for the engine: pondering is cancelled, and the result reported where the
    /// protocol has it. An engine that does not stop is killed, which is returned as an incident.
    pub fn end_game(&mut self, result: &str) -> Result<Option<Incident>, PlayerError> {
        let Some(pondering) = self.pondering.take() else {
            // An engine that has exited is detected by the next game.
            if let Some(engine) = &mut self.engine {
                let _ = engine.end_game(result);
            }
            let _ = self.drain();
            return Ok(None);
        };
        match self.cancel_pondering(pondering, None) {
            Ok(_) => Ok(None),
            Err(PlayerError::Fault { kind, detail }) => {
                self.kill();
                let detail = format!("{detail}, after the end of the game");
                Ok(Some(Incident { kind, detail }))
            }
            Err(error) => Err(error),
        }
    }

    /// The transcript of the engine, bounded in size.
    pub fn transcript(&self) -> String {
        let name = &self.config.name;
        match &self.engine {
            Some(engine) => format!("== {name}\n{}", engine.transcript()),
            None => format!("== {name}\nnot running\n"),
        }
    }

    /// Kills the engine with all its children, if it runs. The next game restarts it.
    pub fn kill(&mut self) -> Option<ProcessExit> {
        self.pondering = None;
        self.is_set_up = false;
        self.has_played = false;
        // Dropping the engine also reaps the process.
        self.engine.take().map(|mut engine| engine.kill())
    }

    /// Sends `quit`, and kills the engine with all its children if it does not exit.
    pub fn quit(&mut self) {
        if let Some(engine) = self.engine.take() {
            engine.quit(self.patience.quit);
        }
        self.kill();
    }

    fn running(&mut self) -> Result<&mut Client, PlayerError> {
        self.engine.as_mut().ok_or(PlayerError::NotRunning)
    }
}

/// The longest time a wait sleeps before it checks for cancellation.
const SLICE: Duration = Duration::from_millis(100);
