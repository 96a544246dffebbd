//! Is my change stronger? The statistics of matches between engines.
//!
//! The pure middle takes values and returns values: [`stats`] makes Elo, likelihoods and verdicts
//! of sequential tests of counts, [`games`] counts of games, [`rating`] ratings of the games of
//! many engines. [`report`] turns them into text; [`cli`] reads files and ties them together.
//!
//! Deliberately absent: rules and PGN (they are `engine`'s).

pub mod cli;
pub mod games;
pub mod rating;
pub mod report;
pub mod stats;

pub use terminal::Exit;
//! Games between chess engines, and whether one of them is stronger.
//!
//! The pure middle takes values and returns values; workers that play games send events to the one
//! loop that owns the run: its ledger, then the statistics, then what people look at.

pub mod model;
pub mod openings;
pub mod schedule;
pub mod time_control;
