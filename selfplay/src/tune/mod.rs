//! Tuning the options of an engine by games against itself: SPSA.
//!
//! [`parameter`] says what is tuned, [`spsa`] how values move, [`queue`] which game is next, [`journal`]
//! what is kept; all of these are pure. `check` looks whether an engine has the options, `directory`
//! is the run directory, `run` plays.
//!
//! Deliberately absent: any judgement whether the new values are better. That is a test's: an SPRT
//! of them against the old.

#[cfg(unix)]
mod check;
pub mod config;
mod directory;
mod error;
pub mod journal;
pub mod parameter;
pub mod queue;
#[cfg(unix)]
mod run;
pub mod spsa;
#[cfg(unix)]
mod worker;

#[cfg(unix)]
pub use check::OptionFault;
pub use directory::{Directory, DirectoryError, Stored, read};
#[cfg(unix)]
pub use error::RunError;
pub use run::{End, Progress, Tuning};
