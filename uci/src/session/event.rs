//! Where a session stands, and what comes of lines and times.

use std::fmt;
use std::time::Duration;

#[cfg(doc)]
use super::Session;
use crate::grammar::{BestMove, Info, Message};

/// Where a session stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum State {
    /// Nothing has been said.
    New,
    /// `uci` has been sent, `uciok` has not come.
    Handshaking,
    /// The engine waits for a command.
    Idle,
    /// `isready` has been sent, `readyok` has not come.
    Synchronising,
    /// `go` has been sent, `bestmove` has not come.
    Searching,
    /// `stop` has been sent as well, `bestmove` has not come.
    Stopping,
    /// `quit` has been sent.
    Quitting,
    /// An answer did not come in time; what comes now may answer anything. Only to quit is left.
    Failed,
    /// The engine's output has ended.
    Ended,
}

/// What a session waits for.
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
}

/// What came without having been asked for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Surprise {
    /// `uciok`.
    UciOk,
    /// `readyok`.
    ReadyOk,
    /// `bestmove`.
    BestMove,
    /// `id` or `option`.
    Declaration,
}

/// What came of a line, a deadline or the end of the output.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Event {
    /// The engine has said something about itself: see [`Session::identity`] and
    /// [`Session::options`].
    Declared,
    /// The handshake is done.
    HandshakeDone,
    /// The engine has dealt with all that was sent to it.
    Ready,
    /// It has said something about its search, or, outside one, about itself.
    Info(Box<Info>),
    /// The search is over.
    BestMove {
        /// What it found.
        best_move: BestMove,
        /// Whether `stop` had been sent.
        stopped: bool,
    },
    /// Something came unasked for.
    Surprise {
        /// What it is.
        surprise: Surprise,
        /// The message.
        message: Message,
    },
    /// A line that has no bearing on the session.
    Other(Message),
    /// What was waited for did not come in time.
    TimedOut {
        /// What it is.
        wait: Wait,
        /// How long it was waited for.
        after: Duration,
    },
    /// The output has ended.
    Ended {
        /// What was waited for.
        waiting: Option<Wait>,
    },
}

impl fmt::Display for State {
    /// Writes what completes "while …".
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::New => "nothing has been said",
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
        })
    }
}
