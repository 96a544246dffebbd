//! The engine `touchstone`: evaluation, search and opening book.
//!
//! Of its modules only [`search`] uses another, [`eval`]. Values in, values out: nothing here reads a
//! clock, a file or the environment, prints, or logs. Endgame tables are read by the crate `tablebase`.

pub mod book;
pub mod eval;
pub mod search;
