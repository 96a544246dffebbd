//! Errors of a player, and what is to blame for them.

use std::fmt;
use std::io;
use std::time::Duration;

use uci::{Claim, ClaimKind, EngineError, EngineProtocol, SendError, SessionError, Wait};

use super::ChangedProgram;
use crate::model::{FaultKind, Protocol, Timeouts};

#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The engine is at fault: it loses the game.
    #[error("{}: {detail}", .kind.as_str())]
    Fault {
        kind: FaultKind,
        /// What happened, in one sentence without a full stop.
        detail: String,
    },
    /// The configuration does not fit the engine: no game can be played.
    #[error(transparent)]
    Setup(SetupError),
    /// The engine ignores a configured limit: games might never end, or would not be equal.
    #[error("{0}")]
    Disobedient(Box<DisobedientEngine>),
    /// The engine's program was replaced during the run.
    #[error("{0}; put it back and resume, or resume with --allow-changed-engines")]
    Changed(Box<ChangedProgram>),
    /// The engine speaks this protocol, not the configured one.
    #[error("{}", wrong_protocol(*.speaks))]
    WrongProtocol { speaks: Protocol },
    /// The machine is at fault, or we are: no game can be played.
    #[error(transparent)]
    Environment(EngineError),
    /// The engine resigns.
    #[error("resigned")]
    Resigned,
    #[error("cancelled")]
    Cancelled,
    /// A request was made after the engine had been killed.
    #[error("the engine is not running")]
    NotRunning,
}

const fn wrong_protocol(speaks: Protocol) -> &'static str {
    match speaks {
        Protocol::Uci => "it speaks UCI, not XBoard's protocol: leave out proto=xboard",
        Protocol::Xboard => {
            "it speaks XBoard's protocol, not UCI: give it proto=xboard, as in 'cmd=PROGRAM proto=xboard'"
        }
    }
}

/// An option that cannot be set.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("engine '{engine}': {source}")]
pub struct SetupError {
    pub engine: String,
    pub source: SessionError,
}

/// An engine that ignores a search limit.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DisobedientEngine {
    pub engine: String,
    pub limit: uci::obedience::Disobedience,
    /// Whether the setting `send-stop` would help.
    pub(super) can_be_stopped: bool,
    /// Whether the limit is a time per move.
    pub(super) by_time: bool,
    /// The argument that the engine was given by, as words, if it was.
    pub(super) argument: Option<String>,
}

impl fmt::Display for DisobedientEngine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "engine '{}' {}", self.engine, self.limit)?;
        if let Some(fitting) = self.limit.how.fitting_margin() {
            return write!(
                f,
                ", and would lose every game on time: a fitting margin is --margin {fitting}ms"
            );
        }
        f.write_str(": ")?;
        match &self.argument {
            Some(words) if self.can_be_stopped => {
                let argument = uci::quote_word(&format!("{words} send-stop=on"));
                write!(f, "write {argument}, or ")?;
            }
            None if self.can_be_stopped => f.write_str("give it send-stop=on, or ")?,
            _ => {}
        }
        let movetime = match self.limit.awaited {
            _ if self.by_time => "",
            // `st` has whole seconds.
            Wait::Move => "--movetime 1s, ",
            _ => "--movetime 50ms, ",
        };
        write!(f, "choose a limit that it keeps ({movetime}--tc 5+0.05)")
    }
}

impl PlayerError {
    /// The error of an engine that answers the greeting of another protocol than the configured one.
    pub(super) const fn speaks(protocol: EngineProtocol) -> Self {
        let speaks = match protocol {
            EngineProtocol::Xboard => Protocol::Xboard,
            EngineProtocol::Uci | EngineProtocol::Lines => Protocol::Uci,
        };
        Self::WrongProtocol { speaks }
    }
}

