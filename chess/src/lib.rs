//! The rules of chess and Chess960, the notations, and counting by perft.
//!
//! The modules are layers: [`rules`], then [`notation`], then [`perft`]; each uses only those
//! before it. Nothing here reads a clock, a file or the environment, prints, or logs.
//!
//! ```
//! use chess::notation::fen;
//! use chess::perft;
//!
//! let position = fen::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?;
//! assert_eq!(perft::count(&position, 4), Ok(197_281));
//! # Ok::<(), chess::notation::fen::ParseFenError>(())
//! ```

#[macro_use]
mod index_enum;

/// Rows of a test table: what is given, then, behind the arrow, what is expected. rustfmt leaves
/// each row as it is.
#[cfg(test)]
macro_rules! rows {
    ($($($given:expr),+ => $expected:expr;)+) => { [$(($($given,)+ $expected)),+] };
}

pub mod notation;
pub mod pages;
pub mod perft;
pub mod rules;

/// The examples of the README are run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
