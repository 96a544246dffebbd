//! Is my move generator right? Perft of one position, over EPD suites, of engines, and as a benchmark.
//!
//! Four wings, each behind one door: `count` counts a position; `suite` checks, measures and
//! makes suites of known counts; `engine_check` runs suites on engines and hunts down what they
//! count wrongly; `consistency` checks what engines print of their position: FEN, checkers, hash key.
//! `explain` puts a position and its moves into words; `report` renders results, one file per format;
//! `cli` ties everything together. Workers send events (`event`) down one channel to the loop that
//! owns the state.
//!
//! Deliberately absent: rules and counting kernels (see `chess`), reading of EPD (see `epd`), talking
//! to engines (see `uci`).

#![cfg_attr(
    not(feature = "fleet"),
    allow(dead_code, unused_imports, reason = "the program uses the rest")
)]

#[cfg(feature = "cli")]
pub mod cli;
mod consistency;
mod count;
mod engine_check;
mod event;
mod explain;
mod report;
mod suite;

#[cfg(feature = "task")]
pub use count::distributed::{lab, task};
pub use count::{journal as resume, subject};
pub use engine_check::hunt;
pub use suite::faults;

pub use kit::Exit;
