//! The crate and the program `epd` as their users see them.

#[cfg(unix)]
mod bench;
mod common;
#[cfg(unix)]
mod eval;
mod files;
mod lint;
mod mates;
mod properties;
mod reading;
mod repair;
mod run;
mod scores;
mod tactics;
