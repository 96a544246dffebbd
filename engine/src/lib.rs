//! The engine `touchstone`: evaluation, search and opening book.
//!
//! Among its modules only [`search`] uses another one, [`eval`]. Nothing here reads a clock, a file
//! or the environment, prints, or logs. Endgame tablebases are read by the `tablebase` crate.

pub mod book;
pub mod eval;
pub mod search;
