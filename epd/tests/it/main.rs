//! The crate and the program `epd` as their users see them.

#[cfg(unix)]
mod bench;
mod common;
#[cfg(feature = "oracles")]
mod compare;
#[cfg(unix)]
mod eval;
#[cfg(unix)]
mod eval_score;
mod files;
#[cfg(feature = "fleet")]
mod lab;
mod lint;
mod mates;
mod properties;
mod puzzles;
mod reading;
mod repair;
mod resume;
mod rows;
mod run;
mod scores;
mod search;
mod streams;
mod tactics;
