//! Whether an engine speaks UCI soundly enough to be trusted with a match.
//!
//! An ordered list of checks ([`CHECKS`]), each with what is asked, why it matters and what it
//! takes. Every check talks with a process of its own, so that what was said on failure is the
//! whole story and can be said again by hand. What answers mean is judged by pure functions
//! (`judge`); `talk` is the edge, where every wait has a deadline; `run` goes through the list.
//!
//! Deliberately absent: playing strength. An engine that plays the first legal move passes.

mod check;
mod checks;
mod finding;
mod judge;
mod process_group;
mod question;
mod run;
mod subject;
mod talk;

pub use check::{Check, Level};
pub use checks::CHECKS;
pub use run::{Checked, Outcome, RunError, Tally, run};
pub use subject::{Patience, Subject};
