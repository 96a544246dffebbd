//! Games between chess engines, and whether one of them is stronger.
//!
//! The pure core takes values and returns values. [`model`] has the types that all parts share,
//! [`stats`] computes Elo, likelihoods and decisions of sequential tests, and rates engines from
//! their games. `openings` reads books, `config` resolves options as typed into the configuration
//! of a run, and `tune` tunes engine options.
//!
//! `play` leads from a schedule to the games in the ledger, `fleet` plays a test on many machines,
//! `compliance` checks one engine, `report` turns values into text, and `cli` connects them to
//! files.
//!
//! Public are [`model`], [`stats`] and [`lab`], the documents of a lab's tests; other modules are visible for tests and fuzzers only.
//!
//! Deliberately absent: rules and PGN (they are `chess`'s).

#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "the program uses the rest")
)]

/// Rows of a table: in tests what is given, then, behind the arrow, what is expected. rustfmt leaves
/// each row as it is.
macro_rules! rows {
    ($($($given:expr),+ => $expected:expr;)+) => { [$(($($given,)+ $expected)),+] };
}

pub use kit::Exit;
pub use model::time_control;
pub use play::{game, player, run};
pub use play::{ledger, schedule};

#[cfg(feature = "cli")]
pub mod cli;
mod compliance;
#[doc(hidden)]
pub mod config;
#[doc(hidden)]
pub mod fleet;
pub mod lab;
pub mod model;
#[doc(hidden)]
pub mod openings;
#[doc(hidden)]
pub mod play;
#[doc(hidden)]
pub mod report;
pub mod stats;
#[doc(hidden)]
pub mod tune;
