//! The `bestmove` message.

use std::fmt;

use crate::grammar::words::Words;
use chess::notation::uci_move::UciMove;

/// The arguments of `bestmove`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BestMove {
    /// The move, or what is printed in its place.
    pub reply: Reply,
    /// The expected reply, on which the engine would like to ponder.
    pub ponder: Option<UciMove>,
}

/// The first argument of `bestmove`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Reply {
    /// A well-formed move. Checking its legality requires the position.
    Move(UciMove),
    /// `(none)`: the position has no legal move.
    NoMove,
    /// `0000`: the null move, which some engines print if there is no legal move.
    NullMove,
    /// Any other word, or the empty text if the argument is missing.
    Unreadable(String),
}

impl Reply {
    /// The move, if it is one.
    pub fn as_move(&self) -> Option<UciMove> {
        match self {
            Self::Move(m) => Some(*m),
            _ => None,
        }
    }

    fn read(word: &str) -> Self {
        match word {
            "(none)" => Self::NoMove,
            "0000" => Self::NullMove,
            _ => match word.parse() {
                Ok(m) => Self::Move(m),
                Err(_) => Self::Unreadable(word.to_owned()),
            },
        }
    }
}

impl BestMove {
    pub(super) fn read(words: &mut Words<'_>) -> Self {
        let reply = Reply::read(words.next().map_or("", |word| word.text));
        let ponder = words
            .next()
            .filter(|word| word.text == "ponder")
            .and_then(|_| words.next()?.text.parse().ok());
        Self { reply, ponder }
    }
}

impl fmt::Display for Reply {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Move(m) => write!(f, "{m}"),
            Self::NoMove => f.write_str("(none)"),
            Self::NullMove => f.write_str("0000"),
            Self::Unreadable(text) => f.write_str(text),
        }
    }
}

impl fmt::Display for BestMove {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reply)?;
        match self.ponder {
            Some(m) => write!(f, " ponder {m}"),
            None => Ok(()),
        }
    }
}
