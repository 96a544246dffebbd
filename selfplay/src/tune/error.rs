//! Why a tuning cannot be played.

use tablebase::TablebaseError;

use super::config::{OptionFault, TuneConfigError};
use super::directory::DirectoryError;
use crate::config::program::ProgramError;
use crate::openings::OpeningError;
use crate::play::{PlayerError, RunError};

/// Limit of consecutive games that end by a fault: beyond it, values would only drift at random.
pub(super) const FAULTS_IN_A_ROW: u64 = 10;

/// Why a tuning cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum TuningError {
    #[error(transparent)]
    Config(#[from] TuneConfigError),
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The opening book cannot be used.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// The engine's program cannot be started.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// The engine's program has changed since the start.
    #[error(
        "the engine's program has changed: it was {expected} and is {found}; --allow-changed-engines resumes anyway"
    )]
    Changed { expected: String, found: String },
    /// The opening book has changed since the start.
    #[error("the opening book has changed: it was {expected}, and is {found}")]
    Book { expected: String, found: String },
    #[error(transparent)]
    Syzygy(#[from] TablebaseError),
    /// An option of the engine cannot be tuned.
    #[error(transparent)]
    Option(#[from] OptionFault),
    /// The engine failed before the first game or between two games.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// The games cannot be played.
    #[error(transparent)]
    Run(#[from] RunError),
    /// Too many consecutive games ended by a fault.
    #[error(
        "the last {FAULTS_IN_A_ROW} games all ended by a fault of an engine, the last: {last}; the transcript \
         is kept in the run directory"
    )]
    Faults { last: String },
    /// More games were lost by faults than allowed.
    #[error(
        "{} by a fault of an engine, the last: {last}; the transcript is kept in the run directory",
        if *games == 1 { "a game ended".to_owned() } else { format!("{games} games ended") }
    )]
    TooManyFaults { games: u64, last: String },
}

impl TuningError {
    /// Whether the user's request is invalid; otherwise an engine or the machine is at fault.
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Config(_)
            | Self::Openings(_)
            | Self::Book { .. }
            | Self::Changed { .. }
            | Self::Syzygy(_) => true,
            Self::Program(error) => error.is_input,
            Self::Directory(error) => error.is_bad_input(),
            Self::Run(error) => error.is_input(),
            // An option that the engine does not have is a matter of the engine, as in all programs.
            Self::Option(_)
            | Self::Player(_)
            | Self::Faults { .. }
            | Self::TooManyFaults { .. } => false,
        }
    }

    /// Whether the work was cancelled, which is not a failure.
    pub fn is_cancelled(&self) -> bool {
        matches!(self, Self::Player(PlayerError::Cancelled))
    }
}
