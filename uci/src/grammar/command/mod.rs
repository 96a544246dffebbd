//! Commands from the GUI to the engine.

mod error;
mod go;
mod position;
mod read;

use std::fmt;

pub use error::{CommandFault, ParseCommandError};
pub use go::Go;
pub use position::{PositionCommand, StartPosition};

/// One line from the GUI. Its strings contain no line breaks and no surrounding white space, and a
/// name does not contain the word `value` (`code`, in a registration): otherwise they could not be
/// parsed back.
#[derive(Clone, Debug, PartialEq, Eq)]
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
        /// The option.
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
pub enum Registration {
    /// `later`: skips registration for now.
    Later,
    /// With name and code.
    As {
        /// The name.
        name: String,
        /// The code.
        code: String,
    },
}

impl fmt::Display for Command {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Uci => f.write_str("uci"),
            Self::Debug(on) => write!(f, "debug {}", if *on { "on" } else { "off" }),
            Self::IsReady => f.write_str("isready"),
            Self::UciNewGame => f.write_str("ucinewgame"),
            Self::Register(registration) => write!(f, "register {registration}"),
            Self::SetOption { name, value } => {
                write!(f, "setoption name {name}")?;
                match value.as_deref() {
                    Some("") => f.write_str(" value <empty>"),
                    Some(value) => write!(f, " value {value}"),
                    None => Ok(()),
                }
            }
            Self::Position(position) => write!(f, "position {position}"),
            Self::Go(go) => write!(f, "go{go}"),
            Self::Stop => f.write_str("stop"),
            Self::PonderHit => f.write_str("ponderhit"),
            Self::Quit => f.write_str("quit"),
        }
    }
}

impl fmt::Display for Registration {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Later => f.write_str("later"),
            Self::As { name, code } => write!(f, "name {name} code {code}"),
        }
    }
}

#[cfg(test)]
mod tests;
