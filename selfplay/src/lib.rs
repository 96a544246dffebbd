//! Games between chess engines, and whether one of them is stronger.
//!
//! The pure middle takes values and returns values: [`stats`] makes Elo, likelihoods and verdicts
//! of sequential tests of counts, [`games`] counts of games, [`rating`] ratings of the games of
//! many engines; [`schedule`] says who plays whom from which of the [`openings`], and
//! [`time_control`] runs the clocks. [`model`] has the words all parts share. [`report`] turns
//! values into text; [`cli`] reads files and ties them together.
//!
//! Deliberately absent: rules and PGN (they are `engine`'s).

pub mod cli;
pub mod games;
pub mod model;
pub mod openings;
pub mod rating;
pub mod report;
pub mod schedule;
pub mod stats;
pub mod time_control;

pub use terminal::Exit;
pub mod referee;
pub mod schedule;
pub mod syzygy;
pub mod time_control;

#[cfg(unix)]
pub mod game;
#[cfg(unix)]
pub mod player;