impl From<EngineError> for PlayerError {
    fn from(error: EngineError) -> Self {
        // A wrong setting of the user must not cost the engine a game.
        if let EngineError::WrongProtocol { speaks } = error {
            return Self::speaks(speaks);
        }
        let Some(kind) = kind(&error) else {
            return match error {
                EngineError::Cancelled => Self::Cancelled,
                error => Self::Environment(error),
            };
        };
        let detail = error.to_string();
        Self::Fault { kind, detail }
    }
}

impl From<Claim> for PlayerError {
    fn from(claim: Claim) -> Self {
        // The output of engines ends up on terminals.
        let printable = |c: char| if c.is_control() { '\u{fffd}' } else { c };
        let text: String = claim.text.chars().map(printable).take(80).collect();
        let detail = match claim.kind {
            ClaimKind::Resigned => return Self::Resigned,
            ClaimKind::Result => format!("it claimed `{text}`, but the game is not over"),
            ClaimKind::RejectedMove => format!("it answered a legal move with `{text}`"),
        };
        let kind = FaultKind::WrongClaim;
        Self::Fault { kind, detail }
    }
}

/// The kind of engine fault that an error is; `None` if the engine is not at fault.
fn kind(error: &EngineError) -> Option<FaultKind> {
    match error {
        EngineError::Start { source, .. } => {
            // Another run may use up the processes, for which no engine is to lose.
            (!is_shortage(source)).then_some(FaultKind::CannotStart)
        }
        EngineError::Ended { .. } => Some(FaultKind::Crash),
        EngineError::ClosedStdout { .. }
        // An engine that does not read its input any more has left the dialogue, even if it still
        // runs.
        | EngineError::Send(SendError::Closed | SendError::TimedOut { .. }) => {
            Some(FaultKind::Disconnect)
        }
        EngineError::TimedOut { wait, .. } => Some(match wait {
            Wait::UciOk | Wait::Features => FaultKind::NoUciok,
            Wait::ReadyOk | Wait::Pong => FaultKind::NoReadyok,
            Wait::BestMove
            | Wait::BestMoveAfterStop
            | Wait::Move
            | Wait::MoveAfterStop
            | Wait::Exit => FaultKind::NoBestmove,
        }),
        EngineError::Endless => Some(FaultKind::Flood),
        EngineError::Cancelled
        | EngineError::WrongProtocol { .. }
        | EngineError::GivenUp { .. }
        | EngineError::Send(_)
        | EngineError::Session(_)
        | EngineError::Read(_) => None,
    }
}

/// Returns true if the machine lacks processes, files or memory: no engine could be started then.
fn is_shortage(error: &io::Error) -> bool {
    error
        .raw_os_error()
        .is_some_and(|code| SHORTAGES.contains(&code))
}

/// EAGAIN (no more processes), EMFILE, ENFILE, ENOMEM.
#[cfg(unix)]
const SHORTAGES: [i32; 4] = [
    rustix::io::Errno::AGAIN.raw_os_error(),
    rustix::io::Errno::MFILE.raw_os_error(),
    rustix::io::Errno::NFILE.raw_os_error(),
    rustix::io::Errno::NOMEM.raw_os_error(),
];

/// Too many open files, not enough memory, out of memory, no system resources, the commitment limit.
#[cfg(windows)]
// ERROR_TOO_MANY_OPEN_FILES and so on, in "System Error Codes" of the Windows documentation.
const SHORTAGES: [i32; 5] = [4, 8, 14, 1450, 1455];

