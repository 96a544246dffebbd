//! Games between chess engines, and whether one of them is stronger.
//!
//! The pure middle takes values and returns values: [`stats`] makes Elo, likelihoods and verdicts
//! of sequential tests of counts, [`games`] counts of games, [`rating`] ratings of the games of
//! many engines; [`schedule`] says who plays whom from which of the [`openings`],
//! [`time_control`] runs the clocks, [`referee`] knows when a game is over, [`config`] makes of what
//! was typed the configuration of a run, [`tune`] moves options of an engine to where it wins. [`model`] has the
//! words all parts share.
//!
//! At the edge `player` drives one engine, `game` plays one game, [`syzygy`] reads endgame tables,
//! `run` plays a schedule with workers and one loop that owns what is known, [`ledger`] is the run
//! directory, written and followed, [`mod@fleet`] plays a test on many machines, `compliance` checks one engine, [`report`] turns values into text,
//! [`cli`] ties files to them.
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
