//! The crate and the program `epd` as their users see them.

#[cfg(unix)]
mod bench;
mod common;
#[cfg(unix)]
mod eval;
#[cfg(unix)]
mod eval_score;
mod files;
mod lint;
mod properties;
mod reading;
mod repair;
mod run;
mod streams;
mod tactics;
