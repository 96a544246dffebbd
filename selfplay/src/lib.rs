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
//! Deliberately absent: rules and PGN (they are `chess`'s).

#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "the program uses the rest")
)]

pub use kit::Exit;

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(unix)]
pub(crate) mod compliance;
pub(crate) mod config;
pub(crate) mod fleet;
pub(crate) mod model;
pub(crate) mod openings;
pub(crate) mod play;
pub(crate) mod report;
pub(crate) mod stats;
pub(crate) mod tune;
