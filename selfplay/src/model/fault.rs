//! Engine faults in a game.

use serde::{Deserialize, Serialize};

use super::EngineIndex;

/// A fault that ended a game; the engine at fault loses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// The engine at fault.
    pub engine: EngineIndex,
    /// The kind of fault.
    pub kind: FaultKind,
    /// What happened, in one sentence without a full stop.
    pub detail: String,
    /// The path of the transcript, relative to the run directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
}

/// The kinds of faults, each counted separately.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FaultKind {
    /// The program cannot be started.
    CannotStart,
    /// No `uciok` in time.
    NoUciok,
    /// No `readyok` in time.
    NoReadyok,
    /// The process ended, by itself or by a signal.
    Crash,
    /// The engine closed its output or no longer reads its input, but is still running.
    Disconnect,
    /// The clock ran out.
    TimeForfeit,
    /// No `bestmove` within the time allowed for a search without a clock.
    NoBestmove,
    /// Excessive output without a `bestmove`.
    Flood,
    /// An illegal move.
    IllegalMove,
    /// A null move, or no move, although there are legal moves.
    NoMove,
    /// A `bestmove` that cannot be parsed.
    Unreadable,
    /// An unsolicited `bestmove`: ignored, and never ends a game.
    ExtraBestmove,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [Self; 12] = [
        Self::CannotStart,
        Self::NoUciok,
        Self::NoReadyok,
        Self::Crash,
        Self::Disconnect,
        Self::TimeForfeit,
        Self::NoBestmove,
        Self::Flood,
        Self::IllegalMove,
        Self::NoMove,
        Self::Unreadable,
        Self::ExtraBestmove,
    ];

    /// Returns true if the machine can be the cause: every kind except wrong answers.
    pub const fn may_be_the_machine(self) -> bool {
        !matches!(
            self,
            Self::IllegalMove | Self::NoMove | Self::Unreadable | Self::ExtraBestmove
        )
    }

    /// The name in the ledger and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::CannotStart => "cannot-start",
            Self::NoUciok => "no-uciok",
            Self::NoReadyok => "no-readyok",
            Self::Crash => "crash",
            Self::Disconnect => "disconnect",
            Self::TimeForfeit => "time-forfeit",
            Self::NoBestmove => "no-bestmove",
            Self::Flood => "flood",
            Self::IllegalMove => "illegal-move",
            Self::NoMove => "no-move",
            Self::Unreadable => "unreadable",
            Self::ExtraBestmove => "extra-bestmove",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_those_of_the_ledger() {
        for one in FaultKind::ALL {
            let written = serde_json::to_string(&one).expect("a name");
            assert_eq!(written, format!("\"{}\"", one.as_str()));
        }
    }
}
