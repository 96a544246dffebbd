//! Why a tuning cannot be played.

use std::io;

use tablebase::TablebaseError;

use super::check::OptionFault;
use super::config::TuneConfigError;
use super::directory::DirectoryError;
use crate::config::program::ProgramError;
use crate::game::GameError;
use crate::openings::OpeningError;
use crate::player::PlayerError;

/// After so many games in a row that ended by a fault, values would only go astray.
pub(super) const FAULTS_IN_A_ROW: u64 = 10;

/// Why a tuning cannot be played.
#[derive(Debug, thiserror::Error)]
pub enum RunError {
    /// The configuration.
    #[error(transparent)]
    Config(#[from] TuneConfigError),
    /// The run directory.
    #[error(transparent)]
    Directory(#[from] DirectoryError),
    /// The opening book.
    #[error(transparent)]
    Openings(#[from] OpeningError),
    /// The engine's program.
    #[error(transparent)]
    Program(#[from] ProgramError),
    /// Another program than at the beginning.
    #[error(
        "the engine's program has changed: it was {expected}, and is {found}; --force goes on all the same"
    )]
    Changed {
        /// By what it was to be known.
        expected: String,
        /// What it is.
        found: String,
    },
    /// Another opening book than at the beginning.
    #[error("the opening book has changed: it was {expected}, and is {found}")]
    Book {
        /// By what it was to be known.
        expected: String,
        /// What it is.
        found: String,
    },
    /// Endgame tables.
    #[error(transparent)]
    Syzygy(#[from] TablebaseError),
    /// An option of the engine.
    #[error(transparent)]
    Option(#[from] OptionFault),
    /// The engine, before the first game or between two.
    #[error(transparent)]
    Player(#[from] PlayerError),
    /// A game.
    #[error(transparent)]
    Game(#[from] GameError),
    /// Games without chess.
    #[error(
        "the last {FAULTS_IN_A_ROW} games all ended by a fault of an engine, the last: {last}; the transcript \
         is kept in the run directory"
    )]
    Faults {
        /// What happened last.
        last: String,
    },
    /// No threads.
    #[error("cannot start a thread: {0}")]
    Thread(#[source] io::Error),
}

impl RunError {
    /// Whether the user asked for what cannot be; else an engine or the machine is at fault.
    pub fn is_bad_input(&self) -> bool {
        match self {
            Self::Config(_)
            | Self::Openings(_)
            | Self::Book { .. }
            | Self::Changed { .. }
            | Self::Syzygy(_)
            | Self::Option(_)
            | Self::Player(PlayerError::Setup(_)) => true,
            Self::Program(error) => error.is_input,
            Self::Directory(error) => error.is_bad_input(),
            Self::Player(_) | Self::Game(_) | Self::Faults { .. } | Self::Thread(_) => false,
        }
    }

    /// Whether it only says that the work was cancelled.
    pub fn is_cancelled(&self) -> bool {
        matches!(
            self,
            Self::Player(PlayerError::Cancelled) | Self::Game(GameError::Cancelled)
        )
    }
}
