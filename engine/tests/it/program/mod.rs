//! The program `touchstone` as GUIs, scripts and careless users meet it.
//!
//! The real program is driven over pipes. Every wait has a deadline, generous enough for a slow
//! machine: no test depends on speed.

mod bench_and_perft;
mod book;
mod chess960;
pub(crate) mod driver;
pub(crate) mod handshake;
mod network;
mod rejections;
mod search;
mod signals;
mod tablebase;
