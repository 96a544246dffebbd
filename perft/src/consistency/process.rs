//! The edge: an engine process that is started at the first question, and restarted after failures.

use std::time::Duration;

use uci::grammar::Message;
use uci::perft::Start;
use uci::{Client, EngineError, Received};

use super::question::{Subject, Until};
use crate::count::subject::Failure;

/// Time limit for `uciok`.
const HANDSHAKE: Duration = Duration::from_mins(1);
/// Time for an engine to end after `quit`.
const GRACE: Duration = Duration::from_millis(500);
/// More lines than any answer has.
const MOST_LINES: usize = 100_000;

pub(crate) struct EngineProcess<'a> {
    start: &'a Start,
    /// Whether `UCI_Chess960` is set.
    chess960: bool,
    /// Time limit for an answer.
    timeout: Duration,
    client: Option<Client>,
    name: Option<String>,
    /// The transcript up to the last failure.
    transcript: String,
}

impl<'a> EngineProcess<'a> {
    /// An engine that has not been started yet.
    pub(crate) fn new(start: &'a Start, chess960: bool, timeout: Duration) -> Self {
        Self {
            start,
            chess960,
            timeout,
            client: None,
            name: None,
            transcript: String::new(),
        }
    }

    /// As the engine calls itself, once it has been started.
    pub(crate) fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    fn try_asking(&mut self, lines: &[String], until: Until) -> Result<Vec<String>, Trouble> {
        if self.client.is_none() {
            let client = Client::start(&self.start.command, self.start.cancel.clone())?;
            let client = self.client.insert(client);
            client.handshake(HANDSHAKE)?;
            for (name, value) in &self.start.options {
                client.set_option(name, Some(value))?;
            }
            if self.chess960 {
                client.set_option("UCI_Chess960", Some("true"))?;
            }
            client.new_game(HANDSHAKE)?;
            self.name = client.id().name.clone();
        }
        let client = self.client.as_mut().expect("it was started just now");
        let mut lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        if until == Until::Ready {
            lines.push("isready");
        }
        let deadline = client.send_lines(&lines)? + self.timeout;
        let mut printed = Vec::new();
        loop {
            match client.next_line(deadline)? {
                Received::Line(_) if printed.len() >= MOST_LINES => return Err(Trouble::Endless),
                Received::Line(line) => match (until, Message::parse(&line.text)) {
                    (Until::Ready, Message::ReadyOk) => return Ok(printed),
                    (Until::BestMove, Message::BestMove(_)) => {
                        printed.push(line.text);
                        return Ok(printed);
                    }
                    _ => printed.push(line.text),
                },
                Received::Eof => return Err(client.ended().into()),
                Received::Cancelled => return Err(EngineError::Cancelled.into()),
                Received::TimedOut => return Err(Trouble::Late),
            }
        }
    }
}

/// Why there is no answer.
enum Trouble {
    Engine(EngineError),
    Late,
    Endless,
}

impl From<EngineError> for Trouble {
    fn from(error: EngineError) -> Self {
        Self::Engine(error)
    }
}

impl Subject for EngineProcess<'_> {
    fn ask(&mut self, lines: &[String], until: Until) -> Result<Vec<String>, Failure> {
        let trouble = match self.try_asking(lines, until) {
            Ok(printed) => return Ok(printed),
            Err(trouble) => trouble,
        };
        if let Some(client) = self.client.take() {
            self.transcript = client.transcript().to_string();
        }
        Err(match trouble {
            Trouble::Engine(EngineError::Cancelled) => Failure::Cancelled,
            Trouble::Engine(EngineError::TimedOut { after, .. }) => Failure::TimedOut { after },
            Trouble::Engine(error) => Failure::Crashed {
                how: error.to_string(),
            },
            Trouble::Late => Failure::TimedOut {
                after: self.timeout,
            },
            Trouble::Endless => Failure::Unreadable {
                excerpt: "more lines than an answer can have".to_owned(),
            },
        })
    }

    fn transcript(&self) -> String {
        match &self.client {
            Some(client) => client.transcript().to_string(),
            None => self.transcript.clone(),
        }
    }
}

impl Drop for EngineProcess<'_> {
    fn drop(&mut self) {
        if let Some(client) = self.client.take() {
            client.quit(GRACE);
        }
    }
}
