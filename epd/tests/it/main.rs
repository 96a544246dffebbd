//! The crate and the program `epd` as their users see them.

#[cfg(unix)]
mod bench;
mod common;
#[cfg(unix)]
mod eval;
mod files;
mod lint;
mod properties;
mod puzzles;
mod reading;
mod repair;
mod resume;
mod run;
mod search;
mod tactics;
