//! A finished game, as recorded in the ledger.

use chess::notation::fen;
use chess::rules::{CastlingMode, Color, Position};
use serde::{Deserialize, Serialize};

/// The result of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub enum GameResult {
    /// `1-0`
    #[serde(rename = "1-0")]
    WhiteWins,
    /// `0-1`
    #[serde(rename = "0-1")]
    BlackWins,
    /// `1/2-1/2`
    #[serde(rename = "1/2-1/2")]
    Draw,
}

/// The opening of a game: a position and the book moves from there.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Opening {
    /// The name of the opening, or its place in the book.
    pub label: String,
    /// The FEN of the starting position.
    pub fen: String,
    /// The book moves from there, in UCI notation.
    pub moves: Vec<String>,
    /// Whether the game is Chess960.
    pub chess960: bool,
}

/// A move played by an engine.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct MoveRecord {
    /// The move, in UCI notation.
    pub uci: String,
    /// The score from the mover's point of view, as in UCI: `cp 31`, `mate -3`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub score: Option<String>,
    /// Search depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub depth: Option<u32>,
    /// Selective search depth, in plies.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seldepth: Option<u32>,
    /// Nodes searched.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nodes: Option<u64>,
    /// Time from our last byte sent to the engine's line received, in microseconds.
    pub elapsed_us: u64,
    /// Time left on the clock after the move, in milliseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub clock_ms: Option<i64>,
    /// Nodes per second; this and the following only if the form of the PGN asks for it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub nps: Option<u64>,
    /// Use of the hash table, in permille.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub hashfull: Option<u32>,
    /// Tablebase hits.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub tbhits: Option<u64>,
    /// Elapsed time minus the time that the engine reported, in microseconds.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub latency_us: Option<i64>,
    /// Principal variation, in UCI notation.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub pv: Option<String>,
    /// What the engine has printed for the PGN, by `info string pgncomment`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub comment: Option<String>,
}

/// What an engine says of itself: `id name` and `id author` of UCI, `myname` of `XBoard`.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct EngineId {
    /// Its name.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub name: Option<String>,
    /// Its author.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub author: Option<String>,
}

/// A finished game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GameRecord {
    /// The scheduled game.
    pub plan: GamePlan,
    /// The opening.
    pub opening: Opening,
    /// The result.
    pub result: GameResult,
    /// Why the game ended.
    pub termination: Termination,
    /// The fault, for [`Termination::Fault`].
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fault: Option<Fault>,
    /// The engines' moves, after those of the opening.
    pub moves: Vec<MoveRecord>,
    /// When the game began, in milliseconds since 1970 (UTC).
    pub started_ms: u64,
    /// Duration of the game, in milliseconds.
    pub duration_ms: u64,
    /// Incidents: faults that did not end the game.
    // Ledgers keep the word of the first version.
    #[serde(default, rename = "mishaps", skip_serializing_if = "Vec::is_empty")]
    pub incidents: Vec<Fault>,
    /// The fleet worker that played the game, if any.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub machine: Option<Machine>,
    /// What White and Black say of themselves; empty in ledgers of before.
    #[serde(default, skip_serializing_if = "is_anonymous")]
    pub ids: [EngineId; 2],
}

fn is_anonymous(ids: &[EngineId; 2]) -> bool {
    *ids == <[EngineId; 2]>::default()
}

impl Opening {
    /// The start position of standard chess.
    pub fn startpos() -> Self {
        Self {
            label: "start position".to_owned(),
            fen: fen::write(&Position::startpos()),
            moves: Vec::new(),
            chess960: false,
        }
    }

    /// The side that makes the first move after it; White's turn where there is no position.
    pub fn next_to_move(&self) -> Color {
        let start = fen::parse(&self.fen);
        let first = start.map_or(Color::White, |position| position.side_to_move());
        if self.moves.len().is_multiple_of(2) {
            first
        } else {
            !first
        }
    }

