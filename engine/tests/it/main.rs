//! The library against slow reference implementations, and the program over pipes.

#![expect(clippy::print_stdout, reason = "a failing test shows its seed")]

mod book;
mod evaluation;
mod program;
#[cfg(feature = "oracles")]
mod python_chess_book;
#[cfg(feature = "oracles")]
mod python_chess_games;
mod search_agrees;
mod search_fuzz;
mod search_limits;
mod uci_fuzz;
