//! Commands from the GUI to the engine.

mod read;
#[cfg(test)]
mod tests;

use std::fmt;
use std::str::FromStr;

use super::words::{write_text, write_value};
use chess::notation::fen::{self, ParseFenError};
use chess::notation::uci_move::{ParseUciMoveError, UciMove};
use chess::rules::Position;

/// One line from the GUI. Its strings contain no line breaks and no surrounding white space, and a
/// name does not contain the word `value` (`code`, in a registration): otherwise they could not be
/// parsed back.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum Command {
    /// `uci`: starts the handshake.
    Uci,
    /// `debug on|off`: whether the engine should print additional information.
    Debug(bool),
    /// `isready`: asks for `readyok` once everything before it has been processed.
    IsReady,
    /// `ucinewgame`: the next position is from another game.
    UciNewGame,
    /// `register`: answers an engine that wants to be registered.
    Register(Registration),
    /// `setoption name … [value …]`.
    SetOption {
        name: String,
        /// Its new value; `None` for a button. The empty text is written `<empty>`.
        value: Option<String>,
    },
    /// `position`: sets up the board.
    Position(PositionCommand),
    /// `go`: starts a search.
    Go(Go),
    /// `stop`: ends the search.
    Stop,
    /// `ponderhit`: the expected move has been played.
    PonderHit,
    /// `quit`: ends the program.
    Quit,
}

/// An answer to an engine that wants to be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
#[expect(missing_docs, reason = "the names of the fields say what they are")]
pub enum Registration {
    /// `later`: skips registration for now.
    Later,
    /// With name and code.
    As { name: String, code: String },
}

impl Command {
    /// Parses one line as its strict parser does, but for what can only mean one thing. Each of
    /// these is read otherwise than it is written, with a remark about it:
    ///
    /// - a FEN of four to six fields that [`fen::parse_lenient`] makes a legal position of; the text
    ///   is that of [`fen::write`] then;
    /// - a negative number after `depth`, `nodes` and `mate`: 1; after any other limit of a search
    ///   that has no negative ones, such as `movetime`: 0.
    ///
    /// # Errors
    ///
    /// Every other fault.
    pub fn parse_lenient(line: &str) -> Result<(Self, Vec<String>), ParseCommandError> {
        read::lenient(line)
    }
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Self::IsReady => f.write_str("isready"),
            Self::UciNewGame => f.write_str("ucinewgame"),
            Self::Register(Registration::Later) => f.write_str("register later"),
            Self::Register(Registration::As { name, code }) => {
                write!(f, "register name {name} code {code}")
            }
            Self::SetOption { name, value } => {
                write!(f, "setoption name {name}")?;
                write_value(f, "value", value.as_deref().map(write_text))
            }
            Self::Position(position) => write!(f, "position {position}"),
            Self::Go(go) => write!(f, "go{go}"),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

/// Search limits; without any, the engine or `stop` ends the search.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Go {
    /// White's remaining time in milliseconds; negative after a time forfeit.
    pub wtime_ms: Option<i64>,
    /// Black's remaining time in milliseconds; negative after a time forfeit.
    pub btime_ms: Option<i64>,
    /// White's increment per move, in milliseconds.
    pub winc_ms: Option<u64>,
    /// Black's increment per move, in milliseconds.
    pub binc_ms: Option<u64>,
    /// Moves to the next time control.
    pub movestogo: Option<u32>,
    /// Search depth in plies.
    pub depth: Option<u32>,
    /// Number of nodes to search.
    pub nodes: Option<u64>,
    /// Distance of the mate to search for, in moves.
    pub mate: Option<u32>,
    /// Time to search, in milliseconds.
    pub movetime_ms: Option<u64>,
    /// Perft depth in plies, to count leaf nodes instead of searching: not part of UCI, but widely
    /// supported. Many engines treat 0 as an infinite search.
    pub perft: Option<u32>,
    /// Whether to search until `stop`.
    pub infinite: bool,
    /// Whether to search on the opponent's time, until `ponderhit` or `stop`.
    pub ponder: bool,
    /// The root moves to search; empty for all.
    pub searchmoves: Vec<UciMove>,
}

