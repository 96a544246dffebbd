//! What a GUI tells an engine.

mod error;
mod go;
mod position;
mod read;

use std::fmt;

pub use error::{CommandFault, ParseCommandError};
pub use go::Go;
pub use position::{PositionCommand, StartPosition};

/// One line of a GUI. The texts in it hold no line breaks, have no white space around them, and
/// a name has no word `value` in it (`code`, in a registration): only so can they be read again.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Command {
    /// `uci`: begins the handshake.
    Uci,
    /// `debug on|off`: whether the engine should say more than it must.
    Debug(bool),
    /// `isready`: asks for `readyok` once all before it has been dealt with.
    IsReady,
    /// `ucinewgame`: the next position is of another game.
    UciNewGame,
    /// `register`: answers an engine that wants to be registered.
    Register(Registration),
    /// `setoption name … [value …]`.
    SetOption {
        /// The option.
        name: String,
        /// What it is set to; none for a button. The empty text is written `<empty>`.
        value: Option<String>,
    },
    /// `position`: what is on the board.
    Position(PositionCommand),
    /// `go`: begins a search.
    Go(Go),
    /// `stop`: ends it.
    Stop,
    /// `ponderhit`: the move that is pondered on has been played.
    PonderHit,
    /// `quit`: ends the engine.
    Quit,
}

/// An answer to an engine that wants to be registered.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Registration {
    /// Not now.
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
