//! Messages from the engine to the GUI.

mod info;
mod option;
#[cfg(test)]
pub(super) mod tests;

pub use info::{Bound, CurrLine, Info, ParseScoreError, Score, ScoreValue, WinDrawLoss};
pub use option::{EngineOption, OptionKind};

use std::fmt;

use chess::notation::uci_move::UciMove;

use super::words::Words;

/// One line from the engine.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Message {
    /// `id name`: the engine's name.
    IdName(String),
    /// `id author`: the engine's author.
    IdAuthor(String),
    /// `uciok`: the handshake is done.
    UciOk,
    /// `readyok`: everything sent before `isready` has been processed.
    ReadyOk,
    /// `bestmove`: the search is over.
    BestMove(BestMove),
    /// `info`: information about the search.
    Info(Box<Info>),
    /// `option`: declares an option that `setoption` can change.
    Option(EngineOption),
    /// `copyprotection`: the state of the copy protection check.
    CopyProtection(CheckState),
    /// `registration`: the state of the registration check.
    Registration(CheckState),
    /// Any other line, without surrounding white space.
    Other(String),
}

/// The state of a copy protection or registration check.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum CheckState {
    /// The check is running.
    Checking,
    /// The check has succeeded.
    Ok,
    /// The check has failed.
    Error,
}

impl Message {
    /// Parses one line. It never fails, because engines are sloppy; what it tolerates:
    ///
    /// - any ASCII white space around and between words, a carriage return at the end;
    /// - words after `uciok` and `readyok`;
    /// - unknown words before a message, as UCI asks, if the rest of the line can be nothing else: `uciok` and
    ///   `readyok` are its last words then, `bestmove` has a move, `info` has a key;
    /// - in `info`: unknown keys, missing or unreadable values, numbers out of range. What cannot
    ///   be parsed is left out, and the last of repeated keys wins. A list of moves ends before the
    ///   first word that is not a move;
    /// - an `option` whose `default`, `min` or `max` is missing or unreadable, and these in any
    ///   order; `<empty>` and a missing text both mean the empty text;
    /// - an argument of `bestmove` that is not a move: see [`Reply::Unreadable`].
    ///
    /// Everything else is [`Message::Other`], including an `option` without a name or a known type,
    /// and an `id` that is neither name nor author.
    pub fn parse(line: &str) -> Self {
        let mut words = Words::new(line);
        let mut is_first = true;
        while let Some(word) = words.next() {
            let is_last = words.peek().is_none();
            // What is no message after all is skipped word by word.
            let mut rest = words.clone();
            let message = match word.text {
                "id" => match rest.next().map(|word| word.text) {
                    Some("name") => Some(Self::IdName(rest.rest().to_owned())),
                    Some("author") => Some(Self::IdAuthor(rest.rest().to_owned())),
                    _ => None,
                },
                "uciok" if is_first || is_last => Some(Self::UciOk),
                "readyok" if is_first || is_last => Some(Self::ReadyOk),
                "bestmove" => Some(BestMove::read(&mut rest))
                    .filter(|one| is_first || !matches!(one.reply, Reply::Unreadable(_)))
                    .map(Self::BestMove),
                "info" if is_first || info::begins_with_key(&rest) => {
                    Some(Self::Info(Box::new(Info::read(&mut rest))))
                }
                "option" => EngineOption::read(&mut rest).map(Self::Option),
                "copyprotection" => CheckState::read(&mut rest).map(Self::CopyProtection),
                "registration" => CheckState::read(&mut rest).map(Self::Registration),
                _ => None,
            };
            if let Some(message) = message {
                return message;
            }
            is_first = false;
        }
        Self::Other(line.trim_ascii().to_owned())
    }
}

impl CheckState {
    fn read(words: &mut Words<'_>) -> Option<Self> {
        match words.next()?.text {
            "checking" => Some(Self::Checking),
            "ok" => Some(Self::Ok),
            "error" => Some(Self::Error),
            _ => None,
        }
    }
}

impl fmt::Display for CheckState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Checking => "checking",
            Self::Ok => "ok",
            Self::Error => "error",
        })
    }
}

impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::IdName(name) => write!(f, "id name {name}"),
            Self::IdAuthor(author) => write!(f, "id author {author}"),
            Self::UciOk => f.write_str("uciok"),
            Self::ReadyOk => f.write_str("readyok"),
            Self::BestMove(best_move) => write!(f, "bestmove {best_move}"),
            Self::Info(info) => write!(f, "info{info}"),
            Self::Option(option) => write!(f, "option {option}"),
            Self::CopyProtection(state) => write!(f, "copyprotection {state}"),
            Self::Registration(state) => write!(f, "registration {state}"),
            Self::Other(text) => f.write_str(text),
        }
    }
}

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
    /// A move in SAN that is not legal: only of `XBoard` engines, see [`crate::xboard`].
    Illegal(String),
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
    fn read(words: &mut Words<'_>) -> Self {
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
            Self::Unreadable(text) | Self::Illegal(text) => f.write_str(text),
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