    /// How its moves write castling.
    pub const fn castling_mode(&self) -> CastlingMode {
        if self.chess960 {
            CastlingMode::Chess960
        } else {
            CastlingMode::Standard
        }
    }
}

impl GameResult {
    /// The result in PGN.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::WhiteWins => "1-0",
            Self::BlackWins => "0-1",
            Self::Draw => "1/2-1/2",
        }
    }

    /// The points of White, doubled: 2 for a win, 1 for a draw, 0 for a loss.
    pub const fn white_half_points(self) -> u8 {
        match self {
            Self::WhiteWins => 2,
            Self::Draw => 1,
            Self::BlackWins => 0,
        }
    }

    /// The result with colours swapped.
    pub const fn reversed(self) -> Self {
        match self {
            Self::WhiteWins => Self::BlackWins,
            Self::BlackWins => Self::WhiteWins,
            Self::Draw => Self::Draw,
        }
    }
}

impl GameRecord {
    /// Returns true if an engine or its machine failed: a fault other than a wrong answer ended the
    /// game.
    pub fn has_failed(&self) -> bool {
        let fault = self.fault.as_ref();
        fault.is_some_and(|fault| fault.kind.may_be_the_machine())
    }

    /// The points of an engine in this game, doubled: 2 for a win, 1 for a draw, 0 for a loss.
    /// `None` if the engine did not play.
    pub fn half_points(&self, engine: EngineIndex) -> Option<u8> {
        let white = self.result.white_half_points();
        if engine == self.plan.white {
            Some(white)
        } else {
            (engine == self.plan.black).then_some(2 - white)
        }
    }
}

// Pairings and the games they consist of.

/// The index of an engine in [`crate::model::RunConfig::engines`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct EngineIndex(pub usize);

/// The index of a pair in the schedule, from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairNumber(pub u64);

/// What the two engines of a pairing are set to before their games, by name.
pub type PairOptions = [Vec<(String, String)>; 2];

/// Two games between two engines from one opening, with colours swapped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Pairing {
    /// The index of the pair in the schedule.
    pub number: PairNumber,
    /// The round it belongs to, from 0.
    pub round: u32,
    /// White in the first game; in a match, the new engine unless colours are reversed.
    pub first: EngineIndex,
    /// White in the second game.
    pub second: EngineIndex,
    /// The number of the opening in book order, from 0; a shorter book starts over.
    pub opening: u64,
}

/// One game of a pairing.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct GamePlan {
    /// The game number, from 0: twice the pair's, plus one for the second game; that of the pair if
    /// it has only one.
    pub game: u64,
    /// The pair.
    pub pairing: Pairing,
    /// The engine that plays White.
    pub white: EngineIndex,
    /// The engine that plays Black.
    pub black: EngineIndex,
}

impl Pairing {
    /// The two games of the pair, in schedule order.
    pub const fn games(self) -> [GamePlan; 2] {
        let first = GamePlan {
            game: self.number.0 * 2,
            pairing: self,
            white: self.first,
            black: self.second,
        };
        let second = GamePlan {
            game: first.game + 1,
            pairing: self,
            white: self.second,
            black: self.first,
        };
        [first, second]
    }
}

// How games end.

/// Why a game ended. [`Self::as_str`] is the name in the ledger, in PGN and in reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Termination {
    /// Checkmate.
    Checkmate,
    /// Stalemate.
    Stalemate,
    /// Neither side has mating material.
    InsufficientMaterial,
    // FIDE Laws 9.2 and 9.3 want a claim, for which UCI has no command.
    /// Threefold repetition, which ends the game without a claim.
    Threefold,
    /// Fifty moves by each side without a capture or pawn move.
    FiftyMoves,
    /// An engine has resigned (`XBoard`).
    Resignation,
    /// Both engines' scores show that one of them is lost.
    ResignAdjudication,
    /// Both engines' scores show a draw.
    DrawAdjudication,
    /// The game has reached its maximum length.
    MaxMoves,
    /// A tablebase gives the result.
    Tablebase,
    /// An engine's fault, see [`crate::model::Fault`].
    Fault,
}

