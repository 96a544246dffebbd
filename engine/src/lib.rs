//! The chess core of Touchstone: the rules, the notations, counting by perft, the grammar of UCI.
//!
//! Layers, each using only those before it: [`rules`], then [`notation`], then [`perft`], then
//! [`uci`]. Nothing here reads a clock, a file or the environment, prints, or logs: values in,
//! values out.
//!
//! ```
//! use engine::notation::fen;
//! use engine::perft;
//!
//! let position = fen::parse("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1")?;
//! assert_eq!(perft::count(&position, 4), Ok(197_281));
//! # Ok::<(), engine::notation::fen::ParseFenError>(())
//! ```

#[macro_use]
mod index_enum;

mod cpu;
pub mod notation;
pub mod perft;
pub mod rules;
pub mod uci;

/// The examples of the README are run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
