//! The engine `touchstone`: talking UCI, driving engines, and playing.
//!
//! Layers, each using only those before it: [`uci`], then [`client`], [`eval`], [`tablebase`],
//! [`search`] and [`book`], of which `search` uses `eval` and `tablebase`, and no other any. Values
//! in, values out: nothing here reads a clock, a file or the environment, prints, or logs, but for
//! the part of `client` that runs processes, and `tablebase`, which reads the tables a user names.

pub mod book;
pub mod client;
pub mod eval;
pub mod search;
pub mod tablebase;
pub mod uci;
