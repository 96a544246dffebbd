//! Games between chess engines, and whether one of them is stronger.
//!
//! The pure core takes values and returns values. [`stats`] computes Elo, likelihoods and decisions
//! of sequential tests from counts, [`games`] counts games, and [`rating`] rates many engines from
//! their games. [`schedule`] pairs engines and assigns [`openings`], [`time_control`] runs the
//! clocks, and [`referee`] decides when a game is over. [`config`] resolves options as typed into
//! the configuration of a run, [`tune`] tunes engine options, and [`model`] has the types that all
//! parts share.
//!
//! At the edge, `player` drives one engine, `game` plays one game, and [`syzygy`] reads endgame
//! tablebases. `run` plays a schedule with workers and one loop that owns the state, [`ledger`]
//! writes and follows the run directory, and [`mod@fleet`] plays a test on many machines.
//! `compliance` checks one engine, [`report`] turns values into text, and [`cli`] connects them to
//! files.
//!
//! Public are [`model`] and [`stats`]; other modules are visible for tests and fuzzers only.
//!
//! Deliberately absent: rules and PGN (they are `chess`'s).

#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "the program uses the rest")
)]

pub use kit::Exit;
pub use model::time_control;
#[cfg(unix)]
pub use play::{game, player, run};
pub use play::{ledger, schedule};

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(unix)]
mod compliance;
#[doc(hidden)]
pub mod config;
#[doc(hidden)]
pub mod fleet;
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
