//! What the loop that owns a run reports: plain values, from which reporters make text.

use std::str::FromStr;
use std::time::Duration;

use super::result::MatchResult;
use crate::model::{GameResult, Protocol};
use crate::stats::Counts;

#[derive(Clone, Debug)]
pub enum RunEvent {
    /// The run begins, or games were counted.
    Progress(RunProgress),
    /// The engines are checked: games begin.
    Ready,
    /// An engine keeps the run waiting; `None` once it no longer does.
    Waiting(Option<Awaited>),
    /// A game is over.
    Game(Box<GameOver>),
    /// The standing was asked for.
    Standing(Box<MatchResult>),
    /// So many games are played at once from now on, or why not.
    Concurrency(Result<usize, String>),
    /// No more games begin; so many are being played.
    Finishing(usize),
    /// What was typed asks for nothing.
    Misunderstood,
}

/// What a user asks of a run while it is played.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Control {
    /// To play so many games at once, 1 to 1024.
    Concurrency(usize),
    /// To finish the games that are being played, and to stop.
    Finish,
    /// To show the standing.
    Standing,
    /// Something else, in words that mean nothing here.
    Unknown,
}

impl FromStr for Control {
    type Err = String;

    /// Parses a word or its first letter, or a number of games.
    fn from_str(text: &str) -> Result<Self, String> {
        let number = text.strip_prefix("concurrency ").unwrap_or(text);
        match text {
            "f" | "finish" => Ok(Self::Finish),
            "s" | "standing" => Ok(Self::Standing),
            _ => match number.parse() {
                // As for `--concurrency`.
                Ok(games @ 1..=1024) => Ok(Self::Concurrency(games)),
                _ => Err(format!(
                    "expected finish, standing, or concurrency and 1 to 1024, instead of '{text}'"
                )),
            },
        }
    }
}

/// A game that is over.
#[derive(Clone, Debug)]
pub struct GameOver {
    /// From 1, in the order of the schedule.
    pub number: u64,
    pub white: String,
    pub black: String,
    pub result: GameResult,
    /// How it ended, and by whom if by a fault.
    pub end: String,
    /// Without those of the book.
    pub plies: usize,
}

/// The results of a run so far, as far as they are shown while it is played.
#[derive(Clone, Debug, Default)]
pub struct RunProgress {
    pub games: u64,
    /// Number of games that differ from each other.
    pub distinct: u64,
    /// Number of games of the whole run; `None` if it has no limit, or depends on results.
    pub total: Option<u64>,
    /// Number of games lost by a fault.
    pub faults: u64,
    /// Number of faults that ended no game.
    pub incidents: u64,
    /// The counts of a run of two engines, from the point of view of the first.
    pub counts: Option<Counts>,
    pub test: Option<TestProgress>,
}

#[derive(Clone, Copy, Debug)]
pub struct TestProgress {
    pub llr: f64,
    /// The bounds of the ratio: H0, H1.
    pub bounds: [f64; 2],
    /// From -1, H0, to 1, H1.
    pub progress: f64,
}

/// An engine that keeps the run waiting.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Awaited {
    pub engine: String,
    pub what: AwaitedAnswer,
    pub elapsed: Duration,
    /// Whether only a clock or a time per move limits the move: long waits are normal then.
    pub is_timed: bool,
}

#[derive(Clone, Debug, PartialEq, Eq)]
pub enum AwaitedAnswer {
    /// `uciok`, after a start.
    Uciok,
    /// `feature done=1`, after a start (`XBoard`).
    Features,
    /// `readyok`, before a game.
    Readyok,
    /// `pong`, before a game (`XBoard`).
    Pong,
    /// The answer to this command, before the first game.
    Trial(String),
    /// Its move of this number in a game, from 1.
    Move(u32),
}

impl AwaitedAnswer {
    /// The answer after a start.
    pub const fn greeting(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Uci => Self::Uciok,
            Protocol::Xboard => Self::Features,
        }
    }

    /// The answer before a game.
    pub const fn ready(protocol: Protocol) -> Self {
        match protocol {
            Protocol::Uci => Self::Readyok,
            Protocol::Xboard => Self::Pong,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunEnd {
    Done,
    Decided,
    Interrupted,
}
