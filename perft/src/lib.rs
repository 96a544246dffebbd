//! Is my move generator right? Perft of one position, over EPD suites, and as a benchmark.
//!
//! The pure middle ([`check`]: plan, ledger, verdict; [`count`]; [`unique`]; [`explain`];
//! [`mutants`]; [`generate`]; [`hunt`], which asks a [`subject`]) takes values and returns values.
//! [`run`] counts on all cores, and [`trial`] tests engines, which `uci` adapts to subjects; both
//! send [`event`]s. [`report`] turns the results into text, one file per format; [`cli`] ties
//! everything together.
//!
//! Deliberately absent: rules and counting kernels (see `chess`), reading of EPD (see `epd`).

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
