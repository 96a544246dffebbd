//! Games between chess engines, and whether one of them is stronger.
//!
//! The pure middle takes values and returns values: [`stats`] makes Elo, likelihoods and verdicts
//! of sequential tests of counts, [`games`] counts of games, [`rating`] ratings of the games of
//! many engines; [`schedule`] says who plays whom from which of the [`openings`],
//! [`time_control`] runs the clocks, [`referee`] knows when a game is over. [`model`] has the words
//! all parts share. At the edge `player` drives one engine, `game` plays one game, [`syzygy`] reads
//! endgame tables; [`report`] turns values into text, [`cli`] ties files to them.
//!
//! Deliberately absent: rules and PGN (they are `engine`'s).

pub mod cli;
#[cfg(unix)]
pub mod game;
pub mod games;
pub mod model;
pub mod openings;
#[cfg(unix)]
pub mod player;
pub mod rating;
pub mod referee;
pub mod report;
pub mod schedule;
pub mod stats;
pub mod syzygy;
pub mod time_control;

pub use terminal::Exit;
