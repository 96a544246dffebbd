//! Puzzles of several moves, as Lichess publishes them: rows of CSV with a rating and themes.
//!
//! [`read`] selects rows of a file of any size; [`case`] makes each a case with a step for each
//! move to find; [`tally`] counts what an engine found, by rating and theme; [`rating`] estimates
//! the engine's puzzle rating.

pub(crate) mod case;
pub(crate) mod rating;
pub(crate) mod read;
pub(crate) mod tally;
