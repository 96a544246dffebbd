//! The edge: an engine process that is started at the first question, and restarted after failures.

use std::time::Duration;

use uci::{Engine, EngineError, Start, Until};

use super::question::LineSubject;
use crate::count::subject::Failure;

/// Time for an engine to end after `quit`.
const GRACE: Duration = Duration::from_millis(500);

pub(crate) struct EngineProcess {
    engine: Engine,
    /// Time limit for an answer.
    timeout: Duration,
}

impl EngineProcess {
    /// An engine that has not been started yet.
    pub(crate) fn new(mut start: Start, chess960: bool, timeout: Duration) -> Self {
        if chess960 {
            let on = ("UCI_Chess960".to_owned(), Some("true".to_owned()));
            start.options.push(on);
        }
        Self {
            engine: Engine::new(start),
            timeout,
        }
    }

    /// As the engine calls itself, once it has been started.
    pub(crate) fn name(&self) -> Option<&str> {
        self.engine.client()?.id().name.as_deref()
    }
}

impl LineSubject for EngineProcess {
    fn ask(&mut self, line: &str, until: Until) -> Result<Vec<String>, Failure> {
        let ready = self.engine.ready();
        let answer = ready.and_then(|client| client.ask(&[line], until, self.timeout));
        answer.map_err(|error| {
            // The engine's state is unknown now; the next question starts it anew.
            self.engine.kill();
            match error {
                EngineError::Cancelled => Failure::Cancelled,
                EngineError::TimedOut { after, .. } => Failure::TimedOut { after },
                error @ EngineError::Endless => Failure::Unreadable {
                    excerpt: error.to_string(),
                },
                error => Failure::Crashed {
                    how: error.to_string(),
                },
            }
        })
    }

    fn transcript(&self) -> String {
        self.engine.transcript()
    }
}

impl Drop for EngineProcess {
    fn drop(&mut self) {
        self.engine.quit(GRACE);
    }
}
