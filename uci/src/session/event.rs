//! States of a session, and the events that lines cause.

use std::fmt;

use crate::grammar::{BestMove, Info, Message};

#[cfg(doc)]
use super::Session;

/// The state of a session.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum SessionState {
    /// Nothing has been sent.
    #[default]
    New,
    /// `uci` has been sent, `uciok` has not come.
    Handshaking,
    /// The engine is waiting for a command.
    Idle,
    /// `isready` has been sent, `readyok` has not come.
    Synchronising,
    /// `go` has been sent, `bestmove` has not come.
    Searching,
    /// `stop` has been sent as well, `bestmove` has not come.
    Stopping,
    /// `quit` has been sent.
    Quitting,
    /// An answer is overdue; later output may answer anything. Only `quit` is allowed.
    Failed,
    /// The engine's output has ended.
    Ended,
}

/// The answer that a session is waiting for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Wait {
    /// `uciok`, after `uci`.
    UciOk,
    /// `readyok`, after `isready`.
    ReadyOk,
    /// `bestmove`, after `go`.
    BestMove,
    /// `bestmove`, after `stop`.
    BestMoveAfterStop,
    /// The end of the engine, after `quit`.
    Exit,
    /// `feature done=1`, after `protover` (`XBoard`).
    Features,
    /// `pong`, after `ping` (`XBoard`).
    Pong,
    /// A move, after `go` or the move of the opponent (`XBoard`).
    Move,
    /// A move, after `?` (`XBoard`).
    MoveAfterStop,
}

/// The effect of a line.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum SessionEvent {
    /// The engine has described itself: see [`Session::identity`] and [`Session::options`].
    Declared,
    /// The handshake is done.
    HandshakeDone,
    /// The engine has processed everything sent to it.
    Ready,
    /// Information about the search or, outside one, about the engine.
    Info(Box<Info>),
    /// The search is over.
    BestMove {
        /// The result of the search.
        best_move: BestMove,
        /// Whether `stop` had been sent.
        stopped: bool,
    },
    /// The engine has sent `uciok`, `readyok`, `bestmove`, `id` or `option` unexpectedly.
    Surprise(Message),
    /// A line without effect on the session.
    Other(Message),
    /// The engine says that the game is over, or rejects a move (`XBoard`). The search has ended.
    Claim(Claim),
}

/// A statement of an engine on the game.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Claim {
    /// Its kind.
    pub kind: ClaimKind,
    /// The engine's line.
    pub text: String,
}

/// The kind of a claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClaimKind {
    /// The engine resigns, or claims that it has lost.
    Resigned,
    /// The engine claims a win or a draw, and the game goes on.
    Result,
    /// The engine rejects a move that it was sent.
    RejectedMove,
}

impl fmt::Display for SessionState {
    /// Writes the end of a sentence that begins with "while …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::New => "nothing has been sent",
            Self::Handshaking => "the handshake is under way",
            Self::Idle => "the engine is idle",
            Self::Synchronising => "readyok has not come",
            Self::Searching => "a search is under way",
            Self::Stopping => "a stopped search has not ended",
            Self::Quitting => "the engine is to quit",
            Self::Failed => "an answer is overdue",
            Self::Ended => "the engine's output has ended",
        })
    }
}

impl fmt::Display for Wait {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::UciOk => "uciok",
            Self::ReadyOk => "readyok",
            Self::BestMove => "bestmove",
            Self::BestMoveAfterStop => "bestmove after stop",
            Self::Exit => "end",
            Self::Features => "feature done=1",
            Self::Pong => "pong",
            Self::Move => "move",
            Self::MoveAfterStop => "move after ?",
        })
    }
}

/// The reasons why a request is rejected.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum SessionError {
    #[error("cannot send {command} while {state}")]
    OutOfTurn {
        command: &'static str,
        state: SessionState,
    },
    #[error("the engine has no option '{name}'")]
    UnknownOption { name: String },
    #[error("option '{name}' cannot be {value:?}, expected {expected}")]
    BadValue {
        name: String,
        value: String,
        expected: String,
    },
    /// `go perft` is not a search: no `bestmove` answers it.
    #[error("go perft is not answered by bestmove: send it as a line, and read lines")]
    Perft,
    #[error("{text:?} is not a command that sets a position")]
    NoPosition { text: String },
    #[error("{text} is not a legal move in {fen}")]
    IllegalMove { text: String, fen: String },
    #[error(
        "the engine has no feature setboard, and its command edit cannot express {what} of {fen}"
    )]
    NoSetboard { fen: String, what: &'static str },
    #[error("the engine does not declare the variant fischerandom, so it cannot play Chess960")]
    NoFischerandom,
    #[error(
        "the engine has no feature nps, so it has no node limit; expected send-stop=on or another limit"
    )]
    NoNodeLimit,
}
