//! What an engine does wrong in a game.

use serde::{Deserialize, Serialize};

use super::EngineIndex;

/// A fault that ended a game; whose it is loses.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Fault {
    /// Whose.
    pub engine: EngineIndex,
    /// Which.
    pub kind: FaultKind,
    /// What happened, in one sentence without a full stop.
    pub detail: String,
    /// Where the transcript with the engines is kept, relative to the run directory.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub transcript: Option<String>,
}

/// The kinds of faults, each counted under its own name.
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
    /// It closed its output, or no longer reads its input, and lives on.
    Disconnect,
    /// The clock ran out.
    TimeForfeit,
    /// No `bestmove` in the time an unclocked search is given.
    NoBestmove,
    /// More output than anybody reads, without a `bestmove`.
    Flood,
    /// A move that is not legal.
    IllegalMove,
    /// The null move, or none, where there are legal moves.
    NoMove,
    /// A `bestmove` that cannot be read.
    Unreadable,
    /// A `bestmove` more than `go` has asked for: passed over, and never the end of a game.
    ExtraBestmove,
}

impl FaultKind {
    /// All of them.
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

    /// Whether a machine can be to blame for it: everything but what an engine answers.
    pub const fn may_be_the_machine(self) -> bool {
        !matches!(
            self,
            Self::IllegalMove | Self::NoMove | Self::Unreadable | Self::ExtraBestmove
        )
    }

    /// Its name.
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
