//! `perft count --resume FILE`: perft from a frontier of unique positions, with a journal.
//!
//! Some plies from the position lie a few thousand unique positions or more: the units
//! ([`Units`]). Each is counted by itself, and its count goes into the journal ([`journal`], pure;
//! [`JournalFile`], the edge) as soon as it is known. What a run that was killed has written, the
//! next takes from there. The sum of all counts, each times the sequences of moves to its unit, is
//! the count of the whole.

mod file;
mod journal;
mod run;
mod units;

pub(crate) use file::{JournalFile, OpenError};
pub(crate) use run::run;
pub(crate) use units::Units;
