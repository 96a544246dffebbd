//! Is my move generator right? Perft of one position, over EPD suites, and as a benchmark.
//!
//! The pure middle ([`check`]: plan, ledger, verdict; [`count`]; [`unique`]; [`explain`];
//! [`mutants`]; [`generate`]; [`hunt`], which asks a [`subject`]) takes values and returns values;
//! [`run`] does the counting on all cores, and [`trial`] asks an engine, which `uci` makes a subject;
//! both send [`event`]s; [`report`] turns what is known into text, one file per format; [`cli`]
//! ties them together.
//!
//! Deliberately absent: rules and counting kernels (they are `chess`'s), reading of EPD (that is
//! `epd`'s).

#![cfg_attr(
    not(feature = "cli"),
    allow(dead_code, unused_imports, reason = "the program uses the rest")
)]

#[cfg(feature = "cli")]
pub mod bench;
pub mod check;
#[cfg(feature = "cli")]
pub mod cli;
pub mod count;
pub mod event;
pub mod explain;
pub mod generate;
pub mod hunt;
#[cfg(feature = "cli")]
mod machine;
#[cfg(feature = "cli")]
mod memory;
pub mod mutants;
mod positions;
pub mod report;
#[cfg(feature = "cli")]
pub mod resume;
pub mod run;
#[cfg(feature = "cli")]
mod shared;
pub mod subject;
pub mod trial;
pub mod unique;
mod units;

pub use kit::Exit;
