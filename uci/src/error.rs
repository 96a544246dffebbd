//! Errors of a running engine.

use std::io;
use std::time::Duration;

use super::{Exit, SendError, SessionError, Wait};

/// A failure of an engine, or of driving it. See [`super::Client::transcript`] for the context.
#[derive(Debug, thiserror::Error)]
pub enum EngineError {
    /// The process could not be started.
    #[error("cannot start {command}: {source}")]
    Start {
        /// The command line.
        command: String,
        /// The operating system's error.
        source: io::Error,
    },
    /// The process has ended.
    #[error("the engine {exit}{}", before(*.waiting))]
    Ended {
        /// Exit code or signal.
        exit: Exit,
        /// The answer that was awaited.
        waiting: Option<Wait>,
    },
    /// The engine has closed its standard output, but is still running.
    #[error("the engine closed its standard output{}, but lives on", before(*.waiting))]
    ClosedStdout {
        /// The answer that was awaited.
        waiting: Option<Wait>,
    },
    /// An answer did not come in time.
    #[error("no {wait} within {} s", .after.as_secs_f64())]
    TimedOut {
        /// The answer that was awaited.
        wait: Wait,
        /// The time limit.
        after: Duration,
    },
    /// The work was cancelled.
    #[error("cancelled")]
    Cancelled,
    /// A line could not be sent.
    #[error(transparent)]
    Send(SendError),
    /// The request is invalid in the current state of the session.
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