/// Timeouts for waits that no chess clock bounds. The defaults far exceed what a working engine
/// needs on a busy machine.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct EngineTimeouts {
    /// From `uci` to `uciok`, or from `protover` to `feature done=1`: 30 s.
    pub uciok: Duration,
    /// From a `feature` of an `XBoard` engine to the next, if neither `done=1` nor `done=0` has come: 2 s;
    /// five times as long from `protover` to the first. Then the engine has no more features.
    pub features: Duration,
    /// From `ucinewgame` with `isready` to `readyok`, or from `new` with `ping` to `pong`: 60 s.
    pub new_game: Duration,
    /// Maximum time of a trial search before the first game, with and without output: 10 s.
    pub trial: Duration,
    /// From any other `isready` to `readyok`, or `ping` to `pong`: 10 s.
    pub readyok: Duration,
    /// Maximum time without output in a search without a clock: 2 min.
    pub silence: Duration,
    /// Maximum time of a search without a clock: 10 min.
    pub search: Duration,
    /// From `stop` to `bestmove`: 10 s.
    pub stop: Duration,
    /// From `quit` to exit: 1 s; then the engine is killed.
    pub quit: Duration,
    /// Maximum output of one search, in bytes: 64 MiB.
    pub output: u64,
}

impl Default for EngineTimeouts {
    fn default() -> Self {
        Self {
            uciok: Duration::from_secs(30),
            features: Duration::from_secs(2),
            new_game: Duration::from_mins(1),
            trial: Duration::from_secs(10),
            readyok: Duration::from_secs(10),
            silence: Duration::from_mins(2),
            search: Duration::from_mins(10),
            stop: Duration::from_secs(10),
            quit: Duration::from_secs(1),
            output: 64 << 20,
        }
    }
}

impl EngineTimeouts {
    /// This patience with the timeouts of a run.
    #[must_use]
    pub fn with(self, timeouts: Timeouts) -> Self {
        let or = |ms: Option<u64>, default| ms.map_or(default, Duration::from_millis);
        Self {
            uciok: or(timeouts.startup_ms, self.uciok),
            new_game: or(timeouts.new_game_ms, self.new_game),
            readyok: or(timeouts.ready_ms, self.readyok),
            ..self
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;

    #[test]
    fn the_timeouts_of_a_run_replace_the_defaults() {
        let default = EngineTimeouts::default();
        assert_eq!(default.with(Timeouts::default()), default);
        let timeouts = Timeouts {
            startup_ms: Some(1),
            new_game_ms: Some(2),
            ready_ms: Some(3),
        };
        let found = default.with(timeouts);
        let expected = EngineTimeouts {
            uciok: Duration::from_millis(1),
            new_game: Duration::from_millis(2),
            readyok: Duration::from_millis(3),
            ..default
        };
        assert_eq!(found, expected);
    }

    #[test]
    fn errors_are_laid_at_the_right_door() {
        let start = |source: io::Error| EngineError::Start {
            command: "x".to_owned(),
            reason: source.to_string(),
            source,
        };
        let late = |wait| EngineError::TimedOut {
            wait,
            after: Duration::from_secs(1),
        };
        let after = Duration::from_secs(1);
        let rows = rows![
            start(io::ErrorKind::NotFound.into()) => Some(FaultKind::CannotStart);
            start(io::ErrorKind::PermissionDenied.into()) => Some(FaultKind::CannotStart);
            start(io::Error::from_raw_os_error(SHORTAGES[0])) => None;
            start(io::Error::from_raw_os_error(SHORTAGES[3])) => None;
            late(Wait::UciOk) => Some(FaultKind::NoUciok);
            late(Wait::ReadyOk) => Some(FaultKind::NoReadyok);
            late(Wait::BestMove) => Some(FaultKind::NoBestmove);
            late(Wait::BestMoveAfterStop) => Some(FaultKind::NoBestmove);
            EngineError::ClosedStdout { waiting: None } => Some(FaultKind::Disconnect);
            EngineError::Send(SendError::Closed) => Some(FaultKind::Disconnect);
            EngineError::Send(SendError::TimedOut { after }) => Some(FaultKind::Disconnect);
            EngineError::Send(SendError::Cancelled) => None;
            EngineError::Read(io::ErrorKind::Other.into()) => None;
            EngineError::Cancelled => None;
        ];
        for (error, expected) in rows {
            assert_eq!(kind(&error), expected, "{error}");
        }
        assert!(matches!(
            PlayerError::from(EngineError::Cancelled),
            PlayerError::Cancelled
        ));
    }
}
