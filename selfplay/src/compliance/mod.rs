//! Checks whether an engine's UCI implementation is sound enough for a match.
//!
//! An ordered list of checks ([`CHECKS`]), each with its requirement, the reason, and its
//! prerequisites. Every check runs in a fresh engine process, so that the transcript of a failure
//! is complete and can be reproduced by hand. Pure functions judge the answers (`judge`); `dialogue`
//! does the I/O, where every wait has a deadline; `run` runs the list, many checks at a time;
//! `select` finds checks by name.
//!
//! Deliberately absent: playing strength. An engine that plays the first legal move passes.

mod check;
mod checks;
mod definition;
mod dialogue;
mod judge;
mod question;
mod run;
mod select;

pub(crate) use check::{CheckedEngine, Patience};
pub(crate) use definition::{Check, CheckLevel};
pub(crate) use run::{CheckOutcome, CheckStep, CheckTally, FinishedCheck, run};
pub(crate) use select::select;
