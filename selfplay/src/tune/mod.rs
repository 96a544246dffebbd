//! Tunes the options of an engine by self-play with SPSA.
//!
//! [`parameter`] defines what is tuned, [`spsa`] how values move, [`queue`] the order of the games,
//! and [`journal`] what is stored; all of these are pure. `check` verifies that an engine has the
//! options, `directory` is the run directory, and `run` plays the games.
//!
//! Deliberately absent: any claim that the new values are better. That takes an SPRT of the new
//! values against the old.

pub mod config;
mod directory;
mod error;
pub mod journal;
pub mod parameter;
pub mod queue;
mod run;
pub mod spsa;

pub use config::OptionFault;
pub use directory::{Directory, DirectoryError, StoredTuning, is_tuning, read};
pub use error::TuningError;
pub use parameter::Parameter;
pub(crate) use parameter::start_options;
pub use run::{Changes, TuneEnd, TuneProgress, Tuning};
