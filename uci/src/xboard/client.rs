//! Driving an `XBoard` engine: process, protocol and transcript combined, as [`crate::Client`] does it
//! for UCI. The process and the transcript are those of a client whose own session is not used.

use std::time::{Duration, Instant};

use super::grammar::XboardCommand;
use super::session::XboardSession;
use crate::grammar::{BestMove, Command, Go, Message};
use crate::process::now;
use crate::{
    Cancel, Client, CommandLine, EngineError, Event, Farewell, Line, News, Received, SessionError,
    State,
};

/// Time to read output that arrived while nobody was waiting.
const UNREAD: Duration = Duration::from_secs(1);

/// A running engine, driven by the Chess Engine Communication Protocol.
#[derive(Debug)]
pub struct XboardClient {
    client: Client,
    session: XboardSession,
    passed_over: Vec<BestMove>,
}

impl XboardClient {
    /// Starts an engine and sends nothing to it, see [`Client::start`].
    ///
    /// # Errors
    ///
    /// When it cannot be started.
    pub fn start(command: &CommandLine, cancel: Cancel) -> Result<Self, EngineError> {
        Ok(Self {
            client: Client::start(command, cancel)?,
            session: XboardSession::default(),
            passed_over: Vec::new(),
        })
    }

    /// The process and the transcript.
    pub fn client(&self) -> &Client {
        &self.client
    }

    /// The same, to send lines past the session, or to kill the engine.
    pub fn client_mut(&mut self) -> &mut Client {
        &mut self.client
    }

    /// The state of the protocol.
    pub fn session(&self) -> &XboardSession {
        &self.session
    }

    /// Sends `xboard` and `protover 2`, and waits for the features. See
    /// [`XboardSession::handshake`].
    ///
    /// # Errors
    ///
    /// As for [`Client::handshake`].
    pub fn handshake(&mut self, silence: Duration, timeout: Duration) -> Result<(), EngineError> {
        let commands = self.session.handshake(now(), silence, timeout)?;
        self.send(&commands)?;
        self.wait_for(State::Handshaking)
    }

    /// Sets an option, see [`XboardSession::set_option`].
    ///
    /// # Errors
    ///
    /// When there is no such option, it rejects this value, or the engine does not read.
    pub fn set_option(&mut self, name: &str, value: Option<&str>) -> Result<(), EngineError> {
        let command = self.session.set_option(name, value)?;
        self.send(&[command])?;
        Ok(())
    }

    /// Announces a game without waiting; [`XboardClient::wait_until_ready`] does that.
    ///
    /// # Errors
    ///
    /// When the engine does not read, or is not idle.
    pub fn announce_game(
        &mut self,
        chess960: bool,
        ponder: bool,
        timeout: Duration,
    ) -> Result<(), EngineError> {
        let commands = self
            .session
            .announce_game(chess960, ponder, now(), timeout)?;
        self.send(&commands)?;
        Ok(())
    }

    /// Waits for `pong`, if the engine has that feature.
    ///
    /// # Errors
    ///
    /// As for [`Client::wait_until_ready`].
    pub fn wait_until_ready(&mut self) -> Result<(), EngineError> {
        self.session.put_off(now(), UNREAD);
        self.wait_for(State::Synchronising)
    }

    /// Lets the engine think about a position, given as the line `position …` of UCI, and returns
    /// the time at which the last byte was written. Earlier output is discarded, but claims count.
    ///
    /// # Errors
    ///
    /// When the engine does not read, is not idle, or cannot be given the position.
    pub fn start_search(
        &mut self,
        position: &str,
        go: &Go,
        timeout: Duration,
    ) -> Result<Instant, EngineError> {
        while let Some(line) = self.client.ready_line()? {
            if let News::Event(_, Event::Surprise(Message::BestMove(best_move))) =
                self.read(line)?
            {
                self.passed_over.push(best_move);
            }
        }
        let Ok(Command::Position(position)) = position.parse() else {
            let text = position.to_owned();
            return Err(EngineError::Session(SessionError::NoPosition { text }));
        };
        let commands = self.session.go(&position, go, now(), timeout)?;
        self.send(&commands)
    }

    /// The moves that [`XboardClient::start_search`] has discarded since the last call.
    pub fn take_passed_over(&mut self) -> Vec<BestMove> {
        std::mem::take(&mut self.passed_over)
    }

    /// Sends `?`. The move is due within `grace`.
    ///
    /// # Errors
    ///
    /// When no search is running, or the engine does not read.
    pub fn stop(&mut self, grace: Duration) -> Result<Instant, EngineError> {
        let command = self.session.stop(now(), grace)?;
        self.send(&[command])
    }

    /// Sends `force` and `result`, if the engine plays.
    ///
    /// # Errors
    ///
    /// When the engine does not read.
    pub fn end_game(&mut self, result: &str) -> Result<(), EngineError> {
        let commands = self.session.end_game(result);
        if !commands.is_empty() {
            self.send(&commands)?;
        }
        Ok(())
    }

    /// Waits for the next event, like [`Client::next_news`]. Thinking output is returned as a line
    /// `info …` of UCI.
    ///
    /// # Errors
    ///
    /// As for [`Client::next_event`].
    pub fn next_news(&mut self, deadline: Instant) -> Result<Option<News>, EngineError> {
        let due = self.session.deadline();
        let wake = due.map_or(deadline, |due| due.min(deadline));
        match self.client.next_line(wake)? {
            Received::Line(line) => self.read(line).map(Some),
            Received::Cancelled => Err(EngineError::Cancelled),
            Received::Eof => {
                let error = self.client.ended();
                Err(self.explain(error))
            }
            Received::TimedOut => match self.session.tick(wake) {
                Ok(event) => Ok(event.map(|event| News::Event(wake, event))),
                Err((wait, after)) => Err(EngineError::TimedOut { wait, after }),
            },
        }
    }

    /// Lets the engine quit, see [`Client::quit`].
    pub fn quit(self, grace: Duration) -> Farewell {
        self.client.quit(grace)
    }

    fn wait_for(&mut self, state: State) -> Result<(), EngineError> {
        while self.session.state() == state {
            let deadline = self.session.deadline();
            self.next_news(deadline.unwrap_or_else(|| now() + UNREAD))?;
        }
        Ok(())
    }

    /// Processes a line and sends what it makes necessary.
    fn read(&mut self, mut line: Line) -> Result<News, EngineError> {
        let event = self.session.line(&line.text, line.at);
        let replies = self.session.take_replies();
        if !replies.is_empty() {
            self.send(&replies)?;
        }
        Ok(match event {
            Event::Info(info) => {
                line.text = format!("info{info}");
                News::Info(line)
            }
            event => News::Event(line.at, event),
        })
    }

    fn send(&mut self, commands: &[XboardCommand]) -> Result<Instant, EngineError> {
        let lines: Vec<String> = commands.iter().map(ToString::to_string).collect();
        let lines: Vec<&str> = lines.iter().map(String::as_str).collect();
        let sent = self.client.send_lines(&lines);
        sent.map_err(|error| self.explain(error))
    }

    /// Adds what was awaited when the engine ended, which the client does not know.
    fn explain(&self, error: EngineError) -> EngineError {
        let waiting = self.session.waiting();
        match error {
            EngineError::Ended { exit, .. } => EngineError::Ended { exit, waiting },
            EngineError::ClosedStdout { .. } => EngineError::ClosedStdout { waiting },
            error => error,
        }
    }
}