impl fmt::Display for Go {
    /// Writes each limit with a leading blank. The moves come last.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.ponder {
            f.write_str(" ponder")?;
        }
        write_value(f, "wtime", self.wtime_ms)?;
        write_value(f, "btime", self.btime_ms)?;
        write_value(f, "winc", self.winc_ms)?;
        write_value(f, "binc", self.binc_ms)?;
        write_value(f, "movestogo", self.movestogo)?;
        write_value(f, "depth", self.depth)?;
        write_value(f, "nodes", self.nodes)?;
        write_value(f, "mate", self.mate)?;
        write_value(f, "movetime", self.movetime_ms)?;
        write_value(f, "perft", self.perft)?;
        if self.infinite {
            f.write_str(" infinite")?;
        }
        if !self.searchmoves.is_empty() {
            f.write_str(" searchmoves")?;
        }
        self.searchmoves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

/// A start position and the moves played from it. The moves are well-formed text; whether they are
/// legal is checked by whoever plays them. The default is the start position of standard chess.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct PositionCommand {
    /// Where the game begins.
    pub start: StartPosition,
    /// The moves played since.
    pub moves: Vec<UciMove>,
}

/// Where a game begins.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub enum StartPosition {
    /// `startpos`: the first position of standard chess.
    #[default]
    Startpos,
    /// `fen …`: any other position. Boxed because it is much larger than the rest.
    Fen(Box<FenText>),
}

impl fmt::Display for PositionCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.start {
            StartPosition::Startpos => f.write_str("startpos")?,
            StartPosition::Fen(fen) => write!(f, "fen {fen}")?,
        }
        if !self.moves.is_empty() {
            f.write_str(" moves")?;
        }
        self.moves.iter().try_for_each(|m| write!(f, " {m}"))
    }
}

impl From<FenText> for PositionCommand {
    /// The position, before any move.
    fn from(fen: FenText) -> Self {
        Self {
            start: StartPosition::Fen(Box::new(fen)),
            moves: Vec::new(),
        }
    }
}

/// The text of a FEN with the position it describes. The text is kept verbatim, because X-FEN and
/// Shredder-FEN write the castling rights of one position differently, and engines differ in which
/// they accept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FenText {
    text: String,
    position: Position,
}

impl FenText {
    /// The text, verbatim.
    pub fn as_str(&self) -> &str {
        &self.text
    }

    /// The position it describes.
    pub fn position(&self) -> &Position {
        &self.position
    }
}

impl FromStr for FenText {
    type Err = ParseFenError;

    /// Parses a FEN as strictly as [`fen::parse`].
    fn from_str(text: &str) -> Result<Self, ParseFenError> {
        let position = fen::parse(text)?;
        let text = text.to_owned();
        Ok(Self { text, position })
    }
}

impl From<&Position> for FenText {
    /// The position as [`fen::write`] writes it.
    fn from(position: &Position) -> Self {
        Self {
            text: fen::write(position),
            position: *position,
        }
    }
}

impl fmt::Display for FenText {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

/// A command that cannot be parsed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("column {column}: {fault}")]
pub struct ParseCommandError {
    /// The rejected line.
    pub line: String,
    /// Position of the fault, in bytes from 1.
    pub column: usize,
    /// The fault at that place.
    #[source]
    pub fault: CommandFault,
}

/// The ways in which a command is malformed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[expect(
    missing_docs,
    reason = "the messages say what the variants and fields are"
)]
pub enum CommandFault {
    #[error("the line ends, expected {expected}")]
    Missing { expected: &'static str },
    #[error("unexpected '{found}', expected {expected}")]
    Unexpected {
        found: String,
        expected: &'static str,
    },
    #[error("'{found}' is not a {what}, expected a number from {least} to {most}")]
    NotANumber {
        found: String,
        what: &'static str,
        least: i64,
        most: u64,
    },
    #[error("'{key}' is given twice")]
    Repeated { key: String },
    /// Not a move.
    #[error(transparent)]
    Move(#[from] ParseUciMoveError),
    #[error("{0}")]
    Fen(#[source] ParseFenError),
}
