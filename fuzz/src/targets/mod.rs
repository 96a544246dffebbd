//! The grammars, and what is asked of each.

mod book;
mod command_line;
mod config;
mod crowd;
mod evaluations;
mod fen;
mod ledger;
mod moves;
mod openings;
mod options;
mod perft;
mod pgn;
mod suite;
mod texts;
mod tune;
mod uci;

use crate::target::Target;

/// The groups of targets, in the order of the crates.
const GROUPS: &[&[Target]] = &[
    fen::TARGETS,
    moves::TARGETS,
    uci::TARGETS,
    options::TARGETS,
    command_line::TARGETS,
    pgn::TARGETS,
    book::TARGETS,
    suite::TARGETS,
    evaluations::TARGETS,
    perft::TARGETS,
    config::TARGETS,
    texts::TARGETS,
    openings::TARGETS,
    ledger::TARGETS,
    tune::TARGETS,
    crowd::TARGETS,
];

/// Every target.
pub fn all() -> impl Iterator<Item = &'static Target> {
    GROUPS.iter().copied().flatten()
}

/// The text of a file under `corpus/`.
macro_rules! corpus {
    ($name:literal) => {
        include_str!(concat!("../../corpus/", $name))
    };
}
pub(crate) use corpus;

/// Words of a grammar that is written in JSON: texts in quotes, after a semicolon others as they are, and the
/// signs of JSON.
macro_rules! json_words {
    ($($quoted:literal),+ $(; $($plain:literal),+)?) => {
        &[
            $(concat!("\"", $quoted, "\""),)+ $($($plain,)+)?
            "null", "true", "[", "]", "{", "}", ",", ":",
        ]
    };
}
pub(crate) use json_words;
