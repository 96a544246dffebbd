//! What can go wrong with an engine.

use std::io;
use std::time::Duration;

use super::{Exit, SendError, SessionError, Wait};

/// A failure of an engine, or of ours to drive it. [`super::Client::transcript`] tells the story.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// It could not be started.
    #[error("cannot start {command}: {source}")]
    Start {
        /// The command line.
        command: String,
        /// Why not.
        source: io::Error,
    },
    /// It has ended.
    #[error("the engine {exit}{}", before(*.waiting))]
    Ended {
        /// How.
        exit: Exit,
        /// What was waited for.
        waiting: Option<Wait>,
    },
    /// It has closed its standard output, but lives on.
    #[error("the engine closed its standard output{}, but lives on", before(*.waiting))]
    ClosedStdout {
        /// What was waited for.
        waiting: Option<Wait>,
    },
    /// An answer did not come in time.
    #[error("no {wait} within {} s", .after.as_secs_f64())]
    TimedOut {
        /// What was waited for.
        wait: Wait,
        /// How long.
        after: Duration,
    },
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// It could not be told something.
    #[error(transparent)]
    Send(SendError),
    /// What was asked for cannot be, as things stand.
    #[error(transparent)]
    Session(#[from] SessionError),
    /// Its output could not be read.
    #[error("cannot read from the engine: {0}")]
    Read(#[source] io::Error),
}

fn before(waiting: Option<Wait>) -> String {
    waiting.map_or(String::new(), |wait| format!(" before {wait}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_say_what_and_when() {
        let wait = Wait::BestMoveAfterStop;
        let after = Duration::from_millis(1500);
        let waiting = Some(Wait::ReadyOk);
        let line = "a\nb".to_owned();
        let rows = [
            (
                EngineError::Start {
                    command: "nothing".to_owned(),
                    source: io::ErrorKind::NotFound.into(),
                },
                "cannot start nothing: entity not found",
            ),
            (
                EngineError::ClosedStdout { waiting },
                "the engine closed its standard output before readyok, but lives on",
            ),
            (
                EngineError::ClosedStdout { waiting: None },
                "the engine closed its standard output, but lives on",
            ),
            (
                EngineError::TimedOut { wait, after },
                "no bestmove after stop within 1.5 s",
            ),
            (EngineError::Cancelled, "cancelled"),
            (
                EngineError::Send(SendError::TimedOut { after }),
                "the engine did not read its standard input for 1.5 s",
            ),
            (
                EngineError::Send(SendError::Closed),
                "the engine has closed its standard input",
            ),
            (
                EngineError::Send(SendError::LineBreak { line }),
                "\"a\\nb\" is more than one line",
            ),
            (
                EngineError::Read(io::ErrorKind::Other.into()),
                "cannot read from the engine: other error",
            ),
        ];
        for (error, expected) in rows {
            assert_eq!(error.to_string(), expected);
        }
    }
}
