//! Shared by all programs: exit codes ([`Exit`]), writing of results ([`output`]), bounded reading
//! of files ([`read`]), programs of the machine ([`programs`]), names that were misspelt ([`spelling`]), progress on a terminal ([`Progress`], [`StatusLine`]), Ctrl-C
//! ([`Interrupt`]), GitHub annotations ([`github`]), values of options ([`values`]), options that programs share (`options`), the options of
//! all command lines and the way from an error to an exit code (`cli`), the log of the dialogue with
//! engines (`log_to`), completions and man pages (`SelfDescription`), reports and their formats
//! (`report`), their tables ([`table`]), HTML pages and charts (`page`, `chart`), compressed files (`compress`), journals (`Journal`) and outputs that appear only as a whole (`DraftFile`).
//!
//! Deliberately absent: chess, and what a report says.

#[cfg(feature = "page")]
pub mod chart;
#[cfg(feature = "cli")]
pub mod cli;
#[cfg(feature = "compress")]
pub mod compress;
#[cfg(feature = "compress")]
mod draft;
#[cfg(feature = "cli")]
mod engine_log;
mod exit;
mod file_limit;
pub mod github;
mod input;
mod interrupt;
#[cfg(feature = "journal")]
pub mod journal;
#[cfg(feature = "cli")]
pub mod options;
pub mod output;
#[cfg(feature = "page")]
pub mod page;
pub mod programs;
mod progress;
pub mod read;
#[cfg(feature = "report")]
pub mod report;
#[cfg(feature = "cli")]
mod self_description;
pub mod spelling;
mod status_line;
pub mod table;
pub mod values;

#[cfg(feature = "compress")]
pub use draft::{DraftFile, FinishedDraft};
#[cfg(feature = "cli")]
pub use engine_log::log_to;
pub use exit::Exit;
pub use file_limit::make_file_limit_an_error;
pub use input::BadInput;
pub use interrupt::Interrupt;
#[cfg(feature = "journal")]
pub use journal::Journal;
pub use progress::Progress;
#[cfg(feature = "cli")]
pub use self_description::SelfDescription;
pub use status_line::StatusLine;