impl Termination {
    /// All of them.
    pub const ALL: [Self; 11] = [
        Self::Checkmate,
        Self::Stalemate,
        Self::InsufficientMaterial,
        Self::Threefold,
        Self::FiftyMoves,
        Self::Resignation,
        Self::ResignAdjudication,
        Self::DrawAdjudication,
        Self::MaxMoves,
        Self::Tablebase,
        Self::Fault,
    ];

    /// The name in the ledger, in PGN and in reports.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Checkmate => "checkmate",
            Self::Stalemate => "stalemate",
            Self::InsufficientMaterial => "insufficient-material",
            Self::Threefold => "threefold",
            Self::FiftyMoves => "fifty-moves",
            Self::Resignation => "resignation",
            Self::ResignAdjudication => "resign-adjudication",
            Self::DrawAdjudication => "draw-adjudication",
            Self::MaxMoves => "max-moves",
            Self::Tablebase => "tablebase",
            Self::Fault => "fault",
        }
    }
}

// Engine faults in a game.

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
    /// A claim that contradicts the board: a result though the game is not over, or a legal move
    /// rejected (`XBoard`).
    WrongClaim,
    /// An unsolicited `bestmove`: ignored, and never ends a game.
    ExtraBestmove,
    /// A mate score whose PV is not a mate of that length: noted, and never ends a game.
    BadMatePv,
    /// Another program, or one with another name, was started in place of the one before: noted, and
    /// never ends a game.
    ChangedEngine,
    /// A search far beyond `nodes` or `depth`: noted, and never ends a game.
    IgnoredLimit,
}

impl FaultKind {
    /// All kinds.
    pub const ALL: [Self; 16] = [
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
        Self::WrongClaim,
        Self::ExtraBestmove,
        Self::BadMatePv,
        Self::ChangedEngine,
        Self::IgnoredLimit,
    ];

    /// Returns true if the machine can be the cause: every kind except wrong answers.
    pub const fn may_be_the_machine(self) -> bool {
        !matches!(
            self,
            Self::IllegalMove
                | Self::NoMove
                | Self::Unreadable
                | Self::WrongClaim
                | Self::ExtraBestmove
                | Self::BadMatePv
                | Self::ChangedEngine
                | Self::IgnoredLimit
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
            Self::WrongClaim => "wrong-claim",
            Self::ExtraBestmove => "extra-bestmove",
            Self::BadMatePv => "bad-mate-pv",
            Self::ChangedEngine => "changed-engine",
            Self::IgnoredLimit => "ignored-limit",
        }
    }
}

// Games played by other machines.

/// The fleet worker that played a game.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Machine {
    /// The name of the worker.
    pub worker: String,
    /// The factor applied to the configured times; `None` if there were none.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_scale: Option<f64>,
}

/// A quarantined worker, whose games do not count.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Quarantine {
    /// The name of the worker.
    pub worker: String,
    /// The reason, with the numbers.
    pub reason: String,
    /// Number of its recorded games that were removed.
    pub games: u64,
    /// The path of the removed games, relative to the run directory; empty if they are not in it.
    pub kept: String,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_second_game_swaps_the_colours() {
        let pairing = Pairing {
            number: PairNumber(7),
            round: 0,
            first: EngineIndex(2),
            second: EngineIndex(5),
            opening: 3,
        };
        let [first, second] = pairing.games();
        assert_eq!((first.game, second.game), (14, 15));
        assert_eq!((first.white, first.black), (second.black, second.white));
        assert_eq!(first.white, EngineIndex(2));
    }

    #[test]
    fn names_are_those_of_the_ledger() {
        fn check(named: impl Serialize, name: &str) {
            let written = serde_json::to_string(&named).expect("a name");
            assert_eq!(written, format!("\"{name}\""));
        }
        for one in Termination::ALL {
            check(one, one.as_str());
        }
        for one in FaultKind::ALL {
            check(one, one.as_str());
        }
    }
}
