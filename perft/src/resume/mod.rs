//! `perft count --resume FILE`: perft from a frontier of unique positions, with a journal.
//!
//! Some plies from the position lie a few thousand unique positions or more: the units
//! (`Units`). Each is counted by itself, and its count goes into the journal (pure; `JournalFile` is the
//! edge) as soon as it is known. What a run that was killed has written, the next takes from there.
//!
//! The edge and the run are the program's own; what a journal says can be read by anybody.

mod file;
mod journal;
mod run;

pub(crate) use file::{JournalFile, OpenError};
pub use journal::{Header, Journal, JournalError, SCHEMA, count_line};
pub(crate) use run::run;

use crate::units::Cut;

/// A ply with as many positions keeps every core busy, and little is lost when a run is killed.
pub(crate) const CUT: Cut = Cut::Enough {
    units: 2000,
    below: 1,
};
