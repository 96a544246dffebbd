//! `perft count --resume FILE`: perft from a frontier of unique positions, with a journal.
//!
//! At some ply, the tree has thousands of unique positions or more: the units (`Units`). Each is
//! counted separately, and its count is written to the journal (pure; `JournalFile` is the edge) as
//! soon as it is known. After a kill, the next run resumes from the journal.
//!
//! The edge and the run are private to the program; the journal's parser is public.

mod file;
mod journal;
mod run;

pub(crate) use file::{JournalFile, OpenError};
pub use journal::{Header, Journal, JournalError, SCHEMA, count_line};
pub(crate) use run::run;

use crate::units::Cut;

/// A ply with this many positions keeps every core busy, and a kill loses little.
pub(crate) const CUT: Cut = Cut::Enough {
    units: 2000,
    below: 1,
};
