//! The chess core of Touchstone: the rules, the notations, counting by perft, driving engines, and
//! playing.
//!
//! Layers, each using only those before it: [`rules`], then [`notation`], then [`perft`], then
//! [`uci`], then [`client`], [`eval`], [`tablebase`], [`search`] and [`book`], of which `search` uses
//! `eval` and `tablebase`, and no other any. Values in, values out: nothing here reads a clock, a
//! file or the environment, prints, or logs, but for the part of `client` that runs processes, and
//! `tablebase`, which reads the tables a user names.
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

pub mod book;
pub mod client;
mod cpu;
pub mod eval;
pub mod notation;
mod pages;
pub mod perft;
pub mod rules;
pub mod search;
pub mod tablebase;
pub mod uci;

/// The examples of the README are run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
