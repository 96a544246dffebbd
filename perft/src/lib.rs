//! Is my move generator right? Perft of one position, over EPD suites, and as a benchmark.
//!
//! The pure middle ([`check`]: plan, ledger, verdict; [`count`]; [`unique`]; [`explain`]) takes values and returns values;
//! The pure middle ([`check`]: plan, ledger, verdict; [`count`]; [`unique`]; [`generate`]: measure,
//! choose, write) takes values and returns values;
//! The pure middle ([`check`]: plan, ledger, verdict; [`count`]; [`unique`]) takes values and returns values;
//! [`hunt`] is as pure, and asks a [`subject`];
//! [`run`] does the counting on all cores and sends [`event`]s; [`report`] turns what is known
//! into text, one file per format; [`cli`] ties them together.
//!
//! Deliberately absent: rules and counting kernels (they are `engine`'s), reading of EPD (that is
//! `epd`'s).

pub mod bench;
pub mod check;
pub mod cli;
pub mod count;
pub mod event;
mod exit;
pub mod explain;
pub mod generate;
pub mod hunt;
mod interrupt;
mod memory;
pub mod mutants;
mod output;
mod positions;
mod progress;
pub mod report;
mod resume;
pub mod run;
pub mod subject;
pub mod unique;

pub use exit::Exit;
