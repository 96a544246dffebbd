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

#[cfg(feature = "cli")]
pub mod cli;
#[cfg(unix)]
pub mod compliance;
pub mod config;
mod digits;
pub mod distinct;
pub mod fleet;
#[cfg(unix)]
pub mod game;
pub mod games;
pub mod ledger;
pub mod model;
pub mod openings;
pub mod pair_test;
#[cfg(unix)]
pub mod player;
pub mod rating;
pub mod referee;
pub mod report;
#[cfg(unix)]
pub mod run;
pub mod schedule;
pub mod stats;
pub mod syzygy;
pub mod time_control;
pub mod tune;

pub use kit::Exit;
